"""What a speed test found, read from its samples: a point for each length of prompt and number of calls at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from modex.core.llm.timing import SHORTEST_S
from modex.core.safety import clean_line
from modex.core.store.reader import Reader
from modex.core.store.rows import RunRow
from modex.core.store.sample import EvaluationSample

_LEAST_BAR = 4
_MOST_BAR = 24


@dataclass(frozen=True, slots=True)
class Point:
    """One load."""

    prompt: str
    at_once: int
    calls: int
    errors: int
    tokens_per_s: float | None
    """Output tokens of all calls over the time from the first call to the last answer."""
    each_per_s: float | None
    """Median speed of one answer's writing."""
    first_ms: float | None
    """Median first-token time."""
    first_p95_ms: float | None
    estimated: bool
    """Whether tokens were counted by the events of the streams."""
    error: str | None = None
    """What ended most of the calls that have no answer."""


def points_of(reader: Reader, run: RunRow) -> list[Point]:
    """The points of a speed run, in the order in which they were asked."""
    groups: dict[tuple[str, int], list[EvaluationSample]] = {}
    for sample in reader.samples(run.id):
        if (sample.cluster or "").isdecimal() and (sample.status == "error" or sample.stage != "init"):
            groups.setdefault((sample.domain, int(sample.cluster or 0)), []).append(sample)
    return [_point(prompt, at_once, samples) for (prompt, at_once), samples in groups.items()]


def _point(prompt: str, at_once: int, samples: Sequence[EvaluationSample]) -> Point:
    answered = [one for one in samples if one.status != "error"]
    begins = [_seconds(one.started_at) for one in answered if one.started_at]
    ends = [_seconds(one.completed_at) for one in answered if one.completed_at]
    span = max(ends) - min(begins) if begins and ends else 0.0
    tokens = sum(one.completion_tokens for one in answered)
    first = sorted(one.ttft_ms for one in answered if one.ttft_ms is not None)
    each = sorted(one.output_tokens_per_s for one in answered if one.output_tokens_per_s is not None)
    return Point(
        prompt=prompt,
        at_once=at_once,
        calls=len(samples),
        errors=len(samples) - len(answered),
        tokens_per_s=round(tokens / span, 1) if span >= SHORTEST_S and tokens else None,
        each_per_s=each[len(each) // 2] if each else None,
        first_ms=first[len(first) // 2] if first else None,
        first_p95_ms=first[-(-95 * len(first) // 100) - 1] if first else None,
        error=_commonest([one.error_message for one in samples if one.status == "error" and one.error_message]),
        estimated=any("speed_estimated" in one.flags or "usage_missing" in one.flags for one in answered),
    )


def _commonest(messages: Sequence[str]) -> str | None:
    return Counter(messages).most_common(1)[0][0] if messages else None


def _seconds(moment: str) -> float:
    return datetime.fromisoformat(moment.replace("Z", "+00:00")).timestamp()


def speed_json(points: Sequence[Point]) -> list[dict[str, Any]]:
    """The points as JSON."""
    return [asdict(point) for point in points]


def speed_lines(points: Sequence[Point], *, width: int = 80, full: str = "█") -> Iterator[str]:
    """A table of at most `width` columns, each line with its bar of `full`; what ended calls stands below their point."""
    most = max((point.tokens_per_s or 0.0 for point in points), default=0.0)
    name = max([6, *(len(clean_line(point.prompt, 16)) for point in points)])
    head = f"{'prompt':>{name}} {'at once':>7} {'calls':>6} {'first token':>11} {'p95':>8} {'tok/s each':>10} {'in all':>7}"
    yield head
    longest = min(_MOST_BAR, max(_LEAST_BAR, width - len(head) - 2))
    for point in points:
        about = "~" if point.estimated else ""
        bar = full * round(longest * (point.tokens_per_s or 0.0) / most) if most else ""
        row = (
            f"{clean_line(point.prompt, 16):>{name}} {point.at_once:>7} {point.calls:>6} {_ms(point.first_ms):>11}"
            f" {_ms(point.first_p95_ms):>8} {_rate(point.each_per_s, about):>10} {_rate(point.tokens_per_s, about):>7} {bar}"
        )
        yield row.rstrip()
        if point.errors:
            why = f": {clean_line(point.error, 400)}" if point.error else ""
            yield f"{'':>{name}} {point.errors} of {point.calls} calls have no answer{why}"
    if any(point.estimated for point in points):
        yield "~ the server counted no tokens: one is taken for each event of its stream"


def compared_lines(names: tuple[str, str], first: Sequence[Point], second: Sequence[Point]) -> Iterator[str]:
    """Two speed tests (their runs' `names`) point by point, over the loads that both have."""
    there = {(point.prompt, point.at_once): point for point in second}
    yield " → ".join(clean_line(name) for name in names)
    yield f"{'prompt':>16} {'at once':>7} {'first token':>19} {'tokens/s in all':>17} {'':>8}".rstrip()
    both = 0
    for one in first:
        two = there.get((one.prompt, one.at_once))
        if two is None:
            continue
        both += 1
        times = f"{two.tokens_per_s / one.tokens_per_s:.2f} ×" if one.tokens_per_s and two.tokens_per_s else ""
        row = (
            f"{clean_line(one.prompt, 16):>16} {one.at_once:>7} {_ms(one.first_ms) + ' → ' + _ms(two.first_ms):>19}"
            f" {_rate(one.tokens_per_s, '') + ' → ' + _rate(two.tokens_per_s, ''):>17} {times:>8}"
        )
        yield row.rstrip()
    if not both:
        yield "no load is in both: ask them with the same --concurrency and --prompt-tokens"


def _ms(value: float | None) -> str:
    return "–" if value is None else f"{value / 1000:.2f} s"


def _rate(value: float | None, about: str) -> str:
    return "–" if value is None else f"{about}{value:.1f}" if value < 100 else f"{about}{value:.0f}"
