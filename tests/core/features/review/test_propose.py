"""Kinds of failure that a model proposes: what it is asked, and what of its reply is taken."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import pytest

from modex.core.features.review.propose import Kind, kinds_in, proposals_in, question
from modex.core.foundation.errors import ConfigurationError
from modex.core.store.sample import EvaluationSample
from tests.rows import each_row

_SAMPLES = [
    EvaluationSample(id=10 + number, prompt=f"q{number}", expected=number, response=f"r{number}") for number in range(3)
]


def _reply(*kinds: Any) -> str:
    return json.dumps({"kinds": list(kinds)})


@each_row(
    ("reply", "found"),
    [
        ("no JSON", []),
        ('{"kinds": {}}', []),
        (_reply("odd", {"name": 3, "answers": [1]}), []),
        (_reply({"name": "a", "answers": [1, 3, 1]}), [Kind("a", "", (10, 12))]),
        (_reply({"name": "a", "answers": [0, 4, "1", None]}), []),
        (_reply({"name": "a", "answers": "1"}, {"name": " ", "answers": [1]}), []),
        (_reply({"name": "a", "answers": [1]}, {"name": "b", "answers": [1, 2]}), [Kind("a", "", (10,)), Kind("b", "", (11,))]),
        (_reply({"name": "a", "answers": [1]}, {"name": "A", "answers": [2]}, {"name": "c", "answers": [2]}),
         [Kind("a", "", (10,)), Kind("c", "", (11,))]),
        (_reply({"name": "a", "answers": [1], "description": " x\n y "}), [Kind("a", "x y", (10,))]),
        (_reply({"name": "a", "answers": [1], "description": "x" * 201}), [Kind("a", "x" * 200, (10,))]),
    ],
)  # fmt: skip
def test_each_answer_is_of_the_first_kind_that_names_it(reply: str, found: list[Kind]) -> None:
    assert kinds_in(reply, _SAMPLES) == found


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ('{"kinds": [{"name": "a", "samples": [1, "2"], "description": "d"}]}', [Kind("a", "d", (1, 2))]),
        ('[{"name": " a ", "samples": []}, {"name": "", "samples": [1]}]', [Kind("a", "", ())]),
    ],
)
def test_a_file_of_proposals_is_read_as_a_person_left_it(text: str, kinds: list[Kind]) -> None:
    assert proposals_in(text, "f") == kinds
    assert [Kind(**{"ids": tuple(one["samples"]), **{name: one[name] for name in ("name", "description")}}) for one in
            (kind.as_json() for kind in kinds)] == kinds  # fmt: skip


@each_row(
    "text", ["{", "{}", '{"kinds": 3}', '[{"name": "a"}]', '[{"samples": [1]}]', '[{"name": "a", "samples": ["x"]}]']
)
def test_what_is_no_file_of_proposals_is_refused(text: str) -> None:
    with pytest.raises(ConfigurationError, match="f: must be"):
        proposals_in(text, "f")


def test_a_model_is_shown_each_answer_by_its_place_with_what_people_noted() -> None:
    long = EvaluationSample(id=20, prompt="p" * 501, expected="e" * 600, response="r" * 901)
    silent = EvaluationSample(id=21, prompt="p", expected=None, response=None)
    notes: list[Any] = [
        SimpleNamespace(result_id=20, note="n1", stale=False), SimpleNamespace(result_id=20, note="old", stale=True),
        SimpleNamespace(result_id=20, note=None, stale=False), SimpleNamespace(result_id=20, note="n2", stale=False),
        SimpleNamespace(result_id=99, note="other", stale=False),
    ]  # fmt: skip
    (message,) = question([long, silent], notes, [f"label{number}" for number in range(41)])
    text = str(message["content"])
    shown = [json.loads(line) for line in text.splitlines() if line.startswith('{"answer"')]
    assert [(one["answer"], one["notes"], len(one["asked"]), len(one["said"]), len(one["expected"])) for one in shown] == [
        (1, ["n1", "n2"], 500, 900, 500), (2, [], 1, 0, 4),
    ]  # fmt: skip
    assert "label39" in text
    assert "label40" not in text
    assert "there are none yet" not in text
    assert "there are none yet" in str(question([], [], [])[0]["content"])
