"""How near a run's answers are to the spans that were asked for, in words: DROP's two figures."""

from __future__ import annotations

from collections.abc import Iterator

from modex.core.pipeline.span_rates import SPANS
from modex.core.safety import clean_line
from modex.core.store.rows import RunRow


def span_lines(run: RunRow) -> Iterator[str]:
    """`drop: F1 71.2, exact match 65.0 (of 400)`, a line a source."""
    for source, metrics in run.metrics.items():
        rates = metrics.get(SPANS) if isinstance(metrics, dict) else None
        exact, f1, n = (rates.get(name) if isinstance(rates, dict) else None for name in ("exact", "f1", "n"))
        if isinstance(exact, int | float) and isinstance(f1, int | float) and isinstance(n, int):
            yield f"{clean_line(str(source), 40)}: F1 {100 * f1:.1f}, exact match {100 * exact:.1f} (of {n:,})"
