"""A file is the old one or the new one; links and devices are written through, modes are kept."""

from __future__ import annotations

import os
import resource
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from modex.core.foundation.atomic_write import PRIVATE, not_written, write_whole
from tests.faults.harness import ROOT

NULL, FULL = 3, 7


def device(folder: Path, minor: int) -> Path:
    """A null or a full device that a mistake may replace: root's own one, anybody else's a link to the machine's."""
    path = folder / f"device-{minor}"
    if os.geteuid():
        path.symlink_to({NULL: "/dev/null", FULL: "/dev/full"}[minor])
        return path
    os.mknod(path, 0o666 | stat.S_IFCHR, os.makedev(1, minor))
    try:
        path.read_bytes() if minor == NULL else path.open("rb").close()
    except PermissionError:
        pytest.skip("devices cannot be opened in this folder")
    return path


def test_what_is_written_stands_there_alone(tmp_path: Path) -> None:
    path = tmp_path / "file"
    for content, read in (("é\n", "é\n".encode()), (b"\xff", b"\xff"), (iter(["a", "b"]), b"ab"), ("\udcff", b"?")):
        write_whole(path, content)
        assert path.read_bytes() == read
    assert list(tmp_path.iterdir()) == [path]


def test_an_old_file_keeps_its_mode_and_a_new_one_has_the_processs_or_the_one_given(tmp_path: Path) -> None:
    old, new, private = tmp_path / "old", tmp_path / "new", tmp_path / "private"
    old.write_text("")
    old.chmod(0o640)
    umask = os.umask(0o027)
    try:
        write_whole(old, "1", mode=PRIVATE)
        write_whole(new, "1")
        write_whole(private, "1", mode=PRIVATE)
    finally:
        os.umask(umask)
    assert [path.stat().st_mode & 0o777 for path in (old, new, private)] == [0o640, 0o640, 0o600]


def test_through_a_link_the_file_behind_it_is_written(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    link = tmp_path / "link"
    link.symlink_to(Path("folder") / "file")
    for content in ("new", "newer"):
        write_whole(link, content)
        assert link.is_symlink()
        assert (tmp_path / "folder" / "file").read_text() == content


def test_a_pipe_is_written_into(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reading = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        write_whole(pipe, "text")
        assert os.read(reading, 100) == b"text"
    finally:
        os.close(reading)
    assert pipe.is_fifo()


def test_a_device_stays_a_device(tmp_path: Path) -> None:
    full, link = device(tmp_path, FULL), tmp_path / "link"
    link.symlink_to(full)
    for path in (full, link):
        with pytest.raises(OSError, match="No space"):
            write_whole(path, "text")
    assert full.is_char_device()
    assert link.is_symlink()
    assert set(tmp_path.iterdir()) == {full, link}


def test_what_fails_in_the_middle_leaves_the_old_file(tmp_path: Path) -> None:
    def pieces() -> Iterator[str]:
        yield "new"
        raise KeyboardInterrupt

    path = tmp_path / "file"
    path.write_text("old")
    with pytest.raises(KeyboardInterrupt):
        write_whole(path, pieces())
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.process
@pytest.mark.parametrize("what", ["setting", "labels"])
def test_without_room_the_old_file_stays_and_the_words_say_what_to_do(tmp_path: Path, what: str) -> None:
    path = tmp_path / ("config.toml" if what == "setting" else "labels.json")
    old = 'theme = "dark"\n' if what == "setting" else "[]"
    path.write_text(old)
    code = (
        "from modex.core.config.settings import save_setting; save_setting('model', ['m' * 5000])"
        if what == "setting"
        else "from pathlib import Path; from modex.core.suite.labels import KnownLabel, save_labels; "
        f"save_labels(Path({str(path)!r}), [KnownLabel('m' * 5000)])"
    )
    ended = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": str(ROOT), "MODEX_CONFIG": str(path), "PYTHONDONTWRITEBYTECODE": "1"},
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000)),
        capture_output=True,
        text=True,
        check=False,
    )
    assert f"{path}: cannot be written (File too large); make room" in ended.stderr
    assert path.read_text() == old
    assert list(tmp_path.iterdir()) == [path]


def test_what_cannot_be_written_says_where_else() -> None:
    refused = PermissionError(13, "Permission denied")
    said = str(not_written("a/b", refused, "name another place"))
    assert said == "a/b: cannot be written (Permission denied); make it writable, or name another place"
