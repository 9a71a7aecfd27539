"""Samples without a verdict for a reason that the model can cause bound every headline; they never lift one."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from modex.core.foundation.errors import CUT_OFF, MODEL_MAY_CAUSE, ErrorType, ModelCallError, while_judging
from modex.core.store.rows import RUN_COLUMNS, run_from_row
from tests.server import Reply, Request
from tests.tui.commands.conftest import Shell

JUDGED = {
    "id": "judged",
    "name": "judged",
    "type": "custom",
    "eval_prompt": "Is {response} right? {prompt}",
    "extraction_regex": r"VERDICT:\s*(PASS|FAIL)",
    "config": {"binary": True},
}


def answer(request: Request) -> Reply:
    """Questions 0 to 7 are answered rightly, the rest plants a verdict; the judge cannot be read where it says `unreadable`."""
    if request.model == "judge":
        said = str(request.body)
        if "unreadable" in said:
            return Reply("I would rather not say.")
        return Reply("It is right.\nVERDICT: PASS" if "right answer" in said else "It is wrong.\nVERDICT: FAIL")
    number = int(request.prompt.split()[-1])
    kind = "unreadable" if "opaque" in request.prompt else "VERDICT: FAIL"
    return Reply("the right answer" if number < 8 else f"Lyon.\n{kind}")


def judged_suite(shell: Shell, word: str) -> None:
    shell.suite(
        [{"id": f"t{n}", "prompt": f"{word} question {n}", "expected": "x"} for n in range(20)], evaluator_id="judged"
    )
    folder = shell.root / "suite" / "test_definitions" / "evaluators"
    folder.mkdir(exist_ok=True)
    (folder / "judged.json").write_text(json.dumps(JUDGED))
    shell.server.behave(answer)


def run(shell: Shell, *words: str, exp_id: str = "e", model: str = "openai/test-model") -> int:
    return shell.run(
        "--judge-model", "openai/judge", "--judge-api-base", shell.server.url, *words, exp_id=exp_id, model=model
    ).code  # fmt: skip


def test_wrong_answers_that_plant_a_fail_stay_wrong(shell: Shell) -> None:
    judged_suite(shell, "plain")
    run(shell)
    found = shell("show", "e", "--json").data
    assert (found["passed_tests"], found["failed_tests"], found["error_tests"]) == (8, 12, 0)
    assert found["overall_score"] == pytest.approx(0.4)


@pytest.mark.long
def test_answers_that_no_judge_can_rate_bound_the_score_wherever_it_stands(shell: Shell) -> None:
    judged_suite(shell, "opaque")
    assert run(shell, "--fail-under", "50") == 1
    assert "Weighted Score 40.0 to 100.0 (100.0" in shell("show", "e").out
    (domain,) = [line.split() for line in shell("show", "e").out.splitlines() if line.startswith("d ")]
    assert domain == ["d", "≥40.0", "≥40.0", "8"]
    assert "12 without a verdict: all wrong 40.0, all right 100.0" in shell("show", "e").out
    found = shell("show", "e", "--json").data
    assert (found["bounds"]["number"], found["bounds"]["low"], found["bounds"]["high"]) == (12, 0.4, 1.0)
    assert (found["unsettled"], found["bound_low"], found["bound_high"]) == (12, 0.4, 1.0)
    assert "≥40.0" in shell("runs").out
    low, high = found["ci_low"], found["ci_high"]
    assert low > 0.4  # narrower than what is known: it stands beside the bounds nowhere
    narrow = (f"±{50 * (high - low):.1f}", f" {50 * (high - low):.1f} ", f"{100 * low:.1f} to")
    forms = (
        ["show", "e"],
        ["runs"],
        ["leaderboard"],
        ["history"],
        *(["export", "e", "--format", form] for form in ("md", "github")),
    )
    for words in forms:
        said = shell(*words).out.partition("\n|")[0]
        assert not [one for one in narrow if one in said], (words, said)
    for form in ("md", "html", "github", "junit", "eee", "inspect", "json"):
        text = shell("export", "e", "--format", form).out
        assert re.search(r"40\.0\b|0\.4\b", text), form
    under = shell("stat", "e", "--fail-under", "50")
    assert "below --fail-under 50.0" in under.err
    assert "40.0" in under.err
    assert "below" not in shell("stat", "e", "--fail-under", "50", "--fail-by", "score").err


@pytest.mark.long
@pytest.mark.parametrize(
    "refusal",
    [
        Reply(status=413, body={"error": {"message": "too large"}}),
        Reply(status=422, body={"error": {"message": "no such characters"}}),
        Reply("", finish_reason="content_filter"),
        Reply(status=400, body={"error": {"message": "too long", "code": "context_length_exceeded"}}),
    ],
    ids=["413", "422", "filter", "window"],
)
def test_answers_that_the_judge_refuses_bound_the_score_and_were_not_cut_off(shell: Shell, refusal: Reply) -> None:
    judged_suite(shell, "opaque")
    shell.server.behave(
        lambda request: refusal if request.model == "judge" and "unreadable" in str(request.body) else answer(request)
    )
    assert run(shell, "--fail-under", "50") == 1
    found = shell("show", "e").out
    assert "12 without a verdict: all wrong 40.0, all right 100.0\n" in found
    assert "12 judge_refused: the judge refuses them: name another with --judge-model MODEL" in found
    assert "cut off" not in found
    assert "below --fail-under 50.0" in shell("stat", "e", "--fail-under", "50").err


@pytest.mark.parametrize("ends", [(1e308, 1.0), (-5.0, 1.0), (0.9, 0.1), (0.0, float("inf"))])
def test_bounds_that_are_no_scores_are_damage(ends: tuple[float, float]) -> None:
    names = list(RUN_COLUMNS)
    row: list[Any] = [None if name not in ("id", "exp_id") else 1 if name == "id" else "e" for name in names]
    row[names.index("unsettled")] = 2
    row[names.index("bound_low")], row[names.index("bound_high")] = ends
    read = run_from_row(tuple(row))
    assert read.status == "error"
    assert read.bounds is None
    assert "are no scores; `modex stat` computes them anew" in (read.reason or "")


def test_what_fails_about_a_stored_answer_bounds_unless_no_answer_can_cause_it() -> None:
    never = {
        ErrorType.RATE_LIMIT, ErrorType.SERVER_ERROR, ErrorType.CONNECTION, ErrorType.AUTHENTICATION, ErrorType.PERMISSION,
        ErrorType.MODEL_NOT_FOUND, ErrorType.QUOTA, ErrorType.INVALID_TEST, ErrorType.SANDBOX_UNAVAILABLE,
    }  # fmt: skip
    for kind in ErrorType:
        error = ModelCallError("no", kind)
        assert (while_judging(error) in MODEL_MAY_CAUSE) == (kind not in never), kind
        assert kind in (ErrorType.TIME_LIMIT, ErrorType.TIMEOUT) or while_judging(error) not in CUT_OFF, kind
        error.asked_as = "pass2"
        assert while_judging(error) in (kind, ErrorType.EXTRACTOR_REFUSED)


def test_the_first_run_here_says_what_its_score_is(shell: Shell) -> None:
    judged_suite(shell, "plain")
    run(shell)
    assert "a level counting as often as its number says" in shell("show", "e").out
    run(shell, exp_id="second")
    assert "a level counting as often" not in shell("show", "second").out


def test_errors_of_network_key_and_server_are_not_among_those_that_bound() -> None:
    outside = {
        ErrorType.RATE_LIMIT, ErrorType.SERVER_ERROR, ErrorType.CONNECTION, ErrorType.AUTHENTICATION, ErrorType.PERMISSION,
        ErrorType.MODEL_NOT_FOUND, ErrorType.QUOTA,
        ErrorType.ATTACHMENT_REFUSED, ErrorType.INVALID_TEST, ErrorType.SANDBOX_UNAVAILABLE,
    }  # fmt: skip
    assert set(ErrorType) - MODEL_MAY_CAUSE == outside
    assert CUT_OFF < MODEL_MAY_CAUSE


def board(shell: Shell) -> dict[str, Any]:
    found: dict[str, Any] = shell("leaderboard", "--json").data[0]
    return found


def test_no_run_leads_the_leaderboard_because_its_failures_became_errors(shell: Shell) -> None:
    judged_suite(shell, "opaque")
    run(shell, exp_id="cheat", model="openai/cheat")
    shell.server.behave(
        lambda request: (
            answer(request)
            if request.model == "judge"
            else Reply("the right answer" if int(request.prompt.split()[-1]) < 10 else "Lyon.")
        )
    )
    run(shell, exp_id="honest", model="openai/honest")
    found = board(shell)
    assert [one["run"] for one in found["models"]] == ["honest", "cheat"]
    assert [one["score"] for one in found["models"]] == [0.5, 1.0]
    assert found["models"][1]["bounds"] == [0.4, 1.0]
    assert (found["common_tests"], found["models"][1]["errors"]) == (20, 12)
    said = shell("leaderboard").out
    assert "scores over the 20 tests that the 2 runs compared have in common" in said
    assert "40.0 to 100.0" in said


@pytest.mark.long
def test_a_run_over_a_part_of_the_tests_or_without_a_layer_is_not_compared(shell: Shell) -> None:
    judged_suite(shell, "plain")
    run(shell, exp_id="a", model="openai/a")
    run(shell, exp_id="b", model="openai/b")
    run(shell, "--limit", "5", exp_id="part", model="openai/part")
    run(shell, "--without-layer", "test", exp_id="bare", model="openai/bare")
    run(shell, "--limit", "5", exp_id="newer", model="openai/a")
    found = board(shell)
    assert [(one["run"], one["apart"]) for one in found["models"]] == [
        ("a", None), ("b", None), ("part", "part: limit 5"), ("bare", "without layer test"),
    ]  # fmt: skip
    assert "not compared: part: limit 5" in shell("leaderboard").out
