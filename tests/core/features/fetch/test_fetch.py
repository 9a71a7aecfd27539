"""A benchmark comes whole and verified or not at all, is held to its revision, and every failure says what to do."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow
import pyarrow.parquet
import pytest

from modex.core.features.fetch.fetch import Fetched, FetchWish, Telling, blob_of, digest_of, fetch, matching
from modex.core.features.fetch.hub import FetchError, NoNetworkError, OtherContentError
from modex.core.foundation.errors import ConfigurationError
from modex.core.suite.datasets.fetched import held, rows_file
from modex.core.suite.datasets.homes import HOMES
from tests.server import hub as hubs
from tests.server.hub import Hub, Repository

MATH = HOMES["math_500"]


def lines(count: int = 300, more: str = "") -> bytes:
    rows = ({"problem": f"{n} + 1 = ?{more}", "answer": str(n + 1), "level": n % 5 + 1} for n in range(count))
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def parquet(rows: list[dict[str, object]], path: Path) -> bytes:
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), path)
    return path.read_bytes()


@pytest.fixture
def math(served: Hub) -> Repository:
    repository = served.repository(MATH.repository)
    repository.commit({"test.jsonl": lines(), "README.md": b"about it"})
    return repository


def brought(folder: Path, name: str = "math_500", tell: Telling | None = None, **how: object) -> Fetched:
    return fetch(HOMES[name], FetchWish(folder, **how), tell or Telling())  # type: ignore[arg-type]


def test_a_fetched_benchmark_is_whole_and_its_manifest_says_what_it_is(
    served: Hub, math: Repository, tmp_path: Path
) -> None:
    fetched = brought(tmp_path)
    commit = math.branches["main"]
    assert not fetched.was_here
    assert fetched.note == ""
    assert fetched.file.read_bytes() == lines()
    manifest = held(tmp_path, "math_500")
    assert manifest == fetched.manifest
    assert (manifest.repository, manifest.revision, manifest.folder) == (MATH.repository, commit, commit[:12])
    assert manifest.digest == hubs.sha256(lines())
    assert manifest.size == len(lines())
    assert fetched.file == rows_file(tmp_path, manifest) == tmp_path / "math_500" / commit[:12] / "test.jsonl"
    left = {one.relative_to(tmp_path / "math_500").as_posix() for one in (tmp_path / "math_500").rglob("*")}
    assert left == {".lock", "manifest.json", commit[:12], f"{commit[:12]}/test.jsonl"}, "and nothing else"
    assert [one.path for one in served.downloads()] == [f"/datasets/{MATH.repository}/resolve/{commit}/test.jsonl"]


def test_what_is_here_is_verified_and_not_downloaded_again(served: Hub, math: Repository, tmp_path: Path) -> None:
    first = brought(tmp_path)
    again = brought(tmp_path)
    assert again.was_here
    assert again.manifest == first.manifest
    assert again.note == ""
    assert len(served.downloads()) == 1
    first.file.write_bytes(lines()[:-2] + b" \n")  # as long as before
    mended = brought(tmp_path)
    assert not mended.was_here
    assert mended.file.read_bytes() == lines()
    assert len(served.downloads()) == 2
    assert not brought(tmp_path, again=True).was_here
    assert len(served.downloads()) == 3


def test_a_moved_revision_is_said_and_followed_only_where_that_is_asked(
    served: Hub, math: Repository, tmp_path: Path
) -> None:
    first = brought(tmp_path)
    now = math.commit({"test.jsonl": lines(more=" (corrected)")})
    told = brought(tmp_path)
    assert told.was_here
    assert told.manifest.revision == first.manifest.revision
    assert f"has moved: main is {now[:12]} by now, and {first.manifest.revision[:12]} is held to" in told.note
    assert "`modex fetch math_500 --revision main` goes along" in told.note
    first.file.unlink()
    assert brought(tmp_path).manifest == first.manifest.__class__(
        **{**{name: getattr(first.manifest, name) for name in first.manifest.__slots__}, "fetched_at": ANY}
    ), "what is lost comes again as it was held to"
    moved = brought(tmp_path, revision="main")
    assert moved.manifest.revision == now
    assert f"held to {now[:12]}; before it was" in moved.note
    assert first.file.is_file(), "runs that read the older one still can"
    assert brought(tmp_path).note == ""
    back = brought(tmp_path, revision=first.manifest.revision)
    assert back.manifest.revision == first.manifest.revision
    with pytest.raises(FetchError, match="has no revision nope; name another with --revision"):
        brought(tmp_path, revision="nope")


class _Any(str):
    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, str)

    __hash__ = str.__hash__


ANY = _Any("anything")


def test_a_revision_that_the_repository_forgot_is_named(served: Hub, math: Repository, tmp_path: Path) -> None:
    first = brought(tmp_path)
    del math.commits[first.manifest.revision]
    math.commit({"test.jsonl": lines(more="!")})
    first.file.unlink()
    with pytest.raises(FetchError, match=r"has forgotten it: take `--revision main`"):
        brought(tmp_path)


def test_a_hub_that_does_not_answer_leaves_what_is_here(served: Hub, math: Repository, tmp_path: Path) -> None:
    first = brought(tmp_path)
    served.faults.status = 503
    told = brought(tmp_path)
    assert told.manifest == first.manifest
    assert "whether it has moved since cannot be told: " in told.note


@pytest.mark.parametrize("wrong", [b"x" * len(lines()), b"x"])
def test_other_bytes_than_the_hub_says_are_thrown_away(
    served: Hub, math: Repository, tmp_path: Path, wrong: bytes
) -> None:
    served.faults.wrong = wrong
    with pytest.raises(OtherContentError, match=r"thrown? away: try again, or set HF_ENDPOINT"):
        brought(tmp_path)
    assert held(tmp_path, "math_500") is None
    assert not list(tmp_path.rglob("test.jsonl"))
    assert not list(tmp_path.rglob("*.half"))
    served.faults.wrong = None
    assert brought(tmp_path).file.read_bytes() == lines()


def test_a_commit_with_other_bytes_than_at_first_is_not_taken(served: Hub, math: Repository, tmp_path: Path) -> None:
    first = brought(tmp_path)
    math.commits[first.manifest.revision]["test.jsonl"] = lines(more=" changed")
    with pytest.raises(
        FetchError, match=rf"is other than when it first came .* then {first.manifest.digest[:12]}…\); what"
    ):
        brought(tmp_path, again=True)
    assert first.file.read_bytes() == lines(), "what was here stays"


def test_a_broken_download_is_gone_on_with(served: Hub, math: Repository, tmp_path: Path) -> None:
    served.faults.breaks_then(503)
    with pytest.raises(FetchError, match=r"the Hub answers 503; try again later"):
        brought(tmp_path)
    assert held(tmp_path, "math_500") is None
    assert not list(tmp_path.rglob("test.jsonl"))
    fetched = brought(tmp_path)
    assert fetched.file.read_bytes() == lines()
    assert [one.range for one in served.downloads()] == ["", "bytes=1000-", "bytes=1000-"]


def test_a_part_that_was_damaged_is_begun_anew(served: Hub, math: Repository, tmp_path: Path) -> None:
    served.faults.breaks_then(503)
    with pytest.raises(FetchError):
        brought(tmp_path)
    [part] = tmp_path.rglob("*.half")
    part.write_bytes(b"x" * part.stat().st_size)
    assert brought(tmp_path).file.read_bytes() == lines()
    assert [one.range for one in served.downloads()][-2:] == ["bytes=1000-", ""]


def test_who_must_accept_terms_is_told_where(served: Hub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repository = served.repository("Idavidrein/gpqa")
    repository.commit({"gpqa_diamond.csv": b"Question,Correct Answer\nq,a\n"})
    repository.token = "hf_right_right_right"
    page = f"{served.address}/datasets/Idavidrein/gpqa"
    with pytest.raises(FetchError) as refused:
        brought(tmp_path, "gpqa_diamond")
    assert str(refused.value).startswith(
        f"{page}: asks who you are (401): open that page and accept its terms, make a token"
    )
    monkeypatch.setenv("HF_TOKEN", "hf_wrong_wrong_wrong")
    with pytest.raises(FetchError) as refused:
        brought(tmp_path, "gpqa_diamond")
    assert str(refused.value).startswith(f"{page}: refuses the token that is sent (403): open that page")
    assert "hf_wrong" not in str(refused.value)
    monkeypatch.setenv("HF_TOKEN", "hf_right_right_right")
    assert brought(tmp_path, "gpqa_diamond").file.read_bytes().startswith(b"Question")
    for one in tmp_path.rglob("*"):
        assert one.is_dir() or b"hf_right" not in one.read_bytes(), "nothing keeps the token"


def test_a_large_file_comes_from_elsewhere_without_the_token(
    served: Hub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_TOKEN", "hf_mine_mine_mine_mine")
    data = parquet([{"question": "1 + 1?", "answer": "#### 2"}], tmp_path / "made.parquet")
    served.repository("openai/gsm8k").commit({HOMES["gsm8k"].files[0]: data})
    fetched = brought(tmp_path, "gsm8k")
    assert fetched.file.read_bytes() == data
    elsewhere = [one for one in served.asked if one.host == "localhost"]
    assert elsewhere
    assert not any(one.token for one in elsewhere)
    assert any(one.token == "hf_mine_mine_mine_mine" for one in served.asked)


def test_other_bytes_of_a_large_file_are_thrown_away_too(served: Hub, tmp_path: Path) -> None:
    data = parquet([{"question": "1 + 1?", "answer": "#### 2"}], tmp_path / "made.parquet")
    served.repository("openai/gsm8k").commit({HOMES["gsm8k"].files[0]: data})
    served.faults.wrong = b"x" * len(data)
    with pytest.raises(OtherContentError, match=rf"than the Hub says \(SHA-256 {hubs.sha256(data)[:12]}…\)"):
        brought(tmp_path / "here", "gsm8k")
    assert held(tmp_path / "here", "gsm8k") is None
    served.faults.wrong = None
    assert brought(tmp_path / "here", "gsm8k").file.read_bytes() == data


def test_several_files_become_one_with_their_part(served: Hub, tmp_path: Path) -> None:
    files = {
        f"aime2025-{part}.jsonl": json.dumps({"question": part, "answer": "7"}).encode() + b"\n" for part in ("II", "I")
    }
    served.repository("opencompass/AIME2025").commit({**files, "README.md": b"x"})
    fetched = brought(tmp_path, "aime_2025")
    assert [json.loads(line) for line in fetched.file.read_text().splitlines()] == [
        {"question": "I", "answer": "7", "part": "aime2025-I"},
        {"question": "II", "answer": "7", "part": "aime2025-II"},
    ]
    assert set(fetched.manifest.files) == {*files, "rows.jsonl"}
    assert brought(tmp_path, "aime_2025").was_here


def test_files_that_rows_name_come_beside_them(served: Hub, tmp_path: Path) -> None:
    rows = parquet(
        [{"Question": "What is drawn?", "Final answer": "a cat", "file_name": "c.png"}], tmp_path / "m.parquet"
    )
    files = {"2023/validation/metadata.parquet": rows, "2023/validation/c.png": b"png", "2023/test/x.png": b"no"}
    served.repository("gaia-benchmark/GAIA").commit(files)
    fetched = brought(tmp_path, "gaia")
    assert fetched.file.with_name("c.png").read_bytes() == b"png"
    assert set(fetched.manifest.files) == {"2023/validation/metadata.parquet", "2023/validation/c.png"}


def test_a_repository_without_the_file_says_what_it_has(served: Hub, tmp_path: Path) -> None:
    served.repository(MATH.repository).commit({"other.jsonl": b"{}\n", "../../test.jsonl": b"{}\n"})
    with pytest.raises(
        FetchError, match=r"has no file test\.jsonl \(it has other\.jsonl, .*--dataset FILE --preset math_500"
    ):
        brought(tmp_path)


def test_without_a_network_the_file_to_bring_is_named_and_taken(
    served: Hub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    served.close()
    place = tmp_path / "math_500" / "brought"
    for offline in (False, True):
        with pytest.raises(NoNetworkError) as failed:
            brought(tmp_path, offline=offline)
        assert str(failed.value).endswith(
            f"get test.jsonl ({MATH.page}/resolve/main/test.jsonl), put it into {place} "
            f"and say `modex fetch math_500 --offline --out {tmp_path}`"
        )
    place.mkdir()
    (place / "test.jsonl").write_bytes(lines(3))
    fetched = brought(tmp_path, offline=True)
    assert fetched.file.read_bytes() == lines(3)
    assert fetched.manifest.revision == ""
    assert fetched.manifest.said == "brought by hand"
    assert fetched.manifest.digest == hubs.sha256(lines(3))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    assert brought(tmp_path).was_here
    with pytest.raises(NoNetworkError, match="is not here"):
        brought(tmp_path, "ifeval")


def test_a_file_that_is_brought_needs_no_folders_of_the_repository(tmp_path: Path) -> None:
    place = tmp_path / "gsm8k" / "brought"
    place.mkdir(parents=True)
    data = parquet([{"question": "1 + 1?", "answer": "#### 2"}], place / "test-00000-of-00001.parquet")
    fetched = brought(tmp_path, "gsm8k", offline=True)
    assert fetched.file.read_bytes() == data
    assert fetched.file.parts[-2:] == ("main", "test-00000-of-00001.parquet")


def test_offline_takes_the_revision_that_is_here_and_no_other(served: Hub, math: Repository, tmp_path: Path) -> None:
    first = brought(tmp_path).manifest
    asked = len(served.asked)
    for revision in (None, first.revision, first.revision[:12]):
        assert brought(tmp_path, offline=True, revision=revision).was_here
    with pytest.raises(NoNetworkError):
        brought(tmp_path, offline=True, revision="main")
    assert len(served.asked) == asked, "nothing was asked"


def test_no_room_is_seen_before_anything_is_downloaded(
    served: Hub, math: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shutil.disk_usage", lambda _: type("Usage", (), {"free": 1000})())
    with pytest.raises(
        ConfigurationError, match=r"are needed and 0\.0 are free\); make room on that disk, or name another"
    ):
        brought(tmp_path)
    assert not served.downloads()


def test_a_folder_that_cannot_be_written_is_named(served: Hub, math: Repository, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(ConfigurationError, match=r"name another folder with --out or the setting `datasets`"):
        brought(tmp_path / "file")


def test_parquet_without_pyarrow_says_the_command(served: Hub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "pyarrow.parquet", None)
    with pytest.raises(FetchError, match=r"pip install 'modex\[parquet\]'"):
        brought(tmp_path, "gsm8k")
    assert not served.asked


def test_a_damaged_manifest_is_fetched_anew_where_that_is_asked(served: Hub, math: Repository, tmp_path: Path) -> None:
    brought(tmp_path)
    (tmp_path / "math_500" / "manifest.json").write_text("{")
    with pytest.raises(ConfigurationError, match="`modex fetch math_500 --again` fetches it anew"):
        brought(tmp_path)
    assert brought(tmp_path, again=True).file.read_bytes() == lines()


def test_how_far_it_is_is_told(served: Hub, math: Repository, tmp_path: Path) -> None:
    heard: list[tuple[str, int]] = []

    class Hearing(Telling):
        def begins(self, name: str, size: int) -> None:
            heard.append((name, size))

        def came(self, count: int) -> None:
            heard.append(("came", count))

    brought(tmp_path, tell=Hearing())
    assert heard[0] == ("math_500", len(lines()))
    assert sum(count for name, count in heard[1:]) == len(lines())


def test_patterns_and_digests(tmp_path: Path) -> None:
    assert matching(
        ("*/test-*.parquet", "b.jsonl"), ["x/y/test-1.parquet", "a/test-1.parquet", "b.jsonl", "bxjsonl"]
    ) == [
        "a/test-1.parquet",
        "b.jsonl",
    ]
    assert matching(("*/test",), ["../test"]) == []
    (tmp_path / "hello").write_bytes(b"hello\n")
    assert blob_of(tmp_path / "hello") == "ce013625030ba8dba906f756967f9e9ca394464a"  # `git hash-object`
    assert digest_of(tmp_path / "hello") == "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03"
