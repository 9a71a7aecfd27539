from __future__ import annotations

from typing import Any

from modex.core.store.definition import Definition
from modex.core.store.rows import RunRow
from modex.core.store.sample import EvaluationSample
from modex.core.verdict import (
    Compared,
    Extracted,
    Keywords,
    Part,
    Vote,
    Votes,
    Weighted,
    WeightedPart,
    details_of,
)
from modex.tui.look.glyphs import ASCII, UNICODE
from modex.tui.reading.redo import mended_by
from modex.tui.widgets.transcript_markdown import markdown_block
from modex.tui.widgets.transcript_sections import SampleStory, raw_sections, sections_of
from modex.tui.widgets.transcript_text import Section
from modex.tui.widgets.transcript_verdict import verdict_blocks
from modex.tui.widgets.verdict_table import table
from tests.core.verdict.examples import EXAMPLES
from tests.rows import each_row
from tests.tui import transcripts as t
from tests.tui.hostile import HOSTILE, is_harmless
from tests.tui.stores import sample


def _parts(item: EvaluationSample, **story: Any) -> dict[str, Section]:
    return {section.key: section for section in sections_of(SampleStory(item, **story))}


def _text(section: Section) -> str:
    return "\n".join("".join(text for text, _ in item.lead) + item.text for item in section.blocks)


def test_every_layer_says_its_file_and_its_mode() -> None:
    text = _text(_parts(t.mixture())["system"])
    assert "domain  overwrite  test_definitions/math/domain.json:5" in text
    assert "level 3  append  prompts/math/level_3.md:1" in text


def test_a_layer_that_a_later_one_overwrote_says_so() -> None:
    layers = [t.LAYERS[0], {**t.LAYERS[1], "mode": "overwrite"}]
    assert "replaced by a later layer" in _text(_parts(t.mixture(prompt_layers=layers))["system"])


def test_the_extracted_answer_is_marked_where_it_stands() -> None:
    item = _parts(t.mixture())["response"].blocks[0]
    start, end, role = item.spans[0]
    assert (item.text[start:end], role) == ("⟦12.5⟧", "mark")
    plain = _parts(t.mixture(), glyphs=ASCII)["response"].blocks[0]
    assert "[[12.5]]" in plain.text


def test_a_span_outside_the_response_marks_nothing() -> None:
    details = details_of([Extracted("found", (5, 100_000))], {})
    assert _parts(t.mixture(details=details))["response"].blocks[0].spans == ()


def test_thinking_begins_folded_and_the_response_open() -> None:
    parts = _parts(t.mixture())
    thinking = next(section for key, section in parts.items() if key.startswith("thinking"))
    assert thinking.folded
    assert not parts["response"].folded


def test_pass_2_shows_its_answer_its_prompt_and_where_the_answer_stands() -> None:
    parts = _parts(t.mixture())
    assert "ANSWER: 12.5" in _text(parts["pass2.1"])
    assert parts["pass2.1.prompt"].folded
    assert ("found in response, line 3", "faint") in parts["pass2.1"].note


def test_each_call_has_a_part_with_its_result_and_its_iteration() -> None:
    parts = _parts(t.weather())
    first, second = parts["tools.1"], parts["tools.1.2"]
    assert first.title == 'get_weather(city="Oslo", unit="f")'
    assert first.note[0][0].startswith("iteration 1 of 5")
    assert '{"city": "Oslo", "temperature_f": 27}' in _text(first)
    assert second.title == 'get_time({"zone": )'
    assert second.note[-1] == ("   failed", "error")
    assert not first.folded


def _shell(count: int, **result: Any) -> list[dict[str, Any]]:
    """So many calls of a shell, one after the other."""
    found: list[dict[str, Any]] = [{"role": "user", "content": "Go.", "phase": "pass1", "iteration": 0}]
    for n in range(1, count + 1):
        call = {"id": "call_0", "name": "bash", "arguments": f'{{"cmd": "step {n}\\nand more"}}'}
        found.append({"role": "assistant", "phase": "pass1", "iteration": n, "tool_calls": [call]})
        found.append({"role": "tool", "tool_call_id": "call_0", "content": f"result {n}", **result})
    return found


def test_many_calls_begin_as_a_line_each() -> None:
    parts = _parts(t.mixture(transcript=_shell(12)))
    calls = [section for key, section in parts.items() if key.startswith("tools.")]
    assert [section.title for section in calls] == [f'bash(cmd="step {n}\\nand more")' for n in range(1, 13)]
    assert all(section.folded for section in calls)
    assert ["result 7" in _text(section) for section in calls].index(True) == 6
    few = _parts(t.mixture(transcript=_shell(3)))
    assert not any(section.folded for key, section in few.items() if key.startswith("tools."))


def test_a_call_without_a_result_says_so_in_its_line() -> None:
    transcript = _shell(1)[:-1]
    section = _parts(t.mixture(transcript=transcript))["tools.1"]
    assert section.note[-1] == ("   no result", "error")
    assert "no result" in _text(section)


def test_the_tools_that_were_offered_stand_with_how_often_each_was_called() -> None:
    own = {
        "function": {
            "name": "get_alerts",
            "description": "Warnings of a day",
            "parameters": {"required": ["city"], "properties": {"city": {}, "day": {}}},
        }
    }
    text = _text(_parts(t.weather(definition=Definition(tool_ids=["get_weather", "get_tide"], tools=[own])))["offered"])
    assert "get_weather   called once\n" in text
    assert "get_tide   not called\n" in text
    assert "get_alerts(city, day?)   not called\nWarnings of a day" in text
    assert "get_time   called once, not offered" in text


def test_calls_that_an_agent_only_told_stand_apart_from_those_that_were_seen() -> None:
    call = {"id": "1", "name": "f", "arguments": '{"x": 1}'}
    entries: list[dict[str, Any]] = [
        {"role": "user", "content": "q", "phase": "agent", "iteration": 0},
        {"role": "assistant", "content": "", "phase": "agent", "iteration": 1, "tool_calls": [call]},
        {"role": "tool", "content": "7", "phase": "agent", "iteration": 1, "tool_call_id": "1", "name": "f"},
        {"role": "assistant", "content": "Done.", "phase": "agent", "iteration": 2, "told_calls": [{**call, "name": "g"}]},
        {"role": "assistant", "content": "42", "phase": "agent", "iteration": 3, "calls": {"seen": 1, "told": 2},
         "state_unknown": "why"},
    ]  # fmt: skip
    parts = _parts(t.mixture(transcript=entries, response="42"))
    assert parts["tools.1"].title == "f(x=1)"
    assert (parts["told.3"].title, _text(parts["told.3"])) == ("told by the agent, not seen", "g(x=1)")
    assert _text(parts["counts.4"]) == "1 seen, 2 told; those that were seen count"
    assert _text(parts["state.4"]) == "why"


def test_turns_of_a_conversation_are_the_prompt_and_are_not_told_twice() -> None:
    turns = [
        {"role": "user", "content": "My head hurts.", "phase": "pass1", "iteration": 0},
        {"role": "assistant", "content": "Since when?", "phase": "pass1", "iteration": 0},
        {"role": "user", "content": "Since this morning.", "phase": "pass1", "iteration": 0},
        {"role": "assistant", "content": t.talk().response, "phase": "pass1", "iteration": 0, "duration_ms": 5},
    ]
    parts = _parts(t.talk(transcript=turns))
    assert "Since when?" in _text(parts["prompt"])
    assert list(parts) == ["verdict", "system", "prompt", "response", "figures"]


def test_the_phases_of_an_agent_have_a_part_each() -> None:
    answer = '{"answer": "42", "why": "counted"}'
    entries: list[dict[str, Any]] = [
        {"role": "user", "content": "Analyse.", "phase": "analysis", "iteration": 0},
        {"role": "assistant", "content": "I need a tool.", "phase": "analysis", "iteration": 0, "duration_ms": 1},
        {"role": "user", "content": "Choose.", "phase": "tool_selection", "iteration": 1},
        {"role": "assistant", "content": "", "phase": "tool_selection", "iteration": 2, "duration_ms": 1,
         "tool_calls": [{"id": "1", "name": "f", "arguments": "{}"}]},
        {"role": "tool", "content": "7", "phase": "tool_selection", "iteration": 2, "tool_call_id": "1", "name": "f"},
        {"role": "user", "content": "Now answer.", "phase": "synthesis", "iteration": 0},
        {"role": "assistant", "content": answer, "phase": "synthesis", "iteration": 0, "duration_ms": 1},
    ]  # fmt: skip
    titles = [section.title for section in sections_of(SampleStory(t.mixture(transcript=entries, response="42")))]
    assert titles[3:10] == [
        "analysis: what was asked",
        "analysis",
        "tool selection: what was asked",
        "f()",
        "synthesis: what was asked",
        "synthesis",
        "response",
    ]


def test_an_error_says_what_happened_and_what_to_do() -> None:
    section = _parts(t.refused())["error"]
    assert section.title == "error: rate_limit, at fault: server"
    assert section.note == (("resume tries again", "faint"),)
    assert _text(section).endswith("\nask fewer at once with --concurrency N")
    assert "--concurrency" not in section.source


def test_an_error_that_says_what_to_do_says_it_once() -> None:
    section = _parts(t.refused(error_type="timeout", error_message="no answer within 3 s (raise --timeout)"))["error"]
    assert _text(section) == "no answer within 3 s (raise --timeout)"


@each_row(
    ("fields", "said"),
    [
        ({"stage": "init"}, "a asks again"),
        ({"stage": "rollout", "response": "42", "error_type": "judge_error"}, "the answer is kept; J judges it again"),
        ({"stage": "rollout", "response": "Error 503", "error_type": "error_body"}, "the answer is kept; a asks again"),
        ({"stage": "init", "error_type": "invalid_test"}, "e edits the test and runs it"),
    ],
)
def test_an_error_names_the_key_that_tries_it_again(fields: dict[str, Any], said: str) -> None:
    item = t.refused(**fields)
    (section,) = [one for one in sections_of(SampleStory(item, redo=mended_by(item, RunRow(1)))) if one.key == "error"]
    assert section.note == ((said, "faint"),)
    assert mended_by(item, RunRow(1, kind="speed")) is None


@each_row(("status", "words"), [("pending", "not asked yet"), ("running", "being asked now"), ("skipped", "not asked")])
def test_a_test_without_a_response_says_why(status: Any, words: str) -> None:
    assert _text(_parts(sample("math", 1, 1, status))["response"]) == words


def test_an_empty_answer_is_said_to_be_one() -> None:
    assert _text(_parts(t.mixture(response=""))["response"]) == "the model answered with nothing"


def test_a_number_says_how_far_off_it_is() -> None:
    assert "off by 2.5 (16.7 %)" in _text(_parts(t.mixture())["verdict"])


@each_row(("percent", "said"), [(16.666667, " (16.7 %)"), (1000.4, " (1,000 %)"), (3e9, "")])
def test_how_far_off_is_said_in_plain_digits(percent: float, said: str) -> None:
    item = t.mixture()
    item.details = details_of([Compared("15", "12.5", difference=2.5, difference_percent=percent)], {})
    assert _text(_parts(item)["verdict"]).endswith(f"off by 2.5{said}")


def test_texts_are_shown_with_the_words_that_differ() -> None:
    details = details_of([Compared("the red fox", "the grey fox", "exact_match", "the texts differ")], {})
    wanted, got = verdict_blocks(t.mixture(details=details), UNICODE)[:2]
    assert [wanted.text[start:end] for start, end, _ in wanted.spans] == ["red"]
    assert [got.text[start:end] for start, end, _ in got.spans] == ["grey"]


def test_rows_are_shown_with_those_that_are_wrong() -> None:
    blocks = verdict_blocks(t.query(), UNICODE)
    got = blocks[-1]
    assert got.text.split("\n") == ["name  total", "Ana   31.5 ", "Bo    NULL "]
    assert [(got.text[start:end], role) for start, end, role in got.spans][1:] == [("Bo    NULL ", "failed")]


def test_numbers_of_a_table_align_to_the_right() -> None:
    assert table(["n"], [[1], [200]]).text.split("\n") == ["  n", "  1", "200"]


def test_calls_are_shown_with_what_is_wrong_of_each() -> None:
    text = _text(_parts(t.weather())["verdict"])
    assert "unit: 'f' where 'c' is expected" in text
    assert "extra    get_time(" in text


def test_judges_are_quoted() -> None:
    text = _text(_parts(t.talk())["verdict"])
    assert "3 of 5   gemini/flash" in text
    assert "forgets to ask how long the pain has lasted" in text


def test_parts_of_a_hybrid_and_keywords_are_listed() -> None:
    hybrid = details_of([Weighted((WeightedPart("keyword", 2, 1.0, "all there"),))], {})
    assert "keyword  weight 2  all there" in _text(_parts(t.mixture(details=hybrid))["verdict"])
    words = details_of([Keywords(("rest",), ("water",), shares={"relevance": 0.5}, why="a sum")], {})
    text = _text(_parts(t.mixture(details=words))["verdict"])
    assert "○ missing   water" in text
    assert "relevance 0.5" in text


def test_earlier_verdicts_are_kept_in_sight() -> None:
    earlier = [{"status": "passed", "score": 1.0, "evaluator_id": "match", "completed_at": "2026-03-01T10:00:00Z",
                "extracted_answer": "15", "details": {"why": "equal"}}]  # fmt: skip
    text = _text(_parts(t.mixture(), earlier=earlier)["earlier"])
    assert text == "● 1.00  2026-03-01 10:00  match  got 15  equal"


def test_the_raw_view_is_the_whole_sample() -> None:
    text = raw_sections(SampleStory(t.mixture()))[0].source
    assert '"span"' in text
    assert '"earlier_verdicts": []' in text


@each_row("text", HOSTILE)
def test_hostile_text_is_harmless_in_every_part(text: str) -> None:
    item = t.weather(
        prompt=text, response=text, extracted_answer=text, error_message=text, system_prompt=text,
        prompt_layers=[{"scope": "test", "mode": "append", "text": text, "file": text, "line": 1}],
        transcript=[{"role": "assistant", "content": text, "reasoning": text, "phase": text, "iteration": 1,
                     "tool_calls": [{"id": "1", "name": text, "arguments": text}]}],
        details=details_of([Compared(text, text, why=text), Votes((Vote(text, reason=text),))], {text: text}),
    )  # fmt: skip
    for section in sections_of(SampleStory(item)):
        for piece in section.blocks:
            assert is_harmless(piece.text)


def test_markdown_is_laid_out_as_text_without_links() -> None:
    item = markdown_block("# Rest\n\nDrink **water**, see [here](https://x.example).\n\n- one\n- two\n", 60)
    assert "• one" in item.text
    assert "**" not in item.text
    assert ("water", "title") in [(item.text[start:end], role) for start, end, role in item.spans]


@each_row("text", HOSTILE)
def test_markdown_of_hostile_text_is_harmless(text: str) -> None:
    assert is_harmless(markdown_block(text, 60).text)


@each_row("part", EXAMPLES, ids=lambda part: part.kind)
def test_every_part_is_drawn(part: Part) -> None:
    assert verdict_blocks(t.mixture(details=details_of([part], {})), UNICODE)


def test_what_an_unknown_evaluator_found_is_shown_whole() -> None:
    details = {"tempo": "slow", "bars": [1, 2, 3], "a note": "The second line has one syllable too many."}
    text = _text(_parts(t.mixture(details=details))["verdict"])
    assert "tempo slow" in text
    assert "[1, 2, 3]" in text
    assert "one syllable too many" in text
    assert "15" in text, "what was expected is in the sample"
    assert "12.5" in text, "and so is what was extracted"


def test_the_turns_of_a_conversation_stand_by_themselves_with_what_the_user_did_wrong() -> None:
    said: dict[str, Any] = {"phase": "conversation", "iteration": 1}
    transcript = [
        {"role": "user", "content": "Hi.", **said},
        {"role": "assistant", "content": "Which order?", **said, "duration_ms": 5},
        {"role": "user", "content": "A-1.", **said, "iteration": 2, "simulated": True},
        {"role": "assistant", "content": "", **said, "tool_calls": [{"id": "1", "name": "get", "arguments": "{}"}]},
        {"role": "tool", "content": "ok", **said, "tool_call_id": "1", "name": "get"},
        {"role": "assistant", "content": "Shall I?", **said, "iteration": 3, "duration_ms": 5},
        {"role": "user", "content": "###STOP###", **said, "iteration": 3, "simulated": True, "leaves": True,
         "fault": "left_early: x"},
    ]  # fmt: skip
    sections = sections_of(
        SampleStory(EvaluationSample(prompt="Hi.", response="Which order?\n\nShall I?", transcript=transcript))
    )
    found = [
        (section.key, section.title)
        for section in sections
        if section.key.split(".")[0] in ("user", "conversation", "tools")
    ]
    assert found == [
        ("conversation.1", "answer"), ("user.2", "simulated user, turn 2"), ("tools.1", "get()"),
        ("conversation.5", "answer"), ("user.3", "simulated user, turn 3, leaves"),
    ]  # fmt: skip
    assert next(section.note for section in sections if section.key == "user.3") == (("left_early: x", "error"),)


def test_why_stands_in_sight_of_a_verdict_on_an_endless_line() -> None:
    sample = t.mixture(extracted_answer="1" * 1_000_000, details={"reason": "the answer is no number"})
    texts = [one.text for one in verdict_blocks(sample, UNICODE)]
    assert "the answer is no number" in texts
    assert sum(map(len, texts[: texts.index("the answer is no number")])) < 800
