"""PASS 2: a second call that takes only the final answer out of the response, in a strict format.

The extractor answers with one line `ANSWER: …`, a form in which LaTeX backslashes need no escaping; `NO_ANSWER` says
that the response gives none. It never sees the expected answer.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from core.errors import ErrorType, JudgeError
from core.evaluators.base import JudgeContext
from core.evaluators.cues import cue_for
from core.evaluators.fence import MAX_FENCED, MAX_QUESTION, new_delimiter, shortened
from core.evaluators.final_answer import find_final_answer
from core.evaluators.locate import locate
from core.evaluators.text import contains_words, strip_wrapping
from core.llm.jsontext import parse_json_answer
from core.store.sample import EvaluationSample
from core.suite.templates import render

NO_ANSWER = "NO_ANSWER"
_MARK = re.compile(r"^[ \t>*_#`-]*(?:FINAL[ \t]+)?ANSWER[ \t*_]*[:：][ \t]*", re.IGNORECASE | re.MULTILINE)
_NONE_WORDS = ("none", "n/a", "no answer", "no_answer", "null")
_MULTILINE = frozenset(["text", "exact_match"])
_LONGEST_LINE = 500


@dataclass(frozen=True, slots=True)
class Extraction:
    """What PASS 2 found; `status` is stored as `details.extraction`, `span` as `details.extraction_span`."""

    answer: str | None
    status: Literal["found", "not_in_response", "no_answer", "empty_response"]
    span: tuple[int, int] | None = None
    form: str = "marked"
    """How the extractor wrote it: `marked`, `json`, `bare`, or `prose`."""

    @property
    def asked(self) -> bool:
        """Whether a call was made."""
        return self.status != "empty_response"

    def details(self) -> dict[str, object]:
        """The entries of `EvaluationResult.details` that say how the answer was got."""
        found: dict[str, object] = {"extraction": self.status}
        if self.span is not None:
            found["extraction_span"] = list(self.span)
        if self.form != "marked":
            found["extraction_form"] = self.form
        return found


def extract(
    sample: EvaluationSample,
    response: str,
    context: JudgeContext,
    kind: str,
    *,
    locale: str = "en",
    options: Mapping[str, str] | None = None,
) -> Extraction:
    """Ask the extractor for the final answer of `response`. An empty response costs no call.

    Raises:
        JudgeError: the extractor's reply holds no answer, not even that there is none.
        ModelCallError: the extractor could not be asked.
    """
    if not response.strip():
        return Extraction(None, "empty_response")
    if context.extractor is None:
        raise JudgeError("PASS 2 needs a model: name one with --extractor-model", ErrorType.EXTRACTION_ERROR)
    delimiter = new_delimiter(response, sample.prompt)
    listed = "\n".join(f"{letter}: {text}" for letter, text in (options or {}).items())
    message = render(
        context.template(f"pass2/{kind}"),
        prompt=shortened(sample.prompt, MAX_QUESTION),
        response=shortened(response, MAX_FENCED),
        delimiter=delimiter,
        options=listed or "as the question lists them",
    )
    completion = context.ask(
        "pass2",
        context.extractor,
        [{"role": "user", "content": message}],
        cue=cue_for("pass2", sample, kind, response, options=dict(options or {})),
    )
    answer, form = read_reply(completion.text, kind)
    if answer is None:
        raise JudgeError(
            f"PASS 2 gave no answer in the form asked for: {completion.text.strip()[:120]!r}; "
            "try another model with --extractor-model",
            ErrorType.EXTRACTION_ERROR,
        )
    if _says_none(answer, response):
        return Extraction(None, "no_answer", form=form)
    present, span = locate(answer, response, kind, locale, options)
    return Extraction(answer, "found" if present else "not_in_response", span, form)


def read_reply(reply: str, kind: str) -> tuple[str | None, str]:
    """The answer in an extractor's reply and the form it had; (None, …) where there is none.

    The last `ANSWER:` counts, then JSON with an `answer`, then a reply of one line, then prose that marks an answer.
    """
    text = reply.strip()
    fence = re.fullmatch(r"```[\w-]*\n(.*?)\n?```", text, re.DOTALL)
    text = fence[1].strip() if fence else text
    marks = list(_MARK.finditer(text))
    if marks:
        rest = text[marks[-1].end() :].strip()
        if kind not in _MULTILINE:
            rest = rest.split("\n", 1)[0].strip()
        if rest.startswith("**") and rest.count("**") == 1:
            rest = rest[2:].strip()
        if rest:
            return rest, "marked"
    if "{" in text and isinstance(found := parse_json_answer(text).value, dict) and "answer" in found:
        value = found["answer"]
        if isinstance(value, bool):
            return ("yes" if value else "no"), "json"
        return (NO_ANSWER if value is None else str(value)), "json"
    if text and "\n" not in text and len(text) <= _LONGEST_LINE:
        marked = find_final_answer(text)
        return (marked.text if marked and marked.how != "last_line" else text), "bare"
    marked = find_final_answer(text)
    if marked is not None and marked.how != "last_line":
        return marked.text, "prose"
    return None, "none"


def _says_none(answer: str, response: str) -> bool:
    """Whether the extractor says that there is no answer; `None` is one where the response itself says it."""
    plain = strip_wrapping(answer)
    if plain == NO_ANSWER:
        return True
    return plain.casefold() in _NONE_WORDS and not contains_words(response, plain)
