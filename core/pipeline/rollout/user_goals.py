"""Whether a simulated user asks for something else than its goal: it says so, or asks for a deed that nothing spoke of."""

from __future__ import annotations

import re

_TURNS = re.compile(
    r"\b(?:I(?:['’]ve| have)? changed my mind|on second thought|scratch that|forget (?:about )?(?:that|it|the \w+)\b"
    r"|actually,? (?:I(?:['’]d| would) (?:rather|prefer)|I don['’]t want|let['’]?s not|can (?:you|we) instead)"
    r"|I no longer want|I don['’]t want (?:to|that|it|this) any ?more)"
    r"|\b(?:ich habe es mir anders überlegt|ich möchte doch (?:lieber|nicht)|doch lieber|vergessen Sie (?:das|es))\b"
    r"|\b(?:cambié de (?:opinión|idea)|he cambiado de (?:opinión|idea)|pensándolo mejor|ya no quiero)\b"
    r"|\b(?:j['’]ai changé d['’]avis|finalement,? je (?:préfère|ne veux)|je ne veux plus)\b|\bmudei de ideia\b"
    r"|\bberubah pikiran\b",
    re.IGNORECASE,
)
_OPEN = re.compile(
    r"\b(?:chang\w*|mind|instead|rather|prefer\w*|unless|otherwise|if|or else|alternativ\w*|fall ?back|only then|falls|wenn"
    r"|sonst|statt\w*"
    r"|lieber|si|sinon|cambi\w*|plutôt|kalau|jika)\b",
    re.IGNORECASE,
)
"""Words of a goal that leaves more than one way open."""
_REFUSED = re.compile(
    r"\b(?:can(?:['’]?t|not)|unable|not (?:possible|able|allowed|available|eligible)|unfortunately|sorry|instead"
    r"|alternativ\w*|or would you"
    r"|leider|nicht möglich|stattdessen|lamentablemente|no (?:es posible|puedo)|malheureusement|impossible|tidak (?:bisa"
    r"|dapat)|maaf)\b",
    re.IGNORECASE,
)
_ASKS = re.compile(
    r"\b(?:I (?:want|need|wish)|I(?:['’]d| would) like|please|(?:can|could|would|will) you|can I|could I|help me|let['’]s"
    r"|I(?:['’]m| am) (?:calling|looking|trying) to"
    r"|ich (?:möchte|will|würde)|bitte|können Sie|kannst du|quiero|quisiera|por favor|puede[ns]?|je (?:veux|voudrais)"
    r"|pouvez-vous|saya (?:mau|ingin)|tolong)\b",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"[^.!?\n]+[.!?\n]?")
_DEEDS: dict[str, tuple[str, ...]] = {
    "cancel": ("cancel", "call off", "undo", "annul", "storn", "abbestell", "absag", "batal", "anul"),
    "return": ("return", "send back", "send it back", "give back", "zurück", "devol", "devuel", "renvoy", "retour", "kembali"),
    "exchange": ("exchang", "swap", "trade in", "trade it", "umtausch", "tausch", "échang", "intercambi", "tukar"),
    "refund": ("refund", "money back", "reimburs", "compensat", "erstatt", "reembols", "rembours"),
    "upgrade": ("upgrad", "business class", "first class"),
    "downgrade": ("downgrad",),
    "subscribe": ("subscri", "sign up", "sign me up", "abonn", "suscri"),
    "delete": ("delet", "remov", "close my account", "erase", "lösch", "elimin", "supprim", "hapus"),
    "transfer money": ("transfer money", "wire ", "send money", "überweis"),
    "book": ("book", "reserv", "buch", "réserv", "pesan"),
    "buy": ("buy", "purchas", "kauf", "compr", "achet", "beli"),
}  # fmt: skip
_SAME = {
    "refund": ("cancel", "return", "exchange"), "upgrade": ("book",), "downgrade": ("book",), "buy": ("book", "exchange"),
    "book": ("buy",), "delete": ("cancel",), "cancel": ("delete",), "return": ("exchange",), "exchange": ("return",),
}  # fmt: skip
"""Deeds that follow from others, or are called by their names."""


def changed_goal(goal: str, told: str, last: str, text: str) -> str | None:
    """What `text` wants although it was never the goal, in words; None where nothing is found.

    `told` is all that the user was told, in its goal, its facts and the conversation; `last` is the model's last message.
    """
    if _REFUSED.search(last):
        return None
    if (turn := _TURNS.search(text)) and not _OPEN.search(goal):
        return f"the user says {turn[0]!r}, of which its goal knows nothing"
    for sentence in _SENTENCE.findall(text):
        if not _ASKS.search(sentence):
            continue
        for deed, words in _DEEDS.items():
            known = (*words, *(word for other in _SAME.get(deed, ()) for word in _DEEDS[other]))
            if (said := _word_of(words, sentence)) and not any(_stands(word, told) for word in known):
                return f"the user asks for {said!r}, of which neither its goal nor the conversation spoke"
    return None


def _word_of(words: tuple[str, ...], text: str) -> str | None:
    found = (re.search(rf"(?<!\w){re.escape(word)}\w*", text, re.IGNORECASE) for word in words)
    return next((match[0] for match in found if match), None)


def _stands(word: str, text: str) -> bool:
    return word in text.casefold()
