"""What was fetched is found by its name, and a run is told what is missing before it asks anything."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from modex.core.config.configuration import configuration, options_of
from modex.core.config.settings import read_option_file
from modex.core.foundation.errors import ConfigurationError
from modex.core.suite.datasets.fetched import (
    Manifest,
    VerifiedFile,
    datasets_folder,
    everything,
    fault_of,
    fetched_dataset,
    held,
    hold,
    manifest_file,
    rows_file,
)
from tests.cli import call, reading

ROWS = '{"problem": "1 + 1", "answer": "2", "level": 1}\n' * 3


def put(name: str = "math_500", folder: Path | None = None, revision: str = "c" * 40) -> Manifest:
    """Something that was fetched."""
    folder = folder or datasets_folder()
    made = Manifest(
        name, "o/r", revision, "cccc", "a/test.jsonl", "2026-01-01", {"a/test.jsonl": VerifiedFile("5" * 64, len(ROWS))}
    )
    file = rows_file(folder, made)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(ROWS)
    hold(folder, made)
    return made


def test_where_they_are(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert datasets_folder().parts[-2:] == ("modex", "datasets")
    monkeypatch.setenv("MODEX_DATASETS", str(tmp_path))
    assert datasets_folder() == tmp_path
    monkeypatch.delenv("MODEX_DATASETS")
    monkeypatch.setenv("MODEX_CONFIG", str(tmp_path / "config.toml"))
    (tmp_path / "config.toml").write_text('datasets = "~/rows"\n')
    assert datasets_folder() == Path("~/rows").expanduser()


def test_a_name_is_the_file_that_was_fetched_with_its_preset_and_where_it_came_from() -> None:
    made = put()
    spec = fetched_dataset("MATH-500")
    assert spec is not None
    assert spec.origin is not None
    assert Path(spec.path) == rows_file(datasets_folder(), made)
    assert spec.preset == "math_500"
    assert spec.origin.model_dump() == {
        "name": "math_500",
        "repository": "o/r",
        "revision": "c" * 40,
        "sha256": "5" * 64,
    }
    assert (made.digest, made.size, made.said) == ("5" * 64, len(ROWS), "c" * 12)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("mmlu-pro", r"mmlu_pro is not here: `modex fetch mmlu_pro` brings it \(12,032 rows of TIGER-Lab/MMLU-Pro\)"),
        ("gpqa", "gpqa has several files: name one of gpqa_main, gpqa_diamond, gpqa_extended"),
        ("browsecomp", r"get its file from https://.*csv and name it: `--dataset FILE --preset browsecomp`"),
        ("caia", "its rows are not published: bring a file and name it"),
        ("gsm8kk", "no file and no benchmark is called so; did you mean 'gsm8k'"),
    ],
)
def test_what_is_not_here_says_what_to_do(name: str, message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        fetched_dataset(name)


def test_a_word_that_is_like_none_is_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert fetched_dataset("questions") is None
    monkeypatch.chdir(tmp_path)
    (tmp_path / "gsm8kk").write_text("x")
    assert fetched_dataset("gsm8kk") is None


def test_files_that_changed_are_not_used() -> None:
    made = put()
    file = rows_file(datasets_folder(), made)
    assert fault_of(datasets_folder(), made) == ""
    file.write_text("longer than that " * 20)
    with pytest.raises(
        ConfigurationError, match="was changed since it was fetched; `modex fetch math_500` brings it again"
    ):
        fetched_dataset("math_500")
    file.unlink()
    with pytest.raises(ConfigurationError, match="is not there any more"):
        fetched_dataset("math_500")


@pytest.mark.parametrize(
    "change",
    [
        {"name": "gsm8k"},
        {"file": "other"},
        {"files": {"../test.jsonl": {"sha256": "5", "bytes": 1}}, "file": "../test.jsonl"},
        {"folder": "/etc"},
        {"files": 3},
        {"more": 1},
    ],
)
def test_a_manifest_that_is_none_is_said_to_be_damaged(change: dict[str, object]) -> None:
    put()
    path = manifest_file(datasets_folder(), "math_500")
    path.write_text(json.dumps({**json.loads(path.read_text()), **change}))
    with pytest.raises(ConfigurationError, match="is damaged; `modex fetch math_500 --again` fetches it anew"):
        held(datasets_folder(), "math_500")
    [(_, manifest, wrong)] = [one for one in everything() if one[0].name == "math_500"]
    assert manifest is None
    assert "is damaged" in wrong


def test_what_there_is_and_what_is_here() -> None:
    made = put()
    found = {home.name: (manifest, wrong) for home, manifest, wrong in everything()}
    assert found["math_500"] == (made, "")
    assert found["gsm8k"] == (None, "")


def test_options_give_the_name_and_take_it_back(tmp_path: Path) -> None:
    put()
    put("ifeval")
    given = {"model": ["demo"], "dataset": ["math-500", "ifeval"]}
    config = configuration("demo", given)
    assert [spec.preset for spec in config.selection.datasets] == ["math_500", "ifeval"]
    back = options_of(config)
    assert back["dataset"] == ["math_500", "ifeval"]
    assert "preset" not in back
    assert configuration("demo", back) == config
    mixed = configuration("demo", {**given, "dataset": ["math-500", str(tmp_path / "x.jsonl")], "id_field": "n"})
    assert [spec.id_field for spec in mixed.selection.datasets] == ["n", "n"]
    assert configuration("demo", options_of(mixed)) == mixed
    own = configuration("demo", {**given, "dataset": ["math-500"], "preset": "gaia"})
    assert own.selection.datasets[0].preset == "gaia" == options_of(own)["preset"]


def test_a_file_of_ones_own_is_stored_as_before() -> None:
    config = configuration("demo", {"model": ["demo"], "dataset": ["x.jsonl"]})
    assert "origin" not in config.selection.datasets[0].model_dump()


def test_a_file_of_options_names_a_benchmark_too(tmp_path: Path) -> None:
    (tmp_path / "options.toml").write_text('dataset = ["math-500", "own.jsonl"]\nsuite = "mine"\n')
    found = read_option_file(tmp_path / "options.toml")
    assert found["dataset"] == ["math-500", str(tmp_path / "own.jsonl")]
    assert found["suite"] == str(tmp_path / "mine")


def test_a_run_asks_what_is_here_and_keeps_where_it_came_from(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:1")
    asked = (
        "run",
        "--model",
        "demo",
        "--headless",
        "--db",
        tmp_path / "runs.db",
        "--exp-id",
        "r",
        "--dataset",
        "math-500",
    )
    missing = call(*asked)
    assert missing.code == 2
    assert "math_500 is not here: `modex fetch math_500` brings it" in missing.err
    put()
    assert call(*asked, "--limit", "2").code in (0, 1)
    with reading(tmp_path / "runs.db") as reader:
        run = reader.run("r")
        assert run.total_tests == 2
        assert run.config["selection"]["datasets"][0]["origin"]["revision"] == "c" * 40
