"""What a simulated user did wrong, found by rules: so that its faults are not counted as the model's.

The rules err towards finding nothing: a user who leaves because the model said that all was done is not at fault, however
little it had said until then.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from modex.core.evaluators.text.patterns import occurs
from modex.core.evaluators.tool_call.final_text import asking
from modex.core.llm.types import Message
from modex.core.suite.definitions import UserSpec

_CLOSING = re.compile(
    r"\b(?:any|some)thing (?:else|more|further)\b|\b(?:further|other|more) (?:help|assistance|questions?|requests?)\b"
    r"|\bsonst noch\b|\bnoch (?:et)?was\b|\bweiter\w* (?:Fragen?|Anliegen|Wünsche)\b"
    r"|\balgo más\b|\botra (?:cosa|consulta|duda)\b|\bautre chose\b|\bd['’]autres questions?\b"
    r"|\bmais alguma coisa\b|\balgo mais\b"
    r"|\b(?:ada )?lagi yang bisa\b|其他|還有|还有什么|他に|غير ذلك|और कुछ",
    re.IGNORECASE,
)
"""Questions after which one may leave: whether there is anything else."""
_SERVING = re.compile(
    r"\bhow (?:can|may) I (?:help|assist)\b|\b(?:can|may) I (?:help|assist) you\b|\bI(?:['’]ll| will) (?:help|assist) you\b"
    r"|\b(?:wie|womit) kann ich (?:Ihnen|dir) (?:behilflich|helfen|weiterhelfen)\b|¿en qué puedo ayudar"
    r"|\bcomment puis-je vous aider\b",
    re.IGNORECASE,
)
_BETWEEN_DIGITS = re.compile(r"(?<=\d)[ .,/’'-](?=\d)")
_NUMBER = re.compile(r"\d{3,}")


@dataclass(frozen=True, slots=True)
class UserFault:
    """One fault: its kind, as `SimulatedUser.fault` names it, and a sentence."""

    kind: str
    why: str


def fault_of(
    spec: UserSpec, dialogue: Sequence[Message], lines: Sequence[str], text: str, *, leaves: bool
) -> UserFault | None:
    """What is wrong with the user's next message `text`; None where nothing is found.

    `dialogue` is the conversation before it as the user saw it (the model's messages are `user` there), `said` the user's own.
    """
    if not text.strip():
        return UserFault("said_nothing", "the user's message is empty")
    if found := _SERVING.search(text):
        return UserFault("swapped_roles", f"the user speaks as the one who helps: {found[0]!r}")
    known = "\n".join([spec.goal, *spec.facts, *spec.stop_words, *(str(message["content"]) for message in dialogue)])
    told = _BETWEEN_DIGITS.sub("", known) + known
    for number in _NUMBER.findall(_BETWEEN_DIGITS.sub("", text)):
        if number not in told:
            return UserFault("invented", f"the user says {number}, which neither its facts nor the conversation hold")
    if leaves:
        unsaid = next((one for one in spec.must_say if not _mentioned(one, [*lines, text])), None)
        if unsaid is not None and _was_asked(str(dialogue[-1]["content"])):
            return UserFault("left_early", f"the user left when it was asked, before it had said /{unsaid}/")
    return None


def _mentioned(pattern: str, messages: Sequence[str]) -> bool:
    return any(occurs(pattern, message, ignore_case=True) for message in messages)


def _was_asked(text: str) -> bool:
    """Whether the model asked for something, and not only whether there is anything else."""
    return any(not _CLOSING.search(sentence) for sentence in asking(text))
