"""What each worker's call is doing, as others see it."""

from __future__ import annotations

import threading

from modex.core.llm.assembly import StreamAssembly
from modex.core.llm.underway import UnderWay


def test_who_looks_at_an_answer_has_it_read_what_came() -> None:
    under_way, answer, looks = UnderWay(), StreamAssembly(), []
    own = threading.get_ident()
    under_way.begin(answer, lambda: looks.append(1))
    assert under_way.of(own) is answer
    assert len(looks) == 1
    assert under_way.of(own + 1) is None
    under_way.clear()
    assert under_way.of(own) is None
    assert len(looks) == 1
    under_way.begin(answer)
    assert under_way.of(own) is answer
