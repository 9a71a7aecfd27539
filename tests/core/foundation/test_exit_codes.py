"""How a command ended, as its exit code."""

from __future__ import annotations

from modex.core.foundation.errors import AbortError, ConfigurationError
from modex.core.foundation.exit_codes import ExitCode, Floor, missed, of_run, worst
from tests.rows import each_row


@each_row(
    ("status", "errors", "score", "under", "code"),
    [
        ("completed", 0, 0.1, None, ExitCode.FINISHED),
        ("completed", 1, 0.9, None, ExitCode.MISSED),
        ("completed", 0, 0.8, 0.8, ExitCode.FINISHED),
        ("completed", 0, 0.79, 0.8, ExitCode.MISSED),
        ("completed", 0, None, 0.8, ExitCode.MISSED),
        ("stopped", 0, 1.0, None, ExitCode.MISSED),
        ("paused", 0, 1.0, None, ExitCode.MISSED),
        ("error", 0, 1.0, None, ExitCode.MISTAKE),
        ("aborted", 3, None, 0.8, ExitCode.ABORTED),
    ],
)
def test_each_way_to_end_has_its_code(
    status: str, errors: int, score: float | None, under: float | None, code: ExitCode
) -> None:
    assert of_run(status, errors, score, None if under is None else Floor(under)) == code


def test_answers_without_a_verdict_count_as_wrong_unless_told_otherwise() -> None:
    assert of_run("completed", 0, 1.0, Floor(0.8), least=0.4) == ExitCode.MISSED
    assert of_run("completed", 0, 1.0, Floor(0.8, "score"), least=0.4) == ExitCode.FINISHED
    assert of_run("completed", 0, 1.0, Floor(0.3), least=0.4) == ExitCode.FINISHED


def test_without_a_bound_the_score_itself_must_reach_the_floor() -> None:
    assert not missed(0.8, Floor(0.8))
    assert missed(0.7, Floor(0.8))
    assert missed(None, Floor(0.0), least=0.0)
    assert not missed(None, None)
    assert missed(0.9, Floor(0.8), least=0.0)


def test_of_several_runs_the_worst_is_said_and_an_interruption_first() -> None:
    assert worst([0, 3, 1]) == 3
    assert worst([3, 130, 0]) == 130


def test_scripts_may_rely_on_the_numbers() -> None:
    assert {code.name: code.value for code in ExitCode} == {
        "FINISHED": 0,
        "MISSED": 1,
        "MISTAKE": 2,
        "ABORTED": 3,
        "UNDECIDED": 4,
        "INTERRUPTED": 130,
        "CLOSED_PIPE": 141,
    }
    assert (ConfigurationError.exit_code, AbortError.exit_code) == (2, 3)


def test_every_code_says_what_it_means() -> None:
    assert all(code.meaning for code in ExitCode)
