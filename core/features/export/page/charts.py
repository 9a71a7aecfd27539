"""Charts as inline SVG, drawn here: the page loads no library. Colours are classes of the page's style."""

from __future__ import annotations

from collections.abc import Sequence

from modex.core.comparison.wording import shown_score
from modex.core.features.export.page.text import heat, line, money, score

_WIDTH = 420
_ROW = 22
_LABEL = 130


Row = tuple[str, float | None, str, tuple[float, float] | None]


def bars(title: str, rows: Sequence[Row]) -> str:
    """Horizontal bars from 0 to 100: label, score, what stands behind it, and the ends it lies between where it is open.

    The bar of an open score is as long as what is certain, with a faint one behind it to where it may reach.
    """
    height = _ROW * len(rows) + 6
    room = _WIDTH - _LABEL - (150 if any(ends for *_, ends in rows) else 90)
    parts = []
    for index, (name, value, note, ends) in enumerate(rows):
        y = index * _ROW + 4
        sure = ends[0] if ends is not None else value
        width = 0.0 if sure is None else max(1.0, sure * room)
        reach = f'<rect class="reach" x="{_LABEL}" y="{y}" width="{ends[1] * room:.1f}" height="16"/>' if ends else ""
        parts.append(
            f'<text class="label" x="{_LABEL - 6}" y="{y + 12}">{line(name, 20)}</text>'
            f'<rect class="track" x="{_LABEL}" y="{y}" width="{room}" height="16"/>{reach}'
            f'<rect class="{heat(sure)}" x="{_LABEL}" y="{y}" width="{width:.1f}" height="16"/>'
            f'<text x="{_LABEL + room + 6}" y="{y + 12}">{shown_score(value, ends)}'
            f'<tspan class="faint"> {line(note, 12)}</tspan></text>'
        )
    return _figure(title, height, "".join(parts))


def timeline(title: str, points: Sequence[tuple[str, float, bool]]) -> str:
    """Scores in order of time: name, score, and whether it is the run of the page."""
    height = 120
    step = (_WIDTH - 70) / max(1, len(points) - 1)
    places = [(40 + index * step, 10 + (1 - value) * (height - 30)) for index, (_, value, _) in enumerate(points)]
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    dots = "".join(
        f'<circle class="{"here" if here else "dot"}" cx="{x:.1f}" cy="{y:.1f}" r="{5 if here else 3.5}">'
        f"<title>{line(name, 80)}: {score(value)}</title></circle>"
        for (x, y), (name, value, here) in zip(places, points, strict=True)
    )
    return _figure(title, height, f'{_scale(height)}<polyline class="path" points="{path}"/>{dots}')


def scatter(title: str, points: Sequence[tuple[str, float, float]]) -> str:
    """Score over cost: name, cost in USD, score."""
    height = 200
    most = max((cost for _, cost, _ in points), default=0.0) or 1.0
    parts = [_scale(height)]
    for index, (name, cost, value) in enumerate(points):
        x, y = 40 + cost / most * (_WIDTH - 190), 10 + (1 - value) * (height - 30)
        parts.append(
            f'<circle class="here" cx="{x:.1f}" cy="{y:.1f}" r="5"><title>{line(name, 80)}: {score(value)},'
            f' {money(cost)}</title></circle><text x="{x + 9:.1f}" y="{y + 4 + (index % 2) * 2:.1f}">{line(name, 24)}</text>'
        )
    parts.append(f'<text class="faint" x="40" y="{height - 4}">$0</text>')
    parts.append(f'<text class="faint end" x="{_WIDTH - 150}" y="{height - 4}">{money(most)}</text>')
    return _figure(title, height, "".join(parts))


def _scale(height: int) -> str:
    rows = ((100, 10), (50, 10 + (height - 30) / 2), (0, height - 20))
    return "".join(
        f'<line class="grid" x1="36" x2="{_WIDTH - 20}" y1="{y}" y2="{y}"/><text class="label" x="30" y="{y + 4}">{value}</text>'
        for value, y in rows
    )


def _figure(title: str, height: int, inner: str) -> str:
    name = line(title, 80)
    return (
        f'<figure><figcaption>{name}</figcaption><svg viewBox="0 0 {_WIDTH} {height}" role="img" aria-label="{name}">'
        f"{inner}</svg></figure>\n"
    )
