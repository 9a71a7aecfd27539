from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from modex.core.llm.demo.ability import VARIANTS, Dice
from modex.core.llm.demo.cues import Cue
from modex.core.llm.demo.example import example_of
from modex.core.llm.demo.extractor import extract
from modex.core.llm.demo.judge import agreement, verdict
from modex.core.llm.demo.script import play
from modex.core.llm.jsontext import parse_json_answer
from modex.core.llm.thinking import strip_thinking
from tests.rows import each_row

ASK = [{"role": "user", "content": "?"}]
FENCED = "Reply `ANSWER: …`\n<<<DATA-aaaa\n{prompt}\nDATA-aaaa>>>\n<<<DATA-aaaa\n{response}\nDATA-aaaa>>>"
WEATHER = {
    "type": "function",
    "function": {
        "name": "weather",
        "parameters": {
            "type": "object",
            "properties": {
                "city": {"type": "string"},
                "unit": {"enum": ["c", "f"]},
                "days": {"type": "integer", "minimum": 2},
            },
            "required": ["city", "days"],
        },
    },
}


def cue(expected: Any, key: str = "k", level: int = 1, evaluator: str = "two_pass", **more: Any) -> Cue:
    return Cue("rollout", key, level, expected, evaluator, **more)


def said(given_cue: Cue, variant: str = "perfect") -> str:
    return strip_thinking(play(variant, ASK, None, given_cue).content).answer


@each_row(
    ("expected", "kind", "answer"),
    [
        (18, "numeric", "18"),
        (-2.5, "numeric", "-2.5"),
        ({"type": "numeric", "value": 2.5, "unit": "kg", "locale": "de"}, "numeric", "2,5 kg"),
        (True, "boolean", "yes"),
        ({"type": "boolean", "value": False}, "boolean", "no"),
        ({"type": "choice", "value": "B", "options": {"A": "red", "B": "green"}}, "choice", "B"),
        ({"type": "exact_match", "value": "New York"}, "exact_match", "New York"),
        ({"type": "math", "value": "\\frac{1}{3}"}, "math", "\\frac{1}{3}"),
        ("Paris", "text", "Paris"),
    ],
)
def test_pass_2_finds_in_the_response_what_was_expected(expected: Any, kind: str, answer: str) -> None:
    for number in range(40):
        response = said(cue(expected, f"k{number}"))
        prompt = FENCED.format(prompt="Is it 7 or 99?", response=response)
        assert extract(prompt, kind) == f"ANSWER: {answer}"


def test_pass_2_says_when_there_is_no_answer() -> None:
    assert extract(FENCED.format(prompt="9?", response="I cannot say."), "numeric") == "ANSWER: NO_ANSWER"


@pytest.mark.parametrize("variant", ["default", "strong", "weak"])
def test_ability_falls_with_the_level_as_declared(variant: str) -> None:
    shares = [sum(Dice(variant, f"t{n}").is_right(level) for n in range(2000)) / 2000 for level in range(1, 6)]
    assert shares == sorted(shares, reverse=True)
    assert shares == pytest.approx(VARIANTS[variant].right, abs=0.04)


def test_tools_help() -> None:
    alone = [Dice("default", f"t{n}").is_right(4) for n in range(500)]
    helped = [Dice("default", f"t{n}").is_right(4, with_tools=True) for n in range(500)]
    assert sum(helped) > sum(alone)
    assert all(h >= a for h, a in zip(helped, alone, strict=True))


def test_the_same_key_gives_the_same_answer() -> None:
    assert play("weak", ASK, None, cue(5, "x", 5)) == play("weak", ASK, None, cue(5, "x", 5))


def test_wrong_answers_are_wrong() -> None:
    for number in range(300):
        key = f"k{number}"
        right = Dice("weak", key).is_right(5)
        assert (re.search(r"\b18\b", said(cue(18, key, 5), "weak")) is not None) is right


def test_keywords_stand_in_a_text_of_the_asked_length() -> None:
    expected = {
        "keywords": [
            "plain",
            ["one", "of"],
            {"any": ["pasien"], "required": True},
            {"regex": "\\bb12\\b"},
            {"any": ["no"], "forbidden": True},
        ],
        "language": "id",
        "min_words": 40,
        "max_words": 60,
    }
    text = said(cue(expected, evaluator="keyword"))
    assert all(re.search(rf"\b{word}\b", text) for word in ("plain", "one", "pasien", "b12"))
    assert 40 <= len(text.split()) <= 60


def test_sql_stands_in_a_fence() -> None:
    assert said(cue({"query": "SELECT 1 ORDER BY 1"}, evaluator="sql_executor")) == "```sql\nSELECT 1 ORDER BY 1\n```"
    assert "VALUES (1, 'a''b', NULL)" in said(cue({"rows": [[1, "a'b", None]]}, evaluator="sql_executor"))


def test_a_written_good_answer_is_the_whole_response() -> None:
    assert said(cue("\\A\\d+\\Z", evaluator="format", context={"metadata": {"good_answer": "42"}})) == "42"


@each_row(
    ("expected", "turns"),
    [
        ({"tool": "weather", "args": {"city": {"$ci": "oslo"}}}, [[("weather", {"city": "oslo", "days": 2})]]),
        (
            {"calls": [{"name": "weather", "args": {"city": {"$regex": "^Os"}}}]},
            [[("weather", {"city": "Os", "days": 2})]],
        ),
        (
            {"chain": [{"name": "weather"}, {"name": "weather", "args": {"days": 3}}]},
            [[("weather", None)], [("weather", None)]],
        ),
        ({"tools": ["weather"]}, [[("weather", {"city": "text", "days": 2})]]),
        ({"bfcl": [{"weather": {"city": ["Oslo"], "unit": ["", "c"]}}]}, [[("weather", {"city": "Oslo"})]]),
        ({"no_call": True}, []),
    ],
)
def test_tool_calls_are_made_turn_by_turn(expected: Any, turns: list[list[tuple[str, Any]]]) -> None:
    messages: list[dict[str, Any]] = list(ASK)
    for turn in turns:
        found = play("perfect", messages, [WEATHER], cue(expected, evaluator="tool_call"))
        assert found.finish_reason == "tool_calls"
        for call, (name, arguments) in zip(found.calls, turn, strict=True):
            assert call.name == name
            assert arguments is None or call.arguments == arguments
        messages += [{"role": "assistant", "tool_calls": [{}]}, {"role": "tool", "content": "sunny"}]
    last = play("perfect", messages, [WEATHER], cue(expected, evaluator="tool_call"))
    assert last.calls == ()
    assert last.content


def test_the_agentic_phases_end_in_a_structured_answer() -> None:
    def phase(name: str, messages: list[dict[str, Any]]) -> Any:
        context = {"phase": name, "metadata": {"tools": ["weather"]}}
        return play(
            "perfect", messages, [WEATHER], cue("Oslo", evaluator="llm_judge", rollout="agentic", context=context)
        )

    assert json.loads(phase("analysis", ASK).content.splitlines()[-1])["decision"] == "tool_call"
    assert phase("tool_selection", ASK).calls[0].name == "weather"
    turn: list[dict[str, Any]] = [{"role": "assistant", "tool_calls": [{}]}, {"role": "tool", "content": "x"}]
    taken = [*ASK, *turn * 3]
    assert phase("tool_selection", taken).content == "synthesis"
    parsed = parse_json_answer(strip_thinking(phase("synthesis", ASK).content).answer)
    assert parsed.value is not None
    assert parsed.value["answer"] == "Oslo"


@each_row(
    ("pattern", "right", "wrong"),
    [
        (r"SKOR:\s*(\d)", "SKOR:1", "SKOR:0"),
        (r"correct:\s*(yes|no)", "correct:yes", "correct:no"),
        (r"\b(PASS|FAIL)\b", "PASS", "FAIL"),
    ],
)
def test_the_judge_answers_as_a_pattern_asks(pattern: str, right: str, wrong: str) -> None:
    def said(response: str) -> str:
        context = {"response": response, "pattern": pattern}
        return verdict("", Cue("judge", "k", expected="Lucia Ferrante", context=context)).splitlines()[-1]

    assert said("It was Lucia Ferrante.").casefold() == right.casefold()
    assert said("It was somebody.").casefold() == wrong.casefold()


def test_the_judge_compares_and_answers_in_the_form_shown() -> None:
    def judged(response: str, prompt: str, **context: Any) -> Any:
        return json.loads(
            verdict(prompt, Cue("judge", "k", expected="Lucia Ferrante", context={"response": response, **context}))
        )

    form = 'Reply: {"reasoning": "why", "score": 0}'
    assert judged("It was Lucia  FERRANTE.", form)["score"] == 1
    assert judged("It was somebody.", form)["score"] == 0
    assert judged("lucia ferrante", 'Reply {"verdict": "correct", "why": "…"}')["verdict"] == "correct"
    assert judged("lucia ferrante", form, max_score=5, min_score=1)["score"] == 5


def test_numbers_agree_whatever_their_form() -> None:
    assert agreement("block 14,025,599.", "block 14025599") == 1.0
    assert agreement("18", {"type": "numeric", "value": 18.0}) == 1.0


def test_flaky_thinking_is_cut_off_at_times() -> None:
    cut = [play("flaky", ASK, None, cue(1, f"k{n}")) for n in range(300)]
    assert 0 < sum(one.finish_reason == "length" for one in cut) < 30


def test_without_a_cue_it_says_what_it_is() -> None:
    assert "scripted" in play("default", ASK, None, None).content


@each_row(
    "pattern",
    [
        r"\bhyperkal(a)?emi(a|c)\b",
        r"(?i)^[a-f]{3}\d+$",
        r"a{2,5}(b|c)\1",
        r"[^x]y",
        r"\A\d{4}-\d\d\Z",
        r"(?:foo|bar)\s+baz",
    ],
)
def test_an_example_matches_its_pattern(pattern: str) -> None:
    found = example_of(pattern)
    assert found is not None
    assert re.search(pattern, found)


@given(st.text("ab(|)[]*+?\\d{1,}^$.", max_size=20))
def test_any_pattern_gives_a_match_or_nothing(pattern: str) -> None:
    found = example_of(pattern)
    assert found is None or re.search(pattern, found)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=9),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(
                    ["type", "value", "keywords", "query", "rows", "tool", "calls", "options", "args", "answer"]
                ),
                inner,
            )
        ),
        max_leaves=8,
    ),
    st.sampled_from(["two_pass", "keyword", "tool_call", "regex"]),
    st.sampled_from(["default", "weak"]),
)
@example(1.7e308, "two_pass", "weak")
def test_any_expected_is_played(expected: Any, evaluator: str, variant: str) -> None:
    assert play(variant, ASK, [WEATHER], cue(expected, level=5, evaluator=evaluator))


RUBRIC = {"items": [{"id": "cool", "says": "Cools the burn with water."}, {"id": "long", "says": "For ten minutes."}]}


def rubric_cue(response: str, good_answer: str | None = None) -> Cue:
    says = {"cool": "Cools the burn with water.", "long": "For ten minutes.", "butter": "Advises butter."}
    context = {"items": ["cool", "long"], "gates": ["butter"], "says": says, "good_answer": good_answer}
    return Cue("judge", "k", 1, RUBRIC, "rubric", context={"response": response, **context})


def checked(given_cue: Cue) -> dict[str, bool]:
    return dict(json.loads(verdict("", given_cue))["items"])


def test_a_rubric_is_answered_item_by_item() -> None:
    assert checked(rubric_cue(said(cue(RUBRIC, evaluator="rubric")))) == {"cool": True, "long": True, "butter": False}
    assert checked(rubric_cue("Cools the burn with water."))["long"] is False


def test_other_words_meet_an_item_and_the_gates_own_words_shut_it() -> None:
    reply = "Hold it under cool running water. Then put butter on the burn."
    assert checked(rubric_cue(reply)) == {"cool": True, "long": False, "butter": True}
    assert not any(checked(rubric_cue("Ask somebody else.")).values())


def test_the_tests_own_good_answer_meets_every_item() -> None:
    good = "Hold it under the tap for a while."
    assert all(checked(rubric_cue(good, good))[name] for name in ("cool", "long"))
