from __future__ import annotations

from typing import Any

from modex.core.evaluators.instructions.checks import CHECKS
from modex.core.evaluators.instructions.found import Compliance


def found(kind: str, text: str, **given: Any) -> Compliance:
    """What the check of a type says of a text."""
    return CHECKS[kind](text, given)


def followed(kind: str, text: str, **given: Any) -> bool:
    """Whether a text follows an instruction of a type."""
    return found(kind, text, **given).followed
