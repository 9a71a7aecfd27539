"""An agent in thirty lines: it reads one task, may use a calculator of its own, and prints one answer with its steps.

modex run --dataset sums.jsonl --evaluator match --agent "python agent.py --tools"
modex run --dataset sums.jsonl --evaluator match --agent agent:solve
"""

import json
import re
import sys
from typing import Any


def solve(task: dict[str, Any], tools: bool = False) -> dict[str, Any]:
    """One answer."""
    found = re.search(r"(\d+)\s*([-+*])\s*(\d+)", task["prompt"])
    steps: list[dict[str, Any]] = [{"content": f"I look for a sum in {task['task_id']}."}]
    if found is None:
        return {"answer": "I don't know", "steps": steps}
    left, sign, right = int(found[1]), found[2], int(found[3])
    if not tools:
        return {"answer": f"Answer: {left + right}", "steps": steps}
    result = {"+": left + right, "-": left - right, "*": left * right}[sign]
    steps.append({"tool": "calculate", "arguments": {"expression": found[0]}, "result": result})
    return {"answer": f"Answer: {result}", "steps": steps, "usage": {"prompt": 20, "completion": 5}, "cost_usd": 0.0}


if __name__ == "__main__":
    print("thinking", file=sys.stderr)
    print(json.dumps(solve(json.loads(sys.stdin.readline()), "--tools" in sys.argv)))
