"""How a text denies what stands before or behind, in the languages that `cues` does not hold.

Dutch, Swedish, Danish, Norwegian, Finnish, Polish, Czech, Romanian, Hungarian, Russian, Ukrainian, Greek, Turkish, Vietnamese,
Arabic, Hindi, Japanese, Korean and Chinese. A negator counts right beside what it denies, or with a word of being between them:
`не только`, `niet alleen` and `nie później niż` deny nothing.
"""

from __future__ import annotations

import re

from modex.core.answers.assertion.tokens import word_set
from modex.core.foundation.lazy_regex import deferred

_OPEN = r"[\"'“”„‘’«»*_(]{0,4}$"
_BEFORE = (
    r"(?:niet|geen|nooit)(?: (?:in|op|te|de|het|een|door)){0,2}"
    r"|(?:inte|icke|aldrig|ikke|aldri)(?: (?:i|på|en|ett|et|det|den|av|af)){0,2}"
    r"|(?:ei|eivät|eikä)(?: (?:ole|ollut|se|suinkaan)){1,2}"
    r"|nie(?: (?:jest|był|była|było|są|to|w|we|na)){0,2}"
    r"|(?:není|nebyl[ao]?|nejsou|nikoliv?)(?: (?:to|v|ve|na)){0,2}"
    r"|nu(?: (?:este|e|era|sunt|a fost|în|la)){1,2}"
    r"|nem(?: (?:a|az)){0,2}"
    r"|(?:не|ни|ані)(?: (?:является|являл\w{1,4}|был[аои]?|это|есть|є|був|бул[аои]|це|в|во|у|на|город|місто)){0,3}"
    r"|(?:όχι|οχι|δεν|μην|ούτε)(?: (?:είναι|ήταν|η|ο|το|οι|τα|την|τον|στην|στον|στο)){0,3}"
    r"|(?:không|chẳng|chả)(?: (?:phải|là|ở|thuộc|tại)){1,3}"
    r"|(?:ليست?|ليسوا|لا|لم تكن|لم يكن|غير)(?: (?:هي|هو|مدينة|في|من)){0,2}"
)
_FIRST = r"(?:ei|ne|nu)"
"""Short words of other languages too: they deny where a sentence or a clause begins."""
BEFORE = deferred(
    rf"(?<![\w'’-])(?:{_BEFORE})[ \t]+{_OPEN}"
    rf"|(?:^|(?<=[.,;:!?—–-] ))[\s\"'*_(]{{0,4}}{_FIRST}[ \t]+(?:(?:în|la|v|ve)[ \t]+)?{_OPEN}"
    r"|[不没沒](?:应该|應該|会|會|可能|再)?(?:是|叫|在|属于|屬於)[^\w\s]{0,3}$"
    r"|(?:вместо|кроме|замість|крім|zamiast|oprócz|místo|kromě|in plaats van|behalve"
    r"|i stället för|istället för|i stedet for|în loc de"
    r"|αντί για|αντί|thay vì|بدلا من|بدلاً من)[ \t]+(?:de |het |η |ο |το )?[\"'“”„‘’«»*_(]{0,4}$",
    re.IGNORECASE,
)
"""Ends where the candidate begins: `не Канберра`, `niet in Amsterdam`, `ليست باريس`; not `Nee, Amsterdam`."""
AFTER = deferred(
    r"[\"'“”„‘’«»*_)]{0,4}(?:['’]?[^\W\d_]{0,4} değil(?:dir)?(?! mi\b)(?![^\W_])"
    r"|\s?(?:이|가|은|는|도|에|에서)?\s?아(?:니|닌|님|닙)"
    r"|\s?(?:में |को |का |की )?(?:नहीं|नही)(?![^\W_])"
    r"|\s?(?:でなく|でない|ではござ|とは違|ではあり得)"
    r"|\s(?:is|was|ligt|är|var|er|ligger|on|to|jest|je|není|este|είναι)"
    r"\s(?:het|dat|det|to|se)?\s?(?:niet|inte|ikke|ei|nie)"
    r"(?! (?:alleen|slechts|bara|endast|kun|bare|tylko))(?![^\W_])"
    r"|\s(?:ei ole|nie jest|není|nu este|nem|не является|не є|δεν είναι|không phải)"
    r"(?! (?:только|лише|tylko|jen|doar|csak|μόνο|chỉ))(?![^\W_]))",
    re.IGNORECASE,
)
"""Begins where the candidate ends: `Ankara değil`, `파리가 아니라`, `दिल्ली नहीं`."""
NEGATORS = word_set("""
    niet geen nooit inte icke ikke aldrig aldri ei eivat nie nu nem neni nebyl nebyla nikoliv nikoli не ни ані οχι δεν ουτε
    khong chang degil ليس ليست لا नहीं नही
""")
"""Folded words that make a clause no answer."""
ASKS_NOT = deferred(
    r"(?<![\w'’])(?:niet|geen|inte|ikke|ei ole|nie|není|nejsou|nu|nem|не|όχι|δεν|không|değil|ليست?|नहीं)"
    r"(?![\w'’])|아닌|않|でない|ではない",
    re.IGNORECASE,
)
"""Of a question: that it asks what is not so."""
_SPAN_CHARS = 60


def denied_elsewhere(before: str, after: str) -> bool:
    """Whether what stands between `before` and `after` is denied in one of these languages."""
    return BEFORE.search(before[-_SPAN_CHARS:]) is not None or AFTER.match(after) is not None
