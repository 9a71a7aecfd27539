"""Sentences of the scripted model: enough of several languages to answer in the test's own."""

from __future__ import annotations

from typing import Any

from modex.core.llm.demo.ability import Dice
from modex.core.llm.demo.example import example_of

_LEAD = {
    "en": "Here is what matters in this case: {}.",
    "id": "Berikut ini hal-hal yang penting untuk diperhatikan: {}.",
    "de": "Das Wichtigste in diesem Fall ist Folgendes: {}.",
    "es": "Esto es lo más importante en este caso: {}.",
    "fr": "Voici ce qui est le plus important dans ce cas : {}.",
    "it": "Ecco che cosa è più importante in questo caso: {}.",
    "pt": "Isto é o que mais importa neste caso: {}.",
    "nl": "Dit is in dit geval het belangrijkste: {}.",
}
_FILL = {
    "en": (
        "I have put the main points first so that they are easy to find.",
        "Each of them follows from what was said in the question.",
        "If anything is still unclear, I am happy to explain it in more detail.",
        "It is worth going through the steps slowly, one after the other.",
    ),
    "id": (
        "Poin-poin utama saya tuliskan lebih dahulu supaya mudah ditemukan.",
        "Semuanya sesuai dengan apa yang disampaikan dalam pertanyaan.",
        "Kalau masih ada yang belum jelas, saya siap menjelaskannya lebih lanjut.",
        "Sebaiknya langkah-langkah ini dilakukan satu per satu dengan tenang.",
    ),
    "de": (
        "Die wichtigsten Punkte stehen am Anfang, damit sie leicht zu finden sind.",
        "Alle ergeben sich aus dem, was in der Frage gesagt wurde.",
        "Wenn noch etwas unklar ist, erkläre ich es gern genauer.",
        "Es lohnt sich, die Schritte in Ruhe nacheinander zu gehen.",
    ),
    "es": (
        "He puesto primero los puntos principales para que sean fáciles de encontrar.",
        "Todos ellos se deducen de lo que se dijo en la pregunta.",
        "Si algo no queda claro, con gusto lo explico con más detalle.",
        "Conviene seguir los pasos con calma, uno después de otro.",
    ),
    "fr": (
        "J'ai mis les points principaux au début pour qu'ils soient faciles à trouver.",
        "Chacun découle de ce qui a été dit dans la question.",
        "Si quelque chose reste obscur, je l'expliquerai volontiers plus en détail.",
        "Il vaut la peine de suivre les étapes calmement, l'une après l'autre.",
    ),
}


def keyword_text(expected: dict[str, Any], dice: Dice, *, right: bool) -> str:
    """A text with the keywords that `expected` asks for and none it forbids; a wrong one leaves them out."""
    language = str(expected.get("language") or "en")
    least, most = int(expected.get("min_words") or 12), int(expected.get("max_words") or 10_000)
    words = [word for item in expected["keywords"] if (word := _keyword(item))] if right else []
    fill = _FILL.get(language, _FILL["en"])
    if not words:
        start = dice.pick("fill", len(fill))
        return " ".join(fill[(start + n) % len(fill)] for n in range(2))
    text = _LEAD.get(language, _LEAD["en"]).format(", ".join(words))
    if len(text.split()) > most:
        text = ", ".join(words) + "."
    for number in range(200):
        sentence = fill[number % len(fill)]
        if len(text.split()) >= least or len(text.split()) + len(sentence.split()) > most:
            break
        text = f"{text} {sentence}"
    return text


def _keyword(item: Any) -> str | None:
    """One word or phrase that satisfies a keyword entry; None for what must not be there."""
    if isinstance(item, str):
        return item
    if isinstance(item, list):
        return next((word for entry in item if (word := _keyword(entry))), None)
    if not isinstance(item, dict) or item.get("forbidden"):
        return None
    for name in ("any", "word", "keyword", "text"):
        if name in item:
            return _keyword(item[name])
    return example_of(str(item["regex"])) if "regex" in item else None


def solution(answer: str, dice: Dice) -> str:
    """A response in which `answer` stands for PASS 2 to find."""
    openings = ("Let me work this out step by step.", "I take it in order.", "First I look at what is given.")
    middles = (
        "Putting the given facts together leaves only one possibility.",
        "Each step follows from the one before it.",
        "I checked the result against the question once more.",
    )
    closings = ("So the answer is **{}**.", "Answer: {}", "Therefore the final answer is {}.", "The answer is {}.")
    closing = closings[dice.pick("closing", len(closings))].format(answer)
    return f"{openings[dice.pick('opening', 3)]} {middles[dice.pick('middle', 3)]}\n\n{closing}"


def thinking(cue_key: str, dice: Dice) -> str:
    """A thought in tags, as open models write it; at times nested."""
    thought = f"This is a scripted thought about {cue_key}. I should read the question twice, then answer."
    if dice.roll("nested") < 0.05:
        thought += " <think>A thought within the thought.</think> Back to the question."
    return f"<think>\n{thought}\n</think>\n\n"
