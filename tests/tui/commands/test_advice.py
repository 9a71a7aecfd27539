"""Every mistake on the command line is answered with what happened and what to do next, and never with a traceback."""

from __future__ import annotations

import re
from pathlib import Path

from tests.tui.commands.conftest import Shell

ADVICE = re.compile(r"`modex |; \w+|did you mean|there are: |: name |--[a-z]|Try '", re.IGNORECASE)
"""A command, a second half of the sentence, a suggestion, what there is, a flag: something that can be typed or done."""
TABLE = [
    ("show", "nope"),
    ("show", "e", "--test", "nope"),
    ("export", "e", "--out", "{gone}/x/report.html"),
    ("export", "e", "--format", "pdf"),
    ("rename", "e", "/x"),
    ("stop", "nope"),
    ("resume", "nope"),
    ("compare", "e"),
    ("import", "inspect", "{gone}"),
    ("import", "inspect", "{empty}"),
    ("check", "{empty}"),
    ("check", "{gone}"),
    ("init", "{file}"),
    ("prompt", "nope"),
    ("run", "--model", "demo/nope", "--headless"),
    ("run", "--model", "openai/x", "--suite", "{gone}", "--headless"),
    ("run", "--model", "demo", "--domain", "nope", "--headless"),
    ("run", "--headless"),
    ("runz",),
    ("runs", "--limit", "9" * 20),
    ("import", "promptfoo", "x" * 5000),
    ("grep", "a\udcffb"),
]


def test_a_mistake_is_told_with_what_to_do(mixed: Shell, tmp_path: Path) -> None:
    places = {name: tmp_path / name for name in ("gone", "empty", "file")}
    places["empty"].mkdir()
    places["file"].write_text("")
    for mistake in TABLE:
        called = mixed(*(word.format(**places) for word in mistake))
        assert called.code == 2, mistake
        assert "Traceback" not in called.err, mistake
        assert "internal error" not in called.err, mistake
        assert ADVICE.search(called.err.strip()), called.err
