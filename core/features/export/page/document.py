"""The page from its first byte to its last, in pieces."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from importlib.resources import files

from modex.core.features.export.page import charts, tables
from modex.core.features.export.page.differences import differences
from modex.core.features.export.page.facts import LEVELS, RunFacts, facts_of, history
from modex.core.features.export.page.samples import row
from modex.core.features.export.page.text import line, shown
from modex.core.reports.machines import host_fact, other_limits
from modex.core.store.reader import Reader, SampleQuery
from modex.core.store.rows import RunRow
from modex.core.store.sample import SampleStatus

_ORDER: tuple[tuple[SampleStatus, ...], ...] = (("failed",), ("error",), ("pending", "running", "skipped"), ("passed",))
"""What a reader came for stands first."""


_FILTERS: tuple[SampleStatus, ...] = ("failed", "error", "passed", "skipped", "pending")


def report(reader: Reader, several: Sequence[RunRow], query: SampleQuery) -> Iterator[str]:
    """The report of one run, or of several compared, as one HTML file in pieces.

    The numbers are those of whole runs; `query` chooses the tests that are listed, a page of which is in memory at a time.
    """
    facts = [facts_of(reader, run) for run in several]
    title = " · ".join(run.exp_id for run in several)
    yield _head(title)
    yield f"<header><h1>{line(title, 200)}</h1><p>{_subtitle(several)}</p></header>\n<main>\n"
    yield _overview(reader, facts)
    yield _list_head()
    for statuses in _ORDER:
        wanted = tuple(status for status in statuses if not query.statuses or status in query.statuses)
        for run in several if wanted else ():
            for sample in reader.samples(run.id, replace(query, statuses=wanted)):
                yield row(sample, run.exp_id if len(several) > 1 else "", host_fact(run, sample))
    yield f"</section></main>\n<footer>Made by modex.</footer>\n<script>{_asset('report.js')}</script></body></html>\n"


def _head(title: str) -> str:
    policy = "; ".join(
        (
            "default-src 'none'",
            f"style-src '{_hash('style.css')}'",
            f"script-src '{_hash('report.js')}'",
            "base-uri 'none'",
            "form-action 'none'",
        )
    )
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}"><meta name="referrer" content="no-referrer">'
        f'<meta name="viewport" content="width=device-width"><title>{line(title, 200)}</title>'
        f"<style>{_asset('style.css')}</style></head><body>\n"
    )


def _subtitle(several: Sequence[RunRow]) -> str:
    if len(several) > 1:
        return f"{len(several)} runs compared"
    (run,) = several
    begun = f", begun {line(run.started_at[:16].replace('T', ' '), 20)} UTC" if run.started_at else ""
    note = f"<br>{line(run.note, 400)}" if run.note else ""
    return f"{line(run.model, 120)}, {line(run.state, 20)}{begun}{note}"


def _overview(reader: Reader, several: Sequence[RunFacts]) -> str:
    if len(several) > 1:
        runs = [facts.run for facts in several]
        limits = f"<p>{shown(words)}</p>\n" if (words := other_limits(runs)) else ""
        priced = [
            (facts.run.exp_id, facts.run.cost_usd, facts.bounds.low if facts.bounds else facts.run.overall_score)
            for facts in several
            if facts.run.overall_score is not None
        ]
        return (
            f"{tables.runs(several)}{limits}{differences(reader, runs)}"
            f"<section><h2>Scores</h2>{tables.side_by_side(several)}</section>\n"
            f'<section class="charts">{charts.scatter("Score over cost", priced)}</section>\n'
        )
    (facts,) = several
    domains = [(domain, value, "", facts.open.ends(domain)) for domain, value in facts.domains.items()]
    drawn = charts.bars("Levels", [_level(facts, level) for level in LEVELS if _has(facts, level)])
    drawn += charts.bars("Domains", domains) if domains else ""
    past = history(reader, facts.run)
    if len(past) > 1:
        points = [(run.exp_id, run.least_score or 0.0, run.id == facts.run.id) for run in past]
        drawn += charts.timeline("This model's runs so far, whatever they asked", points)
    return (
        f"{tables.headline(facts)}<section><h2>Scores</h2>{tables.matrix(facts)}</section>\n"
        f'<section class="charts">{drawn}</section>\n{tables.reasons(facts)}{tables.speeds(facts)}'
    )


def _has(facts: RunFacts, level: int) -> bool:
    """Whether anything of a level can be said."""
    return level in facts.open.levels or facts.level(level)[1] > 0


def _level(facts: RunFacts, level: int) -> charts.Row:
    value, count = facts.level(level)
    found = facts.open.levels.get(level)
    return f"level {level}", value, f"n {count}", found.ends if found is not None else None


def _list_head() -> str:
    buttons = "".join(f'<button class="f" data-f="{status}">{status}</button>' for status in ("all", *_FILTERS))
    return (
        '<section id="tests"><h2>Tests <small id="count"></small></h2>'
        f'<div class="tools"><input id="q" type="search" placeholder="Search (/)" aria-label="Search in tests">{buttons}'
        '<button id="theme">light or dark (t)</button>'
        "<small>/ search · 1–6 filter · j k move · Enter open · Esc all</small></div>\n"
        '<div class="heads"><span>status</span><span>test</span><span>score</span><span>expected</span><span>got</span>'
        "<span>why</span></div>\n<noscript><p>The lines are complete; opening them needs JavaScript.</p></noscript>\n"
    )


@cache
def _asset(name: str) -> str:
    return (files("modex.core.features.export.page") / name).read_text(encoding="utf-8")


def _hash(name: str) -> str:
    digest = hashlib.sha256(_asset(name).encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"
