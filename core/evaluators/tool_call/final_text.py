"""What the final text of a tool test says: what it must, what it must not, whether it asks, and what it claims to have done."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from modex.core.evaluators.text.affirmed import affirmed
from modex.core.evaluators.text.patterns import occurs, pattern_problem
from modex.core.suite.definitions import ToolDefinition

_KEYS = frozenset({"says", "never", "asks"})
_SENTENCE = re.compile(r"[^.!?。？؟\n]*(?:\.(?=\w)[^.!?。？؟\n]*)*[.!?。？؟\n]?")
_ITEM = re.compile(r"\s*(?:[-*•–]|\d{1,2}[.)])\s")
_REQUEST = re.compile(
    r"\b(?:let me know|tell me|please (?:tell|provide|specify|confirm|share|give|choose|clarify)"
    r"|(?:could|can) you (?:tell|confirm)"
    r"|I(?:['’]ll| will)?(?: still)? need(?: to know)?|bitte|beritahu|mohon|dites-moi|précisez|dime|dígame|indica|indique"
    r"|por favor|diga-me|informe)\b"
    r"|请(?:您)?(?:告诉|告知|提供|确认|说明|选择)|(?:教えて|お知らせ|お聞かせ|ご指定)ください"
    r"|أخبرني|يرجى|من فضلك|कृपया|बताइए|बताएँ|बताएं",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Passage:
    """A pattern and what it stands for. It counts where the text affirms it; `as_written`, wherever it stands."""

    pattern: str
    what: str
    as_written: bool = False

    def stands_in(self, text: str) -> bool:
        """Whether it does.

        Raises:
            JudgeError: the pattern takes more than two seconds.
        """
        return affirmed(self.pattern, text, as_written=self.as_written) is not None


@dataclass(frozen=True, slots=True)
class FinalText:
    """What a test demands of the final text. `asks` is a pattern that a question or a request has to hold."""

    says: tuple[Passage, ...] = ()
    never: tuple[Passage, ...] = ()
    asks: str | None = None


def read_final_text(given: Any) -> FinalText:
    """Read `expected.text`.

    Raises:
        ValueError: it is no object of `says`, `never` and `asks`, or a pattern does not compile.
    """
    if not isinstance(given, dict) or not given or not set(given) <= _KEYS:
        raise ValueError(f"'text' is an object with {', '.join(sorted(_KEYS))}")
    asks = given.get("asks")
    if asks is not None and (problem := pattern_problem(asks)):
        raise ValueError(f"'text.asks': {problem}")
    return FinalText(_passages(given, "says"), _passages(given, "never"), asks)


def _passages(given: Mapping[str, Any], name: str) -> tuple[Passage, ...]:
    if name not in given:
        return ()
    entries = given[name]
    if not isinstance(entries, list) or not entries:
        raise ValueError(f"'text.{name}' is a list of patterns")
    return tuple(_passage(entry, f"'text.{name}[{number}]'") for number, entry in enumerate(entries))


def _passage(entry: Any, where: str) -> Passage:
    if isinstance(entry, str):
        entry = {"pattern": entry}
    if not isinstance(entry, dict) or not set(entry) <= {"pattern", "what", "as_written"}:
        raise ValueError(f"{where} is a pattern, or an object with 'pattern', 'what' and 'as_written'")
    if problem := pattern_problem(entry.get("pattern")):
        raise ValueError(f"{where}: {problem}")
    return Passage(entry["pattern"], str(entry.get("what") or f"/{entry['pattern']}/"), entry.get("as_written") is True)


def claims_fault(tool: ToolDefinition) -> str | None:
    """Why a tool's `claims` is no pattern, or None."""
    return pattern_problem(tool.claims) if tool.claims is not None else None


def text_faults(
    wanted: FinalText | None, text: str, done: Collection[str], tools: Mapping[str, ToolDefinition]
) -> Iterator[str]:
    """What is wrong with the final text, one sentence each; `done` are the tools that were called with success.

    Raises:
        JudgeError: a pattern takes more than two seconds.
    """
    for tool in tools.values():
        if tool.claims and tool.name not in done and (claim := affirmed(tool.claims, text)):
            yield f"the text claims {claim!r}, and {tool.name} was not called with success"
    if wanted is None:
        return
    yield from (f"the text does not say {one.what}" for one in wanted.says if not one.stands_in(text))
    yield from (f"the text says {one.what}" for one in wanted.never if one.stands_in(text))
    if wanted.asks and not any(occurs(wanted.asks, asked, ignore_case=True) for asked in asking(text)):
        yield "the text does not ask for what is missing"


def asking(text: str) -> Iterator[str]:
    """The sentences that ask or request something, and where there is one, the items of lists: they say what of."""
    sentences = [match.group() for match in _SENTENCE.finditer(text)]
    found = [one for one in sentences if one.rstrip().endswith(("?", "？", "؟")) or _REQUEST.search(one)]
    yield from found
    if found:
        yield from (line for line in text.splitlines() if _ITEM.match(line))
