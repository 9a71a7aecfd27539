"""Which transcript this is, in one line: what was asked, how it stands, what it took; and how a search in it stands."""

from __future__ import annotations

from modex.core.reports.machines import host_fact
from modex.core.store.rows import RunRow
from modex.core.store.sample import EvaluationSample
from modex.tui.look import format as fmt
from modex.tui.look.glyphs import Glyphs
from modex.tui.look.paint import Line, Part, columns
from modex.tui.widgets.transcript_view import TranscriptView

_GAP = 2
"""Columns, besides one that is always there, between the facts and what stands at the right end."""


def heading(sample: EvaluationSample, run: RunRow | None, glyphs: Glyphs, room: int) -> Line:
    """A sample of `run` in one line of `room` columns: what, how it stands, and of what it took as much as fits whole."""
    epoch = f" #{sample.epoch}" if sample.epoch > 1 else ""
    scored = sample.score is not None and sample.status in ("passed", "failed")
    score = f" {fmt.one(sample.score)}" if scored else ""
    line: list[Part] = [
        (f"{sample.domain} / {sample.level} / ", "muted"),
        (f"{sample.test_id}{epoch}", "title"),
        (f"   {glyphs.status(sample.status)} {sample.status}{score}", sample.status),
    ]
    facts: list[str] = []
    if sample.duration_ms:
        facts.append(fmt.seconds(sample.duration_ms))
    if sample.prompt_tokens or sample.completion_tokens:
        facts.append(f"{fmt.compact(sample.prompt_tokens)}+{fmt.compact(sample.completion_tokens)} tok")
    estimated = "speed_estimated" in sample.flags
    facts += fmt.speed(sample.ttft_ms, sample.output_tokens_per_s, sample.thinking_ms, estimated=estimated)
    if sample.cost_usd:
        facts.append(fmt.cost(sample.cost_usd))
    if run is not None and (where := host_fact(run, sample)):
        facts.append(where)
    for fact in facts:
        if columns(line) + len(fact) + 3 + _GAP <= room:
            line.append((f"   {fact}", "muted"))
    return line


def search_state(view: TranscriptView) -> Line:
    """How many places a search found and which of them is selected; nothing while nothing is searched."""
    matches = view.matches
    if not matches.words:
        return ()
    if not len(matches):
        return [("not found", "failed")]
    number = f"{view.current + 1} of " if view.current >= 0 else ""
    return [(f"{number}{fmt.count(len(matches))} found", "accent")]
