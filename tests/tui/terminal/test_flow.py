"""While a terminal has much to read, no further frame is sent; one that never answers is not waited for."""

from __future__ import annotations

import pytest

from modex.tui.terminal.flow import QUESTION, Flow


class _Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> _Clock:
    return _Clock()


@pytest.fixture
def flow(clock: _Clock) -> Flow:
    """A terminal that has answered once."""
    flow = Flow(clock)
    assert flow.sent(1000) == QUESTION
    flow.answered()
    return flow


def test_until_its_first_answer_a_terminal_is_not_waited_for() -> None:
    flow = Flow()
    for _ in range(50):
        assert flow.sent(20_000) == QUESTION
        assert flow.is_open()
    assert not flow.waits()


def test_a_frame_waits_until_the_one_before_it_was_read(flow: Flow) -> None:
    flow.sent(20_000)
    assert not flow.is_open()
    flow.answered()
    assert flow.is_open()


def test_small_frames_go_out_ahead_of_answers_and_need_few_questions(flow: Flow) -> None:
    assert [flow.sent(100) for _ in range(6)] == ["", "", "", "", "", QUESTION]
    assert flow.is_open()
    for _ in range(3):
        flow.sent(600)
    assert not flow.is_open(), "600 bytes four times are more than may be unread"
    flow.answered()
    assert flow.is_open()


def test_an_answer_that_is_lost_lets_one_frame_through_in_ten_seconds(flow: Flow, clock: _Clock) -> None:
    flow.sent(20_000)
    clock.now = 9.9
    assert not flow.is_open()
    clock.now = 10.1
    assert flow.is_open()
    flow.sent(20_000)
    assert not flow.is_open()


def test_a_terminal_that_stops_answering_is_not_waited_for_any_more(flow: Flow, clock: _Clock) -> None:
    for _ in range(3):
        flow.sent(20_000)
        clock.now += 10.1
        assert flow.is_open()
    flow.sent(20_000)
    assert flow.is_open()
    flow.answered()
    flow.sent(20_000)
    assert not flow.is_open(), "an answer shows that it answers again"


def test_where_the_picture_was_lost_answers_are_waited_for_a_second(flow: Flow, clock: _Clock) -> None:
    flow.sent(20_000)
    flow.doubt()
    assert not flow.is_open()
    clock.now = 0.9
    flow.doubt()
    assert not flow.is_open()
    clock.now = 1.1
    assert flow.is_open(), "the second doubt does not begin the second again"


def test_leaving_knows_of_answers_that_are_on_their_way(flow: Flow) -> None:
    assert not flow.waits()
    flow.sent(1000)
    assert flow.waits()
    flow.forget()
    assert not flow.waits()
