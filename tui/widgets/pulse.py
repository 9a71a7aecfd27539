"""What a run does this moment, in words: calls in flight, rates, retries, whether a provider holds us off, money."""

from __future__ import annotations

from modex.core.store.rows import RunRow
from modex.tui.look import format as fmt
from modex.tui.look.paint import Part, columns
from modex.tui.look.theme import state_role


def elapsed(run: RunRow, since_pulse: float) -> float:
    """Working time of the run in seconds; while it runs, the runner's own figure and the time since it said so."""
    if run.alive and (said := run.live.get("elapsed_s")) is not None:
        return float(said) + (since_pulse if run.status == "running" else 0.0)
    return run.duration_ms / 1000


NEXT_LOOK = "waits for the next look"
"""What a run does that its race goes on with."""


def state_parts(run: RunRow, since_pulse: float, race: str = "") -> list[Part]:
    """The state, how long it took and how long it still takes: the right end of the identity line.

    `race` is the race whose next look the run waits for.
    """
    state: Part = (NEXT_LOOK, "running") if race else (run.state, state_role(run.state))
    parts: list[Part] = [state, (f"  {fmt.clock(elapsed(run, since_pulse)):>5}", "text")]
    if run.state == "running" and (eta := run.live.get("eta_s")) is not None:
        parts.append((f"  eta {fmt.remaining(float(eta) - since_pulse):>5}", "muted"))
    return parts


def pulse_parts(run: RunRow, width: int) -> list[Part]:
    """One line for the foot of the matrix; less important parts are left out where they do not fit."""
    live = run.live if run.alive else {}
    pieces: list[list[Part]] = []
    if waiting := provider_parts(run):
        pieces.append(waiting)
    if run.alive:
        flight, limit = live.get("in_flight"), live.get("concurrency")
        if flight is not None:
            of = f"/{limit}" if limit is not None else ""
            # A code evaluator asks no model: where all wait for verdicts, nothing in flight is no standstill.
            judging = live.get("judging") if not flight else None
            pieces.append([(f"{judging or flight}{of}", "text"), (" judging" if judging else " in flight", "muted")])
        if (gate := live.get("limit")) is not None and limit is not None and gate < limit:
            pieces.append([(f"throttled to {gate}", "accent")])
        if (rate := live.get("tests_per_s")) is not None:
            pieces.append([(fmt.rate(rate), "text"), (" tests/s", "muted")])
        if (rate := live.get("tokens_per_s")) is not None:
            pieces.append([(fmt.rate(rate), "text"), (" tok/s", "muted")])
        if retries := live.get("retries"):
            pieces.append([(fmt.count(retries), "accent"), (" retries" if retries != 1 else " retry", "muted")])
    else:
        tokens = run.prompt_tokens + run.completion_tokens
        pieces.append([(fmt.compact(tokens), "text"), (" tokens", "muted")])
    pieces.append(cost_parts(run))
    needed = sum(columns(piece) for piece in pieces)
    gap = 3 if needed + 3 * len(pieces) <= width else 2
    line: list[Part] = []
    for piece in pieces:
        if line and columns(line) + gap + columns(piece) > width - 1:
            break
        line += [(" " * (gap if line else 1), "text"), *piece]
    return line


def cost_parts(run: RunRow) -> list[Part]:
    """Money so far, and what it will be."""
    parts: list[Part] = [(fmt.cost(run.cost_usd, unpriced=run.unpriced_calls > 0), "text")]
    projected = run.live.get("projected_cost_usd") if run.alive else None
    if projected:
        parts.append((f" of ~{fmt.cost(projected)}", "muted"))
    if not run.cost_usd and not run.unpriced_calls:
        return [("$0.00", "faint")]
    if run.unpriced_calls and not run.cost_usd:
        return [("no price known", "faint")]
    return parts


def provider_parts(run: RunRow) -> list[Part]:
    """Why it does not go on, or goes on slowly; nothing where all is well."""
    if run.state == "interrupted":
        return [("the runner ended in the middle", "accent"), ("  resume goes on from here", "muted")]
    if not run.alive:
        return [(run.reason, "error" if run.state in ("aborted", "error") else "muted")] if run.reason else []
    if run.status == "paused":
        return [("paused", "accent"), (f"  {run.reason.removeprefix('paused ')}" if run.reason else "", "muted")]
    if (outage := run.live.get("outage_s")) is not None:
        return [(f"provider down for {fmt.clock(outage)}", "error"), ("  waiting for it", "muted")]
    holds = [hold for hold in run.live.get("holds") or () if isinstance(hold, dict)]
    if holds:
        longest = max(holds, key=lambda hold: float(hold.get("seconds_left") or 0))
        left = float(longest.get("seconds_left") or 0)
        return [(f"rate limited, {fmt.clock(left)} to wait", "accent")]
    return [(run.reason, "accent")] if run.reason else []
