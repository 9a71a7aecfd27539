"""The main job end to end: a suite in, a model asked, scores and transcripts out."""

from __future__ import annotations

import fcntl
import json
import os
import signal
import sqlite3
import subprocess
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cli import Called, call, keyword_tests, write_suite
from tests.core.suite.conftest import write_files
from tests.core.suite.test_mistakes import PLANTED, D
from tests.forked import command, ran
from tests.server import Reply, Request, ServerHandle, serve
from tests.server.replies import by_model

ROOT = Path(__file__).parents[1]
LEVELS = range(1, 6)


def query(database: Path, sql: str, *parameters: object) -> list[tuple[Any, ...]]:
    """What another program reads in the database."""
    connection = sqlite3.connect(f"file:{database}?mode=ro", uri=True)
    try:
        return connection.execute(sql, parameters).fetchall()
    finally:
        connection.close()


def asks_pass2(request: Request) -> bool:
    """Whether a request is a PASS 2."""
    return "ANSWER:" in json.dumps(request.messages)


def answering(request: Request) -> Reply:
    """A model that answers everything with four, and extracts four."""
    return Reply("ANSWER: 4" if asks_pass2(request) else "That makes 4.")


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "modex.db"


@pytest.fixture
def server() -> Iterator[ServerHandle]:
    with serve(answering) as started:
        yield started


class TestTheBundledSuiteOnTheDemoModel:
    """One run of the whole suite, read by every test here."""

    @pytest.fixture(scope="class")
    def run(self, tmp_path_factory: pytest.TempPathFactory) -> tuple[Called, Path]:
        """Made by whichever worker of the test run comes first."""
        shared = tmp_path_factory.getbasetemp()
        if "PYTEST_XDIST_WORKER" in os.environ:
            shared = shared.parent
        database, told = shared / "bundled.db", shared / "bundled.json"
        with (shared / "bundled.lock").open("w") as lock, pytest.MonkeyPatch.context() as patch:
            fcntl.flock(lock, fcntl.LOCK_EX)
            patch.setenv("MODEX_DEMO_LATENCY", "0")
            patch.setenv("MODEX_RETRY_WAIT", "0.01")
            patch.setenv("HOME", str(shared))
            if not told.exists():
                called = call("run", "--model", "demo", "--headless", "--exp-id", "all", "--db", database, "--json")
                told.write_text(json.dumps([called.code, called.out, called.err]))
        return Called(*json.loads(told.read_text())), database

    def test_it_finishes_without_errors(self, run: tuple[Called, Path]) -> None:
        called, database = run
        assert called.code == 0, called.err
        assert query(database, "SELECT status, error_tests, skipped_tests FROM evaluation_runs") == [
            ("completed", 0, 0)
        ]

    def test_every_cell_of_the_matrix_is_scored(self, run: tuple[Called, Path]) -> None:
        _, database = run
        cells = query(
            database,
            "SELECT domain, level, count(*) FROM individual_test_results WHERE score IS NOT NULL GROUP BY domain, level",
        )
        domains = {domain for domain, _, _ in cells}
        assert len(domains) >= 9
        assert {(domain, level) for domain, level, _ in cells} == {(d, level) for d in domains for level in LEVELS}
        assert min(count for _, _, count in cells) >= 4

    def test_the_weighted_score_is_what_an_independent_query_computes(self, run: tuple[Called, Path]) -> None:
        called, database = run
        ((score,),) = query(
            database,
            "WITH cell AS (SELECT domain, level, sum(weight * score) / sum(weight) AS score FROM individual_test_results"
            " WHERE status IN ('passed', 'failed') GROUP BY domain, level)"
            " SELECT sum(score * level) / sum(level) FROM cell",
        )
        assert called.data["overall_score"] == pytest.approx(score, abs=1e-12)

    def test_each_domains_score_is_what_its_rows_give(self, run: tuple[Called, Path]) -> None:
        called, database = run
        cells: dict[tuple[str, int], list[tuple[float, float]]] = {}
        for domain, level, weight, score in query(
            database, "SELECT domain, level, weight, score FROM individual_test_results WHERE score IS NOT NULL"
        ):
            cells.setdefault((domain, level), []).append((weight, score))
        for domain, stored in called.data["domains"].items():
            levels = {
                level: sum(w * s for w, s in rows) / sum(w for w, _ in rows)
                for (d, level), rows in cells.items()
                if d == domain
            }
            assert stored == pytest.approx(sum(s * n for n, s in levels.items()) / sum(levels), abs=1e-12)

    def test_the_runs_counts_are_those_of_its_rows(self, run: tuple[Called, Path]) -> None:
        _, database = run
        (stored,) = query(
            database, "SELECT total_tests, passed_tests, failed_tests, error_tests, skipped_tests FROM evaluation_runs"
        )
        counts = Counter(status for (status,) in query(database, "SELECT status FROM individual_test_results"))
        assert stored == (
            sum(counts.values()),
            *(counts[name] for name in ("passed", "failed", "error", "skipped")),
        )
        assert set(counts) == {"passed", "failed"}

    def test_the_runs_tokens_are_those_of_its_rows(self, run: tuple[Called, Path]) -> None:
        _, database = run
        stored = query(database, "SELECT prompt_tokens, completion_tokens FROM evaluation_runs")
        assert stored == query(
            database,
            "SELECT sum(prompt_tokens + judge_prompt_tokens), sum(completion_tokens + judge_completion_tokens)"
            " FROM individual_test_results",
        )

    def test_every_score_is_explained_and_every_exchange_is_kept(self, run: tuple[Called, Path]) -> None:
        _, database = run
        for details, transcript, response in query(
            database, "SELECT details, transcript, response FROM individual_test_results"
        ):
            assert json.loads(details)
            assert json.loads(transcript)[-1]["role"] == "assistant"
            assert response is not None

    def test_the_scripted_model_is_called_one_wherever_it_is_named(self, run: tuple[Called, Path]) -> None:
        assert "scripted model" in run[0].err

    def test_harder_levels_score_lower(self, run: tuple[Called, Path]) -> None:
        _, database = run
        means = dict(query(database, "SELECT level, avg(score) FROM individual_test_results GROUP BY level"))
        assert means[1] > means[3] > means[5]

    def test_the_same_name_again_finds_nothing_to_do(self, run: tuple[Called, Path], tmp_path: Path) -> None:
        called, original = run
        database = tmp_path / "copy.db"
        query(original, "VACUUM INTO ?", str(database))
        before = query(database, "SELECT * FROM individual_test_results")
        again = call("run", "--model", "demo", "--headless", "--exp-id", "all", "--db", database, "--json")
        assert again.code == 0
        assert f"{called.data['total_tests']} unchanged" in again.err
        assert query(database, "SELECT * FROM individual_test_results") == before
        assert again.data["overall_score"] == called.data["overall_score"]


NUMERIC = [{"id": f"t{n}", "prompt": f"question {n}: 2+2?", "expected": 4} for n in range(4)]


class TestTheSameNameAgain:
    """Incremental like a build: what was asked is not asked again."""

    @pytest.fixture
    def go(self, tmp_path: Path, database: Path, server: ServerHandle) -> Callable[..., Called]:
        def run(tests: list[dict[str, Any]], *more: str) -> Called:
            suite = write_suite(tmp_path / "suite", tests, evaluator_id="two_pass")
            server.forget()
            return call(
                "run", "--model", "openai/test-model", "--api-base", server.url, "--suite", suite,
                "--exp-id", "e", "--db", database, "--json", *more,
            )  # fmt: skip

        return run

    def test_nothing_changed_makes_no_call(self, go: Callable[..., Called], server: ServerHandle) -> None:
        assert go(NUMERIC).data["passed_tests"] == 4
        assert server.hits == 8
        assert go(NUMERIC).data["passed_tests"] == 4
        assert server.hits == 0

    def test_one_edited_prompt_is_one_rollout(self, go: Callable[..., Called], server: ServerHandle) -> None:
        go(NUMERIC)
        go([*NUMERIC[:3], {**NUMERIC[3], "prompt": "question 3: 3+1?"}])
        rollouts = [request.prompt for request in server.requests if not asks_pass2(request)]
        assert rollouts == ["question 3: 3+1?"]
        assert server.hits == 2

    def test_one_edited_gold_is_one_judgement_and_no_rollout(
        self, go: Callable[..., Called], server: ServerHandle, database: Path
    ) -> None:
        go(NUMERIC)
        called = go([*NUMERIC[:3], {**NUMERIC[3], "expected": 5}])
        assert [asks_pass2(request) for request in server.requests] == [True]
        assert (called.data["passed_tests"], called.data["failed_tests"]) == (3, 1)
        assert query(database, "SELECT status, score FROM earlier_verdicts") == [("passed", 1.0)]

    def test_an_edited_layer_asks_every_test_below_it(
        self, go: Callable[..., Called], server: ServerHandle, tmp_path: Path
    ) -> None:
        go(NUMERIC)
        write_files(tmp_path / "suite", {"prompts/d/domain.md": "Be brief."})
        go(NUMERIC)
        assert [request.system for request in server.requests if not asks_pass2(request)] == ["Be brief."] * 4

    def test_a_new_test_is_added(self, go: Callable[..., Called], server: ServerHandle) -> None:
        go(NUMERIC[:3])
        assert go(NUMERIC).data["total_tests"] == 4
        assert server.hits == 2

    def test_an_error_is_retried_and_nothing_else(self, go: Callable[..., Called], server: ServerHandle) -> None:
        def refusing(request: Request) -> Reply:
            return Reply(None, finish_reason="content_filter") if "question 2" in request.prompt else answering(request)

        server.behave(refusing)
        first = go(NUMERIC)
        assert (first.code, first.data["error_tests"], first.data["overall_score"]) == (1, 1, 1.0)
        server.behave(answering)
        second = go(NUMERIC)
        assert (second.code, second.data["passed_tests"], server.hits) == (0, 4, 2)

    def test_other_sampling_asks_everything_again(self, go: Callable[..., Called], server: ServerHandle) -> None:
        go(NUMERIC)
        go(NUMERIC, "--temperature", "0.5")
        assert len([request for request in server.requests if not asks_pass2(request)]) == 4

    def test_another_concurrency_asks_nothing(self, go: Callable[..., Called], server: ServerHandle) -> None:
        go(NUMERIC)
        go(NUMERIC, "--concurrency", "2", "--timeout", "9")
        assert server.hits == 0


ROWS = "SELECT source, domain, level, test_id, epoch, stage, status, score, extracted_answer, response FROM"
LEVEL_ROWS = "SELECT domain, level, average_score, total_tests, passed_tests, ci_low, ci_high FROM level_scores"


def test_rollouts_first_and_judging_later_give_the_same_as_one_go(tmp_path: Path) -> None:
    arguments = ("run", "--model", "demo", "--headless", "--domain", "math", "--domain", "health", "--exp-id", "e")
    one, two = tmp_path / "one.db", tmp_path / "two.db"
    assert call(*arguments, "--db", one).code == 0
    assert call(*arguments, "--db", two, "--until", "rollout").code == 0
    assert query(two, "SELECT DISTINCT stage, status, score FROM individual_test_results") == [
        ("rollout", "pending", None)
    ]
    assert call("judge", "e", "--db", two).code == 0
    order = " individual_test_results ORDER BY position"
    assert query(one, ROWS + order) == query(two, ROWS + order)
    assert query(one, LEVEL_ROWS) == query(two, LEVEL_ROWS)
    overall = "SELECT overall_score, passed_tests, failed_tests, error_tests FROM evaluation_runs"
    assert query(one, overall) == query(two, overall)


def test_two_judges_in_turn_leave_both_verdicts(tmp_path: Path, database: Path) -> None:
    tests = [{"id": "t", "prompt": "Capital of France?", "expected": "Paris", "evaluator_id": "llm_judge"}]
    suite = write_suite(tmp_path / "suite", tests)
    verdicts = {
        "candidate": Reply("Paris."),
        "kind": Reply('{"reason": "right", "score": 1}'),
        "strict": Reply('{"reason": "no", "score": 0}'),
    }
    with serve(by_model(verdicts)) as server:
        first = call(
            "run", "--model", "openai/candidate", "--api-base", server.url, "--suite", suite, "--exp-id", "e", "--json",
            "--judge-model", "openai/kind", "--judge-api-base", server.url, "--db", database,
        )  # fmt: skip
        assert first.data["passed_tests"] == 1, first.err
        server.forget()
        second = call(
            "judge", "e", "--judge-model", "openai/strict", "--judge-api-base", server.url, "--db", database, "--json"
        )
        assert [request.model for request in server.requests] == ["strict"]
    assert (second.data["passed_tests"], second.data["failed_tests"]) == (0, 1)
    (shown,) = call("show", "e", "--test", "t", "--db", database, "--json").data
    assert (shown["status"], shown["response"]) == ("failed", "Paris.")
    assert [verdict["status"] for verdict in shown["earlier_verdicts"]] == ["passed"]


class TestAnExtractorOfItsOwn:
    """PASS 2 on another server: it copies, and what it makes up is never scored."""

    @pytest.fixture
    def go(self, tmp_path: Path, database: Path, server: ServerHandle) -> Callable[..., Called]:
        def run(response: str, extracted: str, *more: str) -> Called:
            suite = write_suite(tmp_path / "suite", NUMERIC[:1], evaluator_id="two_pass")
            server.behave(lambda _: Reply(response))
            with serve(lambda _: Reply(f"ANSWER: {extracted}")) as extractor:
                called = call(
                    "run", "--model", "openai/test-model", "--api-base", server.url, "--suite", suite, "--exp-id", "e",
                    "--extractor-model", "openai/copier", "--extractor-api-base", extractor.url, "--db", database, *more,
                )  # fmt: skip
                assert [asks_pass2(request) for request in extractor.requests] == [True]
            assert not any(asks_pass2(request) for request in server.requests)
            return called

        return run

    def test_what_it_copies_is_compared(self, go: Callable[..., Called]) -> None:
        assert "Weighted Score 100.0" in go("That makes 4.", "4", "--headless").out

    def test_what_it_makes_up_fails_and_is_counted_beside_the_score(
        self, go: Callable[..., Called], database: Path
    ) -> None:
        assert "1 answer of PASS 2 not in the response" in go("I don't know.", "4", "--headless").out
        (shown,) = call("show", "e", "--test", "t0", "--db", database, "--json").data
        assert (shown["status"], shown["extracted_answer"]) == ("failed", None)
        assert call("show", "e", "--db", database, "--json").data["metrics"]["suite"]["extractor_only"] == 1

    def test_a_schema_that_its_provider_refuses_is_left_out_and_said(
        self, tmp_path: Path, database: Path, server: ServerHandle
    ) -> None:
        def refusing(request: Request) -> Reply:
            if "response_format" in request.body:
                return Reply(status=400, body={"error": {"message": "response_format is not supported here"}})
            return Reply("ANSWER: 4")

        suite = write_suite(tmp_path / "suite", NUMERIC[:2], evaluator_id="two_pass")
        with serve(refusing) as extractor:
            ended = call(
                "run", "--model", "openai/test-model", "--api-base", server.url, "--suite", suite, "--exp-id", "e",
                "--extractor-model", "openai/gpt-4o-mini", "--extractor-api-base", extractor.url, "--db", database,
                "--headless", "--concurrency", "1",
            )  # fmt: skip
            asked = ["response_format" in request.body for request in extractor.requests]
        assert "openai/gpt-4o-mini takes no response_format: asked without it" in ended.err
        assert asked == [True, False, False]
        assert query(database, "SELECT status, extracted_answer FROM individual_test_results") == [("passed", "4")] * 2

    def test_the_rules_read_the_response_where_it_makes_something_up(self, go: Callable[..., Called]) -> None:
        assert go("That makes 4.", "5", "--json").data["passed_tests"] == 1


def test_a_run_whose_model_got_its_tools_as_text_says_so_beside_the_score(
    tmp_path: Path, database: Path, server: ServerHandle
) -> None:
    tool = {
        "name": "clock",
        "description": "The time in a city.",
        "parameters": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
        "response": {"time": "12:00"},
    }
    suite = write_suite(tmp_path / "suite", [{**test, "tools": [tool]} for test in keyword_tests(2)])
    server.behave(
        lambda request: (
            Reply(status=400, body={"error": {"message": "test-model does not support tools"}})
            if request.body.get("tools")
            else Reply("ok")
        )
    )
    ended = call(
        "run", "--model", "openai/test-model", "--api-base", server.url, "--suite", suite, "--exp-id", "e",
        "--db", database, "--headless",
    )  # fmt: skip
    beside = "(n 2, 2 answers with tools as text)"
    assert beside in ended.out, ended.err
    assert beside in call("show", "e", "--db", database).out
    assert call("show", "e", "--db", database, "--json").data["text_protocol"] == 2


def test_after_an_edited_gold_only_the_new_verdict_is_printed(
    tmp_path: Path, database: Path, server: ServerHandle
) -> None:
    def go(tests: list[dict[str, Any]]) -> Called:
        suite = write_suite(tmp_path / "suite", tests, evaluator_id="two_pass")
        return call(
            "run", "--model", "openai/test-model", "--api-base", server.url, "--suite", suite, "--exp-id", "e",
            "--headless", "--db", database,
        )  # fmt: skip

    assert go(NUMERIC).err.count(" 1.00 ") == 4
    again = go([{**test, "expected": 5} for test in NUMERIC])
    assert (again.err.count(" 0.00 "), again.err.count(" 1.00 ")) == (4, 0)
    assert "0 passed  4 failed" in again.out


class TestASuiteWithThirtyMistakes:
    """Every mistake at once, before any call."""

    @pytest.fixture
    def suite(self, tmp_path: Path) -> Path:
        files = {f"{D}/{name}": content for name, (content, _) in PLANTED.items() if content is not None}
        return write_files(tmp_path / "suite", files)

    COUNT = sum(len(wanted) for _, wanted in PLANTED.values())

    def unnamed(self, lines: list[str]) -> list[tuple[str, int]]:
        """Where a mistake was planted that no line names."""
        places = [(f"{D}/{name}", line) for name, (_, wanted) in PLANTED.items() for line, _ in wanted]
        starts = {(path, line): f"{path}:{line}: " if line else f"{path}: " for path, line in places}
        return [place for place, start in starts.items() if not any(text.startswith(start) for text in lines)]

    def test_a_run_names_all_of_them_and_asks_nothing(self, suite: Path, database: Path, server: ServerHandle) -> None:
        called = call(
            "run", "--model", "openai/m", "--api-base", server.url, "--suite", suite, "--headless", "--db", database
        )
        assert called.code == 2
        assert called.out == ""
        assert "Traceback" not in called.err
        *lines, last = called.err.splitlines()
        assert len(lines) >= self.COUNT >= 30
        assert self.unnamed(lines) == []
        assert last == f"modex: {len(lines)} mistakes in the suite; nothing was asked"
        assert server.hits == 0
        assert not database.exists()

    def test_check_prints_one_line_each(self, suite: Path) -> None:
        called = call("check", suite)
        assert called.code == 2
        assert self.unnamed(called.out.splitlines()) == []
        assert "Traceback" not in called.out + called.err

    def test_the_valid_tests_run_where_that_is_asked_for(
        self, suite: Path, database: Path, server: ServerHandle
    ) -> None:
        called = call(
            "run", "--model", "openai/m", "--api-base", server.url, "--suite", suite, "--headless", "--db", database,
            "--skip-invalid",
        )  # fmt: skip
        assert "Traceback" not in called.err
        rows = query(database, "SELECT status, error_type, error_message FROM individual_test_results")
        states = Counter(row[0] for row in rows)
        assert states["passed"] == 1
        assert states["skipped"] == len(rows) - 1 > 10
        assert all(kind == "invalid_test" and reason for status, kind, reason in rows if status == "skipped")


@pytest.mark.process
def test_a_killed_run_goes_on_without_repeating_a_finished_call(tmp_path: Path, database: Path) -> None:
    suite = write_suite(tmp_path / "suite", keyword_tests(40))
    enough = threading.Event()

    def slow(request: Request) -> Reply:
        if request.index >= 12:
            enough.set()
        return Reply("ok", latency=0.05)

    with serve(slow) as server:
        words = [
            "run", "--model", "openai/m", "--api-base", server.url, "--suite", str(suite), "--exp-id", "e", "--headless",
            "--concurrency", "4", "--db", str(database),
        ]  # fmt: skip
        with command(*words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            assert enough.wait(60)
            process.send_signal(signal.SIGKILL)
        finished = {
            prompt for (prompt,) in query(database, "SELECT prompt FROM individual_test_results WHERE stage = 'judged'")
        }
        assert 0 < len(finished) < 40
        assert call("runs", "--db", database, "--json").data[0]["state"] == "interrupted"
        server.forget()
        called = call(*words, "--json")
        assert not finished & {request.prompt for request in server.requests}
    assert (called.code, called.data["passed_tests"], called.data["total_tests"]) == (0, 40, 40)


PROCESSER = """
from modex.core.pipeline.processers import PROCESSER_FACTORY, BaseMatchProcesser

@PROCESSER_FACTORY.register
class Riddles(BaseMatchProcesser):
    source = "riddles"

    def preprocess_one(self, sample):
        sample.prompt = "Riddle: " + sample.prompt
        return sample

    def calculate_metrics(self, samples):
        return {**super().calculate_metrics(samples), "longest_answer": 4}
"""
EVALUATOR = """
from modex.core.evaluators.base import BaseEvaluator, EvaluationResult
from modex.core.evaluators.registry import register

@register
class Shouting(BaseEvaluator):
    id = "shouting"

    def evaluate(self, sample, context):
        return EvaluationResult(float(sample.response.isupper()), {"why": "letters"})
"""


class TestPlugins:
    """A suite's own Python, in a process of its own so that it stays there."""

    @pytest.fixture
    def modex(self, database: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
        def run(*words: str | Path) -> subprocess.CompletedProcess[str]:
            return ran(*words, "--db", database)

        return run

    def test_a_processer_is_found_by_its_source_and_its_metrics_are_shown(
        self, tmp_path: Path, modex: Callable[..., subprocess.CompletedProcess[str]]
    ) -> None:
        suite = write_suite(tmp_path / "suite", keyword_tests(1))
        rows = tmp_path / "riddles.jsonl"
        rows.write_text('{"id": "r", "question": "What gets wetter as it dries?", "answer": "towel"}\n')
        write_files(suite, {"plugins/riddles.py": PROCESSER})
        with serve(Reply("Answer: towel")) as server:
            words = (
                "run", "--model", "openai/m", "--api-base", server.url, "--suite", suite, "--dataset", rows,
                "--exp-id", "e", "--headless",
            )  # fmt: skip
            refused = modex(*words)
            assert refused.returncode == 2
            assert "--allow-plugins" in refused.stderr
            assert server.hits == 0
            done = modex(*words, "--allow-plugins")
            assert "Riddle: What gets wetter as it dries?" in [request.prompt for request in server.requests]
        assert "passed" in done.stdout, done.stderr
        shown = modex("show", "e")
        assert "riddles (Riddles)" in shown.stdout
        assert "longest_answer" in shown.stdout

    def test_an_evaluator_scores_the_tests_that_name_it(
        self, tmp_path: Path, database: Path, modex: Callable[..., subprocess.CompletedProcess[str]]
    ) -> None:
        tests = [{"id": "t", "prompt": "Shout", "expected": "x", "evaluator_id": "shouting"}]
        suite = write_files(write_suite(tmp_path / "suite", tests), {"plugins/shouting.py": EVALUATOR})
        with serve(Reply("HELLO")) as server:
            done = modex(
                "run", "--model", "openai/m", "--api-base", server.url, "--suite", suite, "--exp-id", "e", "--headless",
                "--allow-plugins",
            )  # fmt: skip
        assert done.returncode == 0, done.stderr
        assert query(database, "SELECT evaluator_id, score, details FROM individual_test_results") == [
            ("shouting", 1.0, '{"why":"letters"}')
        ]
