"""Verdicts of the scripted judge: in the form that the prompt shows, by the words that a response shares with the reference."""

from __future__ import annotations

import json
from typing import Any

from modex.core.llm.demo.cues import Cue
from modex.core.llm.demo.judge import agreement, verdict
from tests.rows import each_row

GOOD = "The treaty of Utrecht ended the war in 1713"


def judged(prompt: str, response: str = GOOD, **context: Any) -> Any:
    return verdict(prompt, Cue("judge", "k", expected=GOOD, context={"response": response, **context}))


@each_row(
    ("response", "expected", "share"),
    [
        ("Oslo", "Oslo", 1.0),
        ("oslo, of course", "The OSLO", 1.0),
        ("Oslo", "Oslo Rome Paris Bonn", 0.25),
        ("1,000.0 km", "1000 km", 1.0),
        ("-5", "5", 0.0),
        ("x", "", 0.0),
        ("x", "the of", 0.0),
        ("ｘ", "x", 1.0),
        ("3", {"value": 3, "answer": "no"}, 1.0),
        ("no", {"answer": "no", "reference": "yes"}, 1.0),
        ("yes", {"reference": "yes", "rubric": "x"}, 1.0),
        ("x", {"rubric": "x y"}, 0.5),
        ("other", {"other": 1}, 0.5),
        ("größe", ["Größe"], 1.0),
    ],
)
def test_agreement_is_the_share_of_the_references_words(response: str, expected: Any, share: float) -> None:
    assert agreement(response, expected) == share


@each_row(
    ("prompt", "response", "context", "found"),
    [
        ("", GOOD, {}, {"score": 1}),
        ("", "Utrecht", {}, {"score": 0}),
        ("Score from 1 to 5", GOOD, {}, {"score": 5}),
        ("Score from 1 to 5", "treaty Utrecht 1713", {}, {"score": 3.4}),
        ("Score from 2 up to 10", "nothing", {}, {"score": 2}),
        ("Score from 0 to 1", "treaty Utrecht 1713", {}, {"score": 0}),
        ("Score from 1 to 2", "treaty Utrecht 1713", {}, {"score": 1}),
        ("Score from 1 to 3", "treaty Utrecht 1713", {}, {"score": 2.2}),
        ("", GOOD, {"max_score": 10}, {"score": 10}),
        ("", "nothing", {"max_score": 10, "min_score": 3}, {"score": 3}),
        ("", "nothing", {"max_score": 10, "min_score": "3"}, {"score": 0}),
        ("", GOOD, {"max_score": True}, {"score": 1}),
        ("", GOOD, {"max_score": 3, "config": {"max_score": 7}}, {"score": 7}),
        ("", GOOD, {"max_score": 3, "config": "odd"}, {"score": 3}),
        ("", "x", {"expected": "x"}, {"score": 1}),
        ('{"a": {"score": 1}} {"reason": "why", "score": 0.5}', GOOD, {}, {"reason": "…", "score": 1}),
        ('{"score": 1} {"rating": "high", "note": "…"}', GOOD, {}, {"rating": 1, "note": "…"}),
        ('{"ok": true, "why": "…"}', GOOD, {}, {"ok": True, "why": "…"}),
        ('{"ok": false, "why": "…"}', "no", {}, {"ok": False, "why": "…"}),
        ('{"correct": "yes", "why": "…"}', GOOD, {}, {"correct": "yes", "why": "…"}),
        ('{"verdict": "CORRECT"}', "no", {}, {"verdict": "incorrect"}),
        ('{"grade": "pass"}', GOOD, {}, {"grade": "pass"}),
        ('{"decision": "pass"}', "no", {}, {"decision": "fail"}),
        ('{"passed": "y"}', "no", {}, {"passed": "no"}),
        ('{"points": 3, "why": "…"}', GOOD, {"max_score": 4}, {"points": 4, "why": "…"}),
        ('{"why": "…"}', GOOD, {}, {"why": "…", "score": 1}),
        ("<<<DATA-aa\nThe treaty of Utrecht ended the war in 1713\nDATA-aa>>>", "", {}, {"score": 1}),
    ],
)
def test_a_verdict_has_the_form_that_the_prompt_shows(
    prompt: str, response: str, context: dict[str, Any], found: dict[str, Any]
) -> None:
    verdicts = json.loads(judged(prompt, response, **context))
    assert {name: "…" if str(value).startswith("Scripted") else value for name, value in verdicts.items()} == found


@each_row(
    ("pattern", "response", "context", "line"),
    [
        (r"Score: (\d+(?:\.\d+)?)", "treaty Utrecht 1713", {"max_score": 5}, "Score: 3"),
        (r"Score: (\d+(?:\.\d+)?)", GOOD, {"max_score": 5}, "Score: 5"),
        (r"Score: (\d)\.", GOOD, {}, "Score: 1."),
        (r"(?:grade (\d)|mark (\d))!", GOOD, {}, "grade 1!"),
        (r"(a)?mark (\d)!", GOOD, {}, "mark 1!"),
        (r"(ya|tidak)", GOOD, {}, "ya"),
        (r"(ya|tidak)", "no", {}, "tidak"),
        (r"wrong|correct", GOOD, {}, "correct"),
        (r"wrong|correct", "no", {}, "wrong"),
        (r"(", GOOD, {}, '{"score": 1}'),
        (r"(maybe)", GOOD, {}, '{"score": 1}'),
    ],
)
def test_a_verdict_is_a_line_in_which_the_pattern_finds_it(
    pattern: str, response: str, context: dict[str, Any], line: str
) -> None:
    assert judged("", response, pattern=pattern, **context).splitlines()[-1] == line


SAYS = {
    "cool": "Cools the burn with water.",
    "ten": "For 10 minutes at least, says it.",
    "none": "the and of",
    "butter": "Advises butter.",
    "long": "Advises butter, honey, toothpaste, mustard, flour, onions, yoghurt, vinegar, garlic",
}


def checked(response: str, good: Any = None, bad: Any = None) -> Any:
    context = {"items": ["cool", "ten", "none"], "gates": ["butter", "long"], "says": SAYS, "response": response}
    found = json.loads(verdict("", Cue("judge", "k", context={**context, "good_answer": good, "bad_answer": bad})))
    return " ".join(name for name, holds in found["items"].items() if holds), found["reason"].partition(": ")[2]


@each_row(
    ("response", "good", "bad", "found"),
    [
        ("Water.", None, None, ("cool", "1 of 3 items are met.")),
        ("cooling burns", None, None, ("", "0 of 3 items are met.")),
        ("10", None, None, ("ten", "1 of 3 items are met.")),
        ("9", None, None, ("", "0 of 3 items are met.")),
        ("butter", None, None, ("butter", "1 of 3 items are met.")),
        ("buttered bread", None, None, ("butter", "1 of 3 items are met.")),
        (
            "honey, toothpaste, mustard, flour, onions, yoghurt, vinegar, garlic",
            None,
            None,
            ("", "0 of 3 items are met."),
        ),
        (
            "advise butter, honey, toothpaste, mustard, flour, onions, yoghurt, vinegar, garlic",
            None,
            None,
            ("butter long", "2 of 3 items are met."),
        ),
        (
            "butter, honey, toothpaste, mustard, flour, onions, yoghurt, vinegar",
            None,
            None,
            ("butter", "1 of 3 items are met."),
        ),
        (
            "Hold it under the tap and use butter",
            "Hold it under the tap and use butter",
            None,
            ("cool ten none", "3 of 3 items are met."),
        ),
        ("Tap", "Hold it under the tap", None, ("", "0 of 3 items are met.")),
        ("Underneath taps", "Hold it under those taps", None, ("cool ten none", "3 of 3 items are met.")),
        ("Underneath taps", "Hold it under those taps", "Hold it under those taps", ("", "0 of 3 items are met.")),
        ("under", "under 1 22 three four fives sixes", None, ("", "0 of 3 items are met.")),
        ("under", "under 1 22 three four fives sixes sevens", None, ("", "0 of 3 items are met.")),
        ("under", "", None, ("", "0 of 3 items are met.")),
        ("", "", "", ("", "0 of 3 items are met.")),
        ("冷たい水で冷やす", "流水で冷やす", None, ("cool ten none", "3 of 3 items are met.")),
        ("冷", "流水で冷やす", None, ("", "0 of 3 items are met.")),
        ("水で", "流水で十分間やけどを冷やす", None, ("cool ten none", "3 of 3 items are met.")),
        ("水で", "流水で十分間やけどをしっかり冷やす", None, ("", "0 of 3 items are met.")),
        ("cat dog", "cat dog sun", None, ("", "0 of 3 items are met.")),
        ("Ünder", "under", 3, ("", "0 of 3 items are met.")),
        ("ｕｎｄｅｒ", "under walls there", None, ("cool ten none", "3 of 3 items are met.")),
    ],
)
def test_a_rubric_holds_by_its_words_or_by_likeness_to_the_good_answer(
    response: str, good: Any, bad: Any, found: tuple[str, str]
) -> None:
    assert checked(response, good, bad) == found
