"""Totals and transcripts as plain text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from modex.core.pipeline.stat import stat
from modex.core.store.manager import DBDataManager
from modex.core.store.rows import RunRow
from modex.core.store.sample import EvaluationSample
from modex.core.store.simulated import SimulatedUser
from modex.tui.plain.summary import headline, summary_json, summary_text
from modex.tui.plain.transcript import sample_json, transcript_text
from tests.core.store.stores import CONFIG, FINISHED, finished, sample, with_writer
from tests.rows import each_row


@pytest.fixture
def manager(tmp_path: Path) -> Iterator[DBDataManager]:
    opened = DBDataManager(tmp_path / "modex.db")
    yield opened
    opened.close()


def run_of(manager: DBDataManager, *scores: float, name: str = "e") -> int:
    """A finished run with one test a level."""
    run_id = manager.create_run(name, CONFIG)
    manager.plan(run_id, [sample(str(n), level=n + 1) for n in range(len(scores))])
    items = list(manager.reader.samples(run_id))
    with_writer(
        manager,
        run_id,
        lambda writer: [
            writer.save(finished(item, score=score), FINISHED, before="pending")
            for item, score in zip(items, scores, strict=True)
        ],
    )
    stat(manager, run_id)
    return run_id


def test_the_matrix_shows_each_levels_score_and_how_many_were_scored(manager: DBDataManager) -> None:
    run = manager.reader.run_by_id(run_of(manager, 1.0, 0.5))
    lines = summary_text(manager.reader, run).splitlines()
    assert lines[0].split() == ["level", "1", "level", "2", "level", "3", "level", "4", "level", "5", "weighted", "n"]
    assert lines[1].split() == ["d", "100.0", "50.0", "66.7", "2"]


def test_a_processers_own_numbers_stand_with_the_samples_that_have_no_bounds_in_them(manager: DBDataManager) -> None:
    run = manager.reader.run_by_id(run_of(manager, 1.0))
    known = {"processer": "Own", "long_winded": 3}
    with_lost = summary_text(manager.reader, replace(run, metrics={"own": {**known, "not_bounded_by": 1}}))
    assert with_lost.splitlines()[-3:] == [
        "own (Own)",
        "  long_winded    3",
        "  these numbers are the processer's own: 1 sample without a verdict may move them, and nothing says how far",
    ]
    assert "may move them" not in summary_text(manager.reader, replace(run, metrics={"own": known}))


def test_the_columns_of_the_matrix_align(manager: DBDataManager) -> None:
    lines = summary_text(manager.reader, manager.reader.run_by_id(run_of(manager, 1.0, 0.5, 0.0))).splitlines()
    assert len(lines[0]) == len(lines[1])


def test_the_headline_carries_interval_n_and_errors(manager: DBDataManager) -> None:
    run_id = run_of(manager, 1.0, 0.0, 1.0)
    manager.update_run(run_id, error_tests=1)
    text = headline(manager.reader.run_by_id(run_id))
    assert text.startswith("Weighted Score 66.7 ±")
    assert text.endswith("(n 3, 1 error)")


def test_answers_of_a_model_that_got_its_tools_as_text_are_counted_beside_the_score(manager: DBDataManager) -> None:
    run_id = manager.create_run("e", CONFIG)
    manager.plan(run_id, [sample(str(n)) for n in range(3)])
    first, *others = manager.reader.samples(run_id)
    flagged = [replace(finished(item), flags=["text_protocol", "text_tool_calls"]) for item in others]
    with_writer(
        manager,
        run_id,
        lambda writer: [
            writer.save(item, FINISHED, before="pending")
            for item in (replace(finished(first), flags=["text_tool_calls"]), *flagged)
        ],
    )
    stat(manager, run_id)
    run = manager.reader.run_by_id(run_id)
    assert "(n 3, 2 answers with tools as text)" in summary_text(manager.reader, run)
    assert summary_json(manager.reader, run)["text_protocol"] == 2
    plain = manager.reader.run_by_id(run_of(manager, 1.0, name="plain"))
    assert "tools as text" not in summary_text(manager.reader, plain)
    assert summary_json(manager.reader, plain)["text_protocol"] == 0


def test_a_run_without_scores_shows_none(manager: DBDataManager) -> None:
    run_id = manager.create_run("e", CONFIG)
    manager.plan(run_id, [sample("a")])
    text = summary_text(manager.reader, manager.reader.run_by_id(run_id))
    assert "Weighted Score – (n 0)" in text
    assert "1 waiting" in text


def _with_errors(manager: DBDataManager, *kinds: str) -> RunRow:
    """A run whose samples ended in errors of these kinds."""
    run_id = manager.create_run("e", CONFIG)
    manager.plan(run_id, [sample(str(n)) for n in range(len(kinds))])
    items = list(manager.reader.samples(run_id))
    for item, kind in zip(items, kinds, strict=True):
        item.stage, item.status, item.error_type, item.error_message = "init", "error", kind, "m: no"
    fields = ("stage", "status", "error_type", "error_message")
    with_writer(
        manager,
        run_id,
        lambda writer: [writer.save(item, fields, before="pending") for item in items],
    )
    stat(manager, run_id)
    return manager.reader.run_by_id(run_id)


def test_each_kind_of_error_says_once_what_to_do(manager: DBDataManager) -> None:
    run = _with_errors(manager, "timeout", "rate_limit", "rate_limit", "imported_error")
    lines = summary_text(manager.reader, run).splitlines()
    place = lines.index("2 rate_limit: ask fewer at once with --concurrency N")
    assert lines[place + 1] == "1 timeout: give each call more time with --timeout SECONDS"
    assert not [line for line in lines if line.startswith("1 imported_error")]
    assert "4 not scored: 3 server (2 rate_limit, 1 timeout), 1 environment (imported_error)" in lines


def test_a_run_that_ended_with_advice_does_not_say_it_again(manager: DBDataManager) -> None:
    run = replace(_with_errors(manager, "authentication"), reason="the key was refused (check the key in SOME_KEY)")
    assert "authentication: " not in summary_text(manager.reader, run)


def test_cut_off_answers_have_one_line_on_tokens(manager: DBDataManager) -> None:
    text = summary_text(manager.reader, _with_errors(manager, "truncated_output"))
    assert text.count("--more-tokens") == 1


def test_the_json_form_holds_the_contracts_columns(manager: DBDataManager) -> None:
    found = summary_json(manager.reader, manager.reader.run_by_id(run_of(manager, 1.0)))
    assert {"exp_id", "model", "status", "overall_score", "error_tests", "cost_usd", "levels", "domains"} <= set(found)


def story() -> EvaluationSample:
    """A sample with everything in it."""
    return finished(
        sample("t"),
        prompt_layers=[
            {"scope": "domain", "mode": "overwrite", "text": "Be \x1b[31mbrief.", "file": "d.json", "line": 3}
        ],
        transcript=[
            {"role": "user", "content": "2+2?", "phase": "pass1"},
            {
                "role": "assistant",
                "content": "",
                "phase": "pass1",
                "iteration": 1,
                "reasoning": "hm",
                "tool_calls": [{"id": "1", "name": "add", "arguments": '{"a": 2}'}],
            },
            {"role": "tool", "name": "add", "content": "4", "phase": "pass1", "iteration": 1, "is_error": True},
        ],
        details={
            "why": "equal",
            "exchanges": [
                {"role": "pass2", "model": "m", "messages": [{"role": "user", "content": "Q"}], "answer": "4"}
            ],
        },
        extracted_answer="4",
        flags=["tool_limit"],
    )


def test_a_transcript_tells_the_story_in_order() -> None:
    earlier = [{"evaluator_id": "keyword", "status": "failed", "score": 0.0, "completed_at": "2026"}]
    text = transcript_text(story(), earlier, RunRow(1))
    parts = [
        "d / 1 / t   passed 1.00", "tool_limit", "[system prompt: domain, overwrite, d.json:3]", "[user: pass1]",
        "[assistant: pass1 1]", "(thinking) hm", '→ add({"a": 2})', "✗ error: 4", "[pass2: m]", "→ 4",
        "[verdict: keyword]", "expected  4", "got       4", "why       equal", "[earlier verdict: keyword] failed 0.00",
    ]  # fmt: skip
    places = [text.index(part) for part in parts]
    assert places == sorted(places)
    assert "\x1b" not in text


def test_a_result_stands_under_its_call_and_one_without_a_call_by_itself() -> None:
    calls = [{"id": str(n), "name": "f", "arguments": f"{n}"} for n in (1, 2, 3)]
    results = [
        {"role": "tool", "tool_call_id": str(n), "name": "f", "content": f"got {n}\nmore", "phase": "pass1"}
        for n in (3, 1, 9)
    ]
    told = replace(story(), transcript=[{"role": "assistant", "phase": "pass1", "tool_calls": calls}, *results])
    text = transcript_text(told, [], RunRow(1))
    assert (
        "  → f(1)\n    ← got 1\n    more\n  → f(2)\n    (no result)\n  → f(3)\n    ← got 3\n    more\n"
        "[tool f: pass1]\n  got 9\n  more\n"
    ) in text


def test_a_user_at_fault_is_named_above_a_transcript_and_at_its_turn() -> None:
    user = SimulatedUser(fault="left_early", why="it left")
    said = {"role": "user", "content": "Bye.", "phase": "conversation", "iteration": 2, "leaves": True}
    told = replace(story(), simulated_user=user, transcript=[{**said, "fault": "left_early: it left"}])
    text = transcript_text(told, [], RunRow(1))
    assert text.splitlines()[2] == "the user is at fault (left early): it left"
    assert "[user: conversation 2, leaves]\n  (fault) left_early: it left\n  Bye." in text


def test_a_sample_that_was_never_asked_shows_its_prompt() -> None:
    text = transcript_text(sample("t", prompt="2+2?"), [], RunRow(1))
    assert "[prompt]\n  2+2?" in text


@each_row(
    ("fields", "said"),
    [
        (
            {"stage": "init", "error_type": "rate_limit", "error_message": "m: rate limited (429)"},
            "what to do: ask fewer at once with --concurrency N; `modex resume 'my run' --test d/1/t` asks it again",
        ),
        (
            {"stage": "init", "error_type": "timeout", "error_message": "m: late (raise --timeout)"},
            "what to do: `modex resume 'my run' --test d/1/t` asks it again",
        ),
        (
            {"stage": "init", "error_type": "time_limit", "error_message": "cut off after 2 s; raise --max-seconds"},
            "what to do: the command of the run with --exp-id 'my run' and a larger --max-seconds asks it again",
        ),
        (
            {
                "stage": "init",
                "error_type": "truncated_output",
                "error_message": "cut off at the token limit; raise --max-tokens",
            },
            "what to do: `modex resume 'my run' --more-tokens N` asks all answers that were cut off again, with N tokens",
        ),
        (
            {"stage": "rollout", "error_type": "judge_error", "error_message": "no verdict", "response": "4"},
            "what to do: judge again, or name another judge with --judge-model MODEL;"
            " `modex judge 'my run' --test d/1/t` judges it again",
        ),
    ],
)
def test_an_error_is_followed_by_what_to_do_and_to_type(fields: dict[str, str], said: str) -> None:
    item = sample("t", status="error", **fields)
    lines = transcript_text(item, [], RunRow(1, exp_id="my run")).splitlines()
    assert lines[lines.index(f"{item.error_type}: {item.error_message}") + 1] == said


def test_a_skipped_sample_and_one_of_another_program_have_no_advice() -> None:
    skipped = sample("t", status="skipped", error_type="invalid_test", error_message="no such tool")
    foreign = sample("t", status="error", error_type="imported_error", error_message="it failed there")
    assert "what to do" not in transcript_text(skipped, [], RunRow(1))
    assert "what to do" not in transcript_text(foreign, [], RunRow(1, kind="imported"))


def test_what_a_column_or_a_key_of_the_test_says_is_shown_is_shown() -> None:
    said = {"timeout_ms": 500, "tool_faults": {"clock": ["error"]}, "metadata": {"k": 1}}
    text = transcript_text(sample("t", cluster="river\x1b[2J", definition=said), [], RunRow(1))
    assert '\ncluster river␛[2J   timeout_ms 500   tool_faults {"clock": ["error"]}\n' in text
    assert "cluster" not in transcript_text(sample("t", definition={"metadata": {"k": 1}}), [], RunRow(1))


def test_an_answer_without_its_messages_is_shown_too() -> None:
    text = transcript_text(sample("t", prompt="2+2?", response="four\x1b[2J"), [], RunRow(1))
    assert "[prompt]\n  2+2?\n[response]\n  four" in text
    assert "\x1b" not in text


def test_the_json_form_of_a_sample_holds_every_field() -> None:
    found = sample_json(story(), [])
    assert set(EvaluationSample.__dataclass_fields__) <= set(found)
