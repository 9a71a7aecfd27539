"""Tests of which so many of so many tries must pass: asked only until that is certain, and said so everywhere."""

from __future__ import annotations

import threading
from collections import Counter
from xml.etree import ElementTree

import pytest

from tests.cli import call
from tests.server import Reply, Request
from tests.tui.commands.conftest import Shell

TESTS = [
    {"id": "always", "prompt": "always", "expected": {"keywords": ["ok"]}, "epochs": {"pass": 8, "of": 10}},
    {"id": "never", "prompt": "never", "expected": {"keywords": ["ok"]}, "epochs": {"pass": 8, "of": 10}},
    {"id": "thrice", "prompt": "thrice", "expected": {"keywords": ["ok"]}, "epochs": {"pass": 2, "of": 4}},
    {"id": "once", "prompt": "once", "expected": {"keywords": ["ok"]}},
]


@pytest.fixture
def calls(shell: Shell) -> Counter[str]:
    """How often each question was asked at the server; `thrice` is right in every other try, a wrong one first."""
    counted: Counter[str] = Counter()
    lock = threading.Lock()

    def answer(request: Request) -> Reply:
        with lock:
            counted[request.prompt] += 1
            right = {"never": False, "thrice": counted["thrice"] % 2 == 0}.get(request.prompt, True)
        return Reply("ok" if right else "no")

    shell.server.behave(answer)
    return counted


@pytest.mark.parametrize("concurrency", ["1", "16"])
def test_a_test_is_asked_until_its_verdict_is_certain_and_no_longer(
    shell: Shell, calls: Counter[str], concurrency: str
) -> None:
    shell.suite(TESTS)
    shell.run("--concurrency", concurrency)
    assert calls == {"always": 8, "never": 3, "thrice": 4, "once": 1}
    data = shell("show", "e", "--json").data
    assert data["overall_score"] == pytest.approx(3 / 4)
    assert {one["test"]: (one["verdict"], one["scored"]) for one in data["epochs"]["required"]} == {
        "d/1/always": ("passed", 8),
        "d/1/never": ("failed", 3),
        "d/1/thrice": ("passed", 4),
    }
    assert data["levels"][0]["average_score"] == pytest.approx(3 / 4)


def test_going_on_with_a_run_asks_nothing_that_is_certain(shell: Shell, calls: Counter[str]) -> None:
    shell.suite(TESTS)
    shell.run()
    before = dict(calls)
    shell.run()
    assert calls == before
    spared = [one for one in shell("show", "e", "--test", "always", "--json").data if one["status"] == "skipped"]
    assert {one["error_message"] for one in spared} == {"not asked: 8 of 10 was decided by 8 passed and 0 failed"}
    assert len(spared) == 2


def test_every_output_names_the_tests_that_miss(shell: Shell, calls: Counter[str]) -> None:
    shell.suite(TESTS[:3])
    shell.run()
    shell.run(exp_id="f")
    assert "k of n: 2 of 3 tests hold; 15 of 24 tries were needed" in shell("show", "e").out
    assert "too few: d/1/never 0/3 where 8 of 10 must pass" in shell("show", "e").out
    for form in ("text", "github", "junit"):
        assert "k of n: 2 of 3 tests hold: d/1/never 0/3 (8 of 10)" in shell("gate", "e", "f", "--format", form).out
    assert shell("gate", "e", "f", "--json").data["k_of_n"]["missed"][0]["test"] == "d/1/never"
    suite = ElementTree.fromstring(shell("export", "e", "--format", "junit").out)
    cases = {case.get("name"): [part.tag for part in case] for case in suite.iter("testcase")}
    assert cases == {"always (8 of 10)": [], "never (8 of 10)": ["failure"], "thrice (2 of 4)": []}
    assert "2 of 3 tests hold" in shell("export", "e", "--format", "github").out
    assert calls


def test_a_run_can_ask_it_of_every_test(shell: Shell, calls: Counter[str]) -> None:
    shell.suite([TESTS[3], TESTS[2]])
    shell.run("--require", "2/3")
    assert calls == {"once": 2, "thrice": 4}
    called = shell.run("--require", "3/2", exp_id="g")
    assert called.code == 2
    assert "--require: '3/2' is not understood" in called.err


def test_a_faulty_number_is_named_where_it_stands(shell: Shell) -> None:
    shell.suite([{**TESTS[0], "epochs": {"pass": 11, "of": 10}}])
    called = call("check", shell.root / "suite")
    assert called.code == 2
    assert "'epochs' must have 1 ≤ pass ≤ of" in called.out + called.err
