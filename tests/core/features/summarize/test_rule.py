"""A run summed up by a model: what it is given, and what of its reply is kept."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import pytest

from modex.core.features.summarize.rule import Statement, Summary, facts_of, summarize
from modex.core.foundation.errors import ConfigurationError
from modex.core.store.manager import DBDataManager
from modex.core.store.sample import EvaluationSample
from tests.core.features.compare.test_compare import failing, scored
from tests.core.reports.conftest import Store
from tests.rows import each_row

_FACTS = ["Weighted Score 40.5 of 100", "3 of 7 scored tests passed"]


class _Client:
    """A model that says what it is told to, and remembers what it was asked."""

    model = "demo/writer"

    def __init__(self, reply: str) -> None:
        self._reply = reply
        self.asked: list[Any] = []

    def complete(self, messages: Any, **options: Any) -> Any:
        self.asked.append((messages, options))
        return SimpleNamespace(text=self._reply)


def _said(reply: object) -> Summary:
    templates: Any = SimpleNamespace(text=lambda name: "{facts}" if name == "report/summarize" else "")
    client: Any = _Client(reply if isinstance(reply, str) else json.dumps(reply))
    return summarize(_FACTS, templates, client)


@each_row(
    ("item", "kept"),
    [
        ({"text": " It is\nweak. ", "facts": ["F1"]}, Statement("strengths", "It is weak.", (1,))),
        ({"text": "40.5 points", "facts": [1]}, Statement("strengths", "40.5 points", (1,))),
        ({"text": "3 of 7", "facts": ["F2", " 2 ", "F1"]}, Statement("strengths", "3 of 7", (2, 1))),
        ({"text": "3 of 7", "facts": ["F1"]}, None),
        ({"text": "4 of 7", "facts": ["F2"]}, None),
        ({"text": "Good.", "facts": []}, None),
        ({"text": "Good.", "facts": ["F0"]}, None),
        ({"text": "Good.", "facts": ["F3"]}, None),
        ({"text": "Good.", "facts": ["F1", "G1"]}, None),
        ({"text": " ", "facts": ["F1"]}, None),
        ({"text": 3, "facts": ["F1"]}, None),
        ({"text": "Good.", "facts": "F1"}, None),
        ("Good.", None),
        ({"text": "x" * 401, "facts": ["F1"]}, Statement("strengths", "x" * 400, (1,))),
    ],
)
def test_a_statement_is_kept_where_the_facts_it_cites_hold_its_numbers(item: object, kept: Statement | None) -> None:
    sure = {"text": "Sure.", "facts": ["F2"]}
    found = _said({"strengths": [item], "patterns": [sure]})
    assert found.statements == (*([kept] if kept else []), Statement("patterns", "Sure.", (2,)))
    assert found.dropped == (0 if kept else 1)
    assert found.facts == tuple(_FACTS)


def test_eight_statements_of_a_kind_are_read_and_other_forms_are_none() -> None:
    many = [{"text": "Good.", "facts": ["F1"]}] * 9
    found = _said({"strengths": many, "weaknesses": "none", "other": many})
    assert (len(found.statements), found.dropped) == (8, 0)
    empty: tuple[object, ...] = ("no JSON", {"strengths": []}, {"strengths": [{"text": "Good."}]})
    for reply in empty:
        with pytest.raises(ConfigurationError, match="try another model"):
            _said(reply)


def test_a_note_says_who_wrote_it_and_what_each_statement_is_founded_on() -> None:
    given = (Statement("patterns", "P.", (2, 1)), Statement("strengths", "S.", (1,)))
    assert Summary("m", ("a", "b"), given, 0).note().splitlines() == [
        "Written by m from 2 counted facts.",
        "Strengths:",
        "- S. [a]",
        "Patterns:",
        "- P. [b; a]",
    ]
    assert Summary("m", (), (), 3).note().splitlines()[1:] == [
        "3 statements were left out: no fact holds what they say."
    ]


def _failed(test_id: str, reason: str, **fields: Any) -> EvaluationSample:
    found = scored(test_id, 0.0, **fields)
    found.reason = reason
    return found


def test_facts_are_what_was_counted_by_domain_level_reason_and_error(manager: DBDataManager, store: Store) -> None:
    run = store(
        "e",
        [
            scored("1", 1.0, domain="b", level=2),
            _failed("2", "expected 4, got 5", domain="b", level=1),
            _failed("3", "it is odd", domain="a", level=2),
            failing("4", domain="c", level=3),
        ],
    )
    assert facts_of(manager.reader, run) == [
        "Weighted Score 40.0 of 100; 1 without a verdict leaves it between 25.0 and 62.5",
        "1 of 3 scored tests passed",
        "1 tests ended in an error, 0 were skipped",
        "domain a: 0 of 1 passed",
        "domain b: 1 of 2 passed",
        "level 1: 0 of 1 passed",
        "level 2: 1 of 2 passed",
        "1 failed because: the answer is not the expected one",
        "1 failed because: it is odd",
        "1 errors of the kind timeout",
    ]
    sure = facts_of(manager.reader, store("sure", [scored("1", 1.0)]))
    assert sure == [
        "Weighted Score 100.0 of 100",
        "1 of 1 scored tests passed",
        "domain d: 1 of 1 passed",
        "level 1: 1 of 1 passed",
    ]
    nothing = store("nothing", [failing("1")])
    with pytest.raises(ConfigurationError, match="nothing was scored yet"):
        facts_of(manager.reader, nothing)
