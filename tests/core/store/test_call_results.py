"""Which result of a transcript answers which call."""

from __future__ import annotations

from typing import Any

from modex.core.store.call_results import call_results
from tests.rows import each_row


def calls(*made: tuple[str | None, str]) -> dict[str, Any]:
    found = [{"name": name, **({"id": id_} if id_ is not None else {})} for id_, name in made]
    return {"role": "assistant", "tool_calls": found}


def result(content: str, id_: str | None = None, name: str | None = None) -> dict[str, Any]:
    return {
        "role": "tool",
        "content": content,
        **({"tool_call_id": id_} if id_ is not None else {}),
        **({"name": name} if name else {}),
    }


@each_row(
    ("transcript", "paired", "apart"),
    [
        ([], [], []),
        ([calls(("1", "f")), result("a", "1")], ["a"], []),
        ([calls(("1", "f"), ("2", "f"), ("3", "g")), result("c", "3"), result("a", "1"), result("b", "2")], ["a", "b", "c"], []),
        ([calls(("1", "f"), ("2", "f")), result("b", "2")], [None, "b"], []),
        ([calls(("1", "f")), result("a", "1"), calls(("1", "f")), result("b", "1")], ["a", "b"], []),
        ([calls(("1", "f"), ("1", "f")), result("a", "1"), result("b", "1")], ["a", "b"], []),
        ([calls(("1", "f")), calls(("2", "f")), result("b", "2"), result("a", "1")], ["a", "b"], []),
        ([calls(("1", "f")), calls(("1", "f")), result("b", "1")], [None, "b"], []),
        ([calls((None, "f"), (None, "g")), result("b", name="g"), result("a", name="f")], ["a", "b"], []),
        ([calls((None, "f"), (None, "f")), result("a"), result("b")], ["a", "b"], []),
        ([calls((None, "f")), result("a", "9")], ["a"], []),
        ([calls(("1", "f")), result("a", name="f")], ["a"], []),
        ([calls(("1", "f")), result("a", "2")], [None], [1]),
        ([result("a", "1"), calls(("1", "f"))], [None], [0]),
        ([calls(("1", "f")), result("a", "1"), result("b", "1")], ["a"], [2]),
        ([calls(("1", "f")), result("a", name="g")], [None], [1]),
        ([{"role": "user", "tool_calls": [{"id": "1", "name": "f"}]}, result("a", "1")], [], [1]),
        ([{"role": "assistant", "tool_calls": ["no call"]}], [], []),
    ],
)  # fmt: skip
def test_a_result_stands_with_its_call(transcript: list[Any], paired: list[Any], apart: list[int]) -> None:
    found = call_results(transcript)
    every = [got and got["content"] for place in range(len(transcript)) for _, got in found.of(place)]
    assert (every, sorted(found.apart)) == (paired, apart)
