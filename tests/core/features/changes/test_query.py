"""Tests as a run asked them, for setting two runs side by side."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from modex.core.features.changes.query import Form, forms, layers_of, text_of
from tests.rows import each_row
from tests.tui.stores import StoreMaker, sample


def test_each_test_comes_once_as_its_first_epoch_asked_it(tmp_path: Path) -> None:
    store = StoreMaker(tmp_path / "m.db")
    samples = [
        sample("b", 1, 1, "passed", prompt="first", expected="4", rollout_fingerprint="f", judge_fingerprint="j"),
        sample("b", 1, 1, "passed", prompt="second", epoch=2),
        sample("b", 1, 0, "passed"), sample("a", 2, 1, "passed"), sample("a", 1, 1, "passed"),
        sample("z", 1, 1, "passed", source="early"),
    ]  # fmt: skip
    run = store.run("r", samples=samples)
    store.run("other", samples=samples)
    found = list(forms(store.manager.reader, run))
    assert [form.key for form in found] == [
        ("early", "z", 1, "z_1_1"), ("suite", "a", 1, "a_1_1"), ("suite", "a", 2, "a_2_1"), ("suite", "b", 1, "b_1_0"),
        ("suite", "b", 1, "b_1_1"),
    ]  # fmt: skip
    first = store.manager.reader.head_ids(run)[0]
    assert found[-1][4:] == (first, None, "[]", "first", '"4"', "two_pass", "f", "j")
    store.close()


@each_row(
    ("stored", "layers"),
    [
        (
            '[{"scope": "test", "text": "a"}, 3, {"scope": "domain"}]',
            {"test": {"scope": "test", "text": "a"}, "domain": {"scope": "domain"}},
        ),
        ('{"scope": "test"}', {}),
        ("[", {}),
        (None, {}),
        (3, {}),
        ("[" * 100_000, {}),
        ('[{"text": "a"}]', {"None": {"text": "a"}}),
    ],
)
def test_layers_are_told_by_their_scope_and_a_damaged_row_has_none(stored: Any, layers: dict[str, Any]) -> None:
    form = Form("s", "d", 1, "t", 1, None, stored, "", None, "", None, None)
    assert layers_of(form) == layers
    assert (text_of(None), text_of("a")) == ("", "a")
