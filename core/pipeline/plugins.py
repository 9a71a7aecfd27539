"""A suite's own Python: files in `plugins/` that register evaluators, processers or tools, run only where allowed."""

from __future__ import annotations

import hashlib
import importlib.util
import sys
import traceback
from pathlib import Path

from core.errors import ConfigurationError


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


def load_plugins(root: Path, *, allowed: bool) -> list[str]:
    """Run the suite's plugins, each once per process; their names.

    Raises:
        ConfigurationError: there are plugins that nobody allowed, or one fails; the message names file and line.
    """
    files = plugin_files(root)
    if not files:
        return []
    if not allowed:
        names = ", ".join(path.name for path in files)
        raise ConfigurationError(
            f"{root}: this suite runs Python of its own ({names}); read it, then allow it with --allow-plugins"
        )
    return [_load(path) for path in files]


def _load(path: Path) -> str:
    digest = hashlib.blake2b(str(path.resolve()).encode() + path.read_bytes(), digest_size=8).hexdigest()
    name = f"modex_plugin_{path.stem}_{digest}"
    if name in sys.modules:
        return path.name
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        del sys.modules[name]
        frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(path)]
        line = frames[-1].lineno if frames else getattr(error, "lineno", 0) or 0
        raise ConfigurationError(f"{path}:{line}: the plugin failed: {type(error).__name__}: {error}") from error
    return path.name
