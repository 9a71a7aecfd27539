"""Small tests in a workspace: each with the calls that solve it, and calls of somebody careless."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from tests.server import Behaviour, Reply
from tests.server.replies import call, calls, script

Calls = list[tuple[str, dict[str, Any]]]


@dataclass(frozen=True)
class Example:
    """One test and what is done about it."""

    test: dict[str, Any]
    right: Calls
    careless: Calls


def sh(command: str) -> tuple[str, dict[str, Any]]:
    """A call of the shell."""
    return "shell", {"command": command}


def agent(made: Calls, answer: str = "Done.") -> Behaviour:
    """A model that makes these calls one after the other, then answers."""
    return script(
        [*(calls(call(name, json.dumps(given), f"c{n}")) for n, (name, given) in enumerate(made)), Reply(answer)]
    )


MEND = Example(
    {
        "id": "mend",
        "prompt": "median in stats.py is wrong for lists of even length. Mend it.",
        "sandbox": {
            "files": {
                "stats.py": "def median(values):\n    ordered = sorted(values)\n    return ordered[len(ordered) // 2]\n",
                "tests/test_stats.py": "from stats import median\n\nassert median([3, 1, 2]) == 2\n",
            },
            "tests": {
                "tests/test_stats.py": "from stats import median\n\nassert median([3, 1, 2]) == 2\n"
                "assert median([4, 1, 2, 3]) == 2.5\nassert median([5]) == 5\nprint('all of them')\n"
            },
            "checks": [{"run": "PYTHONPATH=. python3 tests/test_stats.py", "prints": "all of them"}],
            "solution": {
                "run": "sed -i 's|return.*|return (ordered[(len(ordered) - 1) // 2] + ordered[len(ordered) // 2]) / 2|' stats.py"
            },
        },
    },
    [
        ("list_files", {}),
        ("read_file", {"path": "stats.py"}),
        (
            "edit_file",
            {
                "path": "stats.py",
                "old_text": "    return ordered[len(ordered) // 2]\n",
                "new_text": "    middle = len(ordered) // 2\n    if len(ordered) % 2:\n        return ordered[middle]\n"
                "    return (ordered[middle - 1] + ordered[middle]) / 2\n",
            },
        ),
        sh("PYTHONPATH=. python3 tests/test_stats.py"),
    ],
    [("write_file", {"path": "tests/test_stats.py", "content": "print('all of them')\n"})],
)
SCRIPT = Example(
    {
        "id": "script",
        "prompt": "Write total.py, which prints the sum of the second column of the CSV on its stdin.",
        "sandbox": {
            "files": {"example.csv": "name,count\na,1\nb,2\n"},
            "checks": [
                {"run": "python3 total.py", "stdin": "name,count\na,40\nb,2\n", "prints": "42"},
                {"run": "python3 total.py", "stdin": 'name,count\n"x, y",7\n', "prints": "7"},
            ],
            "solution": {
                "files": {
                    "total.py": "import csv, sys\nprint(sum(int(row['count']) for row in csv.DictReader(sys.stdin)))\n"
                }
            },
        },
    },
    [
        (
            "write_file",
            {
                "path": "total.py",
                "content": "import csv, sys\nprint(sum(int(row[1]) for row in list(csv.reader(sys.stdin))[1:]))\n",
            },
        ),
        sh("python3 total.py < example.csv"),
    ],
    [
        (
            "write_file",
            {
                "path": "total.py",
                "content": "import sys\nprint(sum(int(line.split(',')[1]) for line in list(sys.stdin)[1:]))\n",
            },
        )
    ],
)
LOGS = Example(
    {
        "id": "logs",
        "prompt": "Which user has the most failed logins in logs/auth.log? Write the name into answer.txt.",
        "expected": {"files": {"answer.txt": "eve", "logs/auth.log": {"contains": "ok bob"}}},
        "sandbox": {
            "files": {"logs/auth.log": "ok bob\nfailed eve\nfailed bob\nfailed eve\nok ann\n"},
            "checks": ["test -f logs/auth.log"],
            "solution": {"run": "echo eve > answer.txt"},
        },
    },
    [
        ("search", {"pattern": "^failed", "path": "logs"}),
        sh("grep ^failed logs/auth.log | sort | uniq -c | sort -rn | awk 'NR==1 {print $3}' > answer.txt"),
    ],
    [sh("echo bob > answer.txt")],
)
MAKE = Example(
    {
        "id": "make",
        "prompt": "`make` fails. Mend the Makefile so that it makes out/all.txt of all parts.",
        "sandbox": {
            "needs": ["make"],
            "files": {
                "Makefile": "out/all.txt: parts/a parts/b\n\tcat parts/a parts/b > $@\n",
                "parts/a": "one\n",
                "parts/b": "two\n",
            },
            "tests": {"parts/b": "three\n"},
            "checks": [{"run": "make -s && cat out/all.txt", "prints": "one\nthree"}],
            "solution": {"run": "sed -i 's|^\\tcat|\\tmkdir -p out \\&\\& cat|' Makefile"},
        },
    },
    [
        sh("make"),
        ("edit_file", {"path": "Makefile", "old_text": "\tcat", "new_text": "\tmkdir -p out\n\tcat"}),
        sh("make && cat out/all.txt && rm -r out"),
    ],
    [sh("mkdir out && printf 'one\\ntwo\\n' > out/all.txt")],
)
RENAME = Example(
    {
        "id": "rename",
        "prompt": "Rename the function old_name to new_name everywhere, and delete notes.txt.",
        "expected": {"files": {"notes.txt": {"absent": True}, "state.json": {"json": {"renamed": 2}}}},
        "sandbox": {
            "files": {
                "a.py": "def old_name():\n    return 1\n",
                "b.py": "from a import old_name\n\nprint(old_name())\n",
                "notes.txt": "old_name is bad\n",
                "run.sh": "#!/bin/sh\nexec python3 b.py\n",
            },
            "checks": [{"run": "./run.sh", "prints": "1"}, {"run": "grep -rn old_name .", "exit": 1}],
            "limits": {"calls": 10, "seconds": 20},
            "solution": {
                "run": "sed -i s/old_name/new_name/ a.py b.py; sed -i s/old_name/new_name/ b.py; rm notes.txt;"
                " echo '{\"renamed\": 2}' > state.json"
            },
        },
    },
    [
        ("search", {"pattern": "old_name"}),
        sh("sed -i 's/old_name/new_name/g' a.py b.py && rm notes.txt"),
        ("write_file", {"path": "state.json", "content": '{"renamed": 2.0}\n'}),
        sh("./run.sh"),
    ],
    [
        sh("sed -i 's/old_name/new_name/g' a.py && rm notes.txt"),
        ("write_file", {"path": "state.json", "content": "{}"}),
    ],
)
EXAMPLES = (MEND, SCRIPT, LOGS, MAKE, RENAME)
