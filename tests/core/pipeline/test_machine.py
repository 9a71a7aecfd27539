"""What bounds a worker on its machine, read as the kernel tells it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from modex.core.foundation.control_groups import most_memory
from modex.core.foundation.processes import cores
from modex.core.pipeline import machine as module
from modex.core.pipeline.machine import _share, host_limits, limits_of

GB = 2**30


def machine(root: Path, groups: str, **files: str) -> Path:
    """A machine's `/proc` and `/sys`; `__` in a name stands for a folder below another."""
    (root / "proc/self").mkdir(parents=True)
    (root / "proc/self/cgroup").write_text(groups)
    for name, text in files.items():
        path = root / "sys/fs/cgroup" / name.replace("__", "/").replace("_DOT_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


@pytest.mark.parametrize(
    ("groups", "files", "said"),
    [
        ("0::/\n", {"cpu_DOT_max": "150000 100000\n", "memory_DOT_max": f"{2 * GB}\n"}, "1.5 of 16 cores, 2.0 GB"),
        ("0::/\n", {"cpu_DOT_max": "max 100000\n", "memory_DOT_max": "max\n"}, None),
        ("0::/\n", {"memory_DOT_max": f"{64 * GB}\n"}, None),
        ("0::/\n", {}, None),
        ("", {}, None),
        ("not what a kernel writes", {}, None),
        ("0::/\n", {"cpu_DOT_max": "many\n", "memory_DOT_max": "\n"}, None),
        ("0::/job_7/step\n", {"job_7__cpu_DOT_max": "400000 100000\n", "job_7__step__cpu_DOT_max": "max 100000\n"},
         "4 of 16 cores"),
        ("5:cpu,cpuacct:/docker/a\n4:memory:/docker/a\n",
         {"cpu,cpuacct__cpu_DOT_cfs_quota_us": "200000\n", "cpu,cpuacct__cpu_DOT_cfs_period_us": "100000\n",
          "memory__memory_DOT_limit_in_bytes": f"{GB // 2}\n"}, "2 of 16 cores, 0.5 GB"),
        ("5:cpu:/\n4:memory:/\n",
         {"cpu__cpu_DOT_cfs_quota_us": "-1\n", "cpu__cpu_DOT_cfs_period_us": "100000\n",
          "memory__memory_DOT_limit_in_bytes": "9223372036854771712\n"}, None),
        ("4:memory:/a\n", {"memory__a__memory_DOT_limit_in_bytes": f"{GB}\n", "memory__memory_DOT_limit_in_bytes": f"{4 * GB}\n"},
         "1.0 GB"),
    ],
)  # fmt: skip
def test_quota_and_memory_are_read_from_either_version_of_controlgroups(
    tmp_path: Path, groups: str, files: dict[str, str], said: str | None
) -> None:
    assert limits_of(machine(tmp_path, groups, **files), 16, 16, 32 * GB) == said


def test_the_narrower_of_affinity_and_quota_is_said(tmp_path: Path) -> None:
    root = machine(tmp_path, "0::/\n", cpu_DOT_max="300000 100000\n")
    assert limits_of(root, 2, 16, GB) == "2 of 16 cores"
    assert limits_of(root, 8, 16, GB) == "3 of 16 cores"


def test_a_machine_without_control_groups_has_its_cores_alone(tmp_path: Path) -> None:
    assert limits_of(tmp_path, 16, 16, GB) is None
    assert limits_of(tmp_path, 4, 16, GB) == "4 of 16 cores"


@pytest.mark.process
@pytest.mark.skipif(not hasattr(os, "sched_setaffinity") or cores() < 2, reason="needs two cores to take one away")
def test_a_process_that_was_bound_to_one_core_says_so() -> None:
    program = "import os; os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})\n"
    program += "from modex.core.pipeline.machine import host_limits; print(host_limits())"
    ended = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert ended.stdout.startswith(f"1 of {os.cpu_count()} cores")


@pytest.mark.parametrize(
    ("files", "cores_", "bytes_"),
    [
        ({"cpu.max": "150000 100000"}, 1.5, None),
        ({"cpu.max": "1 0"}, None, None),
        ({"cpu.max": "5"}, None, None),
        ({"cpu.max": "1 2 3"}, None, None),
        ({"cpu.cfs_quota_us": "50000", "cpu.cfs_period_us": "100000"}, 0.5, None),
        ({"cpu.cfs_quota_us": "50000"}, None, None),
        ({"cpu.max": "max 100000", "cpu.cfs_quota_us": "5"}, None, None),
        ({"memory.max": "5", "memory.limit_in_bytes": "7"}, None, 5),
        ({"memory.limit_in_bytes": "7"}, None, 7),
        ({"memory.max": "max"}, None, None),
        ({"memory.max": ""}, None, None),
    ],
)
def test_a_groups_quota_is_in_cores_and_its_limit_in_bytes(
    tmp_path: Path, files: dict[str, str], cores_: float | None, bytes_: int | None
) -> None:
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    assert (_share(tmp_path), most_memory(tmp_path)) == (cores_, bytes_)


def test_what_bounds_this_process_is_asked_of_its_own_machine_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []

    def told(*given: object) -> str:
        asked.append(given)
        return "bounds"

    for name, found in (("limits_of", told), ("cores", lambda: 3), ("_memory", lambda: 5)):
        monkeypatch.setattr(module, name, found)
    monkeypatch.setattr("modex.core.pipeline.machine.os.cpu_count", lambda: None)
    host_limits.cache_clear()
    assert host_limits() == host_limits() == "bounds"
    assert asked == [(Path("/"), 3, 1, 5)]
    host_limits.cache_clear()
    monkeypatch.setattr("modex.core.pipeline.machine.os.cpu_count", lambda: 8)
    host_limits()
    assert asked[1:] == [(Path("/"), 3, 8, 5)]
    host_limits.cache_clear()


def test_a_machine_that_does_not_tell_its_memory_has_none_to_be_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sysconf", {"SC_PAGE_SIZE": 4096, "SC_PHYS_PAGES": 10}.__getitem__)
    assert module._memory() == 40_960

    def fails(_: str) -> int:
        raise ValueError

    monkeypatch.setattr(os, "sysconf", fails)
    assert module._memory() == 0
