"""Tests that nothing here can judge are skipped before a model is asked, with what to install; answers that are there stay."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from modex.core.evaluators.code import evaluator
from modex.core.sandbox import environments
from modex.core.sandbox.environments import PackagesError
from modex.core.store.sample import EvaluationSample
from tests.cli import Called, call, reading, write_suite
from tests.core.pipeline.conftest import Ask
from tests.server import Reply, ServerHandle

CODE = "```python\ndef one(): return 1\n```"
TEST: dict[str, Any] = {
    "prompt": "Write one().", "evaluator_id": "code_tests", "expected": {"function": "one", "test": "assert one() == 1"},
}  # fmt: skip
FUNCTION = {**TEST, "expected": {"function": "one", "cases": [{"returns": 1}]}}


@pytest.fixture(autouse=True)
def nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """No namespaces on this machine."""
    monkeypatch.setattr(evaluator, "real_python_missing", lambda _name: "no bubblewrap; install it")
    monkeypatch.setattr(evaluator, "chosen", lambda _name: "monty")


def test_what_cannot_be_judged_is_not_asked(ask: Ask, server: ServerHandle) -> None:
    kept = ask(Reply(CODE), **TEST)
    assert (kept.status, kept.stage, kept.error_type) == ("skipped", "init", "sandbox_unavailable")
    assert kept.error_message == "no bubblewrap; install it"
    assert (kept.response, server.hits) == (None, 0)


def test_what_can_be_judged_is_asked(ask: Ask, server: ServerHandle) -> None:
    assert ask(Reply(CODE), "--sandbox", "monty", **FUNCTION).status == "passed"
    assert server.hits == 1


def test_it_is_asked_once_it_can_be_judged(
    tmp_path: Path, server: ServerHandle, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert _run(tmp_path, server).code == 1  # not all was asked
    assert (_only(tmp_path).status, server.hits) == ("skipped", 0)
    monkeypatch.setattr(evaluator.CodeTestsEvaluator, "unavailable", lambda *_: None)
    _run(tmp_path, server)
    assert (_only(tmp_path).response, server.hits) == (CODE, 1)


def test_an_answer_that_is_there_stays(tmp_path: Path, server: ServerHandle) -> None:
    _run(tmp_path, server, "--until", "rollout")
    assert (_only(tmp_path).response, server.hits) == (CODE, 1)
    _run(tmp_path, server)
    assert (_only(tmp_path).response, _only(tmp_path).stage, server.hits) == (CODE, "rollout", 1)
    call("judge", "e", "--db", tmp_path / "modex.db")
    assert (_only(tmp_path).response, _only(tmp_path).status) == (CODE, "error")


def test_packages_that_cannot_be_had_skip_the_test_and_their_making_is_told(
    tmp_path: Path, server: ServerHandle, monkeypatch: pytest.MonkeyPatch
) -> None:
    def made(wanted: tuple[str, ...], _place: Path, say: Any) -> Path:
        say(f"making an environment with {wanted[0]}: this is done once")
        raise PackagesError("odd cannot be installed; check its name")

    monkeypatch.setattr(evaluator, "real_python_missing", lambda _name: None)
    monkeypatch.setattr(environments, "_made", made)
    called = _run(tmp_path, server, test={**TEST, "sandbox": {"packages": ["odd"]}})
    assert (_only(tmp_path).status, _only(tmp_path).error_message) == (
        "skipped",
        "odd cannot be installed; check its name",
    )
    assert server.hits == 0
    assert "making an environment with odd: this is done once" in called.err
    with reading(tmp_path / "modex.db") as reader:
        events = [(one.kind, one.message) for one in reader.events(reader.run("e").id)]
    assert ("info", "making an environment with odd: this is done once") in events


def _run(tmp_path: Path, server: ServerHandle, *flags: str, test: dict[str, Any] = TEST) -> Called:
    server.behave(Reply(CODE))
    suite = write_suite(tmp_path / "suite", [{"id": "t", **test}])
    return call(
        "run", "--model", "openai/test-model", "--api-base", server.url, "--suite", suite, "--exp-id", "e",
        "--db", tmp_path / "modex.db", "--headless", *flags,
    )  # fmt: skip


def _only(tmp_path: Path) -> EvaluationSample:
    with reading(tmp_path / "modex.db") as reader:
        (sample,) = reader.samples(reader.run("e").id)
    return sample
