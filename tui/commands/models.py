"""`modex models`: what can be asked from here: the demo model, local servers, known names and their keys."""

from __future__ import annotations

import click

from modex.tui.commands.options import json_option, print_json

DEMO = {
    "demo": "scripted model of middling ability",
    "demo/strong": "scripted, mostly right",
    "demo/weak": "scripted, mostly wrong from level 3 on",
    "demo/flaky": "scripted, with rate limits, outages and cut-off answers",
    "demo/perfect": "scripted, always right",
}


@click.command()
@click.argument("text", default="")
@click.option("--api-base", help="Also ask this server for its models.")
@json_option
def models(text: str, api_base: str | None, as_json: bool) -> None:
    """List models that can be reached: scripted, local servers', and priced ones that hold TEXT, with their keys."""
    from modex.core.config.runconfig import ModelSpec
    from modex.core.llm.discovery import LocalServer, find_local_servers, models_at
    from modex.core.llm.keys import key_present, required_key
    from modex.core.llm.prices import known_models
    from modex.core.safety import clean_line, redact

    servers = find_local_servers()
    if api_base:
        servers = [LocalServer("server", api_base, models_at(api_base)), *servers]
    keyed = [
        {"model": name, "key": required_key(spec), "key_present": key_present(spec)}
        for name in (known_models(text) if text else [])
        if (spec := ModelSpec(model=name))
    ]
    if as_json:
        found = [
            {"api_base": redact(server.api_base), "name": server.name, "models": list(server.models)}
            for server in servers
        ]
        print_json({"demo": DEMO, "servers": found, "known": keyed})
        return
    for name, about in DEMO.items():
        if text in name:
            click.echo(f"{name:<14} {about}")
    for server in servers:
        click.echo(f"\n{clean_line(server.name)} at {clean_line(redact(server.api_base))}")
        for model in server.models:
            click.echo(f"  --model {clean_line(model)} --api-base {clean_line(redact(server.api_base))}")
    if not servers:
        click.echo("\nno local server on the usual ports (Ollama 11434, vLLM 8000, llama.cpp 8080, LM Studio 1234)")
    if keyed:
        click.echo()
    for row in keyed:
        click.echo(f"{clean_line(str(row['model'])):<48} {_key_state(str(row['model']))}")
    if not text:
        click.echo("\nany model litellm knows works; `modex models gpt` lists names that hold a word, with their keys")


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
