"""Functions of other languages, called by a few lines behind the answer: arguments come as JSON, what is returned goes as JSON.

What a call must return is compared elsewhere, so that nothing is gained by ending early or by printing what looks like a reply.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from modex.core.evaluators.code.cases import Case

_MARK = "\x02modex\x02"
HARNESSES: Mapping[str, str] = {
    "javascript": r"""
;(async () => {
  const asked = JSON.parse(require('fs').readFileSync(0, 'utf8'));
  let told;
  try {
    if (asked.calls.length) {
      const made = new FUNCTION(...asked.args), each = [];
      for (const [name, ...args] of asked.calls) each.push(await made[name](...args));
      told = { value: each };
    } else told = { value: await FUNCTION(...asked.args) };
  } catch (error) {
    const kinds = [];
    for (let at = error; at; at = Object.getPrototypeOf(at)) if (at.constructor) kinds.push(at.constructor.name);
    told = { error: String(error), kinds };
  }
  const plain = (_, one) => one === undefined ? null : typeof one === 'bigint' ? Number(one)
    : one instanceof Set ? [...one] : one instanceof Map ? Object.fromEntries(one) : one;
  process.stdout.write('\n' + 'MARK' + JSON.stringify({ ...told, args: asked.args }, plain) + '\n');
})();
""",
}
"""By language; the only place that says in which languages functions are called beside Python."""


@dataclass(frozen=True, slots=True)
class Called:
    """What a call came to; `error` and its kinds where it raised."""

    value: Any = None
    args: Any = None
    error: str = ""
    kinds: tuple[str, ...] = ()


def harness(language: str, function: str) -> str:
    """What stands behind the answer's code."""
    return HARNESSES[language].replace("FUNCTION", function).replace("MARK", _MARK)


def asked_of(case: Case) -> str:
    """The input that makes the call of a case."""
    return json.dumps({"args": list(case.args), "calls": [[name, *args] for name, args in case.calls]})


def called(out: str) -> Called | None:
    """What a program with a harness printed of its call, and it is the last that it did; None where it did not come so far."""
    _, mark, told = out.rpartition(_MARK)
    try:
        found = json.loads(told) if mark else None
    except (ValueError, RecursionError):
        return None
    if not isinstance(found, dict):
        return None
    kinds = found.get("kinds")
    return Called(
        found.get("value"), found.get("args"), str(found.get("error", "")),
        tuple(map(str, kinds)) if isinstance(kinds, list) else (),
    )  # fmt: skip
