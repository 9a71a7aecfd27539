"""What a test says of a conversation: the user that a model plays, and the state that the mocks begin with."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from typing import Any

from modex.core.suite.evaluator_files import pattern_fault
from modex.core.suite.report import Source
from modex.core.suite.state import Loading
from modex.core.suite.tables import USER


def user_of(loading: Loading, source: Source, data: Mapping[str, Any], rollout: str) -> dict[str, Any]:
    """The test's simulated user, mistakes remembered; empty where it has none."""
    given = data.get("simulated_user")
    opens = isinstance(given, dict) and given.get("opens") is True
    if fault := opening_fault(data.get("prompt"), opens=opens):
        source.add(("prompt",), fault)
    if rollout != "conversation":
        if isinstance(given, dict):
            source.add(
                ("simulated_user",), "'simulated_user' speaks in a conversation only: set 'rollout' to conversation"
            )
        return {}
    if not isinstance(given, dict):
        if given is None:
            source.add((), "a conversation needs a 'simulated_user' with its 'goal', or with what it 'says'")
        return {}
    loading.report.check(source, given, USER, ("simulated_user",))
    if fault := says_fault(given.get("says")):
        source.add(("simulated_user", "says"), fault)
    elif not given.get("goal") and "says" not in given:
        source.add(
            ("simulated_user",), "'simulated_user' has no 'goal', and nothing that it 'says'; give one of the two"
        )
    elif "says" in given and (more := sorted(set(given) - {"says"})):
        words = ", ".join(repr(one) for one in more)
        source.add(("simulated_user", more[0]), f"a user that 'says' its words is played by nobody; leave out {words}")
    for number, pattern in enumerate(given.get("must_say") or ()):
        if isinstance(pattern, str) and (fault := pattern_fault(pattern)):
            source.add(("simulated_user", "must_say", number), f"'must_say' {fault}; correct it")
    if any(isinstance(word, str) and not word.strip() for word in given.get("stop_words") or ()):
        source.add(
            ("simulated_user", "stop_words"),
            "a stop word is empty, so that every message would end the conversation; leave it out",
        )
    return given


def opening_fault(prompt: Any, *, opens: bool) -> str | None:
    """What is wrong with who speaks last before the model is asked, or None: a user, unless it still has to open the talk."""
    last = prompt[-1] if isinstance(prompt, list) and prompt else None
    ends = last.get("role") if isinstance(last, dict) else "user"
    if opens:
        words = "'prompt' must end with an assistant's turn, which the user that 'opens' answers"
        return None if ends == "assistant" else words
    return "'prompt' must end with a user's turn" if ends == "assistant" else None


def says_fault(says: Any) -> str | None:
    """What is wrong with the words of a user, or None."""
    for number, entry in enumerate(says if isinstance(says, list) else (), 1):
        if isinstance(entry, str) and entry.strip():
            continue
        if (
            not isinstance(entry, dict)
            or not set(entry) <= {"content", "tools"}
            or not isinstance(entry.get("content"), str)
        ):
            return f"'says' has a wrong turn {number}: a text, or an object with 'content' and 'tools'; correct it"
        tools = entry.get("tools", [])
        if not isinstance(tools, list) or not all(isinstance(one, str) for one in tools):
            return f"'says' has a wrong turn {number}: its 'tools' are a list of names; correct it"
    return None


def laid_over(below: Mapping[str, Any], above: Any) -> dict[str, Any]:
    """`above` over `below`: objects key by key, anything else in its place. Neither is changed."""
    found = dict(copy.deepcopy(below))
    for name, value in above.items() if isinstance(above, dict) else ():
        old = found.get(name)
        found[name] = (
            laid_over(old, value) if isinstance(old, dict) and isinstance(value, dict) else copy.deepcopy(value)
        )
    return found


def state_faults(state: Mapping[str, Any], path: str = "") -> Iterator[str]:
    """Names that no `$state.name` could reach."""
    for name, value in state.items():
        if "." in name or "[" in name or not name.strip():
            yield f"'tool_state' has the name '{path}{name}'; names in it hold no '.', no '[' and are not empty"
        elif isinstance(value, dict):
            yield from state_faults(value, f"{path}{name}.")
