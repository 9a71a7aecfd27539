from __future__ import annotations

import os
from pathlib import Path

from modex.core.llm.served.status import (
    KEEPER,
    LEASE,
    LOG,
    STATUS,
    Status,
    is_held,
    last_lines,
    opened,
    read_status,
    taken,
    write_status,
)


def test_before_a_keeper_said_anything_nothing_runs() -> None:
    assert Status() == Status(serial=0, state="ended", starts=0, pid=0, peak_bytes=0, log_from=0, facts={})


def test_what_is_said_is_read_again_and_is_its_owners_alone(tmp_path: Path) -> None:
    told = Status(7, "ready", "http://127.0.0.1:9/v1", "k", "w", 2, 5, 100, 30, {"slots": 4})
    write_status(tmp_path, told)
    assert read_status(tmp_path) == told
    assert (tmp_path / STATUS).stat().st_mode & 0o777 == 0o600


def test_what_cannot_be_read_says_nothing_and_keys_of_other_versions_are_passed_over(tmp_path: Path) -> None:
    assert read_status(tmp_path) == Status()
    (tmp_path / STATUS).write_text("[1]")
    assert read_status(tmp_path) == Status()
    (tmp_path / STATUS).write_text('{"serial": 3, "of_tomorrow": 1}')
    assert read_status(tmp_path) == Status(serial=3)


def test_a_lock_is_held_by_many_who_share_it_or_by_one(tmp_path: Path) -> None:
    one, other = opened(tmp_path, LEASE), opened(tmp_path, LEASE)
    assert taken(one, shared=True)
    assert taken(other, shared=True)
    assert is_held(tmp_path, LEASE)
    os.close(other)
    assert taken(one)
    os.close(one)
    assert not is_held(tmp_path, LEASE)
    assert not is_held(tmp_path, KEEPER)
    assert (tmp_path / f"{LEASE}.lock").stat().st_mode & 0o777 == 0o600


def test_the_last_lines_that_say_something_are_told_from_where_a_start_began(tmp_path: Path) -> None:
    assert last_lines(tmp_path) == ""
    early = "of an earlier start\n"
    (tmp_path / LOG).write_text(early + "".join(f"line {number}  \n\n" for number in range(12)))
    assert last_lines(tmp_path) == "".join(f"\n  line {number}" for number in range(4, 12))
    (tmp_path / LOG).write_text(f"{early}one\n{'x' * 400}\n")
    assert last_lines(tmp_path, len(early)) == f"\n  one\n  {'x' * 300}"
    (tmp_path / LOG).write_text(early + "y" * 5000)
    assert last_lines(tmp_path) == "\n  " + "y" * 300
    (tmp_path / LOG).write_text("a" * 100 + "\n" + "b" * 3999)
    assert last_lines(tmp_path) == "\n  " + "b" * 300, "of a long log only the end is read"
