"""What a benchmark's own rule made of a response, in words."""

from __future__ import annotations

from modex.core.verdict.folding import shown
from modex.core.verdict.parts import Official


def official_words(part: Official) -> str:
    """`by MMLU-Pro's rule: D, right`, and our own score where the rule's verdict counts."""
    said = f"by {part.rule}: {'no answer' if part.read is None else shown(part.read)}, {'right' if part.right else 'wrong'}"
    return said if part.ours is None else f"{said}; our own verdict is {part.ours:g}"
