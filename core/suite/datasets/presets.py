"""Datasets that are known by name: which column is what, how levels are named, what form of answer is asked for, who judges.

The file is the user's own; a preset only says how it is read. `docs/datasets.md` is written from this table.

GSM8K: https://arxiv.org/abs/2110.14168. MMLU: https://arxiv.org/abs/2009.03300. MMLU-Pro: https://arxiv.org/abs/2406.01574.
ARC: https://arxiv.org/abs/1803.05457.
TruthfulQA: https://arxiv.org/abs/2109.07958.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from modex.core.suite.filters import dotted

Columns = tuple[str, ...]
"""Names of one column, as its files have had it, the usual one first; dotted ones reach into objects."""


@dataclass(frozen=True, slots=True)
class Preset:
    """How the files of one benchmark are read."""

    name: str
    title: str
    question: Columns
    answer: Columns
    evaluator: str
    level: Columns = ()
    category: Columns = ()
    id: Columns = ()
    levels: str = "all level 1"
    """How its levels become ours, in words."""
    answer_format: str = ""
    """What the model is told about the form of its answer, as the last layer of the system prompt."""
    beside: str = ""
    """A column that stands below the question, with the words before it: `Start from: {root_url}`."""
    cipher: Literal["", "sha256", "plain"] = ""
    """How rows with a `canary` are enciphered: XOR with its SHA-256, or with the canary itself."""
    sealed: Columns = ()
    """The columns that are."""
    protocol: str = ""
    """How its published figures are made: worked examples, temperature, limit of tokens."""
    about: str = ""
    """What else a reader should know."""

    def column(self, role: str, row: Mapping[str, Any]) -> str | None:
        """The name under which `row` has the column of a role, or None."""
        names: Columns = getattr(self, role)
        return next((name for name in names if _inside(row, name)), None)


_EXPLAINED = (
    "Give your answer in exactly these lines:\n"
    "Explanation: <how you found it, briefly>\n"
    "Exact Answer: <the answer alone, as short as it can be>\n"
    "Confidence: <how sure you are, 0% to 100%>"
)
PRESETS: Mapping[str, Preset] = {
    preset.name: preset
    for preset in (
        Preset(
            "gaia",
            "GAIA: questions to general assistants",
            ("Question", "question"),
            ("Final answer", "Final_answer", "final_answer", "answer"),
            "gaia",
            level=("Level", "level"),
            id=("task_id", "id"),
            levels="1 to 3, as there",
            answer_format=(
                "Think as long as you need, then end with one line: FINAL ANSWER: <answer>\n"
                "The answer is a number, as few words as possible, or a list of those separated by commas. A number has no "
                "thousands separators and no unit unless one is asked for; words have no articles and no abbreviations."
            ),
            about=(
                "The matcher compares without any model. Attachments (`file_name`) are sent from the file's own folder; "
                "`--filter 'file_name='` takes the rows without one."
            ),
        ),
        Preset(
            "browsecomp",
            "BrowseComp: facts that are hard to find",
            ("problem", "question"),
            ("answer",),
            "browsecomp",
            category=("problem_topic", "topic"),
            id=("id",),
            answer_format=_EXPLAINED,
            cipher="sha256",
            sealed=("problem", "question", "answer"),
            about="Rows with a `canary` are deciphered while they are read. `show` gives the calibration error.",
        ),
        Preset(
            "browsecomp_zh",
            "BrowseComp-ZH: facts that are hard to find, in Chinese",
            ("Question", "question"),
            ("Answer", "answer"),
            "browsecomp_zh",
            category=("Topic", "topic"),
            id=("id",),
            answer_format=(
                "请按以下各行作答：\n"
                "Explanation: <简要说明如何得出答案>\n"
                "Exact Answer: <只写答案，尽量简短>\n"
                "Confidence: <把握程度，0% 到 100%>"
            ),
            cipher="sha256",
            sealed=("Topic", "Question", "Answer"),
            about="Rows with a `canary` are deciphered while they are read. `show` gives the calibration error.",
        ),
        Preset(
            "webwalkerqa",
            "WebWalkerQA: answers within a web site",
            ("question", "Question"),
            ("answer",),
            "webwalkerqa",
            level=("info.difficulty_level", "difficulty_level", "difficulty"),
            category=("info.domain", "domain"),
            id=("id",),
            levels="easy 1, medium 3, hard 5",
            answer_format="End with one line: Exact Answer: <the answer>\nand one line: Confidence: <0% to 100%>",
            beside="Start from: {root_url}",
        ),
        Preset(
            "xbench",
            "xbench-DeepSearch: Chinese questions for search agents",
            ("prompt", "question"),
            ("answer",),
            "xbench",
            category=("type", "category"),
            id=("id",),
            answer_format="请在最后一行写出答案：\n最终答案: <答案>\n并写出把握程度：\n置信度: <0% 到 100%>",
            cipher="plain",
            sealed=("prompt", "answer", "reference_steps"),
            about="Rows with a `canary` are deciphered while they are read.",
        ),
        Preset(
            "caia",
            "CAIA: tasks of a crypto analyst, judged by rubric",
            ("question", "task", "prompt"),
            ("evaluate.items", "evaluate", "answer", "ground_truth"),
            "caia",
            level=("level", "difficulty"),
            category=("category", "type"),
            id=("task_id", "question_id", "id"),
            levels="1 to 5; without one, 1",
            about=(
                "Each item of `evaluate.items` has points and a target: answer, reasoning or tool use. Tasks with neither "
                "rubric nor answer are asked, and judged once they have one."
            ),
        ),
        Preset(
            "gsm8k",
            "GSM8K: school mathematics",
            ("question",),
            ("answer",),
            "match",
            id=("id",),
            answer_format="End with one line: Answer: <the number alone>",
            protocol="eight worked examples with their reasoning, temperature 0",
            about="The gold is what follows `####`. Its own rule reads the answer too, and its score stands beside.",
        ),
        Preset(
            "mmlu",
            "MMLU: questions with four options",
            ("question", "Question"),
            ("answer", "Answer"),
            "match",
            category=("subject", "Subject", "category"),
            id=("id", "question_id"),
            answer_format="End with one line: Answer: <the letter>",
            about="The gold is an index from 0 or a letter; CSV files have a column for each letter.",
        ),
        Preset(
            "mmlu_pro",
            "MMLU-Pro: harder questions with up to ten options",
            ("question",),
            ("answer", "answer_index"),
            "match",
            category=("category",),
            id=("question_id", "id"),
            answer_format="Think step by step, then finish with: The answer is (X), where X is the letter of the right option.",
            protocol="five worked examples of its category with their reasoning, temperature 0, some 2,000 tokens an answer",
            about="Its own script reads the letter too, and its score stands beside.",
        ),
        Preset(
            "arc",
            "ARC: school science with options",
            ("question.stem", "question"),
            ("answerKey", "answer"),
            "match",
            id=("id",),
            answer_format="End with one line: Answer: <the letter of the option>",
        ),
        Preset(
            "truthfulqa",
            "TruthfulQA: questions that invite a falsehood",
            ("question", "Question"),
            ("correct_answers", "Correct Answers", "best_answer", "Best Answer"),
            "llm_judge",
            category=("category", "Category"),
            id=("id",),
            about="Any one of the correct answers is right; the incorrect ones are kept with the test.",
        ),
    )
}


def _word(name: str) -> str:
    return name.casefold().replace("-", "").replace("_", "")


_BY_WORD = {_word(name): preset for name, preset in PRESETS.items()}


def preset_of(source: str) -> Preset | None:
    """The preset that a row's `source` names, in any case, or None."""
    return _BY_WORD.get(_word(source))


def deciphered(row: dict[str, Any], preset: Preset) -> dict[str, Any]:
    """The row with its sealed columns as text, where it has a canary; a value that is not enciphered stays as it is."""
    canary = row.get("canary")
    if not isinstance(canary, str) or not canary:
        return row
    key = hashlib.sha256(canary.encode()).digest() if preset.cipher == "sha256" else canary.encode()
    return {name: _opened(value, key) if name in preset.sealed else value for name, value in row.items()}


def _opened(value: Any, key: bytes) -> Any:
    if not isinstance(value, str):
        return value
    try:
        sealed = base64.b64decode(value, validate=True)
        return bytes(byte ^ key[number % len(key)] for number, byte in enumerate(sealed)).decode()
    except (binascii.Error, ValueError):
        return value


def _inside(row: Mapping[str, Any], path: str) -> bool:
    from modex.core.config.filters import MISSING

    return dotted(row, path) is not MISSING
