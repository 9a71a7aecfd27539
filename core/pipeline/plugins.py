"""A suite's own Python: files in `plugins/` that register evaluators, processers or tools, run only where allowed."""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import json
import sys
import traceback
from functools import lru_cache
from pathlib import Path

from core.errors import ConfigurationError

_PREFIX = "modex_plugin_"


def plugin_files(root: Path) -> list[Path]:
    """The suite's plugin files, sorted; links that leave the folder are refused.

    Raises:
        ConfigurationError: a file lies outside the suite.
    """
    folder = root / "plugins"
    if not folder.is_dir():
        return []
    files = sorted(path for path in folder.glob("*.py") if not path.name.startswith("_"))
    for path in files:
        if not path.resolve().is_relative_to(root.resolve()):
            raise ConfigurationError(f"{path}: a plugin lies outside the suite; copy it there")
    return files


def load_plugins(root: Path, *, allow: bool) -> list[str]:
    """Run the suite's plugins, each once per process; their names.

    They run where `allow` says so, which is remembered for exactly these files, or where it was said before.

    Raises:
        ConfigurationError: there are plugins that nobody allowed, or one fails; the message names file and line.
    """
    files = plugin_files(root)
    if not files:
        return []
    digest = _digest_of(files)
    if allow:
        _remember(root, digest)
    elif _allowed().get(str(root.resolve())) != digest:
        names = ", ".join(path.name for path in files)
        raise ConfigurationError(
            f"{root}: this suite runs Python of its own ({names}), and it was not allowed or has changed since; "
            "read it, then allow it with --allow-plugins"
        )
    return [_load(path) for path in files]


def is_allowed(root: Path) -> bool:
    """Whether the suite has no plugins, or exactly these were allowed before."""
    files = plugin_files(root)
    return not files or _allowed().get(str(root.resolve())) == _digest_of(files)


@lru_cache(maxsize=256)
def code_digest(kind: type) -> str | None:
    """The digest of the plugin file that defines `kind`: other code, other verdicts; None for everything installed."""
    if not kind.__module__.startswith(_PREFIX):
        return None
    return str(sys.modules[kind.__module__].__dict__["__digest__"])


def _digest_of(files: list[Path]) -> str:
    digest = hashlib.blake2b(digest_size=16)
    for path in files:
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def _allowed_path() -> Path:
    from platformdirs import user_data_path

    return user_data_path("modex", appauthor=False) / "allowed-plugins.json"


def _allowed() -> dict[str, str]:
    try:
        found = json.loads(_allowed_path().read_text())
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _remember(root: Path, digest: str) -> None:
    path = _allowed_path()
    with contextlib.suppress(OSError):  # a read-only home: allowed for this time only
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps({**_allowed(), str(root.resolve()): digest}, indent=1))


def _load(path: Path) -> str:
    digest = hashlib.blake2b(path.read_bytes(), digest_size=8).hexdigest()
    place = hashlib.blake2b(str(path.resolve()).encode(), digest_size=8).hexdigest()
    name = f"{_PREFIX}{path.stem}_{place}_{digest}"
    if name in sys.modules:
        return path.name
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    module.__dict__["__digest__"] = digest
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(path)]
        line = frames[-1].lineno if frames else getattr(error, "lineno", 0) or 0
        raise ConfigurationError(f"{path}:{line}: the plugin failed: {type(error).__name__}: {error}") from error
    return path.name
