"""What a server's answer tells of how likely texts are: sums of a continuation's tokens, or the letters among alternatives."""

from __future__ import annotations

from typing import Any

import pytest

from modex.core.llm.likelihood import (
    UnreadableError,
    letters_of,
    of_next,
    of_texts,
    probe,
    split,
    sums_of,
    way_of,
)
from tests.rows import each_row
from tests.server.likely import Kind, Likely, logprob, tokens_of

PAIRS = [("Question: one?\nAnswer:", " a b"), ("Question: one?\nAnswer:", " c")]


@each_row("row", [("echo", "continuation"), ("next", "letter"), ("bare", None)])
def test_one_call_tells_which_way_a_server_can(row: tuple[Kind, str | None]) -> None:
    kind, way = row
    assert way_of(Likely(kind).complete(probe())) == way


def choices(*logprobs: Any) -> dict[str, Any]:
    return {"choices": [{"index": place, "logprobs": one} for place, one in enumerate(logprobs)]}


@each_row(
    "data",
    [
        None,
        [],
        {},
        {"choices": "no"},
        choices({"token_logprobs": [None, -1.0, -2.0]}),
        choices({"token_logprobs": [None, -1.0, -2.0]}, {"token_logprobs": [None, "x", -2.0]}),
        choices({"token_logprobs": [-1.0, -2.0]}, {"token_logprobs": [-1.0, -2.0]}),
        choices({"content": []}, {"content": []}),
        choices({"top_logprobs": [None]}, {"top_logprobs": [None]}),
        choices({"content": [{"top_logprobs": [{"token": 1, "logprob": -1}]}]}, {"content": [{"top_logprobs": 3}]}),
    ],
    ids=str,
)
def test_an_answer_of_another_form_tells_of_no_way(data: Any) -> None:
    assert way_of(data) is None


def test_the_older_form_of_alternatives_is_read_as_the_newer_one() -> None:
    old = choices({"tokens": [" A"], "token_logprobs": [-0.5], "top_logprobs": [{" A": -0.5, "B": -2.0, " B": -1.5}]})
    assert way_of(choices(*[old["choices"][0]["logprobs"]] * 2)) == "letter"
    assert letters_of(old, "AB") == (-0.5, -1.5)  # with a blank or without: the likelier


def test_the_tokens_behind_the_context_are_summed_for_each_option() -> None:
    server = Likely()
    found = sums_of(server.complete(of_texts(PAIRS)), PAIRS)
    context = tokens_of(PAIRS[0][0])
    assert found[0].logprob == pytest.approx(logprob(context, " a") + logprob([*context, " a"], " b"))
    assert [one.tokens for one in found] == [2, 1]
    assert found[1].logprob == logprob(context, " c")


def test_a_context_is_sent_once_however_many_options_follow_it() -> None:
    texts = of_texts(PAIRS)["prompt"]
    assert texts == [PAIRS[0][0], *("".join(pair) for pair in PAIRS)]


def test_options_with_contexts_of_their_own_are_summed_behind_each() -> None:
    pairs = [("The cat", " ran"), ("The old dog", " ran")]
    found = sums_of(Likely().complete(of_texts(pairs)), pairs)
    assert [one.logprob for one in found] == [logprob(tokens_of(context), " ran") for context, _ in pairs]


def test_blanks_at_the_end_of_a_context_belong_to_what_follows() -> None:
    assert split("Answer: ", "B") == ("Answer:", " B")
    assert split("Answer:", " B") == ("Answer:", " B")


@each_row("value", [None, "x", float("nan"), float("-inf"), True], ids=str)
def test_a_continuation_without_a_number_for_each_token_is_not_summed(value: Any) -> None:
    pairs = [("a", " b")]
    data = choices({"token_logprobs": [None, -1.0]}, {"token_logprobs": [None, value, -1.0]})
    with pytest.raises(UnreadableError, match="no log-probability for each token of ' b'"):
        sums_of(data, pairs)


def test_a_continuation_that_no_token_stands_for_is_not_summed() -> None:
    data = choices({"token_logprobs": [None, -1.0, -1.0]}, {"token_logprobs": [None, -1.0, -1.0]})
    with pytest.raises(UnreadableError):
        sums_of(data, [("a", " b")])


def test_answers_are_told_apart_by_their_numbers() -> None:
    data = Likely().complete(of_texts(PAIRS))
    assert [one["index"] for one in data["choices"]] == [2, 1, 0]
    assert sums_of({"choices": data["choices"][::-1]}, PAIRS) == sums_of(data, PAIRS)


def test_a_letter_that_is_not_among_the_alternatives_has_no_number() -> None:
    server = Likely("next", letters="AC")
    found = letters_of(server.complete(of_next("Answer:")), "ABC")
    context = tokens_of("Answer:")
    assert found == (logprob(context, " A"), None, logprob(context, " C"))


def test_alternatives_without_any_of_the_letters_are_refused() -> None:
    with pytest.raises(UnreadableError, match="none of X, Y is among the alternatives"):
        letters_of(Likely("next").complete(of_next("Answer:")), "XY")


def test_calls_ask_at_temperature_0_for_one_token() -> None:
    for fields in (probe(), of_texts(PAIRS), of_next("a")):
        assert (fields["temperature"], fields["max_tokens"]) == (0, 1)
    assert probe()["echo"]
    assert of_texts(PAIRS)["echo"]
    assert "echo" not in of_next("a")
