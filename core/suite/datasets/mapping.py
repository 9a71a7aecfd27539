"""Which column is the question, the answer, the level, the category and the id; what was guessed is said."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from modex.core.config.filters import MISSING
from modex.core.config.runconfig import DatasetSpec
from modex.core.foundation.errors import ConfigurationError
from modex.core.suite.attachments import file_names
from modex.core.suite.datasets.presets import preset_in_mixed
from modex.core.suite.filters import dotted
from modex.core.suite.suggest import did_you_mean

_NAMES: Mapping[str, tuple[str, ...]] = {
    "question": ("question", "prompt", "input", "query", "problem", "instruction", "question_text", "text"),
    "answer": (
        "answer",
        "gold",
        "expected",
        "target",
        "output",
        "reference",
        "reference_answer",
        "gold_answer",
        "ground_truth",
        "correct_answer",
        "expected_answer",
        "final_answer",
        "solution",
        "answers",
        "label",
        "answerkey",
        "ideal",
    ),
    "level": ("level", "difficulty", "difficulty_level"),
    "category": ("category", "domain", "topic", "subject"),
    "id": (
        "id",
        "test_id",
        "question_id",
        "task_id",
        "sample_id",
        "problem_id",
        "item_id",
        "qid",
        "tid",
        "uid",
        "uuid",
        "index",
        "idx",
    ),
    "options": ("options", "choices"),
    "cluster": ("cluster",),
    "source": ("source",),
    "files": ("file_name", "files", "file_names", "attachments", "images", "image"),
}
_WORDS: Mapping[str, int] = {
    "trivial": 1,
    "very easy": 1,
    "easy": 1,
    "beginner": 1,
    "basic": 1,
    "simple": 1,
    "medium": 3,
    "moderate": 3,
    "intermediate": 3,
    "normal": 3,
    "hard": 5,
    "challenging": 5,
    "difficult": 5,
    "advanced": 5,
    "expert": 5,
    "very hard": 5,
}
_NUMBERED = re.compile(r"(?i)\s*+(?:(?:level|lvl|l)[\s_.:-]*)?([1-5])(?:\.0+)?\s*")
_DECIMAL = re.compile(r"[+-]?\d+(?:\.\d+)?")
_SHOWN = 40


@dataclass(frozen=True, slots=True)
class FieldMap:
    """Dotted paths of the columns; None where there is none."""

    question: str
    answer: str | None
    level: str | None
    category: str | None
    id: str | None
    options: str | None
    cluster: str | None = None
    context: str | None = None
    """LLaMA-Factory's `input`, which stands below its `instruction`."""
    source: str | None = None
    files: str | None = None

    def used(self) -> frozenset[str]:
        """Top-level columns that are mapped, so that they do not stand in the metadata too."""
        paths = (self.question, self.answer, self.level, self.category, self.id, self.cluster, self.context)
        return frozenset(path for path in paths if path is not None)

    def read(self) -> frozenset[str]:
        """Top-level columns of which anything is read."""
        paths = {*self.used(), *(path for path in (self.options, self.source, self.files) if path is not None)}
        return frozenset({*paths, *(path.partition(".")[0] for path in paths)})


def level_of(value: Any) -> int | None:
    """The level that a value of the level column names: 1–5, `Level 3`, `easy` (1), `medium` (3), `hard` (5); else None."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return int(value) if value in (1, 2, 3, 4, 5) else None
    if not isinstance(value, str):
        return None
    match = _NUMBERED.fullmatch(value[:40])
    return int(match[1]) if match else _WORDS.get(value.strip().casefold().replace("_", " ").replace("-", " "))


def nearest_level(value: Any) -> int | None:
    """The level nearest to a whole number that is none, -1 to 10 (0 is 1, 7 is 5): other systems begin at 0; else None."""
    if isinstance(value, str) and len(value) < 5 and value.strip().removeprefix("-").isdecimal():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int | float) or not -1 <= value <= 10 or value != int(value):
        return None
    return min(5, max(1, int(value)))


def bent_level(value: Any) -> int:
    """The level of a value that is none, in a column of levels: the nearest one to a number, else 1."""
    number = _number(value)
    return 1 if number is None else round(min(5, max(1, number)))


def bent_levels(values: Sequence[Any]) -> list[str]:
    """What is said of levels that are taken as the nearest one, or as 1, and of those that are not given; else nothing."""
    odd = [value for value in values if value not in (MISSING, None, "") and level_of(value) is None]
    numbers = sorted({f"{str(value)[:_SHOWN]} is {bent_level(value)}" for value in odd if _number(value) is not None})
    others = sorted({f"{str(value)[:_SHOWN]!r}" for value in odd if _number(value) is None})
    told = [f"levels outside 1 to 5 are taken as the nearest: {_first(numbers)}"] if numbers else []
    told += [f"what is no level is taken as 1: {_first(others)}"] if others else []
    return [*told, *(["where no level is given it is 1"] if any(one in (MISSING, None, "") for one in values) else [])]


def _first(words: Sequence[str]) -> str:
    return ", ".join(words[:6]) + (", …" if len(words) > 6 else "")


def _number(value: Any) -> float | None:
    """The number that a value of the level column is, or None."""
    if isinstance(value, str):
        return float(value) if len(value) <= _SHOWN and _DECIMAL.fullmatch(value.strip()) else None
    if (
        isinstance(value, bool)
        or not isinstance(value, int | float)
        or (isinstance(value, float) and math.isnan(value))
    ):
        return None
    return value


def _holds_levels(values: Sequence[Any]) -> bool:
    """Whether most of a column's values are levels, or numbers near them: an odd one does not undo the others."""
    given = [value for value in values if value not in (MISSING, None, "")]
    near = sum(level_of(value) is not None or nearest_level(value) is not None for value in given)
    return near * 2 > len(given) or not given


def of_benchmarks(rows: Sequence[Mapping[str, Any]]) -> bool:
    """Whether rows say by their `source` that they are a known benchmark's in a mixed file: their `level` is one, however odd."""
    column = _guess("source", list(dict.fromkeys(key for row in rows for key in row)))
    return column is not None and any(
        isinstance(source := row.get(column), str) and preset_in_mixed(source) is not None for row in rows
    )


def map_columns(spec: DatasetSpec, rows: Sequence[Mapping[str, Any]], where: str) -> tuple[FieldMap, list[str]]:
    """The columns to read, from `spec` and else guessed from the first `rows`; and what was guessed, in sentences.

    Raises:
        ConfigurationError: a named column is in none of the rows, or no question can be found.
    """
    columns = list(dict.fromkeys(key for row in rows for key in row))
    guesses: list[str] = []

    def pick(role: str, named: str | None) -> str | None:
        if named is not None:
            if all(dotted(row, named) is MISSING for row in rows):
                hint = did_you_mean(named, columns)
                raise ConfigurationError(
                    f"{where}: no row has the {role} column '{named}'{hint}; there are {_list(columns)}"
                )
            return named
        return _guess(role, columns)

    context = None
    folded = {column.casefold(): column for column in reversed(columns)}
    if spec.question_field is None and {"instruction", "output"} <= set(folded):
        question: str | None = folded["instruction"]
        context = folded.get("input")
        guesses.append("rows in LLaMA-Factory's form: the instruction, its input below it, the output as gold")
    else:
        question = pick("question", spec.question_field)
    if question is None:
        raise ConfigurationError(
            f"{where}: no column looks like a question; name it with --question-field; there are {_list(columns)}"
        )
    answer = folded["output"] if context and spec.answer_field is None else pick("answer", spec.answer_field)
    level = pick("level", spec.level_field)
    category, identity = pick("category", spec.category_field), pick("id", spec.id_field)
    if level is not None and spec.level_field is None:
        values = [dotted(row, level) for row in rows]
        if not (_holds_levels(values) or of_benchmarks(rows)):
            odd = next(
                one
                for one in values
                if one not in (MISSING, None, "") and level_of(one) is None and nearest_level(one) is None
            )
            guesses.append(f"column '{level}' is not taken as the level: '{str(odd)[:_SHOWN]}' is not 1 to 5")
            level = None
    options = _guess("options", columns)
    cluster = pick("cluster", spec.cluster_field)
    source = _source(columns, rows, guesses)
    files = _guess("files", columns)
    if files is not None:
        values = [value for row in rows if (value := dotted(row, files)) not in (None, MISSING, "", [])]
        if any(file_names(value) is None for value in values):
            guesses.append(f"column '{files}' holds no names of files: nothing of it is sent with the questions")
            files = None
        elif values:
            guesses.append(f"attachments: column '{files}', sent with the questions")
    found = FieldMap(question, answer, level, category, identity, options, cluster, context, source, files)
    named = (spec.question_field, spec.answer_field, spec.level_field, spec.category_field, spec.id_field)
    for role, path, given in zip(_SAID, (question, answer, level, category, identity), named, strict=True):
        if given is None:
            guesses.append(f"{role}: column '{path}'" if path is not None else f"{role}: {_SAID[role]}")
    if cluster is not None and spec.cluster_field is None:
        guesses.append(f"cluster: column '{cluster}'; its questions are drawn together")
    if level is not None:
        words = sorted(
            {
                str(value)
                for row in rows
                if isinstance(value := dotted(row, level), str) and not _NUMBERED.fullmatch(value)
            }
        )
        if told := [f"'{word}' is {level_of(word)}" for word in words if level_of(word)]:
            guesses.append(f"levels: {', '.join(told[:6])}")
    return found, guesses


_SAID: Mapping[str, str] = {
    "question": "",
    "answer": "no column found; answers are left empty",
    "level": "no column; every row is level 1",
    "category": "no column; the domain is the source",
    "id": "no column; the row's index",
}


def _guess(role: str, columns: Sequence[str]) -> str | None:
    folded = {column.casefold().replace("-", "_").replace(" ", "_"): column for column in reversed(columns)}
    return next((folded[name] for name in _NAMES[role] if name in folded), None)


_SOURCE = re.compile(r"[\w][\w .:@+\-]{0,60}")


def _source(columns: Sequence[str], rows: Sequence[Mapping[str, Any]], guesses: list[str]) -> str | None:
    """The column of each row's own source, where it holds names; one of addresses or sentences is none."""
    column = _guess("source", columns)
    if column is None:
        return None
    values = [value for row in rows if (value := dotted(row, column)) not in (None, MISSING, "")]
    if (
        values
        and any(isinstance(value, str) for value in values)
        and all(type(value) in (str, int) and _SOURCE.fullmatch(str(value)) for value in values)
        and len(set(values)) <= 20
    ):
        guesses.append(f"source: column '{column}' ({', '.join(sorted({str(value) for value in values})[:6])})")
        return column
    if values:
        guesses.append(f"column '{column}' is not taken as the source: it holds no plain names")
    return None


def _list(columns: Sequence[str]) -> str:
    shown = ", ".join(column[:40] for column in columns[:20])
    return f"{shown}{', …' if len(columns) > 20 else ''}"
