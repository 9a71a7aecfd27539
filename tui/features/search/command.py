"""`modex grep`: words in everything that was asked and answered, over all runs."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from modex.core.foundation.exit_codes import ExitCode
from modex.tui.commands.options import COUNT, complete_runs, database_of, db_option, json_option, print_json

if TYPE_CHECKING:
    from modex.core.store.reader import Reader
    from modex.core.store.search.find import Hit, Search


@click.command()
@click.argument("pattern")
@click.argument("exps", nargs=-1, metavar="[EXP]...", shell_complete=complete_runs)
@click.option("-E", "--regexp", is_flag=True, help="PATTERN is a regular expression; everything is read for it.")
@click.option("-i", "--ignore-case", is_flag=True, help="With -E: in any case. Words are found in any case anyway.")
@click.option("--filter", "filters", multiple=True,
              help="Only where it holds, e.g. status:failed model:gpt role:answer; repeatable.")  # fmt: skip
@click.option("--limit", type=COUNT, default=100, show_default=True, help="Most samples to print.")
@click.option("--content", is_flag=True, help="With --json: the lines found too, marked as untrusted.")
@db_option
@json_option
@click.pass_context
def grep(
    ctx: click.Context, pattern: str, exps: tuple[str, ...], regexp: bool, ignore_case: bool, filters: tuple[str, ...],
    limit: int, content: bool, db: Path | None, as_json: bool,
) -> None:  # fmt: skip
    """Find PATTERN in prompts, answers, thinking, tool calls and results, and notes; in the runs EXP…, or in all.

    PATTERN is words that all stand in a sample, "a phrase", begin*, -without. Exit code 1 where nothing is found.
    """
    from modex.core.foundation.errors import ConfigurationError
    from modex.core.store.reader import Reader
    from modex.core.store.search.find import parse_search

    with closing(Reader(database_of(ctx, db))) as reader:
        run_ids = [reader.run(exp).id for exp in exps] if exps else None
        typed = " ".join(filters) if regexp else " ".join((pattern, *filters))
        search = parse_search(typed, run_ids)
        if search.problem:
            raise ConfigurationError(search.problem)
        found = _matching(reader, pattern, search, ignore_case, limit) if regexp else _ranked(reader, search, limit)
        number = _print_json(found, content=content) if as_json else _print(found)
    ctx.exit(0 if number else ExitCode.MISSED)


def _matching(reader: Reader, pattern: str, search: Search, ignore_case: bool, limit: int) -> Iterator[Hit]:
    """What matches, as it is read."""
    from modex.core.store.search.find import grep as read_all
    from modex.tui.plain.narration import say

    number = 0
    for hit in read_all(reader, pattern, search, ignore_case=ignore_case):
        if isinstance(hit, str):
            say(hit)
            continue
        yield hit
        number += 1
        if number >= limit:
            say(f"the first {limit}; --limit asks for more")
            return


def _ranked(reader: Reader, search: Search, limit: int) -> list[Hit]:
    from modex.core.foundation.errors import ConfigurationError
    from modex.core.store.search.find import find, hits
    from modex.core.store.search.index import SearchIndex
    from modex.tui.plain.narration import say

    if search.wants_nothing:
        raise ConfigurationError("nothing to look for: PATTERN holds no letter or digit (-E takes it as it is)")
    with closing(SearchIndex(reader.path)) as index:
        bring_in_step(reader, index)
        found = find(reader, index, search, limit)
        if found.more:
            say(f"the first {len(found.ids)} of more; --limit asks for more, a filter for others")
        return hits(reader, found.ids, search)


def bring_in_step(reader: Reader, index: Any) -> None:
    """Take in what was stored since, with a bar where it takes long; Ctrl-C leaves the rest for the next time."""
    behind = index.behind(reader)
    total = sum(one.samples for one in behind)
    if not total:
        return
    done = 0
    shows = sys.stderr.isatty() and total > 2000

    def progress(taken: int) -> None:
        nonlocal done
        done += taken
        if shows:
            width = 30 * min(done, total) // total
            sys.stderr.write(f"\rindexing [{'=' * width}{' ' * (30 - width)}] {min(done, total):,} of {total:,}")
            sys.stderr.flush()

    try:
        for one in sorted(behind, key=lambda one: -one.run_id):  # the newest run first: it is what one looks for most
            index.catch_up(reader, one.run_id, progress=progress)
    except KeyboardInterrupt:
        click.echo(f"\nsearching the {done:,} of {total:,} that are indexed; the next search goes on", err=True)
    finally:
        if shows:
            sys.stderr.write("\r\x1b[K")


def _print(found: Iterable[Hit]) -> int:
    from modex.core.safety import clean_line

    number = 0
    for hit in found:
        number += 1
        head, place = hit.head, hit.place
        epoch = f"#{head.epoch}" if head.epoch > 1 else ""
        where = f"{hit.exp_id}:{head.domain}/{head.level}/{head.test_id}{epoch}"
        line = f"{place.role}:{place.number}: {place.line}" if place else "(in several lines)"
        click.echo(f"{clean_line(where)}: {head.status}: {clean_line(line, 300)}")
    return number


def _print_json(found: Iterable[Hit], *, content: bool) -> int:
    items = [hit_json(hit, content=content) for hit in found]
    print_json({"kind": "grep", "version": 1, "items": items})
    return len(items)


def hit_json(hit: Hit, *, content: bool) -> dict[str, Any]:
    """A hit for scripts; the line was written by a model, and is marked so."""
    head, place = hit.head, hit.place
    return {
        "run": hit.exp_id,
        "model": hit.model,
        "source": head.source,
        "domain": head.domain,
        "level": head.level,
        "test_id": head.test_id,
        "epoch": head.epoch,
        "status": head.status,
        "score": head.score,
        "role": place.role if place else None,
        "line": place.number if place else None,
        **({"untrusted": {"text": place.line, "start": place.start, "end": place.end}} if content and place else {}),
    }
