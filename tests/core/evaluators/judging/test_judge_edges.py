"""Judges at the edges: too few that can be read, what is said in a repair, and which form of a verdict is asked for."""

from __future__ import annotations

from typing import Any

import pytest

from modex.core.config.options import Settle
from modex.core.evaluators.base import EvaluationResult
from modex.core.evaluators.judging.judge import rating_question, repeats_of, settle, settle_of
from modex.core.evaluators.judging.llm_judge import LLMJudgeEvaluator
from modex.core.evaluators.judging.protocols import confidence_in
from modex.core.evaluators.judging.rubric_form import Demand, RubricGate, Rule, rubric_problems
from modex.core.evaluators.judging.scale import BINARY, Scale
from modex.core.evaluators.judging.verdict import NoVerdictError, read_pattern_verdict
from modex.core.evaluators.registry import get_evaluator
from modex.core.foundation.errors import JudgeError
from modex.core.suite.definitions import Location, TestCase
from modex.core.verdict import Votes
from tests.core.evaluators.conftest import ScriptedClient, config, context, part, sample
from tests.rows import each_row

YES, NO = '{"reason": "same", "score": 1}', '{"reason": "differs", "score": 0}'


def judged(*clients: ScriptedClient, evaluator: Any = "llm_judge") -> EvaluationResult:
    setting = context(evaluator, judges=clients)
    return get_evaluator(setting.config).evaluate(sample("Paris", "Paris"), setting)


def test_without_a_judge_there_is_no_verdict() -> None:
    with pytest.raises(JudgeError, match="this test needs an LLM judge: name one with --judge-model"):
        judged()


@each_row(("read", "asked"), [(2, 5), (1, 3), (1, 2), (2, 4)])
def test_half_of_the_judges_or_fewer_are_too_few(read: int, asked: int) -> None:
    clients = [ScriptedClient(YES) for _ in range(read)]
    silent = [ScriptedClient("hm", "hm", model="mute") for _ in range(asked - read)]
    with pytest.raises(JudgeError, match=r"no verdict from the judge \(mute: "):
        judged(*clients, *silent)


@each_row(("first", "said_again"), [("It is right.", "It is right."), ("", "-")])
def test_a_judge_is_shown_its_own_reply_when_it_is_asked_again(first: str, said_again: str) -> None:
    client = ScriptedClient(first, YES)
    assert judged(client).score == 1.0
    (question, own, repair) = client.asked[1]
    assert question == client.asked[0][0]
    assert (own["role"], own["content"], repair["role"]) == ("assistant", said_again, "user")


@each_row(
    ("scores", "how", "settled"),
    [
        ([0.7, 0.7, 0.0], "majority", (1.0, "majority")),
        ([0.69, 0.69, 1.0], "majority", (0.0, "majority")),
        ([0.2, 0.9], "majority", (0.2, "first_judge")),
        ([0.9, 0.2], "majority", (0.9, "first_judge")),
        ([0.2, 0.9], "auto", (0.55, "median")),
        ([0.1, 0.2, 0.4], "mean", (0.233333, "mean")),
    ],
)
def test_a_majority_is_one_of_passes(scores: list[float], how: Settle, settled: tuple[float, str]) -> None:
    score, by = settle(scores, Scale(), how)
    assert by == settled[1]
    assert score == pytest.approx(settled[0])


@each_row(("given", "times"), [(0, 1), (1, 1), (3, 3), (9, 9), (10, 9), (True, 1), (False, 1), ("3", 1), (2.0, 1)])
def test_a_judge_is_asked_once_to_nine_times(given: Any, times: int) -> None:
    assert repeats_of(context(config("llm_judge", config={"repeats": given}))) == times
    assert settle_of(context(config("llm_judge", config={"settle": given}))) == "auto"


def test_a_provider_is_asked_to_enforce_the_form_of_json_and_not_of_a_pattern() -> None:
    by_json = rating_question("m", "f", BINARY, response="", delimiter="d")
    by_pattern = rating_question("m", "f", BINARY, response="", delimiter="d", pattern="score (.)")
    assert by_json.schema is not None
    assert by_pattern.schema is None
    assert by_json.read(YES).rating == by_pattern.read("score 1").rating == 1.0
    with pytest.raises(NoVerdictError):
        by_pattern.read(YES)


@each_row(
    ("settings", "reply", "shown"),
    [
        ({"verdict_regex": r"VERDICT: (yes|no)"}, "VERDICT: yes", r"VERDICT: (yes|no)"),
        ({}, '{"reason": "r", "score": 1}', '"score"'),
        ({"binary": True}, '{"reason": "r", "score": 1}', '"score"'),
        ({"max_score": 5}, '{"reason": "r", "score": 5}', "5"),
    ],
)
def test_a_prompt_of_ones_own_says_which_form_the_verdict_has(settings: Any, reply: str, shown: str) -> None:
    client = ScriptedClient(reply)
    asked = context(config("custom", eval_prompt="Is {response} right?", config=settings), judges=(client,))
    names: list[str] = []
    template = asked.template

    def named(name: str) -> str:
        names.append(name)
        return template(name)

    asked.template = named
    assert get_evaluator(asked.config).evaluate(sample("Paris", "Paris"), asked).score == 1.0
    assert shown in client.asked[0][0]["content"]
    kind = "pattern" if "verdict_regex" in settings else "binary" if settings.get("binary") else "rating"
    assert names == [f"judge/form_{kind}", "judge/pattern" if kind == "pattern" else "judge/rating"]


@each_row(("expected", "right"), [(None, False), ("", False), ([], False), ({}, False), ("x", True), (0, True)])
def test_a_judge_needs_a_reference_answer(expected: Any, right: bool) -> None:
    test = TestCase("suite", "d", 1, "t", "?", expected, "llm_judge", Location("t.json"))
    assert (list(LLMJudgeEvaluator().check(test, config("llm_judge"), None)) == []) is right


@each_row(
    ("response", "sure"),
    [
        ("Confidence: 1", 1.0),
        ("Confidence: 1%", 0.01),
        ("Confidence: 100", 1.0),
        ("Confidence: 101", None),
        ("Confidence: 0", 0.0),
        ("Confidence: 0.5", 0.5),
        ("Confidence: 10\nConfidence: 20\nConfidence: 30", 0.3),
    ],
)
def test_a_number_above_one_is_a_percentage(response: str, sure: float | None) -> None:
    assert confidence_in(response) == sure


@each_row(
    ("rule", "text", "occurs"),
    [
        (Rule(("friday",)), "On FRIDAY.", True),
        (Rule(("fri",)), "On Friday.", False),
        (Rule(("fri",), prefix=True), "On Friday.", True),
        (Rule(("monday", "friday")), "On Friday.", True),
        (Rule((), ("FRI.AY",)), "On friday.", True),
        (Rule((), ("mon", "fri")), "On friday.", True),
        (Rule((), ("mon",)), "On friday.", False),
        (Rule(), "On friday.", False),
    ],
)
def test_any_phrase_or_any_pattern_of_a_rule_decides(rule: Rule, text: str, occurs: bool) -> None:
    assert Demand("a", "says", rule=rule).occurs(text) is occurs


def test_a_demand_is_worth_a_point_and_a_gate_is_put_to_the_judge() -> None:
    assert (Demand("a", "b").points, Demand("a", "b").required, Demand("a", "b").group) == (1.0, False, None)
    assert (RubricGate("a", "b").judged, RubricGate("a", "b").as_written) == (True, False)
    phrase = RubricGate("a", "b", Rule(("butter",)))
    assert (phrase.found("Use Butter."), phrase.found("Use ice.")) == ("butter", None)


ITEM: dict[str, Any] = {"id": "a", "says": "b"}


@each_row(
    ("expected", "said"),
    [
        ({"items": [ITEM], "form": None, "language": None, "gates": None}, []),
        ({"items": [{**ITEM, "any": []}]}, ["item 1: `any` holds texts that are not empty"]),
        ({"items": [{**ITEM, "any": ["x", " "]}]}, ["item 1: `any` holds texts that are not empty"]),
        ({"items": [{**ITEM, "any": ["x"], "regex": "y"}]}, ["item 1 has `any` and `regex`; one of them decides"]),
        ({"items": [{"id": "a", "says": " "}]}, ["item 1: `says` is empty"]),
        ({"items": [{**ITEM, "group": "g"}], "groups": {"g": 1}}, []),
        ({"items": [{**ITEM, "group": "g"}], "groups": {"g": 1.5}}, ["`groups`: the least share of 'g'"]),
        ({"items": [{**ITEM, "group": "g"}], "groups": {"g": -0.5}}, ["`groups`: the least share of 'g'"]),
        ({"items": [ITEM, 5]}, ["item 2 must be an object"]),
        ({"items": [ITEM], "gates": [{"id": "a", "says": "x"}]}, ["two entries are called 'a'; rename one"]),
        ({"items": [ITEM], "gates": [{"id": "g", "says": "x", "judged": False, "any": ["y"]}]}, []),
        ({"items": [{**ITEM, "regex": ["x", "("]}]}, ["item 1: the pattern '(' does not compile"]),
        ({"items": [ITEM], "form": "("}, ["`form`: the pattern '(' does not compile"]),
    ],
)
def test_each_mistake_of_a_rubric_is_said_once(expected: Any, said: list[str]) -> None:
    found = list(rubric_problems(expected))
    assert len(found) == len(said), found
    assert all(one.startswith(start) for one, start in zip(found, said, strict=True)), found


@each_row(
    ("pattern", "reply", "rating"),
    [
        (r"score (\d)", "score 4/5", 4.0),
        (r"score (\d)", "score 4.5 of 5", None),
        (r"score (\d)", "score 4, fine", 4.0),
        (r"score (\d)", "score 4,5", None),
        (r"score \d (\d)", "score 3 4", 4.0),
        (r"score \d.(\d)", "score 3.4", None),
        (r"score \d.(\d)", "score 3/4", None),
        (r"(yes|no)", "not yes", None),
        (r"(yes|no)", "It is so. yes", 5.0),
        (r"(yes|no)$", "I do not think so\nyes", 5.0),
        (r"score -(\d)", "score -4", None),
    ],
)
def test_a_rating_is_not_cut_out_of_a_longer_number_and_not_negated(
    pattern: str, reply: str, rating: float | None
) -> None:
    if rating is None:
        with pytest.raises(NoVerdictError):
            read_pattern_verdict(reply, pattern, Scale(0, 5))
    else:
        assert read_pattern_verdict(reply, pattern, Scale(0, 5)).rating == rating


def test_several_judges_are_told_with_their_agreement_and_one_without() -> None:
    one = part(judged(ScriptedClient(YES)), Votes)
    assert (one.agreement, one.settled_by, one.scale, one.reference) == (None, "", (0, 1), "Paris")
    two = part(judged(ScriptedClient(YES), ScriptedClient(NO)), Votes)
    assert (two.agreement, two.settled_by, two.why) == (0.5, "first_judge", "same")


@each_row("evaluator", ["llm_judge", "caia", "custom", "browsecomp", "webwalkerqa", "xbench"])
def test_an_evaluator_that_is_a_judge_needs_one(evaluator: str) -> None:
    assert get_evaluator(config(evaluator)).needs_judge("x", config(evaluator)) is True
    assert get_evaluator(config(evaluator)).needs_extractor("x", config(evaluator)) is False


def test_half_of_the_judges_grant_an_item_nothing_by_majority_and_half_of_it_by_mean() -> None:
    items = {"items": [{"id": "a", "says": "b"}]}
    granted, denied = '{"reason": "r", "items": {"a": true}}', '{"reason": "r", "items": {"a": false}}'
    for how, score in (("majority", 0.0), ("mean", 0.5), ("median", 0.5)):
        own = config("caia", config={"settle": how, "repeats": 1})
        asked = context(own, judges=(ScriptedClient(granted), ScriptedClient(denied)))
        assert get_evaluator(own).evaluate(sample("x", items), asked).score == score
