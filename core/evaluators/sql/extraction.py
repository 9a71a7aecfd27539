"""Where the SQL of a response stands: its last fenced block, else what PASS 2 copies out."""

from __future__ import annotations

import re
from dataclasses import dataclass

from modex.core.evaluators.base import JudgeContext
from modex.core.evaluators.sql.parsed import is_query
from modex.core.foundation.errors import ErrorType, JudgeError
from modex.core.store.sample import EvaluationSample
from modex.core.suite.templates import MAX_FENCED, MAX_QUESTION, new_delimiter, render, shortened
from modex.core.verdict import Extracted

_OPEN = re.compile(r"^[ \t]*+(`{3,}+|~{3,}+)[ \t]*+([A-Za-z0-9_+-]*+)[^\n`]*+$")
_SQL_TAGS = frozenset(["sql", "sqlite", "sqlite3", "postgresql", "postgres", "mysql", "tsql"])
_NO_ANSWER = re.compile(r"\W*(?:ANSWER\W+)?NO_ANSWER\W*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class FoundSql:
    """The query, or None with `how` saying why; `how` is stored as `details.extraction`."""

    query: str | None
    how: str
    pass2_used: bool = False
    offered: str = ""
    """A query of PASS 2 that the response does not hold; it is not run."""

    def part(self) -> Extracted:
        """As the part of a verdict."""
        return Extracted(self.how, offered=self.offered, fault="not_in_response" if self.offered else "")


def fenced_sql(text: str) -> str | None:
    """The last ```sql block, else the last untagged block that is a query. An unclosed block ends with the text."""
    blocks = list(_blocks(text))
    tagged = [body for tag, body in blocks if tag in _SQL_TAGS and body.strip()]
    if tagged:
        return tagged[-1].strip()
    plain = [body for tag, body in blocks if not tag and body.strip() and is_query(body)]
    return plain[-1].strip() if plain else None


def _blocks(text: str) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    fence, tag, body = "", "", []  # type: ignore[var-annotated]
    for line in text.splitlines():
        if fence:
            bare = line.strip()
            if bare.startswith(fence) and not bare.strip(fence[0]):
                found.append((tag, "\n".join(body)))
                fence = ""
            else:
                body.append(line)
        elif match := _OPEN.match(line):
            fence, tag, body = match[1], match[2].lower(), []
    if fence:
        found.append((tag, "\n".join(body)))
    return found


def find_sql(sample: EvaluationSample, response: str, context: JudgeContext) -> FoundSql:
    """The query of `response`.

    Raises:
        JudgeError: PASS 2 is needed and there is no extractor.
        ModelCallError: the extractor could not be asked.
    """
    if not response.strip():
        return FoundSql(None, "empty_response")
    fenced = fenced_sql(response)
    if fenced is not None:
        return FoundSql(fenced, "fenced")
    if context.config.uses_pass2 is False:
        return FoundSql(response.strip(), "whole") if is_query(response) else FoundSql(None, "no_answer")
    if context.extractor is None:
        raise JudgeError("PASS 2 needs a model: name one with --extractor-model", ErrorType.EXTRACTION_ERROR)
    delimiter = new_delimiter(response, sample.prompt)
    message = render(
        context.template("pass2/sql"),
        prompt=shortened(sample.prompt, MAX_QUESTION),
        response=shortened(response, MAX_FENCED),
        delimiter=delimiter,
    )
    reply = context.ask("pass2", context.extractor, [{"role": "user", "content": message}]).text
    query = fenced_sql(reply) or _bare(reply)
    if query is None:
        if _NO_ANSWER.fullmatch(reply.strip()):
            return FoundSql(None, "no_answer", True)
        if _squeezed(said := _unmarked(reply)) == _squeezed(
            response
        ):  # the response is no query, and nothing else either
            return FoundSql(said, "found", True)
        raise JudgeError(
            f"PASS 2 gave no SQL and did not say that there is none: {reply.strip()[:200]!r}",
            ErrorType.EXTRACTION_ERROR,
        )
    if _squeezed(query) in _squeezed(response):
        return FoundSql(query, "found", True)
    if is_query(response):
        return FoundSql(response.strip(), "not_in_response", True, query)
    return FoundSql(None, "no_answer", True, query)


def _bare(reply: str) -> str | None:
    text = _unmarked(reply)
    return text if is_query(text) else None


def _unmarked(reply: str) -> str:
    return re.sub(r"^\s*ANSWER\s*:\s*", "", reply, flags=re.IGNORECASE).strip()


def _squeezed(text: str) -> str:
    plain = "".join(text.translate(_PLAIN).split())
    return plain.rstrip(";").casefold()


_PLAIN = str.maketrans({**dict.fromkeys("`*"), **dict.fromkeys("‘’′", "'"), **dict.fromkeys("“”″", '"')})
"""Marks of Markdown go (of the star on both sides), curled quotes become straight."""
