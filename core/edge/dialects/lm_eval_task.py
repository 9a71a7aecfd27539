"""A task of lm-evaluation-harness (`task.yaml`) as a domain of ours: its templates filled in, its filters as an evaluator.

Templates are jinja2's, filled in a sandbox. What is code (`!function utils.x`) or not known here is named with file and line, and
refuses the task: nothing of it is executed and nothing left out silently.
https://github.com/EleutherAI/lm-evaluation-harness/blob/main/docs/task_guide.md
"""

from __future__ import annotations

import ast
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any

import yaml

from modex.core.evaluators.text.lm_eval import METRIC, filter_faults
from modex.core.foundation.errors import ConfigurationError
from modex.core.suite.datasets.rows import BadRow, iter_rows
from modex.core.suite.files import read_text

_SEED = 1234
"""By which lm-eval draws worked examples where nobody says otherwise (`--seed`)."""
_TOLD = frozenset(
    {
        "task", "task_alias", "tag", "group", "group_alias", "metadata", "dataset_path", "dataset_name", "dataset_kwargs",
        "output_type", "training_split", "validation_split", "test_split", "fewshot_split", "doc_to_text", "doc_to_target",
        "doc_to_choice", "description",
        "target_delimiter", "fewshot_delimiter", "fewshot_config", "num_fewshot", "metric_list", "generation_kwargs", "repeats",
        "filter_list", "should_decontaminate", "doc_to_decontamination_query", "include", "aggregate_metric_list", "unsafe_code",
    }
)  # fmt: skip
_NOT_ASKED = frozenset({"metadata", "doc_to_decontamination_query"})
"""Keys in which code decides nothing here."""
_FEWSHOT = frozenset(
    {
        "sampler",
        "samples",
        "split",
        "doc_to_text",
        "doc_to_target",
        "doc_to_choice",
        "fewshot_delimiter",
        "target_delimiter",
    }
)
_GENERATION = frozenset({"until", "max_gen_toks", "temperature", "do_sample", "top_p", "top_k"})
_LOCAL = ("json", "csv", "parquet", "text")


@dataclass(frozen=True, slots=True)
class Code:
    """`!function name`: Python beside the task's file, which is not executed."""

    name: str


@dataclass(frozen=True, slots=True)
class Task:
    """One task's keys, those of the files that it includes below its own, and where each stands."""

    keys: Mapping[str, Any]
    places: Mapping[str, str]
    """`file:line` of each key."""
    file: Path


@dataclass(slots=True)
class LmEvalTask:
    """A task as tests of ours."""

    name: str
    tests: list[dict[str, Any]] = field(default_factory=list)
    evaluator: dict[str, Any] | None = None
    """The file of its evaluator; None where the built-in `loglikelihood` judges."""
    notes: list[str] = field(default_factory=list)
    """What a person gives the run, and what is done otherwise than there; each in a sentence."""


class _Loader(yaml.SafeLoader):  # type: ignore[misc]
    """YAML whose `!function` names code and calls none."""


_Loader.add_constructor("!function", lambda _loader, node: Code(str(node.value)))


def read_tasks(path: Path, data: Mapping[str, Path]) -> list[LmEvalTask]:
    """The task of a file, or the tasks of a group; `data` are files of rows by split, for datasets that lie elsewhere.

    Raises:
        ConfigurationError: something of it is not known here; the message has a line for each, with file and line.
    """
    found = _read(path, ())
    members = found.keys.get("task")
    if not isinstance(members, list):
        return [_brought(found, data)]
    tasks: list[LmEvalTask] = []
    faults: list[str] = []
    for name in members:
        try:
            if isinstance(name, Mapping):
                own = (
                    _read(_file_of(str(name.get("task")), path, found), ())
                    if "dataset_path" not in name
                    else Task({}, {}, path)
                )
                tasks.append(
                    _brought(
                        Task(
                            {**own.keys, **name}, {**own.places, **dict.fromkeys(name, found.places["task"])}, own.file
                        ),
                        data,
                    )
                )
            else:
                tasks += read_tasks(_file_of(str(name), path, found), data)
        except ConfigurationError as error:
            faults.append(str(error))
    if faults:
        told = "\n".join(faults)
        raise ConfigurationError(
            f"{path}: not all of its tasks can be read; correct these, or take them out of it:\n{told}"
        )
    return tasks


def _file_of(name: str, group: Path, found: Task) -> Path:
    """The file of a task that a group names: it lies beside the group, or in a folder below."""
    for path in sorted(group.parent.rglob("*.yaml")):
        if path != group and (path.stem == name or _name_in(path) == name):
            return path
    raise ConfigurationError(
        f"{found.places['task']}: the group's task '{name}' is in no .yaml file here; put it into {group.parent}"
    )


def _name_in(path: Path) -> Any:
    try:
        return _read(path, ()).keys.get("task")
    except ConfigurationError:
        return None


def _read(path: Path, above: tuple[Path, ...]) -> Task:
    if path in above:
        raise ConfigurationError(f"{path}: it includes itself; take the `include` out")
    try:
        text = read_text(path)
        node = yaml.compose(text, Loader=_Loader)
        value = yaml.load(text, Loader=_Loader)
    except (OSError, ValueError, yaml.YAMLError, RecursionError) as error:
        raise ConfigurationError(f"{path}: it cannot be read as YAML: {str(error)[:300]}; correct the file") from None
    if not isinstance(value, dict) or not isinstance(node, yaml.MappingNode):
        raise ConfigurationError(f"{path}: this is no task of lm-evaluation-harness; name its .yaml file")
    places = {str(key.value): f"{path}:{key.start_mark.line + 1}" for key, _ in node.value}
    keys: dict[str, Any] = {}
    known: dict[str, str] = {}
    included = value.get("include") or ()
    for one in [included] if isinstance(included, str) else included:
        below = _read(
            (path.parent / str(one)).resolve() if (path.parent / str(one)).exists() else path.parent / str(one),
            (*above, path),
        )
        keys, known = {**keys, **below.keys}, {**known, **below.places}
    return Task({**keys, **value}, {**known, **places}, path)


def _brought(task: Task, data: Mapping[str, Path]) -> LmEvalTask:
    if faults := list(_faults(task)):
        told = "\n".join(faults)
        raise ConfigurationError(
            f"{task.file}: it cannot be carried over; correct this, or write its tests by hand:\n{told}"
        )
    keys = task.keys
    brought = LmEvalTask(str(keys.get("task") or task.file.stem))
    split = next((str(keys[f"{name}_split"]) for name in ("test", "validation") if keys.get(f"{name}_split")), "")
    if not split:
        raise ConfigurationError(f"{task.file}: there is no test_split and no validation_split; name one")
    rows = _rows(task, split, data)
    filled = _Filled(task, rows, data, split)
    generates = keys.get("output_type", "generate_until") == "generate_until"
    for number, row in enumerate(rows):
        context = filled.context(row)
        test = {"id": str(number), "prompt": context}
        brought.tests.append({**test, **(filled.generated(row) if generates else filled.compared(row, context))})
    if generates:
        brought.evaluator = _evaluator(task, brought.name)
        brought.notes += _told(task)
    return brought


def _faults(task: Task) -> Iterator[str]:
    """What of the task is not known here."""
    keys, at = task.keys, task.places
    for key, value in keys.items():
        where = at.get(key, str(task.file))
        if key not in _NOT_ASKED:
            yield from (
                f"{where}: {key} is code (`!function {one.name}`), which is not executed; write it as a template"
                for one in _code(value)
            )
        if key not in _TOLD and not any(_code(value)) and value not in (None, False, "", []):
            yield f"{where}: '{key}' is not known here; leave it out, or write the tests by hand"
    kind = keys.get("output_type", "generate_until")
    if kind not in ("generate_until", "multiple_choice"):
        yield f"{at['output_type']}: output_type {kind} is not known here; there are generate_until and multiple_choice"
    if (keys.get("repeats") or 1) != 1:
        yield f"{at['repeats']}: repeats is not known here; `--epochs` asks each test several times"
    for name in ("doc_to_text", "doc_to_target"):
        if keys.get(name) is None:
            yield f"{task.file}: '{name}' is missing; write it as a template"
    fewshot = keys.get("fewshot_config") or {}
    where = at.get("fewshot_config", str(task.file))
    if unknown := sorted(set(fewshot) - _FEWSHOT):
        yield f"{where}: fewshot_config's '{unknown[0]}' is not known here; there are {', '.join(sorted(_FEWSHOT))}"
    if fewshot.get("sampler", "default") not in ("default", "first_n"):
        yield f"{where}: the sampler '{fewshot['sampler']}' is not known here; there are default and first_n"
    if unknown := sorted(set(keys.get("generation_kwargs") or {}) - _GENERATION):
        there = ", ".join(sorted(_GENERATION))
        yield f"{at['generation_kwargs']}: generation_kwargs' '{unknown[0]}' is not known here; there are {there}"
    yield from _metric_faults(task, "acc acc_norm acc_bytes" if kind == "multiple_choice" else "exact_match")
    for one in keys.get("filter_list") or ():
        steps = one.get("filter") if isinstance(one, Mapping) else None
        for fault in chain.from_iterable(map(filter_faults, steps or ({},))):
            yield f"{at['filter_list']}: {fault}"


def _metric_faults(task: Task, known: str) -> Iterator[str]:
    where = task.places.get("metric_list", str(task.file))
    for one in task.keys.get("metric_list") or ():
        name = one.get("metric") if isinstance(one, Mapping) else one
        if name not in known.split():
            yield f"{where}: the metric '{name}' is not known here; there are {known.replace(' ', ', ')}"
        elif unknown := sorted(set(one) - METRIC - {"metric", "aggregation", "higher_is_better"}):
            yield f"{where}: {name}'s '{unknown[0]}' is not known here; there are {', '.join(sorted(METRIC))}"


def _code(value: Any) -> Iterator[Code]:
    if isinstance(value, Code):
        yield value
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _code(inner)


def _rows(task: Task, split: str, data: Mapping[str, Path]) -> list[dict[str, Any]]:
    """The rows of a split: of the file that was brought, else of the task's own `data_files`."""
    path = data.get(split)
    files = (task.keys.get("dataset_kwargs") or {}).get("data_files")
    if path is None and task.keys.get("dataset_path") in _LOCAL and files is not None:
        named = files.get(split) if isinstance(files, Mapping) else files if split == "train" else None
        named = named[0] if isinstance(named, list) and len(named) == 1 else named
        if isinstance(named, str):
            path = Path(named) if Path(named).is_absolute() or Path(named).exists() else task.file.parent / named
    if path is None or not path.is_file():
        where = task.places.get("dataset_path", str(task.file))
        of = f"{task.keys.get('dataset_path')}{' ' + str(name) if (name := task.keys.get('dataset_name')) else ''}"
        raise ConfigurationError(
            f"{where}: the rows of '{split}' of {of} are not here{f' ({path})' if path else ''}; give them as a file: "
            f"--data {split}=FILE (JSONL, JSON, CSV or Parquet)"
        )
    rows: list[dict[str, Any]] = []
    for row in iter_rows(path):
        if isinstance(row, BadRow):
            raise ConfigurationError(f"{path}:{row.line}: {row.message}; correct the row")
        rows.append(row.data)
    return rows


class _Filled:
    """A task's templates, filled in with rows as lm-eval fills them."""

    def __init__(self, task: Task, rows: Sequence[Mapping[str, Any]], data: Mapping[str, Path], split: str) -> None:
        from jinja2 import StrictUndefined
        from jinja2.sandbox import ImmutableSandboxedEnvironment

        self._task, self._keys = task, task.keys
        self._columns = frozenset(rows[0]) if rows else frozenset()
        self._templates = ImmutableSandboxedEnvironment(undefined=StrictUndefined, keep_trailing_newline=True)
        self._shots = int(self._keys.get("num_fewshot") or 0)
        self._fewshot: Mapping[str, Any] = self._keys.get("fewshot_config") or {}
        self._examples: list[Mapping[str, Any]] = []
        self._drawn = random.Random(_SEED)
        if self._shots:
            samples = self._fewshot.get("samples")
            source = str(
                self._fewshot.get("split") or self._keys.get("fewshot_split") or self._keys.get("training_split")
                or self._keys.get("validation_split") or split
            )  # fmt: skip
            self._examples = (
                list(samples) if samples else list(rows) if source == split else list(_rows(task, source, data))
            )
            # Only then lm-eval takes the question itself out of the examples.
            named = self._fewshot.get("split") or self._keys.get("fewshot_split")
            self._own = named == self._keys.get("test_split")

    def context(self, row: Mapping[str, Any]) -> str:
        """Everything that stands before the answer."""
        said = self._fewshot
        before = self._text("description", self._keys.get("description") or "", row)
        target, shot = (
            said.get(name, self._keys.get(name, usual))
            for name, usual in (("target_delimiter", " "), ("fewshot_delimiter", "\n\n"))
        )
        for one in self._examples_of(row):
            question = self._text("doc_to_text", said.get("doc_to_text", self._keys["doc_to_text"]), one)
            before += f"{question}{target}{self._answer(one)}{shot}"
        return before + self._text("doc_to_text", self._keys["doc_to_text"], row)

    def _examples_of(self, row: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
        number = self._shots
        if not number:
            return ()
        others = [one for one in self._examples if one != row] if self._own else self._examples
        if len(others) < number:
            raise ConfigurationError(
                f"{self._task.file}: num_fewshot is {number}, and there are {len(others)} examples; lower it"
            )
        if self._fewshot.get("sampler", "default") == "first_n" or self._fewshot.get("samples"):
            return others[:number]
        if not self._own:
            return self._drawn.sample(self._examples, number)
        drawn = [one for one in self._drawn.sample(self._examples, number + 1) if one != row][:number]
        return drawn if len(drawn) == number else self._drawn.sample(others, number)

    def _answer(self, row: Mapping[str, Any]) -> str:
        """A worked example's answer."""
        said = self._fewshot
        found = self._target(row, said.get("doc_to_target", self._keys["doc_to_target"]))
        options = said.get("doc_to_choice", self._keys.get("doc_to_choice"))
        if options is not None and isinstance(found, int):
            return self._choices(row, options)[found]
        return str(found[0] if isinstance(found, list) else found)

    def generated(self, row: Mapping[str, Any]) -> dict[str, Any]:
        """The gold of a test that is answered."""
        gold = self._target(row, self._keys["doc_to_target"])
        if self._keys.get("doc_to_choice") is not None and isinstance(gold, int):
            gold = self._choices(row, self._keys["doc_to_choice"])[gold]
        choices = row.get("choices")
        kept = (
            {"metadata": {"choices": choices}}
            if isinstance(choices, list) and all(isinstance(one, str) for one in choices)
            else {}
        )
        return {"expected": [str(one) for one in gold] if isinstance(gold, list) else str(gold), **kept}

    def compared(self, row: Mapping[str, Any], context: str) -> dict[str, Any]:
        """The options of a test that is compared by likelihood."""
        from modex.core.suite.likelihood import named

        choices = self._choices(row, self._keys["doc_to_choice"])
        gold = self._target(row, self._keys["doc_to_target"])
        places = [
            one if isinstance(one, int) else choices.index(one) for one in (gold if isinstance(gold, list) else [gold])
        ]
        names = list(named(choices))
        right = [names[place] for place in places]
        form = {"context": context, "options": choices, "delimiter": self._keys.get("target_delimiter", " ")}
        return {"expected": right[0] if len(right) == 1 else right, "likelihood": form}

    def _choices(self, row: Mapping[str, Any], said: Any) -> list[str]:
        if isinstance(said, Mapping):
            return list(map(str, said.values()))
        if isinstance(said, str):
            said = row[said] if said in self._columns else ast.literal_eval(self._text("doc_to_choice", said, row))
        if not isinstance(said, list):
            raise ConfigurationError(f"{self._at('doc_to_choice')}: it gives no list of options; write one")
        return list(map(str, said))

    def _target(self, row: Mapping[str, Any], said: Any) -> Any:
        if not isinstance(said, str):
            return said
        if said in self._columns:
            return row[said]
        text = self._text("doc_to_target", said, row)
        if text.isdigit() and self._keys.get("doc_to_choice") is not None:
            return int(text)
        if len(text) >= 2 and text[0] == "[" and text[-1] == "]":
            try:
                return ast.literal_eval(text)
            except (SyntaxError, ValueError):
                return text
        return text

    def _text(self, key: str, said: Any, row: Mapping[str, Any]) -> str:
        if not isinstance(said, str):
            raise ConfigurationError(f"{self._at(key)}: {key} is no text; write a template or a column's name")
        if said in self._columns:
            return str(row[said])
        try:
            return self._templates.from_string(said).render(**row)
        except Exception as error:  # a template's own fault can be any
            raise ConfigurationError(
                f"{self._at(key)}: {key} cannot be filled in: {type(error).__name__}: {error}; correct it"
            ) from None

    def _at(self, key: str) -> str:
        return self._task.places.get(key, str(self._task.file))


def _until(task: Task) -> list[str]:
    said = (task.keys.get("generation_kwargs") or {}).get("until", [task.keys.get("fewshot_delimiter", "\n\n")])
    return [said] if isinstance(said, str) else list(map(str, said or ()))


def _evaluator(task: Task, name: str) -> dict[str, Any]:
    metrics = [one for one in task.keys.get("metric_list") or () if isinstance(one, Mapping)]
    said = {key: value for one in metrics for key, value in one.items() if key in METRIC}
    config: dict[str, Any] = {"base": "lm_eval", "until": _until(task), "exact_match": said}
    if chains := task.keys.get("filter_list"):
        config["filters"] = [
            {"name": str(one.get("name", number)), "filter": one["filter"]} for number, one in enumerate(chains)
        ]
    return {"id": f"{name}_filters", "name": f"{name}: lm-eval's filters", "type": "builtin", "config": config}


def _told(task: Task) -> Iterator[str]:
    said = task.keys.get("generation_kwargs") or {}
    flags = [f"--max-tokens {said['max_gen_toks']}"] if said.get("max_gen_toks") else []
    flags += [f"--temperature {said.get('temperature', 0) if said.get('do_sample') else 0}"]
    yield f"{task.keys.get('task')}: run it with {' '.join(flags)}, as the task says"
    stops = ", ".join(map(repr, _until(task)))
    yield f"{task.keys.get('task')}: the model is not stopped at {stops}; its answer is cut there before it is read"
    if lost := sorted(set(said) & {"top_p", "top_k"}):
        yield f"{task.keys.get('task')}: {', '.join(lost)} of generation_kwargs is an entry's to say (models.toml)"
