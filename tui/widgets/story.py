"""What a finished run has to tell, in the room the log had: where it is weak, why, what changed, what took most."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from modex.core.comparison.wording import between, bounded, other_rules_words, points
from modex.core.foundation.errors import advice_on
from modex.core.reports.epochs import rates
from modex.core.reports.not_scored import party_words
from modex.core.reports.pace import pace_line
from modex.core.reports.reading import alike_words, calls_words, gold_words, unfit_words
from modex.core.store.rows import SampleHead
from modex.tui.frame import painter
from modex.tui.look import format as fmt
from modex.tui.look.glyphs import Glyphs
from modex.tui.look.paint import Line, Part, columns
from modex.tui.look.text import fit
from modex.tui.widgets.lines import Lines

if TYPE_CHECKING:
    from modex.core.features.compare.compare import Comparison
    from modex.core.features.story.story import ReasonCount, Story
    from modex.core.reports.conversations import Conversations
    from modex.core.reports.epochs import Epochs
    from modex.core.reports.reading import RunReading
    from modex.core.reports.spread import Spread
    from modex.core.store.bounds import Bounds
    from modex.core.store.tallies import CellTally

_LABEL = 9
_FLAKY = 6


@dataclass(frozen=True, slots=True)
class Chapter:
    """One subject: its items, the most telling first; each is short enough to stand beside others on a line."""

    label: str
    items: list[Line]


class StoryPane(Lines):
    """A line a subject where room is short, a line an item where there is more."""

    DEFAULT_CSS = """
    StoryPane { height: auto; max-height: 100%; }
    """

    def __init__(self) -> None:
        super().__init__()
        self._chapters: list[Chapter] = []
        self._room = 0

    def tell(self, story: Story | None) -> None:
        """Show this story, or none."""
        self._chapters = chapters(story, painter(self).glyphs) if story else []
        self.changed()
        self.refresh(layout=True)

    def get_content_height(self, container: object, viewport: object, width: int) -> int:
        """As many lines as there are items, or as there is room for."""
        self._room = int(getattr(container, "height", 0))
        return super().get_content_height(container, viewport, width)

    def lines_for(self, width: int) -> list[Line]:
        """The story in as many lines as there are, and an empty one before the log where that still has room."""
        lines = told(self._chapters, width, self._room)
        return [*lines, ()] if lines and len(lines) < self._room else lines


def told(found: list[Chapter], width: int, room: int) -> list[Line]:
    """The first chapters that fit into `room` lines; what is left of them goes to further items, in turn."""
    shown = found[:room]
    lengths = [1] * len(shown)
    spare = room - len(shown)
    while spare > 0 and (more := [n for n, chapter in enumerate(shown) if lengths[n] < len(chapter.items)]):
        for n in more[:spare]:
            lengths[n] += 1
        spare -= len(more[:spare])
    lines: list[Line] = []
    for chapter, length in zip(shown, lengths, strict=True):
        for number, item in enumerate(chapter.items[:length]):
            label = chapter.label if number == 0 else ""
            line: list[Part] = [(" " + fit(label, _LABEL), "muted"), *item]
            if number == length - 1:
                for other in chapter.items[length:]:
                    if columns(line) + 3 + columns(other) > width - 1:
                        break
                    line += [("   ", "text"), *other]
            lines.append(line)
    return lines


def chapters(story: Story, glyphs: Glyphs) -> list[Chapter]:
    """What there is to say, the most telling first."""
    flaky = story.epochs.flaky[:_FLAKY] if story.epochs else ()
    found = [
        Chapter("why", [_counted(one, "failed") for one in story.reasons]),
        Chapter("at fault", [[(party_words(one), "error")] for one in story.not_scored]),
        Chapter("reading", _reading(story.reading)),
        Chapter("judge", [[(words, "text")] for words in story.judging]),
        Chapter("weakest", [_cell(cell, story.ends.get((cell.domain, cell.level))) for cell in story.weakest]),
        Chapter("since", _change(story.change) if story.change else []),
        Chapter("open", _open(story.bounds) if story.bounds else []),
        Chapter("to do", _advice(story.errors, by_agent=story.by_agent)),
        Chapter("k of n", _required(story.epochs) if story.epochs else []),
        Chapter("epochs", [[(rate, "text")] for rate in rates(story.epochs, few=True)] if story.epochs else []),
        Chapter("user at fault", _users(story.conversations) if story.conversations else []),
        Chapter("flaky", [_named(one.name, f"{one.scored.passed}/{one.scored.total}") for one in flaky]),
        Chapter("time", [took(story.time, glyphs, "s")] if story.time else []),
        Chapter("cost", [took(story.cost, glyphs, "$")] if story.cost else []),
        Chapter("pace", [[(part, "text")] for part in pace_line(story.pace).split(", ")] if story.pace else []),
        Chapter("hosts", [[(words, "text")] for words in story.hosts]),
        Chapter("served", [[(words.removeprefix("served here: "), "text")] for words in story.served]),
        Chapter("slowest", [_named(_name(head), fmt.seconds(head.duration_ms)) for head in story.slowest]),
        Chapter("dearest", [_named(_name(head), fmt.cost(head.cost_usd)) for head in story.dearest]),
    ]
    return [chapter for chapter in found if chapter.items]


def _reading(found: RunReading) -> list[Line]:
    """Failed answers that contain the gold, with the key that lists them, and an extractor that is unfit."""
    golds, unfit = gold_words(found), unfit_words(found)
    lines: list[Line] = [[(unfit, "failed")]] if unfit else []
    lines += [[(words, "text")] for words in (calls_words(found), alike_words(found)) if words]
    return [*lines, [(golds, "text"), ("  o", "key"), (" lists them", "muted")]] if golds else lines


def _users(found: Conversations) -> list[Line]:
    """How often simulated users were at fault, by kind, and the score without those conversations."""
    low, high = found.interval or (0.0, 1.0)
    share = f"{found.at_fault} of {found.number} ({100 * low:.0f}–{100 * high:.0f} %)"
    lines: list[Line] = [[(share, "failed" if found.at_fault else "text")]]
    lines += [_named(kind.replace("_", " "), str(number)) for kind, number in found.faults.items()]
    lines += [_named(f"likely {kind.replace('_', ' ')}", str(number)) for kind, number in found.likely.items()]
    if found.at_fault and found.without.score is not None:
        lines.append(_named("score without", f"{100 * found.without.score:.1f}"))
    return lines


def _required(epochs: Epochs) -> list[Line]:
    """How many tests of which so many tries must pass hold, and those that do not."""
    if not epochs.required:
        return []
    held = sum(one.verdict is True for one in epochs.required)
    missed = [_named(one.name, f"{one.scored.passed}/{one.scored.total}") for one in epochs.missed[:_FLAKY]]
    return [[(f"{held} of {len(epochs.required)} hold", "failed" if missed else "text")], *missed]


def took(spread: Spread, glyphs: Glyphs, unit: str) -> Line:
    """A spread in words and as a small chart from the least to the most."""

    def figure(value: float) -> str:
        return fmt.cost(value) if unit == "$" else fmt.seconds(1000 * value)

    return [
        (f"{figure(spread.median)} ", "text"),
        ("median, nine in ten within ", "muted"),
        (f"{figure(spread.ninth)}", "text"),
        (", most ", "muted"),
        (f"{figure(spread.most)}  ", "text"),
        (chart(spread.bins, glyphs), "accent"),
    ]


def chart(counts: Sequence[float], glyphs: Glyphs) -> str:
    """A sign a count, as tall as its share of the largest; nothing where there are none."""
    most = max(counts, default=0)
    return "".join(" " if not count else glyphs.level(count / most * 0.999) for count in counts) if most else ""


def _advice(errors: Sequence[ReasonCount], *, by_agent: bool) -> list[Line]:
    """What to do about each kind of error; the kind stands behind, where several are told apart by it."""
    stated = [(one.text, advice) for one in errors if (advice := advice_on(one.text, by_agent=by_agent))]
    return [[(advice, "text"), (f"   {kind}" if len(errors) > 1 else "", "muted")] for kind, advice in stated]


def _open(found: Bounds) -> list[Line]:
    """Between which scores the answers without a verdict leave the run."""
    answers = "answer without a verdict leaves" if found.number == 1 else "answers without a verdict leave"
    bounds = f"between {fmt.hundred(found.low, 1)} and {fmt.hundred(found.high, 1)}"
    cut = f" ({found.cut_off:,} cut off)" if found.cut_off else ""
    return [[(f"{found.number} {answers} the score {bounds}{cut}", "text")]]


def _counted(one: ReasonCount, role: str) -> Line:
    return [(f"{one.number:>3} × ", role), (one.text, "text")]


def _cell(cell: CellTally, ends: tuple[float, float] | None) -> Line:
    score = f"{fmt.hundred(cell.score):>3}" if ends is None else bounded(*ends)
    return [(f"{score} ", "failed"), (f"{cell.domain}/{cell.level}", "text")]


def _named(name: str, figure: str) -> Line:
    return [(f"{figure} ", "muted"), (name, "text")]


def _name(head: SampleHead) -> str:
    return f"{head.domain}/{head.level}/{head.test_id}"


def _change(found: Comparison) -> list[Line]:
    """How far the score moved on the shared tests, then the tests that flipped, lost ones first."""
    overall = found.overall
    assert overall is not None
    role = {"better": "passed", "worse": "failed"}.get(overall.decision or "", "text")
    flipped = f"{overall.lost} lost, {overall.gained} gained  "
    summary: list[Line] = [
        [(points(overall.difference), role), (f"  {between(overall.interval)}", "text")],
        [(flipped, "text"), (found.first.exp_id, "muted")],
    ]
    if rules := other_rules_words(len(found.other_rules or ())):
        summary.append([(rules, "text")])
    flips = sorted(found.flips, key=lambda pair: pair.flip != "lost")[:_FLAKY]
    words = {"lost": "failed", "gained": "passed"}
    return [
        *summary,
        *([(f"{pair.flip} ", words[str(pair.flip)]), ("/".join(map(str, pair.key[1:])), "text")] for pair in flips),
    ]
