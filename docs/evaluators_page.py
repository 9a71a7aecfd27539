"""The table of instructions in the page on evaluators, from the types that the evaluator checks by."""

from __future__ import annotations

from pathlib import Path

from modex.core.suite.instructions import TYPES, InstructionType
from modex.core.suite.keys import Key

_PAGE = Path(__file__).parent / "evaluators.md"
_BEGINS = "<!-- written by `python -m docs.generate` from core/suite/instructions.py: the types of instructions -->\n"
_ENDS = "<!-- the types of instructions end here -->\n"


def evaluators() -> str:
    """The page as it is, with the table as the types are."""
    above, rest = _PAGE.read_text(encoding="utf-8").split(_BEGINS)
    rows = "\n".join(map(_row, TYPES.values()))
    table = f"| `type` | what the answer has to be | told by |\n|---|---|---|\n{rows}\n"
    return above + _BEGINS + "\n" + table + "\n" + _ENDS + rest.split(_ENDS)[1]


def _row(kind: InstructionType) -> str:
    return f"| `{kind.name}` | {kind.asks} | {', '.join(map(_key, kind.keys)) or '–'} |"


def _key(key: Key) -> str:
    return f"`{key.name}`" if key.required else f"`{key.name}` (optional)"
