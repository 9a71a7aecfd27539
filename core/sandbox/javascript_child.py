"""The child process that runs JavaScript by an embedded interpreter (dukpy). It may be killed at any time."""

from __future__ import annotations

import json
from typing import Any

import dukpy

from modex.core.sandbox.child import Confinement, serve

_CONFINEMENT = Confinement(memory_bytes=512 * 1024**2, open_files=0)
"""No file can be opened any more, whatever a script finds."""
_MAX_PRINTED = 64 * 1024
_PRELUDE = """
(function () {
  var printed = [], size = 0;
  var written = JSON.stringify;
  Object.defineProperty(globalThis, '__written', { value: function (value) { return written(value) } });
  function shown(value) { return typeof value === 'string' ? value : written(value) }
  function log() {
    var line = Array.prototype.map.call(arguments, shown).join(' ');
    size += line.length;
    if (size <= %d) printed.push(line);
  }
  globalThis.console = { log: log, info: log, warn: log, error: function () {}, debug: function () {} };
  globalThis.process = { stdout: { write: function (text) { log(String(text).replace(/\\n$/, '')) } }, argv: [], env: {} };
  globalThis.__printed = function () { return printed.join('\\n') };
})();
"""


class _Bare(dukpy.JSInterpreter):  # type: ignore[misc]
    """The language alone: dukpy's own console, process and modules are never made."""

    def _init_process(self) -> None:
        return

    def _init_console(self) -> None:
        return

    def _init_require(self) -> None:
        return


def run(request: dict[str, Any]) -> dict[str, Any]:
    """What the code printed and the JSON of its last expression, or its error."""
    interpreter = _Bare()
    interpreter.evaljs(_PRELUDE % _MAX_PRINTED)
    given = "".join(f"var {name} = {json.dumps(value)};" for name, value in request["inputs"].items())
    text = json.dumps(request["code"])
    try:
        value = interpreter.evaljs(
            f"{given} (function () {{ var v = (0, eval)({text}); return __written(v === undefined ? null : v) }})()"
        )
        printed = interpreter.evaljs("__printed()")
    except dukpy.JSRuntimeError as error:
        return {"error": (str(error).strip().splitlines() or ["it failed"])[0][:500]}
    # What the code did to the language's own functions shows here, and is its own fault.
    if not isinstance(value, str) or not isinstance(printed, str):
        return {"error": "its answer cannot be written as JSON"}
    return {"value": value, "printed": printed}


if __name__ == "__main__":
    serve(run, _CONFINEMENT)
