"""How many instructions a run's answers followed, in words: IFEval's four figures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from modex.core.pipeline.instruction_rates import INSTRUCTIONS
from modex.core.safety import clean_line
from modex.core.store.rows import RunRow


def instruction_lines(run: RunRow) -> Iterator[str]:
    """`ifeval: instructions followed: by prompt 71.2 strict, 75.0 loose (of 541); by instruction …`, a line a source."""
    for source, metrics in run.metrics.items():
        rates = metrics.get(INSTRUCTIONS) if isinstance(metrics, dict) else None
        if not isinstance(rates, dict):
            continue
        told = [
            f"{name} {figures}"
            for name, key in (("by prompt", "by_prompt"), ("by instruction", "by_instruction"))
            if (figures := _figures(rates.get(key)))
        ]
        if told:
            yield f"{clean_line(str(source), 40)}: instructions followed: {'; '.join(told)}"


def _figures(rates: Any) -> str:
    """`71.2 strict, 75.0 loose (of 541)`; empty where a stored figure is none."""
    if not isinstance(rates, Mapping):
        return ""
    strict, loose = _rate(rates.get("strict")), _rate(rates.get("loose"))
    if strict is None or loose is None:
        return ""
    return f"{100 * strict[0]:.1f} strict, {100 * loose[0]:.1f} loose (of {strict[1]:,})"


def _rate(value: Any) -> tuple[float, int] | None:
    rate, n = (value.get("rate"), value.get("n")) if isinstance(value, Mapping) else (None, None)
    if isinstance(rate, int | float) and isinstance(n, int) and not isinstance(n, bool):
        return rate, n
    return None
