"""PASS 2: a second call that takes only the final answer out of the response, in a strict format.

The extractor answers with one line `ANSWER: …`, a form in which LaTeX backslashes need no escaping; `NO_ANSWER` says
that the response gives none. A provider that enforces a schema is asked for `{"answer": …}` instead, which is read alike.
It never sees the expected answer.
"""

from __future__ import annotations

import contextlib
import json
import re
from dataclasses import dataclass, replace
from typing import Literal

from modex.core.answers.comparison import compare
from modex.core.answers.final_answer import find_final_answer
from modex.core.answers.kinds import ANSWER_TYPES, ExpectedAnswer
from modex.core.answers.labels import without_label
from modex.core.answers.locate import asserts, locate
from modex.core.answers.own import read_own
from modex.core.answers.text.text import contains_words, strip_wrapping
from modex.core.evaluators.base import JudgeContext
from modex.core.foundation.errors import ErrorType, JudgeError
from modex.core.llm.jsontext import parse_json_answer
from modex.core.llm.request import json_answer, may_send
from modex.core.store.sample import EvaluationSample
from modex.core.suite.templates import MAX_FENCED, MAX_QUESTION, new_delimiter, render, shortened
from modex.core.verdict import Extracted

NO_ANSWER = "NO_ANSWER"
_MARK = re.compile(r"^[ \t>*_#`-]*(?:FINAL[ \t]+)?ANSWER[ \t*_]*[:：][ \t]*", re.IGNORECASE | re.MULTILINE)
_NONE_WORDS = ("none", "n/a", "no answer", "no_answer", "null")
_MULTILINE = frozenset(["text", "exact_match", "list"])
"""Types whose answer may have several lines."""
_LONGEST_LINE = 500
_SCHEMA = json_answer("extraction", answer={"type": "string", "description": f"The answer copied, or {NO_ANSWER}."})
_AS_JSON = (
    "\n\nPut what follows `ANSWER:` into JSON, and reply with nothing else: "
    f'{{"answer": "<the answer>"}}, or {{"answer": "{NO_ANSWER}"}}.'
)
"""Said after the template where the schema is sent: the provider enforces it, and the template asks for a line."""


Fault = Literal["", "found_nothing", "unreadable", "not_in_response", "not_asserted", "contradicted"]


@dataclass(frozen=True, slots=True)
class Extraction:
    """What is compared, where it stands in the response, and how it was got."""

    answer: str | None
    status: Literal["found", "not_in_response", "by_rules", "no_answer", "empty_response"]
    """`not_in_response`, `by_rules`: PASS 2 was no use, and the rules read the response instead."""
    span: tuple[int, int] | None = None
    form: str = "marked"
    """How the extractor wrote it: `marked`, `json`, `bare`, or `prose`."""
    offered: str = ""
    """What the extractor said that is not compared, because of `fault`."""
    source: str = ""
    """Which rule found the answer, where the extractor did not."""
    fault: Fault = ""
    """Why the extractor's reply is not used."""
    stance: str = ""
    """Of `not_asserted`: what the response does with it (`denied`, `corrected`, …)."""

    @property
    def asked(self) -> bool:
        """Whether a call was made."""
        return self.status != "empty_response"

    def part(self) -> Extracted:
        """As the part of a verdict."""
        form = "" if self.form == "marked" else self.form
        return Extracted(
            self.status, self.span or (), form, self.source, self.offered, fault=self.fault, stance=self.stance
        )


def extract(sample: EvaluationSample, response: str, context: JudgeContext, expected: ExpectedAnswer) -> Extraction:
    """Ask the extractor for the final answer of `response`. An empty response costs no call.

    PASS 2 helps and decides nothing: where its reply cannot be read, finds nothing where the response marks an answer, is
    not in the response, is not asserted there, or goes against the answer that the response marks after it, the rules
    without a model read the response instead, and `fault` says so.

    Raises:
        JudgeError: the extractor's reply holds no answer, not even that there is none, and the rules find none either.
        ModelCallError: the extractor could not be asked.
    """
    if not response.strip():
        return Extraction(None, "empty_response")
    reply, problem = _ask(sample, response, context, expected)
    kind = _kind(expected)
    answer, form = (None, "none") if reply is None else read_reply(reply, kind, response)
    if answer is None:
        found = _by_rules(response, expected, sample.prompt, _NoUse("unreadable", form))
        if found.answer is None:
            raise problem or JudgeError(
                f"PASS 2 gave no answer in the form asked for: {(reply or '').strip()[:120]!r}, and the rules find none; "
                "try another model with --extractor-model",
                ErrorType.EXTRACTION_ERROR,
            )
        return found
    if _says_none(answer, response):
        found = _by_rules(response, expected, sample.prompt, _NoUse("found_nothing", form))
        sure = found.answer is not None and found.source != "last_line"
        right = found.answer is not None and bool(expected.golds) and compare(found.answer, expected)[0]
        return found if sure or right else Extraction(None, "no_answer", form=form)
    located = locate(answer, response, expected, sample.prompt)
    if not located.found and (bare := without_label(answer, kind)) is not None:
        answer, located = bare, locate(bare, response, expected, sample.prompt)
    if not located.found:
        return _by_rules(response, expected, sample.prompt, _NoUse("not_in_response", form, answer))
    if located.standing is not None:
        denied = _NoUse("not_asserted", form, answer, located.standing.stance)
        return _by_rules(response, expected, sample.prompt, denied)
    if (marked := _marked_after(answer, located.span, response, expected, sample.prompt)) is not None:
        return replace(marked, status="by_rules", form=form, offered=answer, fault="contradicted")
    return Extraction(answer, "found", located.span, form)


def extract_or_none(sample: EvaluationSample, response: str, context: JudgeContext, kind: str) -> Extraction:
    """`extract` by type alone, for evaluators that can read the response themselves: an unreadable reply is no error.

    Raises:
        JudgeError: there is no such answer type, or no extractor.
        ModelCallError: the extractor could not be asked.
    """
    expected = plain_answer(kind)
    try:
        return extract(sample, response, context, expected)
    except JudgeError:
        if context.extractor is None:
            raise
        return Extraction(None, "no_answer", form="none", fault="unreadable")


def _kind(expected: ExpectedAnswer) -> str:
    return "list" if expected.parts else expected.type


def _ask(
    sample: EvaluationSample, response: str, context: JudgeContext, expected: ExpectedAnswer
) -> tuple[str | None, JudgeError | None]:
    """The extractor's reply; None with the reason where it had to be ended."""
    if context.extractor is None:
        raise JudgeError("PASS 2 needs a model: name one with --extractor-model", ErrorType.EXTRACTION_ERROR)
    kind, options = _kind(expected), expected.options
    delimiter = new_delimiter(response, sample.prompt)
    listed = "\n".join(f"{letter}: {text}" for letter, text in options.items())
    template = context.template(f"pass2/{kind}")
    schema = _SCHEMA if "ANSWER:" in template and may_send(_SCHEMA, context.extractor.model) else None
    message = render(
        template,
        prompt=shortened(sample.prompt, MAX_QUESTION),
        response=shortened(response, MAX_FENCED),
        delimiter=delimiter,
        options=listed or "as the question lists them",
    )
    try:
        completion = context.ask(
            "pass2",
            context.extractor,
            [{"role": "user", "content": message.rstrip() + _AS_JSON if schema else message}],
            response_format=schema,
        )
    except JudgeError as error:
        return None, error
    return completion.text, None


@dataclass(frozen=True, slots=True)
class _NoUse:
    """A reply that is not used."""

    fault: Fault
    form: str
    offered: str = ""
    stance: str = ""


def _by_rules(response: str, expected: ExpectedAnswer, prompt: str, reply: _NoUse) -> Extraction:
    """The rules' reading in place of the extractor's; what the response does not assert is no answer of theirs either."""
    own = own_answer(response, expected, prompt, marked_only=_kind(expected) in _MULTILINE)
    told = Extraction(None, "no_answer", form=reply.form, offered=reply.offered, fault=reply.fault, stance=reply.stance)
    if own.answer is None or (own.span is not None and not asserts(response, *own.span, prompt)):
        return told
    status: Literal["not_in_response", "by_rules"] = (
        "not_in_response" if reply.fault == "not_in_response" else "by_rules"
    )
    return replace(told, answer=own.answer, status=status, span=own.span, source=own.source)


def _marked_after(
    answer: str, span: tuple[int, int] | None, response: str, expected: ExpectedAnswer, prompt: str
) -> Extraction | None:
    """The answer that `response` marks as its final one behind the place that the extractor quotes, where that is another."""
    if span is None or expected.parts or expected.type not in ("numeric", "choice", "boolean", "exact_match"):
        return None
    marked = find_final_answer(response)
    if marked is None or marked.how not in _MARKS or marked.start < span[1] or len(marked.text.split()) > _MOST_WORDS:
        return None
    own = own_answer(response, expected, prompt)
    if own.answer is None or own.span is None or own.span[0] < marked.start or own.source == "last_line":
        return None
    if not asserts(response, *own.span, prompt) or locate(answer, marked.text, expected).found:
        return None
    return own


_MARKS = frozenset(["boxed", "hash", "tag", "label"])
"""Marks that nothing but a final answer has."""
_MOST_WORDS = 12
"""Words of a marked answer beyond which it is prose, in which an answer may be written otherwise."""


def plain_answer(kind: str) -> ExpectedAnswer:
    """What an extractor is asked for where the gold says nothing of it: an answer of a type, whatever its value.

    Raises:
        JudgeError: there is no such answer type.
    """
    if kind not in ANSWER_TYPES:
        raise JudgeError(f"the answer type {kind!r} is none of {', '.join(ANSWER_TYPES)}", ErrorType.INVALID_TEST)
    return ExpectedAnswer(kind, ())


def own_answer(response: str, expected: ExpectedAnswer, prompt: str = "", *, marked_only: bool = False) -> Extraction:
    """The response's own answer by rules, in the form that PASS 2 would give it; no model is asked.

    `marked_only`: a last line that nothing marks as the answer is none.
    """
    own = read_own(response, expected, prompt)
    if own is None or (marked_only and own.how == "last_line"):
        return Extraction(None, "no_answer" if response.strip() else "empty_response")
    return Extraction(own.answer, "found", (own.start, own.start + len(own.text)), source=own.how)


def read_reply(reply: str, kind: str, response: str = "") -> tuple[str | None, str]:
    """The answer in an extractor's reply to `response` and the form it had; (None, …) where there is none.

    The last `ANSWER:` counts, then JSON with an `answer`, then a reply of one line, then prose that marks an answer.
    """
    text = reply.strip()
    fence = re.fullmatch(r"```[\w-]*\n(.*?)\n?```", text, re.DOTALL)
    text = fence[1].strip() if fence else text
    marks = list(_MARK.finditer(text))
    if marks:
        rest = text[marks[-1].end() :].strip()
        if kind not in _MULTILINE:
            lines = [line.strip() for line in rest.split("\n")]
            rest = next((line for line in lines if line and not line.rstrip("*_ ").endswith(":")), lines[0])
        if rest.startswith("**") and rest.count("**") == 1:
            rest = rest[2:].strip()
        if rest:
            return rest, "marked"
    if "{" in text and isinstance(found := parse_json_answer(text).value, dict) and "answer" in found:
        value = found["answer"]
        if isinstance(value, bool):
            return ("yes" if value else "no"), "json"
        return (NO_ANSWER if value is None else _unwrapped(str(value), text, response)), "json"
    if text and "\n" not in text and len(text) <= _LONGEST_LINE:
        marked = find_final_answer(text)
        return (marked.text if marked and marked.how != "last_line" else text), "bare"
    marked = find_final_answer(text)
    if marked is not None and marked.how != "last_line":
        return marked.text, "prose"
    return None, "none"


def _unwrapped(value: str, text: str, response: str) -> str:
    """The value of a JSON reply without the mark that belongs to the other form.

    An escape such as a line's end before `u` reads as LaTeX (`\\nu`), unless the response has it as JSON says it.
    """
    with contextlib.suppress(ValueError, RecursionError, KeyError, TypeError):
        literal = _unmarked(str(json.loads(text)["answer"]))
        if literal in response:
            return literal
    return _unmarked(value)


def _unmarked(value: str) -> str:
    return value.removeprefix("ANSWER:").strip() if value.startswith("ANSWER:") else value


def _says_none(answer: str, response: str) -> bool:
    """Whether the extractor says that there is no answer; `None` is one where the response itself says it."""
    plain = strip_wrapping(answer)
    if plain == NO_ANSWER:
        return True
    return plain.casefold() in _NONE_WORDS and not contains_words(response, plain)
