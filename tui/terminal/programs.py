"""Programs of the user's own on our terminal: the editor and the pager, with the screen handed over and taken back."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from textual.app import App, SuspendNotSupported

_PLUS_LINE = {"vi", "vim", "nvim", "view", "nano", "pico", "emacs", "emacsclient", "joe", "micro", "kak", "ne", "mg"}
_COLON_LINE = {"hx", "helix", "subl", "zed"}


def editor_command(path: Path, line: int, environment: Mapping[str, str] = os.environ) -> list[str] | None:
    """The command that opens `path` at `line` (from 1): `$VISUAL`, `$EDITOR`, else what is installed; None: nothing is."""
    given = environment.get("VISUAL") or environment.get("EDITOR")
    words = shlex.split(given) if given else _first_of("nano", "vim", "vi")
    if not words:
        return None
    name = Path(words[0]).name
    if name in _PLUS_LINE:
        return [*words, f"+{max(1, line)}", str(path)]
    if name in _COLON_LINE:
        return [*words, f"{path}:{max(1, line)}"]
    if name in {"code", "codium", "cursor"}:
        return [*words, "--wait", "--goto", f"{path}:{max(1, line)}"]
    return [*words, str(path)]


def pager_command(path: Path, environment: Mapping[str, str] = os.environ) -> list[str] | None:
    """The command that shows `path`: `$PAGER`, else less or more; None where there is none."""
    given = environment.get("PAGER")
    words = shlex.split(given) if given else _first_of("less", "more")
    return [*words, str(path)] if words else None


def _first_of(*names: str) -> list[str]:
    return next(([name] for name in names if shutil.which(name)), [])


def hand_over(app: App[Any], command: Sequence[str]) -> str | None:
    """Give the terminal to `command` until it ends; what went wrong, or None."""
    try:
        with app.suspend():
            ended = subprocess.run(list(command), check=False)
    except SuspendNotSupported:
        return "no other program can be opened on this terminal"
    except OSError as error:
        return f"{command[0]}: {error.strerror or error}"
    finally:
        app.refresh(layout=True)
    return None if ended.returncode == 0 else f"{command[0]} ended with code {ended.returncode}"


def free_name(folder: Path, stem: str, suffix: str) -> Path:
    """A file in `folder` that is not there yet, named after `stem` with anything odd replaced."""
    safe = "".join(sign if sign.isalnum() or sign in "-_." else "-" for sign in stem).strip("-.")[:120] or "modex"
    path = folder / f"{safe}{suffix}"
    number = 2
    while path.exists():
        path = folder / f"{safe}-{number}{suffix}"
        number += 1
    return path
