"""The control groups around a process, from files as the kernel writes them; more of their limits: `test_machine.py`."""

from __future__ import annotations

from pathlib import Path

import pytest

from modex.core.foundation.control_groups import control_groups, most_memory, words_in


@pytest.mark.parametrize(
    ("told", "controller", "folders"),
    [
        ("0::/a/b\n", "cpu", ["a/b", "a", ""]),
        ("0::/\n", "memory", [""]),
        ("3:cpu,cpuacct:/x\n2:memory:/y\n", "cpu", ["cpu,cpuacct/x", "cpu,cpuacct", "cpu/x", "cpu"]),
        ("2:memory:/y\n", "cpu", []),
        ("2:memory:/y\n", "memory", ["memory/y", "memory"]),
        ("odd\n", "cpu", [""]),
    ],
)
def test_the_groups_that_bound_a_process_are_its_own_and_those_around_it(
    tmp_path: Path, told: str, controller: str, folders: list[str]
) -> None:
    (tmp_path / "proc" / "self").mkdir(parents=True)
    (tmp_path / "proc" / "self" / "cgroup").write_text(told)
    assert [*control_groups(tmp_path, controller)] == [tmp_path / "sys/fs/cgroup" / folder for folder in folders]


def test_elsewhere_there_are_none_and_nothing_bounds(tmp_path: Path) -> None:
    assert [*control_groups(tmp_path, "memory")] == []
    assert words_in(tmp_path / "memory.max") == []
    assert most_memory(tmp_path) is None


def test_the_second_versions_limit_comes_before_the_firsts(tmp_path: Path) -> None:
    (tmp_path / "memory.limit_in_bytes").write_text("9\n")
    assert most_memory(tmp_path) == 9
    (tmp_path / "memory.max").write_text("7\n")
    assert most_memory(tmp_path) == 7
    (tmp_path / "memory.max").write_text("max\n")
    assert most_memory(tmp_path) is None
