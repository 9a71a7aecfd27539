"""The child process behind `mathematics`: reads one JSON request a line, answers one a line, and may be killed at any time.

Run as a script by the parent, alone in its process: symbolic algebra can hold the interpreter for ever.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any, TextIO

_ADDRESS_SPACE = 2 * 1024**3


def _limit_cpu(seconds: int) -> None:
    """Let the kernel end this process after `seconds` more of CPU time."""
    import resource

    used = resource.getrusage(resource.RUSAGE_SELF)
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (int(used.ru_utime + used.ru_stime) + seconds + 1, hard))


def _confine() -> None:
    """Bound memory and files; processor time is bounded per request, and a closed input ends the process."""
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (_ADDRESS_SPACE, _ADDRESS_SPACE))
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    except (ImportError, OSError, ValueError):
        pass


def _comparer() -> Callable[[str, str], dict[str, Any]]:
    """Import math-verify once; the returned function compares a gold with an answer, both LaTeX or plain."""
    import logging

    from math_verify import LatexExtractionConfig, parse, verify

    logging.disable(logging.CRITICAL)
    # Only the LaTeX grammar: math-verify's reader of plain expressions ends in Python's eval.
    targets = [LatexExtractionConfig(boxed_match_priority=0)]

    def read(text: str) -> Any:
        return parse(f"${text}$", targets, parsing_timeout=None)

    def number(parsed: list[Any]) -> str | None:
        """The value to 30 digits where the expression is a real constant."""
        for item in parsed:
            if getattr(item, "is_number", False) and getattr(item, "is_real", False):
                return str(item.evalf(30))
        return None

    def compare(gold: str, answer: str) -> dict[str, Any]:
        gold_parsed = read(gold)
        if not gold_parsed:
            return {"equal": False, "unreadable": "gold"}
        answer_parsed = read(answer)
        if not answer_parsed:
            return {"equal": False, "unreadable": "answer"}
        equal = bool(verify(gold_parsed, answer_parsed, timeout_seconds=None))
        return {"equal": equal, "gold_value": number(gold_parsed), "answer_value": number(answer_parsed)}

    return compare


def serve(requests: TextIO, answers: TextIO) -> None:
    """Answer `{"gold", "answer", "cpu_s"}` lines until the input ends; the first line out says that the imports are done."""
    compare = _comparer()
    answers.write('{"ready": true}\n')
    answers.flush()
    for line in requests:
        request = json.loads(line)
        try:
            _limit_cpu(int(request["cpu_s"]))
            reply = compare(request["gold"], request["answer"])
        except Exception as error:  # a third-party parser may raise anything on hostile input
            reply = {"equal": False, "failed": type(error).__name__}
        answers.write(json.dumps(reply) + "\n")
        answers.flush()


if __name__ == "__main__":
    _confine()
    serve(sys.stdin, sys.stdout)
