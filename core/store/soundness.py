"""What stands in a run's JSON columns beneath their outer form: whatever reads them finds numbers where numbers belong.

Another program, or a fault, may leave anything in a database. What is not of its form is left out and told in words, so that
lists, screens and reports need not look at every value before they format it.
"""

from __future__ import annotations

from typing import Any

from modex.core.jsonvalues.jsonargs import too_deep

_NUMBERS = (
    "in_flight",
    "limit",
    "concurrency",
    "judging",
    "retries",
    "outage_s",
    "tests_per_s",
    "tokens_per_s",
    "eta_s",
    "projected_cost_usd",
    "elapsed_s",
)
_DEEPEST = 20
_LARGEST = 1e15


def is_number(value: Any) -> bool:
    """Whether it is a number that can be shown: finite, and no truth value."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < _LARGEST


def sound_pulse(live: dict[str, Any]) -> tuple[dict[str, Any], str | None]:
    """A pulse without what is not of its form, and what that was in words; the very dict where all is."""
    wrong = [name for name in _NUMBERS if live.get(name) is not None and not is_number(live[name])]
    wrong += [
        name for name, inner in (("holds", "seconds_left"), ("workers", "since_s")) if not _list(live, name, inner)
    ]
    if not isinstance(live.get("window"), str | None):
        wrong.append("window")
    if not isinstance(live.get("before"), dict | None):
        wrong.append("before")
    return _left_out("live", live, wrong)


def sound_metrics(metrics: dict[str, Any]) -> tuple[dict[str, Any], str | None]:
    """Metrics without the sources that have none, and which those were in words; the very dict where all are sound."""
    if too_deep(metrics, _DEEPEST):
        return {}, f"`metrics` nests deeper than {_DEEPEST} levels"
    return _left_out("metrics", metrics, [name for name, value in metrics.items() if not isinstance(value, dict)])


def _left_out(column: str, value: dict[str, Any], wrong: list[str]) -> tuple[dict[str, Any], str | None]:
    if not wrong:
        return value, None
    sound = {name: one for name, one in value.items() if name not in wrong}
    return sound, f"`{column}` holds something else as {', '.join(name[:40] for name in wrong[:3])}"


def _list(live: dict[str, Any], name: str, inner: str) -> bool:
    """Whether objects stand there, with a number or nothing as `inner`."""
    value = live.get(name)
    return value is None or (
        isinstance(value, list)
        and all(isinstance(one, dict) and (one.get(inner) is None or is_number(one[inner])) for one in value)
    )
