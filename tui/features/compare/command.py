"""`modex compare`: two runs test by test."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import click

from modex.core.comparison.difference import Difference
from modex.core.comparison.wording import (
    WHAT_IS_OPEN,
    between,
    bounds_words,
    by_question_words,
    nothing_shared_words,
    number_of,
    open_difference,
    other_questions_words,
    other_rules_words,
    p_value,
    passes_test_words,
    percent,
    those,
    verdict,
)
from modex.core.features.compare.compare import Comparison
from modex.core.features.compare.several import Several
from modex.core.features.compare.tool_use import ToolUse
from modex.core.reports.machines import other_limits
from modex.core.reports.reached import reached_model
from modex.core.statistics.distributions import LEVEL_TEXT
from modex.core.store.rows import RunRow
from modex.core.store.speeds import Pace
from modex.tui.commands.options import (
    Amount,
    complete_runs,
    database_of,
    db_option,
    filter_option,
    json_option,
    print_json,
)
from modex.tui.plain.next_step import say_next


class _Score(click.ParamType[tuple[float, str]]):
    """A score of 0 to 100, with or without its `%`; without one a figure up to 1 is a share, and it is said how it is read."""

    name = "score"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[float, str]:
        """Read it."""
        if isinstance(value, tuple):
            return value
        written = str(value).strip()
        found = Amount(0, 100).convert(written.removesuffix("%").strip(), param, ctx)
        if found > 1 or found == 0 or written.endswith("%"):
            return found / 100, ""
        return found, f"{written} is read as a share, {100 * found:.4g} of 100; `{written}%` is the score of 0 to 100"


@click.command()
@click.argument("runs", nargs=-1, required=True, metavar="FIRST SECOND...", shell_complete=complete_runs)
@click.option("--all", "everything", is_flag=True, help="List every flip, not only the first 40.")
@click.option("--figure", type=_Score(), metavar="VALUE",
              help="A published score, 94.8 or 0.948, beside one run: does its interval hold it, what differs.")  # fmt: skip
@filter_option
@db_option
@json_option
@click.pass_context
def compare(
    ctx: click.Context,
    runs: tuple[str, ...],
    everything: bool,
    figure: tuple[float, str] | None,
    filters: tuple[str, ...],
    db: Path | None,
    as_json: bool,
) -> None:
    """Compare the runs FIRST and SECOND by the tests they share: who flipped, by how much, at what cost.

    --filter takes only the tests of which a sample in either run matches.

    --figure 94.8 lays a published score beside one run instead.

    With more than two runs: their scores over the tests that all have, and which of them can be told apart from the best.
    """
    from modex.core.features.certify.rule import corrected_lines, judging_json
    from modex.core.features.compare.answers import other_answers, other_answers_words
    from modex.core.features.compare.compare import compare as compared
    from modex.core.features.compare.compare import comparison_json
    from modex.core.features.compare.several import compare_several, several_json
    from modex.core.features.speed.rule import compared_lines, points_of, speed_json
    from modex.core.store.reader import Reader
    from modex.core.store.selecting import sample_query
    from modex.core.store.speeds import paces
    from modex.tui.plain.counting import Counting

    if figure is not None:
        if len(runs) != 1 or filters:
            raise click.UsageError("--figure stands beside one run; name one, without --filter", ctx)
        _beside_figure(database_of(ctx, db), runs[0], *figure, as_json=as_json)
        return
    if len(runs) > 2 and filters:
        raise click.UsageError("--filter compares two runs; name two, or leave it out", ctx)
    if len(runs) < 2:
        raise click.UsageError("name at least two runs, or one and --figure VALUE", ctx)
    with closing(Reader(database_of(ctx, db))) as reader:
        rows = [reader.run(name) for name in runs]
        if len(rows) == 2 and all(row.kind == "speed" for row in rows):
            first, second = (points_of(reader, row) for row in rows)
            if as_json:
                print_json({"first": speed_json(first), "second": speed_json(second)})
            else:
                click.echo("\n".join(compared_lines((rows[0].exp_id, rows[1].exp_id), first, second)))
            return
        if len(rows) > 2:
            several = compare_several(reader, rows)
            ranked = [place.run for place in several.places]
            paced = [paces(reader, run.id) for run in ranked]
            if as_json:
                print_json({**several_json(several), **_paces_and_hosts(ranked, paced)})
                return
            click.echo("\n".join(several_lines(several)))
            if limits := other_limits(ranked):
                click.echo(f"\n{limits}")
            _show_paces(ranked, paced)
            return
        with Counting(max(row.total_tests for row in rows), "tests", after_s=1.0) as bar:
            query = sample_query(*filters) if filters else None
            comparison = compared(reader, rows[0], rows[1], query=query, progress=bar.step)
        judging = [judging_json(reader, row) for row in rows]
        corrected = [line for row in rows for line in _of(row, corrected_lines(reader, row))]
        paced = [paces(reader, row.id) for row in rows]
        others = other_answers(reader, *rows)
    if as_json:
        print_json(
            {
                **comparison_json(comparison),
                "judging": judging,
                **_paces_and_hosts(rows, paced),
                "other_answers": others,
            }
        )
        return
    answers = other_answers_words(others, *rows)
    for line in [*comparison_lines(comparison, most=None if everything else 40), *answers, *corrected]:
        click.echo(line)
    _show_paces(rows, paced)
    say_next("is the second good enough", "gate", *(row.exp_id for row in rows), database=reader.path)


def _beside_figure(database: Path, name: str, figure: float, read_as: str, *, as_json: bool) -> None:
    """Print a published score beside a run.

    Raises:
        StoreError: no such run, or it has no score yet.
    """
    from modex.core.features.compare.figure import figure_json, figure_lines, published
    from modex.core.foundation.errors import StoreError
    from modex.core.safety import clean_line
    from modex.core.store.reader import Reader

    with closing(Reader(database)) as reader:
        run = reader.run(name)
        found = published(reader, run, figure)
    if found is None:
        raise StoreError(f"run '{run.exp_id}' has no score with an interval yet; `modex stat {run.exp_id}` makes it")
    if as_json:
        print_json({"exp_id": run.exp_id, **figure_json(found)})
        return
    for line in (*figure_lines(found), *([read_as] if read_as else [])):
        click.echo(clean_line(line, 600))


def _show_paces(runs: Sequence[RunRow], paced: Sequence[Mapping[tuple[str, int] | None, Pace]]) -> None:
    from modex.core.reports.pace import pace_table

    if any(paced):
        click.echo("\n" + "\n".join(pace_table([run.exp_id for run in runs], [one.get(None) for one in paced])))


def _paces_and_hosts(
    runs: Sequence[RunRow], paced: Sequence[Mapping[tuple[str, int] | None, Pace]]
) -> dict[str, list[Any]]:
    """How fast each run's answers came, and on which machines it was asked."""
    from modex.core.reports.pace import pace_json

    return {"pace": [pace_json(one) for one in paced], "hosts": [run.hosts for run in runs]}


def _of(run: RunRow, lines: list[str]) -> list[str]:
    """Lines about a run's judges, under its name."""
    from modex.core.safety import clean_line

    return [clean_line(f"{run.exp_id}  {line}", 400) for line in lines]


def several_lines(found: Several) -> Iterator[str]:
    """Several runs as text: a group of the best, then those that are told apart from it."""
    from modex.core.features.compare.several import OPEN_PLACE, open_lines
    from modex.core.safety import clean_line

    if not found.n:
        yield "the runs share no test that all have a verdict for"
        return
    tests = those(found.n, "test")
    yield f"Weighted Scores over the {tests} that all {len(found.places)} runs have a verdict for; * may be the best"
    yield f"\n  {'run':<30} {'score':>6} {'against the best':>17}  {LEVEL_TEXT:<16} {'p (Holm)':>9}"
    for place in found.places:
        mark = " " if place.worse else "*"
        name = clean_line(place.run.exp_id, 30)
        score = f"{100 * place.score:.1f}" if place.score is not None else "–"
        open_ = OPEN_PLACE if place.open_place else " "
        if place.against_best is None:
            yield f"{mark} {name:<30} {score:>6}{open_} {'best':>16}".rstrip()
            continue
        low, high = place.against_best.interval or (-1.0, 1.0)
        yield (
            f"{mark} {name:<30} {score:>6}{open_} {100 * place.against_best.difference:>+16.1f}"
            f"  {f'{100 * low:+.1f} to {100 * high:+.1f}':<16} {p_value(place.holm_p):>9}"
        )
    yield from (clean_line(line, 400) for line in open_lines(found))
    if len(found.domains) > 1:
        names = [clean_line(place.run.exp_id, 16) for place in found.places]
        yield f"\n  {'Weighted Score by domain':<24} {'n':>5}  {'  '.join(f'{name:>16}' for name in names)}"
        for row in found.domains:
            figures = (
                f"{100 * score:.1f}{' ' if worse else '*'}" for score, worse in zip(row.scores, row.worse, strict=True)
            )
            yield f"  {clean_line(row.domain, 24):<24} {row.n:>5}  {'  '.join(f'{figure:>16}' for figure in figures)}"
    yield "\np after Holm's correction over all pairs of runs: the best was chosen by looking at the same tests"


_NAME = 21
"""Characters of a domain's name: with the figures behind it they make the 80 columns of a terminal."""


def _whole(run: RunRow) -> str:
    """A run's own score, with what lacks a verdict in it."""
    from modex.core.comparison.wording import unsettled_words
    from modex.tui.look import format as fmt

    open_ = unsettled_words(run.unsettled, run.bounds)
    return f"{fmt.hundred(run.overall_score, 1)}{f' ({open_})' if open_ else ''}"


def comparison_lines(comparison: Comparison, *, most: int | None) -> Iterator[str]:
    """The comparison as text: the answer first, then domains, flips, cost, tools."""
    from modex.core.safety import as_words, clean_line
    from modex.tui.look import format as fmt

    one, two = comparison.first, comparison.second
    yield f"first   {clean_line(one.exp_id)}  {reached_model(one)}  {_whole(one)}"
    yield f"second  {clean_line(two.exp_id)}  {reached_model(two)}  {_whole(two)}"
    overall = comparison.overall
    unpaired = other_questions_words(comparison.questions.otherwise, comparison.questions.twice)
    if overall is None:
        yield nothing_shared_words(comparison.questions.otherwise, comparison.questions.twice)
        return
    yield f"\nover the {those(overall.n, 'test')} that both have a verdict for, second against first:"
    yield (
        f"Weighted Score  {_change(overall.first_score, overall.second_score)}   {_points(overall.difference)}"
        f"   {between(overall.interval)}   p {p_value(overall.p_value)}"
    )
    if words := bounds_words(overall):
        yield f"{'':<16}{words}"
    turned = "pass rate "
    if overall.several_answers:
        yield f"pass rate       {_change(overall.first_rate, overall.second_rate)}   of all answers, each epoch one"
        turned = "tests passed "
    passed = overall.first_passed / overall.n, overall.second_passed / overall.n
    yield (
        f"{turned:<16}{_change(*passed)}   {overall.lost} lost, {overall.gained} gained   {passes_test_words(overall)}"
    )
    yield (
        f"mean score      {_change(overall.first_mean, overall.second_mean)}   {_points(overall.mean)}"
        f"   {between(overall.mean_interval)}"
    )
    yield f"\n{verdict(overall)}"
    yield from _without_verdict(comparison, overall)
    if words := other_rules_words(None if comparison.other_rules is None else len(comparison.other_rules)):
        flips = f" ({comparison.flips_of_rules:,} of {len(comparison.flips):,} flips)" if comparison.flips else ""
        yield f"{words}{flips}: modex changes {as_words(one.exp_id, two.exp_id)}"
    if len(comparison.domains) > 1:
        yield (
            f"\n{'Weighted Score of':{_NAME}}{'n':>5} {'first':>5} {'second':>6} {'diff':>6}  {LEVEL_TEXT:<16}"
            f" {'- +':>8} {'p Holm':>6}"
        )
        for domain, difference in comparison.domains.items():
            yield _row(clean_line(domain, _NAME), difference)
            if words := open_difference(difference):
                yield f"{'':{_NAME}}{f'without a verdict wrong or right: {words}':>44}"
    if words := by_question_words(comparison.questions.by_question, clean_line(two.exp_id)):
        yield words
    if unpaired:
        yield unpaired
    for keys, words in ((comparison.only_first, "only in the first"), (comparison.only_second, "only in the second")):
        if keys:
            yield f"{number_of(len(keys), 'test')} {words}"
    yield ""
    for item in comparison.flips[:most]:
        mark = "+" if item.flip == "gained" else "-"
        name = clean_line("/".join(map(str, item.key[1:])), 60)
        notes = "  flaky" if item.key in comparison.flaky else ""
        notes += "  other rules" if item.key in (comparison.other_rules or ()) else ""
        yield f"{mark} {name:<60} {fmt.one(item.first.mean)} → {fmt.one(item.second.mean)}{notes}"
    if most is not None and len(comparison.flips) > most:
        yield f"(+{len(comparison.flips) - most} more: --all)"
    yield (
        f"\ncost {_spent(one)} → {_spent(two)}"
        f"   time {fmt.clock(one.duration_ms / 1000)} → {fmt.clock(two.duration_ms / 1000)}"
        f"   tokens {fmt.compact(one.prompt_tokens + one.completion_tokens)} →"
        f" {fmt.compact(two.prompt_tokens + two.completion_tokens)}"
    )
    if limits := other_limits((one, two)):
        yield limits
    for label, use in zip(("first", "second"), comparison.tools, strict=True):
        if use is not None:
            yield from _tools(label, use)


def _spent(run: RunRow) -> str:
    from modex.tui.look import format as fmt

    return fmt.cost(run.cost_usd, unpriced=bool(run.unpriced_calls))


def _without_verdict(comparison: Comparison, overall: Difference) -> Iterator[str]:
    """Tests that lack a verdict, why, and what that leaves open."""
    for label, found in zip(("first", "second"), comparison.without_verdict, strict=True):
        parts = [
            f"{count} {words}"
            for count, words in (
                (found.cut_off, "cut off"),
                (found.errors, "error" if found.errors == 1 else "errors"),
                (found.waiting, "waiting"),
                (found.skipped, "skipped"),
            )
            if count
        ]
        if parts:
            yield f"tests without a verdict in the {label}: {', '.join(parts)}"
    if bounds_words(overall):
        yield WHAT_IS_OPEN


def _change(first: float, second: float) -> str:
    return f"{100 * first:5.1f} → {100 * second:5.1f}"


def _points(difference: float) -> str:
    return f"{100 * difference:+5.1f} points"


def _row(name: str, difference: Difference) -> str:
    low, high = difference.interval or (None, None)
    interval = f"{100 * low:+.1f} to {100 * high:+.1f}" if low is not None and high is not None else ""
    return (
        f"{name:{_NAME}}{difference.n:>5} {100 * difference.first_score:>5.1f} {100 * difference.second_score:>6.1f}"
        f" {100 * difference.difference:>+6.1f}  {interval:<16} {f'-{difference.lost} +{difference.gained}':>8}"
        f" {p_value(difference.holm_p):>6}"
    )


def _tools(label: str, use: ToolUse) -> Iterator[str]:
    from modex.core.safety import clean_line

    figures = use.as_dict()
    yield (
        f"\ntools of the {label}: {number_of(figures['calls'], 'call')} in {number_of(use.samples, 'sample')},"
        f" {number_of(use.errors, 'error')},"
        f" {figures['mean_iterations']:.1f} iterations on average, {percent(figures['at_limit_share'])} at the limit,"
        f" {number_of(use.lost_in_synthesis, 'answer')} lost in synthesis"
    )
    for title, counts in (("by category", use.categories), ("by tool", use.calls)):
        listed = ", ".join(f"{clean_line(name, 40)} {count}" for name, count in counts.most_common(12))
        yield f"  {title}: {listed or 'none'}"
