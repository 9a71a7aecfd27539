"""Whose fault it is that a sample has no fair verdict."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from modex.core.foundation.errors import CUT_OFF, ErrorType
from modex.core.foundation.parties import (
    OF_ITSELF,
    PARTY_OF,
    Party,
    detail_of,
    fault_words,
    party_of,
    party_of_error,
)
from modex.core.pipeline.rollout.conversation import USER_FAULT
from modex.core.store.sample import STATUSES
from tests.rows import each_row


@dataclass
class Sample:
    status: str
    error_type: str | None = None
    error_message: str | None = None
    flags: tuple[str, ...] | str = ()


def test_every_kind_of_error_has_a_party_and_every_party_an_error_or_a_message() -> None:
    assert set(PARTY_OF) == set(ErrorType) | CUT_OFF
    assert {PARTY_OF[kind] for kind in CUT_OFF} == {Party.MODEL}
    assert set(PARTY_OF) >= set(OF_ITSELF)
    assert len(Party) == len({"model", "tool", "server", "user", "judge", "parser", "environment"})


@each_row(
    ("kind", "message", "party"),
    [
        ("truncated_output", "the answer was cut off", "model"),
        ("content_filter", None, "model"),
        ("agent_error", "the agent ended with exit code 1", "model"),
        ("timeout", "the agent was killed at its deadline of 3 s (--timeout)", "model"),
        ("agent_error", "the agent says: the server x is down", "model"),
        ("agent_error", "the answer failed where it was made: no credits", "model"),
        ("agent_error", "the state at the end cannot be told: the answer came without its calls", "environment"),
        ("agent_error", "the file of answers has none for epoch 2 of this test", "environment"),
        ("tool_unavailable", "the server python a.py does not tell its state by snap: no", "server"),
        ("tool_unavailable", "no handler 'x'", "tool"),
        ("tool_unavailable", "the server python a.py ended (exit code 3)", "server"),
        ("server_error", "m: HTTP 503", "server"),
        ("timeout", "m: no answer within 60 s", "server"),
        ("timeout", "the simulated user (m): no answer within 60 s", "user"),
        ("invalid_response", "the simulated user (m) was cut off in the middle of a message", "user"),
        ("judge_error", "no verdict in it", "judge"),
        ("judge_refused", "judging: refused (bad_request)", "judge"),
        ("rate_limit", "judging: too many", "judge"),
        ("rate_limit", "judging: PASS 2: too many", "parser"),
        ("extractor_refused", "judging: refused (bad_request)", "parser"),
        ("extraction_error", "no form", "parser"),
        ("evaluator_error", "the server of the judge is odd", "judge"),
        ("connection", "m: refused", "environment"),
        ("authentication", None, "environment"),
        ("imported_error", None, "environment"),
        (None, None, "environment"),
    ],
)
def test_the_kind_names_the_party_and_the_message_who_was_called(
    kind: str | None, message: str | None, party: str
) -> None:
    assert party_of_error(kind, message) == party


@each_row(
    ("message", "words"),
    [
        ("the server python tools/weather.py ended (exit code 3); it said: x", "weather: exit 3"),
        ("the server python weather.py --fast ended (signal 9)", "weather: signal 9"),
        ("the server 'node' srv/a.mjs maps ended; this test had made 1 call there before", "a maps: ended"),
        ("the server npx some-server does not answer: MCPError: closed (exit code 1)", "some-server: exit 1"),
        ("the server weather gave no answer to get within 60 s; it was asked twice", "weather: no answer"),
        (
            "the server weather answered get with an error of its own (-32000: odd (exit code 3))",
            "weather: error -32000",
        ),
        ("the server http://h:1/mcp no longer offers get; it was asked twice", "http://h:1/mcp: without get"),
        ("the server weather gave no answer to get that can be read (no content)", "weather: no answer"),
        ("the server weather cannot be reached", "weather: no answer"),
        ("the server weather gave 20 times in a row no answer and is asked no more", "weather: no answer"),
        ("the server python a.py does not tell its state by snap: not an object", "a: no state"),
        ("the server python a.py cannot begin by start: no", "a: no beginning"),
        ("m: HTTP 503", ""),
        (None, ""),
    ],
)
def test_a_servers_message_says_in_short_which_it_is_and_what_it_did(message: str | None, words: str) -> None:
    assert detail_of(message) == words


@pytest.mark.parametrize("status", STATUSES)
def test_only_what_has_no_fair_verdict_is_somebodys_fault(status: str) -> None:
    assert party_of(Sample(status)) == ("environment" if status == "error" else None)
    assert party_of(Sample(status, flags=(USER_FAULT,))) == {"failed": "user", "error": "environment"}.get(status)
    assert party_of(Sample(status, flags=f'["{USER_FAULT}"]')) == {"failed": "user", "error": "environment"}.get(status)
    assert party_of(Sample(status, flags='["user_fault_likely"]')) == ("environment" if status == "error" else None)
    skipped = {"error": "tool", "skipped": "tool"}.get(status)
    assert party_of(Sample(status, "tool_unavailable", "get: no handler")) == skipped


def test_the_words_name_the_party_and_the_server() -> None:
    assert fault_words(Sample("passed")) == ""
    assert fault_words(Sample("error", "judge_error", "the server a ended")) == "judge"
    ended = Sample("error", "tool_unavailable", "the server python weather.py ended (exit code 3)")
    assert fault_words(ended) == "server (weather: exit 3)"
    assert fault_words(Sample("error", "server_error", "m: HTTP 503")) == "server"
