"""A run on a cluster whose driver, workers and scheduler are killed at random: nothing is lost, nothing finished is asked again.

`make test-cluster` runs it; CLUSTER_KILLS says how many kills (60 take about three minutes), CLUSTER_SEED which.
"""

from __future__ import annotations

import os
import random
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli import reading
from tests.core.engine.executors.daemons import WORKERS, Daemons
from tests.faults.harness import VERDICT, Modex, wait_until
from tests.faults.harness import keyword_tests as fault_tests
from tests.faults.harness import write_suite as fault_suite
from tests.server import Reply, serve

pytestmark = pytest.mark.process

KILLS = int(os.environ.get("CLUSTER_KILLS", "12"))
AT_ONCE = 8
TESTS_A_KILL = 60


@pytest.fixture
def daemons(tmp_path: Path) -> Iterator[Daemons]:
    pytest.importorskip("distributed", reason="distributed is not installed: pip install 'modex[cluster]'")
    found = Daemons(tmp_path)
    yield found
    found.end()


@pytest.mark.skipif(not os.environ.get("TEST_CLUSTER"), reason="takes minutes: make test-cluster runs it")
@pytest.mark.timeout(1500)
def test_random_kills_lose_no_finished_call_and_repeat_none(modex: Modex, daemons: Daemons, tmp_path: Path) -> None:
    seed = int(os.environ.get("CLUSTER_SEED", "1"))
    chance = random.Random(seed)
    count = KILLS * TESTS_A_KILL
    suite = fault_suite(tmp_path / "suite", fault_tests(count))
    killed: Counter[str] = Counter()
    nowhere = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with serve(Reply("ok", latency=0.05)) as server:
        arguments = [*modex.headless(server.url, suite, "--concurrency", str(AT_ONCE)), "--cluster", daemons.address]
        run = modex.start(*arguments, **nowhere)
        for number in range(1, KILLS + 1):
            due = number * TESTS_A_KILL * 2 // 3

            def moved(due: int = due) -> bool:
                nonlocal run
                if run.poll() is not None:  # it was killed, or found no scheduler at its start
                    run = modex.start(*arguments, **nowhere)
                return server.hits >= due or modex.count("stage = 'judged'") >= count - TESTS_A_KILL

            wait_until(moved, f"{due} calls, kill {number}", 120)
            victim = chance.choice(["driver", "scheduler", *(f"worker-{place}" for place in range(WORKERS))])
            killed[victim.partition("-")[0]] += 1
            if victim == "driver":
                run.kill()
            else:
                daemons.kill(victim)
        wait_until(lambda: run.poll() is not None, "the end of what was killed or of the run", 300)
        for _ in range(5):
            last = modex.run(*arguments, timeout=120)
            if last.code == 0:
                break
        assert last.code == 0, last.err
        asked = Counter(request.prompt for request in server.requests)
    assert len(modex.rows(VERDICT)) == modex.count("status = 'passed'") == count, "none is lost"
    assert len(asked) == count
    again = sum(asked.values()) - count
    print(
        f"seed {seed}: kills {dict(killed)}; {count} tests, {again} asked again, at most {AT_ONCE} in flight at a kill"
    )
    # What had ended was stored and is not asked again: at each kill at most what was in flight.
    assert again <= KILLS * AT_ONCE
    modex.assert_sound()
    with reading(modex.db) as reader:
        assert reader.runs()[0].error_tests == 0
