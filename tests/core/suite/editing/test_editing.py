"""Changes of a suite: what is loaded afterwards is what was asked for, nothing else in the files differs, and undo undoes."""

from __future__ import annotations

import json
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from modex.core.foundation.errors import ConfigurationError
from modex.core.pipeline.assembly import problems_of
from modex.core.suite.bundled import bundled_root
from modex.core.suite.definitions import Suite, TestCase
from modex.core.suite.editing.changes import FileChange, SuiteEdit, apply
from modex.core.suite.editing.new import copy_suite, new_domain, new_evaluator, new_test
from modex.core.suite.editing.patterns import EVALUATORS, TESTS, Pattern
from modex.core.suite.editing.places import why_read_only
from modex.core.suite.editing.tests import _appended, delete, duplicate, move, switch
from modex.core.suite.loading import load_suite
from tests.core.suite.conftest import write_files

ODD = '{ "id":"odd",   "prompt": "2 + 2?",\r\n\t"expected":4 , "author": "ana" }'
LINES = (
    '{"id": "one", "prompt": "1?", "expected": 1}\n\n'
    '{"id":"two","prompt":"2?","expected":2}\n'
    '{"id": "three", "prompt": "3?", "expected": 3}'
)
FILES: dict[str, Any] = {
    "test_definitions/math/domain.json": {"id": "math", "evaluator_id": "two_pass", "system_prompt": "Be exact."},
    "test_definitions/math/level_1/odd.json": ODD,
    "test_definitions/math/level_1/lines.jsonl": LINES,
    "test_definitions/math/level_2/level.json": {"evaluator_id": "match"},
    "test_definitions/words/domain.json": {"id": "words", "evaluator_id": "keyword", "tool_ids": ["clock"]},
    "test_definitions/words/level_1/w.json": {"id": "w", "prompt": "?", "expected": {"keywords": ["a"]}},
    "test_definitions/tools/clock.json": {
        "id": "clock",
        "function": {"name": "clock", "parameters": {"type": "object", "properties": {}}},
        "response": {"time": "12:00"},
    },
    "prompts/math/odd.md": "---\nmode: append\n---\nShow your work.\n",
}
Change = Callable[[Suite, TestCase], SuiteEdit]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write_files(tmp_path / "s", FILES)


def contents(root: Path) -> dict[str, bytes]:
    """Every file by its path."""
    return {str(path.relative_to(root)): path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()}


def test_of(suite: Suite, identity: str) -> TestCase:
    return next(test for test in suite.tests if test.test_id == identity)


test_of.__test__ = False  # type: ignore[attr-defined]


def done(root: Path, make: Callable[[Suite], SuiteEdit]) -> Suite:
    """Apply the edit and load the suite, which must be as right as before."""
    apply(root, make(load_suite(root)))
    suite, problems = problems_of(str(root))
    assert problems == []
    return suite


def same(test: TestCase, other: TestCase) -> bool:
    """Whether two tests ask and score the same."""
    names = ("prompt", "expected", "evaluator_id", "tool_ids", "weight", "rollout", "metadata")
    return all(getattr(test, name) == getattr(other, name) for name in names)


def test_off_and_on_again_leaves_every_byte(root: Path) -> None:
    for identity, path in (("odd", "odd.json"), ("two", "lines.jsonl"), ("three", "lines.jsonl")):
        before = contents(root)
        suite = done(root, lambda suite, name=identity: switch(suite, test_of(suite, name), on=False))  # type: ignore[misc]
        assert test_of(suite, identity).disabled_by == "test"
        changed = {name for name, held in contents(root).items() if held != before[name]}
        assert changed == {f"test_definitions/math/level_1/{path}"}
        suite = done(root, lambda suite, name=identity: switch(suite, test_of(suite, name), on=True))  # type: ignore[misc]
        assert test_of(suite, identity).disabled_by is None
        assert contents(root) == before


def test_what_its_level_switches_off_is_said(root: Path) -> None:
    write_files(root, {"test_definitions/math/level_1/level.json": {"enabled": False}})
    suite = load_suite(root)
    with pytest.raises(ConfigurationError, match=r"switched off by its level\.json"):
        switch(suite, test_of(suite, "odd"), on=True)


def test_a_copy_stands_beside_its_test_with_its_layer(root: Path) -> None:
    before = contents(root)
    suite = done(root, lambda suite: duplicate(suite, test_of(suite, "odd")))
    copy, test = test_of(suite, "odd_copy"), test_of(suite, "odd")
    assert same(copy, test)
    assert [layer.text for layer in copy.layers] == [layer.text for layer in test.layers]
    after = contents(root)
    assert {name: held for name, held in after.items() if name in before} == before
    assert set(after) - set(before) == {"test_definitions/math/level_1/test_odd_copy.json", "prompts/math/odd_copy.md"}
    assert after["test_definitions/math/level_1/test_odd_copy.json"] == ODD.replace('"odd"', '"odd_copy"').encode()


def test_a_copy_of_a_line_stands_below_it(root: Path) -> None:
    suite = done(root, lambda suite: duplicate(suite, test_of(suite, "three"), "drei"))
    assert same(test_of(suite, "drei"), test_of(suite, "three"))
    path = root / "test_definitions/math/level_1/lines.jsonl"
    assert path.read_text() == LINES + "\n" + LINES.split("\n")[3].replace('"three"', '"drei"')
    with pytest.raises(ConfigurationError, match="has a test 'one' already"):
        duplicate(suite, test_of(suite, "drei"), "one")
    with pytest.raises(ConfigurationError, match="the id must not hold a path"):
        duplicate(suite, test_of(suite, "drei"), "../x")


@pytest.mark.parametrize(
    ("there", "then"),
    [
        (b"", b"new\n"),
        (b"old\n", b"old\nnew\n"),
        (b"old", b"old\nnew\n"),
        (b"old\r\n", b"old\r\nnew\r\n"),
        (b"a\r\nb", b"a\r\nb\r\nnew\r\n"),
    ],
)
def test_a_test_is_a_line_of_its_own_behind_what_a_file_holds(there: bytes, then: bytes) -> None:
    assert _appended(there, "new") == then


@pytest.mark.parametrize(
    ("identity", "domain", "level"),
    [
        ("odd", "math", 3),
        ("odd", "math", 2),
        ("odd", "words", 1),
        ("two", "math", 2),
        ("three", "words", 5),
        ("w", "math", 1),
    ],
)
def test_a_moved_test_stays_the_same_test(root: Path, identity: str, domain: str, level: int) -> None:
    before = test_of(load_suite(root), identity)
    held = contents(root)
    suite = done(root, lambda suite: move(suite, test_of(suite, identity), domain, level))
    after = test_of(suite, identity)
    assert (after.domain, after.level) == (domain, level)
    assert same(before, after)
    assert [layer.text for layer in after.layers if layer.scope == "test"] == [
        layer.text for layer in before.layers if layer.scope == "test"
    ]
    untouched = {
        name
        for name in held
        if name.rpartition("/")[2] not in (before.location.path.rpartition("/")[2], f"{identity}.md")
    }
    assert {name: contents(root)[name] for name in untouched} == {name: held[name] for name in untouched}
    others = {test.test_id: (test.domain, test.level) for test in suite.tests if test.test_id != identity}
    assert others == {
        test.test_id: (test.domain, test.level) for test in load_suite(write_files(root.parent / "o", FILES)).tests
        if test.test_id != identity
    }  # fmt: skip


def test_a_moved_test_says_its_new_place_where_it_says_one(root: Path) -> None:
    write_files(root, {"test_definitions/math/level_1/odd.json": {**json.loads(ODD), "domain": "math", "level": 1}})
    suite = done(root, lambda suite: move(suite, test_of(suite, "odd"), "words", 3))
    assert (test_of(suite, "odd").domain, test_of(suite, "odd").level) == ("words", 3)


@pytest.mark.parametrize(
    ("domain", "level", "said"),
    [
        ("math", 1, "stands there already"),
        ("math", 6, "from 1 to 5"),
        ("nope", 1, "no domain 'nope'"),
        ("words", 2, "'odd' already"),
    ],
)
def test_where_a_test_cannot_go_is_said(root: Path, domain: str, level: int, said: str) -> None:
    write_files(
        root, {"test_definitions/words/level_2/odd.json": {"id": "odd", "prompt": "?", "expected": {"keywords": ["a"]}}}
    )
    suite = load_suite(root)
    held = contents(root)
    test = next(test for test in suite.tests if (test.test_id, test.domain) == ("odd", "math"))
    with pytest.raises(ConfigurationError, match=said):
        move(suite, test, domain, level)
    assert contents(root) == held


def test_a_deleted_test_takes_its_layer_with_it_and_leaves_no_empty_folder(root: Path) -> None:
    suite = done(root, lambda suite: delete(suite, test_of(suite, "odd")))
    assert "odd" not in {test.test_id for test in suite.tests}
    assert not (root / "prompts").exists()
    for identity in ("one", "two", "three"):
        done(root, lambda suite, name=identity: delete(suite, test_of(suite, name)))  # type: ignore[misc]
    assert not (root / "test_definitions/math/level_1").exists()


_ACTIONS: dict[str, Change] = {
    "off": lambda suite, test: switch(suite, test, on=False),
    "copy": duplicate,
    "move": lambda suite, test: move(suite, test, "words", 4),
    "delete": delete,
}


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=st.lists(st.tuples(st.sampled_from(sorted(_ACTIONS)), st.integers(0, 9)), min_size=1, max_size=5))
def test_any_row_of_changes_leaves_a_right_suite_and_can_be_taken_back(
    steps: list[tuple[str, int]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    root = write_files(tmp_path_factory.mktemp("s"), FILES)
    held, edits = contents(root), []
    for name, number in steps:
        suite = load_suite(root)
        if not suite.tests:
            break
        test = suite.tests[number % len(suite.tests)]
        try:
            edit = _ACTIONS[name](suite, test)
        except ConfigurationError:
            continue  # it stands there already
        apply(root, edit)
        edits.append(edit)
        assert load_suite(root).problems == []
    for edit in reversed(edits):
        apply(root, edit.undone())
    assert contents(root) == held


@pytest.mark.parametrize("pattern", TESTS, ids=lambda pattern: pattern.name)
def test_every_beginning_of_a_test_is_found_right_by_check(root: Path, pattern: Pattern) -> None:
    suite = done(root, lambda suite: new_test(suite, pattern, "words", 3, "mine"))
    test = test_of(suite, "mine")
    assert (test.evaluator_id, test.expected) == (pattern.fields["evaluator_id"], pattern.fields["expected"])
    suite = done(root, lambda suite: new_domain(suite, pattern, "fresh"))
    assert suite.domains["fresh"].evaluator_id == pattern.fields["evaluator_id"]
    assert same(test_of(suite, "first"), TestCase(**{**_fields(test_of(suite, "first")), "expected": test.expected}))


def _fields(test: TestCase) -> dict[str, Any]:
    return {name: getattr(test, name) for name in TestCase.__dataclass_fields__}


@pytest.mark.parametrize("pattern", EVALUATORS, ids=lambda pattern: pattern.name)
def test_every_beginning_of_an_evaluator_is_found_right_by_check(root: Path, pattern: Pattern) -> None:
    suite = done(root, lambda suite: new_evaluator(suite, pattern, "mine"))
    assert suite.evaluators["mine"].type == pattern.fields["type"]
    with pytest.raises(ConfigurationError, match="there is an evaluator 'mine' already"):
        new_evaluator(suite, pattern, "mine")


def test_a_file_that_was_changed_meanwhile_is_not_written_over(root: Path) -> None:
    suite = load_suite(root)
    edit = move(suite, test_of(suite, "odd"), "words", 1)
    (root / "prompts/math/odd.md").write_text("Other words.\n")
    held = contents(root)
    with pytest.raises(ConfigurationError, match=r"odd\.md: has been changed in the meantime; nothing was written"):
        apply(root, edit)
    assert contents(root) == held


def test_an_edit_is_written_whole_or_not_at_all(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    suite = load_suite(root)
    edit = move(suite, test_of(suite, "odd"), "words", 1)
    held = contents(root)

    def full(self: Path, *_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "unlink", full)
    with pytest.raises(ConfigurationError, match="cannot be written"):
        apply(root, edit)
    monkeypatch.undo()
    left = {name: content for name, content in contents(root).items() if name in held}
    assert left == held


def test_a_file_keeps_its_mode_and_a_link_its_file(root: Path) -> None:
    path = root / "test_definitions/math/level_1/odd.json"
    real = root / "kept.json"
    path.rename(real)
    path.symlink_to(real)
    real.chmod(0o640)
    done(root, lambda suite: switch(suite, test_of(suite, "odd"), on=False))
    assert path.is_symlink()
    assert b'"enabled"' in real.read_bytes()
    assert stat.S_IMODE(real.stat().st_mode) == 0o640
    assert not list(path.parent.glob("*.part")) + list(path.parent.glob(".*.part"))


def test_nothing_is_written_outside_the_suite(root: Path) -> None:
    for path in ("../out.json", "/tmp/out.json"):
        with pytest.raises(ConfigurationError, match="lies outside the suite"):
            apply(root, SuiteEdit("", (FileChange(path, None, b"{}"),)))
    assert not (root.parent / "out.json").exists()


def test_the_bundled_suite_is_copied_and_the_copy_is_right(tmp_path: Path) -> None:
    bundled = load_suite(None)
    assert "copy it into a folder of your own" in why_read_only(bundled)
    count = copy_suite(bundled, tmp_path / "mine")
    assert count > 100
    assert not (tmp_path / "mine" / "core").exists()
    own = load_suite(tmp_path / "mine")
    assert own.problems == []
    assert why_read_only(own) == ""
    assert [test.test_id for test in own.tests] == [test.test_id for test in bundled.tests]
    with pytest.raises(ConfigurationError, match="is there already"):
        copy_suite(bundled, tmp_path / "mine")
    assert bundled_root().is_dir()
