"""What a test expects of the calls, read from any of the forms that `expected` may take."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from modex.core.evaluators.tool_call.final_text import FinalText, read_final_text
from modex.core.evaluators.tool_call.literals import LANGUAGES, Language
from modex.core.jsonvalues.matching import comparator_fault

_FORMS = ("tool", "tools", "calls", "chain", "no_call", "any_call", "bfcl")
_BESIDE = (
    "forbidden",
    "max_extra_calls",
    "extra_reads",
    "answer",
    "text",
    "order",
    "args",
    "language",
    "state",
    "partial_state",
)


class ExpectationError(ValueError):
    """`expected` cannot be read; the message says which part."""


@dataclass(frozen=True, slots=True)
class ExpectedCall:
    """One call: `args` None means that any arguments do; `omittable` ones may be left out."""

    name: str
    args: dict[str, Any] | None = None
    optional: bool = False
    omittable: frozenset[str] = frozenset()
    partial: bool = False
    """Whether other arguments than those of `args` may be given too."""
    values: tuple[Any, ...] = ()
    """Values that must be among the arguments', whatever those are called."""


@dataclass(frozen=True, slots=True)
class Expectations:
    """The calls and the rules around them. `answer` is an `expected` for the final text, where `has_answer`."""

    calls: tuple[ExpectedCall, ...] = ()
    order: Literal["any", "strict"] = "any"
    forbidden: frozenset[str] = frozenset()
    max_extra_calls: int = 0
    extra_reads: bool = False
    """Whether calls of read-only tools beyond the expected ones cost nothing."""
    language: Language | None = None
    """The language whose literals stand in texts (BFCL's Java and JavaScript tests); None for JSON values only."""
    has_answer: bool = False
    answer: Any = None
    text: FinalText | None = None
    """What the final text must say, must not, or must ask."""
    state: dict[str, Any] | None = None
    """What the mocks must know at the end, by dotted places; None where nobody looks."""
    partial_state: bool = False
    """Whether other places of the state may change too."""
    form: str = field(default="calls")

    @property
    def no_call(self) -> bool:
        """Whether any call at all is wrong."""
        return self.form == "no_call"

    @property
    def state_only(self) -> bool:
        """Whether it is all the same by which calls the state was reached."""
        return self.form == "state"

    @property
    def any_call(self) -> bool:
        """Whether one valid call of whatever tool is offered is all that is asked."""
        return self.form == "any_call"

    @property
    def chained(self) -> bool:
        """Whether each call builds on the result of the one before, and so stands in a later turn."""
        return self.form == "chain"


def read_expectations(expected: Any) -> Expectations:
    """Read `expected`.

    Raises:
        ExpectationError: no form, two forms, or a part of the wrong type.
    """
    if not isinstance(expected, dict):
        raise ExpectationError(f"'expected' must be an object with one of {', '.join(_FORMS)}")
    forms = [form for form in _FORMS if form in expected]
    if not forms and "state" in expected:
        forms = ["state"]
    if len(forms) != 1:
        words = "has none" if not forms else f"has {' and '.join(forms)}"
        raise ExpectationError(f"'expected' {words} of {', '.join(_FORMS)}; give one, or 'state' alone")
    unknown = sorted(set(expected) - set(_FORMS) - set(_BESIDE))
    if unknown:
        raise ExpectationError(f"'expected' does not know {', '.join(unknown)}")
    form = forms[0]
    if "args" in expected and form != "tool":
        raise ExpectationError(f"'args' stands beside 'tool', not '{form}'")
    order = expected.get("order", "strict" if form == "chain" else "any")
    if order not in ("any", "strict"):
        raise ExpectationError(f"'order' is 'any' or 'strict', not {order!r}")
    forbidden, extra = expected.get("forbidden", []), expected.get("max_extra_calls", 0)
    if not isinstance(forbidden, list) or not all(isinstance(name, str) for name in forbidden):
        raise ExpectationError("'forbidden' is a list of tool names")
    if isinstance(extra, bool) or not isinstance(extra, int) or extra < 0:
        raise ExpectationError("'max_extra_calls' is a whole number from 0")
    reads, partial = expected.get("extra_reads", False), expected.get("partial_state", False)
    if not isinstance(reads, bool):
        raise ExpectationError("'extra_reads' is true or false")
    language = expected.get("language")
    if language is not None and language not in LANGUAGES:
        raise ExpectationError(f"'language' is one of {', '.join(LANGUAGES)}, not {language!r}")
    state = expected.get("state")
    if "state" in expected and (not isinstance(state, dict) or not state):
        raise ExpectationError(
            "'state' is an object of what the mocks must know at the end, by places (`orders.W-1.status`)"
        )
    for place, value in (state or {}).items():
        if fault := comparator_fault(value):
            raise ExpectationError(f"'state', {place}: {fault}")
    if not isinstance(partial, bool):
        raise ExpectationError("'partial_state' is true or false")
    try:
        text = read_final_text(expected["text"]) if "text" in expected else None
    except ValueError as error:
        raise ExpectationError(str(error)) from None
    return Expectations(
        calls=_calls(form, expected),
        order=order,
        forbidden=frozenset(forbidden),
        max_extra_calls=extra,
        extra_reads=reads,
        language=language,
        has_answer="answer" in expected,
        answer=expected.get("answer"),
        text=text,
        state=state,
        partial_state=partial,
        form=form,
    )


def _calls(form: str, expected: dict[str, Any]) -> tuple[ExpectedCall, ...]:
    value = expected[form]
    if form == "state":
        return ()
    if form in ("no_call", "any_call"):
        if value is not True:
            raise ExpectationError(f"'{form}' is true, or not there")
        return ()
    if form == "tool":
        return (_call({"name": value, "args": expected.get("args")}, "'tool'"),)
    if not isinstance(value, list) or not value:
        raise ExpectationError(f"'{form}' is a list with at least one entry")
    if form == "tools":
        return tuple(_call({"name": name}, f"tools[{number}]") for number, name in enumerate(value))
    if form == "bfcl":
        return tuple(_bfcl(entry, f"bfcl[{number}]") for number, entry in enumerate(value))
    return tuple(_call(entry, f"{form}[{number}]") for number, entry in enumerate(value))


def _call(entry: Any, where: str) -> ExpectedCall:
    if isinstance(entry, str):
        entry = {"name": entry}
    if not isinstance(entry, dict) or not isinstance(entry.get("name"), str) or not entry["name"]:
        raise ExpectationError(f"{where} needs the name of a tool")
    unknown = sorted(set(entry) - {"name", "args", "optional", "partial", "values"})
    if unknown:
        raise ExpectationError(f"{where} does not know {', '.join(unknown)}")
    args, optional = entry.get("args"), entry.get("optional", False)
    partial, values = entry.get("partial", False), entry.get("values", [])
    if not isinstance(partial, bool) or not isinstance(values, list):
        raise ExpectationError(f"{where}: 'partial' is true or false, and 'values' a list")
    if values and not partial:
        raise ExpectationError(f"{where}: 'values' says what is among the arguments, so 'partial' must be true")
    if args is not None and not isinstance(args, dict):
        raise ExpectationError(f"{where}: 'args' is an object")
    if not isinstance(optional, bool):
        raise ExpectationError(f"{where}: 'optional' is true or false")
    for name, value in [*(args or {}).items(), *enumerate(values)]:
        if fault := comparator_fault(value):
            raise ExpectationError(f"{where}: argument '{name}': {fault}")
    args = {} if args is None and partial else args
    return ExpectedCall(entry["name"], args, optional, partial=partial, values=tuple(values))


def _bfcl(entry: Any, where: str) -> ExpectedCall:
    """BFCL's gold: each argument with its allowed values, "" among them where it may be left out."""
    if not isinstance(entry, dict) or len(entry) != 1 or not isinstance(next(iter(entry.values())), dict):
        raise ExpectationError(f"{where} is an object {{function: {{argument: [allowed, …]}}}}")
    name, arguments = next(iter(entry.items()))
    args: dict[str, Any] = {}
    omittable = set()
    for argument, allowed in arguments.items():
        if not isinstance(allowed, list) or not allowed:
            raise ExpectationError(f"{where}: '{argument}' needs a list of allowed values")
        if "" in allowed:
            omittable.add(argument)
        choices = [_bfcl_value(value) for value in allowed if value != ""]
        args[argument] = {"$any_of": choices or ["", None]}
    return ExpectedCall(name.replace(".", "_"), args, False, frozenset(omittable))


def _bfcl_value(value: Any) -> Any:
    if isinstance(value, str):
        return {"$bfcl": value}
    if isinstance(value, dict):
        keys: dict[str, Any] = {}
        for key, allowed in value.items():
            choices = [_bfcl_value(item) for item in allowed if item != ""] if isinstance(allowed, list) else [allowed]
            keys[key] = {"$any_of": choices or ["", None]}
        optional = [key for key, allowed in value.items() if isinstance(allowed, list) and "" in allowed]
        return {"$object": keys, "optional": optional}
    return [_bfcl_value(item) for item in value] if isinstance(value, list) else value
