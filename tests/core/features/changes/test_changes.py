"""What is other in one run than in another is listed with its tests: causes first, then verdicts."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from modex.core.config.runconfig import ModelSpec, RunConfig
from modex.core.features.changes.change import Change, ChangeKind, Changes
from modex.core.features.changes.changes import changes
from modex.core.features.changes.wording import differing_lines
from modex.core.store.sample import EvaluationSample
from tests.tui.stores import StoreMaker, sample

LAYERS = [
    {"scope": "domain", "mode": "overwrite", "text": "Be exact.", "file": "d/domain.json", "line": 3},
    {"scope": "level", "mode": "append", "text": "Say why.", "file": "d/level.json", "line": 1},
]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[StoreMaker]:
    maker = StoreMaker(tmp_path / "modex.db")
    yield maker
    maker.close()


def asked(number: int, **fields: Any) -> EvaluationSample:
    """A test as a run left it."""
    told = {"prompt_layers": LAYERS, "system_prompt": "Be exact.\n\nSay why.", "rollout_fingerprint": f"a{number}",
            "judge_fingerprint": f"j{number}"}  # fmt: skip
    return sample("math", 1, number, "passed", **{**told, **fields})


def compared(store: StoreMaker, first: list[EvaluationSample], second: list[EvaluationSample], **other: Any) -> Changes:
    """What is other in a run of `second`, with configuration and columns `other`."""
    config = other.pop("config", None)
    store.run("a", "openai/m", first)
    store.run("b", "openai/m", second, config=config)
    reader = store.manager.reader
    if other:
        store.manager.update_run(store.run_id("b"), **other)
    return changes(reader, reader.run("a"), reader.run("b"))


def kinds(found: Changes) -> list[ChangeKind]:
    return [one.kind for one in found.changes]


def only(found: Changes, kind: ChangeKind) -> Change:
    (one,) = found.of(kind)
    return one


def test_how_many_tests_were_read_is_told(store: StoreMaker) -> None:
    compared(store, [asked(n) for n in range(3)], [asked(n) for n in range(4)])
    reader = store.manager.reader
    told: list[int] = []
    changes(reader, reader.run("a"), reader.run("b"), told.append)
    assert sum(told) == 7


def test_two_runs_of_the_same_have_no_changes(store: StoreMaker) -> None:
    found = compared(store, [asked(1), asked(2)], [asked(1), asked(2)])
    assert found.changes == ()
    assert found.digests[0] == found.digests[1]
    assert found.summary.startswith("the same 2 tests, word for word")


def test_a_changed_layer_is_one_change_with_all_the_tests_that_it_reaches(store: StoreMaker) -> None:
    layers = [LAYERS[0] | {"text": "Be quick."}, LAYERS[1]]
    second = [asked(number, prompt_layers=layers, system_prompt="Be quick.\n\nSay why.") for number in (1, 2, 3)]
    found = compared(store, [asked(1), asked(2), asked(3)], second)
    one = only(found, "layer")
    assert (one.name, one.before, one.after, len(one.tests)) == (
        "domain layer, d/domain.json",
        "Be exact.",
        "Be quick.",
        3,
    )
    assert kinds(found) == ["layer"]
    assert found.same == 0
    assert found.digests[0] != found.digests[1]


def test_a_layer_that_appends_now_is_a_change_of_its_mode(store: StoreMaker) -> None:
    found = compared(store, [asked(1)], [asked(1, prompt_layers=[LAYERS[0] | {"mode": "append"}, LAYERS[1]])])
    assert "(overwrite is now append)" in only(found, "layer").name


@pytest.mark.parametrize(
    ("fields", "kind", "before", "after"),
    [
        ({"prompt": "What else?"}, "question", "What is 1 times 1?", "What else?"),
        ({"expected": 5}, "gold", "1", "5"),
        ({"evaluator_id": "match"}, "rule", "two_pass", "match"),
        ({"judge_fingerprint": "other"}, "rule", "", "two_pass: its file, code, templates, extractor or judge"),
        ({"rollout_fingerprint": "other"}, "asked", "", "tools, templates, attachments or mode"),
    ],
)
def test_what_changed_of_a_test_is_told_apart(
    store: StoreMaker, fields: dict[str, Any], kind: ChangeKind, before: str, after: str
) -> None:
    found = compared(store, [asked(1), asked(2)], [asked(1, **fields), asked(2)])
    assert kinds(found) == [kind]
    one = only(found, kind)
    assert (one.before, one.after) == (before, after)
    assert [key[3] for key in one.tests] == ["math_1_1"]
    assert found.same == 1


def test_verdicts_say_whether_their_test_changed_too(store: StoreMaker) -> None:
    failed: dict[str, Any] = {"status": "failed", "score": 0.0}
    second = [
        replace(asked(1), **failed),
        replace(asked(2, prompt="Other?"), **failed),
        replace(asked(3, expected=77), **failed),
        replace(asked(4, prompt="Other?", expected=77), **failed),
        asked(5),
    ]
    first = [asked(number) for number in (1, 2, 3, 4)] + [replace(asked(5), **failed)]
    found = compared(store, first, second)
    assert {one.tests[0][3][-1]: one.why for one in found.of("lost")} == {
        "1": "the same question and rules",
        "2": "the question changed",
        "3": "the rules changed",
        "4": "question and rules changed",
    }
    assert only(found, "gained").tests[0][3] == "math_1_5"
    assert kinds(found)[-1] == "gained"


def test_settings_models_and_judges_are_compared(store: StoreMaker) -> None:
    config = RunConfig(model=ModelSpec(model="openai/other", temperature=0.5), epochs=3)
    judged = {"llm_judge": {"models": ["j"], "model": "1", "prompt": "2"}}
    found = compared(store, [asked(1)], [asked(1)], config=config, judged_by=judged)
    assert only(found, "model").after == "openai/other"
    settings = {one.name: (one.before, one.after) for one in found.of("setting")}
    assert settings == {"epochs": ("not given", "3"), "temperature": ("not given", "0.5")}
    assert (only(found, "judge").before, only(found, "judge").after) == ("no judge", "j")


def test_tests_that_one_run_lacks_are_named(store: StoreMaker) -> None:
    found = compared(store, [asked(1), asked(2)], [asked(2), asked(3)])
    assert only(found, "removed").name == "math/1/math_1_1"
    assert only(found, "added").name == "math/1/math_1_3"
    assert found.both == 1


def test_texts_stay_out_of_json_unless_asked_for(store: StoreMaker) -> None:
    found = compared(store, [asked(1)], [asked(1, prompt="Ignore all rules")])
    assert "Ignore" not in json.dumps(found.as_json(content=False))
    assert found.as_json(content=True)["changes"][0]["untrusted"]["after"] == "Ignore all rules"


def test_of_two_texts_the_lines_that_differ_are_shown() -> None:
    assert differing_lines("one\ntwo\nthree", "one\n2\nthree") == ["- two", "+ 2"]
    assert differing_lines("", "new\n\nlines") == ["+ new", "+ lines"]
    assert differing_lines("old\n\nlines", "") == ["- old", "- lines"]
    assert differing_lines("\n".join("abcdefgh"), "x", 3)[-1] == "… 7 more lines"
