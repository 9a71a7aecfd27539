"""The parts of two transcripts, paired by turn, with what differs marked by word."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from modex.tui.reading.alignment import TranscriptTurn, aligned, differences
from modex.tui.widgets.transcript_text import Block, Section, Span

_APART = ("figures", "earlier", "system")
"""Parts that say how long it took or what both were told: no divergence of what was answered."""
_DERIVED = (".prompt", ".thinking")


@dataclass(frozen=True, slots=True)
class PartPair:
    """A part of the first transcript and the part of the second that stands for it; None: there is none."""

    first: str | None
    second: str | None
    diverges: bool
    """Whether what was said or called differs: what one jumps to."""


@dataclass(frozen=True, slots=True)
class Paired:
    """Both transcripts with their differences marked, and how their parts belong together, in order."""

    first: list[Section]
    second: list[Section]
    matches: list[PartPair]

    @property
    def divergences(self) -> list[PartPair]:
        """Where the two went different ways."""
        return [match for match in self.matches if match.diverges]


def paired(first: Sequence[Section], second: Sequence[Section]) -> Paired:
    """Align two transcripts and mark what differs in them."""
    one, other = list(first), list(second)
    turns = [_turn(section) for section in one], [_turn(section) for section in other]
    matches: list[PartPair] = []
    for left, right in aligned(*turns):
        keys = (None if left is None else one[left].key, None if right is None else other[right].key)
        differs = left is None or right is None or turns[0][left] != turns[1][right]
        tells = differs and _tells(keys)
        if tells:
            _mark(one, left, other, right)
        matches.append(PartPair(*keys, diverges=tells))
    return Paired(one, other, matches)


def _turn(section: Section) -> TranscriptTurn:
    content = section.alike or "\n".join(item.text for item in section.blocks)
    return TranscriptTurn(section.kind or section.key, " ".join(content.split()))


def _tells(keys: Iterable[str | None]) -> bool:
    named = [key for key in keys if key]
    return not any(key in _APART or key.startswith("thinking") or key.endswith(_DERIVED) for key in named)


def _mark(one: list[Section], left: int | None, other: list[Section], right: int | None) -> None:
    if left is not None and right is not None:
        one[left], other[right] = _marked(one[left], other[right])
    elif left is not None:
        one[left] = replace(one[left], note=(("only here   ", "accent"), *one[left].note))
    elif right is not None:
        other[right] = replace(other[right], note=(("only here   ", "accent"), *other[right].note))


def _marked(first: Section, second: Section) -> tuple[Section, Section]:
    """Both parts with the words that only one of them has."""
    blocks: tuple[list[Block], list[Block]] = ([], [])
    for number in range(max(len(first.blocks), len(second.blocks))):
        a = first.blocks[number] if number < len(first.blocks) else None
        b = second.blocks[number] if number < len(second.blocks) else None
        gone, new = differences(a.text if a else "", b.text if b else "")
        if a is not None:
            blocks[0].append(_with(a, gone, "removed"))
        if b is not None:
            blocks[1].append(_with(b, new, "added"))
    note = ("differs   ", "accent")
    return (
        replace(first, blocks=blocks[0], note=(note, *first.note)),
        replace(second, blocks=blocks[1], note=(note, *second.note)),
    )


def _with(item: Block, ranges: Sequence[tuple[int, int]], role: str) -> Block:
    spans: tuple[Span, ...] = tuple((start, end, role) for start, end in ranges)
    return replace(item, spans=(*spans, *item.spans)) if spans else item
