"""Which patterns of the program take more than linear time over hostile text: `python -m benchmarks.linear`, JSON on stdout.

Collects every compiled pattern of every module (constants, tables of them, deferred ones) and every `re.xxx("…")` within
functions, with how it is used. A pattern that takes long over 1.5 kB of a shape is tried with 15 and 60 kB: four times the text
may take about four times as long. It runs in forked children with a processor timer, which ends what `re` would never end.
"""

from __future__ import annotations

import ast
import contextlib
import importlib
import json
import mmap
import os
import re
import signal
import sys
import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple, cast

import regex

from modex.core.evaluators.base import JudgeContext
from modex.core.evaluators.code.extraction import find_function
from modex.core.evaluators.registry import default_configs, get_evaluator
from modex.core.evaluators.sql.extraction import fenced_sql
from modex.core.evaluators.sql.parsed import is_query
from modex.core.foundation.errors import JudgeError
from modex.core.llm.types import Completion, Message, ModelClient
from modex.core.store.sample import EvaluationSample

ROOT = Path(__file__).parents[1]
_LITELLM = re.compile(r"^(?:import|from) litellm", re.MULTILINE)
_MENTIONS = re.compile(r"\.(?:search|match|fullmatch|subn?|split|findall|finditer|compile)\b")
METHODS = frozenset(["search", "match", "fullmatch", "sub", "subn", "split", "findall", "finditer"])
UNITS = (
    "`", "```", "*", "**", "_", "(", "[", "{", "<", "\\", "$", "$$", '"', "'", " ", "\n", "\t", "0", "a", "Z", "ab ", ",", "a, ",
    ". ", "...", "- ", "1. ", "# ", "| ", "<think>", "\\boxed{", "https://", "a.b", "a@b", "not ", "A. ", "0.", "1,", "-", "=",
    "é", "中", "^{", "\\text{", "answer is ", " \n", "_a", "a\n", "[a](", "a:", '"a": ', "/*", "x = ", "\t \n", "/ ", "%", "!",
)  # fmt: skip
FORTY = (
    *((unit, "", "\0") for unit in (
        " ", "\n", "\t \n", " \n", "a", "a ", "0", "0.", "1,", "a, ", ". ", "...", "!", "`", "*", "_a", "-", "=", "(", "[", "{",
        "<", '"', "\\", "$", "https://", "a.b", "a@b", "not ", "answer is ", "é", "\\text{", "^{", "/* ", "- a\n",
    )),
    (" ", "", "\n\0"), ("a", "```", "\0"), (" ", "Answer: ", "\0"), ("\n", "{", "`"), ("a ", '"', "\n\0"),
)  # fmt: skip
"""The shapes that a test feeds to everything that reads a model's text: units, what stands before them, what ends them."""
ENDS = ("`", "\n\0")
PREFIXES = ("```", "\\boxed{", "(", "[", "{", '"', "$", "<", "- ", "Answer: ")
FIRST, SMALL, LARGE = 1_500, 15_000, 60_000
LONG_S = 0.0025
"""Processor seconds over the first size that call for a closer look: some thirty times what a linear pattern takes."""
GROWTH = 10.0
FLOOR_S = 0.25
LIMIT_S = 1.0


class Use(NamedTuple):
    """A pattern and one way in which it is applied: `match`, `fullmatch`, or anything that searches."""

    engine: str
    pattern: str
    flags: int
    method: str


def shape(unit: str, size: int, start: str = "", end: str = "\0") -> str:
    """`size` characters of one unit after the other, and something else in the end."""
    return start + unit * (size // len(unit)) + end


def shapes() -> list[tuple[str, str, str]]:
    """Every shape as its unit, its start and its end."""
    found = [(unit, "", "\0") for unit in UNITS]
    found += [(unit, "", end) for unit in ("a", " ", "0", "`", "\t", "\n", "a ", ".", ",") for end in ENDS]
    return found + [
        (unit, start, end) for start in PREFIXES for unit in ("a", " ", "\n", "0", "a ") for end in ("\0", "`")
    ]


def _module_name(path: Path) -> str:
    """What a file of the tree is imported as: `core` and `tui` are parts of `modex`."""
    dotted = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    return dotted if dotted.startswith("plugins") else f"modex.{dotted}"


def collect(tops: Sequence[str] = ("core", "tui", "plugins")) -> dict[Use, str]:
    """Every pattern of these packages with each of its uses, and where it stands."""
    warnings.simplefilter("ignore")
    files = [path for top in tops for path in sorted((ROOT / top).rglob("*.py"))]
    texts = {path: path.read_text("utf-8") for path in files if path.stem != "__main__"}
    # A file that applies no pattern tells nothing of how others are applied, and is only imported.
    trees = {path: ast.parse(text if _MENTIONS.search(text) else "") for path, text in texts.items()}
    uses: dict[tuple[Path | str | None, str], set[str]] = {}
    for path, tree in trees.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and node.attr in METHODS:
                name = getattr(node.value, "id", getattr(node.value, "attr", ""))
                uses.setdefault((path, name), set()).add(node.attr)
                uses.setdefault((None, name), set()).add(node.attr)
                if isinstance(node.value, ast.Attribute) and isinstance(node.value.value, ast.Name):
                    uses.setdefault((node.value.value.id, name), set()).add(node.attr)
    found: dict[Use, str] = {}
    for path, tree in trees.items():
        dotted = _module_name(path)
        # litellm takes longer to import than all else takes to be tried: what stands beside it is read, not run.
        beside_litellm = _LITELLM.search(texts.get(path, "")) is not None
        module = _unrun(dotted) if beside_litellm else importlib.import_module(dotted)
        for name, value in vars(module).copy().items():
            methods = uses.get((path, name), set()) | uses.get((path.stem, name), set())
            methods = methods or uses.get((None, name)) or {"search", "fullmatch"}
            for engine, pattern, flags in _patterns(value):
                _note(found, (engine, pattern, flags), methods, f"{dotted}.{name}")
        for line, given, methods in _inline(tree, module, uses, everywhere=beside_litellm):
            _note(found, given, methods, f"{dotted}:{line}")
    return found


def _unrun(name: str) -> ModuleType:
    """A module that holds what patterns are made by, and nothing of its own."""
    module = ModuleType(name)
    module.__dict__.update(re=re, regex=regex)
    return module


_Given = tuple[str, str, int]


def _note(found: dict[Use, str], given: _Given, methods: set[str], where: str) -> None:
    for method in {method if method in ("match", "fullmatch") else "search" for method in methods}:
        found.setdefault(Use(*given, method), where)


def _patterns(value: Any, depth: int = 0) -> Iterator[_Given]:
    if isinstance(value, re.Pattern) and isinstance(value.pattern, str):
        yield "re", value.pattern, value.flags
    elif isinstance(value, regex.Pattern) and isinstance(value.pattern, str):
        yield "regex", value.pattern, value.flags
    elif type(value).__name__ == "_Deferred":
        yield "re", *value._given
    elif depth < 3 and isinstance(value, list | tuple | set | frozenset | dict):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _patterns(item, depth + 1)


def _inline(
    tree: ast.Module,
    module: ModuleType,
    uses: Mapping[tuple[Path | str | None, str], set[str]],
    *,
    everywhere: bool,
) -> Iterator[tuple[int, _Given, set[str]]]:
    """The patterns of calls such as `re.sub(…)` that only name constants; others hold a text of the moment."""
    top = {
        id(node)
        for part in tree.body
        if not everywhere and isinstance(part, ast.Assign | ast.AnnAssign)
        for node in ast.walk(part)
    }
    used = {id(node.value): {node.attr} for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    for node in ast.walk(tree):  # what a function returns, and what an argument is, is used by that name
        if isinstance(node, ast.FunctionDef) and (None, node.name) in uses:
            used |= {
                id(one.value): uses.get((None, node.name), set())
                for one in ast.walk(node)
                if isinstance(one, ast.Return)
            }
        elif isinstance(node, ast.keyword) and node.arg and isinstance(node.value, ast.Call):
            used[id(node.value)] = uses.get((None, node.arg), set())
    places = {"compile": 1, "split": 3, "sub": 4, "subn": 4}
    for node in ast.walk(tree):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args):
            continue
        method, engine = node.func.attr, getattr(node.func.value, "id", "")
        if (
            engine not in ("re", "regex")
            or method not in METHODS | {"compile"}
            or (method == "compile" and id(node) in top)
        ):
            continue
        given = [keyword.value for keyword in node.keywords if keyword.arg == "flags"]
        given += node.args[places.get(method, 2) :][:1]
        try:
            pattern = eval(compile(ast.Expression(node.args[0]), "pattern", "eval"), vars(module))
            flags = int(eval(compile(ast.Expression(given[0]), "flags", "eval"), vars(module))) if given else 0
        except Exception:
            continue
        if isinstance(pattern, str):
            methods = used.get(id(node), set()) & METHODS or {"search", "match"}
            yield node.lineno, (engine, pattern, flags), methods if method == "compile" else {method}


def applied(use: Use) -> Callable[[str], None]:
    """The pattern as it is used, over a whole text."""
    made = (re if use.engine == "re" else regex).compile(use.pattern, use.flags)

    def run(text: str) -> None:
        if use.method == "search":
            for _ in made.finditer(text):
                pass
        else:
            getattr(made, use.method)(text)

    return run


def seconds(run: Callable[[str], None], text: str) -> float:
    """Processor seconds of one run."""
    begun = time.process_time()
    run(text)
    return time.process_time() - begun


def in_children(count: int, work: Callable[[int], float], limit_s: float) -> dict[int, float]:
    """What `work` gives for each number; a child that takes `limit_s` of processor time over one is ended: infinity."""
    shared = mmap.mmap(-1, 8 * (count + 1))
    view = memoryview(shared).cast("d")
    begin = 0
    while begin < count:
        child = os.fork()
        if child == 0:
            for index in range(begin, count):
                view[count] = index
                signal.setitimer(signal.ITIMER_VIRTUAL, limit_s)
                view[index] = work(index)
            os._exit(0)
        _, status = os.waitpid(child, 0)
        if status == 0:
            break
        begin = int(view[count]) + 1
        view[begin - 1] = float("inf")
    return {index: view[index] for index in range(count)}


def slow_patterns(
    tried: Sequence[tuple[str, str, str]], found_in: dict[Use, str], limit_s: float = LIMIT_S
) -> list[dict[str, Any]]:
    """Each of these patterns that grows faster than its text, with the shape; `limit_s` of processor time prove it of one."""
    uses = list(found_in.items())
    runs = [applied(use) for use, _ in uses]
    texts = [shape(unit, FIRST, start, end) for unit, start, end in tried]

    def longest(index: int) -> float:
        """The shape that takes longest, as its number, where it takes long; -1 where none does."""
        took = [seconds(runs[index], text) for text in texts]
        number = took.index(max(took))
        return number if took[number] > LONG_S and seconds(runs[index], texts[number]) > LONG_S else -1.0

    found = []
    for index, number in in_children(len(uses), longest, limit_s).items():
        if number < 0:
            continue
        if number == float("inf"):
            use, where = uses[index]
            found.append(
                {"where": where, "pattern": use.pattern, "method": use.method, "shape": ["", "one of them", ""]}
            )
            continue
        unit, start, end = tried[int(number)]
        sizes = [shape(unit, size, start, end) for size in (SMALL, LARGE)]
        run = runs[index]
        small, large = in_children(2, lambda at, run=run, sizes=sizes: seconds(run, sizes[at]), limit_s).values()  # type: ignore[misc]
        if (large > FLOOR_S and large > GROWTH * small) or large == float("inf"):
            use, where = uses[index]
            found.append({"where": where, "pattern": use.pattern, "method": use.method, "shape": [start, unit, end]})
    return found


class _Says:
    """A model whose every reply is one text."""

    def __init__(self, text: str) -> None:
        self._text = text

    @property
    def model(self) -> str:
        return "says"

    def complete(self, _messages: list[Message], **_options: Any) -> Completion:
        return Completion(text=self._text)


GOLDS: tuple[tuple[str, Any], ...] = (
    ("keyword", {"keywords": ["ok"]}), ("two_pass", 42), ("gaia", "Paris, Rome"),
    ("match", "Paris"), ("match", True), ("match", "2024-05-06"), ("match", ["a", "b"]), ("match", "A"), ("match", "x^2+1"),
    ("llm_judge", "Paris"), ("caia", "Paris"), ("browsecomp", "Paris"), ("browsecomp_zh", "Paris"),
    ("webwalkerqa", "Paris"), ("xbench", "Paris"),
)  # fmt: skip
"""Evaluators and what they expect; models that they ask say the same text."""
_VERDICT = (
    '\nVERDICT: 1\n{"score": 1, "reason": "r", "items": {"one": true, "two": false},'
    '"calls": [{"name": "get", "arguments": {"city": "Paris"}}]}'
)
"""What a judge's reply ends with, so that it is read to its end."""
_RUBRIC = {"items": [{"id": "one", "says": "Says so.", "points": 1}, {"id": "two", "says": "Is kind.", "points": 1}]}
_RULED: dict[str, Any] = {"extraction_regex": r"(?i)answer(?: is)?:? *(\S+)", "config": {"comparison": "by_gold"}}
CONFIGURED: tuple[tuple[str, Any, dict[str, Any]], ...] = (
    ("regex", "Paris", _RULED), ("regex", 42, {"config": {"comparison": "exact_number"}}),
    ("regex", "A", {"config": {"comparison": "choice", "trim_lines": True}}),
    ("regex", ["ok"], {"config": {"comparison": "required_keywords"}}),
    ("custom", "Paris", {"eval_prompt": "Rate {response} by {expected} for {prompt}"}),
    ("custom", "Paris", {"eval_prompt": "Rate {response}", "config": {"verdict_regex": r"VERDICT: *(\w+)"}}),
    ("hybrid", "Paris", {"config": {"regex_first": r"answer is (\S+)"}}),
    ("hybrid", "ok", {"config": {"parts": [
        {"evaluator": "match", "weight": 1}, {"evaluator": "keyword", "weight": 1, "expected": {"keywords": ["ok"]}},
    ]}}),
    ("rubric", _RUBRIC, {}), ("rubric", _RUBRIC, {"uses_pass2": True}),
    ("tool_call", {"no_call": True, "answer": "Paris"}, {}),
    ("tool_call", {"no_call": True, "text": {"says": [{"pattern": "Paris"}], "never": [{"pattern": "Rome"}]}}, {}),
    ("tool_call", {"tool": "get", "args": {"city": "Paris"}}, {"uses_pass2": True}),
    ("two_pass", {"value": "B", "options": ["Rome", "Paris", "Oslo"]}, {}),
)  # fmt: skip
"""Evaluators that need a configuration, with it."""
READERS: tuple[tuple[str, Callable[[str], Any]], ...] = (
    ("sql_executor", fenced_sql), ("sql_executor", is_query), ("sql_executor", lambda text: is_query("SELECT " + text)),
    ("sql_executor", lambda text: fenced_sql("```sql\nSELECT 1 " + text)),
    ("code_tests", lambda text: find_function(text, "solve")),
    ("code_tests", lambda text: find_function("def solve(x):\n    return x\n" + text, "solve")),
    ("code_tests", lambda text: find_function("```python\ndef solve(x):\n    return x\n" + text, "solve")),
)  # fmt: skip
"""What reads a response before a child process has it, by the evaluator: the child has limits of its own."""
EVALUATED = (750, 3_000)
LONG_EVALUATED_S = 0.02
EVALUATED_LIMIT_S = 6.0


def evaluated(evaluator: str, expected: Any, configured: Mapping[str, Any] | None = None) -> Callable[[str], None]:
    """One judgement of a text, which its judges and its extractor say too."""
    config = replace(default_configs()[evaluator], **(configured or {}))

    def run(text: str) -> None:
        says, rates = cast(ModelClient, _Says(text)), cast(ModelClient, _Says(text + _VERDICT))
        context = JudgeContext(
            config=config,
            template=lambda name: (ROOT / "prompts" / f"{name}.md").read_text("utf-8"),
            extractor=rates if configured is not None else says,
            judges=(rates if configured is not None else says,),
        )
        sample = EvaluationSample(domain="d", level=2, test_id="t", prompt="Which?", response=text, expected=expected)
        with contextlib.suppress(JudgeError):
            get_evaluator(config).evaluate(sample, context)

    return run


def slow_evaluators() -> list[dict[str, Any]]:
    """Each evaluator whose time grows faster than the text that it judges, with what it expects and the shape."""
    judged = [(name, expected, evaluated(name, expected)) for name, expected in GOLDS]
    judged += [(name, expected, evaluated(name, expected, more)) for name, expected, more in CONFIGURED]
    judged += [(name, None, read) for name, read in READERS]
    cases = [(evaluator, expected, one) for evaluator, expected, _ in judged for one in FORTY]
    runs = [run for _, _, run in judged for _ in FORTY]
    for run in runs[:: len(FORTY)]:
        run("It is 42.")  # loads what it needs before time is taken

    def grows(index: int) -> float:
        """1 where four times the text took far more than four times as long, twice."""
        unit, start, end = cases[index][2]
        small, large = (shape(unit, size, start, end) for size in EVALUATED)
        took = seconds(runs[index], large)
        if took < LONG_EVALUATED_S:
            return 0.0
        return float(min(took, seconds(runs[index], large)) > 8 * min(seconds(runs[index], small) for _ in range(2)))

    found = []
    for index, suspect in in_children(len(cases), grows, EVALUATED_LIMIT_S).items():
        if not suspect:
            continue
        evaluator, expected, (unit, start, end) = cases[index]
        sizes = [shape(unit, size, start, end) for size in (SMALL, LARGE)]
        run = runs[index]
        times = in_children(2, lambda at, run=run, sizes=sizes: seconds(run, sizes[at]), EVALUATED_LIMIT_S)  # type: ignore[misc]
        if times[1] == float("inf") or times[1] > GROWTH * times[0]:
            found.append(
                {"evaluator": evaluator, "expected": expected, "shape": [start, unit, end], "seconds": times[1]}
            )
    return found


if __name__ == "__main__":
    os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
    json.dump({"patterns": slow_patterns(shapes(), collect()), "evaluators": slow_evaluators()}, sys.stdout)
