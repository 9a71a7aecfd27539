from __future__ import annotations

import contextlib
import http.client
import json
import os
import signal
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from modex.core.config.entries.naming import model_spec
from modex.core.foundation.errors import ConfigurationError
from modex.core.foundation.processes import is_ending
from modex.core.llm.served.filling import wish_of
from modex.core.llm.served.lease import ServerLease
from modex.core.llm.served.status import KEEPER, Status, is_held, opened, read_status, write_status
from modex.core.llm.served.status import taken as is_taken
from modex.core.llm.served.wish import Wish

pytestmark = pytest.mark.process
_LITTLE = Path(__file__).with_name("little.py")
_LONG_S = 60.0


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MODEX_SERVED", str(tmp_path / "served"))
    return tmp_path


def _wish(mode: str = "plain", *more: str) -> Wish:
    command = " ".join([sys.executable, str(_LITTLE), "{port}", mode, *more])
    return Wish("little", command=command, linger_s=0.0, start_timeout_s=_LONG_S)


def _until(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + _LONG_S
    while not true():
        assert time.monotonic() < deadline, "it did not come about"
        time.sleep(0.01)


def _ask(status: Status) -> str:
    body = json.dumps({"model": "little", "messages": []}).encode()
    headers = {"Authorization": f"Bearer {status.key}", "Content-Type": "application/json"}
    with urllib.request.urlopen(urllib.request.Request(f"{status.base}/chat/completions", body, headers)) as answer:
        return str(json.load(answer)["choices"][0]["message"]["content"])


def _is_gone(pid: int) -> bool:
    try:
        os.kill(pid, 0)
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except (ProcessLookupError, FileNotFoundError):
        return True


def _pid(said: str) -> int:
    return int(said.rpartition(" ")[2])


def _ends(wish: Wish) -> None:
    _until(lambda: not is_held(wish.place, KEEPER))


@pytest.fixture
def taken() -> Iterator[Callable[[Wish], ServerLease]]:
    """ServerLeases that are given back, whose servers then end."""
    all_of_them: list[ServerLease] = []

    def take(wish: Wish) -> ServerLease:
        all_of_them.append(ServerLease(wish))
        return all_of_them[-1]

    yield take
    for lease in all_of_them:
        lease.close()
        _ends(lease.wish)


def test_all_who_want_the_same_share_one_server_and_the_last_ends_it(taken: Callable[[Wish], ServerLease]) -> None:
    first, second = taken(_wish()), taken(_wish())
    said = _ask(first.ready())
    assert said == _ask(second.ready())
    assert first.ready().facts == {"server": "own command", "model": "little"}
    first.close()
    assert _ask(second.ready()) == said
    second.close()
    _ends(second.wish)
    assert _is_gone(_pid(said))
    assert read_status(second.wish.place).state == "ended"


def test_another_wish_gets_a_server_of_its_own(taken: Callable[[Wish], ServerLease]) -> None:
    assert _ask(taken(_wish()).ready()) != _ask(taken(replace(_wish(), context=512)).ready())


def test_a_server_that_dies_is_started_again(taken: Callable[[Wish], ServerLease], home: Path) -> None:
    lease = taken(_wish("once", str(home / "flag")))
    with pytest.raises((ConnectionError, http.client.HTTPException)):
        _ask(lease.ready())
    _until(lambda: lease.status().starts == 2)
    assert "little" in _ask(lease.ready())


def test_a_server_that_ends_again_and_again_is_given_up(taken: Callable[[Wish], ServerLease]) -> None:
    lease = taken(_wish("falls"))
    lease.ready()

    def given_up() -> bool:
        status = read_status(lease.wish.place)
        if status.state == "ready":
            with contextlib.suppress(OSError, http.client.HTTPException):
                _ask(status)
        return status.state == "failed"

    _until(given_up)
    said = "it was started 5 times and ended each time; last it ended with exit code 7"
    status = read_status(lease.wish.place)
    assert (said in status.words, status.starts) == (True, 5)
    with pytest.raises(ConfigurationError, match=said):
        lease.ready()


def test_a_killed_keeper_leaves_no_server_and_the_next_look_has_another(taken: Callable[[Wish], ServerLease]) -> None:
    lease = taken(_wish())
    status = lease.ready()
    pid = _pid(_ask(status))
    os.kill(status.pid, signal.SIGKILL)
    _until(lambda: _is_gone(pid))
    again = lease.ready()
    assert again.serial > status.serial
    assert lease.status().starts == 2
    assert _pid(_ask(again)) != pid


def test_a_killed_keeper_whose_last_thread_still_holds_its_lock_is_none(home: Path) -> None:
    wish = _wish()
    wish.place.mkdir(parents=True)
    held = opened(wish.place, KEEPER)
    assert is_taken(held)
    with subprocess.Popen([sys.executable, "-c", ""]) as ended:
        _until(lambda: is_ending(ended.pid))
        write_status(wish.place, Status(serial=1, state="ready", base="http://127.0.0.1:1/v1", pid=ended.pid))
        lease = ServerLease(wish)
        with pytest.raises(TimeoutError):
            lease.ready(stop=lambda: True)
    assert lease.ready().serial == 1, "of a process that this machine does not know, its lock says that it is there"
    lease.close()
    os.close(held)


def test_the_end_of_who_wanted_it_is_its_end_however_that_came(home: Path) -> None:
    wish = _wish()
    (home / "wish").write_text(wish.to_json())
    code = (
        "import sys; from pathlib import Path; from modex.core.llm.served.lease import ServerLease;"
        " from modex.core.llm.served.wish import Wish;"
        " lease = ServerLease(Wish.from_json(Path(sys.argv[1]).read_text())); lease.ready(); print(flush=True); sys.stdin.read()"
    )
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, "-c", code, str(home / "wish")], stdin=pipe, stdout=pipe) as wants:
        assert wants.stdout is not None
        assert wants.stdout.readline() == b"\n"
        pid = _pid(_ask(read_status(wish.place)))
        wants.kill()
    _ends(wish)
    assert _is_gone(pid)


def test_one_that_does_not_start_is_said_with_its_last_lines() -> None:
    lease = ServerLease(_wish("ends"), "mine")
    with pytest.raises(
        ConfigurationError,
        match=r"^mine: its server cannot be had: it ended with exit code 3; check `serve.command`\n  no such device: cuda:7",
    ):
        lease.ready()
    lease.close()


def test_keys_that_a_server_says_are_masked_before_anything_is_written(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-proj-0123456789abcdef0123")
    monkeypatch.setenv("OWN_TOKEN", "hunterverysecret99")
    wish = _wish("tells")
    lease = ServerLease(wish)
    with pytest.raises(ConfigurationError, match=r"refused: \[redacted\] \[redacted\] \[redacted\]$"):
        lease.ready()
    lease.close()
    written = "".join(one.read_text() for one in wish.place.iterdir())
    assert "sk-proj" not in written
    assert "hunterverysecret99" not in written
    assert (wish.place / "server.log").read_text() == "refused: [redacted] [redacted] [redacted]\n"


def test_only_what_this_start_wrote_is_its_reason(home: Path) -> None:
    wish = _wish("ends")
    for _ in range(2):
        lease = ServerLease(wish)
        with pytest.raises(ConfigurationError) as caught:
            lease.ready()
        lease.close()
        _ends(wish)
        assert str(caught.value).count("cuda:7") == 1
    assert (wish.place / "server.log").read_text().count("cuda:7") == 2


def test_one_that_never_answers_is_given_up() -> None:
    wish = replace(_wish("slow"), start_timeout_s=0.1)
    lease = ServerLease(wish)
    with pytest.raises(ConfigurationError, match=r"did not answer at /health within 0.1 s \(start_timeout\)"):
        lease.ready()
    lease.close()
    _ends(wish)


def test_a_program_that_is_not_there_is_named() -> None:
    lease = ServerLease(Wish("x", command="no-such-program {port}", linger_s=0.0))
    with pytest.raises(ConfigurationError, match="no-such-program"):
        lease.ready()
    lease.close()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root is kept from it")
def test_root_serves_nobody_but_this_machine() -> None:
    lease = ServerLease(_wish("public"))
    with pytest.raises(ConfigurationError, match=r"listens at 0.0.0.0, which others can reach, and runs as root"):
        lease.ready()
    lease.close()
    _ends(lease.wish)


def test_waiting_ends_when_it_is_told_to(taken: Callable[[Wish], ServerLease]) -> None:
    lease = taken(_wish("slow"))
    with pytest.raises(TimeoutError):
        lease.ready(stop=lambda: True)


def test_its_files_are_its_owners_alone(taken: Callable[[Wish], ServerLease]) -> None:
    place = taken(_wish()).wish.place
    assert {oct(one.stat().st_mode & 0o777) for one in place.iterdir() if one.suffix == ".json"} == {"0o600"}
    assert place.stat().st_mode & 0o077 == 0


def test_a_folder_that_cannot_be_written_is_said_at_once(home: Path) -> None:
    wish = _wish()
    (wish.place / "status.json").mkdir(parents=True)
    with pytest.raises(
        ConfigurationError, match=r"keeper did not start in .*: Is a directory; make room on its disk, or name"
    ):
        ServerLease(wish)
    _ends(wish)


def test_one_that_cannot_be_written_any_more_once_the_server_answers_is_said_too(home: Path) -> None:
    wish = replace(
        _wish("blocks", "status.json"), folder=str(home / "of-it")
    )  # the command is part of the folder's name
    (home / "of-it").symlink_to(wish.place)
    lease = ServerLease(wish)
    with pytest.raises(ConfigurationError, match="Is a directory"):
        lease.ready()
    lease.close()
    _ends(wish)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the keeper is found in /proc")
def test_a_command_is_run_in_the_folder_of_the_file_that_says_it(
    home: Path, taken: Callable[[Wish], ServerLease], monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder := home / "of the suite").mkdir()
    (folder / "serve.sh").write_text(f'#!/bin/sh\nexec "$(cat python)" {_LITTLE} "$1" plain\n')
    (folder / "serve.sh").chmod(0o755)
    (folder / "python").write_text(sys.executable)
    (folder / "models.toml").write_text(
        '[models.own]\nmodel = "openai/little"\nserve = { command = "./serve.sh {port}" }\n'
    )
    monkeypatch.setenv("MODEX_MODELS", str(folder / "models.toml"))
    monkeypatch.chdir("/")
    wish = replace(wish_of(model_spec("own")), linger_s=0.0)
    assert "little of" in _ask(taken(wish).ready())
    assert replace(wish, folder="/").key != wish.key  # another program


def test_keepers_that_end_without_a_word_are_not_started_for_ever() -> None:
    lease = ServerLease(_wish("kills"), "mine")
    with pytest.raises(
        ConfigurationError, match=r"^mine: its server's keeper ended 3 times before the server answered"
    ):
        lease.ready()
    lease.close()


def test_a_lease_is_taken_again_where_its_folder_was_cleared_away_meanwhile(home: Path) -> None:
    wish = _wish()
    wish.place.mkdir(parents=True)
    clearing = opened(wish.place, "lease")
    assert is_taken(clearing)
    found: list[ServerLease] = []
    taking = threading.Thread(target=lambda: found.append(ServerLease(wish)))
    taking.start()
    _until(lambda: len(_open_files("lease.lock")) > 1)
    for path in wish.place.iterdir():
        path.unlink()
    wish.place.rmdir()
    os.close(clearing)
    taking.join(_LONG_S)
    assert found[0].ready().state == "ready"
    found[0].close()
    _ends(wish)


def _open_files(name: str) -> list[str]:
    """Of this process."""
    found = []
    for one in Path("/proc/self/fd").iterdir():
        with contextlib.suppress(OSError):
            found += [str(one.readlink())] if name in str(one.readlink()) else []
    return found
