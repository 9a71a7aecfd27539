"""Whether a text affirms something that a pattern describes: `put butter on it`, but not `never put butter on it`.

A rule of thumb over clauses in the languages that the word lists know. It errs towards "not affirmed": what it lets
through can still be seen by a reader. (`negation` asks about one keyword and errs the other way: it looks at the words
right before it only.)
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from modex.core.evaluators.text.patterns import matches

_BEFORE = (
    # English
    r"not|\w*n['’]t|cannot|never|no|nor|neither|without|free (?:of|from)|unlike|avoid\w*|refrain|myth\w*|mistake|wrong to"
    # German, Dutch
    r"|nicht|nichts|kein\w*|nie|niemals|ohne|vermeid\w*|meid\w*|verzicht\w*|niet|geen|nooit"
    # Indonesian, Malay
    r"|jangan\w*|hindar\w*|tidak|tak|belum|bukan|tanpa|dilarang"
    # Spanish, Portuguese, Italian
    r"|nunca|jamás|evit\w*|sin|não|sem|non|senza"
    # French
    r"|ne|n['’]\w+|jamais|sans|évit\w*|pas de"
    # Hindi, Arabic
    r"|न|नहीं|मत|बिना|لا|لم|لن|ليس|بدون|تجنب|تجنبي|عدم|دون"
)
_UNSPACED = r"不|别|勿|避免|禁止|(?<!有)没|未|❌|✗|🚫"
_AFTER = (
    r"\b(?:nicht|nie|niemals|kein\w*|meiden|vermeiden|weglassen|niet)\b|(?<![\w\u0900-\u0963])(?:न|नहीं|मत)(?![\w\u0900-\u0963])"
    r"|ない|ません|ないで|ずに|避け|禁物|禁止|控え|やめ|危険|いけ|だめ|ダメ|逆効果"
)
_DENOUNCED = re.compile(
    r"\b(?:wrong|dangerous|harmful|mistake|myth|bad idea|contraindicated|forbidden|risky|unsafe|avoided"
    r"|falsch|gefährlich|schädlich|tabu|schadet|verboten|berbahaya|salah|dilarang|keliru|peligros\w+|error|contraindicad\w+"
    r"|dangereu\w+|déconseill\w+|interdit\w*|contre-indiqu\w+|perigos\w+|errad\w+)\b|危険|错误|危险|有害|致命"
    r"|ग़लत|गलत|ख़तरनाक|खतरनाक|हानिकारक|नुकसान|जानलेवा|خطأ|خطير|خطر|ضار|مضر",
    re.IGNORECASE,
)
_SIGNS = r"\u0900-\u0963"
"""Vowel signs are no letters to `re`: `लेकिन` would end in a word `न` without them."""
_NEGATED = re.compile(rf"(?<![\w{_SIGNS}])(?:{_BEFORE})(?![\w{_SIGNS}])|{_UNSPACED}", re.IGNORECASE)
_NEGATED_PORTUGUESE = re.compile(_NEGATED.pattern.replace("|no|", "|"), re.IGNORECASE)
_PORTUGUESE = re.compile(r"[ãõ]|\b(?:uma|pelo|pela|você|lhe|às|ao)\b", re.IGNORECASE)
"""What tells Portuguese, where `no` is `in the`: it says `não` and `nem`."""
_NEGATED_AFTER = re.compile(_AFTER, re.IGNORECASE)
_CONCEDED = re.compile(
    r"\b(?:even though|although|though|even if|used to|people (?:often )?(?:say|think|believe)|(?:often|sometimes) (?:told|said)"
    r"|common advice|auch wenn|obwohl|früher|oft heißt es|viele (?:glauben|denken)|meskipun|walaupun|(?:sering|kadang) dianggap"
    r"|banyak orang|aunque|mucha gente|antes se|bien que|même si|on dit souvent|embora|mesmo que)\b|とよく言われ|と思われがち"
    r"|虽然|尽管|即使|就算|有人说|हालाँकि|हालांकि|भले ही|رغم أن|مع أن",
    re.IGNORECASE,
)
"""What a clause concedes or reports before the text says otherwise."""
_INSTEAD = re.compile(
    r"\b(?:instead of|rather than|statt|anstatt|daripada|alih-alih|en (?:vez|lugar) de|em vez de|au lieu d[e'’])"
    r"\s*(?:just|to|zu|etwa|einfach)?\s*$",
    re.IGNORECASE,
)
_LIST = re.compile(
    r"(?:\b(?:not|don['’]t|nicht|jangan|tidak|no)\s*:"
    r"|\b(?:kein\w*(?! (?:sorge|panik|angst|problem))|ohne|without|avoid|hindari|evite|évitez|sin|sans|tanpa)\s+[^,;:.!?]{1,25},)"
    r"\s*(?:[^,;:.!?]{1,25},\s*){0,4}[^,;:.!?]{0,15}$"
    r"|(?:不|别|勿|禁止|避免)[^，,。！？；]{1,30}、[^，,。！？；]*$",
    re.IGNORECASE,
)
"""A list that is negated as a whole: what comes before one of its later members."""
_SENTENCE = re.compile(r"[^.!?。！？؟।\n]*(?:\.(?=\w)[^.!?。！？؟।\n]*)*[.!?。！？؟।\n]?")
_BREAK = re.compile(
    r"[,;:(—–、，；：،]|\s(?:but|aber|sondern|tapi|tetapi|namun|pero|sino|mais|mas|then|dann|lalu|kemudian|लेकिन|मगर|बल्कि|तो|फिर|ताकि|जिससे)\s",
    re.IGNORECASE,
)
_ITEM = re.compile(r"\s*(?:[-*•–]|\d{1,2}[.)]|❌|✗|🚫)\s")
_NEXT_CLAUSE = re.compile(rf"{_BREAK.pattern}|\s(?:und|and|en)\s", re.IGNORECASE)
_DENOUNCED_WITHIN = 60


def affirmed(pattern: str, text: str, *, as_written: bool = False) -> str | None:
    """The first match of `pattern` that `text` affirms, or None. Letter case does not matter.

    A match does not count in a question, in a list under a heading that denies (`Do not:`), in a clause that is negated
    before it (in German and Japanese: inside or behind it too) or only conceded (`even though …`), or where it is called
    wrong or dangerous right after. With `as_written` every match in the whole text counts: for patterns that hold a negation
    themselves (`no need to see a doctor`).

    Raises:
        JudgeError: the pattern does not compile, or takes more than two seconds on one sentence.
    """
    if as_written:
        found = next((match for match in matches(pattern, text, ignore_case=True) if match.group()), None)
        return None if found is None else str(found.group())
    negated = _NEGATED_PORTUGUESE if _PORTUGUESE.search(text) else _NEGATED
    for sentence, warned in _sentences(text, negated):
        if warned:
            continue
        for match in matches(pattern, sentence, ignore_case=True, overlapped=True):
            if match.group() and not _denied(sentence, match.start(), match.end(), negated):
                return str(match.group())
    return None


def _sentences(text: str, negated: re.Pattern[str]) -> Iterator[tuple[str, bool]]:
    """The sentences of `text`, each with whether it stands in a list under a heading that denies (`What not to do:`)."""
    warned = False
    for line in text.split("\n"):
        if not line.strip():
            continue
        is_item = _ITEM.match(line) is not None
        if not is_item:
            warned = False
        for sentence in _SENTENCE.findall(line):
            yield sentence, warned
        bare = line.strip(" \t*_#")
        if not is_item and (line.lstrip().startswith("#") or bare.endswith((":", "：")) or line.strip().endswith("**")):
            warned = negated.search(bare) is not None or _NEGATED_AFTER.search(bare) is not None


def _denied(sentence: str, start: int, end: int, negated: re.Pattern[str]) -> bool:
    if sentence.rstrip().endswith(("?", "？", "؟")):
        return True
    breaks = [found.end() for found in _BREAK.finditer(sentence, 0, start)]
    clause = sentence[breaks[-1] if breaks else 0 : end]
    before = sentence[:start]
    if negated.search(clause) or _CONCEDED.search(clause) or _INSTEAD.search(before) or _LIST.search(before):
        return True
    following = _NEXT_CLAUSE.search(sentence, end)
    rest = sentence[start : following.start() if following else len(sentence)]
    if _NEGATED_AFTER.search(rest):
        return True
    found = _DENOUNCED.search(sentence, end, end + _DENOUNCED_WITHIN)
    return found is not None and not negated.search(sentence[end : found.start()])
