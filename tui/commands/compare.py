"""`modex compare`: two runs test by test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

from core.reports.compare import Comparison, Difference
from core.reports.tool_use import ToolUse
from core.store.rows import RunRow
from tui.commands.options import database_of, db_option, json_option, print_json


@click.command()
@click.argument("first")
@click.argument("second")
@click.option("--all", "everything", is_flag=True, help="List every flip, not only the first 40.")
@db_option
@json_option
@click.pass_context
def compare(ctx: click.Context, first: str, second: str, everything: bool, db: Path | None, as_json: bool) -> None:
    """Compare the runs FIRST and SECOND by the tests they share: who flipped, by how much, at what cost."""
    from core.reports.compare import compare as compared
    from core.reports.compare import comparison_json
    from core.store.reader import Reader

    reader = Reader(database_of(ctx, db))
    try:
        comparison = compared(reader, reader.run(first), reader.run(second))
    finally:
        reader.close()
    if as_json:
        print_json(comparison_json(comparison))
        return
    for line in comparison_lines(comparison, most=None if everything else 40):
        click.echo(line)


def comparison_lines(comparison: Comparison, *, most: int | None) -> Iterator[str]:
    """The comparison as text: the answer first, then domains, flips, cost, tools."""
    from core.safety import clean_line
    from tui import format as fmt

    one, two = comparison.first, comparison.second
    yield f"first   {clean_line(one.exp_id)}  {clean_line(one.model)}  {fmt.hundred(one.overall_score, 1)}"
    yield f"second  {clean_line(two.exp_id)}  {clean_line(two.model)}  {fmt.hundred(two.overall_score, 1)}"
    if comparison.overall is None:
        yield "the runs share no scored test"
        return
    yield ""
    yield f"{'':24}{'n':>5} {'first':>7} {'second':>7} {'diff':>7}  {'95 %':<16} {'gained':>6} {'lost':>5} {'p':>7}"
    yield _row("all tests", comparison.overall, comparison.overall.p_value)
    for domain, difference in comparison.domains.items():
        yield _row(clean_line(domain, 22), difference, difference.adjusted_p)
    if comparison.overall.detectable:
        yield (
            f"\n{comparison.overall.n} pairs would have shown a difference of {100 * comparison.overall.detectable:.1f}"
            " points (80 % power); p of domains after Holm"
        )
    for count, words in (
        (comparison.unscored, f"test{'s' if comparison.unscored != 1 else ''} without a score on one side"),
        (len(comparison.only_first), "only in the first"),
        (len(comparison.only_second), "only in the second"),
    ):
        if count:
            yield f"{count} {words}"
    yield ""
    for item in comparison.flips[:most]:
        mark = "+" if item.flip == "gained" else "-"
        name = clean_line("/".join(map(str, item.key[1:])), 60)
        yield f"{mark} {name:<60} {fmt.one(item.first.mean)} → {fmt.one(item.second.mean)}"
    if most is not None and len(comparison.flips) > most:
        yield f"(+{len(comparison.flips) - most} more: --all)"
    yield (
        f"\ncost {_spent(one)} → {_spent(two)}"
        f"   time {fmt.clock(one.duration_ms / 1000)} → {fmt.clock(two.duration_ms / 1000)}"
        f"   tokens {fmt.compact(one.prompt_tokens + one.completion_tokens)} →"
        f" {fmt.compact(two.prompt_tokens + two.completion_tokens)}"
    )
    for label, use in zip(("first", "second"), comparison.tools, strict=True):
        if use is not None:
            yield from _tools(label, use)


def _spent(run: RunRow) -> str:
    from tui import format as fmt

    return fmt.cost(run.cost_usd, unpriced=bool(run.unpriced_calls))


def _row(name: str, difference: Difference, p_value: float | None) -> str:
    low, high = difference.interval or (None, None)
    interval = f"{100 * low:+.1f} to {100 * high:+.1f}" if low is not None and high is not None else ""
    p = "" if p_value is None else f"{p_value:.3f}" if p_value >= 0.001 else "<0.001"
    return (
        f"{name:24}{difference.n:>5} {100 * difference.first_rate:>7.1f} {100 * difference.second_rate:>7.1f}"
        f" {100 * difference.mean:>+7.1f}  {interval:<16} {difference.gained:>6} {difference.lost:>5} {p:>7}"
    )


def _tools(label: str, use: ToolUse) -> Iterator[str]:
    from core.safety import clean_line

    figures = use.as_dict()
    yield (
        f"\ntools of the {label}: {figures['calls']} calls in {use.samples} samples, {use.errors} errors,"
        f" {figures['mean_iterations']:.1f} iterations on average, {100 * figures['at_limit_share']:.0f} % at the limit,"
        f" {use.lost_in_synthesis} answers lost in synthesis"
    )
    for title, counts in (("by category", use.categories), ("by tool", use.calls)):
        listed = ", ".join(f"{clean_line(name, 40)} {count}" for name, count in counts.most_common(12))
        yield f"  {title}: {listed or 'none'}"
