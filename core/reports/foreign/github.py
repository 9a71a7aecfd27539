"""A run as one Markdown table for a pull request or `$GITHUB_STEP_SUMMARY`.

The first line is a comment that is the same for every run of a model over a suite, so that a step that posts comments
finds the earlier one and replaces it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from core.reports.certifying import corrected_lines
from core.reports.conversations import conversation_lines
from core.reports.epochs import epoch_lines
from core.reports.markdown import one_line
from core.reports.pace import pace_line
from core.reports.reasons import with_reasons
from core.reports.story import Counted, story_of
from core.reports.wording import headline, verdict
from core.store.reader import Reader, SampleQuery, expected_text
from core.store.rows import RunRow, SampleHead
from core.store.tallies import CellTally, tallies

MOST_FAILURES = 50
"""Failures that are listed: GitHub cuts off a comment at 65,536 characters."""
_SIGNS = {"completed": "✅", "running": "⏳", "paused": "⏸"}


def github_table(reader: Reader, run: RunRow, query: SampleQuery) -> Iterator[str]:
    """The run's table, its reasons and its first failures that match, in pieces."""
    yield f"<!-- modex: {_marker(run)} -->\n"
    yield f"### {_SIGNS.get(run.state, '❌')} {one_line(run.model)}: {_score(run.overall_score)} of 100"
    if run.ci_low is not None and run.ci_high is not None:
        yield f" (95 %: {_score(run.ci_low)} to {_score(run.ci_high)})"
    counts = (
        f"{run.passed_tests} passed, {run.failed_tests} failed, {run.error_tests} errors, {run.skipped_tests} skipped"
    )
    yield f"\n\n{one_line(run.exp_id)}, {one_line(run.state)}: {counts}, ${run.cost_usd:.4f}\n\n"
    yield from _matrix(reader, run)
    story = story_of(reader, run)
    if story.change is not None and (change := story.change.overall) is not None:
        yield f"Against {one_line(story.change.first.exp_id)}: {headline(change)}; {verdict(change)}\n\n"
    if story.pace is not None:
        yield f"{pace_line(story.pace)}\n\n"
    if story.conversations is not None:
        yield from (f"{one_line(line, 600)}\n\n" for line in conversation_lines(story.conversations))
    if story.epochs is not None:
        yield from (f"{one_line(line, 600)}\n\n" for line in epoch_lines(story.epochs))
    yield from (f"{one_line(line, 600)}\n\n" for line in corrected_lines(reader, run))
    yield from _counted("why tests failed", story.reasons)
    yield from _counted("errors", story.errors)
    yield from _failures(reader, run, query)


def _marker(run: RunRow) -> str:
    """The model and what it was asked, as a comment can hold them."""
    chosen = run.config.get("selection")
    selection = chosen if isinstance(chosen, dict) else {}
    datasets = [str(one.get("path")) for one in selection.get("datasets") or () if isinstance(one, dict)]
    asked = ", ".join(datasets) or str(selection.get("suite") or "bundled suite")
    return re.sub(r"-{2,}", "-", re.sub(r"[^\w ./:,-]+", "_", f"{run.model} over {asked}", flags=re.ASCII))


def _matrix(reader: Reader, run: RunRow) -> Iterator[str]:
    cells = {(cell.domain, cell.level): cell for cell in tallies(reader, run.id)}
    if not cells:
        return
    levels = sorted({level for _, level in cells})
    domains = dict(reader.domain_scores([run.id]).get(run.id, []))
    yield f"| domain | {' | '.join(f'level {level}' for level in levels)} | weighted |\n"
    yield f"|---|{'---:|' * (len(levels) + 1)}\n"
    for domain in dict.fromkeys(domain for domain, _ in cells):
        row = [_cell(cells.get((domain, level))) for level in levels]
        yield f"| {one_line(domain)} | {' | '.join(row)} | {_score(domains.get(domain))} |\n"
    yield "\n"


def _cell(cell: CellTally | None) -> str:
    if cell is None or cell.scored == 0:
        return ""
    return f"{_score(cell.score)} ({cell.passed}/{cell.scored})"


def _counted(title: str, found: tuple[Counted, ...]) -> Iterator[str]:
    if found:
        said = "; ".join(f"{one.number} × {one_line(one.text, 120)}" for one in found)
        yield f"**{title}**: {said}\n\n"


def _failures(reader: Reader, run: RunRow, query: SampleQuery) -> Iterator[str]:
    statuses = tuple(status for status in ("failed", "error") if not query.statuses or status in query.statuses)
    if not statuses:
        return
    wanted = replace(query, statuses=statuses)
    heads = with_reasons(reader, reader.heads(run.id, wanted, limit=MOST_FAILURES))
    if not heads:
        return
    total = reader.count(run.id, wanted)
    shown = f"the first {len(heads)} of {total}" if total > len(heads) else f"{total}"
    yield f"<details><summary>Not passed: {shown}</summary>\n\n| test | expected | got | why |\n|---|---|---|---|\n"
    for head in heads:
        why = head.error_message if head.status == "error" else head.reason
        yield (
            f"| {one_line(_name(head))} | {one_line(expected_text(head), 80)} | {one_line(head.extracted_answer or '', 80)}"
            f" | {one_line(why or head.error_type or '', 160)} |\n"
        )
    yield "\n</details>\n"


def _name(head: SampleHead) -> str:
    epoch = f" #{head.epoch}" if head.epoch > 1 else ""
    return f"{head.domain}/{head.level}/{head.test_id}{epoch}"


def _score(score: float | None) -> str:
    return "–" if score is None else f"{100 * score:.1f}"
