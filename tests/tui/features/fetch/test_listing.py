"""`modex datasets`: what there is by name, and what is here."""

from __future__ import annotations

from modex.core.suite.datasets.fetched import datasets_folder, manifest_file
from modex.core.suite.datasets.homes import HOMES
from tests.cli import call
from tests.core.suite.datasets.test_fetched import put


def test_every_name_is_listed_with_its_state() -> None:
    put()
    called = call("datasets")
    lines = called.out.splitlines()
    assert called.code == 0
    assert [line.split()[0] for line in lines] == list(HOMES)
    by_name = dict(zip(HOMES, lines, strict=True))
    assert by_name["math_500"].split()[1:3] == ["500", "cccccccccccc"]
    assert "12,032  MIT" in by_name["mmlu_pro"]
    assert "not here" in by_name["mmlu_pro"]
    assert "(terms to accept)" in by_name["hle"]
    assert "(terms to accept)" not in by_name["mmlu_pro"]
    assert called.err.splitlines() == [
        f"in {datasets_folder()}",
        "read with --preset, but not fetched: browsecomp, browsecomp_zh, xbench, caia, spider, bird",
    ]


def test_some_of_them_and_all_there_is_to_know() -> None:
    made = put("gpqa_main", revision="")
    found = call("datasets", "gpqa", "ifeval", "--json").data
    assert [one["name"] for one in found] == ["gpqa_main", "gpqa_diamond", "gpqa_extended", "ifeval"]
    assert [one["here"] for one in found] == [True, False, False, False]
    assert found[0]["sha256"] == made.digest
    assert found[0]["file"].endswith("test.jsonl")
    assert found[1] == {
        "name": "gpqa_diamond",
        "preset": "gpqa",
        "title": "GPQA (main, diamond, extended): questions that only experts of the field answer",
        "rows": 198,
        "licence": "CC-BY-4.0",
        "gated": True,
        "page": "https://huggingface.co/datasets/Idavidrein/gpqa",
        "here": False,
        "revision": None,
        "sha256": None,
        "file": None,
        "wrong": "",
    }
    text = call("datasets", "gpqa_main")
    assert "by hand" in text.out
    assert "read with --preset" not in text.err


def test_what_is_damaged_is_said() -> None:
    put()
    manifest_file(datasets_folder(), "math_500").write_text("{")
    called = call("datasets", "math-500")
    assert called.code == 0
    assert "is damaged; `modex fetch math_500 --again` fetches it anew" in called.out
    assert call("datasets", "nonsense").code == 2
