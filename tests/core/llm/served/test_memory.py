from __future__ import annotations

from pathlib import Path

import pytest

from modex.core.llm.served import memory
from modex.core.llm.served.memory import free_bytes, used_by

_MIB = 1024 * 1024


@pytest.fixture
def system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Files as the kernel writes them; what is not written is not there."""
    monkeypatch.setattr(memory, "_ROOT", tmp_path)
    (tmp_path / "proc" / "self").mkdir(parents=True)
    return tmp_path


def _group(folder: Path, most: str, now: int, inactive: int) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "memory.max").write_text(f"{most}\n")
    (folder / "memory.current").write_text(f"{now}\n")
    (folder / "memory.stat").write_text(f"anon 5\ninactive_file {inactive}\n")


def test_the_machine_and_the_container_each_set_a_limit(system: Path) -> None:
    top = system / "sys/fs/cgroup"
    (system / "proc/self/cgroup").write_text("0::/job\n")
    assert free_bytes() is None
    (system / "proc/meminfo").write_text("MemTotal: 9000 kB\nMemAvailable:    4096 kB\n")
    assert free_bytes() == 4 * _MIB
    _group(top, "max", 0, 0)
    assert free_bytes() == 4 * _MIB
    _group(top, str(3 * _MIB), 2 * _MIB, _MIB // 2)
    assert free_bytes() == _MIB + _MIB // 2
    _group(top / "job", str(2 * _MIB), 2 * _MIB, 7)  # its own is narrower than that around it
    assert free_bytes() == 7


def test_the_first_version_of_control_groups_sets_a_limit_too(system: Path) -> None:
    (system / "proc/self/cgroup").write_text("4:memory:/job\n0::/\n")
    folder = system / "sys/fs/cgroup/memory/job"
    folder.mkdir(parents=True)
    (folder / "memory.limit_in_bytes").write_text(f"{3 * _MIB}\n")
    assert free_bytes() is None
    (folder / "memory.usage_in_bytes").write_text(f"{2 * _MIB}\n")
    assert free_bytes() == _MIB
    (folder / "memory.stat").write_text("inactive_file 1\ntotal_inactive_file 9\n")
    assert free_bytes() == _MIB + 9


def test_what_is_below_a_process_is_counted_with_what_is_below_that(system: Path) -> None:
    for pid, children, kilobytes in ((1, "2", 7000), (2, "3 4", 1024), (3, "", 2048), (4, "5", 512)):
        (system / "proc" / str(pid) / "task" / str(pid)).mkdir(parents=True)
        (system / "proc" / str(pid) / "task" / str(pid) / "children").write_text(children)
        (system / "proc" / str(pid) / "status").write_text(f"Name: x\nVmRSS:\t{kilobytes} kB\n")
    assert used_by(1) == (1024 + 2048 + 512) * 1024  # its own is not, and 5 is gone
