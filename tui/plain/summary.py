"""A run's totals by domain × level as plain text, and as JSON for scripts."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from modex.core.comparison.wording import WEIGHTED_SCORE, bounded, number_of
from modex.core.config.runconfig import PlannedSample
from modex.core.features.story.figures import level_rows
from modex.core.features.story.since import change_since
from modex.core.foundation.errors import ErrorType, advice_on, advises
from modex.core.reports.conversations import conversation_lines, conversations_of
from modex.core.reports.epochs import epoch_lines, epochs_of
from modex.core.reports.machines import hosts_line
from modex.core.reports.not_scored import not_scored_json, not_scored_of, not_scored_words
from modex.core.reports.pace import pace_json, pace_line
from modex.core.reports.reached import address_of
from modex.core.reports.reading import reading_lines, reading_of
from modex.core.reports.served import served_lines
from modex.core.safety import as_words, clean_line
from modex.core.store.bounds import Bounds, cut_off, open_bounds
from modex.core.store.calls import calls_of
from modex.core.store.reader import Reader
from modex.core.store.rows import RUN_COLUMNS, RunRow
from modex.core.store.soundness import is_number
from modex.core.store.speeds import paces
from modex.core.store.story import count_errors
from modex.core.store.tallies import tallies
from modex.tui.look import format as fmt

LEVELS = (1, 2, 3, 4, 5)
_MOST_KINDS = 5
_NAME = 23
"""Characters of a domain's name: with the figures behind it they make the 80 columns of a terminal."""
_MORE_TOKENS = frozenset({ErrorType.TRUNCATED_OUTPUT, ErrorType.TRUNCATED_REASONING})
"""What the line on cut-off answers says what to do about."""
_NOT_BOUNDED_BY = "not_bounded_by"
_SAID_ELSEWHERE = frozenset(
    {
        "processer",
        "gold_in_answer",
        "pass2",
        "text_tool_calls",
        "looks_like_call",
        "official",
        "instructions",
        "spans",
        "likelihood",
        _NOT_BOUNDED_BY,
    }
)
"""Metrics of a source that stand elsewhere in the summary, or in other words."""
_INWARD = frozenset({"id", "seq", "live", "plan"})
"""Columns of a run that mean nothing outside of modex."""


def summary_text(reader: Reader, run: RunRow) -> str:
    """The matrix with scores and n, the Weighted Scores, counts, tokens, cost and time."""
    scores = {(row["domain"], row["level"]): row for row in reader.level_scores(run.id)}
    domains = dict(reader.domain_scores([run.id]).get(run.id, []))
    counted = list(tallies(reader, run.id))
    scored = {(cell.domain, cell.level): cell.scored for cell in counted}
    every = open_bounds(reader, run)
    names = list(dict.fromkeys(domain for domain, _ in scores)) or list(domains)
    width = max([12, *(len(clean_line(name, _NAME)) for name in names)])
    lines = [
        f"{'':{width}}  " + "".join(f"{'level ' + str(level):>8}" for level in LEVELS) + f"{'weighted':>9}{'n':>6}"
    ]
    for domain in names:
        cells = ""
        count = 0
        for level in LEVELS:
            row = scores.get((domain, level))
            ends = every.ends(domain, level)
            score = row["average_score"] if row else None
            cells += f"{fmt.least(score, ends) if row or ends else '':>8}"
            count += scored.get((domain, level), 0)
        weighted = fmt.least(domains.get(domain), every.ends(domain))
        lines.append(f"{clean_line(domain, _NAME):{width}}  {cells}{weighted:>9}{count:>6}")
    open_ = every.whole
    lines += ["", headline(run, open_.ends if open_ else None)]
    if lost := not_scored_words(not_scored_of(reader, run)):
        lines.append(lost)
    lines += _bounds(run, open_)
    if _is_first(reader, run):
        lines.append(WEIGHTED_SCORE)
    lines += _planned(reader, run)
    lines.append(_tally(run))
    lines += _errors(reader, run)
    if found := reader.found_limits(run.id):
        lines.append(clean_line(found, 400))
    if pace := paces(reader, run.id).get(None):
        lines.append(pace_line(pace))
    if hosts := hosts_line(run):
        lines.append(hosts)
    if address := address_of(run):
        lines.append(f"asked at {address}")
    lines += served_lines(run)
    if (epochs := epochs_of(reader, run)) is not None:
        lines += [clean_line(line, 600) for line in epoch_lines(epochs)]
    if (talks := conversations_of(reader, run)) is not None:
        lines += [clean_line(line, 600) for line in conversation_lines(talks)]
    lines += [clean_line(line, 600) for line in reading_lines(run)]
    lines += [clean_line(line, 400) for line in _judging(reader, run)]
    lines += _since(reader, run)
    lines += [line for source, metrics in run.metrics.items() if source != "suite" for line in _source(source, metrics)]
    return "\n".join(lines)


def _is_first(reader: Reader, run: RunRow) -> bool:
    """Whether it is the only run here: whoever reads it may not know the number."""
    return run.overall_score is not None and reader.count_runs() == 1


def _bounds(run: RunRow, found: Bounds | None) -> list[str]:
    """What lacks a verdict, between which scores that leaves the run, and how to ask the cut-off answers again."""
    if found is None:
        return []
    words = f"{found.number:,} without a verdict: all wrong {fmt.hundred(found.low, 1)}, all right {fmt.hundred(found.high, 1)}"
    if found.cut_off:
        words += f"; {found.cut_off:,} answer{' was' if found.cut_off == 1 else 's were'} cut off"
    if found.may_need_tokens:
        which = "them" if found.may_need_tokens == found.cut_off else f"{found.may_need_tokens} of them"
        words += f"; `modex resume {as_words(run.exp_id)} --more-tokens N` asks only {which} again"
    return [words]


def _errors(reader: Reader, run: RunRow) -> list[str]:
    """The most frequent kinds of error, each with what to do; not where the run's own end or the cut-off line says it."""
    if not run.error_tests or advises(run.reason or ""):
        return []
    kinds = [
        (kind, number, advice_on(kind, by_agent=bool(run.config.get("agent"))))
        for kind, number in count_errors(reader, run.id)
        if kind not in _MORE_TOKENS
    ]
    return [f"{number} {kind}: {advice}" for kind, number, advice in kinds[:_MOST_KINDS] if advice]


def _planned(reader: Reader, run: RunRow) -> list[str]:
    """What was promised of a sample that a budget chose, and what was got."""
    selection = run.config.get("selection")
    stored = selection.get("planned") if isinstance(selection, dict) else None
    try:
        planned = PlannedSample.model_validate(stored) if stored else None
    except ValueError:
        return []
    if planned is None:
        return []
    spread, calls = fmt.spread(run.ci_low, run.ci_high), calls_of(reader, run.id)
    more = f", {calls.pass2} answers read by PASS 2" if calls.pass2 else ""
    more += f", {calls.judged} by a judge" if calls.judged else ""
    cost = f" and {fmt.cost(planned.cost_usd)}" if planned.cost_usd is not None else ""
    return [
        f"planned: {len(planned.tests)} tests, ±{100 * planned.half_width:.1f}, {planned.calls} calls{cost}; got:"
        f" {run.passed_tests + run.failed_tests} with a verdict, {'±' + spread if spread else 'no interval'},"
        f" {calls.model} calls to the model (retries included){more}"
    ]


def _judging(reader: Reader, run: RunRow) -> list[str]:
    """What people's labels make of what LLM judges said."""
    if not run.judged_by:
        return []
    from modex.core.features.certify.rule import corrected_lines  # with statistics that most summaries do without

    return corrected_lines(reader, run)


def _since(reader: Reader, run: RunRow) -> list[str]:
    """How far the score moved since the run before of the same model, over the tests that both have."""
    found = change_since(reader, run) if not run.alive else None
    if found is None or found.overall is None:
        return []
    from modex.core.comparison.wording import headline as difference_line
    from modex.core.comparison.wording import other_rules_words, verdict

    before = clean_line(found.first.exp_id)
    words = other_rules_words(len(found.other_rules or ()))
    return [
        f"since {before}: {difference_line(found.overall)}; {verdict(found.overall)}",
        *([f"{words}: modex changes {as_words(found.first.exp_id, run.exp_id)}"] if words else []),
    ]


def headline(run: RunRow, bounds: tuple[float, float] | None = None) -> str:
    """`Weighted Score 71.4 ±5.2 (n 180, 1 error)`, and what else its reader has to know of the answers.

    `bounds` are the scores that samples without a verdict leave it between: `Weighted Score 40.0 to 100.0 (100.0 of n 8, …)`.
    """
    spread = fmt.spread(run.ci_low, run.ci_high)
    interval = f" ±{spread}" if spread and bounds is None else ""
    scored = run.passed_tests + run.failed_tests
    errors = f", {run.error_tests} error{'s' if run.error_tests != 1 else ''}" if run.error_tests else ""
    invented = _counted(run, "extractor_only")
    own = f", {invented} answer{'s' if invented != 1 else ''} of PASS 2 not in the response" if invented else ""
    described = _counted(run, "text_protocol")
    text = f", {described} answer{'s' if described != 1 else ''} with tools as text" if described else ""
    score = f"{fmt.hundred(run.overall_score, 1)}{interval}"
    if bounds is not None:
        return f"Weighted Score {bounded(*bounds)} ({score} of n {scored}{errors}{own}{text})"
    return f"Weighted Score {score} (n {scored}{errors}{own}{text})"


def _counted(run: RunRow, metric: str) -> int:
    """A count that only sources with something to count have, over all sources."""
    counts = (metrics.get(metric) for metrics in run.metrics.values() if isinstance(metrics, dict))
    return sum(count for count in counts if isinstance(count, int))


def _tally(run: RunRow) -> str:
    parts = [
        f"{run.passed_tests} passed",
        f"{run.failed_tests} failed",
        f"{run.error_tests} error",
        f"{run.skipped_tests} skipped",
        f"{fmt.count(run.prompt_tokens)} + {fmt.count(run.completion_tokens)} tokens",
        fmt.cost(run.cost_usd, unpriced=bool(run.unpriced_calls))
        + (" (some prices unknown)" if run.unpriced_calls else ""),
        fmt.clock(run.duration_ms / 1000),
    ]
    waiting = run.total_tests - run.done_tests
    if waiting:
        parts.insert(4, f"{waiting} waiting")
    return "  ".join(parts)


def _source(source: str, metrics: dict[str, Any]) -> list[str]:
    """What a source's processer calculated, a line per number and one for each group."""
    lines = [f"\n{clean_line(source, 40)} ({clean_line(str(metrics.get('processer', '')), 40)})"]
    for name, value in metrics.items():
        if name not in _SAID_ELSEWHERE:
            lines.append(f"  {clean_line(name, 30):<14} {_value(value)}")
    if isinstance(lost := metrics.get(_NOT_BOUNDED_BY), int) and lost:
        lacking = f"{number_of(lost, 'sample')} without a verdict"
        lines.append(f"  these numbers are the processer's own: {lacking} may move them, and nothing says how far")
    return lines


def _ends(rate: dict[str, Any]) -> tuple[Any, Any]:
    """What a source's rate is with all that lacks a verdict wrong, and all right."""
    return rate.get("if_all_wrong"), rate.get("if_all_right")


def _value(value: Any) -> str:
    if isinstance(value, dict) and "rate" in value and (value["rate"] is None or is_number(value["rate"])):
        if value["rate"] is None and not value.get("without_verdict"):
            return "– (n 0)"
        ends = [value.get(name) for name in ("ci_low", "ci_high")]
        interval = f" ({fmt.hundred(ends[0], 1)}–{fmt.hundred(ends[1], 1)})" if all(map(is_number, ends)) else ""
        if (lost := value.get("without_verdict")) and all(map(is_number, _ends(value))):
            low, high = _ends(value)
            return f"{bounded(low, high)} % ({fmt.hundred(value['rate'], 1)} of n {value.get('n', '')}, {lost} without a verdict)"
        return f"{fmt.hundred(value['rate'], 1)} %{interval} n {value.get('n', '')}"
    if isinstance(value, dict):
        return "  ".join(f"{clean_line(str(key), 30)} {_value(item)}" for key, item in value.items())
    if value is None:
        return fmt.NONE
    if isinstance(value, float):
        return f"{value:.4g}"
    return clean_line(str(value), 200)


def run_json(run: RunRow) -> dict[str, Any]:
    """A run as scripts get it: every stored column, its state, and how many answers had tools as text."""
    return {
        **{name: getattr(run, name) for name in RUN_COLUMNS if name not in _INWARD},
        "state": run.state,
        "text_protocol": _counted(run, "text_protocol"),
    }


def summary_json(reader: Reader, run: RunRow) -> dict[str, Any]:
    """`run_json` with the level scores, the domains' Weighted Scores, and what several epochs say."""
    from modex.core.features.certify.rule import judging_json
    from modex.core.features.compare.compare import comparison_json

    every = open_bounds(reader, run)
    return {
        **run_json(run),
        "levels": level_rows(reader, run, every),
        "domains": dict(reader.domain_scores([run.id]).get(run.id, [])),
        "domain_bounds": {domain: one.ends for domain, one in every.domains.items()},
        "bounds": asdict(every.whole) if every.whole is not None else None,
        "not_scored": not_scored_json(not_scored_of(reader, run)),
        "cut_off": asdict(cut) if (cut := cut_off(reader, run.id)) is not None else None,
        "pace": pace_json(paces(reader, run.id)),
        "reading": reading_of(run).as_dict(),
        "since": comparison_json(change) if (change := change_since(reader, run)) is not None else None,
        "judging": judging_json(reader, run),
        "epochs": epochs.as_dict() if (epochs := epochs_of(reader, run)) is not None else None,
        "conversations": talks.as_dict() if (talks := conversations_of(reader, run)) is not None else None,
    }
