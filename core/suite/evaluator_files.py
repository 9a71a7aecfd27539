"""`test_definitions/evaluators/*.json`: evaluator configurations, and what they name of each other."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from modex.core.foundation.errors import Problem
from modex.core.suite.definitions import EvaluatorConfig, Location
from modex.core.suite.dialects import Dialect
from modex.core.suite.judge_templates import placeholder_faults
from modex.core.suite.positions import JsonPath, objects_in
from modex.core.suite.report import Source, reason
from modex.core.suite.state import Loading
from modex.core.suite.suggest import did_you_mean
from modex.core.suite.tables import EVALUATOR

References = dict[str, list[tuple[Source, JsonPath, str]]]
_REFERENCE_KEYS = frozenset({"evaluator", "evaluator_id", "fallback", "judge", "base"})


def pattern_fault(pattern: str) -> str | None:
    """What is wrong with a regular expression, or None."""
    from modex.core.sandbox.patterns import PatternError, compile_pattern

    try:
        compile_pattern(pattern)
    except PatternError as error:
        return f"is not a regular expression: {error}"
    return None


def load_evaluators(loading: Loading) -> None:
    """Read every evaluator file into the suite, and check what they refer to."""
    folders = [loading.under("evaluators"), *(["custom_evaluators"] if loading.dialect else [])]
    references: References = {}
    first: dict[str, str] = {}
    for folder, name in [(place, file) for place in folders for file in loading.folder(place).files]:
        if not name.endswith(".json") or (loading.dialect is not None and name == "domain.json"):
            continue
        last: Source | None = None
        for source, at, given in loading.objects(f"{folder}/{name}"):
            last = source
            data = given
            if loading.dialect is not None:
                data = loading.say(source, at, loading.dialect.evaluator(given))
            else:
                loading.look_for_signs(_signs_in(given))
            config = _evaluator(loading, source, at, data)
            if config is None:
                continue
            if config.id in first:
                source.add(
                    (*at, "id"), f"evaluator '{config.id}' is defined already in {first[config.id]}; give another id"
                )
                continue
            first[config.id] = str(config.location)
            loading.suite.evaluators[config.id] = config
            references[config.id] = [
                (source, (*path, key), ref)
                for path, found in objects_in(data.get("config"), (*at, "config"))
                for key, ref in found.items()
                if key in _REFERENCE_KEYS and isinstance(ref, str)
            ]
        if last is not None and last.located:  # of the whole file; any other mistake is that of its own evaluator
            _mark_broken(loading, last)
    _check_references(loading, references)


def _signs_in(data: dict[str, Any]) -> Callable[[Dialect], bool]:
    return lambda dialect: dialect.is_evaluator(data)


def _mark_broken(loading: Loading, source: Source) -> None:
    why = reason(source.problems())
    for config in list(loading.suite.evaluators.values()):
        if config.location is not None and config.location.path == source.path:
            loading.broken_evaluators[config.id] = why


def _evaluator(loading: Loading, source: Source, at: JsonPath, data: dict[str, Any]) -> EvaluatorConfig | None:
    before = len(source.found)
    unknown = loading.report.check(source, data, EVALUATOR, at)
    identity = data.get("id")
    pattern, prompt = data.get("extraction_regex"), data.get("eval_prompt")
    if loading.whole and isinstance(pattern, str) and (fault := pattern_fault(pattern)):
        source.add((*at, "extraction_regex"), f"'extraction_regex' {fault}; correct it")
    finds = data.get("verdict_regex")
    if loading.whole and isinstance(finds, str) and (fault := pattern_fault(finds)):
        source.add((*at, "verdict_regex"), f"'verdict_regex' {fault}; correct it")
    settings = data.get("config")
    beside = settings.get("verdict_regex") if isinstance(settings, dict) else None
    if finds is not None and beside is not None and finds != beside:
        source.add((*at, "verdict_regex"), "'verdict_regex' is another one than 'config.verdict_regex'; leave one out")
    if isinstance(prompt, str) and loading.dialect is None:
        for _, message in placeholder_faults(prompt):
            source.add((*at, "eval_prompt"), message)
    if not isinstance(identity, str):
        return None
    clean = len(source.found) == before
    if clean and data["type"] in ("predefined", "builtin") and identity not in loading.builtins:
        base = (data.get("config") or {}).get("base")
        if loading.builtins and base not in loading.builtins:
            message = f"'{identity}' is no built-in evaluator{did_you_mean(identity, loading.builtins)}"
            if loading.dialect is not None:
                # Another system's own evaluator is no mistake of the suite: the tests that name it cannot run here.
                line = source.line_of((*at, "id"))
                why = f"evaluator {message}, but one of {loading.dialect.name}'s own"
                loading.broken_evaluators[identity] = str(Problem(source.path, line, why))
                loading.report.note(source.path, line, message)
                return None
            source.add((*at, "id"), f"{message} (name one in `id`, or in `config.base`)")
            clean = False
    if not clean:
        why = f"evaluator '{identity}' has a mistake: {source.first_since(before)}"
        loading.broken_evaluators.setdefault(identity, why)
        return None
    config = dict(data.get("config") or {})
    description = data.get("description") or unknown.get("description")
    if description:
        config.setdefault("description", description)
    if finds is not None and data["type"] in ("custom", "hybrid"):
        config["verdict_regex"] = finds
    elif finds is not None:
        line = source.line_of((*at, "verdict_regex"))
        loading.report.note(source.path, line, "'verdict_regex' is read for custom and hybrid evaluators only")
    if loading.ignore_case and data["type"] == "regex":
        config.setdefault("ignore_case", True)
    return EvaluatorConfig(
        id=identity,
        name=data.get("name") or identity,
        type=data["type"],
        location=Location(source.path, source.line_of((*at, "id"))),
        eval_prompt=prompt,
        extraction_regex=pattern,
        uses_pass2=data.get("uses_pass2"),
        config=config,
    )


def _check_references(loading: Loading, references: References) -> None:
    """Report references to evaluators that are not there, and cycles; both break the evaluators that hold them."""
    known = {*loading.suite.evaluators, *loading.builtins, *loading.broken_evaluators}
    report = loading.report
    for identity, found in references.items():
        for source, path, name in found:
            if loading.builtins and name not in known:
                hint = did_you_mean(name, known)
                message = f"there is no evaluator '{name}'{hint}"
                say = report.problem if hint and loading.dialect is None else report.lack
                say(source.path, source.line_of(path), message)
                loading.broken_evaluators.setdefault(identity, f"evaluator '{identity}': {message}")
    reported: set[frozenset[str]] = set()
    for start, named in references.items():
        cycle = _cycle(start, references)
        if cycle is None or frozenset(cycle) in reported:
            continue
        reported.add(frozenset(cycle))
        source, path, _ = next(entry for entry in named if entry[2] == cycle[1])
        message = f"evaluators refer to each other in a circle: {' → '.join(cycle)}"
        report.problem(source.path, source.line_of(path), message)
        for identity in cycle:
            loading.broken_evaluators.setdefault(identity, message)
    for identity in list(references):
        for _, _, name in references[identity]:
            if name in loading.broken_evaluators:
                loading.broken_evaluators.setdefault(identity, loading.broken_evaluators[name])


def _cycle(start: str, references: References) -> list[str] | None:
    """The shortest way from `start` back to itself, both ends named, or None."""
    parents: dict[str, str] = {}
    queue = [start]
    for here in queue:
        for _, _, name in references.get(here, ()):
            if name == start:
                return [start, *_way(here, start, parents), start] if here != start else [start, start]
            if name in references and name not in parents:
                parents[name] = here
                queue.append(name)
    return None


def _way(end: str, start: str, parents: dict[str, str]) -> list[str]:
    """The names between `start` and `end`, `end` with them."""
    way: list[str] = []
    while end != start:
        way.append(end)
        end = parents[end]
    return way[::-1]
