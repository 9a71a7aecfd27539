"""How many decimals a question asks its answer to have (`two decimals`, `2 angka di belakang koma`, `X.XX`)."""

from __future__ import annotations

import re

from modex.core.foundation.lazy_regex import deferred

_READ_CHARS = 4000
_WORDS = {
    **dict.fromkeys(("one", "satu", "eine", "einer", "une", "una", "uma", "一", "1"), 1),
    **dict.fromkeys(("two", "dua", "zwei", "deux", "dos", "due", "duas", "dois", "二", "两", "兩", "2"), 2),
    **dict.fromkeys(("three", "tiga", "drei", "trois", "tres", "tre", "três", "三", "3"), 3),
    **dict.fromkeys(("four", "empat", "vier", "quatre", "cuatro", "quattro", "quatro", "四", "4"), 4),
    **dict.fromkeys(("five", "lima", "fünf", "cinq", "cinco", "cinque", "五", "5"), 5),
    **dict.fromkeys(("six", "enam", "sechs", "seis", "sei", "六", "6"), 6),
    "tenth": 1,
    "hundredth": 2,
    "thousandth": 3,
}
_NUMBER = "|".join(sorted((word for word in _WORDS if not word.endswith("th")), key=len, reverse=True))
_ASKED = deferred(
    r"(?<![\w.,])(?P<a>" + _NUMBER + r")[ -](?:(?:digits?|figures?|places?|angka|tempat|casas|cifras|cifre)[ ])?"
    r"(?:decimals?(?![\w-])|desimal|d\.?p\b|nachkommastelle|dezimalstelle|décimale|decimal(?:i|es)\b|decimais)"
    r"|(?<![\w.,])(?P<b>"
    + _NUMBER
    + r") (?:digits?|places?|figures?|decimals|angka|stellen|chiffres|cifras|dígitos|cifre|casas) "
    r"(?:after the (?:decimal )?(?:point|comma)|(?:di )?(?:belakang|setelah) koma|nach dem komma|après la virgule"
    r"|después de la coma|dopo la virgola|depois da vírgula)"
    r"|nearest (?P<c>tenth|hundredth|thousandth)(?!s)"
    r"|(?<![A-Za-z])(?-i:X{1,4}[.,](?P<x>X{1,6}))(?![A-Za-z])"
    r"|(?P<d>[一二两兩三四五六1-6])位小数|小数点[后後](?P<e>[一二两兩三四五六1-6])位|小数(?:点以下|点以下第|第)(?P<f>[一二三四五六1-6])(?:桁|位)",
    re.IGNORECASE,
)
_BOUNDED = deferred(
    r"(?:at least|at most|up to|no more than|minimal|maksimal|setidaknya|paling (?:sedikit|banyak)|mindestens|höchstens"
    r"|au (?:moins|plus)|al menos|como máximo|almeno|al massimo|pelo menos|no máximo|至少|最多)\s{0,2}$",
    re.IGNORECASE,
)


def asked_decimals(prompt: str) -> int | None:
    """The number of decimals that the end of a prompt asks for; None where it names none, two, or only a bound."""
    question = prompt[-_READ_CHARS:]
    found: set[int] = set()
    for match in _ASKED.finditer(question):
        if _BOUNDED.search(question, max(0, match.start() - 24), match.start()):
            continue
        said = match["x"]
        found.add(len(said) if said else _WORDS[match[match.lastgroup or "a"].casefold()])
    return found.pop() if len(found) == 1 else None
