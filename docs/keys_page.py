"""The table of a test's keys in the page on writing tests, from the keys that the loader checks by."""

from __future__ import annotations

from pathlib import Path

from modex.core.suite.keys import Key
from modex.core.suite.tables import LEVEL, TEST

_PAGE = Path(__file__).parent / "writing-tests.md"
_BEGINS = "<!-- written by `python -m docs.generate` from core/suite/tables.py: the keys of a test -->\n"
_ENDS = "<!-- the keys of a test end here -->\n"
_SEE = {
    "file_name": "[below](#files-and-images)",
    "files": "[below](#files-and-images)",
    "expected": "[evaluators](evaluators.md)",
    "evaluator_id": "[evaluators](evaluators.md)",
    "system_prompt": "[prompts](prompts.md)",
    "tool_ids": "[tools](tools.md)",
    "epochs": "[k of n](statistics.md#k-of-n)",
    "cluster": "[statistics](statistics.md)",
    "tool_faults": "[tools](tools.md#faults)",
    "tool_state": "[tools](tools.md)",
    "simulated_user": "[below](#conversations-with-a-simulated-user)",
}
"""Where there is more to read of a key."""
_OF_THE_LEVEL = ("id", "level", "name", "description", "metadata")
"""What a level.json says of itself."""


def writing_tests() -> str:
    """The page as it is, with the table as the keys are."""
    above, rest = _PAGE.read_text(encoding="utf-8").split(_BEGINS)
    return above + _BEGINS + "\n" + _table() + "\n" + _ENDS + rest.split(_ENDS)[1]


def _table() -> str:
    rows = "\n".join(map(_row, TEST.keys))
    above = [key.name for key in LEVEL.keys if key.name in TEST.checks and key.name not in _OF_THE_LEVEL]
    defaults = ", ".join(f"`{name}`" for name in above)
    return (
        f"| key | meaning | default |\n|---|---|---|\n{rows}\n\n`level.json` may give for all its tests: {defaults}.\n"
    )


def _row(key: Key) -> str:
    see = f" See {_SEE[key.name]}." if key.name in _SEE else ""
    return f"| `{key.name}` | {key.description}{see} | {'required' if key.required else key.default} |"
