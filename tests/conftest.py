"""Every test has a home of its own, no keys, no settings, and models that answer at once."""

from __future__ import annotations

import gc
import itertools
import os
import shutil
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis.internal.conjecture import providers

from modex.core.foundation.interrupts import hear_interrupts, leave_interrupts
from tests import forked, places, rewritten

settings.register_profile("modex", deadline=None, max_examples=30)
"""One profile for every property: a machine that is busy is slow, which says nothing about an example, and what a hundred
examples find, thirty of each day's runs find too."""
settings.load_profile("modex")

if not os.environ.get("TEST_NIGHTLY"):
    # Hypothesis reads every module that is loaded for constants to draw, in each worker: a property of one rule meets one of
    # 7,000 that has to do with it hardly ever, and other examples depending on what else was collected.
    pytest.MonkeyPatch().setattr(providers, "_get_local_constants", lambda: providers._local_constants)

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A shell without job control starts what is in the background so, and every process of a test would inherit it.
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_configure(config: pytest.Config) -> None:
    """Workers of one session know it by a variable, which they inherit."""
    if not hasattr(config, "workerinput"):
        workers = config.getoption("numprocesses", None)
        if workers and not config.getoption("basetemp"):
            places.write_in_memory()
        os.environ[forked.SESSION] = forked.session()
        if workers and not sys.dont_write_bytecode:
            rewritten.rewrite_all(config, config.args)


def pytest_unconfigure(config: pytest.Config) -> None:
    """What the session shared goes with it."""
    if not hasattr(config, "workerinput"):
        shutil.rmtree(forked.folder_of(os.environ.pop(forked.SESSION)), ignore_errors=True)
        places.forget()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """What takes longest comes first at each worker, and what is short last, so that all of them end together.

    Long is what waits for processes. `--dist worksteal` gives each worker its part of the list and lets the others take from
    its end; modules stay whole, because their tests share what was set up.
    """
    if not hasattr(config, "workerinput"):
        return
    modules: dict[str, list[pytest.Item]] = {}
    for item in items:
        modules.setdefault(_whole(item.nodeid.partition("::")[0]), []).append(item)
    waiting = [name for name, own in modules.items() if any(item.get_closest_marker("process") for item in own)]
    others = [name for name in modules if name not in set(waiting)]
    workers = config.workerinput["workercount"]
    parts: list[list[str]] = [[] for _ in range(workers)]
    for kind in (waiting, others):
        for name in kind:
            min(parts, key=lambda part: sum(len(modules[one]) for one in part)).append(name)
    items[:] = [item for part in parts for name in part for item in modules[name]]


def _whole(module: str) -> str:
    """What stays at one worker: a module, and the folder whose modules share a cluster, which takes long to start."""
    return module.rpartition("/")[0] if "/executors/" in module else module


gc.set_threshold(20_000, 10, 20)
"""What tests make for a moment is most of what there is, and to search it for cycles was a tenth of their time."""


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Collected tests stay until the end: to search a million of their objects for garbage again and again takes seconds."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()


@pytest.fixture(scope="session")
def homes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Places for homes, counted: `mktemp` would read the names of all earlier ones for each test."""
    root = tmp_path_factory.mktemp("homes")
    return (root / str(number) for number in itertools.count())


@pytest.fixture(autouse=True)
def own_home(homes: Iterator[Path]) -> Iterator[None]:
    """An empty HOME, and none of the tester's settings, databases or keys."""
    home = next(homes)
    home.mkdir()
    with pytest.MonkeyPatch.context() as patch:
        for name in os.environ:
            if name.startswith("MODEX_") or name.endswith(("_API_KEY", "_API_BASE", "_PROXY", "_proxy")):
                patch.delenv(name)
        patch.setenv("HOME", str(home))
        for name in ("CONFIG", "DATA", "CACHE", "STATE"):
            patch.setenv(f"XDG_{name}_HOME", str(home / name.lower()))
        patch.setenv("MODEX_RETRY_WAIT", "0.01")
        patch.setenv("MODEX_DEMO_LATENCY", "0")
        yield


@pytest.fixture(autouse=True)
def own_interrupts() -> Iterator[None]:
    """Ctrl+C as at the start: a command called here leaves its handler, and what that heard would be raised in a later test."""
    leave_interrupts()  # a fixture of the whole session may have called a command
    before = signal.getsignal(signal.SIGINT)
    yield
    hear_interrupts()
    signal.signal(signal.SIGINT, before)
