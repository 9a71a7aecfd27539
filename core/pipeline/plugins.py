"""A suite's own Python: files and packages in `plugins/` that register evaluators, processers or tools, run only where allowed.

What was hashed is what runs: every source is read once, and that text is compiled here. Python's own import would prefer a
`__pycache__/*.pyc` that nobody looked at. What a plugin imports from its suite by other ways is held to what was agreed to, too.
"""

from __future__ import annotations

import hashlib
import json
import re
import traceback
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from modex.core.config.consent import is_kept_for_now, keep_for_now
from modex.core.foundation.atomic_write import PRIVATE, write_whole
from modex.core.foundation.errors import ConfigurationError
from modex.core.pipeline.old_imports import allow_old_imports, old_imports
from modex.core.pipeline.plugin_modules import digest_of_module, hold_imports, run_sources
from modex.core.suite.bundled import bundled_root
from modex.core.suite.definitions import McpServer
from modex.core.suite.files import FileFaultError, read_bytes
from modex.core.suite.runnable import digest_of_programs, programs_beside, text_digest


@dataclass(frozen=True, slots=True)
class Plugin:
    """One plugin as it was read: `sources` are its files' bytes by path, a package's `__init__.py` first."""

    name: str
    path: Path
    sources: tuple[tuple[Path, bytes], ...]

    @property
    def is_package(self) -> bool:
        """Whether the plugin is a folder."""
        return self.path.suffix != ".py"


def read_plugins(root: Path) -> list[Plugin]:
    """The suite's plugins, sorted: each `plugins/*.py`, and each folder there with an `__init__.py`; names in `_` are left out.

    Where another system keeps its own plugins there (`plugins/NAME/plugin.json`), what imports nothing of modex is none.

    Raises:
        ConfigurationError: a file lies outside the suite, or cannot be read.
    """
    folder = root / "plugins"
    if not folder.is_dir():
        return []
    others = any(any(folder.glob(f"*/{name}")) for name in _OF_OTHERS)
    plugins: list[Plugin] = []
    for path in sorted(folder.iterdir()):
        if path.name.startswith(("_", ".")):
            continue
        if path.is_dir() and (path / "__init__.py").exists():
            parts = sorted(path.rglob("*.py"), key=lambda part: (part != path / "__init__.py", part))
            parts = [part for part in parts if "__pycache__" not in part.parts]
            package = Plugin(path.name, path, tuple((part, _read(part, root)) for part in parts))
            plugins += [package] if not others or _takes_part(package) else []
        elif path.suffix == ".py":
            alone = Plugin(path.name, path, ((path, _read(path, root)),))
            plugins += [alone] if not others or _takes_part(alone) else []
    return plugins


_OF_OTHERS = ("plugin.json", "handler.py")
"""What evonic's plugins have in their folders."""
_OURS = re.compile(rb"(?m)^[ \t]*(?:from|import)[ \t]+(?:modex|core)\b|import_module\([\"'](?:modex|core)\b")
"""What registers anything imports modex, by its name or the one that it had until 0.2.0."""


def _takes_part(plugin: Plugin) -> bool:
    """Whether a plugin has to do with modex at all."""
    return any(_OURS.search(source) for _, source in plugin.sources)


def _read(path: Path, root: Path) -> bytes:
    if not path.resolve().is_relative_to(root.resolve()):
        raise ConfigurationError(f"{path}: a plugin lies outside the suite; copy it there")
    if not path.is_file():
        raise ConfigurationError(f"{path}: a plugin must be a file")
    try:
        return read_bytes(path)
    except FileFaultError as fault:
        raise ConfigurationError(f"{path}: the plugin {fault.message}") from None


def load_plugins(root: Path, *, allow: bool, servers: Sequence[McpServer] = ()) -> list[str]:
    """Run the suite's plugins, each once per process; their names.

    They run where `allow` says so, which is remembered for exactly these files, or where it was said before: all that the suite
    can run is one list, the `servers` of its tools with the suite's files that they run among it. What ships with the program
    needs no permission.

    Raises:
        ConfigurationError: there is something that nobody allowed, or a plugin fails; the message names file and line.
    """
    plugins = read_plugins(root)
    if not plugins and not servers:
        return []
    digest, beside = _consent(root, plugins, servers)
    if digest:
        if allow:
            _remember(str(root.resolve()), digest)
        elif not _is_remembered(root, digest):
            raise ConfigurationError(_not_allowed(root, plugins, servers))
        own = {path: text_digest(source) for plugin in plugins for path, source in plugin.sources}
        hold_imports(root, beside | own)
    loaded = run_plugins(plugins)
    _ran[root.resolve()] = plugins
    return loaded


def run_plugins(plugins: Iterable[Plugin]) -> list[str]:
    """Run plugins that were allowed, as they were read, each once per process; their names.

    Raises:
        ConfigurationError: one fails; the message names file and line.
    """
    allow_old_imports()
    return [_load(plugin) for plugin in plugins]


_ran: dict[Path, list[Plugin]] = {}


def plugins_that_ran(suite: Path) -> list[Plugin]:
    """The bundled plugins and the suite's own as this process has read and run them, for processes that work for it."""
    roots = dict.fromkeys((bundled_root().resolve(), suite.resolve()))
    return [plugin for root in roots for plugin in _ran.get(root, ())]


def old_imports_of(root: Path) -> list[tuple[str, int, str]]:
    """Where the suite's plugins import modex by the names that it had until 0.2.0: file, line, and the line to write."""
    plugins = _ran.get(root.resolve(), ())
    return [
        (str(path), line, said)
        for plugin in plugins
        for path, text in plugin.sources
        for line, said in old_imports(path, text)
    ]


def load_bundled_plugins() -> None:
    """Run the plugins of the bundled suite, whose tools every suite may name (`world:<name>`)."""
    load_plugins(bundled_root(), allow=False)


def is_allowed(root: Path, servers: Sequence[McpServer] = ()) -> bool:
    """Whether the suite can run nothing, or exactly this was allowed before, or it ships with the program."""
    digest, _ = _consent(root, read_plugins(root), servers)
    return not digest or _is_remembered(root, digest)


def _consent(root: Path, plugins: list[Plugin], servers: Sequence[McpServer]) -> tuple[str, dict[Path, bytes]]:
    """The digest of all that the suite can run, empty where nobody needs to be asked; and the program texts beside its plugins.

    A suite of plugins alone has the digest that its plugins always had: what was allowed before stays allowed.

    Raises:
        ConfigurationError: there are too many program texts, or one cannot be read.
    """
    own = bool(plugins) and not _ships_with_the_program(root, plugins)
    if not own and not servers:
        return "", {}
    try:
        beside = programs_beside(root, {path for plugin in plugins for path, _ in plugin.sources}) if own else {}
    except FileFaultError as fault:
        raise ConfigurationError(
            f"{root}: the suite's folder or a file of it that its plugins may run {fault.message}"
        ) from None
    if not servers and not beside:
        return _digest_of(plugins), {}
    digest = hashlib.blake2b(_digest_of(plugins).encode(), digest_size=16)
    if beside:
        digest.update(digest_of_programs(root, beside))
    for server in sorted({"\0".join((one.words, one.digest, *one.env)) for one in servers}):
        digest.update(server.encode("utf-8", "surrogatepass") + b"\0\0")
    return digest.hexdigest(), beside


def _not_allowed(root: Path, plugins: list[Plugin], servers: Sequence[McpServer]) -> str:
    lines = []
    if plugins and not (servers and _ships_with_the_program(root, plugins)):
        lines.append(f"this suite runs Python of its own ({', '.join(plugin.name for plugin in plugins)})")
    if servers:
        words = "; ".join(sorted({one.words for one in servers}))
        lines.append(f"the tools of this suite are answered by servers of its own ({words[:500]})")
    return (
        f"{root}: {', and '.join(lines)}; it was not allowed, or a file of it has changed since: read it, then allow it with"
        " --allow-plugins"
    )


@lru_cache(maxsize=256)
def code_digest(kind: type) -> str | None:
    """The digest of the plugin that defines `kind`: other code, other verdicts; None for everything installed."""
    return digest_of_module(kind.__module__)


def _ships_with_the_program(root: Path, plugins: list[Plugin]) -> bool:
    """Whether these are the bundled suite's plugins, at their place or copied with the suite, byte for byte."""
    bundled = bundled_root()
    if root.resolve() == bundled.resolve():
        return True
    return {plugin.name for plugin in plugins} <= _bundled_names() and _digest_of(plugins) == _digest_of(
        read_plugins(bundled)
    )


def _bundled_names() -> set[str]:
    folder = bundled_root() / "plugins"
    return {path.name for path in folder.iterdir()} if folder.is_dir() else set()


def _digest_of(plugins: list[Plugin]) -> str:
    digest = hashlib.blake2b(digest_size=16)
    for plugin in plugins:
        for path, source in plugin.sources:
            digest.update(path.relative_to(plugin.path.parent).as_posix().encode() + b"\0" + source + b"\0")
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


def _is_remembered(root: Path, digest: str) -> bool:
    return _allowed().get(str(root.resolve())) == digest or is_kept_for_now(digest)


def _remember(key: str, digest: str) -> None:
    path = _allowed_path()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, json.dumps({**_allowed(), key: digest}, indent=1), mode=PRIVATE)
    except OSError:  # a read-only home: allowed for this time, and for the runner that this process starts
        keep_for_now(digest)


def _load(plugin: Plugin) -> str:
    try:
        run_sources(plugin.path, plugin.sources)
    except (Exception, SystemExit) as error:
        names = {str(path) for path, _ in plugin.sources}
        frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename in names]
        at, line = plugin.sources[0][0], 0
        if isinstance(error, SyntaxError) and error.filename in names:
            at, line = Path(error.filename), error.lineno or 0
        elif frames:
            at, line = Path(frames[-1].filename), frames[-1].lineno or 0
        raise ConfigurationError(
            f"{at}:{line}: the plugin failed: {type(error).__name__}: {error}; correct it there"
        ) from error
    return plugin.name
