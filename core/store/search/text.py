"""What of a sample is searched, and words as the index knows them.

SQLite's `unicode61` cuts text at what is no letter or digit, and takes a Chinese sentence for one word. Text in scripts that are
written without spaces is therefore indexed sign by sign, and what is searched in them is a phrase of signs: any part is found.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from modex.core.store.exact import decode_json, decode_text

ROLES = ("system", "prompt", "answer", "thinking", "tools")
"""What is searched of a sample; `tools` is what was called and what it brought."""
SEARCHED = ("prompt", "answer", "thinking", "tools")
"""Where words are looked for unless a role is named: a domain's system prompt stands in each of its samples."""
COLUMNS = ("system_prompt", "prompt", "response", "reasoning", "transcript", "error_message")
"""The stored columns that hold it."""
_SPACELESS = re.compile(
    "([\u0e00-\u0eff\u0f00-\u0fff\u1000-\u109f\u1780-\u17ff\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff])"
)


@dataclass(frozen=True, slots=True)
class Texts:
    """What of a sample is searched, by role, in the order of time."""

    by_role: Mapping[str, str]
    tools: tuple[str, ...] = ()
    """The names of what was called."""


def texts_of(columns: tuple[Any, ...]) -> Texts:
    """The texts in a row of `COLUMNS`; what is damaged is left out."""
    system, prompt, response, reasoning, transcript, error = columns
    asked, answered, thought = [_prompt(_text(prompt))], [_text(response)], [_text(reasoning)]
    tools: list[str] = []
    names: dict[str, None] = {}
    for entry in _entries(transcript):
        role, content = entry.get("role"), entry.get("content")
        said = content if isinstance(content, str) else ""
        if role == "tool":
            tools.append(said)
        elif role == "assistant":
            if said and said not in answered:
                answered.append(said)
            if isinstance(more := entry.get("reasoning"), str) and more not in thought:
                thought.append(more)
            for call in _calls(entry):
                name, arguments = str(call.get("name") or ""), call.get("arguments")
                names[name] = None
                tools.append(
                    f"{name} {arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)}"
                )
        elif role == "user" and said and said not in asked:
            asked.append(said)
    answered.append(_text(error))
    joined = {"system": _text(system), "prompt": _join(asked), "answer": _join(answered), "thinking": _join(thought)}
    return Texts({**joined, "tools": _join(tools)}, tuple(names))


def _join(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else "\n".join(part for part in parts if part)


def _text(value: Any) -> str:
    return decode_text(value) if isinstance(value, str) else ""


def _prompt(text: str) -> str:
    """A prompt as it reads: turns are stored as JSON."""
    if not text.startswith("[{"):
        return text
    try:
        turns = json.loads(text)
        return "\n".join(str(turn.get("content", "")) for turn in turns)
    except (ValueError, AttributeError, RecursionError):
        return text


def _entries(transcript: Any) -> Iterator[dict[str, Any]]:
    if not isinstance(transcript, str) or len(transcript) < 3:
        return
    try:
        value = decode_json(transcript)
    except (ValueError, RecursionError):
        return
    if isinstance(value, list):
        yield from (entry for entry in value if isinstance(entry, dict))


def _calls(entry: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    calls = entry.get("tool_calls")
    if isinstance(calls, list):
        yield from (call for call in calls if isinstance(call, dict))


def indexed(text: str) -> str:
    """`text` as it is given to the index: signs of scripts without spaces apart from each other."""
    if text.isascii():
        return text
    return _SPACELESS.sub(r" \1 ", text)


def tool_tag(name: str) -> str:
    """One word for the name of a tool, whatever stands in it."""
    return "t" + name.casefold().encode(errors="replace").hex()


_WORD = re.compile(r'-?"[^"]*"|\S+')
_LETTER = re.compile(r"\w", re.UNICODE)


def words_of(typed: str) -> list[str]:
    """The words and quoted phrases that a person wants found, in their order; those to be left out begin with `-`."""
    found = []
    for piece in _WORD.findall(typed):
        negated = piece.startswith("-")
        word = piece[1:] if negated else piece
        word = word.strip('"')
        if _LETTER.search(word):
            found.append(f"-{word}" if negated else word)
    return found


def expression(words: list[str], roles: tuple[str, ...], tools: tuple[str, ...] = (), *, begins: bool = False) -> str:
    """The query that the index understands; empty where nothing is wanted. `begins`: the last word may be unfinished.

    A word that ends in `*` stands for all that begin so.
    """
    columns = "{" + " ".join(roles) + "}"
    wanted: list[str] = []
    unwanted: list[str] = []
    for place, word in enumerate(words):
        negated = word.startswith("-") and len(word) > 1
        plain = word[1:] if negated else word
        prefix = plain.endswith("*") or (begins and place == len(words) - 1 and not negated)
        quoted = '"' + indexed(plain.rstrip("*")).replace('"', '""') + '"' + ("*" if prefix else "")
        (unwanted if negated else wanted).append(quoted)
    parts = [f"{columns} : ({' AND '.join(wanted)})"] if wanted else []
    parts += [f'tags : "{tool_tag(tool)}"' for tool in tools]
    if not parts:
        return ""
    found = " AND ".join(parts)
    return f"({found}) NOT {columns} : ({' OR '.join(unwanted)})" if unwanted else found
