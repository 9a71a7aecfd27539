"""What stands beside a task's own tests where they are run: stand-ins for what would fetch, and what reads the outcome.

The tests of nearly all tasks begin by installing `uv` and pytest from the network. There is none in a sandbox: the packages that
they name are its packages, and the programs that would fetch them are stand-ins that do nothing, or run what is there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from modex.core.sandbox.names import package_fault

_NOTHING = "#!/bin/sh\nexit 0\n"
_RUNS = '''#!/usr/bin/env python3
"""Runs what uv would run, with the packages that are there."""
import os
import sys

VALUED = {
    "-p", "--python", "-w", "--with", "--from", "--directory", "--project", "--index", "--index-url", "--python-version",
    "--with-requirements",
}
words = sys.argv[1:]
if os.path.basename(sys.argv[0]) == "uv":
    if words[:1] == ["venv"]:
        place = next((word for word in words[1:] if not word.startswith("-")), ".venv")
        os.makedirs(f"{place}/bin", exist_ok=True)
        open(f"{place}/bin/activate", "a").close()
    if words[:1] != ["run"]:
        sys.exit(0)
    words = words[1:]
while words and words[0].startswith("-"):
    words = words[2:] if words[0] in VALUED else words[1:]
if not words or words == ["--version"]:
    sys.exit(0)
if words[0].split("@")[0] in ("pytest", "py.test"):
    words = ["python3", "-m", "pytest", *words[1:]]
elif words[0] in ("python", "python3") or words[0].endswith(".py"):
    words = ["python3", *words[words[0] in ("python", "python3"):]]
os.execvp(words[0], words)
'''
STAND_INS = {
    **dict.fromkeys(("apt-get", "apt", "curl", "wget", "pip", "pip3"), _NOTHING),
    "uv": _RUNS,
    "uvx": _RUNS,
    "pytest": '#!/bin/sh\nexec python3 -m pytest "$@"\n',
    "python": '#!/bin/sh\nexec python3 "$@"\n',
    "sudo": '#!/bin/sh\nexec "$@"\n',
}
"""Programs that come first on the path of a task's tests."""
VERDICT = '''"""verdict.py CODE: `solved` by the reward that was written, else by what pytest summed up, else by the exit code."""
import json
import os
import re
import sys

home = os.environ.get("HOME", "/tmp")


def reward():
    try:
        return float(open("/logs/verifier/reward.txt").read(1000).strip() or "nan")
    except FileNotFoundError:
        pass
    except ValueError:
        return 0.0
    try:
        said = json.load(open("/logs/verifier/reward.json"))
    except (OSError, ValueError):
        return None
    if isinstance(said, dict):
        said = said.get("reward", min(said.values(), default=0))
    return float(said) if isinstance(said, (int, float)) else 0.0


found = reward()
if found is None:
    text = open(f"{home}/said", errors="replace").read()
    summed = re.split(r"=+ short test summary info =+", text)
    outcomes = re.findall(r"^(PASSED|FAILED|ERROR)\\b", summed[-1], re.MULTILINE) if len(summed) > 1 else []
    found = float(set(outcomes) == {"PASSED"}) if outcomes else float(sys.argv[1] == "0")
print("solved" if found >= 1 else f"not solved ({found:g})")
'''
_ADDS = re.compile(r"\b(?:uv\s+add|uv\s+pip\s+install|pip3?\s+install)\b([^\n&|;#]*)")
_WITH = re.compile(r"(?:\s-w|\s--with)[=\s]+([^\s\\]+)")
_PYTEST = re.compile(r"\bpytest\b")
_ADDRESS = re.compile(r"\b(?:curl|wget|git\s+clone)\b[^\n]*?(https?://[^\s\"'|)]+)")


def packages_of(scripts: Iterable[str]) -> list[str]:
    """The packages of Python that scripts of tests install, pytest where they use it."""
    found: list[str] = []
    uses = False
    for script in scripts:
        text = re.sub(r"\\\n", " ", script)
        uses = uses or _PYTEST.search(text) is not None
        given = [word for match in _ADDS.finditer(text) for word in match[1].split() if not word.startswith("-")]
        given += [match[1] for match in _WITH.finditer(text)]
        found += [word.strip("\"'") for word in given if package_fault(word.strip("\"'")) is None]
    if uses and not any(re.match(r"pytest\b(?!-)", one) for one in found):
        found.append("pytest")
    return [one for one in dict.fromkeys(found) if one not in ("uv", "pip")]


def fetched(scripts: Iterable[str]) -> str | None:
    """An address that scripts of tests fetch, other than that of uv; None where they fetch nothing else."""
    for script in scripts:
        for match in _ADDRESS.finditer(script):
            if "astral.sh" not in match[1]:
                return match[1]
    return None
