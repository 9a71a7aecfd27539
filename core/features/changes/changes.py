"""Finding what is other in one run than in another."""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Callable, Iterator
from heapq import merge
from itertools import groupby
from operator import itemgetter
from typing import Any

from pydantic import ValidationError

from modex.core.comparison.pairs import Pair, TestKey, key_of
from modex.core.config.configuration import options_of
from modex.core.config.runconfig import RunConfig
from modex.core.features.changes.change import TITLES, Change, Changes
from modex.core.features.changes.query import Form, forms, layers_of, text_of
from modex.core.features.compare.compare import compare
from modex.core.reports.counted import counted
from modex.core.reports.machines import limits_words
from modex.core.store.reader import Reader
from modex.core.store.rows import RunRow

SCOPES = ("domain", "level", "test")
_SAME, _ASKED, _JUDGED, _BOTH = (
    "the same question and rules",
    "the question changed",
    "the rules changed",
    "question and rules changed",
)
_DIGESTED = json.JSONEncoder(default=str)
"""Made once: every test of both runs is digested."""
_UNTOLD = frozenset({"exp_id", "concurrency", "db"})


def changes(reader: Reader, first: RunRow, second: RunRow, progress: Callable[[int], None] = lambda _: None) -> Changes:
    """What is other in `second` than in `first`: causes, then the verdicts that went the other way, lost ones first.

    `progress` is told how many tests more were read, of both runs together.
    """
    found = list(_settings(first, second))
    same_model = first.config.get("model") == second.config.get("model")
    tests = _Tests(same_model=same_model)
    digests = [hashlib.blake2b(digest_size=5), hashlib.blake2b(digest_size=5)]
    streams = [_numbered(reader, run, number) for number, run in enumerate((first, second))]
    for _, group in groupby(counted(merge(*streams, key=itemgetter(0, 1)), progress), key=itemgetter(0)):
        sides: list[Form | None] = [None, None]
        for _, number, form in group:
            sides[number] = form
            digests[number].update(_digested(form))
        tests.take(sides[0], sides[1])
    found += tests.changes()
    comparison = compare(reader, first, second, tools=False)
    found += [_verdict(pair, tests.why(pair.key)) for pair in comparison.flips]
    order = list(TITLES)
    found.sort(key=lambda one: order.index(one.kind))
    digested = digests[0].hexdigest(), digests[1].hexdigest()
    return Changes(first, second, digested, tests.same, tests.both, tuple(found))


def _numbered(reader: Reader, run: RunRow, number: int) -> Iterator[tuple[tuple[str, str, int, str], int, Form]]:
    return ((form.key, number, form) for form in forms(reader, run.id))


def _settings(first: RunRow, second: RunRow) -> Iterator[Change]:
    if first.model != second.model:
        yield Change("model", "model", first.model, second.model)
    one, two = _options(first), _options(second)
    for name in sorted(one.keys() | two.keys()):
        if name != "model" and one.get(name) != two.get(name):
            yield Change("setting", name, _value(one, name), _value(two, name))
    limits = limits_words(first), limits_words(second)
    if limits[0] and limits[1] and limits[0] != limits[1]:
        yield Change("setting", "limits of the machine", limits[0], limits[1])
    for name in sorted(first.judged_by.keys() | second.judged_by.keys()):
        before, after = (run.judged_by.get(name) for run in (first, second))
        if before is None or after is None:
            yield Change("judge", name, _judges(before), _judges(after))
        elif before.get("model") != after.get("model"):
            yield Change("judge", f"{name}: models or their settings", _judges(before), _judges(after))
        if before and after and before.get("prompt") != after.get("prompt"):
            yield Change(
                "judge", f"{name}: what it is told", str(before.get("prompt"))[:10], str(after.get("prompt"))[:10]
            )


def _options(run: RunRow) -> dict[str, Any]:
    """The options that made a run; the fields as stored where another version wrote them."""
    try:
        options = options_of(RunConfig.model_validate(run.config))
    except (ValidationError, ValueError, TypeError):
        options = {name: value for name, value in run.config.items() if value is not None}
    return {name: value for name, value in options.items() if name not in _UNTOLD}


def _value(options: dict[str, Any], name: str) -> str:
    value = options.get(name)
    return "not given" if value is None else value if isinstance(value, str) else json.dumps(value, default=str)


def _judges(told: dict[str, Any] | None) -> str:
    return ", ".join(map(str, told.get("models") or ())) or "unnamed" if told else "no judge"


def _digested(form: Form) -> bytes:
    parts = (*form.key, form.system_prompt, form.prompt, form.expected, form.evaluator_id)
    return _DIGESTED.encode(parts).encode()


class _Tests:
    """Takes both runs' tests, key by key, and keeps what differs."""

    def __init__(self, *, same_model: bool) -> None:
        self._same_model = same_model
        self.same = self.both = 0
        self._layers: dict[tuple[str, str, str, str], list[TestKey]] = defaultdict(list)
        self._one: list[Change] = []
        self._asked: set[TestKey] = set()
        self._judged: set[TestKey] = set()

    def take(self, first: Form | None, second: Form | None) -> None:
        """One test; None where a run lacks it."""
        there = second or first
        assert there is not None
        key = key_of(there.key)
        if first is None or second is None:
            self._one.append(Change("removed" if second is None else "added", _name(key), tests=(key,)))
            return
        self.both += 1
        self._question(key, first, second)
        self._rule(key, first, second)
        self.same += key not in self._asked and key not in self._judged

    def _question(self, key: TestKey, first: Form, second: Form) -> None:
        if first.prompt_layers != second.prompt_layers:
            before, after = layers_of(first), layers_of(second)
            for scope in SCOPES:
                one, two = before.get(scope, {}), after.get(scope, {})
                if (one.get("text"), one.get("mode")) != (two.get("text"), two.get("mode")):
                    name = f"{scope} layer, {two.get('file') or one.get('file') or 'no file'}"
                    if one.get("mode") != two.get("mode") and one and two:
                        name += f" ({one.get('mode')} is now {two.get('mode')})"
                    self._layers[scope, name, str(one.get("text") or ""), str(two.get("text") or "")].append(key)
                    self._asked.add(key)
        if first.system_prompt != second.system_prompt and key not in self._asked:
            name = "system prompt"
            texts = text_of(first.system_prompt), text_of(second.system_prompt)
            self._layers["test", name, *texts].append(key)
            self._asked.add(key)
        if first.prompt != second.prompt:
            texts = text_of(first.prompt), text_of(second.prompt)
            self._one.append(Change("question", _name(key), *texts, tests=(key,), written=True))
            self._asked.add(key)
        elif (
            key not in self._asked
            and self._same_model
            and first.rollout_fingerprint
            and second.rollout_fingerprint
            and first.rollout_fingerprint != second.rollout_fingerprint
        ):
            self._one.append(Change("asked", _name(key), "", "tools, templates, attachments or mode", tests=(key,)))
            self._asked.add(key)

    def _rule(self, key: TestKey, first: Form, second: Form) -> None:
        if first.expected != second.expected:
            texts = text_of(first.expected), text_of(second.expected)
            self._one.append(Change("gold", _name(key), *texts, tests=(key,), written=True))
        elif first.evaluator_id != second.evaluator_id:
            self._one.append(Change("rule", _name(key), first.evaluator_id, second.evaluator_id, tests=(key,)))
        elif (
            first.judge_fingerprint
            and second.judge_fingerprint
            and first.judge_fingerprint != second.judge_fingerprint
            and self._same_model
        ):
            told = f"{second.evaluator_id}: its file, code, templates, extractor or judge"
            self._one.append(Change("rule", _name(key), "", told, tests=(key,)))
        else:
            return
        self._judged.add(key)

    def why(self, key: TestKey) -> str:
        """What changed of a test whose verdict went the other way."""
        asked, judged = key in self._asked, key in self._judged
        return _BOTH if asked and judged else _ASKED if asked else _JUDGED if judged else _SAME

    def changes(self) -> Iterator[Change]:
        """Layers with all tests that they reach, then what is of single tests; alike ones of one rule together."""
        for (_, name, before, after), keys in self._layers.items():
            yield Change("layer", name, before, after, tuple(keys), written=True)
        alike: dict[tuple[str, str, str], list[TestKey]] = defaultdict(list)
        for one in self._one:
            if one.kind in ("rule", "asked"):
                alike[one.kind, one.before, one.after].append(one.tests[0])
            else:
                yield one
        for (kind, before, after), keys in alike.items():
            name = _name(keys[0]) if len(keys) == 1 else f"{len(keys)} tests"
            yield Change("rule" if kind == "rule" else "asked", name, before, after, tuple(keys))


def _verdict(pair: Pair, why: str) -> Change:
    before, after = (f"{side.status} {side.mean:.2f}" if side.mean is not None else side.status
                     for side in (pair.first, pair.second))  # fmt: skip
    return Change("gained" if pair.flip == "gained" else "lost", _name(pair.key), before, after, (pair.key,), why, pair)


def _name(key: TestKey) -> str:
    return "/".join(map(str, key[1:]))
