"""Folders of stored samples, opened or refused with what to do."""

from __future__ import annotations

from typing import Any, cast

import pytest

from modex.core.features.shell.opening import left_folder, told
from modex.core.foundation.errors import ConfigurationError, StoreError
from modex.core.sandbox.workspace.tree import TreeEntry, changes, file_of, packed, tree_of, with_folders
from modex.core.store.definition import Definition
from modex.core.store.reader import Reader
from modex.core.store.sample import EvaluationSample
from tests.core.sandbox.conftest import boxes  # noqa: F401 - a fixture

pytestmark = [pytest.mark.process, pytest.mark.usefixtures("boxes")]
GIVEN = {"a.txt": "1\n", "t.py": "told\n"}
SANDBOX: dict[str, Any] = {"files": GIVEN, "checks": ["true"], "tests": {"t.py": "hidden\n"}, "limits": {"seconds": 7}}


class _Stored:
    """A reader of these samples."""

    def __init__(self, *samples: EvaluationSample) -> None:
        self._samples = samples

    def run(self, exp: str) -> Any:
        """The run, of the bundled suite."""
        return type("Run", (), {"id": 1, "exp_id": exp, "suite": None})()

    def samples(self, _run: int, query: Any) -> list[EvaluationSample]:
        """Those of that name."""
        return [
            one
            for one in self._samples
            if one.test_id in query.test_ids and one.level in (query.levels or (one.level,))
        ]


def stored(*samples: EvaluationSample) -> Reader:
    """Such a reader."""
    return cast(Reader, _Stored(*samples))


def left(sandbox: dict[str, Any] | None = None, *, kept: dict[str, Any] | None = None, **more: Any) -> EvaluationSample:
    """A sample that left a.txt with 2 in it after three calls."""
    state = packed(changes(with_folders(tree_of(GIVEN)), with_folders(tree_of({**GIVEN, "a.txt": "2\n"}))))
    definition = Definition(sandbox=SANDBOX if sandbox is None else sandbox)
    sample = EvaluationSample(domain="d", level=1, test_id="t", definition=definition, status="passed", score=1.0)
    sample.workspace = {"calls": 3, "state": state} if kept is None else kept
    for name, value in more.items():
        setattr(sample, name, value)
    return sample


def test_what_was_left_is_opened_with_the_limits_of_its_test() -> None:
    found = left_folder(stored(left()), "e", "t")
    assert (found.tree["a.txt"], found.tree["t.py"]) == (file_of("2\n"), file_of("told\n"))
    assert (found.calls, found.finished, found.tested, found.limits.seconds) == (3, True, False, 7)
    assert told(found, "e") == [
        "e: d/1/t: passed 1.00, the folder after 3 calls; the hidden tests are not in it (see --tests).",
        "This is a copy in a sandbox without network: nothing that you do here is kept, and the stored sample stays as it is.",
    ]
    box = found.box()
    try:
        assert box.shell("cat a.txt t.py").out == "2\ntold\n"
    finally:
        box.close()


def test_the_hidden_tests_are_laid_over_it_on_demand() -> None:
    found = left_folder(stored(left()), "e", "d/1/t", tests=True)
    assert found.tree["t.py"] == file_of("hidden\n")
    assert "the hidden tests are laid over it" in told(found, "e")[0]


def test_a_sample_at_work_is_as_after_its_last_call() -> None:
    one = left({"files": GIVEN}, status="running", score=None, epoch=2)
    assert one.workspace is not None
    one.workspace |= {"journal": {}, "calls": 1}
    found = left_folder(stored(one), "e", "t")
    assert told(found, "e")[0] == (
        "e: d/1/t, epoch 2: running, the folder after 1 call so far: it is not done; its test has no hidden files."
    )


def test_epochs_are_told_apart() -> None:
    reader = stored(left(epoch=2), left(kept={"calls": 9, "state": packed({})}))
    assert left_folder(reader, "e", "t").calls == 9
    assert left_folder(reader, "e", "t", epoch=2).calls == 3


@pytest.mark.parametrize(
    ("samples", "test", "words"),
    [
        ([left()], "other", "no test 'other'; `modex show e --status passed` lists some"),
        ([left(), left(level=2)], "t", "'t' is d/1/t and d/2/t; name one of them so"),
        ([left({"packages": []})], "t", "d/1/t gives the model no folder to work in"),
        (
            [left(kept={"state": "x", "too_much": "more than 20,000 files"})],
            "t",
            "its folder held more than 20,000 files",
        ),
        (
            [left(kept={}, status="pending")],
            "t",
            r"was not asked yet, or not here \(pending\): no folder was kept; resume",
        ),
        ([left(kept={"state": "x"})], "t", "no kept workspace"),
    ],
)
def test_what_cannot_be_opened_says_why(samples: list[EvaluationSample], test: str, words: str) -> None:
    with pytest.raises(StoreError, match=words):
        left_folder(stored(*samples), "e", test)


def test_a_folder_that_the_suite_has_no_more_is_named() -> None:
    with pytest.raises(ConfigurationError, match=r"d/1/t: the test's files: .*gone"):
        left_folder(stored(left({"workspace": "gone", "checks": ["true"]})), "e", "t")


def test_a_link_is_opened_as_one() -> None:
    state = packed({"link": TreeEntry("link", b"/etc/passwd", 0o777)})
    assert left_folder(stored(left(kept={"calls": 1, "state": state})), "e", "t").tree["link"].kind == "link"
