"""What is said of the answer in sight, and the labels that a key gives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from modex.core.features.review.query import HumanVerdict
from modex.core.suite.labels import KnownLabel
from modex.tui.frame import painter
from modex.tui.look.paint import Line, Part, columns
from modex.tui.look.text import fit
from modex.tui.widgets.lines import Lines

_ROWS = 2
"""Lines of labels at most."""


@dataclass(frozen=True, slots=True)
class _State:
    own: HumanVerdict = HumanVerdict()
    verdict: str = ""
    """The sample's, where it can be seen."""
    stale: bool = False
    labels: Sequence[KnownLabel] = ()
    counts: Mapping[str, int] = field(default_factory=dict)


class VerdictLines(Lines):
    """A line with the review, and one or two with the labels and their keys."""

    DEFAULT_CSS = """
    VerdictLines { height: auto; border-top: solid $panel; }
    """

    def __init__(self) -> None:
        super().__init__(id="said")
        self._state = _State()

    def tell(
        self, own: HumanVerdict, verdict: str, labels: Sequence[KnownLabel], counts: Mapping[str, int], *, stale: bool
    ) -> None:
        """Show what is said; `verdict` is empty while it is hidden."""
        self._state = _State(own, verdict, stale, tuple(labels), dict(counts))
        self.changed()

    def lines_for(self, width: int) -> list[Line]:
        """The review, then the labels."""
        return [self._review(width), *self._labels(width)]

    def _review(self, width: int) -> Line:
        state, said, glyphs = self._state, self._state.own, painter(self).glyphs
        line: list[Part] = [(" you  ", "muted")]
        if said.own_verdict is not None:
            word = "right" if said.own_verdict == "passed" else "wrong"
            line.append((f"{glyphs.status(said.own_verdict)} {word}", said.own_verdict))
            if state.verdict in ("passed", "failed"):
                same = state.verdict == said.own_verdict
                line.append((", agrees" if same else ", disagrees", "muted" if same else "accent"))
        elif said.unsure:
            line.append(("? unsure", "accent"))
        elif state.stale:
            line.append(("the answer has changed since you reviewed it", "accent"))
        else:
            line.append(("nothing yet", "faint"))
        if said.label:
            line += [("   label  ", "muted"), (said.label, "title")]
        if said.note:
            line += [("   note  ", "muted"), (fit(said.note, max(8, width - columns(line) - 10)), "text")]
        return line

    def _labels(self, width: int) -> list[Line]:
        state = self._state
        taken = painter(self).store.writable
        if not taken and not state.labels:
            return [[(" read-only store: nothing can be said", "faint")]]
        if not state.labels:
            return [
                [(" l", "key"), (" names a label: what kind of failure this is; keys 1 to 9 then give it", "faint")]
            ]
        lines: list[list[Part]] = [[(" ", "text")]]
        for number, label in enumerate(state.labels, 1):
            key = str(number) if number <= 9 else " "
            count = state.counts.get(label.id, 0)
            chosen = label.id == state.own.label
            item: list[Part] = [
                (f"{key} ", "key" if number <= 9 and taken else "faint"),
                (fit(label.id, 28).rstrip(), "title" if chosen else "text"),
                (f" {count}" if count else "", "muted"),
                ("   ", "text"),
            ]
            if columns(lines[-1]) + columns(item) > width:
                if len(lines) == _ROWS:
                    lines[-1].append((f"l {len(state.labels) - number + 1} more", "faint"))
                    break
                lines.append([(" ", "text")])
            lines[-1] += item
        return [*lines]
