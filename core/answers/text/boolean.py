"""Yes or no, in the languages the suites speak, decided by the sentence that answers."""

from __future__ import annotations

import re

from modex.core.answers.text.text import fold, strip_wrapping, words
from modex.core.foundation.lazy_regex import deferred


def _set(spellings: str) -> frozenset[str]:
    return frozenset(fold(word) for word in spellings.split())


_YES = _set(
    "true yes yeah yep yup y correct right affirmative absolutely definitely certainly indeed sure surely exactly agreed "
    "ya iya benar betul sí si sì sim oui vrai ja jawohl wahr richtig waar verdadero verdadera verdadeiro cierto "
    "correcto vero corretto "
    "да верно правда так evet doğru hai はい 真 正确 正しい 예 네 हाँ हां सही نعم صحيح đúng có tentu pasti claro natürlich "
    "stimmt bien_sûr"
)
_NO = _set(
    "false no nope nah n incorrect wrong never untrue negative tidak bukan salah jangan non não nao faux nein "
    "falsch unwahr nee onwaar "
    "falso нет неверно никогда ложь ні hayır yanlış いいえ 假 错误 错 아니요 아니오 नहीं ग़लत गलत لا خطأ sai không niemals "
    "jamais nunca "
    "tak_benar mai impossible"
)
_OPENING_ONLY = _set(
    "right absolutely definitely certainly indeed sure surely exactly never y n negative si tentu pasti claro ja so impossible"
)
"""Words that are an answer at the head of a sentence, and something else within one (`right now`, `never mind`)."""
_STATED = {
    "holds": True, "follows": True, "valid": True, "invalid": False, "accurate": True, "inaccurate": False, "unlikely": False,
    "berlaku": True, "valide": True, "gültig": True, "ungültig": False,
}  # fmt: skip
_NEGATORS = _set(
    "not isn't wasn't aren't weren't doesn't don't didn't can't cannot couldn't won't wouldn't never nicht kein "
    "keine pas niet не "
    "tidak bukan no non não neither nor hardly ain't"
)
_IDIOMS = deferred(
    r"\b(?:(?:there(?:'s| is) )?no (?:doubt|question|problem|wonder)(?: about it)?|without (?:a |any )?(?:doubt|question)|"
    r"never mind,?|yes or no|true or false|tidak diragukan(?: lagi)?|ohne zweifel|kein zweifel|zweifellos|"
    r"sans (?:aucun )?doute|sin duda)\b"
)
_DENIALS = deferred(
    r"^\W*not (?:really|quite|exactly|anymore|any more|in the least|even close|so)\b"
    r"|\b(?:(?:absolutely|definitely|certainly|of course|surely|probably|obviously|clearly) not|not at all|by no means|no way|"
    r"tentu (?:saja )?tidak|natürlich nicht|auf keinen fall|bien sûr que non|pas du tout|claro que no|"
    r"por supuesto que no|nothing of the sort)\b"
)
_ASSENTS = deferred(
    r"\b(?:of course|by all means|tentu saja|bien sûr|por supuesto|claro que sí|auf jeden fall|na klar)\b"
)
_CHINESE = (
    (False, ("不是", "不对", "不正确", "不会", "不能", "不可以", "没有", "否", "错误", "いいえ", "偽", "不")),
    (True, ("是", "对", "正确", "真", "はい", "会", "能", "可以")),
)
_LEAD = deferred(
    r"^(?:(?:the|my|final)\s+)*(?:answer|verdict|jawaban(?:nya)?|antwort|réponse|respuesta|risposta|resposta|ответ|答案|答え)"
    r"(?:\s+(?:is|adalah|lautet|est|es|è|é|是))?\s*[:=是-]?\s*"
)
_SENTENCE = deferred(r"(?<=[.!?。！？।\n])\s*")
_OR = _set("or oder atau ou o и или oppure of and und dan et y e")
_ADJECTIVES = _set(
    "true false correct incorrect wrong untrue vrai faux wahr falsch richtig benar salah betul verdadero falso "
    "cierto correcto vero"
)
_NOT_AN_ANSWER = _set(
    "one body longer more idea information answer need matter mind comment comments clue worries worry data opinion evidence way "
    "reason problem thanks thank sense chance further such other"
)
_UNKNOWN = deferred(
    r"(?<![\w'])(?:i (?:do not|don't|cannot|can't|can not|could not|couldn't) (?:really )?(?:know|tell|say|answer"
    r"|determine|decide)"
    r"|(?:i am|i'm) (?:not sure|unsure|uncertain)|not sure|no way to (?:know|tell|say)|it depends|whether|who knows|unclear"
    r"|(?:not|n't) (?:have )?enough (?:information|data)|(?:saya )?tidak (?:tahu|yakin)|entahlah|tergantung"
    r"|(?:ich )?wei(?:ss|ß) (?:es |ich )?(?:es )?nicht|keine ahnung|kein kommentar|kommt darauf an|je ne sais pas|aucune idée"
    r"|ça dépend"
    r"|no (?:lo )?sé|ni idea|sin comentarios|depende|non (?:lo )?so|dipende|não sei|sem comentários|не знаю)(?![\w'])"
    r"|不知道|不清楚|不确定|無法確定|无法确定|わかりません|分かりません|知りません"
)
_UNDECIDED = deferred(
    r"\W*(?:(?:itu|ini|hal (?:ini|itu)|jawaban(?:nya)?|masih|memang)\s)*(?:belum (?:tentu|pasti)"
    r"|tidak (?:bisa|dapat) (?:dipastikan|ditentukan|diketahui|dijawab|disimpulkan)(?![^\W_])"
    r"|tidak (?:jelas|pasti|ada jawaban(?:nya)?(?: yang (?:pasti|jelas))?)\W*$)"
)
"""Indonesian sentences that begin as a no and leave it open."""
_PLAIN_YES = _set("yes ya iya ja oui sí sì sim да evet")
_PLAIN_NO = _set("no tidak nein non não нет hayır")
_OPPOSITES = ((_PLAIN_YES, _PLAIN_NO), (_set("true"), _set("false")), (_set("benar betul"), _set("salah")))
"""Words that contradict each other; `Yes, false` agrees to a denial."""
_HEDGES = deferred(
    r"(?<![\w'])(?:maybe|perhaps|possibly|vielleicht|mungkin|peut-être|quizás?|tal vez|forse|talvez)(?![\w'])"
)
_TURNED = deferred(
    r"(?<![\w'])(?:but|however|aber|sondern|tapi|tetapi|mais|pero|sino|ma|mas)(?![\w'])[ ,]*"
    r"|(?<![\w'])(?:answer|verdict|jawaban(?:nya)?|antwort|réponse|respuesta"
    r"|risposta|resposta)\s(?:is|adalah|lautet|ist|est|es|è|é)(?![\w'])\s*"
)
_REPORTS = deferred(
    r"(?<![\w'])(?:said|say|says|thought|think|believe|claim|first|initially|sagte|dachte|mengira|pensais|pensaba|pensavo|pensava)(?![\w'])"
)
_JOINING = _set(
    "or and both either maybe perhaps oder und vielleicht atau dan mungkin ou et peut-être o y e quizás forse talvez oppure "
    "tal vez и или possibly"
)
_BOTH_CHARS = 60
_MIXED = 8
"""Words of a sentence that can be a mere yes and no."""
_BECAUSE = _set("because since as karena weil parce porque perché и так")
_CORRECTION = deferred(r"\b(?:wait|actually|correction|sorry|rather|eigentlich|maaf|ralat|perdón|pardon)\b")
_LONGEST_WORDS = 60
_SENTENCE_CHARS = 1000


def read_boolean(text: str) -> bool | None:
    """Read an answer as yes (`True`) or no (`False`); None where it is neither, both, or hedged.

    A sentence that opens with yes or no answers (`Tidak, karena …`); else the last one that states a truth value, negations
    counted: `It isn't false` is yes, `No doubt: yes` is yes, `true or false` is nothing.
    """
    if says_both(text):
        return None
    folded = _LEAD.sub("", fold(strip_wrapping(text)))
    folded = fold(strip_wrapping(folded))
    if text.rstrip(" \n\t*_\"'`").endswith(("?", "？", "؟")):
        folded += "?"
    if _UNKNOWN.match(folded):
        folded = "".join(_SENTENCE.split(folded)[1:2])
    for verdict, heads in _CHINESE:
        if folded.startswith(heads):
            return verdict
    opened: list[bool] = []
    stated: list[bool] = []
    for sentence in _SENTENCE.split(folded):
        found = _sentence(sentence)
        if found is None:
            continue
        verdict, opens = found
        corrects = _CORRECTION.search(sentence) is not None
        if corrects:
            opened, stated = [], []
        (opened if opens else stated).append(verdict)
    for verdicts in (opened, stated):
        if verdicts:
            return verdicts[0] if len(set(verdicts)) == 1 else None
    return None


def says_both(text: str) -> bool:
    """Whether an answer is a yes and a no, joined in any way or on a line each, and nothing else: `yes & no`, `Ya (tidak)`."""
    found = words(_LEAD.sub("", fold(strip_wrapping(text)))) if len(text) <= _BOTH_CHARS and "?" not in text else []
    rest = set(found) - _JOINING - {"nor"}
    return any(rest & yes and rest & no and rest <= yes | no for yes, no in _OPPOSITES)


def answers_outright(text: str) -> bool:
    """Whether a sentence of `text` begins with yes or no, and does not only state what is so."""
    folded = _LEAD.sub("", fold(strip_wrapping(text)))
    return any(found is not None and found[1] for found in map(_sentence, _SENTENCE.split(folded)))


def sentences(text: str) -> list[tuple[int, int]]:
    """Where the sentences of `text` stand, as character offsets."""
    return [match.span() for match in re.finditer(r"(?<![^\S\n])[^.!?。！？।\n]*\S[^.!?。！？।\n]*[.!?。！？।]?", text)]


def _sentence(sentence: str) -> tuple[bool, bool] | None:
    """What one sentence says, and whether it opens with that."""
    plain = _IDIOMS.sub(" ", sentence)
    if "yes or no" in sentence or "true or false" in sentence:
        return None
    if len(plain) > _SENTENCE_CHARS:
        return None
    turned = list(_TURNED.finditer(plain))
    if (
        turned
        and _REPORTS.search(plain, 0, turned[-1].start())
        and (said := _sentence(plain[turned[-1].end() :])) is not None
    ):
        return said
    if _UNDECIDED.match(plain) or _is_mixed(plain) or len(_HEDGES.findall(plain)) > 1:
        return None
    if _asks(plain) or (_UNKNOWN.search(plain) and not _opens(plain)):
        return None
    if ":" in plain and (said := _sentence(plain.rpartition(":")[2])) is not None:
        return said
    if match := _DENIALS.search(plain):
        return False, match.start() < 12
    if (match := _ASSENTS.search(plain)) and not words(plain[: match.start()]):
        return True, True
    found = words(plain.strip(" ,;:-"))
    if not found or len(found) > _LONGEST_WORDS:
        return None
    head = found[0]
    rest = found[1:]
    if head in _YES | _NO and _alone(plain, head, rest):
        return head in _YES, True
    return _statement(found)


def _is_mixed(plain: str) -> bool:
    """Whether a short sentence says yes and no, and little else: `Ja und nein`, `both yes and no`, `yes/no`."""
    found = words(plain)
    if len(found) > _MIXED or not (_YES & set(found) and _NO & set(found)):
        return False
    return all(word in _YES or word in _NO or word in _JOINING for word in found) and (
        "/" in plain or bool(_JOINING & set(found))
    )


def _asks(plain: str) -> bool:
    """Whether a sentence asks without having answered: `Is it true?`, but not `No, why would it?`."""
    return plain.rstrip("\"'* )").endswith(("?", "？", "؟")) and len(words(plain)) > 1 and not _opens(plain)


def _opens(plain: str) -> bool:
    """Whether a yes or no with a stop behind it begins the sentence."""
    found = words(plain[:40])
    return (
        bool(found) and found[0] in _YES | _NO and plain.strip(" *_\"'")[len(found[0]) :].lstrip("*_\"'")[:1] in ",;:.!"
    )


def _alone(plain: str, head: str, rest: list[str]) -> bool:
    """Whether the first word is an answer: nothing, a stop or a clause follows, and not what it describes (`wrong side`)."""
    if not rest:
        return True
    follows = plain.strip(" ,;:-")[len(head) :].lstrip("*_\"'")
    if follows[:1] in ",;:.!-—…(":
        return True
    if rest[0] in _NOT_AN_ANSWER:
        return False
    if head in _OPENING_ONLY:
        return rest[0] in _YES | _NO or rest[0] in ("so", "it", "that", "this", "they", "he", "she", "because")
    if head in _ADJECTIVES:
        return rest[0] in _BECAUSE
    return rest[0] not in _YES | _NO or rest[0] in ("benar", "so")


def _statement(found: list[str]) -> tuple[bool, bool] | None:
    """The truth value that a statement names, turned by each negation before it; None where it names both or none."""
    verdicts: set[bool] = set()
    consumed: set[int] = set()
    for index, word in enumerate(found):
        if word in _STATED:
            truth = _STATED[word]
        elif word in _YES | _NO and word not in _OPENING_ONLY and word not in _NEGATORS:
            truth = word in _YES
        else:
            continue
        for before in range(max(0, index - 4), index):
            if found[before] in _NEGATORS:
                truth = not truth
                consumed.add(before)
        verdicts.add(truth)
    if len(verdicts) == 1:
        return next(iter(verdicts)), False
    if not verdicts:
        plain = [word for word in found if word in ("no", "yes", "ya", "tidak", "ja", "nein", "non", "oui")]
        if len(found) <= 6 and len(set(plain)) == 1 and found[-1] in plain and _OR.isdisjoint(found):
            return plain[0] in _YES, False
        if found[0] in _NEGATORS and found[0] in ("never", "not"):
            return (False, True) if len(found) == 1 else None
    return None
