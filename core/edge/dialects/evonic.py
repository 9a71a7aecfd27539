"""evonic's suites: what marks their files, and their evaluators, tools and layers in our form.

Its rules, where they differ from ours and hold no mistake, are kept: patterns ignore case and span lines, tool lists add up, a
judge's number is out of 100 unless its file or prompt says otherwise. Its expected values are in `evonic_golds`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping
from typing import Any

from modex.core.edge.dialects.evonic_golds import SQL_PARTS, gold
from modex.core.edge.dialects.evonic_tools import STAND_INS
from modex.core.suite.dialects import Context, Translated, Whose
from modex.core.suite.tool_files import called

NAME = "{{random_name}}"
_STAND_IN = "Andini"
"""The name that stands for `{{random_name}}`: always the same, so that a run can be repeated."""
_RANGE = re.compile(r"(?<!\d)(\d++(?:\.\d++)?)\s*+(?:-|–|to|sampai|hingga|s/d)\s*(\d+)\b")
_HUNDRED = re.compile(r"(?i)/\s*100\b|\*\s*100\b|out of 100|dari 100|percent|persen|%")
_OURS = frozenset({"comparison", "min_score", "binary", "verdicts", "regex_first", "parts"})
"""Settings that only our own evaluator files have."""
_WEIGHTS = frozenset({"relevance_weight", "correctness_weight", "fluency_weight"})
"""What evonic's keyword evaluator weighs; ours has no such settings."""
_MODULES = re.compile(r"(?m)^[ \t]{0,40}(?:import|from)[ \t][^\n]{0,200}\bast\b")
"""An import of a module that the sandbox has not."""
_WRAPPED = frozenset({"expected", "evaluator_id"})
"""The keys of an expected value that holds another."""
_OUR_QUERIES = frozenset(
    [
        *("schema", "seed", "seeds", "fixture", "fixtures", "query", "rows", "columns", "tolerance", "ordered"),
        "selects",
    ]
)
"""What only our tests of a query name."""
_KINDS = ("json", "text", "javascript", "python")
"""The types of a mock's answer."""


_STRATEGIES = {"icd_code_judge": "icd_codes"}
"""Evaluators that evonic has in its code (`strategies/`), by the id of ours that goes by the same rules."""


_OTHERWISE = (
    ("answer", "an answer must be what the text asserts; mentioning it on the way, or within another word, is none"),
    ("hybrid", "a judge's reply without a number is an error of the judge, never a score of 0"),
    ("parts of a query", "the parts that a test names must be in the query; there it passes by running"),
    ("extraction_regex", "a number that a pattern takes is right or wrong, never itself the score"),
)
"""By a form of a suite, what is judged otherwise of it."""


class Evonic:
    """The dialect; see the module."""

    name = "evonic"
    appends_tools = True
    folders: tuple[str, ...] = ("custom_tests",)
    tool_folders: tuple[str, ...] = ("tools",)
    fixtures: tuple[str, ...] = ("seed/test_db.sql", "seed/test_db.sqlite")
    names: Mapping[str, str] = {"python": "mock_response", "javascript": "mock_response", "response": "mock_response"}
    stand_ins = STAND_INS

    def otherwise(self, forms: Collection[str]) -> tuple[str, ...]:
        """What is judged otherwise than there, and why, of the forms that a suite has; each in a sentence."""
        return tuple(words for form, words in _OTHERWISE if any(each.startswith(form) for each in forms))

    def is_evaluator(self, data: dict[str, Any]) -> bool:
        """Whether an evaluator file is: a `hybrid` whose pattern reads the judge, or settings of its patterns or keywords."""
        config = data.get("config") if isinstance(data.get("config"), dict) else {}
        assert isinstance(config, dict)
        if data.get("type") == "hybrid":
            return bool(data.get("eval_prompt")) and not set(config) & {"parts", "regex_first"}
        words = isinstance(config.get("required_keywords"), list) and "comparison" not in config  # with one it is ours
        return "use_expected_as_pattern" in config or words or bool(_WEIGHTS & set(config))

    def is_tool(self, data: dict[str, Any]) -> bool:
        """Whether a tool is written in evonic's way; in ours it would be a mistake."""
        inner = data.get("function")
        return (
            "mock_response" in data
            or "mock_response_type" in data
            or (isinstance(inner, dict) and "mock_response" in inner)
        )

    def is_test(self, expected: Any, evaluator_id: str) -> bool:
        """Whether an `expected` is: one within one; in ours these evaluators have no key `answer`."""
        if not isinstance(expected, dict) or "value" in expected:
            return False
        if expected.keys() == _WRAPPED and isinstance(expected["evaluator_id"], str):
            return True
        return "answer" in expected and (
            evaluator_id == "two_pass" or (evaluator_id == "keyword" and "keywords" not in expected)
        )

    def named_evaluator(self, data: dict[str, Any]) -> str:
        """A test's own, else that of the expected value within its expected value."""
        wrapped = data.get("expected")
        inner = wrapped["evaluator_id"] if isinstance(wrapped, dict) and wrapped.keys() == _WRAPPED else ""
        named = data.get("evaluator_id") or inner
        return named if isinstance(named, str) else ""

    def is_query(self, expected: Any, evaluator_id: str) -> Whose | None:
        """Whose the `expected` of a query is; parts of a query are asked for in both forms."""
        if evaluator_id != "sql_executor" or not isinstance(expected, dict):
            return None
        if expected.keys() & _OUR_QUERIES:
            return Whose.OURS
        if isinstance(expected.get("required_columns"), list):
            return Whose.THEIRS
        return Whose.EITHER if expected.keys() & set(SQL_PARTS) else None

    def evaluator(self, data: dict[str, Any]) -> Translated:
        """Patterns with evonic's flags, judges with the scale that they speak of."""
        config = dict(data["config"]) if isinstance(data.get("config"), dict) else {}
        kind, pattern, prompt = data.get("type"), data.get("extraction_regex"), data.get("eval_prompt")
        if set(config) & _OURS and not self.is_evaluator(data) and "comparison" not in config:
            return Translated(data)
        if kind in ("predefined", "builtin") and data.get("id") in _STRATEGIES:
            kept = {key: value for key, value in data.items() if key not in ("eval_prompt", "extraction_regex")}
            return Translated(
                {**kept, "type": "builtin", "config": {"base": _STRATEGIES[data["id"]]}}, (f"{data['id']} by rules",)
            )
        if kind in ("predefined", "builtin"):
            fields = {key: value for key, value in config.items() if key in ("weights", "type", "base")}
            dropped = sorted(set(config) - set(fields))
            notes = (f"settings that decide nothing here: {', '.join(dropped)}",) if dropped else ()
            return Translated({**data, "config": fields, "uses_pass2": _pass2(data)}, (), notes)
        if prompt:
            return _judge(data, config, pattern, str(prompt))
        if pattern or "use_expected_as_pattern" in config:
            return _pattern(data, config, str(pattern or ""))
        return Translated(data)

    def tool(self, data: dict[str, Any]) -> Translated:
        """`mock_response` by its type as `response`, `javascript` or `python`."""
        inner = data.get("function") if isinstance(data.get("function"), dict) else {}
        assert isinstance(inner, dict)
        given = {**{key: inner[key] for key in ("mock_response", "mock_response_type") if key in inner}, **data}
        if "mock_response" not in given and not given.get("no_mock"):
            if any(key in data for key in ("response", "responses", "error", "handler", "python", "javascript")):
                return Translated(data)
            return Translated({**_without(data), "response": {"status": "ok"}}, ("tool without mock",))
        kind = given.get("mock_response_type") or "json"
        said = _without(data)
        if isinstance(data.get("function"), dict):
            said["function"] = _without(inner)
        if given.get("no_mock"):
            said["error"] = "this tool runs in evonic's own backend only"
            why = f"tool '{called(data)}' has no mock: evonic runs it in its own backend"
            return Translated(said, ("no_mock",), (), why)
        answer = given["mock_response"]
        if kind not in _KINDS:
            said["error"] = f"nothing here runs a mock of the type '{kind}'"
            why = f"tool '{called(data)}' has a mock of the type '{kind}'; there are {', '.join(_KINDS)}"
            return Translated(said, (f"mock_response ({kind})",), (), why)
        name = called(data)
        if kind == "python" and name in STAND_INS and "python" in STAND_INS[name] and _MODULES.search(str(answer)):
            return Translated(
                {**said, "python": STAND_INS[name]["python"]},
                ("mock_response (python)",),
                ("its Python imports what the sandbox has not: a mock of ours answers alike",),
            )
        if kind in ("javascript", "python") and isinstance(answer, str):
            return Translated({**said, kind: answer}, (f"mock_response ({kind})",))
        if kind == "json" and isinstance(answer, str):
            try:
                answer = json.loads(answer)
            except ValueError:
                kind = "text"
        return Translated({**said, "response": answer}, (f"mock_response ({kind})",))

    def layer(self, data: dict[str, Any], level: int | None = None) -> Translated:
        """An empty evaluator is none; a level's own number is its folder's."""
        said, forms = _named({key: value for key, value in data.items() if not (key == "evaluator_id" and value == "")})
        if level is not None and said.get("level") != level:
            said.pop("level", None)
        return Translated(said, forms)

    def test(self, data: dict[str, Any], context: Context) -> Translated:
        """The test with its expected value in our form."""
        said, forms = _named(data)
        wrapped = said.get("expected")
        if isinstance(wrapped, dict) and wrapped.keys() == _WRAPPED:
            said["expected"], forms = wrapped["expected"], (*forms, "expected within expected")
            said["evaluator_id"] = self.named_evaluator(data)
        if not said.get("evaluator_id"):
            said.pop("evaluator_id", None)
        if not said.get("id") and context.stem:
            said["id"], forms = context.stem, (*forms, "test without id")
        said.pop("domain_id", None)
        if said.get("level") != context.level:
            said.pop("level", None)
        if said.get("weight") in (0, 0.0):
            said.pop("weight")
        tools = said.get("tools")
        schemas = dict(context.parameters)
        absent: tuple[tuple[str, str], ...] = ()
        if isinstance(tools, list):
            every = [self.tool(tool) if isinstance(tool, dict) else Translated({}) for tool in tools]
            spoken = [one for one in every if not one.unusable]
            absent = tuple((called(one.data), one.unusable) for one in every if one.unusable)
            said["tools"] = [one.data for one in spoken]
            forms += tuple(form for one in spoken for form in one.forms)
            for one in spoken:
                name, parameters = _function(one.data)
                schemas[name] = parameters
        found = gold(said.get("expected"), context, str(said.get("prompt") or ""), schemas)
        if found.expected is not None or found.unusable:
            said["expected"] = found.expected
        if found.beside:
            metadata = said["metadata"] if isinstance(said.get("metadata"), dict) else {}
            said["metadata"] = {**metadata, "evonic": found.beside}
        return Translated(said, (*forms, *found.forms), found.notes, found.unusable, absent)


def _pass2(data: dict[str, Any]) -> bool | None:
    """Only the evaluator of tool calls asks for a PASS 2 by its file; the others know by themselves."""
    return True if data.get("id") == "tool_call" and data.get("uses_pass2") is True else None


def _without(data: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in data.items() if key not in ("mock_response", "mock_response_type", "no_mock")}


def _function(tool: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    inner = tool.get("function") if isinstance(tool.get("function"), dict) else tool
    assert isinstance(inner, dict)
    parameters = inner.get("parameters")
    return str(inner.get("name") or tool.get("name") or ""), parameters if isinstance(parameters, dict) else {}


def _named(data: dict[str, Any]) -> tuple[dict[str, Any], tuple[str, ...]]:
    """The object with a fixed name where evonic draws one, the same in prompt, system prompt and expected value."""
    text = json.dumps(data, ensure_ascii=False)
    if NAME not in text:
        return dict(data), ()
    return json.loads(text.replace(NAME, _STAND_IN)), ("{{random_name}}",)


def _judge(data: dict[str, Any], config: dict[str, Any], pattern: Any, prompt: str) -> Translated:
    """A judge whose prompt says what it gives: with a pattern that reads it, or as JSON."""
    highest = config.get("max_score")
    forms = ("hybrid" if pattern else "eval_prompt",)
    if not isinstance(highest, int | float) or isinstance(highest, bool) or highest <= 0:
        highest = _highest(prompt, pattern)
    kept = {key: value for key, value in config.items() if key != "max_score"}
    said = {**data, "type": "custom", "config": {**kept, "min_score": 0, "max_score": highest}}
    if pattern:
        said["extraction_regex"] = f"(?is){pattern}"
    return Translated(said, forms, (f"judged from 0 to {highest:g}",))


def _highest(prompt: str, pattern: Any) -> float:
    """The best mark that a judge's prompt speaks of; 100 for a pattern whose prompt says nothing, else 1."""
    if _HUNDRED.search(prompt):
        return 100
    ranges = [float(high) for low, high in _RANGE.findall(prompt) if float(low) < float(high)]
    if ranges:
        return ranges[-1]
    return 100 if pattern else 1


def _pattern(data: dict[str, Any], config: dict[str, Any], pattern: str) -> Translated:
    """A pattern: the expected value as one, a number or text taken by one, or its mere occurrence."""
    if config.get("use_expected_as_pattern"):
        fields = {**data, "type": "regex", "extraction_regex": None}
        return Translated(
            {**fields, "config": {"comparison": "use_expected_as_pattern", "ignore_case": True}},
            ("use_expected_as_pattern",),
        )
    settings: dict[str, Any] = {"ignore_case": True, "take": "first"}
    form = "extraction_regex"
    if isinstance(config.get("required_keywords"), list):
        settings |= {"comparison": "found", "required_keywords": config["required_keywords"]}
        form = "required_keywords"
    elif config.get("comparison") in (None, "exact_number", "exact", "exact_match"):
        settings["comparison"] = {"exact_number": "exact_number"}.get(str(config.get("comparison")), "by_gold")
    else:
        settings["comparison"] = config["comparison"]
    return Translated({**data, "type": "regex", "extraction_regex": _spanning(pattern), "config": settings}, (form,))


def _spanning(pattern: str) -> str:
    """The pattern with a dot that matches line ends, as evonic compiles it."""
    return pattern if pattern.startswith("(?s") else f"(?s){pattern}"
