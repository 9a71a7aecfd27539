"""Prompt layers as Markdown: `prompts/<domain>/domain.md`, `level_<n>.md`, `<test_id>.md`."""

from __future__ import annotations

from dataclasses import dataclass, field

from modex.core.foundation.errors import Problem
from modex.core.suite.definitions import LayerMode, LayerScope, Location, PromptLayer
from modex.core.suite.frontmatter import parse_prompt
from modex.core.suite.report import Source
from modex.core.suite.state import Loading
from modex.core.suite.suggest import closest


@dataclass(slots=True)
class PromptFolder:
    """The layers that `prompts/<domain>/` gives, by file stem; each remembers whether it was used."""

    layers: dict[str, tuple[str, LayerMode | None, Location]] = field(default_factory=dict)
    faults: dict[str, list[Problem]] = field(default_factory=dict)
    used: set[str] = field(default_factory=set)


def load_prompts(loading: Loading, domain: str) -> PromptFolder:
    """Read the Markdown layers of one domain."""
    found = PromptFolder()
    folder = f"prompts/{domain}"
    for name in loading.folder(folder).files:
        stem = name.removesuffix(".md")
        if stem == name:
            continue
        path = f"{folder}/{name}"
        source = loading.read(path)
        if source is None:
            found.faults[stem] = [loading.report.problems[-1]]
            continue
        prompt = parse_prompt(source.text)
        for line, message in prompt.faults:
            source.add_at(line, message)
        for line, message in prompt.notes:
            loading.report.note(path, line, message)
        problems = loading.report.take(source)
        if problems:
            found.faults[stem] = problems
        else:
            found.layers[stem] = (prompt.text, prompt.mode, Location(path, prompt.line))
    return found


def report_unused(loading: Loading, prompts: PromptFolder, domain: str, known: set[str]) -> None:
    """Say which files of a domain's prompts belong to no layer: a mistake where a name is nearly met, else a note."""
    for stem, (_, _, location) in prompts.layers.items():
        if stem in prompts.used:
            continue
        meant = closest(stem, known)
        message = f"'{stem}.md' belongs to no test of '{domain}', and is neither domain.md nor level_<1-5>.md"
        if meant is not None:
            loading.report.problem(location.path, 1, f"{message}; did you mean '{meant}.md'?")
        else:
            loading.report.note(location.path, 1, message)


def layer_of(
    prompts: PromptFolder,
    stem: str,
    *,
    scope: LayerScope,
    data: dict[str, object],
    source: Source,
    fallback: PromptLayer | None = None,
) -> tuple[PromptLayer | None, list[Problem]]:
    """The layer that a definition's JSON and its Markdown file give, and the mistakes of the Markdown file.

    Both together are a mistake, remembered at the JSON's key. `fallback` is what a second JSON file gave already.
    """
    text, mode = data.get("system_prompt"), data.get("system_prompt_mode")
    written = prompts.layers.get(stem)
    if written is not None or stem in prompts.faults:
        prompts.used.add(stem)
    faults = prompts.faults.get(stem, [])
    given = isinstance(text, str)
    if given and written is not None:
        source.add(("system_prompt",), f"the {scope} layer is given here and in {written[2]}; keep one")
        return None, faults
    if given and fallback is not None:
        source.add(("system_prompt",), f"the {scope} layer is given here and in {fallback.location}; keep one")
        return fallback, faults
    from_json: LayerMode = "append" if mode == "append" else "overwrite"
    if isinstance(text, str):
        return PromptLayer(scope, text, from_json, Location(source.path, source.line_of(("system_prompt",)))), faults
    if written is not None:
        return PromptLayer(scope, written[0], written[1] or from_json, written[2]), faults
    return fallback, faults
