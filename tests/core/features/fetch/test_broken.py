"""A fetch that is killed, that runs out of room, or that is not alone: nothing half-written is used, and the next goes on."""

from __future__ import annotations

import json
import resource
import signal
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faults.harness import Modex, finish, wait_until
from tests.server.hub import Hub

pytestmark = pytest.mark.process
ROWS = b"".join(b'{"problem": "%d + 1", "answer": "%d", "more": "%s"}\n' % (n, n + 1, b"x" * 900) for n in range(3000))
"""Some 2.8 MB, of which pieces are written."""
REPOSITORY = "HuggingFaceH4/MATH-500"


@pytest.fixture
def modex(served: Hub, tmp_path: Path) -> Iterator[Modex]:
    served.repository(REPOSITORY).commit({"test.jsonl": ROWS})
    made = Modex(tmp_path, {"HF_ENDPOINT": served.address, "HF_HOME": str(tmp_path / "hf")})
    yield made
    made.end()


def place(modex: Modex) -> Path:
    return modex.home / "data" / "modex" / "datasets" / "math_500"


FETCH = ("fetch", "math_500", "--json")


def test_a_fetch_that_is_killed_is_gone_on_with(served: Hub, modex: Modex) -> None:
    served.faults.holds = threading.Event()
    process = modex.start("--db", modex.db, *FETCH)
    served.faults.half.wait(60)
    half = wait_until(lambda: [one for one in place(modex).rglob("*.half") if one.stat().st_size], "a piece is written")
    process.send_signal(signal.SIGKILL)
    finish(process)
    served.faults.holds.set()
    written = half[0].stat().st_size
    assert 0 < written < len(ROWS)
    assert not (place(modex) / "manifest.json").exists()
    asked = modex.here("run", "--model", "demo", "--headless", "--dataset", "math-500")
    assert asked.code == 2
    assert "math_500 is not here: `modex fetch math_500` brings it" in asked.err
    served.faults.holds = None
    again = modex.run("--db", modex.db, *FETCH)
    assert again.code == 0, again.err
    [told] = json.loads(again.out)
    assert Path(told["file"]).read_bytes() == ROWS
    assert served.downloads()[-1].range == f"bytes={written}-"
    assert not list(place(modex).glob(".part-*"))


def test_two_fetches_at_once_download_it_once(served: Hub, modex: Modex) -> None:
    served.faults.holds = threading.Event()
    first = modex.start("--db", modex.db, *FETCH)
    served.faults.half.wait(60)
    second = modex.start("--db", modex.db, *FETCH)
    assert second.stderr is not None
    assert second.stderr.readline() == "math_500: another modex fetches it; waiting for it\n"
    served.faults.holds.set()
    ended = [finish(first), finish(second)]
    assert [one.code for one in ended] == [0, 0]
    told = [json.loads(one.out)[0] for one in ended]
    assert [one["was_here"] for one in told] == [False, True]
    assert told[0]["sha256"] == told[1]["sha256"]
    assert Path(told[0]["file"]).read_bytes() == ROWS
    assert len(served.downloads()) == 1


def test_a_full_disk_is_a_clear_line_and_with_room_it_goes_on(served: Hub, modex: Modex) -> None:
    limit = len(ROWS) // 2

    def small() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    ended = modex.run("--db", modex.db, *FETCH, preexec_fn=small)
    assert ended.code == 2
    assert "cannot be written (File too large); make room on that disk, or name another folder with --out" in ended.err
    assert "internal" not in ended.err
    assert "Traceback" not in ended.err
    assert not (place(modex) / "manifest.json").exists()
    assert not list(place(modex).rglob("test.jsonl"))
    again = modex.run("--db", modex.db, *FETCH)
    assert again.code == 0, again.err
    assert Path(json.loads(again.out)[0]["file"]).read_bytes() == ROWS
    assert served.downloads()[-1].range.startswith("bytes=")
