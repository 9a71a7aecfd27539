"""How far our reading of multiple choice agrees with a benchmark's own, and why each difference. No model is asked.

python -m benchmarks.choices [--words] FILE    JSON lines, gzipped or not, such as those of MMLU-Pro's published outputs

A line is `{"id": "542", "question": "…", "options": ["…", …], "answer": "J",
"answers": {model: {"text": "…", "their_reading": "A"}}}`; `their_reading` is null where the
benchmark's script took no letter from the text.
"""

from __future__ import annotations

import argparse
import re
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from benchmarks.free_answers import rows_of
from benchmarks.tables import Table
from modex.core.answers.assertion.letters import letters_given
from modex.core.answers.kinds import expected_answer
from modex.core.answers.own import read_own
from modex.core.answers.text.choice import read_choice
from modex.core.evaluators.official.mmlu_pro import read_first, read_letter

_SHOWN = 56
NOWHERE = "their letter stands nowhere in the text"
STRAY = "their letter is a capital that no words give as the answer"
SEVERAL = "the text offers several letters, theirs is the first"
LATER = "the text comes to another letter, theirs is the first"
OTHER_WORDS = "the text gives its answer in words that their pattern lacks"
MISSED = "not read by us"
_NOT_SENSIBLE = frozenset([NOWHERE, STRAY, SEVERAL])


@dataclass(frozen=True, slots=True)
class Reading:
    """One answer read twice."""

    model: str
    question: str
    right: str
    theirs: str | None
    ours: str | None
    why: str
    words: str
    first: str | None = None
    """By MMLU-Pro's first published rule, as we have it."""
    current: str | None = None
    """By its current one."""


def readings_of(path: Path) -> tuple[list[Reading], float]:
    """Every answer of the file, and the processor time in seconds that ours took."""
    found: list[Reading] = []
    spent = 0.0
    for row in rows_of(path):
        options = {chr(ord("A") + index): text for index, text in enumerate(row["options"])}
        expected = expected_answer({"type": "choice", "value": row["answer"], "options": options})
        for model, answer in row["answers"].items():
            text, theirs = answer["text"], answer["their_reading"]
            began = time.process_time()
            own = read_own(text, expected, row["question"])
            ours = None if own is None else read_choice(own.text, options)
            spent += time.process_time() - began
            start = own.start if own else max(0, len(text.rstrip()) - _SHOWN)
            why = "" if ours == theirs else _why(text, options, theirs, ours)
            words = _words(text, start)
            found.append(
                Reading(model, row["id"], row["answer"], theirs, ours, why, words, read_first(text), read_letter(text))
            )
    return found, spent


def measure(path: Path, *, words: bool = False) -> list[Table]:
    """Agreement by model, and every difference with its reason; with `words` also with a piece of the text."""
    found, spent = readings_of(path)
    lines = []
    for model in ["all", *sorted({reading.model for reading in found})]:
        own = [reading for reading in found if model in ("all", reading.model)]
        sensible = [reading for reading in own if reading.theirs and reading.why not in _NOT_SENSIBLE]
        none = [reading for reading in own if reading.theirs is None]
        lines.append(
            [
                model,
                str(len(own)),
                _share(own),
                f"{_share(sensible)} of {len(sensible)}",
                f"{sum(reading.ours is not None for reading in none)} of {len(none)}",
            ]
        )
    header = [
        "answers of",
        "answers",
        "same reading",
        "same where theirs is sensible",
        "read by us where they read none",
    ]
    note = f"A reading takes {1000 * spent / max(1, len(found)):.2f} ms of processor time."
    differ = [reading for reading in found if reading.why]
    reasons = [[why, str(count)] for why, count in Counter(reading.why for reading in differ).most_common()]
    each = [
        [
            one.model,
            one.question,
            one.theirs or "–",
            one.ours or "–",
            one.right,
            one.why,
            *([f"`{one.words}`"] if words else []),
        ]
        for one in sorted(differ, key=lambda one: (one.why, one.model, one.question))
    ]
    return [
        Table("Multiple choice, beside the benchmark's own reading", header, lines, note),
        _by_rules(found),
        Table("Why readings differ", ["reason", "answers"], reasons),
        Table(
            "Each difference",
            ["answer of", "question", "theirs", "ours", "right", "reason", *(["the text"] if words else [])],
            each,
        ),
    ]


def _by_rules(found: list[Reading]) -> Table:
    """How many readings of each model are those of MMLU-Pro's rules as we have them; a model's were made by one of the two."""
    rows = []
    for model in sorted({reading.model for reading in found}):
        own = [reading for reading in found if reading.model == model]
        same = [sum(one == reading.theirs for one, reading in pairs) for pairs in (
            [(reading.first, reading) for reading in own], [(reading.current, reading) for reading in own]
        )]  # fmt: skip
        drawn = sum(reading.current is None and reading.theirs is not None for reading in own)
        rows.append([model, str(len(own)), *map(str, same), str(drawn)])
    header = ["answers of", "answers", "as by the first rule", "as by the current rule", "drawn by chance there"]
    return Table("MMLU-Pro's own rules, as we have them", header, rows)


def _why(text: str, options: Mapping[str, str], theirs: str | None, ours: str | None) -> str:
    if theirs is None:
        return OTHER_WORDS
    if ours is not None:
        return LATER
    if not re.search(rf"(?<!\w){theirs}(?!\w)", text) and not re.search(rf"answer is {theirs}", text):
        return NOWHERE
    given = letters_given(text, options)
    if any(len(one.letters) > 1 for one in given):
        return SEVERAL
    return MISSED if any(one.letters == {theirs} for one in given) else STRAY


def _words(text: str, start: int) -> str:
    around = " ".join(text[max(0, start - 30) : start + _SHOWN - 30].split())
    return around.replace("`", "'").replace("|", "¦")


def _share(found: list[Reading]) -> str:
    return f"{100 * sum(one.ours == one.theirs for one in found) / max(1, len(found)):.1f} %"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--words", action="store_true", help="show a piece of each text that is read otherwise")
    parser.add_argument("file", type=Path)
    options = parser.parse_args()
    print("\n\n".join(table.markdown() for table in measure(options.file, words=options.words)))
