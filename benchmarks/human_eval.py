"""HumanEval's own solutions by its own `check` in bubblewrap, and the same with one line changed. No model is asked.

python -m benchmarks.human_eval FILE [--seed N]    HumanEval.jsonl.gz (https://github.com/openai/human-eval, MIT)

A change is drawn for each solution among all that can be made to one of its lines: a comparison turned round, another sign,
a number by one, what is returned left out, a condition denied. Some change nothing, or nothing that the few cases look at:
those are run by this Python too, outside of every sandbox, to see whether `check` holds there as well.
"""

from __future__ import annotations

import argparse
import ast
import copy
import gzip
import json
import random
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from benchmarks.sandbox import judge
from benchmarks.tables import Table
from modex.core.foundation.errors import JudgeError

_SECONDS = 10
_PLAIN_S = 60.0
_OTHER: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.GtE, ast.LtE: ast.Gt, ast.Gt: ast.LtE, ast.GtE: ast.Lt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.FloorDiv: ast.Mult,
    ast.Div: ast.Mult, ast.Mod: ast.Mult, ast.And: ast.Or, ast.Or: ast.And,
}  # fmt: skip


def measure(path: Path, seed: int) -> Table:
    """How many pass as they are, and how many fail with a changed line."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    drawn = random.Random(seed)
    changed = [(row, drawn.choice(list(changes(row["prompt"] + row["canonical_solution"])))) for row in rows]
    with ThreadPoolExecutor(2) as pool:
        right = list(pool.map(lambda row: _passes(row, row["prompt"] + row["canonical_solution"]), rows))
        wrong = list(pool.map(lambda one: _passes(one[0], one[1]), changed))
    lost = [row["task_id"] for row, held in zip(rows, right, strict=True) if not held]
    lived = [(row, code) for (row, code), held in zip(changed, wrong, strict=True) if held]
    only_here = [row["task_id"] for row, code in lived if not _passes_plainly(row, code)]
    named = ", ".join(row["task_id"] for row, _ in lived)
    return Table(
        "HumanEval in bubblewrap, by its own `check`",
        ["", "", ""],
        [
            ["own solutions that pass", f"{len(rows) - len(lost)} of {len(rows)}", ", ".join(lost)],
            [f"with one line changed, fail (seed {seed})", f"{len(rows) - len(lived)} of {len(rows)}", named],
            ["of the others, fail by plain CPython", f"{len(only_here)} of {len(lived)}", ", ".join(only_here)],
        ],
    )


def changes(code: str) -> Iterator[str]:
    """`code` with each change that can be made to one line of its functions' bodies."""
    tree = ast.parse(code)
    count = sum(1 for _ in ast.walk(tree))
    for place in range(count):
        for other in range(2):
            changed = copy.deepcopy(tree)
            node = next(one for number, one in enumerate(ast.walk(changed)) if number == place)
            if _change(node, other):
                yield ast.unparse(ast.fix_missing_locations(changed))


def _change(node: ast.AST, other: int) -> bool:
    """Make the change of that number to a node, where it can be made."""
    if isinstance(node, ast.Compare) and other == 0 and type(node.ops[0]) in _OTHER:
        node.ops[0] = _other(node.ops[0])
    elif isinstance(node, ast.BinOp | ast.BoolOp | ast.AugAssign) and other == 0 and type(node.op) in _OTHER:
        node.op = _other(node.op)
    elif isinstance(node, ast.Constant) and type(node.value) is int:
        node.value += 1 - 2 * other
    elif isinstance(node, ast.Return) and node.value is not None and other == 0:
        node.value = ast.Constant(None)
    elif isinstance(node, ast.If | ast.While) and other == 0:
        node.test = ast.UnaryOp(ast.Not(), node.test)
    else:
        return False
    return True


def _other(operator: Any) -> Any:
    return _OTHER[type(operator)]()


def _passes(row: dict[str, Any], code: str) -> bool:
    head = row["prompt"].split(f"def {row['entry_point']}")[0]
    expected = {"function": row["entry_point"], "test": row["test"], "before": head, "seconds": _SECONDS}
    try:
        return judge(code, expected).score == 1.0
    except JudgeError as error:
        print(f"{row['task_id']}: {error}")
        return False


def _passes_plainly(row: dict[str, Any], code: str) -> bool:
    whole = f"{code}\n{row['test']}\ncheck({row['entry_point']})\n"
    try:
        ran = subprocess.run([sys.executable, "-I", "-c", whole], capture_output=True, timeout=_PLAIN_S, check=False)
    except subprocess.TimeoutExpired:
        return False
    return ran.returncode == 0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    print(measure(options.file, options.seed).markdown())


if __name__ == "__main__":
    main()
