"""Whose fault it is that a sample has no fair verdict: one party for each, told from what is stored with the sample.

The kind of the error names the party (`PARTY_OF`, which holds every kind). A call can fail in the same way whoever was called:
there the message says who it was (`SAID_OF`). Nothing is stored for it, so that samples of older versions name one too.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from enum import StrEnum
from pathlib import PurePath
from typing import Protocol

from modex.core.foundation.errors import CUT_OFF, ErrorType
from modex.core.foundation.lazy_regex import deferred


class Party(StrEnum):
    """Who can be at fault."""

    MODEL = "model"
    """What is evaluated, an agent too."""
    TOOL = "tool"
    """A tool that is missing here, or whose recording is."""
    SERVER = "server"
    """What answers for the model or a tool: a provider's endpoint, an MCP server."""
    USER = "user"
    """The model that plays the user."""
    JUDGE = "judge"
    """What gives the verdict: an evaluator, or the model that it asks."""
    PARSER = "parser"
    """What takes the answer out of a response: PASS 2."""
    ENVIRONMENT = "environment"
    """The rest: network, key, budget, the test itself, this program."""


USER_FAULT = "user_fault"
"""The flag of a conversation in which the user did something wrong: the model failed it for another's fault."""
PARTY_OF: Mapping[str, Party] = {
    ErrorType.RATE_LIMIT: Party.SERVER,
    ErrorType.SERVER_ERROR: Party.SERVER,
    ErrorType.CONNECTION: Party.ENVIRONMENT,
    ErrorType.TIMEOUT: Party.SERVER,
    ErrorType.INVALID_RESPONSE: Party.SERVER,
    ErrorType.EMPTY_CHOICES: Party.SERVER,
    ErrorType.ERROR_BODY: Party.SERVER,
    ErrorType.ERROR_TEXT: Party.SERVER,
    ErrorType.AUTHENTICATION: Party.ENVIRONMENT,
    ErrorType.PERMISSION: Party.ENVIRONMENT,
    ErrorType.MODEL_NOT_FOUND: Party.ENVIRONMENT,
    ErrorType.QUOTA: Party.ENVIRONMENT,
    ErrorType.BAD_REQUEST: Party.ENVIRONMENT,
    ErrorType.CONTEXT_WINDOW: Party.MODEL,
    ErrorType.ATTACHMENT_REFUSED: Party.ENVIRONMENT,
    **dict.fromkeys(CUT_OFF, Party.MODEL),
    ErrorType.EXTRACTION_ERROR: Party.PARSER,
    ErrorType.JUDGE_ERROR: Party.JUDGE,
    ErrorType.JUDGE_REFUSED: Party.JUDGE,
    ErrorType.EXTRACTOR_REFUSED: Party.PARSER,
    ErrorType.EVALUATOR_ERROR: Party.JUDGE,
    ErrorType.UNSUPPORTED_CODE: Party.ENVIRONMENT,
    ErrorType.SANDBOX_UNAVAILABLE: Party.ENVIRONMENT,
    ErrorType.TOOL_UNAVAILABLE: Party.TOOL,
    ErrorType.AGENT_ERROR: Party.MODEL,
    ErrorType.INVALID_TEST: Party.ENVIRONMENT,
    ErrorType.INTERNAL_ERROR: Party.ENVIRONMENT,
}
"""The party of each kind of error. Kinds that other programs and damaged rows have are the environment's."""
OF_ITSELF: Collection[str] = frozenset(
    {
        ErrorType.EXTRACTION_ERROR, ErrorType.EXTRACTOR_REFUSED, ErrorType.JUDGE_ERROR, ErrorType.JUDGE_REFUSED,
        ErrorType.EVALUATOR_ERROR, ErrorType.UNSUPPORTED_CODE, ErrorType.SANDBOX_UNAVAILABLE,
        ErrorType.INVALID_TEST, ErrorType.INTERNAL_ERROR,
    }
)  # fmt: skip
"""Kinds that name their party whatever the message says."""
SAID_OF: Mapping[str, Party] = {
    "the simulated user (": Party.USER,
    "judging: PASS 2: ": Party.PARSER,
    "judging: ": Party.JUDGE,
    "the server ": Party.SERVER,
    "the tool ": Party.TOOL,
    "the agent": Party.MODEL,
    "the state at the end cannot be told": Party.ENVIRONMENT,
    "the file of answers ": Party.ENVIRONMENT,
}
"""How the message of a failed call begins, by whom it names; the first that fits counts."""

_SERVER = deferred(
    r"(?s)the server (?P<who>.+?) (?:(?P<gone>ended|does not answer)|gave no answer to"
    r"|no longer offers (?P<tool>\S+?)[;.]?(?: |$)"
    r"|answered \S+ with an error of its own \((?P<code>-?\d+)|answered \S+ with what is no answer|cannot be reached"
    r"|gave \d+ times in a row no answer|(?P<begin>cannot begin)|(?P<state>does not tell its state))"
)
_ENDED = deferred(r"\((exit code|signal) (\d+)\)")


class Unsettled(Protocol):
    """What of a sample tells whose fault it is."""

    @property
    def status(self) -> str:
        """As stored."""
        ...

    @property
    def error_type(self) -> str | None:
        """As stored."""
        ...

    @property
    def error_message(self) -> str | None:
        """As stored."""
        ...

    @property
    def flags(self) -> Collection[str]:
        """Of the answer; as a list or as the JSON of one."""
        ...


def party_of(sample: Unsettled) -> Party | None:
    """Whose fault it is that the sample has no fair verdict; None where it has one, or needs none.

    A failed conversation whose user was at fault (flag `user_fault`) has a verdict, and not a fair one.
    """
    return party_of_values(sample.status, sample.error_type, sample.error_message, sample.flags)


def party_of_values(status: str, kind: str | None, message: str | None, flags: Collection[str]) -> Party | None:
    """`party_of` from the fields of a sample."""
    known = f'"{USER_FAULT}"' if isinstance(flags, str) else USER_FAULT
    if status == "failed" and known in flags:
        return Party.USER
    if status == "error" or (status == "skipped" and kind):
        return party_of_error(kind, message)
    return None


def party_of_error(kind: str | None, message: str | None) -> Party:
    """Whose an error is."""
    if kind not in OF_ITSELF:
        for begin, party in SAID_OF.items():
            if (message or "").startswith(begin):
                return party
    return PARTY_OF.get(kind or "", Party.ENVIRONMENT)


def detail_of(message: str | None) -> str:
    """Which MCP server a message speaks of and what it did, in a few words: `weather: exit 3`; empty where it speaks of none."""
    found = _SERVER.match(message or "")
    if found is None:
        return ""
    if (ended := _ENDED.search(message or "")) is not None and found["gone"]:
        did = f"{'exit' if ended[1] == 'exit code' else 'signal'} {ended[2]}"
    elif found["code"]:
        did = f"error {found['code']}"
    elif found["tool"]:
        did = f"without {found['tool']}"
    elif found["begin"] or found["state"]:
        did = "no state" if found["state"] else "no beginning"
    else:
        did = "ended" if found["gone"] == "ended" else "no answer"
    return f"{_short(found['who'])}: {did}"


def fault_words(sample: Unsettled) -> str:
    """`server (weather: exit 3)`; empty where nobody is at fault."""
    party = party_of(sample)
    detail = detail_of(sample.error_message) if party is Party.SERVER else ""
    return "" if party is None else f"{party} ({detail})" if detail else str(party)


def _short(command: str) -> str:
    """A server's command as one word: its script's name, else its last word that is no option; an address as it is."""
    words = [word.strip("'\"") for word in command.split()]
    if len(words) == 1 and "://" in command:
        return command
    named = [word for word in words[1:] if not word.startswith("-")]
    script = next((word for word in named if PurePath(word).suffix in (".py", ".js", ".mjs", ".ts", ".sh")), None)
    if script is not None:
        rest = named[named.index(script) + 1 :][:1]  # one script may be several servers
        return " ".join([PurePath(script).stem, *rest])
    return PurePath((named or words)[0]).name
