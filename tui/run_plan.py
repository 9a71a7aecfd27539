"""A run as it is planned on the screen: its settings and tests, as the flags of `modex run` and as their command line."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tui.widgets.suite_tree import Leaf


@dataclass(frozen=True, slots=True)
class Setting:
    """One thing that can be set."""

    name: str
    """Its name in the options of `modex run`."""
    title: str
    flag: str
    help: str
    read: Callable[[str], Any]
    """From what was typed to a value; raises ValueError with what it should be."""
    default: str
    """What holds where nothing is set, in words."""
    many: bool = False


def _text(typed: str) -> str:
    return typed.strip()


def _number(low: float, high: float, words: str, kind: type[int] | type[float]) -> Callable[[str], Any]:
    def read(typed: str) -> Any:
        try:
            value = kind(typed.strip())
        except ValueError:
            raise ValueError(words) from None
        if not low <= value <= high:
            raise ValueError(words)
        return value

    return read


def _several(typed: str) -> tuple[str, ...]:
    return tuple(part for part in typed.replace(",", " ").split() if part)


def _yes(typed: str) -> bool:
    return typed.strip().lower() in ("y", "yes", "1", "true", "on")


_BIG = 1e12
SETTINGS = (
    Setting("model", "model", "--model", "litellm's name; demo needs no key", _text, "choose one"),
    Setting("api_base", "address", "--api-base", "of a server of your own", _text, "the provider's own"),
    Setting("temperature", "temperature", "--temperature", "0 to 2", _number(0, 2, "a number from 0 to 2", float),
            "the provider's own"),
    Setting("max_tokens", "max tokens", "--max-tokens", "of one answer",
            _number(1, _BIG, "a whole number above 0", int), "the provider's own"),
    Setting("seed", "seed", "--seed", "of the model's sampling", _number(-_BIG, _BIG, "a whole number", int), "none"),
    Setting("reasoning_effort", "effort", "--reasoning-effort", "low, medium or high", _text, "the provider's own"),
    Setting("epochs", "epochs", "--epochs", "how often each test is asked",
            _number(1, 1000, "a whole number from 1 to 1000", int), "1"),
    Setting("concurrency", "at once", "--concurrency", "samples in flight",
            _number(1, 1024, "a whole number from 1 to 1024", int), "16"),
    Setting("judge_models", "judge", "--judge-model", "several, with spaces: a majority", _several, "", many=True),
    Setting("extractor_model", "extractor", "--extractor-model", "model of PASS 2", _text, "the model itself"),
    Setting("max_cost", "budget", "--max-cost", "USD; the run stops there",
            _number(0, _BIG, "an amount in USD", float), "none"),
    Setting("suite", "suite", "--suite", "folder with test_definitions/", _text, "bundled"),
    Setting("skip_invalid", "skip invalid", "--skip-invalid", "run what is valid (yes or no)", _yes, "no"),
)  # fmt: skip
BY_NAME = {setting.name: setting for setting in SETTINGS}


@dataclass(frozen=True, slots=True)
class Chosen:
    """A choice of tests in the fewest flags; all empty is every test that is on."""

    domains: tuple[str, ...] = ()
    levels: tuple[int, ...] = ()
    tests: tuple[str, ...] = ()


def fewest(leaves: Sequence[Leaf], chosen: Collection[int], off: Collection[str]) -> Chosen:
    """The flags that choose exactly `chosen`: none, domains and levels where they describe it, else the tests by name."""
    available = {number for number, leaf in enumerate(leaves) if leaf.test.disabled_by != "test"}
    default = {number for number in available if leaves[number].group not in off}
    wanted = set(chosen)
    if wanted == default:
        return Chosen()
    domains = list(dict.fromkeys(leaves[number].group for number in sorted(wanted)))
    levels = sorted({leaves[number].test.level for number in wanted})
    of_level = {number for number in default if leaves[number].test.level in levels}
    if of_level == wanted:
        return Chosen(levels=tuple(levels))
    of_domain = {number for number in available if leaves[number].group in domains}
    if of_domain == wanted:
        return Chosen(domains=tuple(domains))
    if {number for number in of_domain if leaves[number].test.level in levels} == wanted:
        return Chosen(tuple(domains), tuple(levels))
    return Chosen(tests=tuple(leaves[number].name for number in sorted(wanted)))


@dataclass(slots=True)
class Plan:
    """The settings that are set, by name, and the tests."""

    values: dict[str, Any] = field(default_factory=dict)
    chosen: Chosen = field(default_factory=Chosen)

    def set(self, name: str, typed: str) -> None:
        """Set from what was typed; nothing typed is the default again.

        Raises:
            ValueError: what it should be.
        """
        if not typed.strip():
            self.values.pop(name, None)
            return
        value = BY_NAME[name].read(typed)
        if value in (False, ()):
            self.values.pop(name, None)
        else:
            self.values[name] = value

    def typed(self, name: str) -> str:
        """The value as it would be typed; empty where nothing is set."""
        value = self.values.get(name)
        if value is None:
            return ""
        if isinstance(value, bool):
            return "yes"
        return " ".join(value) if isinstance(value, tuple) else str(value)

    @property
    def model(self) -> str:
        """The model under test; empty where none is chosen."""
        return str(self.values.get("model", ""))

    def options(self) -> Mapping[str, Any]:
        """The options of `modex run`, as `tui.commands.starting.configuration` takes them."""
        levels = tuple(str(level) for level in self.chosen.levels)
        selection = {"domains": self.chosen.domains, "levels": levels, "tests": self.chosen.tests}
        return {**selection, **{name: value for name, value in self.values.items() if name != "model"}}

    def command(self) -> str:
        """The equal command line."""
        words = ["modex", "run"]
        for setting in SETTINGS:
            value = self.values.get(setting.name)
            if value is None:
                continue
            if isinstance(value, bool):
                words.append(setting.flag)
                continue
            for one in value if setting.many else (value,):
                words += [setting.flag, f"{one:g}" if isinstance(one, float) else str(one)]
        for domain in self.chosen.domains:
            words += ["--domain", domain]
        for span in spans(self.chosen.levels):
            words += ["--level", span]
        for test in self.chosen.tests:
            words += ["--test", test]
        return shlex.join(words)


def spans(levels: Sequence[int]) -> list[str]:
    """Levels as ranges: 1, 2, 3, 5 → `1-3`, `5`."""
    found: list[list[int]] = []
    for level in sorted(levels):
        if found and level == found[-1][1] + 1:
            found[-1][1] = level
        else:
            found.append([level, level])
    return [str(low) if low == high else f"{low}-{high}" for low, high in found]
