"""`modex run` in the foreground."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli import call, keyword_tests
from tests.server import Reply
from tests.server.replies import unauthorized
from tests.tui.commands.conftest import HOSTILE, MIXED, Shell, assert_clean


def test_data_goes_to_stdout_and_narration_to_stderr(shell: Shell) -> None:
    shell.suite(keyword_tests(3))
    called = shell.run()
    assert called.code == 0
    assert "Weighted Score 100.0" in called.out
    assert "3 passed" in called.out
    assert "plan: 3 to ask" in called.err
    assert called.err.count("d/1/t") == 3
    assert "plan:" not in called.out


def test_json_is_one_document_with_scores(shell: Shell) -> None:
    shell.suite(keyword_tests(3))
    called = shell.run("--json")
    data = called.data
    assert (data["exp_id"], data["status"], data["overall_score"], data["passed_tests"]) == ("e", "completed", 1.0, 3)
    assert data["levels"][0]["average_score"] == 1.0
    assert data["domains"] == {"d": 1.0}


@pytest.mark.parametrize(
    ("tests", "flags", "code"),
    [
        (keyword_tests(2), [], 0),
        ([MIXED[2], *keyword_tests(1)], [], 0),
        ([MIXED[3], *keyword_tests(1)], [], 1),
        ([MIXED[2], *keyword_tests(1)], ["--fail-under", "90"], 1),
        ([MIXED[2], *keyword_tests(1)], ["--fail-under", "0.2"], 0),
        (keyword_tests(2), ["--fail-under", "100"], 0),
    ],
    ids=["finished", "wrong answers", "an error", "below the limit", "above the limit", "at the limit"],
)
def test_the_exit_code_says_how_it_ended(
    shell: Shell, tests: list[dict[str, object]], flags: list[str], code: int
) -> None:
    shell.suite(tests)
    called = shell.run(*flags)
    assert called.code == code
    assert ("below --fail-under" in called.err) == (code == 1 and bool(flags))


def test_a_refused_key_aborts_with_three(shell: Shell) -> None:
    shell.suite(keyword_tests(20))
    shell.server.behave(unauthorized)
    called = shell.run("--concurrency", "2")
    assert called.code == 3
    assert "aborted" in called.err
    assert shell.server.hits <= 2


def test_a_spent_budget_aborts_with_three(shell: Shell) -> None:
    shell.suite(keyword_tests(20))
    called = shell.run("--max-cost", "0.001", "--input-price", "1000", "--output-price", "0", "--concurrency", "1")
    assert called.code == 3
    assert "--max-cost" in called.err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--level", "9"], "level"),
        (["--level", "x"], "level"),
        (["--domain", "nope"], "nope"),
        (["--test", "nope"], "nope"),
        (["--filter", "nonsense"], "nonsense"),
        (["--epochs", "0"], "--epochs"),
        (["--concurrency", "0"], "--concurrency"),
        (["--timeout", "-1"], "--timeout"),
        (["--exp-id", "a/../../b\n"], "--exp-id"),
        (["--until", "never"], "--until"),
        (["--no-such-flag"], "--no-such-flag"),
        (["--suite", "/nowhere/at/all"], "/nowhere/at/all"),
        (["--dataset", "gone.jsonl"], "gone.jsonl"),
    ],
)
def test_a_mistake_in_the_flags_is_named_and_nothing_is_asked(shell: Shell, words: list[str], said: str) -> None:
    shell.suite(keyword_tests(1))
    called = shell.run(*words)
    assert called.code == 2
    assert said in called.err
    assert "Traceback" not in called.err
    assert shell.server.hits == 0


def test_no_model_says_how_to_look_around(shell: Shell) -> None:
    called = shell("run", "--headless")
    assert called.code == 2
    assert "--model demo" in called.err


def test_a_missing_key_is_said_before_anything_is_stored(shell: Shell) -> None:
    shell.suite(keyword_tests(1))
    called = shell("run", "--model", "openai/gpt-5-mini", "--suite", shell.root / "suite", "--headless")
    assert called.code == 2
    assert "OPENAI_API_KEY" in called.err
    assert not shell.database.exists()


def test_an_address_without_a_scheme_is_refused_with_the_right_form(shell: Shell) -> None:
    shell.suite(keyword_tests(1))
    called = shell(
        "run", "--model", "openai/x", "--api-base", "localhost:8000", "--suite", shell.root / "suite", "--headless"
    )
    assert called.code == 2
    assert "http" in called.err


def test_several_models_are_one_run_each(shell: Shell) -> None:
    shell.suite(keyword_tests(2))
    called = shell(
        "run", "--model", "openai/a", "--model", "openai/b", "--api-base", shell.server.url, "--suite",
        shell.root / "suite", "--exp-id", "both", "--headless", "--json",
    )  # fmt: skip
    assert called.code == 0
    lines = [json.loads(line) for line in called.out.splitlines()]
    assert [(line["exp_id"], line["model"]) for line in lines] == [
        ("both@openai/a", "openai/a"),
        ("both@openai/b", "openai/b"),
    ]
    assert {request.model for request in shell.server.requests} == {"a", "b"}


def test_the_worst_of_several_runs_decides_the_exit_code(shell: Shell) -> None:
    shell.suite(keyword_tests(2))
    shell.server.behave(lambda request: unauthorized(request) if request.model == "a" else _ok())
    called = shell(
        "run", "--model", "openai/a", "--model", "openai/b", "--api-base", shell.server.url, "--suite",
        shell.root / "suite", "--headless",
    )  # fmt: skip
    assert called.code == 3
    assert "2 passed" in called.out
    table = [line.split() for line in called.out.splitlines()[-3:]]
    assert table[0][:3] == ["run", "state", "score"]
    assert [(words[0].partition("@")[2], words[1], words[-1]) for words in table[1:]] == [
        ("openai/a", "aborted", "openai/a"),
        ("openai/b", "completed", "openai/b"),
    ]


def _ok() -> Reply:
    return Reply("ok")


def test_the_same_model_twice_is_refused(shell: Shell) -> None:
    called = shell("run", "--model", "demo", "--model", "demo", "--headless")
    assert called.code == 2
    assert "--epochs" in called.err


def test_selection_flags_narrow_the_run(shell: Shell) -> None:
    shell.suite(MIXED)
    shell.run("--level", "1-2", "--filter", "level>=2", "--test", "w", "--test", "t0")
    rows = shell("show", "e", "--status", "failed", "--status", "passed", "--json").data
    assert [row["test_id"] for row in rows] == ["w"]


def test_what_is_excluded_is_not_asked(shell: Shell) -> None:
    shell.suite(MIXED)
    shell.run("--exclude-level", "2-3", "--exclude-test", "d/1/t0")
    rows = shell("show", "e", "--domain", "d", "--json").data
    assert [row["test_id"] for row in rows] == ["t1"]


def test_without_a_judge_its_tests_are_left_out_by_name(shell: Shell) -> None:
    judged = {"id": "j", "prompt": "why?", "expected": "because", "evaluator_id": "llm_judge"}
    shell.suite([*keyword_tests(1), judged])
    called = shell.run("--no-judge")
    assert called.code == 0
    assert "--no-judge leaves out 1 test: d/1/j" in called.err
    assert "1 passed" in called.out
    waiting = shell.run("--exp-id", "waits")
    assert waiting.code == 1
    assert "no judge for d/1/j" in waiting.err
    assert "1 passed  0 failed  1 error" in waiting.out
    assert "all wrong 50.0, all right 100.0" in waiting.out


def test_a_file_says_the_options_and_flags_come_before_it(shell: Shell) -> None:
    shell.suite(MIXED)
    file = shell.root / "run.toml"
    file.write_text(
        f'model = "openai/from-file"\napi_base = "{shell.server.url}"\nsuite = "suite"\nheadless = true\n'
        'exp_id = "f"\nexclude_level = ["2-3"]\nlimit = 1\n'
    )
    data = shell("run", "--config", file, "--limit", "2", "--json").data
    assert (data["exp_id"], data["model"], data["total_tests"]) == ("f", "openai/from-file", 2)


def test_a_mistake_in_the_file_is_named_and_nothing_is_asked(shell: Shell) -> None:
    file = shell.root / "run.toml"
    file.write_text('modle = "demo"\n')
    called = shell("run", "--config", file, "--headless")
    assert called.code == 2
    assert "modle: no such option; did you mean model?" in called.err


def test_limit_and_sample_count_the_tests(shell: Shell) -> None:
    shell.suite(keyword_tests(10))
    assert shell.run("--limit", "3", "--json", exp_id="limited").data["total_tests"] == 3
    assert shell.run("--sample", "4", "--seed", "7", "--json", exp_id="sampled").data["total_tests"] == 4


def test_sampling_flags_reach_the_model(shell: Shell) -> None:
    shell.suite(keyword_tests(1))
    shell.run("--temperature", "0.3", "--max-tokens", "77", "--seed", "5")
    body = shell.server.requests[0].body
    assert (body["temperature"], body["seed"]) == (0.3, 5)
    assert 77 in (body.get("max_tokens"), body.get("max_completion_tokens"))


def test_a_dataset_alone_needs_no_suite(shell: Shell, tmp_path: Path) -> None:
    rows = tmp_path / "riddles.jsonl"
    rows.write_text('{"question": "say it", "answer": "ok"}\n{"question": "wrong", "answer": "ok"}\n')
    called = shell(
        "run", "--model", "openai/m", "--api-base", shell.server.url, "--dataset", rows, "--evaluator", "match",
        "--headless", "--exp-id", "e",
    )  # fmt: skip
    assert called.code == 0
    assert "1 passed  1 failed" in called.out
    assert "riddles: no processer of its own" in called.err
    assert "question" in called.err


def test_settings_fill_in_what_no_flag_says(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    suite = shell.suite(keyword_tests(1))
    config = shell.root / "config.toml"
    config.write_text(
        f'model = ["openai/from-file"]\nsuite = "{suite}"\napi_base = "{shell.server.url}"\nconcurrency = 3\n'
    )
    monkeypatch.setenv("MODEX_CONFIG", str(config))
    monkeypatch.setenv("MODEX_CONCURRENCY", "5")
    data = shell("run", "--json").data
    assert data["model"] == "openai/from-file"
    assert data["config"]["concurrency"] == 5


def test_prices_given_by_hand_are_per_million_tokens(shell: Shell) -> None:
    shell.suite(keyword_tests(1))
    data = shell.run("--input-price", "2", "--output-price", "4", "--json").data
    assert data["cost_usd"] == pytest.approx(10 * 2e-6 + 5 * 4e-6)
    assert data["unpriced_calls"] == 0


def test_hostile_answers_reach_no_terminal(mixed: Shell) -> None:
    called = mixed.run(exp_id="again")
    assert_clean(called)
    assert HOSTILE not in called.err


def test_continuing_under_another_model_is_refused(mixed: Shell) -> None:
    called = mixed.run(model="openai/other")
    assert called.code == 2
    assert "this run asks openai/test-model" in called.err


def test_the_database_may_be_named_before_the_command(shell: Shell) -> None:
    shell.suite(keyword_tests(1))
    called = call(
        "--db", shell.database, "run", "--model", "openai/m", "--api-base", shell.server.url, "--suite",
        shell.root / "suite", "--headless",
    )  # fmt: skip
    assert called.code == 0
    assert shell.database.exists()


def test_the_environment_names_the_database(shell: Shell, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    shell.suite(keyword_tests(1))
    shell.run()
    monkeypatch.setenv("MODEX_DB", str(shell.database))
    assert call("runs", "--json").data[0]["exp_id"] == "e"
