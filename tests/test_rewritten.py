"""Assertions rewritten before the workers start are those that a worker would write."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from _pytest.assertion.rewrite import PYC_TAIL

from tests.rewritten import rewrite_all


def test_a_module_is_rewritten_once_and_again_when_it_was_changed(tmp_path: Path, pytestconfig: pytest.Config) -> None:
    test = tmp_path / "test_it.py"
    test.write_text("def test_it():\n    assert 1 == 2\n")
    kept = tmp_path / "__pycache__" / f"test_it{PYC_TAIL}"
    rewrite_all(pytestconfig, [tmp_path])
    first = kept.read_bytes()
    assert b"AssertionError" in first
    os.utime(kept, (0, 0))
    rewrite_all(pytestconfig, [tmp_path])
    assert kept.stat().st_mtime == 0
    test.write_text("def test_it():\n    assert 'another' == 2\n")
    rewrite_all(pytestconfig, [f"{test}::test_it"])
    assert kept.read_bytes() != first


def test_a_module_that_cannot_be_read_is_left_to_who_wants_it(tmp_path: Path, pytestconfig: pytest.Config) -> None:
    (tmp_path / "test_it.py").write_text("def test_it(:\n")
    for number in range(8):
        (tmp_path / f"test_other_{number}.py").write_text("assert 1\n")
    rewrite_all(pytestconfig, [tmp_path, tmp_path / "nothing"])
    assert len(list((tmp_path / "__pycache__").iterdir())) == 8
    assert not (tmp_path / "__pycache__" / f"test_it{PYC_TAIL}").exists()
