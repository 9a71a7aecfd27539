"""What the scripted model knows of the test that it plays: bound around the call that asks it, beside what all are asked."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Cue:
    """The test's own answer, so that a scripted model can play any suite."""

    role: str
    """`rollout`, `pass2`, `judge` or `user`."""
    key: str
    """Decides the script's choices: the same key and variant give the same answer."""
    level: int = 1
    expected: Any = None
    evaluator_id: str = ""
    tool_names: tuple[str, ...] = ()
    rollout: str = "direct"
    context: dict[str, Any] = field(default_factory=dict)


# A context variable and no thread's own: litellm asks on a loop's thread, in the context of the thread that waits.
_CUE: ContextVar[Cue | None] = ContextVar("modex_demo_cue", default=None)


@contextmanager
def cued(cue: Cue) -> Iterator[None]:
    """Within it the scripted model plays `cue`."""
    before = _CUE.set(cue)
    try:
        yield
    finally:
        _CUE.reset(before)


def current_cue() -> Cue | None:
    """What the scripted model plays now; None where nobody said."""
    return _CUE.get()
