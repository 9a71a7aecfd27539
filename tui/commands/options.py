"""Options that several commands share, and what they mean."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, TypeVar

import click

from modex.core.config.options import BY_NAME, MOST_SAMPLES, MOST_SEED, OPTIONS, Option
from modex.core.foundation.errors import ModexError

Function = TypeVar("Function", bound=Callable[..., Any])


def complete_runs(_ctx: click.Context, _option: click.Parameter, incomplete: str) -> list[str]:
    """Names of races and runs that begin so, the latest first."""
    from modex.core.config.settings import load_settings
    from modex.core.store.location import database_path
    from modex.core.store.races import races
    from modex.core.store.reader import Reader

    with closing(Reader(database_path(load_settings().db))) as reader:
        names = [*(race.exp_id for race in races(reader)), *(run.exp_id for run in reader.runs(limit=500))]
        return [name for name in names if name.startswith(incomplete)]


def complete_stored(ctx: click.Context, option: click.Parameter, incomplete: str) -> list[str]:
    """Tests or domains of the run that the line names, in planning order; at most 200."""
    from modex.core.config.settings import load_settings
    from modex.core.store.location import database_path
    from modex.core.store.reader import Reader
    from modex.core.store.selecting import SampleQuery

    named = (
        ctx.params.get("exp") or ctx.params.get("exps") or tuple(ctx.args)
    )  # an option without its value ends the parsing
    found: dict[str, None] = {}
    with closing(Reader(database_path(ctx.params.get("db") or load_settings().db))) as reader:
        for exp in [named] if isinstance(named, str) else named:
            for domain, level, test in reader.names(reader.run(exp).id, SampleQuery()):
                name = domain if (option.name or "").startswith("domain") else f"{domain}/{level}/{test}"
                if name.startswith(incomplete) or (test.startswith(incomplete) and name != domain):
                    found[name] = None
                if len(found) >= 200:
                    break
    return list(found)


def suite_in(database: Path, exp: str) -> str | None:
    """The suite of the stored run of this name, whose entries of models its commands take; None for the bundled one.

    Raises:
        StoreError: there is none, or it cannot be read.
    """
    from modex.core.store.reader import Reader

    with closing(Reader(database)) as reader:
        return reader.run(exp).suite


def complete_tests(ctx: click.Context, _option: click.Parameter, incomplete: str) -> list[str]:
    """Tests of the suite that begin so, by `domain/level/id`."""
    return _names_in_suite(ctx, "test", incomplete)


def complete_models(ctx: click.Context, _option: click.Parameter, incomplete: str) -> list[str]:
    """Models that begin so: entries of `models.toml`, scripted ones, then those that the table of prices knows."""
    from modex.core.config.entries.places import entries
    from modex.core.config.settings import load_settings
    from modex.core.llm.demo.ability import VARIANTS
    from modex.core.llm.prices import known_models

    named: list[str] = []
    with suppress(ModexError):  # a file with mistakes: whoever names a model is told of them
        named = list(entries(ctx.params.get("suite") or load_settings().run.get("suite")))
    names = dict.fromkeys((*named, "demo", *(f"demo/{one}" for one in VARIANTS), *known_models(limit=10_000)))
    return [name for name in names if name.startswith(incomplete)][:200]


def _complete(ctx: click.Context, option: click.Parameter, incomplete: str) -> list[str]:
    """Domains, tests, evaluators and models for the options that name them."""
    kind = (option.name or "").rpartition("_")[2]
    if kind in ("model", "models"):
        return complete_models(ctx, option, incomplete)
    return _names_in_suite(ctx, kind, incomplete)


def _names_in_suite(ctx: click.Context, kind: str, incomplete: str) -> list[str]:
    from modex.core.config.settings import load_settings
    from modex.core.pipeline.suite_files import evaluator_configs, load_suite_only

    suite = load_suite_only(ctx.params.get("suite") or load_settings().run.get("suite"))
    if kind == "evaluator":
        names = list(evaluator_configs(suite))
    elif kind == "test":
        names = [f"{test.domain}/{test.level}/{test.test_id}" for test in suite.tests]
    else:
        names = list(suite.domains)
    return [name for name in names if name.startswith(incomplete)]


_COMPLETED = (
    "model",
    "judge_model",
    "extractor_model",
    "user_model",
    "domain",
    "test",
    "exclude_domain",
    "exclude_test",
    "evaluator",
)

exp_argument = click.argument("exp", shell_complete=complete_runs)
"""One run, by its name or the beginning of it."""
exps_argument = click.argument("exps", nargs=-1, required=True, metavar="EXP...", shell_complete=complete_runs)
"""Several runs."""


def run_option(name: str, text: str | None = None) -> Callable[[Function], Function]:
    """An option of a run, from the table; `text` where this command says it otherwise."""
    option = BY_NAME[name]
    if option.opposite:
        flags = f"{option.flag}/{option.opposite}"
        return click.option(flags, option.name, default=None, help=text or option.told)
    if option.kind == "switch":
        return click.option(option.flag, option.name, is_flag=True, help=text or option.told)
    return click.option(
        option.flag,
        option.name,
        type=_type(option),
        multiple=option.many,
        default=None,
        help=text or option.told,
        shell_complete=_complete if name in _COMPLETED else None,
    )


class Renamed(click.Option):
    """An option whose first name is said; the others are those that it had before, and still work."""

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """As of an option with its first name alone."""
        every, self.opts = self.opts, self.opts[:1]
        try:
            return super().get_help_record(ctx)
        finally:
            self.opts = every


class _Unshown(click.Argument):
    """Words that a command of 0.1.0 took by their place, and takes now by a name; no help speaks of them."""

    def get_usage_pieces(self, ctx: click.Context) -> list[str]:
        """None."""
        del ctx
        return []


def models_option(words: str) -> Callable[[Function], Function]:
    """`--model`, repeatable, for a command that takes models itself; those that stand alone count too (`models_of`)."""

    def add(function: Function) -> Function:
        function = click.argument("unnamed", nargs=-1, cls=_Unshown)(function)
        return click.option("--model", "models", multiple=True, help=words, shell_complete=_complete)(function)

    return add


def models_of(options: dict[str, Any]) -> tuple[str, ...]:
    """The models of a command with `models_option`, taken out of its options."""
    return (*options.pop("models"), *options.pop("unnamed"))


allow_option = click.option(
    "--allow-plugins",
    "allow",
    is_flag=True,
    help="Let what is stored of the run act on this machine, now and later: its agent, addresses, its suite's plugins.",
)
"""Consent to a stored run, which a database from elsewhere may hold."""


def run_options(function: Function) -> Function:
    """Every option of a run."""
    for option in reversed(OPTIONS):
        function = run_option(option.name)(function)
    return function


def run_options_without(*names: str) -> Callable[[Function], Function]:
    """Every option of a run but those named, for commands that run several."""

    def add(function: Function) -> Function:
        for option in reversed(OPTIONS):
            if option.name not in names:
                function = run_option(option.name)(function)
        return function

    return add


def _type(option: Option) -> click.ParamType[Any]:
    low, open_ = (option.least, False) if option.above is None else (option.above, True)
    if option.zero:
        return _WholeOrWord(option)
    if option.kind == "whole":
        return click.IntRange(_whole(low), _whole(option.most))
    if option.kind == "number":
        return Amount(low, option.most, min_open=open_)
    return click.Choice(option.choices) if option.kind == "choice" else click.STRING


class Amount(click.FloatRange):
    """A number within its limits; `nan`, which every comparison lets through, is none."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Read it."""
        found = float(super().convert(value, param, ctx))
        if not math.isfinite(found):
            self.fail(f"{value!r} is not a valid number.", param, ctx)
        return found


COUNT = click.IntRange(1, MOST_SAMPLES)
"""How many samples, tests or rows."""
SEED = click.IntRange(-MOST_SEED, MOST_SEED)


class _WholeOrWord(click.ParamType[int]):
    """A whole number within the option's limits, or its word for 0."""

    name = "integer"

    def __init__(self, option: Option) -> None:
        self._option = option

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:  # noqa: ARG002  click's signature
        """Both."""
        return f"INTEGER|{self._option.zero}"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Read it as the table says."""
        try:
            return int(self._option.read(value))
        except (ValueError, TypeError) as error:
            self.fail(f"{value!r} {error}, or {self._option.zero}.", param, ctx)


def _whole(limit: float | None) -> int | None:
    return None if limit is None else int(limit)


_SHORT = 32
"""A command with more options than this shows the common ones, and all on demand."""


class GroupedCommand(click.Command):
    """A command whose help lists its options under the groups of the table; of many, the common ones."""

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """The command's options, and where `--help` leaves some out, the one that shows all."""
        found = super().get_params(ctx)
        if len(self.params) <= _SHORT:
            return found
        words = "Show every option and exit."
        return [
            *found,
            click.Option(["--help-all"], is_flag=True, is_eager=True, expose_value=False, help=words, callback=_all),
        ]

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """One section per group, then what is the command's own, then how many more there are."""
        sections: dict[str, list[tuple[str, str]]] = {option.group: [] for option in OPTIONS}
        short = len(self.params) > _SHORT and not ctx.meta.get(_ALL)
        left_out = 0
        for parameter in self.get_params(ctx):
            if not isinstance(parameter, _Unshown) and (record := parameter.get_help_record(ctx)) is not None:
                option = BY_NAME["model"] if parameter.name == "models" else BY_NAME.get(parameter.name or "")
                if short and option and not option.common:
                    left_out += 1
                    continue
                sections.setdefault(option.group if option else "Output", []).append(record)
        for name, records in ((name, records) for name, records in sections.items() if records):
            with formatter.section(name):
                formatter.write_dl(records)
        if left_out:
            formatter.write_paragraph()
            formatter.write_text(f"{left_out} more options: {ctx.command_path} --help-all")


_ALL = f"{__name__}.all"


def _all(ctx: click.Context, _option: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        click.echo(whole_help(ctx.command, ctx), color=ctx.color)
        ctx.exit()


def whole_help(command: click.Command, ctx: click.Context) -> str:
    """A command's help with every option, for a person who wants all of it and for the pages."""
    ctx.meta[_ALL] = True
    try:
        return command.get_help(ctx)
    finally:
        del ctx.meta[_ALL]


def config_option(function: Function) -> Function:
    """`--config FILE`: options of a run as TOML."""
    path = click.Path(dir_okay=False, path_type=Path)
    words = 'TOML file of these options (model = "demo", level = ["1-3"]); flags come before it.'
    return click.option("--config", "config", type=path, help=words)(function)


def db_option(function: Function) -> Function:
    """`--db FILE`, on every command that reads or writes runs."""
    return click.option("--db", "db", type=click.Path(dir_okay=False, path_type=Path), help="Database file.")(function)


def json_option(function: Function) -> Function:
    """`--json`, on every command that prints data."""
    return click.option("--json", "as_json", is_flag=True, help="Print data as JSON.")(function)


def filter_option(function: Function) -> Function:
    """`--filter EXPR`, on commands that take some samples of a run: what every screen's filter takes."""
    words = "Only samples that match, e.g. label:refused score<0.5; repeatable."
    return click.option("--filter", "filters", multiple=True, help=words)(function)


def runs_filter_option(function: Function) -> Function:
    """`--filter EXPR`, on commands that list runs: what the filter of the list of runs takes."""
    words = "Only runs that match, e.g. model:gpt score<70 status:completed; repeatable."
    return click.option("--filter", "filters", multiple=True, help=words)(function)


def database_of(ctx: click.Context, given: Path | None) -> Path:
    """The database file: this command's `--db`, else the one before the command, else settings and defaults."""
    from modex.core.config.settings import load_settings
    from modex.core.store.location import database_path

    above = ctx.find_root().params.get("db")
    return database_path(given or above or load_settings().db)


_CHUNK = 1 << 18
"""Characters of JSON that are made and looked through at once: all of a large comparison would take ten times its size."""


def print_json(value: Any) -> None:
    """Print `value` as JSON; what no terminal should see is escaped."""
    from modex.core.safety import without_secrets

    waiting: list[str] = []
    size = 0
    for piece in json.JSONEncoder(ensure_ascii=True, indent=2, default=str).iterencode(value):
        if size >= _CHUNK and piece.startswith(",\n"):  # whole lines, as no key goes over the end of one
            click.echo(without_secrets("".join(waiting)), nl=False)
            waiting, size = [], 0
        waiting.append(piece)
        size += len(piece)
    click.echo(without_secrets("".join(waiting)))
