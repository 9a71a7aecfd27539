"""Dockerfiles as folders: what they copy, make and install, and what of them cannot be had."""

from __future__ import annotations

from pathlib import Path

import pytest

from modex.core.edge.dialects.harbor_image import CannotRunError, Image, is_ordinary, programs_of, read_image
from tests.core.sandbox.conftest import boxes  # noqa: F401 - a fixture

FROM = "FROM ubuntu:24.04\nWORKDIR /app\n"


def image(tmp_path: Path, text: str, **files: str) -> Image:
    """What a Dockerfile makes of these files."""
    folder = tmp_path / "environment"
    (folder / "sub").mkdir(parents=True)
    for name, content in {"a.txt": "a\n", "b.txt": "b\n", "sub/c.txt": "c\n", **files}.items():
        (folder / name).write_text(content)
    (folder / "Dockerfile").write_text(text)
    return read_image(folder / "Dockerfile", folder, tmp_path)


def held(found: Image) -> dict[str, bytes]:
    """Its files by absolute path."""
    return {f"/{path}": entry.data for path, entry in found.files.items() if entry.kind == "file"}


@pytest.mark.parametrize(
    ("text", "paths"),
    [
        ("COPY a.txt .", ["/app/a.txt"]),
        ("COPY a.txt b.txt data/", ["/app/data/a.txt", "/app/data/b.txt"]),
        ("COPY *.txt /data/", ["/data/a.txt", "/data/b.txt"]),
        ("COPY a.txt /data/renamed", ["/data/renamed"]),
        ('COPY ["a.txt", "/data/"]', ["/data/a.txt"]),
        ("COPY --chown=root:root sub /data/", ["/data/c.txt"]),
        ("COPY sub ./", ["/app/c.txt"]),
        ("ADD sub/c.txt ./", ["/app/c.txt"]),
        ("ARG D=/data\nCOPY a.txt $D/x", ["/data/x"]),
        ("WORKDIR inner\nCOPY ./a.txt ./", ["/app/inner/a.txt"]),
        ("# COPY b.txt .\ncopy \\\n  # between\n  a.txt \\\n  .", ["/app/a.txt"]),
    ],
)
def test_what_is_copied_is_there(tmp_path: Path, text: str, paths: list[str]) -> None:
    assert sorted(held(image(tmp_path, FROM + text))) == paths


def test_the_whole_context_can_be_copied(tmp_path: Path) -> None:
    found = held(image(tmp_path, FROM + "COPY . ."))
    assert found["/app/sub/c.txt"] == b"c\n"
    assert set(found) == {"/app/Dockerfile", "/app/a.txt", "/app/b.txt", "/app/sub/c.txt"}


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("FROM postgres:16", 1, "needs image postgres:16"),
        ("# only this", 1, "names no image"),
        (
            FROM + "RUN apt-get update && apt-get install -y git postgresql",
            3,
            "needs image ubuntu:24.04 with package postgresql",
        ),
        (FROM + "\nRUN curl -L https://example.com/x | sh", 4, "needs the network"),
        (FROM + "RUN git clone https://example.com/x", 3, "needs the network"),
        (FROM + "FROM debian", 3, "several stages"),
        (FROM + "COPY --from=build /x /y", 3, "copies from another image"),
        (FROM + "COPY ../secret .", 3, "leads out of the task"),
        (FROM + "COPY none.txt .", 3, "is not there to be copied"),
        (FROM + "ADD https://example.com/x .", 3, "fetches or unpacks"),
        (FROM + "ENV DATABASE=here", 3, "needs the variable DATABASE"),
        (FROM + "RUN useradd me", 3, "needs a system of its own (useradd)"),
        (FROM + 'CMD ["nginx", "-g", "daemon off;"]', 3, "starts a service"),
        (FROM + "RUN <<EOF\ntrue\nEOF", 3, "is not read"),
        (FROM + "ONBUILD RUN x", 3, "ONBUILD is not read"),
        (FROM + "RUN pip install -e .", 3, "which is no name of a package"),
        (FROM + "RUN pip install -r lost.txt", 3, "was not copied before"),
        (FROM + "RUN pip install --index-url https://x y", 3, "installs with --index-url"),
    ],
)
def test_what_cannot_be_had_is_said_with_its_line(tmp_path: Path, text: str, line: int, words: str) -> None:
    with pytest.raises(CannotRunError) as caught:
        image(tmp_path, text)
    assert words in str(caught.value)
    assert caught.value.line == line


def test_packages_are_those_of_pip_and_files_of_them(tmp_path: Path) -> None:
    found = image(
        tmp_path,
        FROM + "COPY wanted.txt .\nRUN pip install --no-cache-dir numpy==2.3 && python3 -m pip install -r wanted.txt\n"
        "RUN apt-get install -y --no-install-recommends bash=5.2 tmux && rm -rf /var/lib/apt/lists/*\n"
        "ENV PYTHONUNBUFFERED=1 TZ=UTC\nENV LANG C.UTF-8\n"
        'USER root\nCMD ["bash"]',
        **{"wanted.txt": "# these\npandas >= 2, < 3\n\n"},
    )
    assert found.packages == ["numpy==2.3", "pandas>=2,<3"]
    assert found.needs == ["bash"]


def test_a_link_that_leads_out_is_refused(tmp_path: Path) -> None:
    (tmp_path / "environment").mkdir()
    (tmp_path / "environment" / "Dockerfile").write_text(FROM + "COPY . .")
    (tmp_path / "environment" / "link").symlink_to("/etc/passwd")
    with pytest.raises(CannotRunError, match="link that leads out"):
        read_image(tmp_path / "environment" / "Dockerfile", tmp_path / "environment", tmp_path)


def test_places_are_where_its_files_are(tmp_path: Path) -> None:
    found = image(tmp_path, FROM + "COPY a.txt .\nCOPY b.txt /data/in/\nCOPY sub /data/")
    assert found.places() == ["/app", "/data"]
    assert sorted(found.laid()) == [".at/data/c.txt", ".at/data/in/b.txt", "a.txt"]


@pytest.mark.parametrize("place", ["/etc/x", "/usr/local/bin/x", "/root/x"])
def test_files_of_the_system_are_refused(tmp_path: Path, place: str) -> None:
    with pytest.raises(CannotRunError, match="is the system's"):
        image(tmp_path, FROM + f"COPY a.txt {place}").places()


@pytest.mark.process
@pytest.mark.usefixtures("boxes")
def test_commands_are_run_where_the_files_are(tmp_path: Path) -> None:
    found = image(
        tmp_path,
        FROM + "COPY a.txt .\nRUN mkdir -p /data/deep && cat a.txt a.txt > /data/deep/two; rm a.txt\n"
        "RUN if [ -d /data ]; then echo yes > it; fi",
    )
    assert held(found) == {"/data/deep/two": b"a\na\n", "/app/it": b"yes\n"}


@pytest.mark.process
@pytest.mark.usefixtures("boxes")
def test_a_command_that_fails_is_said_with_its_last_words(tmp_path: Path) -> None:
    with pytest.raises(CannotRunError, match=r"fails in a workspace \(ls nowhere: .*No such file"):
        image(tmp_path, FROM + "RUN ls nowhere")


@pytest.mark.parametrize(
    "name", ["ubuntu", "debian:12", "docker.io/library/python:3.13-slim", "ghcr.io/x/t-bench/ubuntu-24-04:2025"]
)
def test_ordinary_images(name: str) -> None:
    assert is_ordinary(name)
    assert not is_ordinary(f"{name}x/y")


def test_a_program_that_is_not_here_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("modex.core.edge.dialects.harbor_image.missing_program", lambda names: next(iter(names), None))
    with pytest.raises(CannotRunError, match="needs jq, which is not here"):
        programs_of(["curl", "jq"], "ubuntu")
