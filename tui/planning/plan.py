"""A run as it is planned on the screen: its settings and tests, as the flags of `modex run` and as their command line."""

from __future__ import annotations

import shlex
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from modex.core.config.options import BY_NAME, FORM, NOT_OF_A_RACE, OPTIONS, Option, Values, says
from modex.core.config.settings import load_settings
from modex.core.foundation.errors import ModexError
from modex.core.safety import redact
from modex.core.store.location import database_path
from modex.tui.reading.suite import Leaf


@dataclass(frozen=True, slots=True)
class ChosenTests:
    """A choice of tests in the fewest flags; all empty is every test that is on."""

    domains: tuple[str, ...] = ()
    levels: tuple[int, ...] = ()
    tests: tuple[str, ...] = ()
    exclude_domains: tuple[str, ...] = ()
    exclude_levels: tuple[int, ...] = ()
    exclude_tests: tuple[str, ...] = ()

    def options(self) -> dict[str, list[str]]:
        """As values of the options; what is empty is left out."""
        found = {
            "domain": list(self.domains),
            "level": spans(self.levels),
            "test": list(self.tests),
            "exclude_domain": list(self.exclude_domains),
            "exclude_level": spans(self.exclude_levels),
            "exclude_test": list(self.exclude_tests),
        }
        return {name: value for name, value in found.items() if value}

    @property
    def excludes(self) -> bool:
        """Whether something is left out: where it takes as many flags, what is taken is plainer."""
        return bool(self.exclude_domains or self.exclude_levels or self.exclude_tests)

    @property
    def words(self) -> int:
        """How many flags it takes."""
        return sum(len(value) for value in self.options().values())


def fewest(leaves: Sequence[Leaf], chosen: Collection[int], off: Collection[str]) -> ChosenTests:
    """The flags that choose exactly `chosen`, as few as can be: by domain and level, by what is left out, or by name."""
    available = {number for number, leaf in enumerate(leaves) if leaf.test.disabled_by != "test"}
    default = {number for number in available if leaves[number].group not in off}
    wanted = set(chosen)
    if wanted == default:
        return ChosenTests()

    def groups(numbers: Collection[int]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(leaves[number].group for number in sorted(numbers)))

    def levels(numbers: Collection[int]) -> tuple[int, ...]:
        return tuple(sorted({leaves[number].test.level for number in numbers}))

    def names(numbers: Collection[int]) -> tuple[str, ...]:
        return tuple(leaves[number].name for number in sorted(numbers))

    def without(start: Collection[int], begun: ChosenTests) -> Iterator[ChosenTests]:
        """Ways to take `begun`, which chooses `start`, and to leave the rest out."""
        if not wanted <= set(start):
            return
        no_domains = tuple(name for name in groups(start) if name not in groups(wanted))
        no_levels = tuple(level for level in levels(start) if level not in levels(wanted))
        for dropped_domains in (no_domains, ()):
            for dropped_levels in (no_levels, ()):
                rest = {
                    n
                    for n in start
                    if leaves[n].group not in dropped_domains and leaves[n].test.level not in dropped_levels
                }
                yield replace(
                    begun,
                    exclude_domains=dropped_domains,
                    exclude_levels=dropped_levels,
                    exclude_tests=names(rest - wanted),
                )

    of_domain = {number for number in available if leaves[number].group in groups(wanted)}
    of_level = {number for number in default if leaves[number].test.level in levels(wanted)}
    of_both = {number for number in of_domain if leaves[number].test.level in levels(wanted)}
    ways = [
        *without(of_level, ChosenTests(levels=levels(wanted))),
        *without(of_domain, ChosenTests(domains=groups(wanted))),
        *without(of_both, ChosenTests(domains=groups(wanted), levels=levels(wanted))),
        *without(default, ChosenTests()),
        ChosenTests(tests=names(wanted)),
    ]
    return min(ways, key=lambda way: (way.words, way.excludes))


_OF_AN_ENTRY = frozenset({"api_base", "temperature", "max_tokens", "seed", "reasoning_effort"})
"""Options that an entry of `models.toml` says for its model where nothing is typed."""


@dataclass(slots=True)
class RunPlan:
    """The values that are set, by the options' names, and the tests."""

    values: dict[str, Any] = field(default_factory=dict)
    chosen: ChosenTests = field(default_factory=ChosenTests)
    database: Path | None = None
    """Where its runs are kept, where a command has to name that."""

    def set(self, name: str, typed: str) -> None:
        """Set from what was typed; nothing typed is the default again.

        Raises:
            ValueError: what it must be.
            TypeError: what it must be.
        """
        value = BY_NAME[name].typed(typed) if typed.strip() else None
        if not says(name, value) or value is BY_NAME[name].default:
            self.values.pop(name, None)
        else:
            self.values[name] = value

    def typed(self, name: str) -> str:
        """The value as it would be typed; empty where nothing is set."""
        value = self.values.get(name)
        if value is None:
            return ""
        if isinstance(value, bool):
            return "yes" if value else "no"
        if value == 0 and BY_NAME[name].zero:
            return BY_NAME[name].zero
        if isinstance(value, list):
            return " ".join(value) if BY_NAME[name].commas else shlex.join(value)
        return f"{value:.12g}" if isinstance(value, float) else str(value)

    def rows(self, *, all_of_them: bool = False) -> list[Option]:
        """The options that the form shows: the common ones and what is set; a dataset's fields where there is one."""
        return [
            option
            for option in FORM
            if option.name in self.values
            or ((all_of_them or not option.rare) and (option.group != "Datasets" or self._about_datasets(option)))
        ]

    def default_words(self, option: Option) -> str:
        """What holds where nothing is typed, in words: of the models what their entries say, one for each in their order."""
        from modex.core.config.entries.naming import GGUF
        from modex.core.config.entries.places import find_entry

        words = option.default_words
        if option.name not in _OF_AN_ENTRY:
            return words
        found: list[str] = []
        for model in self.models:
            try:
                entry = find_entry(model, self.values.get("suite"))
            except ModexError:  # said where the plan is worked out
                return words
            served = model.startswith(GGUF) or (entry is not None and entry.is_served)
            if served and option.name == "api_base":
                found.append("served by modex")
            else:
                said = None if entry is None else entry.fields.get(option.name)
                found.append(words if said is None else redact(str(said)))
        return ", ".join(found if len(set(found)) > 1 else found[:1]) or words

    def _about_datasets(self, option: Option) -> bool:
        return option.name == "dataset" or "dataset" in self.values

    def remember(self, given: Values) -> None:
        """Begin with what an earlier run used, but for its tests, its name and how far it went."""
        self.values |= {
            name: value
            for name, value in given.items()
            if BY_NAME[name].title and name not in ("exp_id", "until", "filter", "limit", "sample", "stratify")
        }

    def take(self, given: Values) -> None:
        """Begin with all that an earlier run used, its tests too, under a new name."""
        from modex.core.config.configuration import parse_levels

        self.values = {name: value for name, value in given.items() if BY_NAME[name].title and name != "exp_id"}
        self.chosen = ChosenTests(
            tuple(given.get("domain", ())),
            parse_levels(*given.get("level", ())),
            tuple(given.get("test", ())),
            tuple(given.get("exclude_domain", ())),
            parse_levels(*given.get("exclude_level", ())),
            tuple(given.get("exclude_test", ())),
        )

    @property
    def models(self) -> tuple[str, ...]:
        """The models under test, one run each."""
        return tuple(self.values.get("model", ()))

    @property
    def model(self) -> str:
        """The first model under test; empty where none is chosen."""
        return self.models[0] if self.models else ""

    @property
    def several(self) -> bool:
        """Whether there are models to race: two or more, each once."""
        return len(self.models) > 1 and len(set(self.models)) == len(self.models)

    def options(self) -> dict[str, Any]:
        """The options of `modex run`, as `modex.core.config.configuration.configuration` takes them."""
        return {**self.values, **self.chosen.options()}

    def command(self) -> str:
        """The equal command line."""
        return shlex.join(["modex", "run", *_flags(self.options()), *self._kept_in()])

    def race_command(self) -> str:
        """The command line of a race of the models; empty where the plan is none."""
        given = self.options()
        if not self.several or given.get("limit"):
            return ""
        flags = _flags({name: value for name, value in given.items() if name not in NOT_OF_A_RACE})
        return shlex.join(
            ["modex", "race", *(word for model in self.models for word in ("--model", model)), *flags, *self._kept_in()]
        )

    def _kept_in(self) -> list[str]:
        return [] if self.database is None else ["--db", str(self.database)]


def named_database(database: Path) -> Path | None:
    """The database where a command has to name it; None where it is the one that every command takes by itself."""
    try:
        usual = database_path(load_settings().db)
    except ModexError:  # settings that were broken meanwhile: a command that names the file is right whatever they say
        return database
    return None if database.absolute() == usual.absolute() else database


def _flags(given: Values) -> list[str]:
    """The values as flags, in the table's order."""
    return [word for option in OPTIONS if option.name in given for word in option.words(given[option.name])]


def spans(levels: Sequence[int]) -> list[str]:
    """Levels as ranges: 1, 2, 3, 5 → `1-3`, `5`."""
    found: list[list[int]] = []
    for level in sorted(levels):
        if found and level == found[-1][1] + 1:
            found[-1][1] = level
        else:
            found.append([level, level])
    return [str(low) if low == high else f"{low}-{high}" for low, high in found]


def chosen_of(leaves: Sequence[Leaf], chosen: ChosenTests, off: Collection[str]) -> set[int]:
    """The numbers of the tests that these flags choose: the inverse of `fewest`."""
    found = set()
    for number, leaf in enumerate(leaves):
        test, named = leaf.test, leaf.name in chosen.tests or leaf.test.test_id in chosen.tests
        if chosen.tests and not named:
            continue
        in_domain = leaf.group in chosen.domains or test.domain in chosen.domains
        if (chosen.domains and not in_domain) or (chosen.levels and test.level not in chosen.levels):
            continue
        if not named and (test.disabled_by == "test" or (leaf.group in off and not in_domain)):
            continue
        if leaf.group in chosen.exclude_domains or test.level in chosen.exclude_levels:
            continue
        if leaf.name in chosen.exclude_tests or test.test_id in chosen.exclude_tests:
            continue
        found.add(number)
    return found
