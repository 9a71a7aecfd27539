"""How a simulated user leaves: its stop word taken out of what it says, and whether what is left has to be heard."""

from __future__ import annotations

import re
from collections.abc import Sequence

_FAREWELL = re.compile(
    r"(?:(?:many |so |very )?thanks?(?: you)?(?: (?:so|very) much| a lot| again)*(?: for (?:your|the|all)(?: \w+){1,4}"
    r"| for (?:helping|everything)(?: me| out)*)?"
    r"|(?:that|this|it)(?:['’]s| is| was| will be)(?: all| it| everything| great| perfect| good| fine| very helpful)+"
    r"(?: (?:I (?:need|needed|wanted)|for (?:now|today)))*"
    r"|I appreciate (?:it|your help|that|the help)|you(?:['’]ve| have) been (?:very |so |most )?(?:helpful|kind)"
    r"|(?:have|enjoy) (?:a|your) (?:\w+ )?(?:day|evening|night|weekend|one|time)|(?:good ?)?bye(?:[ -]bye)?|see you"
    r"|take care|cheers"
    r"|(?:ok(?:ay)?|alright|all right|great|perfect|wonderful|excellent|good|fine|understood|got it|sounds good|awesome"
    r"|nice|sure)"
    r"|no(?:pe)?|nothing(?: else| more)?|no more questions|all (?:good|set|done)|I(?:['’]m| am) (?:all set|done|good)"
    r"|you too|same to you"
    r"|(?:vielen |herzlichen |besten )?dank(?:e)?(?: schön| sehr| Ihnen| dir)*(?: für (?:Ihre|die|deine) \w+)?|das (?:ist"
    r"|war|wäre) alles|auf wiedersehen"
    r"|tschüss|(?:schönen|einen schönen) (?:tag|abend)(?: noch)?|nein|alles klar|gut|prima|super"
    r"|(?:muchas |mil )?gracias(?: por (?:su|tu|la) \w+)?|eso es todo|adiós|hasta luego|perfecto|no"
    r"|merci(?: beaucoup)?(?: pour (?:votre|ton) \w+)?|c['’]est tout|au revoir|bonne journée|non|parfait"
    r"|(?:muito )?obrigad[oa]|é só isso|tchau|terima kasih(?: banyak)?|itu saja"
    r"|谢谢(?:你|您)?|再见|ありがとう(?:ございます|ございました)?"
    r"|شكرا(?:ً)?|धन्यवाद)",
    re.IGNORECASE,
)
_PIECE = re.compile(r"[.!?,;:—–。！？、，\n]+|(?<!\s)\s++-\s+")


def without_stop_words(text: str, stop_words: Sequence[str]) -> tuple[str, bool]:
    """What a message says besides its stop words, in any case, and whether it held one."""
    pattern = "|".join(re.escape(word) for word in sorted(stop_words, key=len, reverse=True))
    rest, number = re.subn(pattern, " ", text, flags=re.IGNORECASE)
    if not number:
        return text, False
    return re.sub(r"[ \t]{2,}", " ", rest).strip(), True


def only_says_goodbye(text: str) -> bool:
    """Whether nothing is said beyond thanks and a farewell."""
    pieces = (piece.strip(" \t\"'*()") for piece in _PIECE.split(text))
    return all(_FAREWELL.fullmatch(_lead(piece)) for piece in pieces if re.search(r"\w", piece))


def _lead(piece: str) -> str:
    """A piece without the small words it opens with: `and thank you`, `well, that's all`."""
    return re.sub(r"^(?:and|well|then|so|but|und|y|et)\s+", "", piece, flags=re.IGNORECASE)
