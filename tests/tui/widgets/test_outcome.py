from __future__ import annotations

from modex.tui.widgets.log import outcome
from tests.tui.stores import StoreMaker, sample


def test_a_failed_test_says_the_verdicts_reason_and_without_one_what_differs(store: StoreMaker) -> None:
    run = store.run(
        "r",
        samples=[
            sample("tools", 1, 1, "failed", reason="get_weather was not called", extracted_answer="It is warm"),
            sample("tools", 1, 2, "failed"),
            sample("tools", 1, 3, "passed", reason="got 3 as expected"),
            sample("tools", 1, 4, "error"),
        ],
    )
    assert [outcome(head) for head in store.manager.reader.heads(run)] == [
        "get_weather was not called",
        "got 7, expected 2",
        "3",
        "server: rate_limit: the provider refused 5 times: too many requests",
    ]
