"""What a whole suite becomes, written down: `mistaken_suite.txt`, `sound_suite.txt` and `foreign_suite.txt` were read through
line by line.

`python -m tests.core.suite.test_whole_suites` writes them anew, to be read through again.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import MISSING, fields, is_dataclass
from pathlib import Path
from typing import Any

import pytest

from modex.core.suite.definitions import Suite
from modex.core.suite.loading import load_suite
from tests.core.suite.conftest import write_files
from tests.core.suite.whole_suites import FOREIGN, MISTAKEN, SOUND

SUITES = {"mistaken": MISTAKEN, "sound": SOUND, "foreign": FOREIGN}


def _told(value: Any, root: Path) -> str:
    """A value as Python would write it, without fields that say nothing of their own and without the suite's place."""
    if is_dataclass(value) and not isinstance(value, type):
        said = [
            f"{one.name}={_told(given, root)}"
            for one in fields(value)
            if (given := getattr(value, one.name)) != one.default
            and (one.default_factory is MISSING or given != one.default_factory())
        ]
        return f"{type(value).__name__}({', '.join(said)})"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{name!r}: {_told(item, root)}" for name, item in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_told(item, root) for item in value) + "]"
    return repr(str(value) if isinstance(value, Path) else value).replace(f"{root}/", "")


def _lines(suite: Suite) -> Iterator[str]:
    yield from (f"problem {one}" for one in suite.problems)
    yield from (f"lack {one}" for one in suite.lacks)
    yield from (f"note {one}" for one in suite.notes)
    yield from (f"{suite.dialect} {one.path}:{one.line} {one.form or one.note}" for one in suite.translated)
    yield from (f"judged otherwise: {one}" for one in suite.otherwise)
    own = [tool for tool in suite.tools.values() if tool.location.path != f"({suite.dialect})"]
    for whole in (suite.tests, suite.domains.values(), suite.datasets, own, suite.evaluators.values()):
        yield from (_told(one, suite.root) for one in whole)
    yield from (f"stands in {name}" for name, tool in suite.tools.items() if tool not in own)


def _written(name: str) -> Path:
    return Path(__file__).with_name(f"{name}_suite.txt")


@pytest.mark.parametrize("name", SUITES)
def test_a_suite_becomes_what_is_written_down(name: str, tmp_path: Path) -> None:
    suite = load_suite(write_files(tmp_path / "suite", SUITES[name]))
    assert list(_lines(suite)) == _written(name).read_text(encoding="utf-8").splitlines()


if __name__ == "__main__":
    for each, files in SUITES.items():
        with tempfile.TemporaryDirectory() as folder:
            read = load_suite(write_files(Path(folder) / "suite", files))
            _written(each).write_text("".join(f"{line}\n" for line in _lines(read)), encoding="utf-8")
