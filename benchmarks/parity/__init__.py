"""Verdicts on real answers, ours and those of other tools' rules, beside what people or a benchmark's own script said.

python -m benchmarks parity --data DIR    DIR holds the files that `rows.py` names; the others' tools are installed into a cache
"""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.parity.ours import verdicts
from benchmarks.parity.rows import Answer, every_answer
from benchmarks.peers.inspect_peer import InspectPeer
from benchmarks.peers.lmeval_peer import LmEvalPeer
from benchmarks.peers.peer import cache_folder
from benchmarks.peers.promptfoo_peer import NODE, PromptfooPeer
from benchmarks.tables import Table

DATA = "MODEX_BENCH_DATA"
_HERE = Path(__file__).parent
_OURS = "modex match"
Verdicts = dict[str, list[bool | None]]
"""By tool and rule, for each answer; None where the rule is not for its kind."""


def measure(*, quick: bool) -> list[Table]:
    """A table: agreement with the labels by set of answers, and the share of wrong answers passed."""
    folder = Path(os.environ.get(DATA) or "../shared/data")
    answers = list(every_answer(folder))
    if quick:
        answers = answers[::10]
    if not answers:
        raise SystemExit(f"{folder} holds none of the files of answers; name their folder with --data DIR")
    found: Verdicts = {_OURS: [*verdicts(answers)]}
    with tempfile.TemporaryDirectory() as work:
        file = Path(work) / "answers.jsonl"
        file.write_text("".join(answer.line() + "\n" for answer in answers))
        for tool, command in _others().items():
            for rule, given in _asked(command, file, len(answers)).items():
                found[f"{tool} {rule}"] = given
    return [_table(answers, found)]


def _others() -> dict[str, list[str]]:
    """Each tool's name and version, and the command to which the file of answers is added."""
    cache = cache_folder()
    inspect, lm_eval, promptfoo = InspectPeer(), LmEvalPeer(), PromptfooPeer()
    for peer in (inspect, lm_eval, promptfoo):
        peer.install(cache)
    home = cache / f"promptfoo-{promptfoo.version}-node-{NODE}"
    return {
        f"inspect_ai {inspect.version}": [
            str(cache / f"inspect-{inspect.version}" / "bin" / "python"), str(_HERE / "inspect_side.py"), "{}",
        ],
        f"lm-eval {lm_eval.version}": [
            str(cache / f"lmeval-{lm_eval.version}" / "bin" / "python"), str(_HERE / "lmeval_side.py"), "{}",
        ],
        f"promptfoo {promptfoo.version}": [
            str(home / "node_modules" / ".bin" / "node"), str(_HERE / "promptfoo_side.mjs"), "{}", str(home),
        ],
    }  # fmt: skip


def _asked(command: Sequence[str], file: Path, count: int) -> Verdicts:
    words = [str(file) if word == "{}" else word for word in command]
    quiet = {"PROMPTFOO_DISABLE_TELEMETRY": "1", "PROMPTFOO_DISABLE_UPDATE": "1", "HF_HUB_OFFLINE": "1"}
    said = subprocess.run(
        words, env={**os.environ, **quiet}, check=True, stdout=subprocess.PIPE, text=True, encoding="utf-8"
    )
    lines = [json.loads(line) for line in said.stdout.splitlines() if line.startswith("{")]
    if len(lines) != count:
        raise SystemExit(f"{words[0]}: {len(lines)} verdicts for {count} answers")
    rules = dict.fromkeys(rule for line in lines for rule in line)
    return {rule: [line.get(rule) for line in lines] for rule in rules}


def _table(answers: Sequence[Answer], found: Verdicts) -> Table:
    rows = []
    for name, labelled in _sets(answers):
        cells = []
        for rule, given in found.items():
            marked = [(given[number], right) for number, right in labelled.items() if given[number] is not None]
            if not marked:
                continue
            agree = sum(verdict == right for verdict, right in marked) / len(marked)
            passed = sum(bool(verdict) and not right for verdict, right in marked) / len(marked)
            cells.append((agree, passed, rule))
        order = sorted(cells, key=lambda cell: (cell[2] != _OURS, -cell[0]))
        rows += [
            [
                name if not place else "",
                f"{len(labelled):,}" if not place else "",
                rule,
                f"{agree:.3f}",
                f"{passed:.1%}",
            ]
            for place, (agree, passed, rule) in enumerate(order)
        ]
    return Table(
        "Verdicts on real answers",
        ("answers", "n", "rule", "agrees with the labels", "wrong answers passed, of all"),
        rows,
        "Labels: people's (Natural Questions and TriviaQA), published ones (GSM8K), and for MMLU-Pro what its own script read, "
        "but for answers that a person reads otherwise (`by_reading.py`). That script's pattern is lm-eval's rule: "
        f"by its labels alone that rule agrees with itself; {_by_script(answers, found)}.",
    )


def _by_script(answers: Sequence[Answer], found: Verdicts) -> str:
    """How far each rule agrees with a script's labels as they are."""
    own = {number: answer.right for number, answer in enumerate(answers) if answer.read is not None}
    said = []
    for rule, given in found.items():
        marked = [given[number] == right for number, right in own.items() if given[number] is not None]
        if marked:
            said.append(f"{rule} agrees with them in {sum(marked) / len(marked):.3f}")
    return ", ".join(said) or "no answer has such a label"


def _sets(answers: Sequence[Answer]) -> Iterator[tuple[str, dict[int, bool]]]:
    """Each set, and the labels of its answers by their number: what a person read before what a script did."""
    for name in dict.fromkeys(answer.set for answer in answers):
        own = {number: answer for number, answer in enumerate(answers) if answer.set == name}
        yield name, {number: answer.right if answer.read is None else answer.read for number, answer in own.items()}
