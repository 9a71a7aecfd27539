"""`modex review`: reading answers, agreeing or not, naming kinds of failure; a screen, and the same without one."""

from __future__ import annotations

import sys
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import click

from modex.core.config.options import MOST_USD
from modex.core.features.review.draw import ORDERS, DrawOrder
from modex.core.features.review.files import FileFormat
from modex.tui.commands.options import (
    COUNT,
    SEED,
    Amount,
    Renamed,
    complete_models,
    database_of,
    db_option,
    exp_argument,
    json_option,
    print_json,
)

if TYPE_CHECKING:
    from textual.screen import Screen

    from modex.core.store.reader import Reader
    from modex.core.store.rows import RunRow


@click.command()
@exp_argument
@click.option("--order", type=click.Choice(ORDERS), default="random", show_default=True,
              help="Everything at random, every cell in turn, or failures only.")  # fmt: skip
@click.option("--seed", type=SEED, default=0, show_default=True, help="Another seed is another draw.")
@click.option("--number", type=COUNT, default=100, show_default=True, help="Samples to draw.")
@click.option("--filter", "filters", multiple=True, help="Only samples that match, as on the screens; repeatable.")
@click.option("--blind", is_flag=True, help="Hide the verdict until you have given yours.")
@click.option("--as", "author", metavar="NAME", help="Who reviews; default: MODEX_REVIEWER, else your login name.")
@click.option("--draw", "draw_to", metavar="FILE", help="Write the draw to be filled in elsewhere; - is stdout.")
@click.option("--export", "export_to", metavar="FILE", help="Write the reviews of EXP; - is stdout.")
@click.option("--import", "import_from", type=click.Path(dir_okay=False, exists=True, path_type=Path),
              help="Store the reviews of a file.")  # fmt: skip
@click.option(
    "--propose", is_flag=True, help="Let a model propose kinds of failure, from failures and notes; see --model."
)
@click.option(
    "--model",
    "--with",
    "proposer",
    cls=Renamed,
    metavar="MODEL",
    shell_complete=complete_models,
    help="With --propose: the model that reads, an entry of models.toml or as litellm names it.",
)
@click.option(
    "--max-cost", type=Amount(0, MOST_USD), metavar="USD", help="With --propose: ask only where it costs no more."
)
@click.option("--confirm", "confirmed", type=click.Path(dir_okay=False, exists=True, path_type=Path),
              help="Give the labels of a file that --propose printed.")  # fmt: skip
@click.option("--format", "kind", type=click.Choice(get_args(FileFormat)), help="Of the file; default: by its name.")
@db_option
@json_option
@click.pass_context
def review(
    ctx: click.Context,
    exp: str,
    order: DrawOrder,
    seed: int,
    number: int,
    filters: tuple[str, ...],
    blind: bool,
    author: str | None,
    draw_to: str | None,
    export_to: str | None,
    import_from: Path | None,
    propose: bool,
    proposer: str | None,
    max_cost: float | None,
    confirmed: Path | None,
    kind: FileFormat | None,
    db: Path | None,
    as_json: bool,
) -> None:
    """Read answers of EXP in an order drawn by seed: agree with the verdict or not, label kinds of failure, take notes.

    Opens a screen, at the first answer you have not reviewed. --draw, --export and --import do the same without one.
    """
    from modex.core.features.review.draw import draw
    from modex.core.features.review.files import drawn, exported
    from modex.core.features.review.query import reviews
    from modex.core.store.reader import Reader
    from modex.core.store.selecting import sample_query
    from modex.tui.features.review.reading import Draw, reviewer

    if sum(wanted is not None for wanted in (draw_to, export_to, import_from)) > 1:
        raise click.UsageError("one of --draw, --export and --import at a time", ctx)
    database, who = database_of(ctx, db), author or reviewer()
    query = sample_query(*filters)
    if propose or confirmed is not None:
        from modex.tui.features.review.propose_command import confirm_file, propose_kinds

        if confirmed is not None:
            confirm_file(database, exp, confirmed, who)
            return
        if proposer is None:
            raise click.UsageError(
                "--propose needs --model MODEL: it reads failed answers and notes, and costs money; name one", ctx
            )
        propose_kinds(database, exp, proposer, seed=seed, number=number, query=query, author=who, as_json=as_json,
                      max_cost=max_cost)  # fmt: skip
        return
    if import_from is not None:
        _import(database, exp, import_from, kind, who, as_json=as_json)
        return
    with closing(Reader(database)) as reader:
        run = reader.run(exp)
        if export_to is not None:
            rows = reviews(reader, [run.id], author=author)
            _write(reader, export_to, exported(rows), kind)
            click.echo(f"{len(rows)} reviews of {run.exp_id}", err=True)
            return
        if draw_to is not None:
            ids = draw(reader, run.id, order, seed=seed, number=number, query=query)
            _write(reader, draw_to, drawn(run, reader.samples_by_id(list(ids)), who), kind)
            click.echo(f"{len(ids)} of {run.exp_id}, drawn by seed {seed}", err=True)
            return
        if as_json:
            _print_state(reader, run, who)
            return
    from modex.tui.opening import show_screen
    from modex.tui.terminal.abilities import screen_problem

    if problem := screen_problem():
        raise click.UsageError(f"{problem}; --draw, --export and --import work without a screen", ctx)

    def make() -> Screen[Any]:
        from modex.tui.features.review.screen import ReviewScreen

        return ReviewScreen(run.exp_id, Draw(order, seed, number, query), author=who, blind=blind)

    ctx.exit(show_screen(database, make))


def _write(reader: Reader, to: str, records: object, kind: FileFormat | None) -> None:
    from collections.abc import Iterable
    from typing import cast

    from modex.core.features.export.writing import write_export
    from modex.core.features.review.files import format_of, written

    pieces = written(cast("Iterable[dict[str, Any]]", records), format_of(Path(to), kind))
    if to == "-":
        for piece in pieces:
            sys.stdout.buffer.write(piece.encode(errors="replace"))
        sys.stdout.flush()
    else:
        write_export(Path(to), pieces, database=reader.path)


def _import(database: Path, exp: str, path: Path, kind: FileFormat | None, author: str, *, as_json: bool) -> None:
    from modex.core.features.review.files import bring_in, format_of
    from modex.core.foundation.errors import ConfigurationError
    from modex.core.safety import clean_line
    from modex.core.store.manager import DBDataManager

    with closing(DBDataManager(database)) as manager:
        run = manager.reader.run(exp)
        found = bring_in(manager.reader, path, format_of(path, kind), run=run, author=author)
    for problem in found.problems:
        click.echo(clean_line(problem), err=True)
    if as_json:
        print_json({
            "stored": found.stored, "unchanged": found.unchanged, "empty": found.empty,
            "changed_since": found.changed_since, "problems": found.problems,
        })  # fmt: skip
    else:
        lines = [f"{found.stored} stored", f"{found.unchanged} as they stand"]
        lines += [f"{found.empty} empty"] if found.empty else []
        lines += [f"{found.changed_since} of answers that have changed since"] if found.changed_since else []
        click.echo(f"{run.exp_id}: {', '.join(lines)}", err=True)
    if found.problems:
        raise ConfigurationError(
            f"{len(found.problems)} of {path} could not be brought in; everything else was: correct these, then import it again"
        )


def _print_state(reader: Reader, run: RunRow, author: str) -> None:
    from modex.core.features.review.files import exported
    from modex.core.features.review.query import reviews

    rows = reviews(reader, [run.id])
    print_json({
        "run": run.exp_id, "model": run.model, "author": author, "reviews": len(rows),
        "stale": sum(row.stale for row in rows),
        "by_author": {who: sum(row.author == who for row in rows) for who in sorted({row.author for row in rows})},
        "items": list(exported(rows)),
    })  # fmt: skip
