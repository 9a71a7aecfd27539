"""What a worker process is told and given before its first sample, as the driver has it: suite, plugins, models, files."""

from __future__ import annotations

import os
import threading
from pathlib import Path

from modex.core.engine.executors.messages import Setup, SuiteFile
from modex.core.foundation.errors import ConfigurationError
from modex.core.pipeline.assembly import Assembly
from modex.core.pipeline.plugin_modules import agreed_below
from modex.core.pipeline.plugins import plugins_that_ran
from modex.core.store.sample import EvaluationSample
from modex.core.suite.attachments import digest_of
from modex.core.suite.bundled import bundled_root

MAX_SENT = 256 * 1024 * 1024
"""Bytes of a suite's folder that are sent to workers at most."""
_READ_ALREADY = (".json", ".jsonl", ".csv", ".parquet")
"""Below `test_definitions/` these hold tests, which travel as samples."""


class Contents:
    """Files that worker processes on other machines may ask for, by the digest of what they hold; for any thread."""

    def __init__(self) -> None:
        self._paths: dict[str, Path] = {}
        self._lock = threading.Lock()

    def of_suite(self, assembly: Assembly) -> tuple[SuiteFile, ...]:
        """The files of the run's suite, but for those that were read already; none of the bundled one, which every modex has.

        Raises:
            ConfigurationError: they are too many bytes to be sent, or one cannot be read.
        """
        root = assembly.benchmark.context.suite_root
        assert root is not None
        if root.resolve() == bundled_root().resolve():
            return ()
        found, size = [], 0
        for path in _files(root, beside=assembly.database.resolve()):
            try:
                data = path.read_bytes()
            except OSError as error:
                raise ConfigurationError(
                    f"{path}: cannot be read for the workers ({error.strerror}); make it readable, or leave out --cluster"
                ) from error
            size += len(data)
            if size > MAX_SENT:
                raise ConfigurationError(
                    f"{root}: the suite's folder holds more than {MAX_SENT // 1024**2} MB, the most that workers are sent: "
                    "keep in it what its tests need, or leave out --cluster"
                )
            digest = digest_of(data)
            with self._lock:
                self._paths[digest] = path
            found.append(SuiteFile(path.relative_to(root).as_posix(), digest))
        return tuple(found)

    def offer(self, sample: EvaluationSample) -> None:
        """Have the files that go with a question at hand."""
        for one in sample.definition.attachments:
            if one.get("path") and one.get("digest"):
                with self._lock:
                    self._paths[str(one["digest"])] = Path(str(one["path"]))

    def read(self, digest: str) -> bytes | None:
        """The file with this content; None where no file that may be asked for holds it any more."""
        with self._lock:
            path = self._paths.get(digest)
        try:
            data = path.read_bytes() if path is not None else None
        except OSError:
            return None
        return data if data is not None and digest_of(data) == digest else None


def _files(root: Path, *, beside: Path) -> list[Path]:
    """Every file of a suite that is no test, sorted; neither hidden ones nor the database, which may lie there too."""
    found = []
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if not name.startswith(".") and name != "__pycache__"]
        here = Path(folder)
        defines = "test_definitions" in here.relative_to(root).parts
        for name in names:
            path = here / name
            if name.startswith(".") or (defines and path.suffix in _READ_ALREADY) or not path.is_file():
                continue
            if not path.resolve().name.startswith(beside.name):
                found.append(path)
    return sorted(found)


def setup_of(assembly: Assembly, files: tuple[SuiteFile, ...] | None, *, asks: bool) -> Setup:
    """What every worker process of this run is told first."""
    benchmark = assembly.benchmark
    context = benchmark.context
    root = context.suite_root
    assert root is not None
    return Setup(
        config=context.config,
        run_id=benchmark.run_id,
        suite_root=str(root.resolve()),
        evaluators=dict(context.evaluators),
        tools=dict(context.tools),
        templates=context.templates.texts_read(),
        plugins=tuple(plugins_that_ran(root)),
        agreed=agreed_below(root),
        plays=context.user is not None,
        asks=asks,
        asked=assembly.asked,
        files=files,
        bundled_root=str(bundled_root().resolve()),
    )
