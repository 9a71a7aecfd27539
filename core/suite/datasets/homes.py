"""Where the rows of known benchmarks live: a repository of the Hub, its files, their licence, and what their preset is.

What `modex fetch` brings and `--dataset NAME` takes. A revision is a branch here: the commit that it is at the first fetch is
written beside the rows and held to. `refs/convert/parquet` is the branch on which the Hub keeps every repository as Parquet, in
`<configuration>/<split>/<number>.parquet`: https://huggingface.co/docs/dataset-viewer/parquet.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from modex.core.suite.datasets.presets import PRESETS

PARQUET_BRANCH = "refs/convert/parquet"


@dataclass(frozen=True, slots=True)
class DatasetHome:
    """One file of rows that has a name, and where it is had from."""

    name: str
    """What is typed; `-` and `_`, capitals and small letters are alike."""
    preset: str
    repository: str
    """`owner/name` of a dataset on the Hub."""
    files: tuple[str, ...]
    """The files with its rows, as paths in the repository; `*` stands for any characters but `/`."""
    licence: str
    """As its card says; empty where it says none."""
    rows: int
    """How many there are, as its paper or card says."""
    revision: str = "main"
    beside: tuple[str, ...] = ()
    """Files that rows name and that are sent with them, as patterns."""
    part: str = ""
    """Of several files: the column that says which one a row is of, by its folder or its stem."""
    gated: bool = False
    """Whether its terms are to be accepted on its page before it can be had."""

    @property
    def page(self) -> str:
        """Where a person reads about it, and accepts its terms."""
        return f"https://huggingface.co/datasets/{self.repository}"

    @property
    def is_parquet(self) -> bool:
        """Whether its rows are read by pyarrow."""
        return any(one.endswith(".parquet") for one in self.files)

    def address(self, file: str) -> str:
        """Where one of its files is downloaded by hand."""
        return f"{self.page}/resolve/{self.revision.replace('/', '%2F')}/{file}"


HOMES: Mapping[str, DatasetHome] = {
    home.name: home
    for home in (
        DatasetHome("gsm8k", "gsm8k", "openai/gsm8k", ("main/test-00000-of-00001.parquet",), "MIT", 1319),
        DatasetHome("mmlu", "mmlu", "cais/mmlu", ("all/test-00000-of-00001.parquet",), "MIT", 14042),
        DatasetHome("mmlu_pro", "mmlu_pro", "TIGER-Lab/MMLU-Pro", ("data/test-00000-of-00001.parquet",), "MIT", 12032),
        DatasetHome(
            "mmlu_redux",
            "mmlu_redux",
            "edinburgh-dawg/mmlu-redux-2.0",
            ("*/test/0000.parquet",),
            "CC-BY-4.0",
            5700,
            revision=PARQUET_BRANCH,
            part="subject",
        ),
        DatasetHome("gpqa_main", "gpqa", "Idavidrein/gpqa", ("gpqa_main.csv",), "CC-BY-4.0", 448, gated=True),
        DatasetHome("gpqa_diamond", "gpqa", "Idavidrein/gpqa", ("gpqa_diamond.csv",), "CC-BY-4.0", 198, gated=True),
        DatasetHome("gpqa_extended", "gpqa", "Idavidrein/gpqa", ("gpqa_extended.csv",), "CC-BY-4.0", 546, gated=True),
        DatasetHome("hellaswag", "hellaswag", "Rowan/hellaswag", ("data/validation-*.parquet",), "MIT", 10042),
        DatasetHome(
            "winogrande", "winogrande", "allenai/winogrande", ("winogrande_xl/validation-*.parquet",), "", 1267
        ),
        DatasetHome("boolq", "boolq", "google/boolq", ("data/validation-*.parquet",), "CC-BY-SA-3.0", 3270),
        DatasetHome(
            "commonsenseqa", "commonsenseqa", "tau/commonsense_qa", ("data/validation-*.parquet",), "MIT", 1221
        ),
        DatasetHome("bbh", "bbh", "lukaemon/bbh", ("*/test-*.parquet",), "", 6511, part="task"),
        DatasetHome("math_500", "math_500", "HuggingFaceH4/MATH-500", ("test.jsonl",), "", 500),
        DatasetHome("aime_2024", "aime", "HuggingFaceH4/aime_2024", ("data/train-*.parquet",), "", 30),
        DatasetHome(
            "aime_2025",
            "aime",
            "opencompass/AIME2025",
            ("aime2025-I.jsonl", "aime2025-II.jsonl"),
            "MIT",
            30,
            part="part",
        ),
        DatasetHome(
            "mgsm",
            "mgsm",
            "juletxara/mgsm",
            ("*/test/0000.parquet",),
            "CC-BY-SA-4.0",
            2750,
            revision=PARQUET_BRANCH,
            part="language",
        ),
        DatasetHome("simpleqa", "simpleqa", "basicv8vc/SimpleQA", ("simple_qa_test_set.csv",), "MIT", 4326),
        DatasetHome("hle", "hle", "cais/hle", ("data/test-*.parquet",), "MIT", 2500, gated=True),
        DatasetHome(
            "humaneval", "humaneval", "openai/openai_humaneval", ("openai_humaneval/test-*.parquet",), "MIT", 164
        ),
        DatasetHome(
            "humaneval_plus", "humaneval", "evalplus/humanevalplus", ("data/test-*.parquet",), "Apache-2.0", 164
        ),
        DatasetHome("mbpp", "mbpp", "google-research-datasets/mbpp", ("full/test-*.parquet",), "CC-BY-4.0", 500),
        DatasetHome("mbpp_plus", "mbpp", "evalplus/mbppplus", ("data/test-*.parquet",), "Apache-2.0", 378),
        DatasetHome(
            "livecodebench_v5", "livecodebench", "livecodebench/code_generation_lite", ("test5.jsonl",), "CC", 167
        ),
        DatasetHome(
            "livecodebench_v6", "livecodebench", "livecodebench/code_generation_lite", ("test6.jsonl",), "CC", 175
        ),
        DatasetHome(
            "drop", "drop", "EleutherAI/drop", ("d*/validation/*.parquet",), "CC-BY-4.0", 9536, revision=PARQUET_BRANCH
        ),
        DatasetHome("arc_challenge", "arc", "allenai/ai2_arc", ("ARC-Challenge/test-*.parquet",), "CC-BY-SA-4.0", 1172),
        DatasetHome("arc_easy", "arc", "allenai/ai2_arc", ("ARC-Easy/test-*.parquet",), "CC-BY-SA-4.0", 2376),
        DatasetHome(
            "truthfulqa",
            "truthfulqa",
            "truthfulqa/truthful_qa",
            ("generation/validation-*.parquet",),
            "Apache-2.0",
            817,
        ),
        DatasetHome("ifeval", "ifeval", "google/IFEval", ("ifeval_input_data.jsonl",), "Apache-2.0", 541),
        DatasetHome(
            "gaia",
            "gaia",
            "gaia-benchmark/GAIA",
            ("2023/validation/metadata.parquet",),
            "",
            165,
            beside=("2023/validation/*",),
            gated=True,
        ),
        DatasetHome("webwalkerqa", "webwalkerqa", "callanwu/WebWalkerQA", ("data/main-*.parquet",), "Apache-2.0", 680),
    )
}
ELSEWHERE: Mapping[str, str] = {
    "browsecomp": "https://openaipublic.blob.core.windows.net/simple-evals/browse_comp_test_set.csv",
    "browsecomp_zh": "https://github.com/PALIN2018/BrowseComp-ZH",
    "xbench": "https://github.com/xbench-ai/xbench-evals",
    "caia": "",
    "spider": "https://yale-lily.github.io/spider",
    "bird": "https://bird-bench.github.io/",
}
"""Presets whose rows `modex fetch` does not bring: where they are published; empty where they are not."""


def word(name: str) -> str:
    """A name as it is looked up."""
    return name.casefold().replace("+", "plus").replace("-", "").replace("_", "")


_BY_WORD = {word(name): home for name, home in HOMES.items()}


def homes_of(name: str) -> tuple[DatasetHome, ...]:
    """What a name stands for: one of `HOMES`, or all that a preset has (`gpqa`); empty where it is nothing of both."""
    looked = word(name)
    if looked in _BY_WORD:
        return (_BY_WORD[looked],)
    return tuple(home for home in HOMES.values() if word(home.preset) == looked)


def preset_of_home(name: str) -> str:
    """The preset by which a fetched dataset is read; empty for a name that this modex does not have any more."""
    return HOMES[name].preset if name in HOMES else ""


def preset_elsewhere(name: str) -> str | None:
    """The preset that a name stands for, where `modex fetch` does not bring it."""
    return next((preset for preset in ELSEWHERE if word(preset) == word(name)), None)


def all_names() -> list[str]:
    """Every name that can be typed: the homes', and the presets' that have several."""
    several = [name for name in PRESETS if name not in HOMES and name not in ELSEWHERE]
    return [*HOMES, *several]
