"""`modex import`: what another system wrote, in our form."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from modex.core.config.options import MOST_USD
from modex.core.safety import as_words, clean_line
from modex.tui.commands.options import Amount, GroupedCommand, database_of, db_option, json_option, run_option

if TYPE_CHECKING:
    from modex.core.edge.imports.records import ForeignRun
    from modex.core.edge.imports.storing import ImportedRun

_FOLDER = click.Path(file_okay=False, path_type=Path)


@click.group(name="import")
def import_() -> None:
    """Bring in what another system wrote: suites and datasets as a suite of ours, answers and logs as runs."""


@import_.command()
@click.argument("directory", metavar="DIR", type=_FOLDER)
@click.argument("out", metavar="OUT", type=_FOLDER)
def evonic(directory: Path, out: Path) -> None:
    """Write evonic's suite in DIR as a suite of ours into the new folder OUT.

    `modex run --suite DIR` takes it as it is, too; OUT is for going on with it here.
    """
    from modex.core.edge.dialects.writing import import_suite
    from modex.core.evaluators.registry import evaluator_ids
    from modex.core.safety import clean
    from modex.tui.plain.translated import told

    loading = import_suite(directory, out, evaluator_ids())
    for line in told(loading.suite, notes=True):  # every one of them: what is left out is listed nowhere else
        click.echo(clean(line), err=True)
    _written(out, sum(test.invalid is None for test in loading.suite.tests))


@import_.command(context_settings={"ignore_unknown_options": True})
@click.argument("out", metavar="OUT.json", type=click.Path(dir_okay=False, path_type=Path))
@click.argument("command", metavar="[-- COMMAND...]", nargs=-1)
@click.option("--url", help="Address of a server that speaks streamable HTTP, instead of a command.")
@click.option("--tool", "names", multiple=True, help="Only this tool; repeatable.")
@click.option("--env", multiple=True, help="Name of a variable that the command gets; repeatable.")
def mcp(out: Path, command: tuple[str, ...], url: str | None, names: tuple[str, ...], env: tuple[str, ...]) -> None:
    """Write the tools that an MCP server offers as a file for tool_mocks/; COMMAND is started for it.

    modex import mcp tool_mocks/files.json -- npx some-server --flag
    """
    import json

    from modex.core.foundation.errors import ConfigurationError
    from modex.core.suite.definitions import McpServer
    from modex.core.tools.mcp_servers import McpServers, mcp_unavailable

    if bool(command) == bool(url):
        raise click.UsageError("name a server: the words of its command behind --, or --url")
    if missing := mcp_unavailable():
        raise ConfigurationError(missing)
    with closing(McpServers()) as servers:
        offered = servers.tools(McpServer(command, url, env))
    known = {str(tool["name"]) for tool in offered}
    if unknown := [name for name in names if name not in known]:
        raise ConfigurationError(f"the server offers no {', '.join(unknown)}; there are {', '.join(sorted(known))}")
    chosen = [tool for tool in offered if not names or tool["name"] in names]
    server = {"url": url} if url else {"command": list(command), **({"env": list(env)} if env else {})}
    text = json.dumps({"mcp": server, "tools": chosen}, indent=2, ensure_ascii=False) + "\n"
    try:
        with out.open("x", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise ConfigurationError(f"{out}: cannot be written ({error.strerror or error}); name another file") from error
    click.echo(clean_line(f"{out}: {len(chosen)} tools; a test names them in tool_ids", 400), err=True)


_LOGS = click.argument("paths", metavar="PATH...", nargs=-1, required=True, type=click.Path(path_type=Path))
_HIGHEST = click.option(
    "--max-score", "highest", type=Amount(0, MOST_USD, min_open=True), default=1.0, show_default=True,
    help="The most a score of the log can be; scores are divided by it.",
)  # fmt: skip


@import_.command()
@_LOGS
@click.option(
    "--score", help="Which scorer's verdict counts, as NAME or NAME.KEY; default: the one the log shows first."
)
@_HIGHEST
@db_option
@click.pass_context
def inspect(ctx: click.Context, paths: tuple[Path, ...], score: str | None, highest: float, db: Path | None) -> None:
    """Make runs of inspect_ai's logs: .eval and .json files, or folders of them."""
    from modex.core.edge.imports.inspect_log import read_inspect

    _import_logs(
        ctx, db, paths, lambda path: path.suffix in (".eval", ".json"), lambda path: read_inspect(path, score, highest)
    )


@import_.command(name="lm-eval")
@_LOGS
@click.option("--score", help="Which metric counts, as METRIC or METRIC,FILTER; default: the first of the file.")
@_HIGHEST
@db_option
@click.pass_context
def lm_eval(ctx: click.Context, paths: tuple[Path, ...], score: str | None, highest: float, db: Path | None) -> None:
    """Make runs of lm-evaluation-harness' samples: samples_*.jsonl files, or folders of them."""
    from modex.core.edge.imports.lm_eval import read_lm_eval

    def suits(path: Path) -> bool:
        return path.name.startswith("samples_") and path.suffix == ".jsonl"

    _import_logs(ctx, db, paths, suits, lambda path: read_lm_eval(path, score, highest))


@import_.command(name="lm-eval-task")
@click.argument("file", metavar="FILE.yaml", type=click.Path(dir_okay=False, path_type=Path))
@click.argument("out", metavar="OUT", type=_FOLDER)
@click.option("--data", "given", multiple=True, help="Rows of a split that are not here, as SPLIT=FILE; repeatable.")
def lm_eval_task(file: Path, out: Path, given: tuple[str, ...]) -> None:
    """Write a task (or a group) of lm-evaluation-harness as a suite into the new folder OUT.

    Templates are filled in, filters and exact match become an evaluator, multiple choice is compared by likelihood. What is code
    or not known is named with file and line, and nothing is written then.
    """
    from modex.core.edge.dialects.lm_eval_task import read_tasks
    from modex.core.edge.dialects.writing import DEFINITIONS, empty_folder, write_json, write_tests
    from modex.core.safety import clean

    data: dict[str, Path] = {}
    for one in given:
        split, sign, name = one.partition("=")
        if not sign or not name:
            raise click.UsageError(f"--data {one}: write SPLIT=FILE, as test=rows.jsonl")
        data[split] = Path(name).expanduser()
    empty_folder(out)
    tasks = read_tasks(file, data)
    for task in tasks:
        judged = "loglikelihood"
        if task.evaluator is not None:
            judged = task.evaluator["id"]
            write_json(out / DEFINITIONS / "evaluators" / f"{judged}.json", task.evaluator)
        write_tests(out, task.name, ((1, test) for test in task.tests), evaluator_id=judged)
        for line in task.notes:
            click.echo(clean(line), err=True)
    _written(out, sum(len(task.tests) for task in tasks))


@import_.command()
@_LOGS
@click.option(
    "--score", help="`score`, or which of the named scores counts; default: 1 where all assertions hold, else 0."
)
@_HIGHEST
@click.option(
    "--suite",
    "out",
    type=_FOLDER,
    help="Read PATH as a configuration, and write its tests as a suite into this new folder.",
)
@db_option
@click.pass_context
def promptfoo(
    ctx: click.Context, paths: tuple[Path, ...], score: str | None, highest: float, out: Path | None, db: Path | None
) -> None:
    """Make runs of promptfoo's results (`promptfoo eval -o results.json`): a run for each provider and prompt.

    With --suite PATH is a configuration (promptfooconfig.yaml) instead: prompts times variables become tests, assertions rubrics,
    and what cannot be carried over is listed by name.
    """
    from modex.core.edge.imports.promptfoo import read_promptfoo

    if out is not None:
        _write_promptfoo(paths, out)
        return
    if configured := [path for path in paths if path.suffix in (".yaml", ".yml")]:
        raise click.UsageError(f"{configured[0]} is a configuration: --suite OUT writes its tests as a suite")
    _import_logs(ctx, db, paths, lambda path: path.suffix == ".json", lambda path: read_promptfoo(path, score, highest))


@import_.command()
@_LOGS
@click.option("--model", default="youtu-agent", show_default=True, help="Who answered; its files do not say.")
@db_option
@click.pass_context
def youtu(ctx: click.Context, paths: tuple[Path, ...], model: str, db: Path | None) -> None:
    """Make runs of youtu-agent's experiments: its database, or files of its samples; a run for each `exp_id`."""
    from modex.core.edge.imports.youtu import SUFFIXES, read_youtu

    _import_logs(ctx, db, paths, lambda path: path.suffix in SUFFIXES, lambda path: read_youtu(path, model))


@import_.command(name="evonic-db")
@_LOGS
@db_option
@click.pass_context
def evonic_db(ctx: click.Context, paths: tuple[Path, ...], db: Path | None) -> None:
    """Make runs of evonic's past runs: its database (db/evonic.db); its tests' answers, verdicts and tool calls."""
    from modex.core.edge.imports.evonic import SUFFIXES, read_evonic

    _import_logs(ctx, db, paths, lambda path: path.suffix in SUFFIXES, read_evonic)


def _write_promptfoo(paths: tuple[Path, ...], out: Path) -> None:
    """Write the tests of a configuration as a suite, and say what was lost."""
    from modex.core.edge.dialects.promptfoo import read_config
    from modex.core.edge.dialects.writing import empty_folder, write_tests
    from modex.core.foundation.errors import ConfigurationError
    from modex.core.safety import clean

    if len(paths) != 1:
        raise click.UsageError("--suite takes one configuration; name one")
    empty_folder(out)
    brought = read_config(paths[0])
    for line in brought.lost:
        click.echo(clean(f"not carried over: {line}"), err=True)
    for line in brought.left_out:
        click.echo(clean(f"left out: {line}"), err=True)
    if not brought.tests:
        raise ConfigurationError(f"{paths[0]}: nothing of it can be carried over; name another configuration")
    write_tests(out, brought.name, brought.tests, evaluator_id="rubric")
    _written(out, len(brought.tests))


def _import_logs(
    ctx: click.Context,
    db: Path | None,
    paths: tuple[Path, ...],
    suits: Callable[[Path], bool],
    read: Callable[[Path], Iterator[ForeignRun]],
) -> None:
    """Store every run in the logs; what a log says wrong is said at the end, the others are there."""
    from modex.core.edge.imports.storing import logs_in, store_run
    from modex.core.foundation.errors import ConfigurationError
    from modex.core.foundation.interrupts import raise_lost_interrupt, was_interrupted
    from modex.core.store.manager import DBDataManager
    from modex.tui.plain.counting import Counting

    logs = list(logs_in(paths, suits))
    manager = DBDataManager(database_of(ctx, db))
    wrong: list[str] = []
    stored = there = 0
    try:
        with Counting(len(logs), "logs") as bar:
            for log in logs:
                try:
                    for run in read(log):
                        found = store_run(manager, run)
                        stored, there = stored + (found.what == "imported"), there + (found.what != "imported")
                        bar.say(_told(run, found))
                except ConfigurationError as error:
                    wrong.append(str(error))
                bar.step()
                raise_lost_interrupt()
    except BaseException as error:
        # An interrupt that reached a library's compiled code comes as that library's own error.
        if isinstance(error, KeyboardInterrupt) or was_interrupted():
            left = len(logs) - stored - there - len(wrong)
            said = f"interrupted with about {left} logs left: the same command goes on where it was stopped"
            click.echo(said, err=True)
        raise
    finally:
        manager.close()
    click.echo(f"{stored} runs imported, {there} were there already, {len(wrong)} logs could not be read", err=True)
    for line in wrong:
        click.echo(clean_line(line, 500), err=True)
    ctx.exit(2 if wrong and not stored + there else 1 if wrong else 0)


def _told(run: ForeignRun, found: ImportedRun) -> str:
    if found.what == "there already":
        return f"{found.name}: there already"
    left = "".join(f"; {note}" for note in (*run.bent, *(f"not carried over: {note}" for note in run.notes)))
    errors = f", {found.errors} without a verdict" if found.errors else ""
    gold = f", {found.without_gold} without a gold (they cannot be judged here)" if found.without_gold else ""
    return f"{found.name}: {found.samples} samples of {run.model}{errors}{gold}{left}"


@import_.command()
@click.argument("place", metavar="DIR|FILE", type=click.Path(path_type=Path))
@click.argument("out", metavar="OUT", type=_FOLDER)
@click.option(
    "--run-code",
    is_flag=True,
    help="Run BFCL's own classes, which tests of several turns need, to see what the golds come to.",
)
@click.option("--python", help="The interpreter that runs them; default: the one that runs modex.")
def bfcl(place: Path, out: Path, run_code: bool, python: str | None) -> None:
    """Write BFCL's questions in DIR (or FILE) as a suite of ours into the new folder OUT.

    The golds are read from possible_answer/ beside the questions. Each category becomes a domain.
    """
    import sys

    from modex.core.edge.dialects.bfcl_turns import code_beside, iter_files
    from modex.core.edge.dialects.writing import empty_folder, write_json, write_tests, write_world
    from modex.core.safety import clean

    empty_folder(out)
    code = code_beside(place, python or sys.executable) if run_code else None
    count = 0
    for brought in iter_files(place, code):
        for line in brought.left_out:
            click.echo(clean(f"left out: {line}"), err=True)
        write_tests(out, brought.category, brought.tests, evaluator_id=brought.evaluator)
        count += len(brought.tests)
    if code is not None and code.tools:
        write_json(out / "tool_mocks" / "bfcl.json", code.server())
        write_world(out, "bfcl_world.py")
    _written(out, count)


@import_.command()
@click.argument("place", metavar="DIR", type=click.Path(file_okay=False, path_type=Path))
@click.argument("out", metavar="OUT", type=_FOLDER)
@click.option(
    "--domain", "domains", multiple=True, help="A domain of tau2 (retail, airline, …); again for more. Default: all."
)
@click.option(
    "--run-code", is_flag=True, help="Run tau2's own classes, which hold its tasks, to see what the golds come to."
)
@click.option("--python", help="The interpreter that runs them; default: the one that runs modex.")
def tau2(place: Path, out: Path, domains: tuple[str, ...], run_code: bool, python: str | None) -> None:
    """Write tau2-bench's tasks as a suite of ours into the new folder OUT.

    DIR is a checkout of tau2-bench, or the folder where its package `tau2` is installed. Each of its domains becomes one of ours.
    """
    import sys

    from modex.core.edge.dialects.tau2 import iter_domains, package_at
    from modex.core.edge.dialects.writing import empty_folder, write_json, write_tests, write_world
    from modex.core.foundation.errors import ConfigurationError
    from modex.core.safety import clean

    empty_folder(out)
    code = package_at(place, python or sys.executable)
    if not run_code:
        raise ConfigurationError(
            f"tau2's tasks need its own classes, which run from {code.package}; add --run-code to agree"
        )
    count = 0
    for brought in iter_domains(code, domains):
        for line in brought.left_out:
            click.echo(clean(f"left out: {line}"), err=True)
        write_tests(out, brought.name, brought.tests, evaluator_id="world", system_prompt=brought.system_prompt)
        if brought.tests:
            write_json(out / "tool_mocks" / f"{brought.name}.json", {"mcp": code.server(), "tools": brought.tools})
        count += len(brought.tests)
    if count:
        write_world(out, "tau2_world.py")
    _written(out, count)


@import_.command()
@click.argument("place", metavar="DIR", type=click.Path(file_okay=False, path_type=Path))
@click.argument("out", metavar="OUT", type=_FOLDER)
def harbor(place: Path, out: Path) -> None:
    """Write tasks of Harbor and Terminal-Bench in DIR as a suite of ours into the new folder OUT.

    DIR is one task (task.toml or task.yaml) or holds some. Those that need no more than an ordinary machine become tests in a
    workspace, with their own solutions; each other one says why not. Commands of a Dockerfile are run in the sandbox.
    """
    from modex.core.edge.dialects.harbor import iter_tasks, write_folder
    from modex.core.edge.dialects.writing import empty_folder, write_tests
    from modex.core.foundation.errors import ConfigurationError
    from modex.core.safety import clean

    empty_folder(out)
    brought = []
    for task in iter_tasks(place):
        if task.refused:
            click.echo(clean(f"left out: {task.name}: {task.refused}"), err=True)
            continue
        for name, tree in task.folders.items():
            write_folder(out, name, tree)
        brought.append((task.level, task.test))
    if not brought:
        raise ConfigurationError(f"{place}: none of its tasks can be run here, as each says above; name other tasks")
    write_tests(out, "harbor", brought, evaluator_id="workspace")
    click.echo(clean_line(str(out), 400))
    click.echo(
        f"{len(brought)} tests; solve each with its own solution:  modex check {as_words(str(out))} --solutions",
        err=True,
    )


def _written(out: Path, tests: int) -> None:
    named = as_words(str(out))
    click.echo(clean_line(str(out), 400))
    click.echo(f"{tests} tests; check them:  modex check {named}", err=True)


_OF_ANSWERS = (
    "model", "suite", "domain", "level", "dataset", "preset", "question_field", "answer_field", "level_field",
    "category_field", "id_field", "evaluator", "epochs", "judge_model", "judge_api_base", "judge_repeats", "judge_settle",
    "extractor_model", "extractor_api_base", "reading", "no_judge", "skip_invalid", "allow_plugins", "exp_id", "concurrency",
)  # fmt: skip


def _selecting(function: Any) -> Any:
    for name in reversed(_OF_ANSWERS):
        function = run_option(name)(function)
    return function


@import_.command(cls=GroupedCommand)
@click.argument("file", metavar="FILE", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--response-field", help="The file's column of the responses; default: found by its name.")
@_selecting
@db_option
@json_option
@click.pass_context
def answers(
    ctx: click.Context, /, file: Path, response_field: str | None, db: Path | None, as_json: bool, **options: Any
) -> None:
    """Make a run of answers that are there already, and judge them like our own.

    FILE is JSONL, JSON, CSV or Parquet with a row for each answer: its test's id, or the words of its question, and the response;
    optionally transcript or messages, steps, reasoning, usage, epoch. A FILE that holds question, gold and response is judged by
    itself; else name the --suite or --dataset that was asked. --model is what the run calls whoever answered.
    """
    from modex.core.config.configuration import configuration
    from modex.core.config.options import merged
    from modex.core.edge.imports.answers import meet, with_tests_of_file
    from modex.core.engine.start import Start, named
    from modex.core.pipeline.assembly import open_suite, select_tests
    from modex.core.pipeline.rollout.agent_option import PREFIX
    from modex.core.pipeline.rollout.answers import answers_of
    from modex.tui.plain.narration import say
    from modex.tui.start.foreground import run_here

    path = file.expanduser().absolute()
    chosen, guessed = with_tests_of_file(path, options, response_field)
    for line in guessed:
        say(line)
    names = chosen.pop("model", ()) or (f"answers/{path.stem}",)
    config = configuration(names[0], merged({**chosen, "agent": f"{PREFIX}{path}"}))
    config = config.model_copy(update={"response_field": response_field})
    found = answers_of(config)
    assert found is not None
    config = config.model_copy(update={"epochs": max(config.epochs, *(row.epoch for row in found.rows))})
    suite = open_suite(config.selection.suite, allow_plugins=config.selection.allow_plugins)
    met = meet(found, select_tests(suite, config, unanswered=True))
    met.refuse_if_none(path)
    for line in (*found.notes, *met.told()):
        say(line)
    start = Start(config, named(chosen.get("exp_id"), names[0], 1))
    ctx.exit(run_here(database_of(ctx, db), [start], as_json=as_json, fail_under=None))
