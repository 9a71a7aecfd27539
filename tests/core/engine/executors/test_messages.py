"""What driver and worker say to each other arrives as it was said."""

from __future__ import annotations

import io

import pytest

from modex.core.engine.executors.messages import Begin, Finished, error_of, failure_of, packed, received
from modex.core.foundation.errors import ErrorType, ModelCallError, ModexError, StoreError
from modex.core.llm.faults import TimedOutError
from modex.core.llm.gate import Interrupted
from modex.core.store.sample import EvaluationSample


def test_messages_come_one_after_the_other_and_end_with_the_pipe_even_in_the_middle_of_one() -> None:
    sample = EvaluationSample(id=3, prompt="lone \ud800, NUL \0", expected={"any": [1, None]}, definition={"turns": []})  # type: ignore[arg-type]
    messages = [Begin(1, sample, "stat"), Finished(1, 2, {"status": "passed"}, None, None)]
    said = b"".join(packed(message) for message in messages)
    pipe = io.BytesIO(said)
    assert [received(pipe.read) for _ in range(3)] == [*messages, None]
    cut = io.BytesIO(said[:-1])
    assert [received(cut.read) for _ in range(2)] == [messages[0], None]


@pytest.mark.parametrize(
    "error",
    [
        ModelCallError("slow down", ErrorType.RATE_LIMIT, retryable=True, retry_after=2.5, status=429, attempts=3),
        ModelCallError("no such key", ErrorType.AUTHENTICATION, fatal=True, status=401),
        TimedOutError("too late", began=True, again=False),
        Interrupted(),
        StoreError("the disk is full"),
        ModexError("a plugin's own words"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_a_failure_arrives_as_what_it_was(error: Exception) -> None:
    found = error_of(failure_of(error))
    assert (type(found), str(found)) == (type(error), str(error))
    assert {**vars(found), "usage": None} == {**vars(error), "usage": None}


def test_what_nobody_knows_by_its_type_arrives_in_its_words() -> None:
    assert str(error_of(failure_of(ValueError("odd")))) == "ValueError: odd"
