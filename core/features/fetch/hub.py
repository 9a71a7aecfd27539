"""The Hub as `huggingface_hub` asks it: which files a revision has, and one file, gone on with where it broke off.

`HF_ENDPOINT`, `HF_TOKEN` (or the token that its own login stored), `HF_HOME` and `HF_HUB_OFFLINE` are that library's:
https://huggingface.co/docs/huggingface_hub/package_reference/environment_variables. Files come over plain HTTP, which every
hub and mirror speaks; the library's own `hf_hub_download` begins a file anew in every call.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO
from urllib.parse import urlsplit

from modex.core.foundation.errors import ModexError
from modex.core.foundation.exit_codes import ExitCode
from modex.core.safety import clean_line, redact

HALF = ".half"
"""The ending of a file that is not whole yet."""
PIECE = 1 << 18
"""Bytes after which a download is written and told of; the library's own 10 MB are more than most benchmarks have."""
TIMEOUT_S = 20.0
"""Until the Hub has said what a revision holds."""
_QUIET = {"HF_HUB_DISABLE_TELEMETRY": "1", "HF_HUB_DISABLE_PROGRESS_BARS": "1"}
_TRUE = ("1", "ON", "YES", "TRUE")
_COMMIT = 40
"""Characters of a commit's name."""


class FetchError(ModexError):
    """A dataset did not come; nothing that was there before was touched."""

    exit_code = ExitCode.MISSED


class NoNetworkError(FetchError):
    """Nobody answered."""


class NoRevisionError(FetchError):
    """The repository has no such revision."""


class OtherContentError(FetchError):
    """What came is not what the Hub says of the file."""


@dataclass(frozen=True, slots=True)
class RemoteFile:
    """One file of a revision, and how its content is known."""

    path: str
    size: int
    sha256: str
    """Of files that are kept as large ones; empty where only the blob's name is told."""
    blob: str
    """The name of the file as Git's blob: SHA-1 of `blob <size>`, a NUL and the content."""


@dataclass(frozen=True, slots=True)
class Revision:
    """What a repository holds at one commit."""

    commit: str
    files: tuple[RemoteFile, ...]


def endpoint() -> str:
    """The Hub's address."""
    return str(os.environ.get("HF_ENDPOINT") or _library().constants.ENDPOINT).rstrip("/")


def is_offline() -> bool:
    """Whether the library was told to ask no network (`HF_HUB_OFFLINE`)."""
    return bool(_library().constants.HF_HUB_OFFLINE) or os.environ.get("HF_HUB_OFFLINE", "").upper() in _TRUE


def revision_of(repository: str, revision: str) -> Revision:
    """The commit that a branch, a tag or a commit is now, and its files.

    Raises:
        FetchError: the Hub does not answer, refuses, or has no such dataset or revision.
    """
    library = _library()
    try:
        info = library.HfApi(endpoint=endpoint()).dataset_info(
            repository, revision=revision, files_metadata=True, timeout=TIMEOUT_S
        )
    except Exception as error:
        raise said(error, repository, revision) from None
    commit = str(info.sha or "")
    if len(commit) != _COMMIT or set(commit) - set("0123456789abcdef"):
        raise FetchError(f"{endpoint()}: does not say which commit {repository} is; set HF_ENDPOINT to a hub that does")
    found = []
    for one in info.siblings or ():
        large = one.lfs
        sha256 = str(getattr(large, "sha256", "") or "")
        size = one.size if one.size is not None else getattr(large, "size", None)
        found.append(RemoteFile(str(one.rfilename), int(size or 0), sha256, str(one.blob_id or "")))
    return Revision(commit, tuple(found))


def bring(repository: str, commit: str, file: RemoteFile, folder: Path, tell: Callable[[int], None]) -> Path:
    """Download one file below `folder`; a download that broke off is gone on with. `tell` hears each number of bytes.

    What comes back is not verified yet.

    Raises:
        OtherContentError: it came with another size.
        FetchError: the Hub does not answer, refuses, or breaks off.
        OSError: it cannot be written.
    """
    whole = folder / file.path
    if whole.exists():
        return whole
    half = folder / f"{file.path}{HALF}"
    half.parent.mkdir(parents=True, exist_ok=True)
    if half.exists() and half.stat().st_size > file.size:
        half.unlink()
    with half.open("ab") as into:
        tell(into.tell())
        try:
            _download(repository, commit, file, into, tell)
        except Exception as error:
            if isinstance(error, OSError) and error.errno is not None and not _of_network(error):
                raise
            if type(error) is OSError:  # how the library says that the number of bytes is another one
                raise OtherContentError(
                    f"{endpoint()}/datasets/{repository}: {file.path} came with another size than {file.size:,} bytes; "
                    "it was thrown away: try again, or set HF_ENDPOINT to another hub"
                ) from None
            raise said(error, repository, commit) from None
    return half.rename(whole)


def _download(repository: str, commit: str, file: RemoteFile, into: BinaryIO, tell: Callable[[int], None]) -> None:
    """Append to `into` what it lacks of the file; a token goes to the Hub alone, and not where it redirects to."""
    from huggingface_hub.file_download import http_get

    library = _library()
    address = library.hf_hub_url(repository, file.path, repo_type="dataset", revision=commit, endpoint=endpoint())
    found = library.get_hf_file_metadata(address, timeout=TIMEOUT_S, endpoint=endpoint())
    headers: dict[str, str] = library.utils.build_hf_headers()
    if urlsplit(found.location).netloc != urlsplit(address).netloc:
        headers = {name: value for name, value in headers.items() if name.lower() != "authorization"}
    http_get(
        found.location,
        into,
        resume_size=into.tell(),
        headers=headers,
        expected_size=file.size,
        tqdm_class=_told(tell),
    )


def _library() -> Any:
    for name, value in _QUIET.items():
        os.environ.setdefault(name, value)
    import huggingface_hub
    import huggingface_hub.constants
    from huggingface_hub.utils import logging

    huggingface_hub.constants.DOWNLOAD_CHUNK_SIZE = PIECE
    logging.set_verbosity(50)  # it would log addresses with their signatures
    return huggingface_hub


def _told(tell: Callable[[int], None]) -> Any:
    """What the library takes for its bar: it hands on how many bytes came, and draws nothing."""

    class Told:
        def __init__(self, *_: Any, **__: Any) -> None:
            """As its library makes it."""

        def update(self, count: float | None = 1) -> None:
            tell(int(count or 0))

        def __enter__(self) -> Told:
            return self

        def __exit__(self, *_: object) -> None:
            return None

        def close(self) -> None:
            return None

    return Told


def _of_network(error: BaseException) -> bool:
    import httpx

    seen: list[BaseException] = []
    now: BaseException | None = error
    while now is not None and now not in seen:
        if isinstance(now, httpx.TransportError | ConnectionError | TimeoutError):
            return True
        seen.append(now)
        now = now.__cause__ or now.__context__
    return False


def said(error: Exception, repository: str, revision: str) -> FetchError:
    """What a failure of the library means, and what to do; addresses with signatures and keys are not repeated."""
    from huggingface_hub import errors

    page = f"{endpoint()}/datasets/{repository}"
    if isinstance(error, errors.OfflineModeIsEnabled):
        return NoNetworkError(f"{repository}: HF_HUB_OFFLINE is set, so no network is asked; set it to 0")
    if isinstance(error, errors.RevisionNotFoundError):
        return NoRevisionError(f"{page}: has no revision {revision}; name another with --revision")
    status = getattr(getattr(error, "response", None), "status_code", None)
    if isinstance(error, errors.GatedRepoError) or status in (401, 403):
        return FetchError(_refused(page, status))
    if isinstance(error, errors.RepositoryNotFoundError | errors.EntryNotFoundError) and status == 404:
        return FetchError(
            f"{page}: is not there (404); look for it on the Hub, or set HF_ENDPOINT to the hub that has it"
        )
    if status == 429:
        return FetchError(f"{page}: too many requests (429); wait some minutes, or set HF_TOKEN, which allows more")
    if status is not None:
        return FetchError(f"{page}: the Hub answers {status}; try again later")
    if _of_network(error):
        return NoNetworkError(f"{endpoint()}: does not answer, or broke off ({_reason(error)}); try again")
    return FetchError(f"{page}: cannot be fetched ({_reason(error)}); try again")


def _refused(page: str, status: int | None) -> str:
    if _library().get_token():
        return (
            f"{page}: refuses the token that is sent ({status}): open that page and accept its terms with that account, "
            "or set HF_TOKEN to another"
        )
    return (
        f"{page}: asks who you are ({status}): open that page and accept its terms, make a token "
        "(https://huggingface.co/settings/tokens) and set HF_TOKEN to it"
    )


def _reason(error: Exception) -> str:
    cause: BaseException = error
    while cause.__cause__ is not None:
        cause = cause.__cause__
    line = next(iter(str(cause).strip().splitlines()), "") or type(cause).__name__
    return clean_line(redact(line.partition("http")[0].strip(" :") or type(cause).__name__), 160)
