"""How many of a run's options were chosen rightly by likelihood, in words, with the kind of figure that this is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from modex.core.pipeline.likelihood_rates import LIKELIHOOD
from modex.core.safety import clean_line
from modex.core.store.rows import RunRow

_KINDS = {
    "continuation": "by the likelihood of each option's text, as lm-eval's",
    "letter": "by the likelihood of each option's letter as the next token, no written answers and no scores of whole options",
}


def likelihood_lines(run: RunRow) -> Iterator[str]:
    """`arc: acc 71.2, acc_norm 75.0 (of 541) by the likelihood of …`, a line a source."""
    for source, metrics in run.metrics.items():
        rates = metrics.get(LIKELIHOOD) if isinstance(metrics, dict) else None
        if not isinstance(rates, dict) or not isinstance(n := rates.get("n"), int):
            continue
        told = [f"{name} {words}" for name in ("acc", "acc_norm") if (words := _percent(rates.get(name)))]
        if told:
            kind = _KINDS.get(str(rates.get("way")), "by likelihood")
            yield f"{clean_line(str(source), 40)}: {', '.join(told)} (of {n:,}), {kind}"


def _percent(value: Any) -> str:
    return f"{100 * value:.1f}" if isinstance(value, int | float) and not isinstance(value, bool) else ""
