"""A corpus to find out from: 120 failed transcripts in six planted kinds, as a finished run.

python -m benchmarks.failures DATABASE     makes the run `planted` there, to be read with `modex review planted`
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from pathlib import Path

from modex.core.config.runconfig import ModelSpec, RunConfig
from modex.core.store.manager import DBDataManager
from modex.core.store.sample import ROLLOUT_FIELDS, VERDICT_FIELDS, EvaluationSample
from modex.core.store.writer import Writer

EXP_ID = "planted"
KINDS = ("wrong unit", "refused", "cut off", "off by ten", "other language", "ignored a constraint")
"""What is planted, twenty of each; the text of an answer shows it, and nothing names it."""
_THINGS = ("apples", "bolts", "tickets", "cables", "bricks", "seeds", "boxes", "wheels")
_EACH = 20


def _answer(kind: str, value: int, draws: random.Random) -> str:
    said: dict[str, Callable[[], str]] = {
        "wrong unit": lambda: f"Adding the two parts gives {value} kilometres, so the answer is {value} km.",
        "refused": lambda: "I am sorry, but I cannot help with this request. Please consult an expert.",
        "cut off": lambda: (
            f"First we add the larger part. {draws.choice(_THINGS).capitalize()} come to {value - 3}, and then we"
        ),
        "off by ten": lambda: (
            f"Adding the two parts and shifting the decimal gives {value * 10} m. The answer is {value * 10} m."
        ),
        "other language": lambda: (
            f"Jika kedua bagian dijumlahkan, hasilnya adalah {value} meter. Jawabannya {value} meter."
        ),
        "ignored a constraint": lambda: (
            f"The answer is {value} m. Note that I wrote two sentences although one was asked."
        ),
    }
    return said[kind]()


def planted() -> list[tuple[str, EvaluationSample]]:
    """Each sample with the kind that was planted in it, shuffled by a fixed seed."""
    draws = random.Random(16)
    kinds = [kind for kind in KINDS for _ in range(_EACH)]
    draws.shuffle(kinds)
    found = []
    for number, kind in enumerate(kinds):
        value = draws.randrange(20, 90)
        answer = _answer(kind, value, draws)
        prompt = f"A rope has two parts, {value // 2} m and {value - value // 2} m. How long is it? One sentence, in English."
        sample = EvaluationSample(
            domain=("length", "ropes", "site")[number % 3],
            level=1 + number % 4,
            test_id=f"rope_{number:03d}",
            position=number,
            evaluator_id="match",
            prompt=prompt,
            expected=f"{value} m",
            response=answer,
            transcript=[
                {"role": "user", "content": prompt},
                {"role": "assistant", "content": answer, "phase": "pass1"},
            ],
            stage="judged",
            status="failed",
            score=0.0,
            reason=f"expected {value} m, got something else",
            rollout_fingerprint="planted",
            judge_fingerprint="planted",
        )
        found.append((kind, sample))
    return found


def fill(path: Path, model: str = "openai/planted-model") -> int:
    """Store the corpus as a run; its id."""
    manager = DBDataManager(path)
    try:
        run_id = manager.create_run(EXP_ID, RunConfig(model=ModelSpec(model=model)))
        plan = manager.plan(run_id, (_unasked(sample) for _, sample in planted()))
        writer = Writer(manager.database, run_id)
        fields = tuple(dict.fromkeys((*ROLLOUT_FIELDS, *VERDICT_FIELDS)))
        for stored, (_, sample) in zip(manager.load(plan.to_do), planted(), strict=True):
            sample.id, sample.run_id = stored.id, run_id
            writer.save(sample, fields, before="pending")
        writer.close()
        manager.recount(run_id)
        manager.update_run(run_id, status="completed")
        return run_id
    finally:
        manager.close()


def _unasked(sample: EvaluationSample) -> EvaluationSample:
    sample.stage, sample.status, sample.score = "init", "pending", None
    return sample


if __name__ == "__main__":
    fill(Path(sys.argv[1]))
