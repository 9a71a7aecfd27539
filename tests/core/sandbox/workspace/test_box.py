"""A folder in namespaces: what commands do there, what is kept of it, and what hostile ones cannot do."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from modex.core.sandbox.bubblewrap import working
from modex.core.sandbox.bubblewrap.box import BoxError
from modex.core.sandbox.workspace.box import ShellRan, TooMuchError, WorkBox, environment, missing_program, seconds_met
from modex.core.sandbox.workspace.spec import WorkLimits
from modex.core.sandbox.workspace.tree import TreeEntry, tree_of, with_folders

pytestmark = [pytest.mark.process, pytest.mark.usefixtures("boxes")]
GIVEN = with_folders(tree_of({"a.txt": "one\n", "src/b.py": "print(6 * 7)\n", "run.sh": "#!/bin/sh\necho ran\n"}))
SMALL = WorkLimits(seconds=5, memory_mb=256, output_kb=4, processes=16, size_mb=8)


@pytest.fixture
def boxes() -> None:
    """Bubblewrap works here."""
    from modex.core.sandbox.bubblewrap.probe import bubblewrap_unavailable

    if (reason := bubblewrap_unavailable()) is not None:
        pytest.skip(reason)


@pytest.fixture
def box() -> Iterator[WorkBox]:
    """A folder with small limits."""
    found = WorkBox(GIVEN, SMALL)
    yield found
    found.close()


def test_what_is_given_stands_there_with_its_permissions_and_times(box: WorkBox) -> None:
    assert box.shell("cat a.txt && python3 src/b.py && ./run.sh && pwd").out == "one\n42\nran\n/tmp/work\n"
    assert box.keep() == GIVEN


def test_both_streams_are_one_where_they_are_not_to_be_told_apart(box: WorkBox) -> None:
    assert (ran := box.shell("echo a; echo b >&2; exit 3")).out == "a\nb\n"
    assert (ran.code, ran.err) == (3, "")
    ran = box.shell("read x; echo got $x; echo b >&2", given="in\n", merged=False)
    assert (ran.out, ran.err) == ("got in\n", "b\n")


def test_everything_that_a_command_leaves_is_kept_and_put_back_elsewhere(box: WorkBox) -> None:
    name = "n\\nl\\x1b[31m\\xff"
    box.shell(
        f"printf 'a\\0b' > bin; mkdir -p d/e; ln -s /etc/passwd link; printf x > $'{name}'; chmod 0 a.txt; rm src/b.py;"
        " touch -d @1000000000.5 run.sh; mkfifo pipe; chmod 500 d; mkdir closed; echo in > closed/f; chmod 0 closed"
    )
    kept = box.keep()
    assert kept["bin"].data == b"a\0b"
    assert kept["link"].kind == "link"
    assert kept["link"].data == b"/etc/passwd"
    assert kept[os.fsdecode(b"n\nl\x1b[31m\xff")].data == b"x"
    assert (kept["a.txt"].mode, kept["a.txt"].data) == (0, b"one\n")
    assert kept["run.sh"].mtime_ns == 1_000_000_000_500_000_000
    assert kept["closed/f"].data == b"in\n"
    assert "src/b.py" not in kept
    assert "pipe" not in kept
    again = WorkBox(kept, SMALL)
    try:
        assert again.keep() == kept
    finally:
        again.close()


def test_output_keeps_its_ends_and_says_what_was_cut(box: WorkBox) -> None:
    ran = box.shell("echo first; yes | head -c 100000; echo last")
    assert ran.out.startswith("first\ny\n")
    assert ran.out.endswith("y\nlast\n")
    assert "[… 95,915 of 100,011 bytes left out here …]" in ran.out
    assert len(ran.out) < 4200


def test_files_are_read_in_pieces_and_links_are_not_followed(box: WorkBox) -> None:
    assert box.read("a.txt") == b"one\n"
    assert box.read("a.txt", 1, 2) == b"ne"
    box.shell("ln -s /etc/hosts out; ln -s a.txt in; mkfifo pipe")
    for path in ("out", "in", "pipe", "src", "none", "/etc/hosts/x"):
        with pytest.raises(OSError, match=r"."):
            box.read(path)


def test_things_are_laid_over_whatever_stands_there(box: WorkBox) -> None:
    box.shell("rm -r src; ln -s /tmp src; mkdir -p a/deep; chmod 0 a; ln -s a.txt l")
    box.lay(
        {"src/b.py": TreeEntry("file", b"new"), "a": TreeEntry("file", b"file now"), "l": TreeEntry("file", b"own")},
        gone=["run.sh"],
    )
    kept = box.keep()
    assert kept["src"].kind == "folder"
    assert (kept["src/b.py"].data, kept["a"].data, kept["l"].data) == (b"new", b"file now", b"own")
    assert kept["a.txt"].data == b"one\n"
    assert "run.sh" not in kept


def test_large_files_go_in_and_out_whole() -> None:
    data = os.urandom(9 * 1024 * 1024)
    box = WorkBox({"large": TreeEntry("file", data)}, WorkLimits())
    try:
        assert box.keep()["large"].data == data
    finally:
        box.close()


@pytest.mark.parametrize(
    ("command", "out"),
    [
        ("ls /tmp; echo x > /tmp/outside; mkdir -p /tmp/y/z", "work\n"),
        ("(sleep 1000 & sleep 1000 & setsid sleep 1000 &) ; echo started", "started\n"),
    ],
)
def test_nothing_is_left_beside_the_folder_after_a_command(box: WorkBox, command: str, out: str) -> None:
    assert box.shell(command).out == out
    assert box.shell("ls /tmp; ls /proc | grep -c '^[0-9]'").out.splitlines()[0] == "work"
    # The first process, the one that serves, and those of this command.
    assert int(box.shell("ls /proc | grep '^[0-9]' | wc -l").out) <= 6


@pytest.mark.parametrize(
    "command",
    [
        "cat /etc/passwd /etc/shadow", "cat /root/.bashrc", "ls /home", "touch /usr/bin/x", "touch /x", "mount -t tmpfs x /tmp",
        "unshare -U true", "python3 -c 'import socket; socket.create_connection((\"127.0.0.1\", 80))'",
        "python3 -c 'import socket; socket.socket(socket.AF_UNIX)'", "grep -c . /proc/1/environ", "cat /proc/2/environ",
        "python3 -c 'open(\"/proc/2/mem\", \"rb+\")'", "echo x > /proc/sys/kernel/core_pattern", "mknod disk b 8 0",
        "chown 0 a.txt", "kill -9 2; kill -0 2 && false",
    ],
)  # fmt: skip
def test_what_a_command_must_not_do_it_cannot(box: WorkBox, command: str) -> None:
    ran = box.shell(command)
    assert ran.code != 0 or ran.lost


def test_an_environment_holds_nothing_of_this_machine(box: WorkBox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-known")
    found = dict(line.partition("=")[::2] for line in box.shell("env").out.splitlines())
    assert {name: found[name] for name in environment()} == environment()
    assert set(found) - set(environment()) <= {"PWD", "SHLVL", "_", "OLDPWD"}


@pytest.mark.parametrize(
    ("command", "over"),
    [
        ("while true; do :; done", "seconds"),
        ("python3 -c 'x = bytearray(600 << 20); x[::4096] = b\"1\" * len(x[::4096])'", ""),
        (":(){ :|:& :; };:", None),
        ("sleep 100", "seconds"),
    ],
)
def test_a_command_takes_no_more_than_it_may(command: str, over: str | None) -> None:
    box = WorkBox(GIVEN, WorkLimits(seconds=1, memory_mb=200, processes=8))
    try:
        ran = box.shell(command)
        assert ran.code != 0 or ran.over or over is None
        if over:
            assert ran.over == over
        assert box.keep() == GIVEN
    finally:
        box.close()


def test_which_limit_of_time_was_met_is_said() -> None:
    limits = WorkLimits(seconds=1)
    assert seconds_met(ShellRan(seconds=1.01), limits) == "1 seconds of processor time"
    assert seconds_met(ShellRan(seconds=0.02), limits) == "7 seconds that passed (0.0 of processor time)"


def test_a_disk_has_an_end(box: WorkBox) -> None:
    ran = box.shell("for n in 1 2 3 4; do head -c 20000000 /dev/zero > big$n || exit 9; done")
    assert ran.code == 9
    assert "No space left" in ran.out


@pytest.mark.parametrize(
    "command", ["kill -9 -1; sleep 1", "pkill -9 python; sleep 1", "echo x >> a.txt; kill -9 2; sleep 1"]
)
def test_who_ends_the_sandbox_is_told_and_finds_the_folder_as_it_was(box: WorkBox, command: str) -> None:
    box.shell("echo two > b.txt")
    kept = box.keep()
    assert box.shell(command).lost
    assert box.keep() == kept
    assert box.shell("cat b.txt").out == "two\n"


@pytest.mark.parametrize(
    "command", ["cd /; rm -rf /tmp/work; ln -s /usr /tmp/work", "rm -rf /tmp/work; echo x > /tmp/work"]
)
def test_who_takes_the_folder_away_has_an_empty_one(box: WorkBox, command: str) -> None:
    box.shell(command)
    assert box.keep() == {}
    assert box.shell("echo x > y").code == 0
    assert set(box.keep()) == {"y"}


def test_too_many_files_are_not_kept(box: WorkBox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(working, "MAX_ENTRIES", 20_000)
    box.shell("mkdir many && cd many && seq 1 20001 | xargs touch")
    with pytest.raises(TooMuchError, match="more than 20,000 files"):
        box.keep()
    assert box.kept == GIVEN
    box.shell("rm -r many")
    assert box.keep() == GIVEN


def test_names_that_are_too_long_are_not_kept(box: WorkBox) -> None:
    box.shell(f"for n in $(seq 1 40); do mkdir {'x' * 200} && cd {'x' * 200}; done")
    with pytest.raises(TooMuchError):
        box.keep()


def test_a_command_is_given_up_where_nobody_waits() -> None:
    box = WorkBox(GIVEN, WorkLimits(), given_up=lambda: True)
    try:
        assert box.shell("sleep 50").lost
    finally:
        box.close()


def test_files_without_room_are_said() -> None:
    with pytest.raises(BoxError, match=r"have no room.*raise `size_mb`"):
        WorkBox({"a": TreeEntry("file", bytes(60 << 20))}, WorkLimits(size_mb=1))


def test_no_process_and_no_file_is_left_on_this_machine(tmp_path: Path) -> None:
    box = WorkBox(GIVEN, SMALL)
    box.shell("sleep 987654 & echo x > /tmp/work/left-here-987654")
    box.close()
    listed = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True).stdout
    assert "sleep 987654" not in listed
    assert not Path("/tmp/work/left-here-987654").exists()


def test_programs_are_looked_for_where_a_box_has_them() -> None:
    assert missing_program(["sh", "python3"]) is None
    assert missing_program(["sh", "no-such-program"]) == "no-such-program"


def _outer(box: WorkBox) -> int:
    """The process of a box that stands outside of its namespaces."""
    return box._box._process.pid


def test_a_command_whose_box_is_ended_from_outside_runs_again(box: WorkBox) -> None:
    first = _outer(box)
    killer = threading.Timer(0.3, os.kill, (first, signal.SIGKILL))
    killer.start()
    ran = box.shell("echo more >> a.txt; sleep 0.8; cat a.txt")
    killer.join()
    assert (ran.out, ran.lost) == ("one\nmore\n", False)
    assert _outer(box) != first


def test_boxes_that_are_always_ended_from_outside_are_no_answer(box: WorkBox, monkeypatch: pytest.MonkeyPatch) -> None:
    begun = box._begin_anew

    def begin_and_end() -> None:
        begun()
        os.kill(_outer(box), signal.SIGKILL)

    monkeypatch.setattr(box, "_begin_anew", begin_and_end)
    os.kill(_outer(box), signal.SIGKILL)
    with pytest.raises(BoxError, match="ended from outside again and again"):
        box.shell("true")


def test_a_program_on_a_terminal_is_in_the_foreground_and_held_to_its_limits() -> None:
    master, end = os.openpty()
    try:
        with contextlib.closing(WorkBox(GIVEN, SMALL, terminal=end)) as box:
            os.write(master, b"Ada\n")
            ran = box.attend(
                ["/bin/sh", "-c", 'test -t 0 && read x < /dev/tty && echo "$x$TOLD" && exit 3'], {"TOLD": "!"}
            )
            assert ran == ShellRan(code=3)
            assert b"Ada!" in os.read(master, 1000)
    finally:
        os.close(master)
        os.close(end)


def test_too_many_processes_on_a_terminal_are_ended() -> None:
    master, end = os.openpty()
    try:
        with contextlib.closing(WorkBox(GIVEN, SMALL, terminal=end)) as box:
            ran = box.attend(["/bin/sh", "-c", "for i in $(seq 40); do sleep 100 & done; wait"], {})
            assert (ran.over, ran.lost) == ("processes", False)
            assert box.shell("cat a.txt").out == "one\n"
    finally:
        os.close(master)
        os.close(end)


def test_the_folder_is_found_at_the_places_that_its_test_names() -> None:
    box = WorkBox(tree_of({"a": "1", ".at/data/b": "2"}), WorkLimits(places=("/app", "/data", "/opt/later")))
    try:
        said = box.shell(
            "pwd; cat /app/a /data/b; echo 3 > /app/c; mkdir -p .at/opt/later; echo 4 > /opt/later/d"
            "; cat .at/opt/later/d"
        )
        kept = box.keep()
        again = box.shell("cat c /data/b")
    finally:
        box.close()
    assert said.out == "/app\n124\n"
    assert (kept["c"].data, kept[".at/opt/later/d"].data) == (b"3\n", b"4\n")
    assert again.out == "3\n2"


def test_a_place_above_this_python_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("modex.core.sandbox.bubblewrap.box._interpreter", lambda: str(Path(sys.executable).resolve()))
    above = f"/{Path(sys.executable).resolve().parts[1]}"
    box = WorkBox(tree_of({"a": "1"}), WorkLimits(places=("/app", above)))
    try:
        assert box.shell("cat /app/a").out == "1"
    finally:
        box.close()
