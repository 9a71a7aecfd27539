"""What a simulated user did wrong, found by rules: so that its faults are not counted as the model's.

The rules err towards finding nothing: a user who leaves because the model said that all was done is not at fault, however
little it had said until then.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from modex.core.evaluators.text.patterns import occurs
from modex.core.evaluators.tool_call.final_text import asking
from modex.core.llm.types import Message
from modex.core.pipeline.rollout.user_claims import invented
from modex.core.pipeline.rollout.user_goals import changed_goal
from modex.core.pipeline.rollout.user_leaving import only_says_goodbye
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
_HELPING = re.compile(
    r"\bI(?:['’]ve| have) (?:now |just |successfully |already )*(?:cancel|process|updat|book|issu|refund|exchang"
    r"|chang)\w*(?: \w+)? your\b"
    r"|\byour (?:order|request|refund|reservation|booking|account) (?:has been|is now) (?:cancel|process|updat|book|issu"
    r"|confirm)\w*"
    r"|\bthank you for (?:contacting|calling|reaching out|your patience)\b",
    re.IGNORECASE,
)
"""What only the one who helps says, and a user now and then repeats."""
_MACHINE = re.compile(
    r"\bas an? (?:AI|language model|virtual assistant)\b|</?tool_call>|\bals (?:KI|Sprachmodell)\b", re.IGNORECASE
)
MANY_ASKED = 2
"""How often the model has to have asked before a user counts as one that withholds what it knows."""


@dataclass(frozen=True, slots=True)
class UserFault:
    """One fault: its kind, as `SimulatedUser.fault` names it, a sentence, and whether it is `certain` or `likely`."""

    kind: str
    why: str
    sure: str = "certain"


def fault_of(
    spec: UserSpec, dialogue: Sequence[Message], lines: Sequence[str], text: str, *, leaves: bool
) -> UserFault | None:
    """What is wrong with the user's next message `text`, its stop word taken out; None where nothing is found.

    `dialogue` is the conversation before it as the user saw it (the model's messages are `user` there), `lines` the user's own.
    What is certain comes before what is likely.
    """
    if not text.strip() and not leaves:
        return UserFault("said_nothing", "the user's message is empty")
    found = list(_faults(spec, dialogue, lines, text, leaves=leaves))
    return next((one for one in found if one.sure == "certain"), found[0] if found else None)


def _faults(
    spec: UserSpec, dialogue: Sequence[Message], lines: Sequence[str], text: str, *, leaves: bool
) -> Iterator[UserFault]:
    if found := _SERVING.search(text):
        yield UserFault("swapped_roles", f"the user speaks as the one who helps: {found[0]!r}")
    elif found := _MACHINE.search(text):
        yield UserFault("swapped_roles", f"the user speaks as a machine: {found[0]!r}")
    elif found := _HELPING.search(text):
        yield UserFault("swapped_roles", f"the user speaks as the one who helps: {found[0]!r}", "likely")
    own = [spec.goal, *spec.facts, *spec.must_say, spec.style]
    told = "\n".join([*own, *spec.stop_words, *(str(message["content"]) for message in dialogue)])
    if claim := invented(told, text):
        yield UserFault(
            "invented",
            f"the user says {claim.words}, which neither its facts nor the conversation hold",
            "certain" if claim.certain else "likely",
        )
    last = said_last(dialogue)
    if changed := changed_goal("\n".join(own), told, last, text):
        yield UserFault("changed_goal", changed, "likely")
    if leaves and only_says_goodbye(text):
        yield from _left(spec, [*lines, text] if text.strip() else lines, last, silent=not text.strip())


def _left(spec: UserSpec, lines: Sequence[str], asked: str, *, silent: bool) -> Iterator[UserFault]:
    """Whether a user had to stay that leaves after the model's message `asked`, having said `lines`."""
    if not was_asked(asked):
        return
    kind, when = ("left_at_once", "at once, ") if len(lines) <= 1 else ("left_early", "")
    unsaid = _unsaid(spec, lines)
    if unsaid is not None:
        yield UserFault(kind, f"the user left {when}when it was asked, before it had said /{unsaid}/")
    elif silent and not spec.must_say:
        yield UserFault(kind, f"the user left {when}without an answer to what the model asked", "likely")


def left_behind(spec: UserSpec, lines: Sequence[str], reply: str) -> UserFault | None:
    """What is wrong with having left, by what the model answered to the user's last message; None where nothing is."""
    return next(_left(spec, lines, reply, silent=True), None)


def withheld(spec: UserSpec, dialogue: Sequence[Message], lines: Sequence[str]) -> UserFault | None:
    """What the user never said in a conversation that its turns ended, although the model asked again and again."""
    unsaid = _unsaid(spec, lines)
    asked = sum(message["role"] == "user" and was_asked(str(message["content"])) for message in dialogue[2:])
    if unsaid is None or asked < MANY_ASKED:
        return None
    return UserFault("withheld", f"the user never said /{unsaid}/, though the model asked {asked} times", "likely")


def _unsaid(spec: UserSpec, lines: Sequence[str]) -> str | None:
    """The first pattern of what it has to say that it has not said."""
    return next((one for one in spec.must_say if not _mentioned(one, lines)), None)


def _mentioned(pattern: str, messages: Sequence[str]) -> bool:
    return any(occurs(pattern, message, ignore_case=True) for message in messages)


def said_last(dialogue: Sequence[Message]) -> str:
    """What the model said last, in a conversation as the user saw it."""
    return next((str(message["content"]) for message in reversed(dialogue) if message["role"] == "user"), "")


def was_asked(text: str) -> bool:
    """Whether the model asked for something, and not only whether there is anything else."""
    return any(not _CLOSING.search(sentence) for sentence in asking(text))
