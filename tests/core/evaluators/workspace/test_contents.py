"""What files must hold."""

from __future__ import annotations

from typing import Any

import pytest

from modex.core.evaluators.workspace.contents import content_faults, content_wrong
from modex.core.sandbox.workspace.tree import TreeEntry

TREE = {
    "a": TreeEntry("file", b"42 \n\n"),
    "j": TreeEntry("file", b'{"n": 1.0, "l": [1]}'),
    "l": TreeEntry("link", b"a"),
    "d": TreeEntry("folder"),
    "d/up": TreeEntry("link", b"../l"),
    "ld": TreeEntry("link", b"d"),
    "whole": TreeEntry("link", b"/tmp/work/./d/up"),
    "far": TreeEntry("link", b"/etc/hosts"),
    "above": TreeEntry("link", b"../a"),
    "me": TreeEntry("link", b"me"),
    "gone": TreeEntry("link", b"nowhere"),
    "b": TreeEntry("file", b"\xff"),
}


@pytest.mark.parametrize(
    ("path", "wanted", "wrong"),
    [
        ("a", "42", None),
        ("a", "43", "line 1 is '42', expected '43'"),
        ("none", "42", "it is not there"),
        ("l", "42", None),
        ("l", "43", "line 1 is '42', expected '43'"),
        ("ld/up", "42", None),
        ("whole", "42", None),
        ("far", "42", "it is a link"),
        ("above", "42", "it is a link"),
        ("me", "42", "it is a link"),
        ("gone", "42", "it is not there"),
        ("d", "42", "it is a folder"),
        ("a", {"contains": "4"}, None),
        ("a", {"contains": ["4", "2"]}, None),
        ("a", {"contains": ["4", "5"]}, "it does not hold '5'"),
        ("j", {"json": {"l": [1], "n": 1}}, None),
        ("j", {"json": {"l": [1], "n": 2}}, 'it holds \'{"n": 1.0, "l": [1]}\''),
        ("b", {"json": 1}, "it is no JSON"),
        ("none", {"absent": True}, None),
        ("a", {"absent": True}, "it is still there"),
        ("l", {"absent": True}, "it is still there"),
    ],
)
def test_contents(path: str, wanted: Any, wrong: str | None) -> None:
    assert content_wrong(path, wanted, TREE) == wrong


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({}, "must be an object such as"),
        ([], "must be an object such as"),
        ({"../a": "x"}, "must have plain steps"),
        ({"a": 3}, "must have its text, or an object with one of contains, json, absent"),
        ({"a": {}}, "must have its text, or an object with one of"),
        ({"a": {"contains": "x", "json": 1}}, "must have its text, or an object with one of"),
        ({"a": {"matches": "x"}}, "must have its text, or an object with one of"),
        ({"a": {"contains": []}}, "contains must be a text or a list of texts"),
        ({"a": {"contains": [""]}}, "contains must be a text or a list of texts"),
        ({"a": {"absent": False}}, "absent can be true only"),
    ],
)
def test_what_cannot_be_wanted_is_said(files: Any, words: str) -> None:
    assert any(words in one for one in content_faults(files))


def test_what_can_be_wanted_is_taken() -> None:
    assert list(content_faults({"a": "", "b": {"contains": "x"}, "c": {"json": None}, "d": {"absent": True}})) == []
