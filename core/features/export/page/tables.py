"""The page's tables: the heat matrix of one run, of several side by side, and the runs in a row each."""

from __future__ import annotations

from collections.abc import Sequence

from modex.core.comparison.wording import WEIGHTED_SCORE, shown_score, unsettled_words
from modex.core.features.export.page.facts import LEVELS, RunFacts
from modex.core.features.export.page.text import heat, line, money, score, seconds, shown
from modex.core.reports.pace import PACE_TITLES, by_cell, pace_cells, pace_line, pace_row, slow_cells
from modex.core.statistics.distributions import LEVEL_TEXT


def matrix(facts: RunFacts) -> str:
    """Domains by levels; a cell tells its score, how many tests made it, and its errors."""
    rows = []
    for domain in facts.domains:
        cells = "".join(_cell(facts, domain, level) for level in LEVELS)
        rows.append(f'<tr><th scope="row">{line(domain, 40)}</th>{cells}{_weighted(facts, domain)}</tr>')
    levels = "".join(f'<th scope="col">level {level}</th>' for level in LEVELS)
    return (
        f'<table class="matrix"><thead><tr><th>domain</th>{levels}<th scope="col">weighted</th></tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table>\n"
    )


def _weighted(facts: RunFacts, domain: str) -> str:
    """A domain's Weighted Score; coloured by what is certain of it."""
    weighted, ends = facts.domains.get(domain), facts.open.ends(domain)
    return f'<td class="{heat(ends[0] if ends else weighted)}"><b>{shown_score(weighted, ends)}</b></td>'


def _cell(facts: RunFacts, domain: str, level: int) -> str:
    cell = facts.cells.get((domain, level))
    if cell is None:
        return '<td class="none"></td>'
    ends = facts.open.ends(domain, level)
    low, high = facts.intervals.get((domain, level), (None, None))
    between = f", {LEVEL_TEXT}: {score(low)} to {score(high)}" if low is not None and high is not None else ""
    if ends is not None:
        words = unsettled_words(facts.open.cells[domain, level].number, ends)
        between = f", {score(cell.score)} over those with a verdict, {words}"
    errors = f' <i class="error">!{cell.error}</i>' if cell.error else ""
    told = f"{cell.passed} passed, {cell.failed} failed, {cell.error} errors, {cell.skipped} skipped{between}"
    if pace := facts.paces.get((domain, level)):
        told += f"; {pace_line(pace)}"
    return (
        f'<td class="{heat(ends[0] if ends else cell.score)}" title="{told}">'
        f'<button class="pick" data-d="{line(domain, 200)}" data-l="{level}">'
        f"{shown_score(cell.score, ends)} <small>n {cell.scored}</small>{errors}</button></td>"
    )


def side_by_side(several: Sequence[RunFacts]) -> str:
    """Domains by levels, with a line for each run in every cell."""
    domains = dict.fromkeys(domain for facts in several for domain in facts.domains)
    rows = []
    for domain in domains:
        asked = [facts for facts in several if domain in facts.domains]
        for number, facts in enumerate(asked):
            first = f'<th scope="row" rowspan="{len(asked)}">{line(domain, 40)}</th>' if not number else ""
            cells = "".join(_plain(facts, domain, level) for level in LEVELS)
            rows.append(
                f'<tr class="{"begin" if not number else ""}">{first}<td class="name">{line(facts.run.exp_id, 40)}</td>{cells}'
                f"{_weighted(facts, domain)}</tr>"
            )
    levels = "".join(f'<th scope="col">level {level}</th>' for level in LEVELS)
    return (
        f'<table class="matrix"><thead><tr><th>domain</th><th>run</th>{levels}<th scope="col">weighted</th></tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table>\n"
    )


def _plain(facts: RunFacts, domain: str, level: int) -> str:
    cell = facts.cells.get((domain, level))
    if cell is None:
        return '<td class="none"></td>'
    ends = facts.open.ends(domain, level)
    return (
        f'<td class="{heat(ends[0] if ends else cell.score)}">{shown_score(cell.score, ends)}'
        f" <small>n {cell.scored}</small></td>"
    )


def runs(several: Sequence[RunFacts]) -> str:
    """A row a run: score with interval, counts, cost and time."""
    rows = "".join(
        f'<tr><th scope="row">{line(facts.run.exp_id, 60)}</th><td class="name">{line(facts.run.model, 60)}</td>'
        f'<td class="{heat(_sure(facts))}"><b>{_whole(facts)}</b></td><td>{interval(facts)}</td>'
        f"<td>{facts.run.passed_tests + facts.run.failed_tests}</td><td>{facts.run.error_tests}</td>"
        f"<td>{money(facts.run.cost_usd, facts.run.unpriced_calls)}</td><td>{seconds(facts.run.duration_ms)}</td>"
        f"{_pace(facts)}</tr>"
        for facts in several
    )
    heads = "".join(
        f'<th scope="col">{name}</th>'
        for name in ("model", "score", LEVEL_TEXT, "n", "errors", "cost", "time", *_SPEEDS)
    )
    return f'<table class="runs"><thead><tr><th>run</th>{heads}</tr></thead><tbody>{rows}</tbody></table>\n'


_SPEEDS = ("first token", "tokens/s", "thinking")


def _pace(facts: RunFacts) -> str:
    """Medians, each with its slow end."""
    pace = facts.paces.get(None)
    return "".join(
        f"<td>{middle} <small>p95: {slow}</small></td>" if middle else "<td>–</td>"
        for middle, slow in zip(pace_cells(pace), slow_cells(pace), strict=True)
    )


def speeds(facts: RunFacts) -> str:
    """First-token time, output tokens a second and thinking time of each cell; nothing where nothing was streamed."""
    if not facts.paces:
        return ""
    rows = "".join(
        f'<tr><th scope="row">{line(name, 60)}</th>'
        + "".join(f"<td>{cell or '–'}</td>" for cell in pace_row(pace))
        + "</tr>"
        for name, pace in zip(*by_cell(facts.paces), strict=True)
    )
    heads = "".join(f'<th scope="col">{title}</th>' for title in PACE_TITLES)
    return (
        "<section><h2>Speed <small>medians, and what 95 of 100 answers are not slower than</small></h2>"
        f'<table class="runs"><thead><tr><th>cell</th>{heads}</tr></thead><tbody>{rows}</tbody></table></section>\n'
    )


def interval(facts: RunFacts) -> str:
    """The interval of the overall score; none beside bounds, than which it is narrower."""
    low, high = facts.run.ci_low, facts.run.ci_high
    return "" if low is None or high is None or facts.bounds is not None else f"{score(low)} to {score(high)}"


def _whole(facts: RunFacts) -> str:
    """The score, or the scores that it lies between."""
    found = facts.bounds
    return shown_score(facts.run.overall_score, found.ends if found is not None else None)


def _sure(facts: RunFacts) -> float | None:
    """What is certain of the score."""
    return facts.bounds.low if facts.bounds is not None else facts.run.overall_score


def _open(facts: RunFacts) -> list[str]:
    """What lacks a verdict."""
    found, run = facts.bounds, facts.run
    if found is None:
        return []
    words = unsettled_words(found.number, (found.low, found.high))
    return [f"{score(run.overall_score)} over the {run.passed_tests + run.failed_tests:,} with a verdict; {words}."]


_WORDS = ("to the first token", "tokens/s", "thinking")


def headline(facts: RunFacts) -> str:
    """The numbers that a reader looks for first."""
    run = facts.run
    tokens = f"{run.prompt_tokens:,} in, {run.completion_tokens:,} out"
    speed = []
    if (answer := facts.answer_ms) is not None:
        speed.append(f"{seconds(answer.median)} an answer <small>(p95: {seconds(answer.p95)})</small>")
    pace = facts.paces.get(None)
    for middle, slow, words in zip(pace_cells(pace), slow_cells(pace), _WORDS, strict=True):
        if middle:
            speed.append(f"{middle} {words} <small>(p95: {slow})</small>")
    values = [
        ("Weighted Score", f'<strong title="{WEIGHTED_SCORE}">{_whole(facts)}</strong> <small>of 100</small>'),
        (LEVEL_TEXT, interval(facts) or "–"),
        ("passed", f'<span class="passed">{run.passed_tests}</span>'),
        ("failed", f'<span class="failed">{run.failed_tests}</span>'),
        ("errors", f'<span class="error">{run.error_tests}</span>'),
        ("skipped", str(run.skipped_tests)),
        ("cost", money(run.cost_usd, run.unpriced_calls)),
        ("time", seconds(run.duration_ms)),
        ("tokens", tokens),
        ("speed (median)", ", ".join(speed) or "–"),
    ]
    listed = "".join(f"<div><dt>{name}</dt><dd>{value}</dd></div>" for name, value in values)
    told = [
        WEIGHTED_SCORE,
        *_open(facts),
        *facts.epochs,
        *facts.judging,
        *facts.reading,
        *([facts.hosts] if facts.hosts else []),
        *facts.served,
    ]
    text = "".join(f"<p>{shown(words)}</p>\n" for words in told)
    return f'<dl class="facts">{listed}</dl>\n{text}'


def reasons(facts: RunFacts) -> str:
    """Why tests failed, by how often."""
    if not facts.reasons:
        return ""
    most = facts.reasons[0].count
    items = "".join(
        f'<li><meter max="{most}" value="{reason.count}"></meter><b>{reason.count}</b> {shown(reason.text)}'
        f"<small>{shown(', '.join(f'{domain} {count}' for domain, count in reason.domains))}</small>"
        f"{f'<small>{shown(reason.advice)}</small>' if reason.advice else ''}</li>"
        for reason in facts.reasons
    )
    return f'<section><h2>Frequent reasons</h2><ol class="reasons">{items}</ol></section>\n'
