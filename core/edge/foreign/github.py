"""A run as one Markdown table for a pull request or `$GITHUB_STEP_SUMMARY`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from modex.core.comparison.wording import headline, shown_score, verdict
from modex.core.features.certify.rule import corrected_lines
from modex.core.features.story.story import ReasonCount, story_of
from modex.core.foundation.parties import party_of
from modex.core.reports.comment import as_comment
from modex.core.reports.conversations import conversation_lines
from modex.core.reports.epochs import epoch_lines
from modex.core.reports.markdown import one_line
from modex.core.reports.not_scored import not_scored_words
from modex.core.reports.pace import pace_line
from modex.core.reports.reading import reading_lines
from modex.core.reports.reasons import with_reasons
from modex.core.statistics.distributions import LEVEL_TEXT
from modex.core.store.bounds import Open, open_bounds
from modex.core.store.reader import Reader, SampleQuery, expected_text
from modex.core.store.rows import RunRow, SampleHead
from modex.core.store.tallies import CellTally, tallies

MOST_FAILURES = 50
"""Failures that are listed."""
MOST_DOMAINS = 100
"""Domains that have a row."""
_SIGNS = {"completed": "✅", "running": "⏳", "paused": "⏸"}


def github_table(reader: Reader, run: RunRow, query: SampleQuery) -> Iterator[str]:
    """The run's table, its reasons and its first failures that match, in pieces."""
    yield from as_comment(run, _table(reader, run, query))


def _table(reader: Reader, run: RunRow, query: SampleQuery) -> Iterator[str]:
    every = open_bounds(reader, run)
    open_ = every.whole
    score = shown_score(run.overall_score, open_.ends if open_ is not None else None)
    sign = "⚠️" if run.state == "completed" and run.error_tests else _SIGNS.get(run.state, "❌")
    yield f"### {sign} {one_line(run.model)}: {score} of 100"
    if open_ is None and run.ci_low is not None and run.ci_high is not None:
        yield f" ({LEVEL_TEXT}: {_score(run.ci_low)} to {_score(run.ci_high)})"
    if open_ is not None:
        scored = run.passed_tests + run.failed_tests
        yield f" ({_score(run.overall_score)} over the {scored:,} with a verdict; {open_.number:,} without a verdict)"
    counts = (
        f"{run.passed_tests} passed, {run.failed_tests} failed, {run.error_tests} errors, {run.skipped_tests} skipped"
    )
    cost = f"${run.cost_usd:.4f}" if not run.unpriced_calls else f"cost of {run.unpriced_calls:,} calls unknown"
    yield f"\n\n{one_line(run.exp_id)}, {one_line(run.state)}: {counts}, {cost}\n\n"
    yield from _matrix(reader, run, every)
    story = story_of(reader, run)
    if story.change is not None and (change := story.change.overall) is not None:
        yield f"Against {one_line(story.change.first.exp_id)}: {headline(change)}; {verdict(change)}\n\n"
    if story.pace is not None:
        yield f"{pace_line(story.pace)}\n\n"
    if story.conversations is not None:
        yield from (f"{one_line(line, 600)}\n\n" for line in conversation_lines(story.conversations))
    if story.epochs is not None:
        yield from (f"{one_line(line, 600)}\n\n" for line in epoch_lines(story.epochs))
    yield from (f"{one_line(line, 600)}\n\n" for line in [*reading_lines(run), *corrected_lines(reader, run)])
    yield from _counted("why tests failed", story.reasons)
    if words := not_scored_words(story.not_scored):
        yield f"**{one_line(words, 600)}**\n\n"
    yield from _failures(reader, run, query)


def _matrix(reader: Reader, run: RunRow, every: Open) -> Iterator[str]:
    cells = {(cell.domain, cell.level): cell for cell in tallies(reader, run.id)}
    if not cells:
        return
    levels = sorted({level for _, level in cells})
    domains = dict(reader.domain_scores([run.id]).get(run.id, []))
    yield f"| domain | {' | '.join(f'level {level}' for level in levels)} | weighted |\n"
    yield f"|---|{'---:|' * (len(levels) + 1)}\n"
    names = list(dict.fromkeys(domain for domain, _ in cells))
    for domain in names[:MOST_DOMAINS]:
        row = [_cell(cells.get((domain, level)), every) for level in levels]
        weighted = shown_score(domains.get(domain), every.ends(domain))
        yield f"| {one_line(domain, 80)} | {' | '.join(row)} | {weighted} |\n"
    yield (
        f"\n{len(names) - MOST_DOMAINS} more domains: `modex export --format md`\n\n" if names[MOST_DOMAINS:] else "\n"
    )


def _cell(cell: CellTally | None, every: Open) -> str:
    ends = every.ends(cell.domain, cell.level) if cell is not None else None
    if cell is None or (cell.scored == 0 and ends is None):
        return ""
    return f"{shown_score(cell.score, ends)} ({cell.passed}/{cell.scored})"


def _counted(title: str, found: tuple[ReasonCount, ...]) -> Iterator[str]:
    if found:
        words = "; ".join(f"{one.number} × {one_line(one.text, 120)}" for one in found)
        yield f"**{title}**: {words}\n\n"


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
            f"| {one_line(_name(head), 160)} | {one_line(expected_text(head), 80)} | {one_line(head.extracted_answer or '', 80)}"
            f" | {f'{party}: ' if (party := party_of(head)) else ''}{one_line(why or head.error_type or '', 160)} |\n"
        )
    yield "\n</details>\n"


def _name(head: SampleHead) -> str:
    epoch = f" #{head.epoch}" if head.epoch > 1 else ""
    return f"{head.domain}/{head.level}/{head.test_id}{epoch}"


def _score(score: float | None) -> str:
    return "–" if score is None else f"{100 * score:.1f}"
