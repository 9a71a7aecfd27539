"""The scripted model without litellm: the same answers at once, faults and limits as a provider's."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import pytest

from modex.core.foundation.errors import ErrorType, ModelCallError
from modex.core.llm.demo.cues import Cue, cued
from modex.core.llm.demo.transport import DemoTransport
from modex.core.llm.faults import Provider
from modex.core.llm.gate import Interrupted
from modex.core.llm.request import CallRequest, Limits
from modex.core.llm.underway import UnderWay
from tests.tui.suites import small_suite

WHO = Provider("demo")
QUESTION = [{"role": "user", "content": "What is 1 + 1?"}]


def transport(model: str = "demo/perfect", stop: threading.Event | None = None) -> DemoTransport:
    return DemoTransport(model, WHO, stop or threading.Event(), UnderWay())


def cue(number: int = 1) -> Cue:
    return Cue("rollout", f"suite/math/1/t{number}/1", 1, {"type": "numeric", "value": 2}, "two_pass")


def test_a_test_is_answered_with_tokens(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MODEX_DEMO_LATENCY", "0")
    with cued(cue()):
        reply = transport().send(CallRequest(QUESTION, None, {}, 5.0), {})
    assert "2" in reply.content
    assert reply.usage is not None
    assert reply.usage.completion > 0


def test_some_first_attempts_fail_and_the_next_one_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MODEX_DEMO_LATENCY", "0")
    flaky, kinds = transport("demo/flaky"), set()
    for number in range(60):
        request = CallRequest(QUESTION, None, {}, 5.0)
        with cued(cue(number)):
            try:
                flaky.send(request, {})
            except ModelCallError as error:
                kinds.add(error.error_type)
                flaky.send(request, {})
    assert ErrorType.RATE_LIMIT in kinds
    assert len(kinds) == 2


def test_a_call_that_takes_too_long_ends_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MODEX_DEMO_LATENCY", "600")
    with cued(cue()), pytest.raises(ModelCallError) as raised:
        transport().send(CallRequest(QUESTION, None, {}, 0.01), {})
    assert raised.value.error_type is ErrorType.TIMEOUT
    with cued(cue()):
        cut = transport().send(CallRequest(QUESTION, None, {}, 5.0, limits=Limits(seconds=0.01)), {})
    assert cut.finish_reason == "time_limit"


def test_a_run_that_stops_ends_the_call(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MODEX_DEMO_LATENCY", "600")
    stop = threading.Event()
    stop.set()
    with cued(cue()), pytest.raises(Interrupted):
        transport(stop=stop).send(CallRequest(QUESTION, None, {}, 900.0), {})


@pytest.mark.long
@pytest.mark.process
@pytest.mark.parametrize(("model", "imports"), [("demo", False), ("demo/strong", False)])
def test_a_run_of_the_scripted_model_imports_no_litellm(
    tmp_path: Path, model: str, imports: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MODEX_DEMO_LATENCY", "0")
    root = small_suite(tmp_path / "s")
    code = (
        "import sys\nfrom modex.tui.cli import main\n"
        f"try: main(['run', '--model', {model!r}, '--suite', {str(root)!r}, '--db', {str(tmp_path / 'm.db')!r}, '--headless'])\n"
        "except SystemExit as ended: assert ended.code in (0, 1), ended.code\n"
        "print('litellm' in sys.modules)"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ended.stdout.splitlines()[-1] == str(imports)
