"""The verbs of questions and of the sentences that answer them, their irregular forms and what stands for them."""

from __future__ import annotations

_VERBS = """
    write wrote written writes writing writer author authored pen penned compose composed composer composes
    / sing sang sung sings singer singing perform performed performs record recorded
    / play plays played playing portray portrayed portrays act acted actor actress star stars starred starring voice voiced voices
    / direct directed director directs / invent invented inventor / discover discovered discoverer discovery
    / paint painted painter paints / found founded founder / create created creator creates
    / win wins won winner winning winners champion champions
    / release released releases come came comes out premiere premiered air aired debut debuted launch launched publish published
    / begin began begun begins start started starts beginning / end ended ends finish finished over
    / fall fell fallen falls / sink sank sunk sinks / die died dies death dead / born birth
    / build built builds building construct constructed completed / lead led leads leader / fight fought / sell sold sells
    / buy bought / make made makes / give gave given / take took taken takes / become became becomes / hold held holds host hosted
    / lose lost loses / get got / go went gone goes / leave left leaves / rise rose risen / speak spoke spoken speaks
    / teach taught / bring brought / catch caught / draw drew drawn / drive drove driven / fly flew flown / grow grew grown
    / meet met / run ran runs / see saw seen / send sent / shoot shot / stand stood / steal stole stolen / strike struck
    / wear wore worn / sign signed signing / happen happened occur occurred / marry married marries wife husband spouse
    / schrieb geschrieben schreibt verfasst verfasste / pintó pintado pintor pintada / escribió escrito escrita
"""


def _classes() -> dict[str, frozenset[int]]:
    found: dict[str, set[int]] = {}
    for number, row in enumerate(_VERBS.split("/")):
        for word in row.split():
            found.setdefault(word, set()).add(number)
    return {word: frozenset(numbers) for word, numbers in found.items()}


CLASSES = _classes()
"""Folded words of what a question asks, each with the numbers of the groups that it is in: words of one group say the same."""
