"""Each known benchmark has a home, or it is said where its rows are had."""

from __future__ import annotations

import re

import pytest

from modex.core.suite.datasets.homes import (
    ELSEWHERE,
    HOMES,
    PARQUET_BRANCH,
    all_names,
    homes_of,
    preset_elsewhere,
    preset_of_home,
)
from modex.core.suite.datasets.presets import PRESETS


def test_every_preset_has_a_home_or_stands_among_those_that_have_none() -> None:
    assert {home.preset for home in HOMES.values()} | set(ELSEWHERE) == set(PRESETS)
    assert not {home.preset for home in HOMES.values()} & set(ELSEWHERE)


@pytest.mark.parametrize("name", HOMES)
def test_a_home_is_complete(name: str) -> None:
    home = HOMES[name]
    assert home.name == name == name.lower()
    assert re.fullmatch(r"[a-z0-9_]+", name)
    assert re.fullmatch(r"[\w.-]+/[\w.-]+", home.repository)
    assert home.rows > 0
    assert all(one.endswith((".parquet", ".csv", ".jsonl")) and not one.startswith("/") for one in home.files)
    several = len(home.files) > 1 or home.files[0].startswith("*")
    assert bool(home.part) == several, "rows of several files say which one they are of"
    assert home.page == f"https://huggingface.co/datasets/{home.repository}"
    assert home.is_parquet == any(one.endswith(".parquet") for one in home.files)


def test_names_are_looked_up_as_people_write_them() -> None:
    for written in ("mmlu-pro", "MMLU_Pro", "mmlupro"):
        assert homes_of(written) == (HOMES["mmlu_pro"],)
    assert homes_of("HumanEval+") == (HOMES["humaneval_plus"],)
    assert homes_of("humaneval") == (HOMES["humaneval"],), "a name before a preset that has several"
    assert [home.name for home in homes_of("gpqa")] == ["gpqa_main", "gpqa_diamond", "gpqa_extended"]
    assert homes_of("nothing") == homes_of("browsecomp") == ()
    assert preset_elsewhere("BrowseComp-ZH") == "browsecomp_zh"
    assert preset_elsewhere("gsm8k") is None
    assert {"gpqa", "aime", "arc", "mmlu_pro"} <= set(all_names())
    assert "caia" not in all_names()
    assert preset_of_home("gpqa_diamond") == "gpqa"
    assert preset_of_home("gone") == ""


def test_an_address_is_that_of_the_file() -> None:
    assert HOMES["ifeval"].address("ifeval_input_data.jsonl") == (
        "https://huggingface.co/datasets/google/IFEval/resolve/main/ifeval_input_data.jsonl"
    )
    assert HOMES["mgsm"].revision == PARQUET_BRANCH
    assert (
        HOMES["mgsm"].address("en/test/0000.parquet").endswith("/resolve/refs%2Fconvert%2Fparquet/en/test/0000.parquet")
    )
