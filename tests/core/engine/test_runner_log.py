from __future__ import annotations

import os
from pathlib import Path

from modex.core.engine.runner_log import aside, rotate


def opened(log: Path) -> int:
    return os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)


def test_a_long_log_is_put_aside_and_begins_anew(tmp_path: Path) -> None:
    log = tmp_path / "modex.db.runner.log"
    own = opened(log)
    os.write(own, b"before" * 10)
    assert rotate(log, (own,), most_bytes=50)
    os.write(own, b"after")
    os.close(own)
    assert log.read_bytes() == b"after"
    assert aside(log).read_bytes() == b"before" * 10
    assert log.stat().st_mode & 0o777 == 0o600


def test_a_short_log_stays(tmp_path: Path) -> None:
    log = tmp_path / "log"
    own = opened(log)
    os.write(own, b"short")
    assert not rotate(log, (own,), most_bytes=50)
    os.close(own)
    assert not aside(log).exists()


def test_several_runners_put_it_aside_once_and_all_go_on_in_the_new_one(tmp_path: Path) -> None:
    log = tmp_path / "log"
    one, two = opened(log), opened(log)
    os.write(one, b"x" * 60)
    assert rotate(log, (one,), most_bytes=50)
    os.write(one, b"one ")
    assert rotate(log, (two,), most_bytes=50)
    os.write(two, b"two")
    for descriptor in (one, two):
        os.close(descriptor)
    assert log.read_bytes() == b"one two"
    assert aside(log).read_bytes() == b"x" * 60


def test_what_is_no_file_is_left_alone(tmp_path: Path) -> None:
    reading, writing = os.pipe()
    assert not rotate(tmp_path / "log", (writing,), most_bytes=0)
    for descriptor in (reading, writing):
        os.close(descriptor)
