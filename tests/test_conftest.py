"""What every test finds: nothing that another one left."""

from __future__ import annotations

import signal

import pytest

from modex.core.foundation.interrupts import hear_interrupts, was_interrupted


@pytest.mark.parametrize("_turn", ["first", "second"])
def test_an_interrupt_that_a_test_heard_is_unknown_to_the_next(_turn: str) -> None:
    assert not was_interrupted()
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    hear_interrupts()
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)
