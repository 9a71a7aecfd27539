"""LiveCodeBench's rows: contest problems whose tests stand in texts, the hidden ones packed as Python pickles them.

Public tests are JSON. Private tests are JSON too, or Base64 of zlib of a pickled JSON text. A pickle can run code where it is
loaded, so none is: its few instructions that make one text are read, and any other is refused.
https://github.com/LiveCodeBench/LiveCodeBench
"""

from __future__ import annotations

import base64
import binascii
import json
import pickletools
import zlib
from collections.abc import Mapping
from typing import Any

MOST_CASES = 200
"""As many tests of a problem are kept as `code_tests` runs."""
SECONDS = 6
"""What one test may compute, as there."""
_MOST_BYTES = 256 * 1024 * 1024
_TEXTS = frozenset({"SHORT_BINUNICODE", "BINUNICODE", "BINUNICODE8", "UNICODE"})
_FRAMES = frozenset({"PROTO", "FRAME", "MEMOIZE", "BINPUT", "LONG_BINPUT", "PUT", "STOP"})
_IMPORTS = "\n".join(
    f"from {name} import *"
    for name in ("typing", "math", "collections", "itertools", "functools", "heapq", "bisect", "string", "operator")
)
"""What answers may use without importing it; fewer than there, where nearly all of them do import it."""
_TO_CALL = "Complete the class below; its method is called.\n\n```python\n{}\n```"
_TO_RUN = "Write a whole program that reads its input from stdin and prints its answer to stdout."


def livecodebench(row: dict[str, Any]) -> dict[str, Any]:
    """LiveCodeBench: a contest's problem with tests in texts, of which the hidden ones are unpacked without running anything."""
    asked, public = row.get("question_content"), cases_in(row.get("public_test_cases"))
    hidden = cases_in(row.get("private_test_cases"))
    if not isinstance(asked, str) or public is None or hidden is None:
        return row
    used = ("question_content", "starter_code", "public_test_cases", "private_test_cases", "metadata", "answer")
    kept = {name: value for name, value in row.items() if name not in used}
    starter = str(row.get("starter_code") or "").strip()
    told = _TO_CALL.format(starter) if starter else _TO_RUN
    gold = _gold([*public, *hidden][:MOST_CASES], _name_of(row.get("metadata")))
    return {**kept, "question": f"{asked.strip()}\n\n{told}", "answer": gold}


def cases_in(text: Any) -> list[Mapping[str, Any]] | None:
    """The tests that a column holds; None where it holds none that can be read."""
    found = _json(text) if isinstance(text, str) else text
    if found is None and isinstance(text, str) and (unpacked := unpickled_text(text)) is not None:
        found = _json(unpacked)
    listed = isinstance(found, list) and all(
        isinstance(one, Mapping) and isinstance(one.get("input"), str) and isinstance(one.get("output"), str)
        for one in found
    )
    return list(found) if listed else None


def unpickled_text(packed: str) -> str | None:
    """The one text that Base64 of zlib of a pickle holds, read without loading it; None of anything else."""
    try:
        unpacked = zlib.decompressobj()
        pickled = unpacked.decompress(base64.b64decode(packed, validate=True), _MOST_BYTES)
        if unpacked.unconsumed_tail:
            return None
        steps = list(pickletools.genops(pickled))
    except (binascii.Error, zlib.error, ValueError, IndexError):
        return None
    texts = [argument for step, argument, _ in steps if step.name in _TEXTS]
    known = all(step.name in _TEXTS or step.name in _FRAMES for step, _, _ in steps)
    return texts[0] if known and len(texts) == 1 and isinstance(texts[0], str) else None


def _gold(cases: list[Mapping[str, Any]], name: str | None) -> dict[str, Any] | None:
    """What `code_tests` expects: calls of a method, or runs of a program; None where a call's values are no JSON."""
    if not cases:
        return None
    if name is None:
        ran = [{"input": one["input"], "output": one["output"]} for one in cases]
        return {"language": "python", "seconds": SECONDS, "before": _IMPORTS, "cases": ran}
    try:
        called = [
            {
                "args": [],
                "calls": [[name, *(json.loads(line) for line in one["input"].split("\n"))]],
                "returns": [json.loads(one["output"])],
            }
            for one in cases
        ]
    except (ValueError, RecursionError):
        return None
    return {"function": "Solution", "seconds": SECONDS, "before": _IMPORTS, "cases": called}


def _name_of(metadata: Any) -> str | None:
    """The method that is called; None where the problem asks for a program."""
    told = _json(metadata) if isinstance(metadata, str) else metadata
    name = told.get("func_name") if isinstance(told, Mapping) else None
    return name if isinstance(name, str) and name else None


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
