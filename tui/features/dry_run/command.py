"""`modex judge EXP --dry-run`: which verdicts would flip by the rules as they are now; stored only when confirmed."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from modex.tui.commands.options import print_json

if TYPE_CHECKING:
    from modex.core.config.options import Reading
    from modex.core.config.runconfig import ModelSpec
    from modex.core.features.dry_run.rule import DryRun, ShownVerdict

_SHOWN = 200
"""Changes that are printed as text."""


def dry_run(
    database: Path,
    exp: str,
    judges: tuple[ModelSpec, ...],
    extractor: ModelSpec | None,
    *,
    reading: Reading | None,
    filters: tuple[str, ...],
    everything: bool,
    budget_usd: float,
    keep: bool,
    content: bool,
    as_json: bool,
) -> None:
    """Try the rules, print what would change, and store it where that was asked for, or is confirmed on a terminal."""
    from modex.core.features.dry_run.rule import store, try_rules
    from modex.core.store.selecting import sample_query
    from modex.tui.plain.narration import say

    result = try_rules(
        database,
        exp,
        judges=judges,
        extractor=extractor,
        reading=reading,
        everything=everything,
        query=sample_query(*filters),
        budget_usd=budget_usd,
        narrate=say,
    )
    if as_json:
        print_json(_json(result, content=content))
    else:
        for line in lines(result):
            click.echo(line)
    asks = sys.stdin.isatty() and sys.stdout.isatty() and not as_json
    if result.changes and (keep or (asks and click.confirm("Store these verdicts?", err=True))):
        click.echo(f"{store(database, result)} verdicts stored; those before them are kept", err=True)
    elif result.changes:
        click.echo("nothing was stored; --store stores it", err=True)


def lines(result: DryRun) -> Iterator[str]:
    """What would change, as text."""
    from modex.core.safety import clean_line

    flips = result.flips
    gained = sum(1 for change in flips if change.after.status == "passed")
    lost = sum(1 for change in flips if change.before.status == "passed")
    yield (
        f"{clean_line(result.run.exp_id)}: {result.judged} answers judged by the rules as they are now: {len(flips)} would flip"
        f" ({lost} from passed, {gained} to passed), {len(result.changes) - len(flips)} would have another score or answer"
    )
    for number, words in (
        (result.unchanged, "as no rule about them has changed: --all judges them too"),
        (result.not_asked, "as a model would have to be asked: --max-cost USD lets it"),
        (result.asked_otherwise, "as they are asked otherwise now: `modex resume` asks them"),
    ):
        if number:
            yield f"{number} left, {words}"
    for change in result.changes[:_SHOWN]:
        sample = change.sample
        yield f"{sample.domain}/{sample.level}/{clean_line(sample.test_id)}{f'#{sample.epoch}' if sample.epoch > 1 else ''}"
        yield f"  before  {_verdict_words(change.before)}"
        yield f"  after   {_verdict_words(change.after)}"
    if len(result.changes) > _SHOWN:
        yield f"… and {len(result.changes) - _SHOWN} more; --json prints all"


def _verdict_words(verdict: ShownVerdict) -> str:
    from modex.core.safety import clean_line

    score = "" if verdict.score is None else f" {verdict.score:.2f}"
    return f"{verdict.status}{score}  {clean_line(verdict.why or verdict.answer or '', 120)}".rstrip()


def _json(result: DryRun, *, content: bool) -> dict[str, Any]:
    def verdict(one: ShownVerdict) -> dict[str, Any]:
        return {"status": one.status, "score": one.score} | (
            {"untrusted": {"answer": one.answer, "why": one.why}} if content else {}
        )

    return {
        "kind": "trial",
        "version": 1,
        "run": result.run.exp_id,
        "judged": result.judged,
        "flips": len(result.flips),
        "unchanged": result.unchanged,
        "not_asked": result.not_asked,
        "asked_anew": result.asked_otherwise,
        "spent_usd": result.spent_usd,
        "changes": [
            {
                "source": one.sample.source, "domain": one.sample.domain, "level": one.sample.level,
                "test_id": one.sample.test_id, "epoch": one.sample.epoch, "flips": one.flips,
                "before": verdict(one.before), "after": verdict(one.after),
            }
            for one in result.changes
        ],
    }  # fmt: skip
