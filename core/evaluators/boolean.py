"""Yes or no, in the languages the suites speak."""

from __future__ import annotations

import re

from core.evaluators.text import fold, strip_wrapping, words


def _set(spellings: str) -> frozenset[str]:
    return frozenset(spellings.split())


_YES = _set(
    "true yes yeah yep correct right ya iya benar betul sí si sim oui vrai ja wahr richtig waar verdadero "
    "verdadeiro cierto vero да верно правда так evet doğru hai はい 真 正确 正しい 예 네 हाँ हां सही نعم صحيح đúng có "
)
_NO = _set(
    "false no nope incorrect wrong tidak bukan salah non não nao faux nein falsch nee onwaar falso нет неверно "
    "ложь ні hayır yanlış いいえ 假 错误 错 아니요 아니오 नहीं गलत لا خطأ sai không "
)
_CHINESE = (
    (False, ("不是", "不对", "不正确", "否", "错误", "いいえ", "偽")),
    (True, ("是", "对", "正确", "真", "はい")),
)
_NEGATORS = _set(
    "not isn't wasn't doesn't don't cannot can't never nicht kein pas niet не tidak bukan non no não neither nor "
)
_LEAD = re.compile(
    r"^(?:(?:the|my|final)\s+)*(?:answer|jawaban(?:nya)?|antwort|réponse|respuesta|risposta|resposta|ответ)"
    r"(?:\s+(?:is|adalah|lautet|est|es|è|é))?\s*[:=-]?\s*"
)


def read_boolean(text: str) -> bool | None:
    """Read an answer as yes (`True`) or no (`False`); None where it is neither, both, or hedged.

    The first word decides (`Tidak, karena …` is no, whatever follows); else exactly one polarity must occur, as a whole
    word and not negated: `this is true` is yes, `not true` is no, `true or false` is nothing.
    """
    folded = _LEAD.sub("", fold(strip_wrapping(text)))
    folded = fold(strip_wrapping(folded))
    for verdict, heads in _CHINESE:
        if folded.startswith(heads):
            return verdict
    found = words(folded)
    if not found:
        return None
    if found[0] in ("not", "nicht", "bukan", "tidak") and len(found) > 1 and found[1] in _YES | _NO:
        return found[1] in _NO
    rest = set(found[1:])
    if found[0] in _YES:
        return None if len(found) <= 4 and {"or", "oder", "atau", "ou", "o", "и", "или"} & rest and rest & _NO else True
    if found[0] in _NO:
        return None if len(found) <= 4 and {"or", "oder", "atau", "ou", "o", "или"} & rest and rest & _YES else False
    yes, no = rest & _YES, rest & _NO
    if bool(yes) == bool(no) or len(found) > 30:
        return None
    return None if rest & (_NEGATORS - no) or found[0] in _NEGATORS else bool(yes)
