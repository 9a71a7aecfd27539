"""The calls that a model made, and how well one of them fits one expectation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

from modex.core.evaluators.tool_call.differing import place, say, short
from modex.core.evaluators.tool_call.expectations import ExpectedCall
from modex.core.evaluators.tool_call.literals import Language, LiteralError, is_plain, quoted_text, read_literal
from modex.core.jsonvalues.jsonargs import decode_arguments, schema_faults
from modex.core.jsonvalues.matching import MISSING, Differing, difference, matches
from modex.core.jsonvalues.schemas import SchemaPlace
from modex.core.jsonvalues.texts import numeral
from modex.core.store.call_results import call_results
from modex.core.store.sample import EvaluationSample
from modex.core.suite.definitions import ToolDefinition
from modex.core.verdict import Call, fold_line

_SHOWN_ERROR = 120


@dataclass(frozen=True, slots=True)
class MadeCall:
    """One call of the transcript; `fault` says why it cannot count: no JSON, an unknown tool, the schema, a result that was
    an error.
    """

    name: str
    args: dict[str, Any]
    raw: str
    fault: str | None = None
    turn: int = 0
    """Which of the model's messages it stands in."""

    def part(self) -> Call:
        """As in a verdict."""
        return Call(self.name, self.args if self.args or not self.raw else self.raw[:2000], self.fault or "")


@dataclass(frozen=True, slots=True)
class Fit:
    """One expectation against one call of the same name: the share of right arguments, and the wrong ones' reasons."""

    share: float
    wrong: dict[str, str] = field(default_factory=dict)

    @property
    def full(self) -> bool:
        """Whether everything is right."""
        return not self.wrong


def made_calls(
    sample: EvaluationSample,
    tools: Mapping[str, ToolDefinition],
    language: Language | None = None,
    *,
    values_by_gold: bool = False,
) -> list[MadeCall]:
    """Every call in the transcript, in order, malformed ones too.

    With a `language`, a text that writes a value in it is valid where the schema asks for such a value. `values_by_gold` leaves
    it to the gold which values are right, as BFCL does.
    """
    if values_by_gold:
        tools = {name: replace(tool, parameters=_names_alone(tool.parameters)) for name, tool in tools.items()}
    found = []
    for turn, calls in call_results(sample.transcript).calls.items():
        for call, result in calls:
            made = replace(_made(call, tools, language), turn=turn)
            if made.fault is None and call.get("unanswered"):
                made = replace(made, fault="it has no result: it was never executed")
            if made.fault is None and result is not None and result.get("is_error"):
                error = fold_line(str(result.get("content") or ""), _SHOWN_ERROR)
                made = replace(made, fault=f"its result was an error: {error}" if error else "its result was an error")
            found.append(made)
    return found


def _names_alone(schema: Mapping[str, Any]) -> dict[str, Any]:
    """What a schema says of the names of arguments, not of their values."""
    kept = {key: schema[key] for key in ("type", "required", "additionalProperties") if key in schema}
    return {**kept, "properties": dict.fromkeys(schema.get("properties") or {}, True)}


def _made(call: Mapping[str, Any], tools: Mapping[str, ToolDefinition], language: Language | None) -> MadeCall:
    name, raw = str(call.get("name") or ""), call.get("arguments")
    if isinstance(raw, dict):
        decoded: dict[str, Any] | str = raw
        raw = ""
    else:
        raw = str(raw or "")
        decoded = decode_arguments(raw)
    if isinstance(decoded, str):
        return MadeCall(name, {}, raw, decoded)
    tool = tools.get(name)
    if tool is None:
        return MadeCall(name, decoded, raw, f"unknown tool {name!r}" if tools else None)
    faults = schema_faults(decoded, tool.parameters)
    if faults and language is not None:
        faults = schema_faults(_read(decoded, tool.parameters, language), tool.parameters)
    return MadeCall(name, decoded, raw, "; ".join(faults) or None)


def _read(arguments: dict[str, Any], schema: Mapping[str, Any], language: Language) -> dict[str, Any]:
    """The arguments with literals read where the schema asks for something else than a text."""
    properties = schema.get("properties") or {}
    found = dict(arguments)
    for name, value in arguments.items():
        asked = properties.get(name)
        if isinstance(value, str) and isinstance(asked, dict) and asked.get("type") != "string":
            with suppress(LiteralError):
                found[name] = read_literal(value, language)
    return found


def fit(
    expected: ExpectedCall, made: MadeCall, tool: ToolDefinition | None, language: Language | None = None
) -> Fit | None:
    """How `made` fits `expected`; None where it is another tool.

    An argument that by its schema says no more than leaving it out may be left out, or be there; anything else that was not
    expected is wrong. The reasons stand at the place of the first difference (`filters.date.from`). With a `language`, a
    text that writes a value in it may stand for that value.
    """
    if expected.name != made.name:
        return None
    wrong: dict[str, str] = {"": made.fault} if made.fault else {}
    if expected.args is None:
        return Fit(0.0 if wrong else 1.0, wrong)
    schema = SchemaPlace.whole(tool.parameters) if tool else None
    names = sorted(set(expected.args) | (set() if expected.partial else set(made.args)))
    right = 0
    for name in names:
        actual = made.args.get(name, MISSING)
        below = schema.below(name, made.args) if schema else None
        found = _argument(expected, name, actual, below)
        if found is not None and language is not None and actual is not MISSING:
            written = replace(expected, args=as_literals(expected.args, language))
            for value in _values(actual, language):
                if _argument(expected, name, value, below) is None or _argument(written, name, value, below) is None:
                    found = None
                    break
        if found is None:
            right += 1
        else:
            wrong[place(found)] = say(found)
    for value in expected.values:
        if any(_among(value, given) for given in made.args.values()):
            right += 1
        else:
            wrong[short(value)] = "is not among the arguments"
    asked = len(names) + len(expected.values)
    share = right / asked if asked else 1.0
    return Fit(min(share, 0.5) if made.fault else share, wrong)


def _values(actual: Any, language: Language) -> Iterator[Any]:
    """What an argument may stand for: itself, the value that its text writes, a text in quotes with its escapes as they are."""
    yield actual
    if isinstance(actual, str):
        with suppress(LiteralError):
            yield read_literal(actual, language)
        if (inner := quoted_text(actual)) is not None:
            yield inner


def as_literals(wanted: Any, language: Language) -> Any:
    """A gold whose texts are read as values where they show the language (`5L`, `new int[]{1, 2}`, `null`)."""
    if isinstance(wanted, list):
        return [as_literals(item, language) for item in wanted]
    if isinstance(wanted, dict):
        if "$bfcl" in wanted:
            read = as_literals(wanted["$bfcl"], language)
            return wanted if read == wanted["$bfcl"] else _folded(read)
        return {key: value if key == "optional" else as_literals(value, language) for key, value in wanted.items()}
    if not isinstance(wanted, str) or (is_plain(wanted) and wanted not in ("null", "undefined")):
        return wanted
    try:
        return read_literal(wanted, language)
    except LiteralError:
        return wanted


def _folded(value: Any) -> Any:
    """The texts of a gold of BFCL's compare as all of its texts do."""
    if isinstance(value, str):
        return {"$bfcl": value}
    if isinstance(value, dict):
        return {key: _folded(item) for key, item in value.items()}
    return [_folded(item) for item in value] if isinstance(value, list) else value


def _among(value: Any, given: Any) -> bool:
    """Whether an argument is, or holds, a value; texts and numbers compare by what they read, in any case."""
    if matches(value, given):
        return True
    if isinstance(given, list):
        return any(_among(value, item) for item in given)
    if isinstance(value, str | int | float) and isinstance(given, str | int | float):
        left, right = numeral(str(value)), numeral(str(given))
        if left is not None and right is not None:
            return left == right
        return str(value).strip().casefold() == str(given).strip().casefold()
    return False


def _argument(expected: ExpectedCall, name: str, actual: Any, schema: SchemaPlace | None) -> Differing | None:
    """Where the argument is wrong, or None."""
    assert expected.args is not None
    if actual is MISSING and name in expected.omittable:
        return None
    return difference(expected.args.get(name, MISSING), actual, schema, (name,))
