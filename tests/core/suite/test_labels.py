"""A suite's labels stand in its folder; the bundled suite's beside the settings."""

from __future__ import annotations

from pathlib import Path

import pytest

from modex.core.config.settings import settings_path
from modex.core.foundation.errors import ConfigurationError
from modex.core.suite.bundled import bundled_root
from modex.core.suite.labels import KnownLabel, known_labels, labels_path, load_labels, save_labels


def test_labels_stand_in_the_suite_and_those_of_the_bundled_one_beside_the_settings(tmp_path: Path) -> None:
    (tmp_path / "test_definitions").mkdir()
    assert labels_path(str(tmp_path)) == labels_path(str(tmp_path / "test_definitions")) == tmp_path / "labels.json"
    assert labels_path(None) == labels_path(str(bundled_root())) == settings_path().with_name("labels.json")


def test_labels_are_kept_in_their_order(tmp_path: Path) -> None:
    path = tmp_path / "new" / "labels.json"
    assert load_labels(path) == []
    save_labels(path, [KnownLabel("wrong unit", "right number"), KnownLabel("错误")])
    assert load_labels(path) == [KnownLabel("wrong unit", "right number"), KnownLabel("错误")]
    assert known_labels(path, ["refused", "Wrong unit"]) == [
        KnownLabel("wrong unit", "right number"),
        KnownLabel("错误"),
        KnownLabel("refused"),
    ]


@pytest.mark.parametrize(
    ("text", "says"),
    [("[\n1]", "label 1"), ('{"a": 1}', "must be a list"), ('["a",\n,]', ":2: "), ('[{"name": "a"}]', "label 1")],
)
def test_a_wrong_file_is_named_with_what_is_wrong(tmp_path: Path, text: str, says: str) -> None:
    path = tmp_path / "labels.json"
    path.write_text(text)
    with pytest.raises(ConfigurationError, match=r"labels\.json") as caught:
        load_labels(path)
    assert says in str(caught.value)


def test_plain_texts_are_labels_and_a_name_counts_once(tmp_path: Path) -> None:
    path = tmp_path / "labels.json"
    path.write_text('["a  b", {"id": "A B"}, "c"]')
    assert load_labels(path) == [KnownLabel("a b"), KnownLabel("c")]
