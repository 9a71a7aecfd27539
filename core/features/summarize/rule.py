"""A run summed up by a model: strengths, weaknesses and patterns, written from counted facts that each statement must cite."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from modex.core.comparison.wording import unsettled_words
from modex.core.foundation.errors import ConfigurationError
from modex.core.llm.jsontext import parse_json_answer
from modex.core.llm.types import Message, ModelClient
from modex.core.safety import as_words
from modex.core.store.bounds import bounds
from modex.core.store.reader import Reader
from modex.core.store.rows import RunRow
from modex.core.store.story import count_errors, count_reasons
from modex.core.store.tallies import tallies
from modex.core.suite.templates import Templates, render

KINDS = ("strengths", "weaknesses", "patterns")
_REASONS = 12
_MOST = 8
_NUMBER = re.compile(r"\d+(?:\.\d+)?")


@dataclass(frozen=True, slots=True)
class Statement:
    """One sentence about the run and the facts that it cites, by number from 1."""

    kind: str
    text: str
    facts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Summary:
    """What a model wrote; `dropped` statements cited no fact, or a number that their facts do not hold."""

    model: str
    facts: tuple[str, ...]
    statements: tuple[Statement, ...]
    dropped: int

    def note(self) -> str:
        """As it is kept with the run: who wrote it, and each statement with what it is founded on."""
        lines = [f"Written by {self.model} from {len(self.facts)} counted facts."]
        for kind in KINDS:
            stated = [statement for statement in self.statements if statement.kind == kind]
            lines += [f"{kind.capitalize()}:"] if stated else []
            for statement in stated:
                founded = "; ".join(self.facts[number - 1] for number in statement.facts)
                lines.append(f"- {statement.text} [{founded}]")
        if self.dropped:
            lines.append(f"{self.dropped} statements were left out: no fact holds what they say.")
        return "\n".join(lines)


def facts_of(reader: Reader, run: RunRow) -> list[str]:
    """What was counted in a run, a sentence each.

    Raises:
        ConfigurationError: nothing of it was scored.
        StoreError: the store cannot be read.
    """
    scored = run.passed_tests + run.failed_tests
    if not scored:
        raise ConfigurationError(
            f"{run.exp_id}: nothing was scored yet, so there is nothing to sum up; "
            f"`modex resume {as_words(run.exp_id)}` goes on with it"
        )
    return list(_facts(reader, run, scored))


def _facts(reader: Reader, run: RunRow, scored: int) -> Iterator[str]:
    if run.overall_score is not None:
        open_ = bounds(reader, run.id)
        words = f"; {unsettled_words(open_.number, open_.ends)}" if open_ is not None else ""
        yield f"Weighted Score {run.overall_score * 100:.1f} of 100{words}"
    yield f"{run.passed_tests} of {scored} scored tests passed"
    if run.error_tests or run.skipped_tests:
        yield f"{run.error_tests} tests ended in an error, {run.skipped_tests} were skipped"
    domains: dict[str, list[int]] = {}
    levels: dict[int, list[int]] = {}
    for cell in tallies(reader, run.id):
        done = cell.passed + cell.failed
        if not done:
            continue
        for group in (domains.setdefault(cell.domain, [0, 0]), levels.setdefault(cell.level, [0, 0])):
            group[0] += cell.passed
            group[1] += done
    for domain, (passed, count) in domains.items():
        yield f"domain {domain}: {passed} of {count} passed"
    for level, (passed, count) in sorted(levels.items()):
        yield f"level {level}: {passed} of {count} passed"
    for text, number in count_reasons(reader, run.id, limit=_REASONS):
        yield f"{number} failed because: {text or 'the answer is not the expected one'}"
    for text, number in count_errors(reader, run.id):
        yield f"{number} errors of the kind {text}"


def summarize(facts: Sequence[str], templates: Templates, client: ModelClient) -> Summary:
    """Let a model write about these facts; only statements that cite facts, and whose numbers stand in them, are kept.

    Raises:
        ConfigurationError: the reply has another form, or nothing of it could be kept.
        ModelCallError: the model could not be asked.
    """
    listed = "\n".join(f"F{number}: {fact}" for number, fact in enumerate(facts, 1))
    messages: list[Message] = [{"role": "user", "content": render(templates.text("report/summarize"), facts=listed)}]
    reply = client.complete(messages, temperature=0.0)
    found = parse_json_answer(reply.text, key=KINDS[0]).value
    if not isinstance(found, dict):
        raise ConfigurationError(
            f"{client.model} wrote no summary in the form asked for ({reply.text.strip()[:160]!r}); try another model"
        )
    statements: list[Statement] = []
    dropped = 0
    for kind in KINDS:
        given = found.get(kind)
        for item in (given if isinstance(given, list) else [])[:_MOST]:
            statement = _founded(kind, item, facts)
            dropped += statement is None
            statements += [statement] if statement else []
    if not statements:
        raise ConfigurationError(f"{client.model} wrote nothing that the counted facts hold; try another model")
    return Summary(client.model, tuple(facts), tuple(statements), dropped)


def _founded(kind: str, item: object, facts: Sequence[str]) -> Statement | None:
    """The statement, where it cites facts that are there, and every number in it stands in one of them."""
    if not isinstance(item, dict) or not isinstance(item.get("text"), str) or not isinstance(item.get("facts"), list):
        return None
    numbers = []
    for name in item["facts"]:
        match = re.fullmatch(r"\s*F?(\d{1,4})\s*", str(name))
        if match is None or not 1 <= int(match[1]) <= len(facts):
            return None
        numbers.append(int(match[1]))
    text = " ".join(item["text"].split())[:400]
    held = {number for cited in numbers for number in _NUMBER.findall(facts[cited - 1])}
    if not text or not numbers or not set(_NUMBER.findall(text)) <= held:
        return None
    return Statement(kind, text, tuple(dict.fromkeys(numbers)))
