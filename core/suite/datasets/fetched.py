"""The datasets that `modex fetch` brought: where they lie, what is held of each, and the file that a run reads.

    <folder>/<name>/manifest.json      what is held: repository, revision, the file with the rows, every file's SHA-256
    <folder>/<name>/<revision>/…       the files of one revision, put there whole; older ones stay for runs that read them
    <folder>/<name>/brought/…          where a person puts files that were had elsewhere

Nothing here asks a network.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from modex.core.config.runconfig import DatasetOrigin, DatasetSpec
from modex.core.foundation.atomic_write import write_whole
from modex.core.foundation.errors import ConfigurationError
from modex.core.suite.datasets.homes import HOMES, DatasetHome, all_names, homes_of, preset_elsewhere
from modex.core.suite.suggest import did_you_mean

_MOST_BYTES = 4 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class VerifiedFile:
    """One file as it was verified."""

    sha256: str
    bytes: int


@dataclass(frozen=True, slots=True)
class Manifest:
    """What is held of one name."""

    name: str
    repository: str
    revision: str
    """The commit; empty where a person brought the files."""
    folder: str
    """The folder of its files, beside the manifest."""
    file: str
    """The file with the rows, in that folder."""
    fetched_at: str
    files: dict[str, VerifiedFile] = field(default_factory=dict)
    """Every file by its path in that folder."""

    @property
    def digest(self) -> str:
        """Of the file with the rows."""
        return self.files[self.file].sha256

    @property
    def size(self) -> int:
        """Bytes of all files."""
        return sum(one.bytes for one in self.files.values())

    @property
    def said(self) -> str:
        """Its revision, for people."""
        return self.revision[:12] if self.revision else "brought by hand"


def datasets_folder() -> Path:
    """Where fetched datasets are: `MODEX_DATASETS`, else the setting `datasets`, else the platform's data folder.

    Raises:
        ConfigurationError: the settings cannot be read.
    """
    from modex.core.config.settings import load_settings

    if given := load_settings().datasets:
        return Path(given).expanduser().absolute()
    from platformdirs import user_data_path

    return user_data_path("modex", appauthor=False) / "datasets"


def manifest_file(folder: Path, name: str) -> Path:
    """Where it is written what is held of a name."""
    return folder / name / "manifest.json"


def held(folder: Path, name: str) -> Manifest | None:
    """What is held of a name, as its manifest says; None where it was never fetched.

    Raises:
        ConfigurationError: the manifest cannot be read.
    """
    path = manifest_file(folder, name)
    try:
        text = path.read_bytes()[:_MOST_BYTES]
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise ConfigurationError(f"{path}: cannot be read ({error.strerror or error}); make it readable") from None
    try:
        return _manifest(json.loads(text), name)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise ConfigurationError(f"{path}: is damaged; `modex fetch {name} --again` fetches it anew") from None


def _manifest(data: Any, name: str) -> Manifest:
    files = {str(path): VerifiedFile(str(one["sha256"]), int(one["bytes"])) for path, one in data["files"].items()}
    found = Manifest(**{**data, "files": files})
    if found.name != name or found.file not in files or any(_leaves(path) for path in (found.folder, *files)):
        raise ValueError("not its manifest")
    return found


def _leaves(path: str) -> bool:
    """Whether a path names something else than what lies below."""
    return not path or Path(path).is_absolute() or ".." in Path(path).parts


def hold(folder: Path, manifest: Manifest) -> None:
    """Write that this is held from now on; the files are there already.

    Raises:
        OSError: it cannot be written.
    """
    path = manifest_file(folder, manifest.name)
    write_whole(path, json.dumps(asdict(manifest), indent=2) + "\n")


def fault_of(folder: Path, manifest: Manifest) -> str:
    """What of the files that are held is not there any more, or has another size; empty where all are."""
    root = folder / manifest.name / manifest.folder
    for path, kept in manifest.files.items():
        try:
            size = (root / path).stat().st_size
        except OSError:
            return f"{root / path} is not there any more"
        if size != kept.bytes:
            return f"{root / path} was changed since it was fetched"
    return ""


def rows_file(folder: Path, manifest: Manifest) -> Path:
    """The file with the rows."""
    return folder / manifest.name / manifest.folder / manifest.file


def fetched_dataset(name: str) -> DatasetSpec | None:
    """The dataset that a name stands for, as it is held; None where no benchmark is called so.

    Raises:
        ConfigurationError: it is not here, or not whole; the name stands for several, or for one that is had elsewhere.
    """
    found = homes_of(name)
    if not found:
        if (preset := preset_elsewhere(name)) is not None:
            raise ConfigurationError(f"{name}: {elsewhere_words(preset)}")
        if not Path(name).exists() and (hint := did_you_mean(name, all_names())):
            raise ConfigurationError(f"--dataset {name}: no file and no benchmark is called so{hint}")
        return None
    home = one_of(name, found)
    folder = datasets_folder()
    manifest = held(folder, home.name)
    if manifest is None:
        raise ConfigurationError(
            f"{home.name} is not here: `modex fetch {home.name}` brings it ({home.rows:,} rows of {home.repository})"
        )
    if fault := fault_of(folder, manifest):
        raise ConfigurationError(f"{fault}; `modex fetch {home.name}` brings it again")
    return DatasetSpec(
        path=str(rows_file(folder, manifest)),
        preset=home.preset,
        origin=DatasetOrigin(
            name=home.name, repository=manifest.repository, revision=manifest.revision, sha256=manifest.digest
        ),
    )


def one_of(name: str, found: tuple[DatasetHome, ...]) -> DatasetHome:
    """The one benchmark that a name stands for.

    Raises:
        ConfigurationError: it stands for several.
    """
    if len(found) > 1:
        raise ConfigurationError(f"{name} has several files: name one of {', '.join(home.name for home in found)}")
    return found[0]


def elsewhere_words(preset: str) -> str:
    """Why a benchmark is not fetched, and what to do instead."""
    from modex.core.suite.datasets.homes import ELSEWHERE

    where = (
        f"get its file from {ELSEWHERE[preset]}" if ELSEWHERE[preset] else "its rows are not published: bring a file"
    )
    return f"the Hub has no repository of its makers; {where} and name it: `--dataset FILE --preset {preset}`"


def everything() -> list[tuple[DatasetHome, Manifest | None, str]]:
    """Every benchmark that can be fetched, what is held of it, and what is wrong with that (empty: nothing).

    Raises:
        ConfigurationError: the settings cannot be read.
    """
    folder = datasets_folder()
    found: list[tuple[DatasetHome, Manifest | None, str]] = []
    for home in HOMES.values():
        try:
            manifest = held(folder, home.name)
        except ConfigurationError as error:
            found.append((home, None, str(error)))
            continue
        found.append((home, manifest, fault_of(folder, manifest) if manifest is not None else ""))
    return found
