"""What is other in how two runs were set, and in their tests one by one."""

from __future__ import annotations

import json
from typing import Any

from modex.core.features.changes.changes import _settings, _Tests
from modex.core.features.changes.query import Form
from modex.core.features.changes.wording import differing_lines
from modex.core.store.rows import RunRow
from tests.rows import each_row


def _run(**fields: Any) -> RunRow:
    return RunRow(1, **{"model": "m", "config": {"model": {"model": "m"}}, **fields})


def _judge(models: list[str], model: str = "M", prompt: str = "0123456789ab") -> dict[str, Any]:
    return {"j": {"models": models, "model": model, "prompt": prompt}}


@each_row(
    ("first", "second", "told"),
    [
        ({}, {}, []),
        ({}, {"model": "n", "config": {"model": {"model": "n"}}}, [("model", "model", "m", "n")]),
        ({}, {"config": {"model": {"model": "m", "temperature": 0.5}, "epochs": 2}},
         [("setting", "epochs", "not given", "2"), ("setting", "temperature", "not given", "0.5")]),
        ({}, {"config": {"model": {"model": "m"}, "concurrency": 3}}, []),
        ({"config": {"old": "a", "gone": None}}, {"config": {"old": "b"}}, [("setting", "old", "a", "b")]),
        ({"hosts": [{"limits": "1 core"}]}, {"hosts": [{"limits": "2 cores"}]},
         [("setting", "limits of the machine", "1 core", "2 cores")]),
        ({"hosts": [{"limits": "1 core"}]}, {}, []),
        ({"judged_by": _judge(["a"])}, {"judged_by": {}}, [("judge", "j", "a", "no judge")]),
        ({"judged_by": {}}, {"judged_by": _judge([])}, [("judge", "j", "no judge", "unnamed")]),
        ({"judged_by": _judge(["a"])}, {"judged_by": _judge(["a", "b"], "N")},
         [("judge", "j: models or their settings", "a", "a, b")]),
        ({"judged_by": _judge(["a"])}, {"judged_by": _judge(["a"], prompt="x")},
         [("judge", "j: what it is told", "0123456789", "x")]),
        ({"judged_by": _judge(["a"])}, {"judged_by": _judge(["b"])}, []),
    ],
)  # fmt: skip
def test_settings_and_judges_are_told_where_they_differ(
    first: dict[str, Any], second: dict[str, Any], told: list[tuple[str, str, str, str]]
) -> None:
    assert [(one.kind, one.name, one.before, one.after) for one in _settings(_run(**first), _run(**second))] == told


_LAYER = {"scope": "domain", "mode": "overwrite", "text": "a", "file": "f"}


def _form(name: str = "t", layers: Any = (_LAYER,), **fields: Any) -> Form:
    given = {"system_prompt": "s", "prompt": "q", "expected": "1", "evaluator_id": "e", "rollout_fingerprint": "r",
             "judge_fingerprint": "j", **fields}  # fmt: skip
    return Form("s", "d", 1, name, 1, prompt_layers=json.dumps(list(layers)), **given)


def _took(first: Form | None, second: Form | None, *, same_model: bool = True) -> tuple[list[Any], str, int]:
    tests = _Tests(same_model=same_model)
    tests.take(first, second)
    changes: list[Any] = [(one.kind, one.name, one.before, one.after) for one in tests.changes()]
    return changes, tests.why(("s", "d", 1, "t")), tests.same


_SAME, _ASKED, _JUDGED, _BOTH = (
    "the same question and rules", "the question changed", "the rules changed", "question and rules changed",
)  # fmt: skip
_OTHERWISE = ("asked", "d/1/t", "", "tools, templates, attachments or mode")
_RULES = ("rule", "d/1/t", "", "e: its file, code, templates, extractor or judge")


@each_row(
    ("second", "changes", "why"),
    [
        ({}, [], _SAME),
        ({"layers": ({**_LAYER, "text": "b"},)}, [("layer", "domain layer, f", "a", "b")], _ASKED),
        ({"layers": ({**_LAYER, "mode": "append", "file": None},)},
         [("layer", "domain layer, f (overwrite is now append)", "a", "a")], _ASKED),
        ({"layers": ()}, [("layer", "domain layer, f", "a", "")], _ASKED),
        ({"layers": ({**_LAYER, "line": 4},)}, [], _SAME),
        ({"layers": ({**_LAYER, "text": "b"},), "system_prompt": "x"}, [("layer", "domain layer, f", "a", "b")], _ASKED),
        ({"system_prompt": None}, [("layer", "system prompt", "s", "")], _ASKED),
        ({"prompt": "p"}, [("question", "d/1/t", "q", "p")], _ASKED),
        ({"prompt": "p", "rollout_fingerprint": "x"}, [("question", "d/1/t", "q", "p")], _ASKED),
        ({"rollout_fingerprint": "x"}, [_OTHERWISE], _ASKED),
        ({"rollout_fingerprint": None}, [], _SAME),
        ({"expected": "2", "evaluator_id": "x"}, [("gold", "d/1/t", "1", "2")], _JUDGED),
        ({"evaluator_id": "x", "judge_fingerprint": "x"}, [("rule", "d/1/t", "e", "x")], _JUDGED),
        ({"judge_fingerprint": "x"}, [_RULES], _JUDGED),
        ({"judge_fingerprint": None}, [], _SAME),
        ({"prompt": "p", "expected": None}, [("question", "d/1/t", "q", "p"), ("gold", "d/1/t", "1", "")], _BOTH),
    ],
)  # fmt: skip
def test_what_differs_of_a_test_is_told_once(second: dict[str, Any], changes: list[Any], why: str) -> None:
    assert _took(_form(), _form(**second)) == (changes, why, int(why == _SAME))


def test_of_another_model_what_only_fingerprints_say_is_no_change() -> None:
    for fields in ({"rollout_fingerprint": "x"}, {"judge_fingerprint": "x"}):
        assert _took(_form(), _form(**fields), same_model=False) == ([], _SAME, 1)


def test_tests_of_one_run_alone_are_new_or_left_out() -> None:
    assert _took(_form(), None)[0] == [("removed", "d/1/t", "", "")]
    assert _took(None, _form()) == ([("added", "d/1/t", "", "")], _SAME, 0)


def test_tests_with_one_change_stand_together() -> None:
    tests = _Tests(same_model=True)
    for name in ("a", "b", "c"):
        tests.take(
            _form(name), _form(name, judge_fingerprint="x" if name != "c" else "j", layers=({**_LAYER, "text": "b"},))
        )
    layer, rule = tests.changes()
    assert (layer.kind, [key[3] for key in layer.tests], layer.written) == ("layer", ["a", "b", "c"], True)
    assert (rule.kind, rule.name, [key[3] for key in rule.tests]) == ("rule", "2 tests", ["a", "b"])
    assert (tests.both, tests.same) == (3, 0)


@each_row(
    ("before", "after", "lines"),
    [
        ("", "a\n\nb", ["+ a", "+ b"]), ("a", "", ["- a"]), ("", "", []), ("a\nb\nc", "a\nx\nc", ["- b", "+ x"]),
        ("", "1\n2\n3", ["+ 1", "+ 2", "+ 3"]), ("", "1\n2\n3\n4", ["+ 1", "+ 2", "… 2 more lines"]), ("a", "a", []),
    ],
)  # fmt: skip
def test_two_texts_as_the_lines_in_which_they_differ(before: str, after: str, lines: list[str]) -> None:
    assert differing_lines(before, after, 3) == lines
