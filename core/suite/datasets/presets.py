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
from pathlib import Path
from typing import Any, Literal

from modex.core.suite.datasets import contests, shapes
from modex.core.suite.datasets.databases import with_database
from modex.core.suite.datasets.golds import AnswerType
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
    offers: Literal["", "letter", "index"] = ""
    """That each question has options, shown below it by letters, and what a gold of digits is: words, or an index from 0."""
    gold: AnswerType | None = None
    """The type that its golds have, where each does not say it by itself."""
    by_language: bool = False
    """Whether numbers are read as the language of a row, which its category names, writes them."""
    measures: str = ""
    """What it measures, what its rows are made of."""
    paper: str = ""
    """Where it is described."""
    by_likelihood: str = ""
    """Where published figures are mostly made by likelihood: of what, and with how many worked examples."""
    metric: str = "accuracy: the share of right answers"
    """What its figure is."""
    databases: str = ""
    """Where the database that a row names in `db_id` lies below the file's folder, with `{db_id}` for its name."""
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
            measures=(
                "Whether an assistant finds what takes steps: looking up, reading files, reckoning. 466 "
                "questions in three levels, of which 165 are published with their answers."
            ),
            paper="https://arxiv.org/abs/2311.12983",
            protocol=(
                "an agent with tools, one try each; figures of the leaderboard are of the 301 questions whose "
                "answers are kept back"
            ),
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
            measures=(
                "Whether an agent finds, on the web, short facts that are hard to find and easy to verify. "
                "1,266 questions, enciphered."
            ),
            paper="https://arxiv.org/abs/2504.12516",
            protocol="an agent that browses, judged by a model, one try or the best of several",
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
            measures="The same on the Chinese web. 289 questions, enciphered.",
            paper="https://arxiv.org/abs/2504.19314",
            protocol="an agent that searches, judged by a model",
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
            measures=(
                "Whether an agent that walks through a web site, link by link, finds an answer in its pages. "
                "680 questions in English and Chinese."
            ),
            paper="https://arxiv.org/abs/2501.07572",
            protocol="an agent that walks from the root address, judged by a model",
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
            measures=(
                "Whether an agent that searches deeply finds an answer, in Chinese. 100 questions of each "
                "issue, enciphered."
            ),
            paper="https://arxiv.org/abs/2506.13651",
            protocol="an agent that searches, judged by a model, the mean of several tries",
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
            measures="Whether an analyst's tasks about crypto markets are done, and done in a sound way.",
            metric="the share of a rubric's points",
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
            measures=(
                "Multi-step arithmetic in words, of primary school. 1,319 test problems with a worked solution each."
            ),
            paper="https://arxiv.org/abs/2110.14168",
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
            measures="Knowledge in 57 subjects, from school to profession, by four options.",
            paper="https://arxiv.org/abs/2009.03300",
            by_likelihood="the likelihood of each letter after five worked examples of its subject",
            category=("subject", "Subject", "category"),
            id=("id", "question_id"),
            offers="index",
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
            measures="Knowledge and reasoning in 14 fields, by three to ten options.",
            paper="https://arxiv.org/abs/2406.01574",
            category=("category",),
            id=("question_id", "id"),
            offers="index",
            answer_format="Think step by step, then finish with: The answer is (X), where X is the letter of the right option.",
            protocol=(
                "five worked examples of its category with their reasoning, temperature 0, some 2,000 tokens an answer"
            ),
            about="Its own script reads the letter too, and its score stands beside.",
        ),
        Preset(
            "mmlu_redux",
            "MMLU-Redux: MMLU's questions, each looked at again by people",
            ("question",),
            ("answer",),
            "match",
            measures="MMLU with its faults marked: 100 questions of each of 57 subjects.",
            paper="https://arxiv.org/abs/2406.04127",
            protocol="no worked examples, reasoning before the letter, temperature 0",
            category=("subject", "category"),
            id=("id", "question_id"),
            offers="index",
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
            measures="Physics, chemistry and biology that a search engine does not help with, by four options.",
            paper="https://arxiv.org/abs/2311.12022",
            category=("High-level domain", "Subdomain"),
            id=("Record ID", "id"),
            offers="letter",
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
            measures=(
                "Common sense about what happens next, by four ends of a description that were chosen to "
                "mislead models."
            ),
            paper="https://arxiv.org/abs/1905.07830",
            by_likelihood="the likelihood of each end by its length, after none or ten worked examples",
            category=("activity_label",),
            id=("ind", "id"),
            offers="letter",
            answer_format="End with one line: Answer: <the letter>",
            shape=shapes.hellaswag,
        ),
        Preset(
            "winogrande",
            "WinoGrande: which word fills the gap",
            ("question",),
            ("answer",),
            "match",
            measures="Common sense in whom or what a sentence means, by two words for its gap.",
            paper="https://arxiv.org/abs/1907.10641",
            by_likelihood="the likelihood of the rest of the sentence behind each word, after five worked examples",
            id=("qID", "id"),
            offers="letter",
            answer_format="End with one line: Answer: <the letter>",
            shape=shapes.winogrande,
        ),
        Preset(
            "boolq",
            "BoolQ: yes or no, from a passage",
            ("question",),
            ("answer",),
            "match",
            measures="Reading: a yes or no to a question that somebody asked, from a paragraph.",
            paper="https://arxiv.org/abs/1905.10044",
            by_likelihood="the likelihood of yes and of no, without worked examples",
            category=("title",),
            id=("id", "idx"),
            answer_format="End with one line: Answer: <yes or no>",
            shape=shapes.boolq,
        ),
        Preset(
            "commonsenseqa",
            "CommonsenseQA: everyday knowledge with five options",
            ("question",),
            ("answerKey", "answer"),
            "match",
            measures="Common sense about things and how they relate, by five options.",
            paper="https://arxiv.org/abs/1811.00937",
            by_likelihood="the likelihood of each letter, after none or seven worked examples",
            category=("question_concept",),
            id=("id",),
            offers="letter",
            answer_format="End with one line: Answer: <the letter>",
            shape=shapes.stemmed,
        ),
        Preset(
            "bbh",
            "BIG-Bench Hard: 27 tasks that take steps",
            ("input", "question"),
            ("target", "answer"),
            "match",
            measures=(
                "Reasoning in several steps: logic, dates, counting, orders, ambiguity, brackets. 27 task "
                "files of 146 to 250 questions."
            ),
            paper="https://arxiv.org/abs/2210.09261",
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
            measures=(
                "Mathematics of competitions, in five levels and seven subjects: 500 problems drawn from "
                "MATH's test set."
            ),
            paper="https://arxiv.org/abs/2305.20050",
            level=("level",),
            category=("subject", "type"),
            id=("unique_id", "id"),
            levels="1 to 5, as there",
            gold="math",
            answer_format="Put the final answer into \\boxed{}.",
            protocol="no worked examples, temperature 0 or the mean of several tries",
        ),
        Preset(
            "aime",
            "AIME 2024 and 2025: competition problems whose answers are whole numbers from 0 to 999",
            ("problem", "Problem", "question"),
            ("answer", "Answer"),
            "match",
            measures="Mathematics of a competition that few school students pass: thirty problems a year.",
            paper="https://artofproblemsolving.com/wiki/index.php/AIME_Problems_and_Solutions",
            id=("id", "ID", "problem_idx"),
            shape=shapes.aime,
            answer_format="Put the final answer, a whole number from 0 to 999, into \\boxed{}.",
            protocol=(
                "no worked examples, the mean of 8 to 64 tries (`--epochs`), tens of thousands of tokens an answer"
            ),
        ),
        Preset(
            "mgsm",
            "MGSM: GSM8K in ten languages",
            ("question",),
            ("answer_number", "answer"),
            "match",
            measures="Arithmetic in words in other languages: 250 of GSM8K's problems in ten, and in English.",
            paper="https://arxiv.org/abs/2210.03057",
            category=("language", "lang"),
            by_language=True,
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
            measures="Knowledge of single facts, chosen so that a model of its day got them wrong.",
            paper="https://arxiv.org/abs/2411.04368",
            protocol=(
                "no worked examples and no tools; a model sorts answers into correct, incorrect and not "
                "attempted, and F is the harmonic mean of the share that is correct and the share of attempts "
                "that is"
            ),
            category=("topic",),
            id=("id",),
            shape=shapes.simpleqa,
            about="There an answer is right, wrong or not attempted; here one that does not answer is wrong.",
        ),
        Preset(
            "hle",
            "Humanity's Last Exam, questions in text",
            ("question",),
            ("answer",),
            "llm_judge",
            measures=(
                "Expert knowledge at the edge of what is known, over a hundred fields; about one question in "
                "seven needs its picture."
            ),
            paper="https://arxiv.org/abs/2501.14249",
            protocol="no worked examples, judged by a model; mostly of all questions, those with a picture too",
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
            measures=(
                "Writing a Python function from its head and description: 164 problems, with some 8 cases "
                "each, HumanEval+ with some 750."
            ),
            paper="https://arxiv.org/abs/2107.03374",
            metric="pass@1: the share of programs whose tests all pass; pass@k with `--epochs`",
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
            measures="Writing a short Python program from a sentence and its assertions.",
            paper="https://arxiv.org/abs/2108.07732",
            metric="pass@1: the share of programs whose tests all pass; pass@k with `--epochs`",
            id=("task_id",),
            answer_format="Give the whole function, with its imports, in one Python code block.",
            shape=shapes.mbpp,
            protocol="three worked examples, or none",
            about="Its own assertions decide, in a sandbox; the question shows them, as there.",
        ),
        Preset(
            "livecodebench",
            "LiveCodeBench: programs for contests of known dates",
            ("question",),
            ("answer",),
            "code_tests",
            measures=(
                "Writing Python that solves contest problems (LeetCode, AtCoder, Codeforces) of dates after a model was trained."
            ),
            paper="https://arxiv.org/abs/2403.07974",
            metric="pass@1: the share of programs whose tests all pass; pass@k with `--epochs`",
            level=("difficulty",),
            category=("platform",),
            id=("question_id",),
            levels="easy 1, medium 3, hard 5",
            answer_format="Give the whole program in one Python code block.",
            shape=contests.livecodebench,
            protocol="the mean of several tries at 0.2, of the problems between two dates, which are part of the figure",
            about=(
                "Its own tests decide, the public and the hidden ones, in a sandbox, with 6 s each; the first 200 of a problem. "
                "`--filter 'contest_date>=2025-02-01'` takes the problems of a time. Lines must be equal but for blanks at "
                "their ends: a number written otherwise (`3.0` for `3`) is wrong here, and right there."
            ),
        ),
        Preset(
            "spider",
            "Spider: questions to databases that were not seen before",
            ("question",),
            ("answer",),
            "sql_executor",
            measures="SQL from a question: joins, groups and nested queries over 20 databases of the development set.",
            paper="https://arxiv.org/abs/1809.08887",
            metric="execution accuracy: the share of queries that give the gold's result",
            category=("db_id",),
            id=("question_id", "id"),
            answer_format="Answer with one SQLite query in a code block.",
            databases="database/{db_id}/{db_id}.sqlite",
            protocol=(
                "execution accuracy, mostly by the test suite of many databases for each question; here on the one that comes "
                "with it"
            ),
            about="The folder `database` of its archive lies beside the file. The question stands below the tables' statements.",
        ),
        Preset(
            "bird",
            "BIRD: questions to large databases, with what one has to know",
            ("question",),
            ("answer",),
            "sql_executor",
            measures="SQL from a question over 11 large and untidy databases of the development set, with a hint to each.",
            paper="https://arxiv.org/abs/2305.03111",
            metric="execution accuracy: the share of queries that give the gold's result",
            level=("difficulty",),
            category=("db_id",),
            id=("question_id", "id"),
            levels="simple 1, moderate 3, challenging 5",
            answer_format="Answer with one SQLite query in a code block.",
            databases="dev_databases/{db_id}/{db_id}.sqlite",
            protocol=(
                "execution accuracy with 30 s a query, results compared as sets: rows that come twice, or in another order than "
                "asked for, are right there and wrong here"
            ),
            about=(
                "The folder `dev_databases` of its archive lies beside the file. The question stands below the tables' "
                "statements, its evidence below it. A query may compute for 2 s."
            ),
        ),
        Preset(
            "drop",
            "DROP: numbers, dates and words out of a paragraph",
            ("question",),
            ("answer",),
            "spans",
            measures="Reading with reckoning: counting, adding, comparing and sorting what a paragraph says.",
            paper="https://arxiv.org/abs/1903.00161",
            metric="F1 and exact match of DROP's own measure, the best of several golds; exact match is what passes",
            id=("query_id", "id"),
            answer_format="End with one line: Answer: <the answer alone, as short as it can be; several apart by ;>",
            shape=shapes.drop,
            protocol=(
                "F1 after three worked examples; the answer as one text, where here several spans stand apart by `;` and are "
                "compared one by one, as the paper does"
            ),
            about="Rules decide, no model: `show` gives F1 and exact match.",
        ),
        Preset(
            "arc",
            "ARC: school science with options",
            ("question",),
            ("answerKey", "answer"),
            "match",
            measures=(
                "Science of school years 3 to 9, by three to five options; the challenge set is what simple "
                "methods got wrong."
            ),
            paper="https://arxiv.org/abs/1803.05457",
            by_likelihood="the likelihood of each option's words by their length, after 25 worked examples",
            id=("id",),
            offers="letter",
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
            measures="Whether a model repeats what people falsely believe: 817 questions in 38 categories.",
            paper="https://arxiv.org/abs/2109.07958",
            by_likelihood="the likelihood of true and false answers (MC1, MC2), after six unrelated worked examples",
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
            measures=(
                "Whether a model does what it is told, not whether what it says is right: 541 prompts with "
                "one to three instructions each (so many words, no commas, a title, another language)."
            ),
            paper="https://arxiv.org/abs/2311.07911",
            metric="strict accuracy by prompt: the share of prompts of which every instruction is followed",
            id=("key", "id"),
            shape=shapes.ifeval,
            protocol="greedy, without a worked example or a system prompt, 1,280 tokens at most",
            about=(
                "The score is strict "
                "accuracy by prompt (every instruction followed to the letter); `show` and exports tell beside it strict by "
                "instruction and both loosely. Published figures are one of these four, or their mean (some leaderboards "
                "take that of prompt and instruction, strict): compare like with like."
            ),
        ),
    )
}


def shaped(row: dict[str, Any], preset: Preset, folder: Path) -> dict[str, Any] | str:
    """The row of a file in `folder`, deciphered and in the columns that the preset names; or what is wrong with it."""
    row = deciphered(row, preset)
    made = row if preset.shape is None else preset.shape(row)
    if isinstance(made, str):
        return made
    row = made
    return with_database(row, preset.databases, folder) if preset.databases else row


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
