from __future__ import annotations

import os
from pathlib import Path

import pytest

from modex.core.llm.served.status import (
    KEEPER,
    LEASE,
    LOG,
    STATUS,
    Status,
    clear_away,
    is_held,
    is_there,
    last_lines,
    opened,
    places,
    places_held,
    read_status,
    taken,
    write_status,
)
from modex.core.llm.served.wish import place_of


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


def test_what_a_rotated_log_has_is_told(tmp_path: Path) -> None:
    (tmp_path / LOG).write_text("new\n")
    assert last_lines(tmp_path, 4) == ""
    assert last_lines(tmp_path, 5) == "\n  new"


def _server(home: Path, number: int) -> Path:
    place = home / place_of(f"{number:02}")
    place.mkdir(parents=True)
    write_status(place, Status(serial=number))
    os.utime(place / STATUS, (number, number))
    (place / LOG).write_text("said\n")
    return place


def test_of_servers_that_are_gone_only_the_newest_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MODEX_SERVED", str(tmp_path / "served"))
    clear_away()  # nothing was ever served
    all_of_them = [_server(tmp_path / "served", number) for number in range(1, 25)]
    (elsewhere := tmp_path / "served" / "other-machine-1").mkdir()
    (tmp_path / "served" / "digests.json").write_text("[]")
    wanted, kept = opened(all_of_them[0], LEASE), opened(all_of_them[1], KEEPER)
    assert taken(wanted, shared=True)
    assert taken(kept)
    assert places_held() == [all_of_them[1]]
    clear_away()
    assert sorted(places()) == [*all_of_them[:2], *all_of_them[4:]]
    assert elsewhere.is_dir()
    os.close(wanted)
    os.close(kept)
    clear_away()
    assert sorted(places()) == all_of_them[4:]


def test_a_lock_whose_file_was_removed_is_not_there(tmp_path: Path) -> None:
    held = opened(tmp_path, LEASE)
    assert is_there(tmp_path, LEASE, held)
    (tmp_path / "lease.lock").unlink()
    assert not is_there(tmp_path, LEASE, held)
    os.close(opened(tmp_path, LEASE))
    assert not is_there(tmp_path, LEASE, held)
    os.close(held)
    assert not is_held(tmp_path / "gone", LEASE)
