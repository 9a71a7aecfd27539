"""Is a phrase said or denied? Negators shortly before it in the same clause, by language.

It reads a few words, not a sentence: a denial further away, by irony or by the whole clause, is not seen.
"""

from __future__ import annotations

import re
from functools import lru_cache

_WINDOW_WORDS = 2
"""Words that may stand between the negator and the phrase (`not drink any water`)."""
_LOOK_BACK_CHARS = 80
_NEGATORS = {
    "en": "not no never without cannot neither nor hardly",
    "id": "tidak tak bukan jangan tanpa belum",
    "de": "nicht kein keine keinen keinem keiner keines nie niemals ohne",
    "fr": "pas jamais sans aucun aucune ni",
    "es": "no nunca sin ningún ninguna ninguno jamás ni",
    "it": "non mai senza nessun nessuna né",
    "pt": "não nunca sem nenhum nenhuma nem",
    "nl": "niet geen nooit zonder",
}


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_NO_DENIAL = _set(
    "only just merely longer more less later fewer doubt matter wonder problem hanya cuma saja nur bloß länger mehr "
    "weniger seulement plus moins solo sólo solamente más menos soltanto più meno só apenas mais alleen meer minder"
)
"""Words after a negator that turn it into something else: not only, no longer than, no doubt."""
_CONDITIONS = {
    "en": "if unless whether when why",
    "id": "jika kalau bila apabila",
    "de": "wenn falls ob als",
    "fr": "si quand",
    "es": "si cuando",
    "it": "se quando",
    "pt": "se quando",
    "nl": "als of wanneer",
}
_TURNS = _set(
    "but and instead then however tetapi tapi dan melainkan namun lalu aber und sondern dann mais et puis pero y "
    "sino e ma poi mas então maar en"
)
"""Words with which a new clause begins."""
_UNSPACED = re.compile(r"(?:不|没有|沒有|没|沒|无|無|非|未|勿|别|別)\w{0,2}$")
_ELISION = re.compile(r"(?<!\w)\w{1,2}['’]$")
"""The article or preposition that is written together with the phrase (`d'eau`)."""
_PIECE = re.compile(r"[^\W_]+(?:['’][^\W_]+)*|[^\w\s]")


def is_denied(folded: str, start: int, language: str | None = None) -> bool:
    """Whether the phrase at `start` of a folded text is denied (`no water`, `tidak minum air`, `do not rest`).

    `language` (ISO 639-1) chooses the negators; English ones count in every language.
    """
    before = folded[max(0, start - _LOOK_BACK_CHARS) : start]
    if _UNSPACED.search(before):
        return True
    pieces = _PIECE.findall(_ELISION.sub("", before))
    negators, conditions = _words(language)
    for back in range(min(len(pieces), _WINDOW_WORDS + 1)):
        at = len(pieces) - 1 - back
        piece = pieces[at]
        if piece in negators or piece.endswith("n't"):
            follows = pieces[at + 1] if at + 1 < len(pieces) else ""
            earlier = pieces[max(0, at - 2) : at]
            return follows not in _NO_DENIAL and not any(word in conditions for word in earlier)
        if not piece[0].isalnum() or piece in _TURNS:
            return False
    return False


@lru_cache(maxsize=64)
def _words(language: str | None) -> tuple[frozenset[str], frozenset[str]]:
    """The negators and the words that make a condition of them."""
    base = re.split(r"[-_]", (language or "en").lower())[0]
    return _set(f"{_NEGATORS['en']} {_NEGATORS.get(base, '')}"), _set(
        f"{_CONDITIONS['en']} {_CONDITIONS.get(base, '')}"
    )
