"""The files of `core/` that one test walks through in its worker, from being taken to its verdict in the store.

    python -m benchmarks.walk                       this tree
    cd OTHER_TREE; python /path/to/walk.py          another one, started from its folder

Counted by execution: a profile function of the worker thread notes the file of every call; importing a module is none. The test
is a question with a number as its answer, asked over HTTP, its answer extracted by a second call.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import sys
import tempfile
import threading
from pathlib import Path
from types import FrameType
from typing import Any

ROOT = Path.cwd() if __package__ is None else Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))


def walk() -> list[str]:
    """The files in the order in which the test comes to them, relative to the tree."""
    from benchmarks.server import serving
    from modex.tui.cli import main

    files: dict[str, None] = {}
    program = ROOT / ".src" / "modex"
    inside = f"{program / 'core'}{os.sep}"

    def note(frame: FrameType, event: str, _argument: Any) -> None:
        if not threading.current_thread().name.startswith("worker-"):
            sys.setprofile(None)
        elif event == "call" and frame.f_code.co_filename.startswith(inside) and not _importing(frame):
            files.setdefault(str(Path(frame.f_code.co_filename).relative_to(program)))

    with tempfile.TemporaryDirectory() as name, serving(0.0, "The answer is 42.\nANSWER: 42") as server:
        home = Path(name)
        os.environ |= {"HOME": name, "XDG_CONFIG_HOME": name, "XDG_DATA_HOME": name}
        level = home / "suite" / "test_definitions" / "d" / "level_1"
        level.mkdir(parents=True)
        (level.parent / "domain.json").write_text(json.dumps({"id": "d", "name": "d", "evaluator_id": "two_pass"}))
        (level / "t.json").write_text(json.dumps({"id": "t", "prompt": "6 × 7?", "expected": 42}))
        said = io.StringIO()
        words = ["run", "--model", "openai/m", "--api-base", server.base, "--suite", str(home / "suite"), "--headless"]
        threading.setprofile(note)
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
            try:
                main([*words, "--exp-id", "r", "--concurrency", "1", "--db", str(home / "runs.db")])
            except SystemExit as ended:
                code = ended.code
            finally:
                threading.setprofile(None)
        if code != 0:
            sys.exit(f"the run ended with {code}:\n{said.getvalue()}")
    return list(files)


def _importing(frame: FrameType | None) -> bool:
    """Whether the call is made while a module is imported: its class bodies and decorators are no part of the walk."""
    while frame is not None:
        if frame.f_code.co_name in ("<module>", "_find_and_load"):
            return True
        frame = frame.f_back
    return False


if __name__ == "__main__":
    found = walk()
    print("\n".join(found))
    print(f"{len(found)} files of core/")
