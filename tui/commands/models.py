"""`modex models`: what can be asked from here: entries of models.toml, local servers, known names and their keys."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from modex.core.foundation.errors import ConfigurationError
from modex.core.foundation.exit_codes import ExitCode
from modex.tui.commands.options import COUNT, complete_models, json_option, print_json

if TYPE_CHECKING:
    from modex.core.config.entries.reading import ModelEntry

DEMO = {
    "demo": "scripted model of middling ability",
    "demo/strong": "scripted, mostly right",
    "demo/weak": "scripted, mostly wrong from level 3 on",
    "demo/flaky": "scripted, with rate limits, outages and cut-off answers",
    "demo/perfect": "scripted, always right",
}
_PRICED = 30
"""Names of the table of prices that are printed: a screenful. With `--json` all that hold the word are."""
_ALL = 100_000
_suite_option = click.option(
    "--suite", type=click.Path(file_okay=False), help="The suite whose models.toml counts too."
)
_suite_file_option = click.option("--suite", type=click.Path(file_okay=False), help="Change this suite's models.toml.")


class _Models(click.Group):
    """What is no command below it is a word that names hold."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """As if `list` had been said."""
        if not args or (args[0] not in self.commands and args[0] not in ctx.help_option_names):
            args = ["list", *args]
        return super().parse_args(ctx, args)


@click.group(cls=_Models)
def models() -> None:
    """List reachable models and the keys they need; add, test or remove an entry of models.toml.

    `modex models gpt --json` is `modex models list gpt --json`.
    """


@models.command(name="list")
@click.argument("text", default="")
@click.option("--api-base", help="Also ask this server for its models.")
@click.option("--limit", type=COUNT, default=_PRICED, show_default=True, help="Most priced models that are printed.")
@_suite_option
@json_option
def list_models(text: str, api_base: str | None, limit: int, suite: str | None, as_json: bool) -> None:
    """List models: entries with what is wrong with them, scripted, local servers', and priced ones that hold TEXT."""
    from modex.core.config.entries.inside import INSIDE, NAME, NOT_INSTALLED, find_weights
    from modex.core.config.entries.places import entries, origin_words
    from modex.core.config.runconfig import ModelSpec
    from modex.core.config.settings import load_settings
    from modex.core.llm.discovery import LocalServer, find_local_servers, models_at
    from modex.core.llm.keys import key_present, required_key
    from modex.core.llm.naming import name_at, ready_entries
    from modex.core.llm.prices import known_models
    from modex.core.llm.trying import problems_by_entry
    from modex.core.safety import clean_line, redact

    named = entries(suite or load_settings().run.get("suite"))
    own = [entry for entry in named.values() if entry.path is not None and text in f"{entry.name} {entry.model}"]
    wrong = problems_by_entry(own)
    servers = find_local_servers()
    if api_base:
        servers = [LocalServer("server", api_base, models_at(api_base)), *servers]
    keyed = [
        {"model": name, "key": required_key(spec), "key_present": key_present(spec)}
        for name in (known_models(text, limit=_ALL) if text else [])
        if (spec := ModelSpec(model=name))
    ]
    ready = ready_entries(servers, named)
    if as_json:
        found = [
            {"api_base": redact(server.api_base), "name": server.name, "models": list(server.models)}
            for server in servers
        ]
        rows = [
            {"name": entry.name, "model": entry.model, "api_base": entry.fields.get("api_base"), "where": entry.where,
             "before": list(entry.hides), "problems": wrong[entry.name]}
            for entry in own
        ]  # fmt: skip
        print_json({"entries": rows, "demo": DEMO, "servers": found, "ready": ready, "known": keyed})
        return
    for entry in own:
        at = f" at {redact(str(entry.fields['api_base']))}" if "api_base" in entry.fields else ""
        click.echo(f"{entry.name:<14} {clean_line(entry.model + at)}")
        click.echo(f"{'':<14} {clean_line(origin_words(entry))}")
        for problem in wrong[entry.name]:
            click.echo(f"{'':<14} ! {clean_line(problem)}")
    if own:
        click.echo()
    for name, about in DEMO.items():
        if text in name and name not in {entry.name for entry in own}:
            click.echo(f"{name:<14} {about}")
    if text in NAME and NAME not in {entry.name for entry in own}:
        click.echo(f"{NAME:<14} {INSIDE if find_weights() is not None else NOT_INSTALLED}")
    for server in servers:
        click.echo(f"\n{clean_line(server.name)} at {clean_line(redact(server.api_base))}")
        for model in server.models:
            asked_as = name_at(server.api_base, model)
            click.echo(f"  --model {clean_line(asked_as)} --api-base {clean_line(redact(server.api_base))}")
    if ready:
        click.echo(f"\n`modex models add NAME` gives one of them a name: {', '.join(list(ready)[:8])}")
    if not servers:
        from modex.core.llm.discovery import USUAL_PORTS

        ports = ", ".join(f"{name} {port}" for port, name in USUAL_PORTS)
        click.echo(f"\nno local server on the usual ports ({ports})")
    if keyed:
        click.echo()
    for row in keyed[:limit]:
        click.echo(f"{clean_line(str(row['model'])):<48} {_key_state(str(row['model']))}")
    if len(keyed) > limit:
        click.echo(
            f"\nand {len(keyed) - limit:,} more that hold '{clean_line(text, 40)}': a longer word, or --limit {len(keyed)}"
        )
    if not text:
        click.echo("\nany model litellm knows works; `modex models gpt` lists names that hold a word, with their keys")


@models.command()
@click.argument("name")
@click.option("--model", help="As the provider layer names it.")
@click.option("--api-base", help="Address of an OpenAI-compatible server.")
@click.option("--api-key-env", help="The variable that holds its key; never the key.")
@click.option("--gguf", help="A file that modex serves, instead of --model.")
@click.option("--set", "more", multiple=True, metavar="KEY=VALUE",
              help="Any other key of an entry, as params.temperature=0.2; repeatable.")  # fmt: skip
@_suite_file_option
def add(
    name: str,
    model: str | None,
    api_base: str | None,
    api_key_env: str | None,
    gguf: str | None,
    more: tuple[str, ...],
    suite: str | None,
) -> None:
    """Write the entry NAME behind the others in models.toml; without --model it is a model of a server found here."""
    from modex.core.config.entries.editing import add_entry, assigned, own_file
    from modex.core.config.entries.places import BUILT_IN

    path = own_file(suite)
    given: dict[str, Any] = {"model": model, "api_base": api_base, "api_key_env": api_key_env}
    given["gguf"] = str(Path(gguf).expanduser().absolute()) if gguf else None
    given = {key: value for key, value in given.items() if value is not None} | assigned(more)
    if not given:
        given = _found_here(name, path)
    entry = add_entry(path, name, given)
    click.echo(f"{entry.where}: {name} is {entry.model}", err=True)
    if any(name == one.name for one in BUILT_IN):
        click.echo(
            f"  ! it comes before the model '{name}' that is built in; `modex models remove {name}` ends that", err=True
        )
    _say_problems(entry)


def _found_here(name: str, path: Path) -> dict[str, Any]:
    from modex.core.config.entries.reading import read_entries
    from modex.core.llm.discovery import find_local_servers
    from modex.core.llm.naming import ready_entries

    ready = ready_entries(find_local_servers(), read_entries(path, "settings"))
    if name not in ready:
        known = f"there are {', '.join(ready)}" if ready else "no server answers on the usual ports"
        raise ConfigurationError(
            f"{name}: say which model: --model provider/name, or --gguf FILE; of servers found here {known}"
        )
    return {**ready[name]}


def _say_problems(entry: ModelEntry) -> None:
    from modex.core.llm.trying import problems_by_entry
    from modex.core.safety import clean_line

    for problem in problems_by_entry([entry])[entry.name]:
        click.echo(f"  ! {clean_line(problem)}", err=True)


@models.command()
@click.argument("name", shell_complete=complete_models)
@_suite_option
@click.option(
    "--allow-plugins",
    "allow",
    is_flag=True,
    help="Let the suite's entry act on this machine, now and later: its command, its address, the key it sends.",
)
@json_option
@click.pass_context
def test(ctx: click.Context, name: str, suite: str | None, allow: bool, as_json: bool) -> None:
    """Say what is wrong with the model NAME, and ask it one short question; exit 1 where it does not answer."""
    from modex.core.config.entries.places import find_entry, origin_words
    from modex.core.config.settings import load_settings
    from modex.core.llm.naming import asked_model
    from modex.core.llm.trying import problems_of, try_once
    from modex.core.safety import clean_line

    suite = suite or load_settings().run.get("suite")
    entry = find_entry(name, suite)
    if entry is not None:
        click.echo(f"{name}: {clean_line(origin_words(entry))}", err=True)
    spec = asked_model(name, suite=suite, allow=allow, flag="modex models test")
    problems = problems_of(spec)
    for problem in problems:
        click.echo(f"  ! {clean_line(problem)}", err=True)
    try:
        tried = try_once(spec)
    except ConfigurationError as error:
        if as_json:
            print_json({"name": name, "model": spec.model, "answers": False, "problems": [*problems, str(error)]})
        else:
            click.echo(clean_line(str(error)), err=True)
        ctx.exit(ExitCode.MISSED)
    if as_json:
        print_json(
            {"name": name, "model": spec.model, "answers": True, "text": tried.text, "seconds": tried.seconds,
             "tokens": tried.usage.as_dict(), "cost_usd": tried.cost_usd, "problems": problems}
        )  # fmt: skip
        return
    click.echo(f"{name}: {tried.words}")


@models.command()
@click.argument("name", shell_complete=complete_models)
@_suite_file_option
def remove(name: str, suite: str | None) -> None:
    """Take the entry NAME out of models.toml; everything else in it stays as it is."""
    from modex.core.config.entries.editing import own_file, remove_entry

    path = own_file(suite)
    lines = remove_entry(path, name)
    click.echo(f"{path}: {name} is gone, {lines} line{'s' if lines != 1 else ''}", err=True)


def _key_state(model: str) -> str:
    from modex.core.config.runconfig import ModelSpec
    from modex.core.llm.keys import key_present, key_variables, required_key
    from modex.core.llm.routing import route

    spec = ModelSpec(model=model)
    key = required_key(spec)
    if key:
        return f"{key} {'is set' if key_present(spec) else 'is not set'}"
    if key_variables(spec) or route(spec).path == "direct":
        return "no key needed"
    return "credentials of its own: see litellm's page on it"
