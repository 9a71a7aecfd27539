"""Datasets that are known by name: which column is what, how levels are named, what form of answer is asked for, who judges.

The file is the user's own; a preset only says how it is read. `docs/datasets.md` is written from this table.

GSM8K: https://arxiv.org/abs/2110.14168. MMLU: https://arxiv.org/abs/2009.03300. MMLU-Pro: https://arxiv.org/abs/2406.01574.
ARC: https://arxiv.org/abs/1803.05457.
TruthfulQA: https://arxiv.org/abs/2109.07958. IFEval: https://arxiv.org/abs/2311.07911.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from modex.core.suite.datasets import shapes
from modex.core.suite.datasets.shapes import Shape
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
    separator: str = ""
    """What stands between several right answers in one text; empty where a text is one."""
    in_mixed: bool = False
    """Whether rows of a file of many sources that name it as theirs are asked and judged by it; those files have its columns."""
    shape: Shape | None = None
    """What makes its rows into a question, options and one gold, where these stand in several columns."""
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
_BY_LIKELIHOOD = (
    "mostly by likelihood (which option is most probably gone on with), which is another kind of figure than answers"
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
            in_mixed=True,
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
            in_mixed=True,
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
            in_mixed=True,
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
            in_mixed=True,
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
            in_mixed=True,
        ),
        Preset(
            "caia",
            "CAIA: tasks of a crypto analyst, judged by rubric",
            ("question", "task", "prompt"),
            ("evaluate", "answer", "ground_truth"),
            "caia",
            level=("level", "difficulty"),
            category=("category", "type"),
            id=("task_id", "question_id", "id"),
            levels="1 to 5; without one, 1",
            about=(
                "Each item of `evaluate.items` has points and a target: answer, reasoning or tool use. Tasks with neither "
                "rubric nor answer are asked, and judged once they have one."
            ),
            in_mixed=True,
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
            in_mixed=True,
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
            shape=shapes.lettered,
            about="The gold is an index from 0 or a letter; CSV files have a column for each letter.",
            in_mixed=True,
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
            "mmlu_redux",
            "MMLU-Redux: MMLU's questions, each looked at again by people",
            ("question",),
            ("answer",),
            "match",
            category=("subject", "category"),
            id=("id", "question_id"),
            answer_format="End with one line: Answer: <the letter>",
            shape=shapes.sourced,
            about="`--filter error_type=ok` takes the questions that nobody found at fault.",
        ),
        Preset(
            "gpqa",
            "GPQA (main, diamond, extended): questions that only experts of the field answer",
            ("Question", "question"),
            ("answer",),
            "match",
            category=("High-level domain", "Subdomain"),
            id=("Record ID", "id"),
            answer_format="Think step by step, then end with one line: Answer: <the letter>",
            shape=shapes.gpqa,
            protocol="the order of options differs from paper to paper, often drawn anew",
            about="The order of the four options is drawn from the question's id, the same in every run.",
        ),
        Preset(
            "hellaswag",
            "HellaSwag: which end fits",
            ("question",),
            ("answer",),
            "match",
            category=("activity_label",),
            id=("ind", "id"),
            answer_format="End with one line: Answer: <the letter>",
            shape=shapes.hellaswag,
            protocol=_BY_LIKELIHOOD,
        ),
        Preset(
            "winogrande",
            "WinoGrande: which word fills the gap",
            ("question",),
            ("answer",),
            "match",
            id=("qID", "id"),
            answer_format="End with one line: Answer: <the letter>",
            shape=shapes.winogrande,
            protocol=_BY_LIKELIHOOD,
        ),
        Preset(
            "boolq",
            "BoolQ: yes or no, from a passage",
            ("question",),
            ("answer",),
            "match",
            category=("title",),
            id=("id", "idx"),
            answer_format="End with one line: Answer: <yes or no>",
            shape=shapes.boolq,
            protocol=_BY_LIKELIHOOD,
        ),
        Preset(
            "commonsenseqa",
            "CommonsenseQA: everyday knowledge with five options",
            ("question",),
            ("answerKey", "answer"),
            "match",
            category=("question_concept",),
            id=("id",),
            answer_format="End with one line: Answer: <the letter>",
            shape=shapes.stemmed,
            protocol=_BY_LIKELIHOOD,
        ),
        Preset(
            "bbh",
            "BIG-Bench Hard: 27 tasks that take steps",
            ("input", "question"),
            ("target", "answer"),
            "match",
            category=("task", "subset", "category"),
            id=("id",),
            answer_format="Let's think step by step, then end with one line: Answer: <the answer alone>",
            protocol="three worked examples of the task with their reasoning",
            about="Options stand in the question, as `(A)`; a column `task` becomes the domain.",
        ),
        Preset(
            "math_500",
            "MATH-500: competition mathematics",
            ("problem", "question"),
            ("answer",),
            "match",
            level=("level",),
            category=("subject", "type"),
            id=("unique_id", "id"),
            levels="1 to 5, as there",
            answer_format="Put the final answer into \\boxed{}.",
            protocol="no worked examples, temperature 0 or the mean of several tries",
        ),
        Preset(
            "aime",
            "AIME 2024 and 2025: competition problems whose answers are whole numbers from 0 to 999",
            ("problem", "Problem", "question"),
            ("answer", "Answer"),
            "match",
            id=("id", "ID", "problem_idx"),
            answer_format="Put the final answer, a whole number from 0 to 999, into \\boxed{}.",
            protocol="no worked examples, the mean of 8 to 64 tries (`--epochs`), tens of thousands of tokens an answer",
        ),
        Preset(
            "mgsm",
            "MGSM: GSM8K in ten languages",
            ("question",),
            ("answer_number", "answer"),
            "match",
            category=("language", "lang"),
            id=("id",),
            answer_format="End with one line: Answer: <the number alone>",
            protocol="often eight worked examples in the question's language",
        ),
        Preset(
            "simpleqa",
            "SimpleQA: short questions of fact",
            ("problem", "question"),
            ("answer",),
            "llm_judge",
            category=("topic",),
            id=("id",),
            about="There an answer is right, wrong or not attempted; here one that does not answer is wrong.",
        ),
        Preset(
            "hle",
            "Humanity's Last Exam, questions in text",
            ("question",),
            ("answer",),
            "llm_judge",
            category=("category",),
            id=("id",),
            answer_format=_EXPLAINED,
            about="`--filter image=` takes the questions without a picture.",
        ),
        Preset(
            "humaneval",
            "HumanEval and HumanEval+: complete a function in Python",
            ("question",),
            ("answer",),
            "code_tests",
            id=("task_id",),
            answer_format="Give the whole function, with its imports, in one Python code block.",
            shape=shapes.humaneval,
            protocol="pass@1 at temperature 0, or from 10 to 200 tries at 0.8 (`--epochs`)",
            about="Its own `check` decides, in a sandbox.",
        ),
        Preset(
            "mbpp",
            "MBPP and MBPP+: short programs in Python",
            ("question",),
            ("answer",),
            "code_tests",
            id=("task_id",),
            answer_format="Give the whole function, with its imports, in one Python code block.",
            shape=shapes.mbpp,
            protocol="three worked examples, or none",
            about="Its own assertions decide, in a sandbox; the question shows them, as there.",
        ),
        Preset(
            "arc",
            "ARC: school science with options",
            ("question",),
            ("answerKey", "answer"),
            "match",
            id=("id",),
            answer_format="End with one line: Answer: <the letter of the option>",
            shape=shapes.stemmed,
            in_mixed=True,
        ),
        Preset(
            "truthfulqa",
            "TruthfulQA: questions that invite a falsehood",
            ("question", "Question"),
            ("correct_answers", "Correct Answers", "best_answer", "Best Answer"),
            "llm_judge",
            category=("category", "Category"),
            id=("id",),
            separator=";",
            about="Any one of the correct answers is right; the incorrect ones are kept with the test.",
            in_mixed=True,
        ),
        Preset(
            "ifeval",
            "IFEval: instructions that can be checked by rules",
            ("prompt",),
            ("answer",),
            "instructions",
            id=("key", "id"),
            shape=shapes.ifeval,
            protocol="greedy, without a worked example or a system prompt, 1,280 tokens at most",
            about=(
                "541 prompts with one to three instructions each: so many words, no commas, a title, another language. It "
                "measures whether a model does what it is told, not whether what it says is right. The score is strict "
                "accuracy by prompt (every instruction followed to the letter); `show` and exports tell beside it strict by "
                "instruction and both loosely. Published figures are one of these four, or their mean (some leaderboards "
                "take that of prompt and instruction, strict): compare like with like."
            ),
        ),
    )
}


def shaped(row: dict[str, Any], preset: Preset) -> dict[str, Any]:
    """The row deciphered, and in the columns that the preset names."""
    row = deciphered(row, preset)
    return row if preset.shape is None else preset.shape(row)


def _word(name: str) -> str:
    return name.casefold().replace("-", "").replace("_", "")


_BY_WORD = {_word(name): preset for name, preset in PRESETS.items()}


def preset_of(source: str) -> Preset | None:
    """The preset that a source names, in any case, or None."""
    return _BY_WORD.get(_word(source))


def preset_in_mixed(source: str) -> Preset | None:
    """The preset by which a row of a file of many sources is asked and judged, by its `source`; None where there is none."""
    preset = preset_of(source)
    return preset if preset is not None and preset.in_mixed else None


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
