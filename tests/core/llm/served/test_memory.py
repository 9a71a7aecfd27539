from __future__ import annotations

from pathlib import Path

import pytest

from modex.core.llm.served import memory
from modex.core.llm.served.memory import free_bytes, used_by

_MIB = 1024 * 1024


@pytest.fixture
def system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Files as the kernel writes them; what is not written is not there."""
    monkeypatch.setattr(memory, "_PROC", tmp_path)
    monkeypatch.setattr(memory, "_GROUP", tmp_path / "group")
    (tmp_path / "group").mkdir()
    return tmp_path


def _group(system: Path, most: str, now: int, inactive: int) -> None:
    (system / "group" / "memory.max").write_text(f"{most}\n")
    (system / "group" / "memory.current").write_text(f"{now}\n")
    (system / "group" / "memory.stat").write_text(f"anon 5\ninactive_file {inactive}\n")


def test_the_machine_and_the_container_each_set_a_limit(system: Path) -> None:
    assert free_bytes() is None
    (system / "meminfo").write_text("MemTotal: 9000 kB\nMemAvailable:    4096 kB\n")
    assert free_bytes() == 4 * _MIB
    _group(system, "max", 0, 0)
    assert free_bytes() == 4 * _MIB
    _group(system, str(3 * _MIB), 2 * _MIB, _MIB // 2)
    assert free_bytes() == _MIB + _MIB // 2


def test_what_is_below_a_process_is_counted_with_what_is_below_that(system: Path) -> None:
    for pid, children, kilobytes in ((1, "2", 7000), (2, "3 4", 1024), (3, "", 2048), (4, "5", 512)):
        (system / str(pid) / "task" / str(pid)).mkdir(parents=True)
        (system / str(pid) / "task" / str(pid) / "children").write_text(children)
        (system / str(pid) / "status").write_text(f"Name: x\nVmRSS:\t{kilobytes} kB\n")
    assert used_by(1) == (1024 + 2048 + 512) * 1024  # its own is not, and 5 is gone
