"""Would the tests notice? One behaviour after the other is changed in a copy of the tree, and the tests that guard it are run.

python -m benchmarks mutation                       every module of core/, 300 changes of them
python -m benchmarks mutation core/store --sample 60 --seed 7
python -m benchmarks mutation core/store/races.py --all
python -m benchmarks mutation --changed             modules that differ from where this branch left main, on main itself from
                                                    the commit that recorded scores last; exits 1 where one scores so far below
                                                    what is recorded that the luck of the draw does not explain it
python -m benchmarks mutation --changed --minutes 9 the same, and no change is begun after nine minutes
python -m benchmarks mutation core/store --record   the score into benchmarks/mutation/scores.json

Guards of a module are those of `tests/guards.py`; of these the tests are run that call the changed function, the quickest first.
A change that no test calls lives. What was tried is kept in .mutation/, so that work that was broken off goes on; a change is
tried again once its module, the test that noticed it, or (where none did) a guard is another one.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import signal
import subprocess
import sys
import time
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.mutation.changes import Mutant, mutants_of
from benchmarks.mutation.measuring import Tried, measure

ROOT = Path(__file__).resolve().parents[2]
SCORES = Path(__file__).with_name("scores.json")
EQUIVALENT = Path(__file__).with_name("equivalent.toml")
_SAMPLE = 300
_OF_A_CHANGED_MODULE = 12
"""Changes that are tried of each module that differs: some seconds each."""
_OF_A_BRANCH = 120
"""Where many modules differ, fewer are tried of each, three at least."""
_FALSE_ALARMS = 0.05
"""How often a tree that is as good as what is recorded may fail: half of it shared by the modules, half by what they were
measured with. With three changes tried of each of a hundred modules, some always score 0 of 3."""


@dataclass(slots=True)
class Score:
    """How many of the changes of a folder were noticed."""

    killed: int = 0
    tried: int = 0
    equivalent: int = 0
    """Not among those that were tried: they change nothing that can be seen."""
    survivors: list[tuple[Mutant, Tried]] = field(default_factory=list)

    @property
    def share(self) -> float:
        """Noticed of tried, 0 to 1; 1 where nothing was tried."""
        return self.killed / self.tried if self.tried else 1.0


def folder_of(path: str) -> str:
    """The folder that a module's score is told under: the package's first two names."""
    parts = path.split("/")
    return "/".join(parts[:2]) if len(parts) > 2 else parts[0]


def modules_below(root: Path, paths: Iterable[str]) -> list[str]:
    """The modules that are named, or stand below a folder that is."""
    found: set[str] = set()
    for path in paths:
        place = root / path
        files = [place] if place.is_file() else place.rglob("*.py")
        found.update(file.relative_to(root).as_posix() for file in files)
    return sorted(found)


def drawn(root: Path, modules: Sequence[str], sample: int | None, seed: int) -> list[Mutant]:
    """A seeded sample of the changes of some modules, in the order of their places; all where `sample` is None."""
    every = [mutant for path in modules for mutant in mutants_of(path, (root / path).read_text(encoding="utf-8"))]
    if sample is None or sample >= len(every):
        return every
    chosen = sorted(random.Random(seed).sample(range(len(every)), sample))
    return [every[number] for number in chosen]


def each_of(modules: int) -> int:
    """How many changes of each of so many modules are tried on a branch."""
    return max(3, min(_OF_A_CHANGED_MODULE, _OF_A_BRANCH // max(1, modules)))


def equivalents(text: str) -> dict[tuple[str, str, str, str], str]:
    """The changes that change nothing which can be seen, with the reason, by module, function, before and after."""
    return {
        (path, one["in"], one["before"], one["after"]): one["why"]
        for path, entries in tomllib.loads(text).items()
        for one in entries
    }


def scored(
    found: Iterable[tuple[Mutant, Tried]], known: Mapping[tuple[str, str, str, str], str]
) -> tuple[dict[str, Score], dict[str, Score]]:
    """The scores by folder and by module."""
    folders: defaultdict[str, Score] = defaultdict(Score)
    modules: defaultdict[str, Score] = defaultdict(Score)
    for mutant, tried in found:
        for score in (folders[folder_of(mutant.path)], modules[mutant.path]):
            if tried.outcome == "killed":
                score.killed += 1
            elif (mutant.path, mutant.function, mutant.before, mutant.after) in known:
                score.equivalent += 1
                continue
            else:
                score.survivors.append((mutant, tried))
            score.tried += 1
    return dict(sorted(folders.items())), dict(sorted(modules.items()))


def held_to(path: str, recorded: Mapping[str, Mapping[str, Any]]) -> str | None:
    """What is recorded for a module, by its name there: the modules that it was measured with, else its whole folder."""
    folder = folder_of(path)
    whole = [folder] if folder in recorded and "modules" not in recorded[folder] else []
    some = [name for name, one in recorded.items() if path in one.get("modules", ())]
    return next(iter((*some, *whole)), None)


def luck(killed: int, tried: int, recorded: int, of: int) -> float:
    """How likely so few or fewer of two draws' noticed changes fall into the first, `tried` long, where both come from tests that
    notice the same share (Fisher's exact test, one-sided); `recorded` of `of` are the second's. 0 to 1."""
    noticed = killed + recorded
    ways = sum(math.comb(tried, one) * math.comb(of, noticed - one) for one in range(max(0, noticed - of), killed + 1))
    return ways / math.comb(tried + of, noticed)


def fallen(
    modules: Mapping[str, Score], recorded: Mapping[str, Mapping[str, Any]], false_alarms: float = _FALSE_ALARMS
) -> list[tuple[str, float, float]]:
    """Modules, and what is recorded by all its modules that were tried, which score lower than the draw explains: each with
    its share and the recorded one."""
    held = {path: name for path in modules if modules[path].tried and (name := held_to(path, recorded)) is not None}
    together: defaultdict[str, Score] = defaultdict(Score)
    for path, name in held.items():
        together[name].killed += modules[path].killed
        together[name].tried += modules[path].tried
    alone = [(path, name, modules[path]) for path, name in held.items()]
    pooled = [(name, name, score) for name, score in together.items() if list(held.values()).count(name) > 1]
    lower = []
    for family in (alone, pooled):
        for told, name, score in family:
            floor, of = float(recorded[name]["score"]), int(recorded[name]["tried"])
            if luck(score.killed, score.tried, round(floor * of), of) * len(family) < false_alarms / 2:
                lower.append((told, score.share, floor))
    return lower


def main(arguments: Sequence[str]) -> int:
    """Try changes, print what lives and the scores; the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks mutation", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("paths", nargs="*", metavar="PATH", help="modules or folders; core where none is named")
    parser.add_argument("--sample", type=int, metavar="N", help=f"so many changes; {_SAMPLE} where nothing is said")
    parser.add_argument("--all", action="store_true", help="every change")
    parser.add_argument("--seed", type=int, default=1, metavar="S")
    parser.add_argument(
        "--jobs", type=int, default=1, metavar="J", help="so many at a time, each in a copy of the tree"
    )
    parser.add_argument(
        "--changed", action="store_true", help="modules that differ from main; on main, from the last recorded scores"
    )
    parser.add_argument("--minutes", type=float, metavar="M", help="begin no change after so long")
    parser.add_argument("--record", action="store_true", help=f"write the scores into {SCORES.name}")
    options = parser.parse_args(arguments)
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # copies of the tree are removed then too
    from tests.guards import changed, guards_of

    if options.changed:
        since = base_of(ROOT)
        if since is None:
            print("this tree has no history that reaches back to recorded scores: there is nothing to compare with")
            return 0
        differ = [path for path in changed(since) if path.startswith("core/") and (ROOT / path).exists()]
        print(f"{len(differ)} modules of core/ differ from {since[:10]}", file=sys.stderr)
        size = options.sample or each_of(len(differ))
        modules = modules_below(ROOT, differ)
        random.Random(options.seed).shuffle(modules)  # where time is short, others are left out each time
        mutants = [one for path in modules for one in drawn(ROOT, [path], size, options.seed)]
    else:
        modules = modules_below(ROOT, options.paths or ["core"])
        mutants = drawn(ROOT, modules, None if options.all else options.sample or _SAMPLE, options.seed)
    guards = {mutant.path: guards_of(mutant.path) for mutant in mutants}
    known = equivalents(EQUIVALENT.read_text(encoding="utf-8"))
    until = math.inf if options.minutes is None else time.monotonic() + 60 * options.minutes
    folders, of_modules = scored(_narrated(mutants, guards, options.jobs, until), known)
    print(table(folders, options.seed))
    if options.record:
        record(folders, options.seed, [path for path in options.paths if path.endswith(".py")])
    lower = fallen(of_modules, json.loads(SCORES.read_text(encoding="utf-8"))) if options.changed else []
    for path, share, floor in lower:
        print(f"{path}: {share:.2f} of the changes were noticed, and {floor:.2f} is recorded", file=sys.stderr)
    return 1 if lower else 0


def base_of(root: Path) -> str | None:
    """The commit from which changes are counted: where this branch left main; on main itself, and in a clone without it, the
    one that recorded scores last. None where the history does not reach back to either."""

    def git(*arguments: str) -> str:
        done = subprocess.run(("git", *arguments), cwd=root, capture_output=True, text=True, check=False)
        return done.stdout.strip() if done.returncode == 0 else ""

    head, left = git("rev-parse", "HEAD"), git("merge-base", "HEAD", "main")
    if left and left != head:
        return left
    recorded = git("log", "-1", "--format=%H", "--", SCORES.relative_to(ROOT).as_posix())
    # Where a shallow clone ends, its first commit seems to have written every file.
    shallow = git("rev-parse", "--is-shallow-repository") == "true" and not git(
        "rev-parse", "-q", "--verify", f"{recorded}^"
    )
    return None if shallow or not recorded else recorded


def _narrated(
    mutants: Sequence[Mutant], guards: Mapping[str, Sequence[str]], jobs: int, until: float
) -> Iterator[tuple[Mutant, Tried]]:
    """The changes with what came of each; those that live are printed as they come. None is begun after `until`, monotonic."""
    by_identity = {mutant.identity: mutant for mutant in mutants}
    tried = measure(
        ROOT, mutants, guards, folder=ROOT / ".mutation", jobs=jobs, tell=lambda line: print(line, file=sys.stderr)
    )
    for number, found in enumerate(tried, 1):
        mutant = by_identity[found.identity]
        if found.outcome != "killed":
            print(survivor(mutant, found), flush=True)
        if not number % 20:
            print(f"{number} of {len(mutants)}", file=sys.stderr, flush=True)
        yield mutant, found
        if time.monotonic() > until and number < len(mutants):
            print(f"the time is over: {number} of {len(mutants)} changes were tried", file=sys.stderr)
            break


def survivor(mutant: Mutant, tried: Tried) -> str:
    """One line on a change that no test noticed."""
    why = " (no guard calls it)" if tried.outcome == "unreached" else ""
    return f"{mutant.path}:{mutant.line}: {mutant.function}: {mutant.before} → {mutant.after}{why}"


def table(folders: Mapping[str, Score], seed: int) -> str:
    """The scores as a table of Markdown."""
    lines = ["| folder | noticed | tried | score | equivalent |", "|---|---:|---:|---:|---:|"]
    lines += [
        f"| `{name}` | {one.killed} | {one.tried} | {one.share:.2f} | {one.equivalent} |"
        for name, one in folders.items()
    ]
    killed, tried = sum(one.killed for one in folders.values()), sum(one.tried for one in folders.values())
    if len(folders) > 1:
        rate = killed / tried if tried else 1.0
        lines.append(f"| all | {killed} | {tried} | {rate:.2f} | {sum(one.equivalent for one in folders.values())} |")
    return "\n".join([*lines, "", f"Seed {seed}, {time.strftime('%Y-%m-%d')}."])


def record(folders: Mapping[str, Score], seed: int, modules: Sequence[str] = (), place: Path = SCORES) -> None:
    """Keep the scores of these folders, or of some `modules` of them alone, beside those of others and of the whole folder."""
    known = json.loads(place.read_text(encoding="utf-8"))
    for folder, one in folders.items():
        own = sorted(module for module in modules if folder_of(module) == folder)
        name = f"{folder}, {len(own)} modules" if own else folder
        known[name] = {
            "score": round(one.share, 3),
            "tried": one.tried,
            "seed": seed,
            "date": time.strftime("%Y-%m-%d"),
        }
        if own:
            known[name]["modules"] = own
    place.write_text(json.dumps(dict(sorted(known.items())), indent=1) + "\n", encoding="utf-8")
