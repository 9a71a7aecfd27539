"""What must hold of worker processes whatever happens: keys, plugins, files, plain addresses, a cluster that goes away."""

from __future__ import annotations

import os
import socket
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from modex.core.config.runconfig import Selection
from modex.core.engine.commands import send_command
from modex.core.engine.executors import processes
from modex.core.engine.executors.channel import Channel, Pipes
from modex.core.engine.executors.child import Child
from modex.core.engine.executors.messages import Content
from modex.core.engine.stopping import SessionOutcome
from tests.cli import keyword_tests, reading
from tests.core.engine.conftest import Bench
from tests.core.engine.executors.conftest import worker_environment
from tests.core.engine.executors.daemons import WORKERS, Daemons
from tests.core.engine.executors.test_contract import (
    CLUSTER,
    EXECUTORS,
    ON_DEMAND,
    Moved,
    Work,
    moved_by,
    own_tests,
    prepare,
    rows,
)
from tests.faults.harness import Modex, alive, finish, wait_until
from tests.faults.harness import keyword_tests as fault_tests
from tests.faults.harness import write_suite as fault_suite
from tests.server import Reply, Request, serve

pytestmark = pytest.mark.process

__all__ = ["moved_by"]
KEY = "quiet-harbour-7f3e91c2a4d85b60"
"""Of no form by which a key is known: only who has it in his environment can leave it out."""
SPY = """
import os
from pathlib import Path
from modex import BaseEvaluator, EvaluationResult, register_evaluator

Path({folder!r}, str(os.getpid())).touch()


@register_evaluator
class Own(BaseEvaluator):
    id = {own!r}

    def evaluate(self, sample, context):
        return EvaluationResult(1.0)
"""


@pytest.fixture
def cluster_of_one_s_own(tmp_path: Path) -> Iterator[list[Daemons]]:
    """Clusters that a test starts for itself; they end with it."""
    pytest.importorskip("distributed", reason="distributed is not installed: pip install 'modex[cluster]'")
    started: list[Daemons] = []
    yield started
    for one in started:
        one.end()


def echoes_the_key(request: Request) -> Reply:
    """A question for each kind of failure and one for an answer, all of them with the key that the provider was sent."""
    key = request.headers.get("authorization", "").removeprefix("Bearer ")
    number = int(request.prompt.split()[-1])
    echo = {"error": {"message": f"Nothing today for Bearer {key} (user {key})", "type": "invalid_request_error"}}
    if number == 1:
        return Reply(status=400, body=echo)
    if number in (2, 3):
        return Reply(status=500 if number == 2 else 429, body=echo, headers={"retry-after": "0"})
    if number == 4:
        return Reply(body=f"<html>{key}</html>", content_type="text/html")
    return Reply(f"ok, {key}" if number == 5 else "ok", latency=0.02)


@pytest.mark.parametrize("how", ["processes", CLUSTER])
def test_no_key_is_in_any_byte_between_driver_and_worker_nor_in_what_is_stored(
    bench: Bench,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    cluster_of_one_s_own: list[Daemons],
    how: str,
) -> None:
    sent, heard = bytearray(), bytearray()
    kind: type[Channel] = Pipes
    more: dict[str, Any] = {"processes": 2}
    if how == "cluster":
        from modex.core.edge.cluster.cluster import DaskChannel

        monkeypatch.delenv("OPENAI_API_KEY", raising=False)
        daemons = Daemons(tmp_path, {**worker_environment(tmp_path), "OPENAI_API_KEY": KEY})
        cluster_of_one_s_own.append(daemons)
        kind, more = DaskChannel, {"cluster": daemons.address}
    else:
        monkeypatch.setenv("OPENAI_API_KEY", KEY)
    write, read = kind.write, kind.read

    def noted_write(self: Channel, data: bytes) -> None:
        sent.extend(data)
        write(self, data)

    def noted_read(self: Channel, count: int) -> bytes:
        found = read(self, count)
        heard.extend(found)
        return found

    monkeypatch.setattr(kind, "write", noted_write)
    monkeypatch.setattr(kind, "read", noted_read)
    bench.server.behave(echoes_the_key)
    prepare(bench, keyword_tests(12), concurrency=4, **more)
    assert Work(bench).ended() == SessionOutcome("completed")
    assert {request.headers.get("authorization") for request in bench.server.requests} == {f"Bearer {KEY}"}
    assert Counter(bench.statuses()) == {"passed": 8, "error": 4}
    assert len(sent) > 1000
    assert heard.count(b"Nothing today for Bearer") >= 1, "what the provider said was on the wire"
    kept = [path.read_bytes() for path in bench.root.glob("modex.db*") if path.is_file()]
    for way in (bytes(sent), bytes(heard), *kept):
        assert way.count(KEY.encode()) == 0


@EXECUTORS
def test_plugins_run_in_a_worker_only_where_the_run_was_allowed_to(
    bench: Bench, tmp_path: Path, moved_by: Moved, how: str
) -> None:
    ran = tmp_path / "ran"
    ran.mkdir()
    own = f"spied_{how}"
    plugins = bench.root / "suite" / "plugins"
    plugins.mkdir(parents=True)
    (plugins / "spy.py").write_text(SPY.format(folder=str(ran), own=own))
    bench.server.behave(Reply("ok", latency=0.02))
    suite = Selection(suite=str(bench.root / "suite"))
    prepare(bench, keyword_tests(8), concurrency=4, selection=suite, **moved_by(how))
    refused = Work(bench).ended()
    assert (refused.status, "--allow-plugins" in (refused.reason or "")) == ("error", True)
    assert list(ran.iterdir()) == [], "nobody allowed it, so nobody runs it"
    assert bench.server.hits == 0
    allowed = Bench(bench.server, bench.root, tmp_path / "allowed.db")
    prepare(allowed, own_tests(own, 8), concurrency=4, **moved_by(how))
    assert Work(allowed).ended() == SessionOutcome("completed")
    pids = {int(path.name) for path in ran.iterdir()}
    assert os.getpid() in pids, "the driver plans with it"
    assert len(pids) >= (1 if how == "threads" else 2), "and whoever moves samples judges with it"


def test_a_file_of_the_suite_is_sent_once_to_a_machine_and_never_where_it_is_already(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, dask_cluster: Daemons
) -> None:
    told: Counter[str] = Counter()
    send = Child.send

    def noted(self: Child, message: object) -> None:
        if isinstance(message, Content):
            told[message.digest] += 1
        send(self, message)

    monkeypatch.setattr(Child, "send", noted)
    suite = bench.root / "suite"
    suite.mkdir()
    for number in range(3):
        (suite / f"shop{number}.sql").write_text(f"CREATE TABLE t{number} (n INTEGER); -- {tmp_path}")
    bench.server.behave(Reply("ok", latency=0.02))
    prepare(bench, keyword_tests(8), concurrency=4, cluster=dask_cluster.address)
    assert Work(bench).ended() == SessionOutcome("completed")
    assert len(told) >= 3
    assert max(told.values()) <= WORKERS, "two workers that begin at one moment may both ask"
    told.clear()
    again = Bench(bench.server, bench.root, tmp_path / "again.db")
    prepare(again, keyword_tests(8), concurrency=4, cluster=dask_cluster.address)
    assert Work(again).ended() == SessionOutcome("completed")
    assert not told, "every worker has it by what it holds"


def own_address() -> str:
    """An address of this machine that is not the loopback; empty where it has none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.254", 9))  # nothing is sent
        except OSError:
            return ""
        found = str(probe.getsockname()[0])
    return "" if found.startswith("127.") else found


@ON_DEMAND
@pytest.mark.skipif(not own_address(), reason="this machine has no address but the loopback")
def test_a_worker_s_own_plain_address_is_refused_though_its_scheduler_is_on_the_loopback(
    bench: Bench, tmp_path: Path, cluster_of_one_s_own: list[Daemons]
) -> None:
    environment = worker_environment(tmp_path)
    cluster_of_one_s_own.append(Daemons(tmp_path, environment, worker_host=own_address()))
    address = cluster_of_one_s_own[0].address
    bench.server.behave(Reply("ok"))
    prepare(bench, keyword_tests(4), cluster=address)
    outcome = Work(bench).ended()
    assert outcome.status == "error"
    assert f"tcp://{own_address()}:" in (outcome.reason or "")
    assert "--insecure-cluster" in (outcome.reason or "")
    assert bench.server.hits == 0
    trusted = Bench(bench.server, bench.root, tmp_path / "trusted.db")
    prepare(trusted, keyword_tests(4), cluster=address, insecure_cluster=True)
    assert Work(trusted).ended() == SessionOutcome("completed")


@ON_DEMAND
def test_a_worker_that_says_nothing_any_more_loses_its_samples_to_others(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cluster_of_one_s_own: list[Daemons]
) -> None:
    monkeypatch.setattr(processes, "LEASE_S", 3)
    daemons = Daemons(tmp_path, worker_environment(tmp_path))
    cluster_of_one_s_own.append(daemons)
    count, at_once = 120, 8
    prepare(bench, keyword_tests(count), concurrency=at_once, cluster=daemons.address)
    bench.server.behave(Reply("ok", latency=0.05))
    work = Work(bench)
    bench.until(lambda _: bench.server.hits > 40, "calls")
    daemons.freeze("worker-0")
    assert work.ended() == SessionOutcome("completed")
    assert set(bench.statuses()) == {"passed"}
    asked = Counter(request.prompt for request in bench.server.requests)
    assert len(asked) == count
    assert bench.server.hits <= count + at_once, "only what it had in flight is asked again"
    with reading(bench.database) as reader:
        said = [event.message for event in reader.events(reader.run("e").id)]
    assert any("said nothing for 3 s and was given up" in words for words in said)


@ON_DEMAND
def test_a_worker_behind_a_cut_network_loses_its_samples_to_others_and_what_arrives_late_changes_nothing(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cluster_of_one_s_own: list[Daemons]
) -> None:
    monkeypatch.setattr(processes, "LEASE_S", 3)
    # Too long a name for a socket of this machine alone: all that is said goes over the network, as between two machines.
    far = tmp_path / ("far" * 40)
    far.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(far))
    daemons = Daemons(tmp_path, worker_environment(tmp_path), wired=True)
    cluster_of_one_s_own.append(daemons)
    count, at_once = 400, 8
    run_id = prepare(bench, keyword_tests(count), concurrency=at_once, cluster=daemons.address)
    bench.server.behave(Reply("ok", latency=0.05))
    work = Work(bench)

    def said() -> str:
        with reading(bench.database) as reader:
            return "\n".join(event.message for event in reader.events(run_id))

    bench.until(lambda _: bench.server.hits > 40 and len(daemons.below("worker-0")) == 1, "calls")
    (behind,) = daemons.below("worker-0")
    bench.server.behave(Reply("ok", latency=2.0))
    bench.until(lambda _: bench.server.in_flight == at_once, "every sample's call in flight")
    daemons.cut("worker-0")
    bench.server.behave(Reply("ok", latency=0.05))
    send_command(bench.database, run_id, "pause")
    wait_until(lambda: "said nothing for 3 s and was given up" in said(), "the lease's end")
    bench.until(lambda reader: reader.run("e").status == "paused", "paused")

    def everything_asked_is_judged() -> bool:
        begun = {request.prompt for request in bench.server.requests}
        return bench.server.in_flight == 0 and Counter(bench.statuses())["passed"] == len(begun)

    wait_until(everything_asked_is_judged, "what had been behind the cut is judged by the other one")
    before = rows(bench)
    assert alive(behind), "it works on behind the cut"
    assert daemons.mend("worker-0") > 0, "what it had found out was on its way"
    wait_until(lambda: not alive(behind), "the end of the process that lost its samples")
    assert rows(bench) == before
    assert 0 < Counter(bench.statuses())["passed"] < count
    send_command(bench.database, run_id, "resume")
    assert work.ended() == SessionOutcome("completed")
    assert set(bench.statuses()) == {"passed"}
    assert bench.run().passed_tests == count
    asked = Counter(request.prompt for request in bench.server.requests)
    assert len(asked) == count
    assert 0 < bench.server.hits - count <= at_once, "only what it had in flight is asked again"


@ON_DEMAND
def test_a_run_whose_cluster_lost_every_worker_waits_stops_with_a_reason_and_goes_on_later(
    modex: Modex, tmp_path: Path, cluster_of_one_s_own: list[Daemons]
) -> None:
    daemons = Daemons(tmp_path, worker_environment(tmp_path))
    cluster_of_one_s_own.append(daemons)
    names = [f"worker-{number}" for number in range(WORKERS)]
    count, at_once = 80, 6
    suite = fault_suite(tmp_path / "suite", fault_tests(count))
    with serve(Reply("ok", latency=0.05)) as server:
        arguments = modex.headless(server.url, suite, "--concurrency", str(at_once), "--max-outage", "8")
        process = modex.start(*arguments, "--cluster", daemons.address)
        wait_until(lambda: server.hits > 20, "calls")
        for name in names:
            daemons.unplug(name)
        wait_until(lambda: "has no worker" in (modex.the_run()["reason"] or ""), "the pause, with its reason")
        assert modex.the_run()["status"] == "paused"
        ended = finish(process)
        assert ended.code == 1, ended.err
        assert "has no worker for this run" in ended.err
        assert "resume" in ended.err
        assert modex.the_run()["status"] == "stopped"
        done = {row["prompt"] for row in modex.rows("prompt, stage") if row["stage"] == "judged"}
        assert 0 < len(done) < count
        for name in names:
            daemons.plug(name)
        for _ in range(5):  # the workers may take longer to join than this run waits
            last = modex.run("resume", "r", "--headless")
            if last.code == 0:
                break
        assert last.code == 0, last.err
        asked = Counter(request.prompt for request in server.requests)
    assert modex.count("status = 'passed'") == len(asked) == count
    assert {asked[prompt] for prompt in done} == {1}, "what was stored is asked once"
    assert sum(asked.values()) <= count + at_once
    modex.assert_sound()
