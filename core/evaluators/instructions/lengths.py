"""How long an answer is: in words, sentences and paragraphs, and how one of these begins."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from modex.core.evaluators.instructions.found import Compliance, counted, short
from modex.core.evaluators.instructions.sentences import sentences_in
from modex.core.foundation.lazy_regex import deferred

_WORD = deferred(r"\w+")
_ENDS_A_WORD = re.compile(r"[.,?!'\"]")


def sentences(text: str, given: Mapping[str, Any]) -> Compliance:
    """So many sentences."""
    return counted(sentences_in(text), "sentence", given["num_sentences"], given.get("relation"))


def words(text: str, given: Mapping[str, Any]) -> Compliance:
    """So many words: runs of letters, digits and `_`, so that `don't` is two."""
    return counted(len(_WORD.findall(text)), "word", given["num_words"], given.get("relation"))


def paragraphs(text: str, given: Mapping[str, Any]) -> Compliance:
    """So many paragraphs between `***`; a divider at either end divides nothing, two in a row leave an empty one."""
    pieces = [piece.strip() for piece in text.split("***")]
    inner = pieces[1:-1]
    if "" in inner:
        return Compliance(False, "an empty paragraph between two `***`")
    number = len([piece for piece in pieces if piece])
    return counted(number, "paragraph", given["num_paragraphs"], "exactly")


def first_word(text: str, given: Mapping[str, Any]) -> Compliance:
    """So many paragraphs between empty lines, and one of them begins with the word."""
    pieces = text.split("\n\n")
    number, nth = sum(bool(piece.strip()) for piece in pieces), given["nth_paragraph"]
    found = counted(number, "paragraph", given["num_paragraphs"], "exactly")
    # Empty pieces are not counted, but they keep their place.
    piece = pieces[nth - 1].strip() if nth <= number else ""
    if not piece:
        return Compliance(False, f"{found.words}; there is no paragraph {nth}")
    word = _ENDS_A_WORD.split(piece.split()[0].lstrip("'").lstrip('"'), maxsplit=1)[0].lower()
    right = word == given["first_word"].lower()
    return Compliance(
        found.followed and right,
        f"{found.words}; paragraph {nth} begins with {short(word)}, '{given['first_word']}' asked",
    )
