"""Two transcripts of one test: parts paired by turn, differences marked by word, and where they diverge."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from modex.core.store.sample import EvaluationSample
from modex.tui.widgets.transcript_pair import Paired, paired
from modex.tui.widgets.transcript_sections import SampleStory, sections_of
from tests.tui.transcripts import mixture


def pair(one: EvaluationSample, other: EvaluationSample) -> Paired:
    return paired(*(sections_of(SampleStory(sample, verdict_first=True)) for sample in (one, other)))


def marked(sections: list[Any], key: str, role: str) -> list[str]:
    (section,) = (one for one in sections if one.key == key)
    return [item.text[a:b] for item in section.blocks for a, b, found in item.spans if found == role]


def calling(*calls: tuple[str, str], answer: str = "It is -3.") -> EvaluationSample:
    transcript: list[dict[str, Any]] = [{"role": "user", "content": "How cold?", "phase": "pass1", "iteration": 0}]
    for number, (name, arguments) in enumerate(calls, 1):
        transcript += [
            {"role": "assistant", "content": "", "phase": "pass1", "iteration": number,
             "tool_calls": [{"id": f"c{number}", "name": name, "arguments": arguments}]},
            {"role": "tool", "content": '{"t": -3}', "tool_call_id": f"c{number}", "phase": "pass1", "iteration": number},
        ]  # fmt: skip
    transcript.append({"role": "assistant", "content": answer, "phase": "pass1", "iteration": len(calls) + 1})
    return mixture(transcript=transcript, response=answer, reasoning=None)


def test_equal_transcripts_diverge_nowhere() -> None:
    assert pair(mixture(), replace(mixture(), duration_ms=99, prompt_tokens=1)).divergences == []


def test_the_words_that_differ_are_marked_on_both_sides() -> None:
    one, other = calling(answer="It is -3 in Oslo."), calling(answer="It is -5 in Oslo.")
    found = pair(one, other)
    assert [match.first for match in found.divergences] == ["response"]
    assert marked(found.first, "response", "removed") == ["3"]
    assert marked(found.second, "response", "added") == ["5"]


def test_the_order_of_arguments_is_no_difference_and_another_value_is_one() -> None:
    one = calling(("get_weather", '{"city": "Oslo", "days": 1}'))
    assert pair(one, calling(("get_weather", '{"days":1.0,"city":"Oslo"}'))).divergences == []
    found = pair(one, calling(("get_weather", '{"city": "Rome", "days": 1}')))
    assert [match.first for match in found.divergences] == ["tools.1"]
    assert marked(found.second, "tools.1", "added") == ["Rome"]


def test_a_call_that_only_one_made_stands_alone_and_those_after_it_are_paired() -> None:
    one = calling(("get_weather", '{"city": "Oslo"}'))
    other = calling(("find_city", '{"name": "Oslo"}'), ("get_weather", '{"city": "Oslo"}'))
    found = pair(one, other)
    assert [(match.first, match.second) for match in found.divergences] == [(None, "tools.1")]
    assert ("tools.1", "tools.2") in [(match.first, match.second) for match in found.matches]
