"""How far our verdicts on IFEval's instructions agree with the published ones, and why each difference. No model is asked.

python -m benchmarks.ifeval [--words] FILE    JSON lines, gzipped or not, such as the published evaluations of M-IFEval

A line is an answer with the reference checker's verdict on each instruction: `{"model": "…", "key": 1000, "prompt": "…",
"instruction_id_list": […], "kwargs": […], "response": "…", "strict": [true, …], "loose": [true, …]}`.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.free_answers import rows_of
from benchmarks.tables import Table
from modex.core.evaluators.instructions.evaluator import verdict_on
from modex.core.suite.instructions import read_instructions

_SHOWN = 40
CHANCE = "the reference counts a letter drawn by chance, since the character that is asked is none"
LANGUAGE = "the reference asks a language detector that draws by chance and is sure of short answers too"
RULE = "the rules differ"
_BY_LANGUAGE = frozenset({"language:response_language", "change_case:english_capital", "change_case:english_lowercase"})


@dataclass(frozen=True, slots=True)
class Judged:
    """One instruction of one answer, judged twice; each verdict is strict, then loose."""

    model: str
    key: str
    instruction: str
    given: dict[str, Any]
    ours: tuple[bool, bool]
    theirs: tuple[bool, bool]
    found: str
    words: str

    @property
    def why(self) -> str:
        """Why the verdicts differ."""
        letter = self.given.get("letter")
        if isinstance(letter, str) and not ("a" <= letter.lower() <= "z"):
            return CHANCE
        return LANGUAGE if self.instruction in _BY_LANGUAGE else RULE


def verdicts_of(path: Path) -> tuple[list[list[Judged]], float]:
    """Every answer's instructions, and the processor time in seconds that our verdicts took."""
    answers: list[list[Judged]] = []
    spent = 0.0
    for row in rows_of(path):
        asked = read_instructions({name: row[name] for name in ("instruction_id_list", "kwargs")})
        began = time.process_time()
        found = [verdict_on(one, row["response"]) for one in asked]
        spent += time.process_time() - began
        answers.append(
            [
                Judged(
                    row["model"],
                    str(row["key"]),
                    one.type,
                    dict(one.given),
                    (ours.strict, ours.loose),
                    (strict, loose),
                    ours.found,
                    " ".join(row["response"].split())[:_SHOWN].replace("|", "¦").replace("`", "'"),
                )
                for one, ours, strict, loose in zip(asked, found, row["strict"], row["loose"], strict=True)
            ]
        )
    return answers, spent


def measure(path: Path, *, words: bool = False) -> list[Table]:
    """The four figures by model, agreement by type, and every difference with its reason; with `words` also the texts."""
    answers, spent = verdicts_of(path)
    by_model: dict[str, list[list[Judged]]] = defaultdict(list)
    for answer in answers:
        by_model[answer[0].model].append(answer)
    figures = [
        [model, str(len(given)), *map(_both, _FIGURES, [given] * 4)] for model, given in sorted(by_model.items())
    ]
    every = [one for answer in answers for one in answer]
    by_type: dict[str, list[Judged]] = defaultdict(list)
    for one in every:
        by_type[one.instruction].append(one)
    agreement = [
        [name, str(len(given)), *(_agree(given, level) for level in (0, 1))]
        for name, given in [("all", every), *sorted(by_type.items())]
    ]
    differ = [one for one in every if one.ours != one.theirs]
    reasons = [[why, str(count)] for why, count in Counter(one.why for one in differ).most_common()]
    each = [
        [
            one.model,
            one.key,
            one.instruction,
            _said(one.theirs),
            _said(one.ours),
            one.found,
            one.why,
            *([f"`{one.words}`"] if words else []),
        ]
        for one in sorted(differ, key=lambda one: (one.why, one.instruction, one.model, one.key))
    ]
    note = f"A verdict on an answer takes {1000 * spent / max(1, len(answers)):.2f} ms of processor time."
    return [
        Table("IFEval's four figures, ours and published", ["answers of", "prompts", *_NAMES], figures, note),
        Table("Agreement by instruction", ["instruction", "verdicts", "strict the same", "loose the same"], agreement),
        Table("Why verdicts differ", ["reason", "instructions"], reasons),
        Table(
            "Each difference",
            [
                "answer of",
                "key",
                "instruction",
                "theirs",
                "ours",
                "we found",
                "reason",
                *(["the text"] if words else []),
            ],
            each,
        ),
    ]


_Side = Callable[[Judged], tuple[bool, bool]]
_NAMES = ("prompt strict", "prompt loose", "instruction strict", "instruction loose")


def _prompts(level: int) -> Callable[[Iterable[list[Judged]], _Side], list[bool]]:
    return lambda answers, side: [all(side(one)[level] for one in answer) for answer in answers]


def _instructions(level: int) -> Callable[[Iterable[list[Judged]], _Side], list[bool]]:
    return lambda answers, side: [side(one)[level] for answer in answers for one in answer]


_FIGURES = (_prompts(0), _prompts(1), _instructions(0), _instructions(1))


def _both(figure: Callable[[Iterable[list[Judged]], _Side], list[bool]], answers: list[list[Judged]]) -> str:
    ours, theirs = (figure(answers, side) for side in (lambda one: one.ours, lambda one: one.theirs))
    return f"{_percent(ours)}, published {_percent(theirs)}"


def _percent(followed: list[bool]) -> str:
    return f"{100 * sum(followed) / max(1, len(followed)):.1f}"


def _agree(given: list[Judged], level: int) -> str:
    same = sum(one.ours[level] == one.theirs[level] for one in given)
    return f"{100 * same / max(1, len(given)):.2f} %" + ("" if same == len(given) else f" ({len(given) - same} differ)")


def _said(verdict: tuple[bool, bool]) -> str:
    strict, loose = verdict
    return "followed" if strict else "loosely" if loose else "no"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--words", action="store_true", help="show the beginning of each answer that is judged otherwise"
    )
    parser.add_argument("file", type=Path)
    options = parser.parse_args()
    print("\n\n".join(table.markdown() for table in measure(options.file, words=options.words)))
