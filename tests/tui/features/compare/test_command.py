"""`modex compare`."""

from __future__ import annotations

import json

import pytest

from tests.cli import keyword_tests
from tests.server import Reply
from tests.tui.commands.conftest import Shell, assert_clean


@pytest.fixture
def two(mixed: Shell) -> Shell:
    """Beside `e` a run `f` in which everything passes but the first test."""
    mixed.server.behave(lambda request: Reply("no" if request.prompt == "question 0" else "ok"))
    mixed.run(exp_id="f")
    return mixed


def test_the_answer_comes_with_who_flipped(two: Shell) -> None:
    called = two("compare", "e", "f")
    assert called.code == 0
    lines = called.out.splitlines()
    assert lines[0].split()[:3] == ["first", "e", "openai/test-model"]
    assert any(line.startswith("+ d/2/w") for line in lines)
    assert any(line.startswith("- d/1/t0") for line in lines)
    assert "tests without a verdict in the first: 1" in called.out
    assert "not decided" in called.out


def test_json_holds_the_differences(two: Shell) -> None:
    data = two("compare", "e", "f", "--json").data
    assert (data["first"], data["second"], data["unscored"]) == ("e", "f", 1)
    assert (data["overall"]["n"], data["overall"]["gained"], data["overall"]["lost"]) == (4, 1, 1)
    assert abs(data["overall"]["mean"]) < 0.1
    assert {(flip["test"], flip["change"]) for flip in data["flips"]} == {("d/2/w", "gained"), ("d/1/t0", "lost")}


def test_text_and_json_say_the_same_difference_and_interval(two: Shell) -> None:
    found = two("compare", "e", "f", "--json").data["overall"]["weighted_score"]
    low, high = found["interval"]
    shown = f"{100 * found['difference']:+5.1f} points   95 %: {100 * low:+.1f} to {100 * high:+.1f}"
    assert shown in two("compare", "e", "f").out


def test_a_run_compared_with_itself_differs_in_nothing(two: Shell) -> None:
    data = two("compare", "e", "e", "--json").data
    assert (data["overall"]["mean"], data["overall"]["p_value"], data["flips"]) == (0.0, 1.0, [])


def test_runs_without_a_common_test_say_so(two: Shell) -> None:
    two.suite([{"id": "else", "prompt": "x", "expected": {"keywords": ["ok"]}, "level": 5}])
    two.run("--level", "5", exp_id="other")
    called = two("compare", "e", "other")
    assert called.code == 0
    assert "share no scored test" in called.out


def test_a_run_that_is_not_there_is_named(two: Shell) -> None:
    called = two("compare", "e", "nope")
    assert called.code == 2
    assert "nope" in called.err


def test_hostile_text_reaches_no_terminal(two: Shell) -> None:
    assert_clean(two("compare", "e", "f", "--all"))


def test_several_runs_are_a_table_with_the_best_and_no_bare_ranking(two: Shell) -> None:
    two.run(exp_id="g")
    called = two("compare", "e", "f", "g")
    assert called.code == 0
    assert "may be the best" in called.out
    assert two("compare", "e", "f", "g", "--json").data["n"] == 4
    assert two("compare", "e").code == 2


def test_what_a_changed_gold_turned_is_told_from_what_the_model_did(shell: Shell) -> None:
    tests = keyword_tests(4)
    shell.server.behave(Reply("ok"))
    shell.suite(tests)
    shell.run(exp_id="one")
    shell.suite([{**tests[0], "expected": {"keywords": ["other"]}}, *tests[1:]])
    shell.run(exp_id="two")
    said = shell("compare", "one", "two").out
    assert "1 test was judged by another gold or evaluator in each run (1 of 1 flips): modex changes one two" in said
    assert next(line for line in said.splitlines() if line.startswith("- d/1/t0 ")).endswith("other rules")
    data = json.loads(shell("compare", "one", "two", "--json").out)
    assert (data["other_rules"], data["flips"][0]["other_rules"]) == (1, True)
    assert "1 test was judged by another gold" in shell("gate", "one", "two").out
    assert json.loads(shell("gate", "one", "two", "--json").out)["other_rules"] == 1
    assert json.loads(shell("gate", "one", "two", "--quarantine", "t0", "--json").out)["other_rules"] == 0
    assert (
        "1 test was judged by another gold or evaluator in each run: modex changes one two" in shell("show", "two").out
    )
    assert "gold" not in shell("compare", "one", "one").out


def test_the_table_of_domains_fits_80_columns(shell: Shell) -> None:
    for domain in ("an_extraordinarily_long_domain", "short"):
        shell.suite(keyword_tests(3), domain)
    shell.server.behave(Reply("ok"))
    shell.run(exp_id="one")
    shell.server.behave(Reply("no"))
    shell.run(exp_id="two")
    lines = shell("compare", "one", "two").out.splitlines()
    start = next(number for number, line in enumerate(lines) if line.startswith("Weighted Score of"))
    table = lines[start : start + 3]
    assert all(len(line) <= 80 for line in table)
    assert [line.split()[-3:-1] for line in table[1:]] == [["-3", "+0"], ["-3", "+0"]]
