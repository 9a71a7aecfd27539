"""promptfoo's configuration as a suite of ours: prompts × variables, assertions as rubrics; what is lost is named.

A configuration is YAML or JSON with `prompts`, `tests` (in place or in files), `defaultTest` and `scenarios`
(promptfoo's "Configuration reference", 2025). Its providers are not read: a run names its model.
"""

from __future__ import annotations

import csv
import io
import itertools
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from modex.core.edge.dialects.promptfoo_asserts import from_column, rubric_of
from modex.core.foundation.errors import ConfigurationError
from modex.core.suite.files import FileFaultError, read_text

MAX_BYTES = 20_000_000
"""As large as a configuration, or a file that it names, may be."""
MAX_TESTS = 100_000
_HOLE = re.compile(r"\{\{-?\s*([A-Za-z_]\w*(?:\.\w+)*)\s*-?\}\}")
_TEMPLATE = re.compile(r"\{%|\{\{")
_TABLES = (".csv", ".tsv")


@dataclass(slots=True)
class Brought:
    """What was read: the tests with their levels, and what was lost, by name."""

    name: str
    tests: list[tuple[int, dict[str, Any]]] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    """Tests that cannot be carried over at all, each with the reason."""


class _LostError(ValueError):
    """A part that cannot be carried over; the message says why."""


def read_config(path: Path) -> Brought:
    """The tests of the configuration at `path`.

    Raises:
        ConfigurationError: it cannot be read, or is no configuration of promptfoo.
    """
    config = _load(path, path)
    if not isinstance(config, dict) or not ("prompts" in config or "tests" in config):
        raise ConfigurationError(
            f"{path}: this is no configuration of promptfoo: it has neither 'prompts' nor 'tests'; name another file"
        )
    brought = Brought(_slug(str(config.get("description") or "")) or _slug(path.parent.resolve().name) or "promptfoo")
    for key in ("transform", "nunjucksFilters", "extensions", "derivedMetrics", "scenarios", "outputPath", "env"):
        if config.get(key) and key not in ("scenarios", "outputPath", "env"):
            brought.lost.append(f"{key}: not carried over")
    if config.get("providers") or config.get("targets"):
        brought.lost.append("providers: a run names its model (--model)")
    common = config.get("defaultTest")
    default = common if isinstance(common, dict) else {}
    if common is not None and not isinstance(common, dict):
        brought.lost.append(f"defaultTest: {str(common)[:80]} is not read")
    prompts = list(_prompts(config.get("prompts"), path, brought))
    templates = config.get("assertionTemplates")
    taken: set[str] = set()
    for number, test in enumerate(_tests(config, path, brought), 1):
        for variables in _expanded({**_vars(default), **_vars(test)}, test, default):
            for place, (label, prompt) in enumerate(prompts, 1):
                ending = f"_p{place}" if len(prompts) > 1 else ""
                name = _unique((_slug(str(test.get("description") or "")) or f"test_{number}") + ending, taken)
                _add(brought, name, label, prompt, _Parts(test, default, variables, templates, path))
                if len(brought.tests) > MAX_TESTS:
                    raise ConfigurationError(f"{path}: more than {MAX_TESTS:,} tests come of it; split it")
    return brought


@dataclass(frozen=True, slots=True)
class _Parts:
    """What one test is made of."""

    test: Mapping[str, Any]
    default: Mapping[str, Any]
    variables: Mapping[str, Any]
    templates: Any
    path: Path


def _add(brought: Brought, name: str, label: str, prompt: Any, parts: _Parts) -> None:
    options = {**_table(parts.default.get("options")), **_table(parts.test.get("options"))}
    try:
        values = {key: _read_value(value, parts.path) for key, value in parts.variables.items()}
        said = _asked(prompt, values, options)
        asserts = [*_list(parts.default.get("assert")), *_list(parts.test.get("assert"))]
        rubric = rubric_of([_by_reference(one, parts.templates) for one in asserts], lambda text: _filled(text, values))
    except _LostError as error:
        brought.left_out.append(f"{name}: {error}")
        return
    lost = [f"{name}: {line}" for line in rubric.lost]
    lost += [
        f"{name}: options.{key}: not carried over"
        for key in ("transform", "postprocess", "provider")
        if options.get(key)
    ]
    lost += [
        f"{name}: {key}: all assertions must hold here" for key in ("threshold",) if parts.test.get(key) is not None
    ]
    expected = rubric.expected
    if expected is None:
        brought.left_out.append("; ".join([f"{name}: no assertion could be carried over", *rubric.lost]))
        return
    brought.lost += lost
    metadata: dict[str, Any] = {"promptfoo": {"prompt": label, "vars": values}}
    if rubric.lost:
        metadata["promptfoo"]["not_carried_over"] = rubric.lost
    own = _table(parts.test.get("metadata"))
    level = own.get("level")
    test = {
        "id": name, "name": str(parts.test.get("description") or "")[:200], "prompt": said, "expected": expected,
        "evaluator_id": "rubric", "metadata": {**own, **metadata},
    }  # fmt: skip
    brought.tests.append((level if isinstance(level, int) and level in range(1, 6) else 1, test))


def _asked(prompt: Any, values: Mapping[str, Any], options: Mapping[str, Any]) -> Any:
    """The question: a text, or chat turns where the prompt is written as JSON or YAML of them."""
    if isinstance(prompt, list):
        turns = [
            {"role": str(turn.get("role")), "content": _filled(str(turn.get("content")), values)} for turn in prompt
        ]
    else:
        text = f"{options.get('prefix') or ''}{_filled(str(prompt), values)}{options.get('suffix') or ''}"
        turns = _chat(text)
        if not turns:
            if not text.strip():
                raise _LostError("its prompt is empty")
            return text
    if turns[-1]["role"] != "user" or any(turn["role"] not in ("system", "user", "assistant") for turn in turns):
        raise _LostError("its chat does not end with a user's turn, or has other roles than system, user and assistant")
    return turns


def _chat(text: str) -> list[dict[str, str]]:
    """The turns that a text is the JSON of; none where it is plain text."""
    if not text.lstrip().startswith("["):
        return []
    try:
        value = json.loads(text)
    except ValueError:
        return []
    if not isinstance(value, list) or not all(
        isinstance(turn, dict) and isinstance(turn.get("content"), str) for turn in value
    ):
        return []
    return [{"role": str(turn.get("role")), "content": turn["content"]} for turn in value]


def _filled(text: str, values: Mapping[str, Any]) -> str:
    """The text with its variables; templates that do more than that are not carried over.

    Raises:
        _LostError: it holds a block or a filter.
    """

    def value_of(match: re.Match[str]) -> str:
        value: Any = values
        for step in match[1].split("."):
            value = value.get(step) if isinstance(value, dict) else None
        return "" if value is None else value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)

    if found := _TEMPLATE.search(_HOLE.sub("", text)):
        raise _LostError(f"its template does more than name variables: {text[found.start() : found.start() + 60]!r}")
    return _HOLE.sub(value_of, text)


def _prompts(given: Any, path: Path, brought: Brought) -> Iterator[tuple[str, Any]]:
    """Each prompt with its label."""
    listed = given if isinstance(given, list) else ["{{prompt}}"] if given is None else [given]
    for number, one in enumerate(listed, 1):
        raw = (one.get("raw") or one.get("id")) if isinstance(one, dict) else one
        label = str(one.get("label") or number) if isinstance(one, dict) else str(number)
        if not isinstance(raw, str):
            brought.lost.append(f"prompt {number}: it is no text")
        elif raw.startswith("file://") or (raw.endswith((".txt", ".json", ".yaml", ".yml", ".md")) and "\n" not in raw):
            yield from _prompt_file(raw.removeprefix("file://"), label, path, brought)
        elif raw.startswith(("exec:", "python:")) or raw.endswith((".py", ".js", ".ts", ".cjs", ".mjs")):
            brought.lost.append(f"prompt {number}: {raw[:80]} is code, which is not run")
        else:
            yield label, raw


def _prompt_file(name: str, label: str, path: Path, brought: Brought) -> Iterator[tuple[str, Any]]:
    if Path(name).suffix not in (".txt", ".md", ".json", ".yaml", ".yml"):
        brought.lost.append(f"prompt {label}: {name[:80]} is not read")
        return
    try:
        file = _beside(name, path)
        if file.suffix in (".yaml", ".yml"):
            yield label, _load(file, path)
            return
        parts = re.split(r"(?m)^---\s*$", _text_of(file, path)) if file.suffix == ".txt" else [_text_of(file, path)]
    except _LostError as error:
        brought.lost.append(f"prompt {label}: {error}")
        return
    kept = [part.strip() for part in parts if part.strip()]
    yield from ((label if len(kept) == 1 else f"{label}.{number}", part) for number, part in enumerate(kept, 1))


def _tests(config: Mapping[str, Any], path: Path, brought: Brought) -> Iterator[dict[str, Any]]:
    given = config.get("tests")
    for one in given if isinstance(given, list) else [] if given is None else [given]:
        yield from _test_or_file(one, path, brought)
    for scenario in _list(config.get("scenarios")):
        table = _table(scenario)
        for base, test in itertools.product(_list(table.get("config")), _list(table.get("tests")) or [{}]):
            for found in _test_or_file(test, path, brought):
                yield {**_table(base), **found, "vars": {**_vars(_table(base)), **_vars(found)},
                       "assert": [*_list(_table(base).get("assert")), *_list(found.get("assert"))]}  # fmt: skip


def _test_or_file(one: Any, path: Path, brought: Brought) -> Iterator[dict[str, Any]]:
    if isinstance(one, dict):
        yield one
        return
    name = str(one).removeprefix("file://")
    try:
        file = _beside(name, path)
        if file.suffix in _TABLES:
            yield from _rows(_text_of(file, path), "\t" if file.suffix == ".tsv" else ",")
        elif file.suffix in (".yaml", ".yml", ".json"):
            found = _load(file, path)
            yield from (test for test in (found if isinstance(found, list) else [found]) if isinstance(test, dict))
        elif file.suffix == ".jsonl":
            yield from (json.loads(line) for line in _text_of(file, path).splitlines() if line.strip())
        else:
            brought.lost.append(f"tests: {name[:80]} is code or a service, which is not asked")
    except (_LostError, ValueError) as error:
        brought.lost.append(f"tests: {name[:80]}: {error}")


def _rows(text: str, separator: str) -> Iterator[dict[str, Any]]:
    """The tests of a table: columns are variables, `__expected…` assertions, `__description` a name."""
    for row in csv.DictReader(io.StringIO(text), delimiter=separator):
        cells = {str(key).strip(): value or "" for key, value in row.items() if key is not None}
        asserts = [from_column(value) for key, value in cells.items() if key.startswith("__expected") and value.strip()]
        test: dict[str, Any] = {
            "vars": {key: value for key, value in cells.items() if not key.startswith("__")},
            "assert": asserts,
        }
        if cells.get("__description"):
            test["description"] = cells["__description"]
        yield test


def _expanded(
    variables: dict[str, Any], test: Mapping[str, Any], default: Mapping[str, Any]
) -> Iterator[dict[str, Any]]:
    """One set of variables for every combination of those that are lists, as promptfoo does."""
    options = {**_table(default.get("options")), **_table(test.get("options"))}
    lists = (
        {}
        if options.get("disableVarExpansion")
        else {key: value for key, value in variables.items() if isinstance(value, list)}
    )
    for chosen in itertools.product(*lists.values()):
        yield {**variables, **dict(zip(lists, chosen, strict=True))}


def _read_value(value: Any, path: Path) -> Any:
    """A variable's value; one that stands in a file is read from it."""
    if not isinstance(value, str) or not value.startswith("file://"):
        return value
    file = _beside(value.removeprefix("file://"), path)
    if file.suffix in (".py", ".js", ".ts", ".cjs", ".mjs"):
        raise _LostError(f"a variable is made by code ({file.name}), which is not run")
    if file.suffix in (".yaml", ".yml"):
        return json.dumps(_load(file, path), ensure_ascii=False, default=str)
    return _text_of(file, path).rstrip("\n")


def _by_reference(one: Any, templates: Any) -> Any:
    """An assertion, or the template that it names (`$ref: "#/assertionTemplates/x"`)."""
    name = one.get("$ref") if isinstance(one, dict) else None
    if not isinstance(name, str):
        return one
    found = _table(templates).get(name.rpartition("/")[2])
    return {**_table(found), **{key: value for key, value in one.items() if key != "$ref"}}


def _beside(name: str, path: Path) -> Path:
    """A file that the configuration names, inside its folder."""
    root = path.parent.resolve()
    try:
        found = (root / name).resolve()
    except (OSError, ValueError) as error:
        raise _LostError(f"{name[:80]} cannot be read ({error})") from None
    if not found.is_relative_to(root):
        raise _LostError(f"{name[:80]} lies outside the configuration's folder, and is not read")
    return found


def _text_of(file: Path, path: Path) -> str:
    try:
        return read_text(file, MAX_BYTES)
    except FileFaultError as fault:
        if file == path:
            raise ConfigurationError(f"{path}: {fault.message}") from None
        raise _LostError(f"{file.name}: {fault.message}") from None


def _load(file: Path, path: Path) -> Any:
    """YAML, of which JSON is a part.

    Raises:
        ConfigurationError: the configuration itself cannot be read.
        _LostError: another file cannot.
    """
    import yaml

    text = _text_of(file, path)
    try:
        return yaml.safe_load(text)
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        mark = getattr(error, "problem_mark", None)
        where = f"{file}:{mark.line + 1}" if mark is not None else str(file)
        said = getattr(error, "problem", None) or "it cannot be read as YAML"
        if file == path:
            raise ConfigurationError(f"{where}: {said}; correct it, as YAML") from None
        raise _LostError(f"{where}: {said}") from None


def _vars(test: Mapping[str, Any]) -> dict[str, Any]:
    return {str(key): value for key, value in _table(test.get("vars")).items()}


def _table(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _slug(text: str) -> str:
    return re.sub(r"[^\w]+", "_", text.strip().casefold()).strip("_")[:60]


def _unique(name: str, taken: set[str]) -> str:
    found = next(
        one for one in itertools.chain([name], (f"{name}_{n}" for n in itertools.count(2))) if one not in taken
    )
    taken.add(found)
    return found
