"""The scripted model in a conversation: as the user, and what it asks its user before it acts."""

from __future__ import annotations

from typing import Any

from modex.core.llm.demo.ability import VARIANTS, Dice
from modex.core.llm.demo.cues import Cue
from modex.core.llm.types import Message

_ASKS = {
    "de": ("Gern. Was muss ich noch wissen?", "Soll ich das so machen? Bitte antworten Sie mit Ja."),
    "es": ("Con gusto. ¿Qué más debo saber?", "¿Lo hago así? Responda sí, por favor."),
    "en": ("Gladly. What else do I need to know?", "Shall I do it like that? Please answer yes."),
}
_YES = {"de": "Ja, bitte.", "es": "Sí, por favor.", "en": "Yes, please."}


def user_says(dice: Dice, messages: list[Message], cue: Cue) -> str:
    """One fact an answer, then a yes, then nothing more; a hasty one leaves when it is asked."""
    user = _user(cue.context)
    facts = [str(fact) for fact in user.get("facts") or ()]
    stop = str((user.get("stop_words") or ["###STOP###"])[0])
    last = str(messages[-1].get("content") or "")
    if len(messages) < 3:
        return stop
    asked = last.rstrip().endswith(("?", "yes.", "Ja.", "por favor."))
    said: int = sum(message["role"] == "assistant" for message in messages) - 1
    if not asked:
        return stop
    if dice.roll("leaves") < VARIANTS[dice.variant].leaves_early:
        return stop
    if said < len(facts):
        return facts[said]
    return str(_YES[_language(str(messages[2].get("content") or ""))]) if said == len(facts) else stop


def asks_first(messages: list[Message], cue: Cue) -> str:
    """What the scripted model asks while its user has more to say; empty where it can act."""
    users = [str(message.get("content") or "") for message in messages if message["role"] == "user"]
    facts = len(_user(cue.context).get("facts") or ())
    more, sure = _ASKS[_language(users[0] if users else "")]
    if len(users) <= facts:
        return more
    return sure if len(users) == facts + 1 else ""


def _user(context: dict[str, Any]) -> dict[str, Any]:
    user = context.get("user")
    return user if isinstance(user, dict) else {}


def _language(text: str) -> str:
    words = set(text.casefold().split())
    if words & {"ich", "und", "die", "das", "mein", "meine", "bitte", "meinen", "hier"}:
        return "de"
    return "es" if words & {"quiero", "mi", "pedido", "por", "una", "el"} else "en"
