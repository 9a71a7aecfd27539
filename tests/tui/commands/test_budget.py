"""A budget as a plan: what is chosen, said, asked and kept."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from tests.cli import reading
from tests.tui.commands.conftest import Shell

TESTS = 60


@pytest.fixture
def large(shell: Shell) -> Shell:
    """Levels 1 and 4 with 30 tests each."""
    shell.suite(
        [
            {
                "id": f"t{n}",
                "prompt": f"{'wrong' if n % 3 else 'right'} {n}",
                "expected": {"keywords": ["ok"]},
                "level": level,
            }
            for n in range(TESTS)
            for level in [4 if n % 2 else 1]
        ]
    )
    return shell


def planned(shell: Shell, exp_id: str = "e") -> dict[str, Any]:
    with reading(shell.database) as reader:
        found = reader.run(exp_id).config["selection"]["planned"]
    assert isinstance(found, dict)
    return found


def prompts(shell: Shell) -> list[str]:
    return sorted(request.prompt for request in shell.server.requests)


def test_a_plan_says_what_it_asks_and_asks_no_more(large: Shell) -> None:
    called = large.run("--max-calls", "20", "--seed", "3")
    assert called.code == 0, called.err
    assert large.server.hits == 20
    assert "plan for --max-calls 20: 20 of 60 tests in 2 cells, about 20 calls" in called.err
    assert "at most, for no earlier run of these tests is stored" in called.err
    levels = Counter(key.split("/")[2] for key in planned(large)["tests"])
    assert levels == {"1": 4, "4": 16}  # by the levels' weight
    assert f"±{100 * planned(large)['half_width']:.1f}" in called.err
    assert "planned: 20 tests, ±" in called.out
    assert "got: 20 with a verdict, ±" in called.out
    assert "20 calls to the model" in called.out


@pytest.mark.long
def test_the_same_command_goes_on_with_the_same_sample(large: Shell) -> None:
    large.run("--max-calls", "12", "--seed", "3")
    before, chosen = prompts(large), planned(large)
    large.run(exp_id="other")  # now it is known how these tests vary, which would make another sample
    large.server.forget()
    assert large.run("--max-calls", "12", "--seed", "3").code == 0
    assert large.server.hits == 0
    assert planned(large) == chosen
    large.run("--max-calls", "12", "--seed", "3", exp_id="informed")
    assert planned(large, "informed")["earlier_runs"] == 2
    large.server.forget()
    assert large.run("--max-calls", "20", "--seed", "3").code == 0
    assert 8 <= large.server.hits <= 12
    assert len(planned(large)["tests"]) == 20
    assert len(before) == 12


def test_another_seed_is_another_sample_and_the_same_seed_the_same(large: Shell) -> None:
    for exp_id, seed in (("a", "1"), ("b", "1"), ("c", "2")):
        large.run("--max-calls", "10", "--sample", "60", "--seed", seed, "--until", "preprocess", exp_id=exp_id)
    assert planned(large, "a") == planned(large, "b")
    assert planned(large, "a")["tests"] != planned(large, "c")["tests"]


def test_what_other_models_answered_is_said_to_be_theirs(large: Shell) -> None:
    large.run(exp_id="theirs", model="openai/other")
    called = large.run("--max-calls", "12", "--until", "preprocess")
    assert "(if it answers like other models in 1 earlier run of these tests)" in called.err
    assert not planned(large)["own"]
    large.run(exp_id="mine")
    called = large.run("--max-calls", "12", "--until", "preprocess", exp_id="again")
    assert "(from 1 earlier run of these tests)" in called.err


def test_max_cost_is_a_plan_where_it_is_asked_for(large: Shell) -> None:
    prices = ("--input-price", "1", "--output-price", "1", "--until", "preprocess")
    called = large.run("--max-cost", "0.0075", "--plan", *prices)
    assert called.code == 0, called.err
    assert 10 <= len(planned(large)["tests"]) <= 25
    assert planned(large)["cost_usd"] <= 0.0075
    large.run("--max-cost", "0.0075", *prices, exp_id="stop")
    with reading(large.database) as reader:
        stop = reader.run("stop")
    assert stop.config["selection"].get("planned") is None
    assert stop.total_tests == TESTS


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--plan"], "--plan needs a budget: --max-cost USD or --max-calls N"),
        (["--max-cost", "1", "--plan"], "no price of openai/test-model"),
        (["--max-calls", "1"], "--max-calls 1 cannot ask one test in each cell"),
    ],
)
def test_a_plan_that_cannot_be_made_says_why(large: Shell, words: list[str], said: str) -> None:
    called = large.run(*words)
    assert called.code != 0
    assert said in called.err
    assert "Traceback" not in called.err
    assert large.server.hits == 0
