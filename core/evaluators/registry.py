"""Which class stands behind an `evaluator_id`: the built-in ones (loaded when first needed), plugins, entry points."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoints, entry_points
from typing import Any, Literal, cast

from modex.core.evaluators.base import BaseEvaluator
from modex.core.foundation.errors import ConfigurationError
from modex.core.suite.builtin import BUILTIN_EVALUATORS
from modex.core.suite.definitions import EvaluatorConfig

_MAX_DEPTH = 4
ENTRY_POINT_GROUP = "modex.evaluators"
_registered: dict[str, type[BaseEvaluator]] = {}


def register(evaluator: type[BaseEvaluator]) -> type[BaseEvaluator]:
    """Make a user's evaluator known by its `id`; usable as a class decorator. The same class may register again.

    Raises:
        ConfigurationError: the class has no id, or the id is taken by another class.
    """
    identity = vars(evaluator).get("id")
    if not isinstance(identity, str) or not identity:
        raise ConfigurationError(
            f"the evaluator class {evaluator.__name__} needs an `id` of its own, the evaluator_id that selects it"
        )
    _check_class(evaluator, identity)
    taken = _registered.get(identity)
    same = taken is not None and (taken.__module__, taken.__qualname__) == (
        evaluator.__module__,
        evaluator.__qualname__,
    )
    if identity in BUILTIN_EVALUATORS or (taken is not None and not same):
        owner = "a built-in evaluator" if taken is None else f"{taken.__module__}.{taken.__qualname__}"
        raise ConfigurationError(
            f"evaluator id {identity!r} belongs to {owner} already; give {evaluator.__name__} another id"
        )
    _registered[identity] = evaluator
    _instance.cache_clear()
    return evaluator


def evaluator_ids() -> list[str]:
    """Every id that can be named without a file of its own: built-in, registered, and installed by entry point."""
    return sorted({*BUILTIN_EVALUATORS, *_registered, *_entry_points()})


def get_evaluator(config: EvaluatorConfig) -> BaseEvaluator:
    """The evaluator behind `config`: a user's by its id, else by a type of regex, custom or hybrid, else a built-in one by
    its id or `config.config["base"]`. One instance a class.

    Raises:
        ConfigurationError: nobody defines it.
    """
    by_type = config.type if config.type in ("regex", "custom", "hybrid") else None
    if by_type is None and config.id in BUILTIN_EVALUATORS:
        return _instance(config.id)  # of most samples, several times each
    own = config.id if config.id not in BUILTIN_EVALUATORS else None
    for name in (own, by_type, config.id, config.config.get("base")):
        if isinstance(name, str) and _known(name):
            return _instance(name)
    raise ConfigurationError(
        f"{config.location or 'evaluator'}: no evaluator is called {config.id!r}; known are {', '.join(evaluator_ids())} "
        "(a file may build on one by config.base)"
    )


def default_configs() -> dict[str, EvaluatorConfig]:
    """The configuration of every evaluator that has no file of its own."""
    return {
        identity: EvaluatorConfig(
            id=identity,
            name=identity.replace("_", " "),
            type="builtin" if identity in BUILTIN_EVALUATORS else "predefined",
            uses_pass2=True if identity == "two_pass" else None,
        )
        for identity in evaluator_ids()
    }


def find_config(identity: str, configs: Mapping[str, EvaluatorConfig]) -> EvaluatorConfig | None:
    """The configuration called `identity`: the run's own, else the built-in one; None where nobody defines it."""
    return configs.get(identity) or default_configs().get(identity)


Need = Literal["needs_judge", "needs_extractor"]


def may_need(what: Need, config: EvaluatorConfig) -> bool:
    """Whether any `expected` could make the evaluator ask: most are asked of no model whatever the test says.

    Raises:
        ConfigurationError: nobody defines the evaluator.
    """
    evaluator = get_evaluator(config)
    inherited = getattr(type(evaluator), what) is getattr(BaseEvaluator, what)
    return not inherited or bool(evaluator.parts(config))


def needs_judge(expected: Any, config: EvaluatorConfig, configs: Mapping[str, EvaluatorConfig]) -> bool:
    """Whether judging asks an LLM judge, through the parts of a hybrid too.

    Raises:
        ConfigurationError: nobody defines the evaluator, or hybrids name each other in a circle.
    """
    return _needs("needs_judge", expected, config, configs, 0)


def needs_extractor(expected: Any, config: EvaluatorConfig, configs: Mapping[str, EvaluatorConfig]) -> bool:
    """Whether judging may make a PASS 2 call, through the parts of a hybrid too.

    Raises:
        ConfigurationError: nobody defines the evaluator, or hybrids name each other in a circle.
    """
    return _needs("needs_extractor", expected, config, configs, 0)


def _needs(
    what: Need, expected: Any, config: EvaluatorConfig, configs: Mapping[str, EvaluatorConfig], depth: int
) -> bool:
    evaluator = get_evaluator(config)
    if not evaluator.parts(config):
        return bool(getattr(evaluator, what)(expected, config))
    found = asked_of(expected, config, configs, depth)
    return any(getattr(evaluator, what)(gold, own) for gold, evaluator, own in found)


def asked_of(
    expected: Any, config: EvaluatorConfig, configs: Mapping[str, EvaluatorConfig], depth: int = 0
) -> Iterator[tuple[Any, BaseEvaluator, EvaluatorConfig]]:
    """The evaluators that score by themselves, each with its gold and its configuration: the parts of a hybrid, else the one.

    Raises:
        ConfigurationError: nobody defines the evaluator, or hybrids name each other in a circle.
    """
    evaluator = get_evaluator(config)
    given = evaluator.parts(config)
    if not given:
        yield expected, evaluator, config
        return
    depth = checked_depth(depth)
    for part in given:
        found = find_config(str(part.get("evaluator")), configs)
        if found is not None:
            yield from asked_of(part.get("expected", expected), found, configs, depth)


def checked_depth(depth: int) -> int:
    """One level deeper into evaluators of evaluators.

    Raises:
        ConfigurationError: they name each other in a circle, or nest deeper than four levels.
    """
    if depth >= _MAX_DEPTH:
        raise ConfigurationError(
            "hybrid evaluators name each other in a circle, or nest deeper than four levels; leave one part out"
        )
    return depth + 1


def _known(name: str) -> bool:
    return name in BUILTIN_EVALUATORS or name in _registered or name in _entry_points()


def _check_class(evaluator: type[BaseEvaluator], name: str) -> None:
    """Refuse a class that no sample could be judged by.

    Raises:
        ConfigurationError: it is none of evaluators, `evaluate` is missing or a coroutine.
    """
    if not (isinstance(evaluator, type) and issubclass(evaluator, BaseEvaluator)):
        raise ConfigurationError(f"the evaluator {name!r} must be a class that derives from BaseEvaluator")
    if inspect.isabstract(evaluator):
        raise ConfigurationError(f"the evaluator {name!r}: {evaluator.__name__} needs an `evaluate`")
    if inspect.iscoroutinefunction(evaluator.evaluate) or inspect.isasyncgenfunction(evaluator.evaluate):
        raise ConfigurationError(
            f"the evaluator {name!r}: {evaluator.__name__}.evaluate is `async`; make it a plain `def`"
        )


@cache
def _offered() -> Any:
    """What installed packages offer, of every kind: to read it costs a file of each package."""
    return entry_points()


def installed(group: str) -> EntryPoints:
    """What installed packages offer of one kind; it is looked up once a process."""
    found: EntryPoints = _offered().select(group=group)
    return found


@cache
def _entry_points() -> dict[str, Any]:
    return {point.name: point for point in installed(ENTRY_POINT_GROUP)}


@cache
def _instance(name: str) -> BaseEvaluator:
    """The one instance of the class behind `name`.

    Raises:
        ConfigurationError: the class cannot be loaded or made.
    """
    if name in BUILTIN_EVALUATORS:
        module, attribute = BUILTIN_EVALUATORS[name].split(":")
        built: type[BaseEvaluator] = getattr(import_module(module), attribute)
        built.id = name
        return built()
    try:
        kind = _registered.get(name) or _entry_points()[name].load()
        _check_class(kind, name)
        made = kind()
    except ConfigurationError:
        raise
    except Exception as error:
        raise ConfigurationError(
            f"the evaluator {name!r} cannot be loaded: {type(error).__name__}: {error}; correct its class, or install its package"
        ) from error
    return cast(BaseEvaluator, made)
