"""The suite on a machine that does not share the driver's disk."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from modex.core.engine.executors.files import Files
from modex.core.engine.executors.messages import Content, ContentWanted, SuiteFile
from modex.core.foundation.errors import ModexError
from modex.core.store.definition import Definition
from modex.core.store.sample import EvaluationSample
from modex.core.suite.attachments import digest_of
from tests.cli import reading
from tests.core.engine.conftest import Bench
from tests.core.engine.executors.daemons import Daemons
from tests.core.engine.executors.test_contract import Work, prepare
from tests.server import Reply

PLUGIN = """
from pathlib import Path
from modex import BaseEvaluator, EvaluationResult, register_evaluator


@register_evaluator
class Reads(BaseEvaluator):
    id = "reads"

    def evaluate(self, sample, context):
        wanted = Path(__file__).with_name("wanted.txt").read_text()
        here = str(context.suite_root) + " " + __file__
        return EvaluationResult(1.0 if wanted in sample.response and {driver!r} not in here else 0.0)
"""


@pytest.fixture
def asked() -> list[object]:
    return []


@pytest.fixture
def files(asked: list[object]) -> Files:
    return Files(asked.append)


def test_a_content_is_asked_for_once_and_kept(files: Files, asked: list[object]) -> None:
    digest = digest_of(b"fixture")
    first, second = files.want(digest), files.want(digest)
    assert first is not None
    assert first is second
    assert asked == [ContentWanted(digest)]
    files.take(Content(digest, b"fixture"))
    assert first.is_set()
    assert files.want(digest) is None
    assert Files(asked.append).want(digest) is None, "another process of this machine finds it too"


def test_the_suite_is_laid_out_from_what_came(files: Files) -> None:
    for data in (b"one", b"two"):
        files.take(Content(digest_of(data), data))
    told = [SuiteFile("a/one.sql", digest_of(b"one")), SuiteFile("two.md", digest_of(b"two"))]
    root = files.lay_out(told)
    assert (root / "a" / "one.sql").read_bytes() == b"one"
    assert (root / "two.md").read_bytes() == b"two"
    assert files.lay_out(told) == root
    assert files.lay_out(told[:1]) != root


def test_what_changed_or_is_not_what_was_told_is_an_error(files: Files) -> None:
    digest = digest_of(b"as planned")
    files.take(Content(digest, b"something else"))
    with pytest.raises(ModexError, match="changed while the run began"):
        files.lay_out([SuiteFile("a.sql", digest)])


@pytest.mark.parametrize("path", ["../out", "a/../../out", "/etc/out"])
def test_no_file_is_laid_out_outside_of_the_suite(files: Files, path: str) -> None:
    files.take(Content(digest_of(b"x"), b"x"))
    with pytest.raises(ModexError, match="outside"):
        files.lay_out([SuiteFile(path, digest_of(b"x"))])


def test_a_name_that_is_no_digest_reaches_no_file(files: Files) -> None:
    with pytest.raises(ModexError):
        files.want("../../secret")


def test_fixtures_plugins_and_attachments_reach_a_cluster(bench: Bench, dask_cluster: Daemons) -> None:
    suite = bench.root / "suite"
    (suite / "plugins").mkdir(parents=True)
    (suite / "plugins" / "reads.py").write_text(PLUGIN.format(driver=str(bench.root)))
    (suite / "plugins" / "wanted.txt").write_text("SELECT")
    (suite / "picture.txt").write_text("what is attached")
    (suite / "shop.sql").write_text("CREATE TABLE t (n INTEGER); INSERT INTO t VALUES (7);")
    prepare(
        bench,
        [
            {"id": "plugin", "prompt": "p", "expected": "x", "evaluator_id": "reads"},
            {"id": "sql", "prompt": "s", "expected": {"fixture": "shop.sql", "query": "SELECT n FROM t"},
             "evaluator_id": "sql_executor"},
            {"id": "file", "prompt": [{"role": "user", "content": [{"type": "text", "text": "read"},
             {"type": "file", "file": "picture.txt"}]}], "expected": {"keywords": ["SELECT"]}, "evaluator_id": "keyword"},
        ],
        cluster=dask_cluster.address,
        concurrency=3,
    )  # fmt: skip
    bench.server.behave(Reply("SELECT n FROM t"))
    assert Work(bench).ended().status == "completed"
    assert set(bench.statuses()) == {"passed"}
    assert any("what is attached" in json.dumps(request.body) for request in bench.server.requests)
    with reading(bench.database) as reader:
        assert all(sample.host for sample in reader.samples(reader.run("e").id))
    assert Path(suite).is_dir()


def _attached(*attachments: dict[str, object]) -> EvaluationSample:
    return EvaluationSample(definition=Definition(attachments=[dict(one) for one in attachments]))


def test_files_of_a_question_lie_under_their_own_names_and_what_is_gone_is_left_alone(files: Files) -> None:
    here, gone = digest_of(b"here"), digest_of(b"gone")
    files.take(Content(here, b"here"))
    files.want(gone)
    files.take(Content(gone, None))
    monkey = files.want(gone)
    assert monkey is not None
    files.take(Content(gone, None))
    sample = _attached(
        {"digest": here, "path": "/there/a.png"},
        {"digest": here, "path": ""},
        {"path": "/there/b.png"},
        {"digest": None},
    )
    files.bring(sample)
    first, *others = sample.definition.attachments
    assert Path(str(first["path"])).read_bytes() == b"here"
    assert Path(str(first["path"])).name == "a.png"
    assert [one.get("path") for one in others] == ["", "/there/b.png", None]
    Path(str(first["path"])).write_bytes(b"kept")
    again = _attached({"digest": here, "path": "/there/a.png"})
    files.bring(again)
    assert Path(str(again.definition.attachments[0]["path"])).read_bytes() == b"kept"


def test_a_file_that_the_driver_has_no_more_keeps_the_path_that_was_told(
    files: Files, monkeypatch: pytest.MonkeyPatch
) -> None:
    digest = digest_of(b"gone")

    def want(_: str) -> None:
        files.take(Content(digest, None))

    monkeypatch.setattr(files, "want", want)
    sample = _attached({"digest": digest, "path": "/there/a.png"})
    files.bring(sample)
    assert sample.definition.attachments == [{"digest": digest, "path": "/there/a.png"}]
