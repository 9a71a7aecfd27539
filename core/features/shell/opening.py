"""The folder of a stored sample as it was left, or as its checks saw it: what `modex shell` lays into a sandbox."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from modex.core.evaluators.workspace.copies import judged_copy
from modex.core.foundation.errors import ConfigurationError, StoreError
from modex.core.safety import as_words
from modex.core.sandbox.bubblewrap.box import BoxError
from modex.core.sandbox.bubblewrap.probe import bubblewrap_unavailable
from modex.core.sandbox.environments import PackagesError, environment
from modex.core.sandbox.workspace.box import WorkBox
from modex.core.sandbox.workspace.spec import WorkLimits, has_workspace
from modex.core.sandbox.workspace.tree import Tree, changed, unpacked, with_folders
from modex.core.store.naming import test_query
from modex.core.store.reader import Reader
from modex.core.store.sample import EvaluationSample
from modex.core.suite.bundled import bundled_root
from modex.core.suite.files import FileFaultError
from modex.core.suite.workspaces import beginning_of, hidden_files


@dataclass(frozen=True, slots=True)
class LeftFolder:
    """A folder to be opened."""

    sample: EvaluationSample
    tree: Tree
    calls: int
    """How many calls of tools made it what it is."""
    finished: bool
    """Whether the model was done with it."""
    tested: bool
    """Whether the hidden tests are in it."""

    def box(self, terminal: int | None = None) -> WorkBox:
        """A sandbox that holds a copy of it.

        Raises:
            BoxError: none can be started.
            PackagesError: its packages cannot be had.
        """
        names = self.sample.definition.sandbox.get("packages") or []
        packages = str(environment(names)) if names else ""
        return WorkBox(self.tree, self.limits, packages, terminal=terminal)

    @property
    def limits(self) -> WorkLimits:
        """What commands in it may take."""
        return WorkLimits.of(self.sample.definition.sandbox)


def left_folder(reader: Reader, exp: str, test: str, *, epoch: int | None = None, tests: bool = False) -> LeftFolder:
    """The folder that a sample of the run left; with `tests` as the checks of its test saw it.

    Raises:
        StoreError: there is no such sample, it has no workspace, or nothing that can be opened was kept of it.
        ConfigurationError: its files or a sandbox are not here.
    """
    run = reader.run(exp)
    found = list(reader.samples(run.id, test_query(test)))
    names = list(dict.fromkeys(f"{one.domain}/{one.level}/{one.test_id}" for one in found))
    if not found:
        raise StoreError(
            f"{run.exp_id}: no test {test!r}; `modex show {as_words(run.exp_id)} --status passed` lists some"
        )
    if len(names) > 1:
        raise StoreError(f"{run.exp_id}: {test!r} is {' and '.join(names)}; name one of them so")
    epochs = sorted(one.epoch for one in found)
    sample = next((one for one in found if one.epoch == (epochs[0] if epoch is None else epoch)), None)
    if sample is None:
        raise StoreError(f"{names[0]} has no epoch {epoch}; take one of {', '.join(map(str, epochs))}")
    sandbox = sample.definition.sandbox
    if not has_workspace(sandbox):
        raise StoreError(
            f"{names[0]} gives the model no folder to work in, so there is none to open;"
            f" `modex show {as_words(run.exp_id, '--test', names[0])}` prints what was said"
        )
    kept = sample.workspace or {}
    if too_much := kept.get("too_much"):
        raise StoreError(
            f"{names[0]}: its folder held {too_much}, so nothing of it was kept; let the test ask for less, then ask it again"
        )
    if not isinstance(state := kept.get("state"), str):
        raise StoreError(
            f"{names[0]} was not asked yet, or not here ({sample.status}): no folder was kept; resume the run, then look"
        )
    if (reason := bubblewrap_unavailable()) is not None:
        raise ConfigurationError(f"{reason}; `modex doctor` says what works here")
    root = Path(run.suite).expanduser() if run.suite is not None else bundled_root()
    try:
        beginning = with_folders(beginning_of(sandbox, root))
        tree = changed(beginning, unpacked(state))
        if tests:
            tree = judged_copy(tree, beginning, with_folders(hidden_files(sandbox, root)))
    except FileFaultError as fault:
        raise ConfigurationError(f"{names[0]}: the test's files: {fault.message}") from fault
    except ValueError as error:
        raise StoreError(f"{names[0]}: {error}; ask the sample again") from None
    except (BoxError, PackagesError) as error:
        raise ConfigurationError(f"{error}; then open it again") from error
    return LeftFolder(sample, tree, int(kept.get("calls", 0)), "journal" not in kept, tests)


def told(folder: LeftFolder, exp_id: str) -> list[str]:
    """What the opened folder is, in lines for a person."""
    sample = folder.sample
    score = f" {sample.score:.2f}" if sample.score is not None else ""
    calls = f"{folder.calls} call{'' if folder.calls == 1 else 's'}"
    when = f"after {calls}" if folder.finished else f"after {calls} so far: it is not done"
    epoch = f", epoch {sample.epoch}" if sample.epoch > 1 else ""
    hidden = "the hidden tests are laid over it" if folder.tested else "the hidden tests are not in it (see --tests)"
    if not sample.definition.sandbox.get("tests"):
        hidden = "its test has no hidden files"
    return [
        f"{exp_id}: {sample.domain}/{sample.level}/{sample.test_id}{epoch}: {sample.status}{score}, the folder {when}; {hidden}.",
        "This is a copy in a sandbox without network: nothing that you do here is kept, and the stored sample stays as it is.",
    ]
