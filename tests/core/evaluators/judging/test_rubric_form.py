"""What a rubric may be."""

from __future__ import annotations

import json

from modex.core.evaluators.judging.rubric_form import read_rubric, rubric_problems
from tests.core.answers.tables import differing

_RUBRICS = r"""
5 => expected is an object with `items`, a list of what the reply should say or be
{} => expected has no `items`; `items` is a list with at least one item
{"items": []} => `items` is a list with at least one item
{"items": [{"id": "a", "says": "x"}]} => fine
{"items": [{"says": "x"}]} => item 1 has no `id`
{"items": [{"id": "a"}]} => item 1 has no `says`
{"items": [{"id": "a", "says": "x"}, {"id": "a", "says": "y"}]} => two entries are called 'a'; rename one
{"items": [{"id": "a", "says": "x", "points": 0}]} => item 1: `points` must be a number above 0, not the number 0
{"items": [{"id": "a", "says": "x", "points": -1}]} => item 1: `points` must be a number above 0, not the number -1
{"items": [{"id": "a", "says": "x", "regex": "("}]} => item 1: the pattern '(' does not compile: missing ) at position 1
{"items": [{"id": "a", "says": "x"}], "form": "("} => `form`: the pattern '(' does not compile: missing ) at position 1
{"items": [{"id": "a", "says": "x"}], "gates": [{"id": "g", "says": "y"}]} => fine
{"items": [{"id": "a", "says": "x"}], "gates": 5} => expected: `gates` must be a list, not the number 5
{"items": 5} => expected: `items` must be a list, not the number 5; `items` is a list with at least one item
{"items": [5]} => item 1 must be an object such as {"id": "doctor", "says": "Sends them to a doctor today."}
{"items": [{"id": "a", "says": "x", "group": "g"}], "groups": {"g": 1}} => fine
{"items": [{"id": "a", "says": "x", "group": "g"}], "groups": {"h": 1}} => `groups`: no item belongs to the group 'h'
{"items": [{"id": "a", "says": "x"}], "foo": 1} => expected has no key `foo` here
{"items": [{"id": "a", "says": "x"}], "gates": [{"id": "a", "says": "y"}]} => two entries are called 'a'; rename one
{"items": [{"id": "a", "says": "x", "any": "y"}]} => item 1: `any` must be a list of texts, not the text 'y'
{"items": [{"id": "a", "says": "x", "group": "g"}, {"id": "b", "says": "y"}], "groups": {"g": 1}} => fine
{"items": [{"id": "a", "says": "x", "group": "g"}], "groups": {"g": 0}} => fine
"""


def test_what_is_wrong_with_a_rubric_is_said() -> None:
    assert differing(_RUBRICS, lambda text: "; ".join(rubric_problems(json.loads(text))) or "fine") == []


def test_a_judge_is_asked_about_items_without_a_rule_and_judged_gates() -> None:
    items = [{"id": "a", "says": "x"}, {"id": "b", "says": "y", "any": ["z"]}]
    gates = [{"id": "g", "says": "v"}, {"id": "h", "says": "w", "any": ["z"], "judged": False}]
    form = read_rubric({"items": items, "gates": gates})
    assert [one.id for one in form.asked] == ["a", "g"]
