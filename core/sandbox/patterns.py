"""Compiling regular expressions that somebody else wrote: what could take gigabytes is tried in a child that can be killed.

Why: https://owasp.org/www-community/attacks/Regular_expression_Denial_of_Service_-_ReDoS.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from modex.core.sandbox.worker import WorkerError, shared_pool

MAX_PATTERN = 20_000
"""Longest regular expression, in characters."""
_CPU_S = 2
_WALL_FACTOR = 20
_SMALL = 100_000
_COUNT = re.compile(r"\{(?P<low>\d*)(?:,(?P<high>\d*))?\}")
_TOKEN = re.compile(rf"{_COUNT.pattern}|.", re.DOTALL)
_ESCAPED = re.compile(r"\\.", re.DOTALL)
_HIDES_PARENTHESES = re.compile(r"\[[^\]\[()]*+[()]|#|\(\?[a-zA-Z]*x")


class PatternError(ValueError):
    """A pattern that cannot be used; the message says why."""


@lru_cache(maxsize=1024)
def compile_pattern(pattern: str, *, ignore_case: bool = False) -> Any:
    """`pattern` as a compiled `regex` pattern.

    Compiling holds the interpreter, and repetition within repetition is written out while it does: a pattern that might
    become large is compiled in a child first, within two seconds of processor time and 512 MB.

    Raises:
        PatternError: it does not compile, or takes too much time or memory.
    """
    import regex

    if len(pattern) > MAX_PATTERN:
        raise PatternError(f"it is longer than {MAX_PATTERN:,} characters")
    if written_out(pattern) > _SMALL:
        _try_in_child(pattern, ignore_case)
    try:
        return regex.compile(pattern, regex.IGNORECASE if ignore_case else 0)
    except regex.error as error:
        raise PatternError(str(error)) from None
    except RecursionError:
        raise PatternError("it nests too deeply") from None
    except (OverflowError, MemoryError, ValueError) as error:
        raise PatternError(str(error) or type(error).__name__) from None


def written_out(pattern: str) -> int:
    """About how many characters `pattern` has when its counted repetitions are written out; never far too few."""
    plain = _ESCAPED.sub("a", pattern)
    if _HIDES_PARENTHESES.search(plain):
        # What looks like nesting may be text here: all repetitions count as if each stood within the next.
        size = len(plain)
        for found in _COUNT.finditer(plain):
            size *= _most(found)
        return size
    sizes, last = [0], 0
    for token in _TOKEN.finditer(plain):
        text = token.group()
        if text == "(":
            sizes.append(0)
            continue
        if text == ")":
            last = sizes.pop() if len(sizes) > 1 else sizes[0]
        elif text[0] == "{" and len(text) > 1:
            added = last * (_most(token) - 1)
            sizes[-1] += added
            last += added
            continue
        else:
            last = 1
        sizes[-1] += last
    return sum(sizes)


def _most(count: re.Match[str]) -> int:
    return max(int(count["low"] or 0), int(count["high"] or 0), 1)


def _try_in_child(pattern: str, ignore_case: bool) -> None:
    try:
        reply = shared_pool("modex.core.sandbox.pattern_child", 1, site=True).ask(
            {"pattern": pattern, "ignore_case": ignore_case}, wall_s=_CPU_S * _WALL_FACTOR, cpu_s=_CPU_S
        )
    except WorkerError as error:
        raise PatternError(f"it could not be tried: {error}") from error
    if reply.data is None:
        raise PatternError(f"compiling it takes more than {_CPU_S} s or 512 MB; repeat less within repetitions")
    if problem := reply.data.get("problem") or reply.data.get("failed"):
        raise PatternError(str(problem))
