"""What is kept beside the corpus: what each verdict is founded on, and what every reader takes out of each text.

A verdict may stay right while the place that is shown for it, the argument that is called wrong or the share of the score is
another. And each text is read by all readers, whatever its case asks of them: each name and number in it is looked for as if it
were the gold, of which the text asserts one and denies, reports or doubts others.

`kept.jsonl` holds what was found when it was written. Nobody says of each line that it is right, as the corpus does of its
verdicts: it shows what a change changes. Look at that, and write it anew with `python -m tests.trust.readings`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from modex.core.answers.assertion import find_assertion, read_text, same_answer
from modex.core.answers.assertion.choosing import choose
from modex.core.answers.final_answer import find_final_answer
from modex.core.answers.numbers.spans import number_spans, word_spans
from modex.core.answers.own import read_own
from modex.core.answers.text.boolean import answers_outright, read_boolean
from modex.core.answers.text.choice import options_in, read_choice
from modex.core.answers.text.dates import dates_in
from modex.core.answers.text.times import times_in
from modex.core.evaluators.answers.extraction import plain_answer
from tests.trust.corpus import Case, judged_with_grounds, written_cases

KEPT = Path(__file__).with_name("kept.jsonl")
_LONGEST = 200
_FAMILIES = frozenset(
    [
        "assertions",
        "boolean",
        "chat",
        "choice",
        "dates",
        "extraction",
        "forms",
        "lists",
        "numbers",
        "responses",
        "text",
        "trivia",
        "units",
    ]
)
"""Those whose texts are answers in words or numbers."""
_NAMED = frozenset(["assertions", "chat", "extraction", "forms", "responses", "trivia"])
"""Those whose texts name several things, of which one is the answer."""
_NAMES = re.compile(
    r"[^\W\d_a-zß-ÿ][\w'’-]*(?:\s(?:of the |of |de |van )?[^\W\d_a-zß-ÿ][\w'’.-]*)*|\d[\d.,:/]*\d|\d|\w+(?=\W*$)"
)
_MOST_NAMES = 4
_OPTIONS = {"A": "red", "B": "green", "C": "dark green", "D": ""}


def texts() -> Iterator[tuple[Case, str, str]]:
    """Each text of the corpus once, with a case that has it and the question."""
    seen: set[tuple[str, str]] = set()
    for case in written_cases():
        given = case.answer if isinstance(case.answer, dict) else {"response": case.answer}
        text, prompt = given.get("response"), given.get("prompt", "")
        if not isinstance(text, str) or case.family not in _FAMILIES or (text, prompt) in seen:
            continue
        seen.add((text, prompt))
        if text.strip() and len(text) <= _LONGEST:
            yield case, text, prompt


def read(case: Case, text: str, prompt: str) -> dict[str, Any]:
    """What the readers find, by reader; left out is what finds nothing, the whole text, or a name that is just asserted."""
    options = case.expected.get("options") if isinstance(case.expected, dict) else None
    chosen = choose(text, options or _OPTIONS)
    found: dict[str, Any] = {
        "yes": [read_boolean(text), answers_outright(text)],
        "option": chosen and [chosen.letter, chosen.start, chosen.end],
        "letter": read_choice(text),
        "options": "".join(options_in(prompt)),
        "final": _final(text),
        "dates": [[start, end, str(date)] for start, end, date in dates_in(text)],
        "times": [list(one) for one in times_in(text)],
        "numbers": [[start, end, str(one.value)] for start, end, one in number_spans(text, case.locale or "en")],
        "words": [[start, end, str(one.value)] for start, end, one in word_spans(text, case.locale or "en")],
        "golds": list(_golds(case, text, prompt)) if case.family in _NAMED else [],
    }
    for kind in ("numeric", "math", "boolean"):
        own = read_own(text, plain_answer(kind), prompt)
        if own is not None and (own.how != "last_line" or len(own.text) < len(text.strip()) - 1 or own.means):
            found[kind] = [own.text, own.start, own.how, own.means]
    return {name: one for name, one in found.items() if one and one != [None, False]}


def _final(text: str) -> list[Any] | None:
    found = find_final_answer(text)
    if found is None or (found.how == "last_line" and len(found.text) >= len(text.strip()) - 1):
        return None
    return [found.text, found.start, found.how]


def _golds(case: Case, text: str, prompt: str) -> Iterator[list[Any]]:
    reading = read_text(text, prompt)
    own = case.expected.get("value") if isinstance(case.expected, dict) else case.expected
    own = own if isinstance(own, list) else [own]
    for name in dict.fromkeys([*(str(one) for one in own[:2]), *_NAMES.findall(text)[:_MOST_NAMES]]):
        found = find_assertion(reading, [name])
        same = ["same"] if same_answer(text, [name]) is not None else []
        if found.place is None:
            if same:
                yield [name, *same]
        elif not found.asserted or found.place.rule != "phrase" or same:
            yield [name, found.stance, found.place.rule, found.place.start, found.place.end, *same]


@cache
def kept() -> dict[str, dict[str, Any]]:
    """By the case's id: `grounds` of its verdict where there are any, and what is `read` in its text."""
    lines = map(json.loads, KEPT.read_text(encoding="utf-8").splitlines())
    return {line.pop("id"): line for line in lines}


def as_kept(found: Any) -> Any:
    """As it is after it was written and read."""
    return json.loads(json.dumps(found))


def main() -> None:
    """Write what is found now."""
    lines: dict[str, dict[str, Any]] = {}
    for case in written_cases():
        if grounds := judged_with_grounds(case)[1]:
            lines.setdefault(case.id, {})["grounds"] = grounds
    for case, text, prompt in texts():
        if found := read(case, text, prompt):
            lines.setdefault(case.id, {})["read"] = found
    rows = ({"id": name, **line} for name, line in sorted(lines.items()))
    text = "".join(json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n" for row in rows)
    KEPT.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
