"""Verdicts of what was left in a workspace."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from modex.core.evaluators.base import EvaluationResult
from modex.core.evaluators.workspace.evaluator import WorkspaceEvaluator
from modex.core.foundation.errors import JudgeError
from modex.core.sandbox.workspace.tree import changes, packed, tree_of, with_folders
from modex.core.store.definition import Definition
from modex.core.store.sample import EvaluationSample
from modex.core.verdict import Votes, Workspace, WorkspaceCheck, find
from tests.core.evaluators.conftest import ScriptedClient, config, context
from tests.core.sandbox.conftest import boxes  # noqa: F401 - a fixture

pytestmark = [pytest.mark.process, pytest.mark.usefixtures("boxes")]
GIVEN = {"a.txt": "1\n"}
SANDBOX: dict[str, Any] = {"files": GIVEN, "checks": ["grep -q 2 a.txt", "test -s a.txt"]}
YES, NO = '{"reason": "it is there", "score": 1}', '{"reason": "it is not", "score": 0}'


def sample(
    left: dict[str, str] | None, expected: Any = None, sandbox: dict[str, Any] | None = None, **kept: Any
) -> EvaluationSample:
    """A sample that left these files."""
    state = None
    if left is not None:
        difference = changes(with_folders(tree_of(GIVEN)), with_folders(tree_of(left)))
        state = {"calls": 3, "state": packed(difference), **kept}
    definition = Definition(sandbox=SANDBOX if sandbox is None else sandbox)
    return EvaluationSample(
        prompt="Write 2.", response="I wrote 2.", expected=expected, definition=definition, workspace=state
    )


def judged(one: EvaluationSample, *replies: str) -> tuple[EvaluationResult, Workspace, ScriptedClient]:
    """The verdict, with the judge who gave these replies."""
    client = ScriptedClient(*replies)
    found = WorkspaceEvaluator().evaluate(one, context("workspace", judges=(client,)))
    part = find(found.parts, Workspace)
    assert part is not None
    return found, part, client


def test_all_checks_must_hold() -> None:
    result, part, _ = judged(sample({"a.txt": "2\n"}))
    assert (result.score, part.calls, part.files, part.why) == (1.0, 3, 1, "")
    assert [(one.name, one.passed, one.code) for one in part.checks] == [
        ("grep -q 2 a.txt", True, 0),
        ("test -s a.txt", True, 0),
    ]
    assert part.diff == "diff a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-1\n+2\n"
    assert result.why == "every check holds"


def test_one_that_does_not_hold_is_why() -> None:
    result, part, _ = judged(sample(GIVEN))
    assert (result.score, result.why, part.diff) == (0.0, "grep -q 2 a.txt: exit code 1", "")


def test_a_share_counts_where_the_test_says_so() -> None:
    assert judged(sample(GIVEN, {"credit": "checks"}))[0].score == 0.5


def test_contents_of_files_are_checks() -> None:
    expected = {"files": {"a.txt": "2", "b.txt": {"absent": True}}}
    result, part, _ = judged(sample({"a.txt": "2\n"}, expected, {"files": GIVEN}))
    assert (result.score, result.why) == (1.0, "every check holds")
    assert part.checks == (WorkspaceCheck("file a.txt", True), WorkspaceCheck("file b.txt", True))
    result, part, _ = judged(sample({"a.txt": "2\n", "b.txt": ""}, expected, {"files": GIVEN}))
    assert result.why == "file b.txt: it is still there"


@pytest.mark.parametrize(("reply", "score"), [(YES, 1.0), (NO, 0.0)])
def test_a_judge_reads_the_diff_and_what_was_said(reply: str, score: float) -> None:
    result, _, client = judged(sample({"a.txt": "2\n"}, {"judge": "2 must be written."}), reply)
    asked = client.asked[0][0]["content"]
    assert all(words in asked for words in ("+2\n", "2 must be written.", "Write 2.", "I wrote 2."))
    assert result.score == score
    assert find(result.parts, Votes) is not None
    assert result.why == ("it is there" if score else "it is not")


def test_no_judge_is_asked_where_a_check_does_not_hold() -> None:
    result, _, client = judged(sample(GIVEN, {"judge": "x"}))
    assert (result.score, client.asked) == (0.0, [])


def test_a_judge_counts_as_one_check_for_a_share() -> None:
    assert judged(sample({"a.txt": "2\n"}, {"judge": "x", "credit": "checks"}), NO)[0].score == pytest.approx(2 / 3)


def test_a_judge_is_told_that_nothing_was_changed() -> None:
    _, _, client = judged(sample(GIVEN, {"judge": "x"}, {"files": GIVEN}), NO)
    assert "(nothing was changed)" in client.asked[0][0]["content"]


def test_more_than_can_be_kept_fails_and_says_of_what() -> None:
    result, part, _ = judged(sample({"a.txt": "2\n"}, too_much="more than 20,000 files"))
    assert (result.score, result.why, part.checks) == (0.0, "the work folder holds more than 20,000 files", ())


def test_hidden_tests_are_put_back() -> None:
    sandbox = {"files": GIVEN, "tests": {"a.txt": "right\n"}, "checks": [{"run": "cat a.txt", "prints": "right"}]}
    assert judged(sample({"a.txt": "faked\n"}, None, sandbox))[0].score == 1.0


@pytest.mark.parametrize(
    ("one", "words"),
    [
        (sample(None), "no workspace was kept of this sample"),
        (sample(GIVEN, state="x"), "no kept workspace"),
        (sample(GIVEN, {"file": 1}), "expected of a workspace is left out"),
        (sample(GIVEN, sandbox={}), "has no workspace"),
        (sample(GIVEN, sandbox={"workspace": "none", "checks": ["true"]}), "there is none; name it with --suite"),
    ],
)
def test_what_cannot_be_judged_is_an_error(one: EvaluationSample, words: str) -> None:
    with pytest.raises(JudgeError, match=words):
        judged(one)


def test_a_judge_is_needed_where_criteria_are_given() -> None:
    needs = WorkspaceEvaluator().needs_judge
    assert needs({"judge": "x"}, config("workspace"))
    others: tuple[Any, ...] = (None, {}, {"files": {}}, {"judge": ""})
    assert not any(needs(one, config("workspace")) for one in others)


def test_every_check_has_a_copy_of_its_own() -> None:
    sandbox = {"files": GIVEN, "checks": ["echo 9 > a.txt; echo x > new", "test ! -e new && grep -q 1 a.txt"]}
    assert judged(sample(GIVEN, None, sandbox))[0].score == 1.0


def test_an_answer_without_words_is_judged_all_the_same() -> None:
    assert judged(replace(sample({"a.txt": "2\n"}), response=None))[0].score == 1.0
