"""One test definition, checked and merged with the defaults of its level and domain."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from modex.core.foundation.errors import Problem
from modex.core.statistics.k_of_n import Required
from modex.core.suite.attachments import Attachment, Named, file_names, find, plain_turns, together_fault
from modex.core.suite.definitions import Location, PromptLayer, TestCase, ToolDefinition
from modex.core.suite.dialects import Context
from modex.core.suite.files import FileFaultError
from modex.core.suite.keys import id_fault
from modex.core.suite.offered import appends, resolve_tools, together, without_missing
from modex.core.suite.positions import JsonPath
from modex.core.suite.prompt_files import PromptFolder, layer_of
from modex.core.suite.report import Source, reason
from modex.core.suite.state import Loading
from modex.core.suite.suggest import did_you_mean
from modex.core.suite.tables import GIVEN, GIVEN_ABOVE, TEST
from modex.core.suite.tool_files import called, read_tool
from modex.core.suite.users import laid_over, state_faults, user_of
from modex.core.suite.variants import template_problems


@dataclass(slots=True)
class Defaults:
    """What the tests of one level inherit, already checked."""

    domain: str
    folder: str
    """Name of the domain's folder."""
    level: int
    prompts: PromptFolder
    hint: str
    """Files that could name an evaluator, for messages."""
    evaluator_id: str | None = None
    tool_ids: tuple[str, ...] = ()
    tools: tuple[ToolDefinition, ...] = ()
    given: dict[str, Any] = field(default_factory=dict)
    """What the files above a test give of its fields, by name."""
    layers: tuple[PromptLayer, ...] = ()
    enabled: bool = True
    domain_enabled: bool = True
    broken: list[str] = field(default_factory=list)
    """Why every test that inherits from here cannot run."""
    missing: dict[str, str] = field(default_factory=dict)
    """Tools offered here that are not there, by id, each with why and where: they end only the tests whose golds need them."""
    seen: dict[str, str] = field(default_factory=dict)
    """Test ids of the level so far, and where."""


def merge(defaults: Defaults, data: dict[str, Any]) -> None:
    """Take what `data` (a domain.json or level.json, already checked) sets into `defaults`."""
    defaults.evaluator_id = data.get("evaluator_id") or defaults.evaluator_id
    defaults.tool_ids = tuple(data["tool_ids"]) if "tool_ids" in data else defaults.tool_ids
    above = {name: value for name, value in data.items() if name in GIVEN_ABOVE}
    if "tool_state" in above:
        above["tool_state"] = laid_over(defaults.given.get("tool_state", {}), above["tool_state"])
    defaults.given = {**defaults.given, **above}


def look_for_evaluator(loading: Loading, source: Source, at: JsonPath, name: str) -> None:
    """Remember that nobody defines the evaluator `name`, if so: its tests cannot run; a typo is a mistake of `source`."""
    if name in loading.builtins or name in loading.suite.evaluators or name in loading.broken_evaluators:
        return
    if not loading.builtins:
        return
    hint = did_you_mean(name, [*loading.builtins, *loading.suite.evaluators])
    plugins = [] if hint or loading.dialect is not None else _plugins(loading)
    remedy = (
        f"; the suite's plugins may define it ({', '.join(plugins)}): read them, then allow them with --allow-plugins"
        if plugins
        else "; define it in test_definitions/evaluators/"
    )
    message = f"there is no evaluator '{name}'"
    if loading.is_typo(hint):
        source.add(at, message + hint)
    elif plugins:  # it may be here, once somebody agrees to it
        source.add(at, message + remedy)
    else:
        lack = loading.report.lack(source.path, source.line_of(at), message + (hint or remedy))
        loading.broken_evaluators[name] = str(lack)


def _plugins(loading: Loading) -> list[str]:
    """The suite's own Python, by name."""
    found = loading.folder("plugins")
    names = [name for name in (*found.files, *found.folders) if name.endswith(".py") or name in found.folders]
    return [name for name in names if not name.startswith(("_", "."))]


def read_case(loading: Loading, source: Source, data: dict[str, Any], defaults: Defaults) -> TestCase:
    """The test that `data` defines; with mistakes it is still a test, marked `invalid`."""
    drawn = data.get("template")
    template: dict[str, Any] | None = drawn if isinstance(drawn, dict) else None
    written = template is None or "prompt" in data
    if template is not None and not written:
        data = {**data, "prompt": template.get("prompt"), "expected": template.get("expected")}
    data, lost, absent = _in_our_form(loading, source, data, defaults)
    data, aside = _without_other_files(loading, source, data)
    unknown = {**aside, **loading.report.check(source, data, TEST)}
    identity = data.get("id")
    broken: list[str] = []
    layers = defaults.layers
    faults: list[Problem] = []
    if isinstance(identity, str) and id_fault(identity) is None:
        if identity in defaults.seen:
            source.add(("id",), f"test '{identity}' is defined already in {defaults.seen[identity]}; give another id")
            identity = _stand_in(source)
        else:
            defaults.seen[identity] = f"{source.path}:{source.line}" if source.line else source.path
            layers, faults = _layers(source, data, defaults, identity)
        _check_place(source, data, defaults)
    else:
        identity = _stand_in(source)
    evaluator = _evaluator(loading, source, data, defaults, broken)
    tool_ids, tools, missing = _tools(loading, source, data, defaults, broken)
    missing = absent | missing
    given = _given(loading, source, data, defaults)
    given["simulated_user"] = user_of(loading, source, data, given.get("rollout", "direct"))
    broken += _users_tools(loading, source, given["simulated_user"])
    if missing:
        tool_ids = tuple(one for one in tool_ids if one not in missing)
        unknown |= without_missing(loading, source, data.get("expected"), missing, broken)
    given["tool_state"] = laid_over(defaults.given.get("tool_state", {}), data.get("tool_state"))
    source.found += [(("tool_state",), fault) for fault in state_faults(given["tool_state"])]
    broken += [*map(str, faults), *([loading.report.lack(source.path, source.line or 1, lost).message] if lost else [])]
    if template is not None:
        for problem in template_problems(template):
            source.add(("template",), problem)
    prompt, attachments = _asked(loading, source, data)
    if unknown:
        unknown.pop("$schema", None)
        metadata = given.get("metadata")
        given["metadata"] = {**unknown, **metadata} if isinstance(metadata, dict) else unknown
    location = Location(source.path, source.line or 1)
    if problems := loading.report.take(source):
        return _invalid(
            problems, identity=identity, location=location, data=data, defaults=defaults, evaluator=evaluator
        )
    return TestCase(
        source="suite",
        domain=defaults.domain,
        level=defaults.level,
        test_id=identity,
        prompt=prompt,
        expected=data.get("expected"),
        evaluator_id=evaluator,
        location=location,
        layers=layers,
        tool_ids=tool_ids,
        tools=tools,
        required=Required(data["epochs"]["pass"], data["epochs"]["of"]) if data.get("epochs") else None,
        attachments=attachments,
        template=template,
        written=written,
        invalid="; ".join((*defaults.broken, *broken)) or None if defaults.broken or broken else None,
        disabled_by=_disabled(data, defaults),
        **given,
    )


def _in_our_form(
    loading: Loading, source: Source, data: dict[str, Any], defaults: Defaults
) -> tuple[dict[str, Any], str, dict[str, str]]:
    """What a test says in our form, why it cannot run here, and its own tools that cannot, by name with why and where."""
    dialect = loading.dialect
    if dialect is None:
        wanted, evaluator_id = data.get("expected"), str(data.get("evaluator_id") or defaults.evaluator_id)
        loading.look_for_signs(lambda dialect: dialect.is_test(wanted, evaluator_id))
        loading.look_at_query(wanted, evaluator_id)
        return data, "", {}
    said = dialect.test(data, _context(loading, data, source, defaults))
    source.as_written = dialect.names
    absent = {name: str(Problem(source.path, source.line_of(("tools",)), why)) for name, why in said.absent}
    return loading.say(source, (), said), said.unusable, absent


def _given(loading: Loading, source: Source, data: dict[str, Any], defaults: Defaults) -> dict[str, Any]:
    """The fields of a test that its own file gives, and else a file above it; null and an empty text give nothing."""
    own = {name: value for name, value in data.items() if name in GIVEN and value is not None and value != ""}
    given = {**defaults.given, **own}
    if given.get("sandbox") and TEST.checks["sandbox"](given["sandbox"]) is None:
        given["sandbox"] = _workspace(loading, source, given["sandbox"])
    return given


def _without_other_files(
    loading: Loading, source: Source, data: dict[str, Any]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """`data` without keys for files that hold no names of files, as suites of before have them; and those keys, as metadata."""
    aside = {
        key: data[key]
        for key in ("file_name", "files")
        if data.get(key) not in (None, "", []) and file_names(data[key]) is None
    }
    for key in aside:
        words = f"'{key}' holds no names of files: it is kept as metadata, and nothing of it is sent"
        loading.report.note(source.path, source.line_of((key,)), words)
    return ({key: value for key, value in data.items() if key not in aside} if aside else data), aside


def _asked(
    loading: Loading, source: Source, data: dict[str, Any]
) -> tuple[str | tuple[dict[str, str], ...], tuple[Attachment, ...]]:
    """What a test asks: its text or turns, and the files that go with it; one that cannot be sent is a mistake of `source`."""
    given = data.get("prompt")
    named: tuple[Named, ...] = ()
    prompt: str | tuple[dict[str, str], ...] = given if isinstance(given, str) else ""
    if isinstance(given, list) and TEST.checks["prompt"](given) is None:
        prompt, named = plain_turns(given)
    template = data.get("template")
    drawn = template.get("prompt") if isinstance(template, dict) else None
    if isinstance(drawn, list) and any(isinstance(t, dict) and isinstance(t.get("content"), list) for t in drawn):
        source.add(("template",), "a template's prompt has turns of text only; name its files under 'files'")
    wanted: list[tuple[str, Named | str]] = [("prompt", one) for one in named]
    for key in ("file_name", "files"):
        value = data.get(key)
        if value and TEST.checks[key](value) is None:
            wanted += [(key, name) for name in ([value] if isinstance(value, str) else value)]
    found: list[Attachment] = []
    for key, one in wanted:
        try:
            if isinstance(one, Named):
                found.append(find(loading.suite.root, one.name, turn=one.turn, at=one.at))
            else:
                found.append(find(loading.suite.root, one))
        except FileFaultError as fault:
            if loading.dialect is None:
                source.add((key,), f"'{key}': {fault.message}")
            else:
                # Another system's tests may name files of which it sends nothing either.
                loading.report.note(source.path, source.line_of((key,)), f"not sent: '{key}': {fault.message}")
    if fault_of_all := together_fault(found):
        source.add((wanted[0][0],), fault_of_all)
    return prompt, tuple(found)


def _workspace(loading: Loading, source: Source, sandbox: dict[str, Any]) -> dict[str, Any]:
    """What a test says of its sandbox, with digests of the folders that it names; one that cannot be is a mistake of `source`."""
    if not any(isinstance(sandbox.get(key), str) for key in ("workspace", "tests")) and not isinstance(
        sandbox.get("solution"), dict
    ):
        return sandbox
    from modex.core.suite.workspaces import with_digests  # few suites have any

    try:
        return with_digests(sandbox, loading.suite.root)
    except FileFaultError as fault:
        source.add(("sandbox",), f"'sandbox': {fault.message}")
        return sandbox


def unreadable(problems: list[Problem], identity: str, path: str, line: int, defaults: Defaults) -> TestCase:
    """The stand-in for a test whose file is not JSON, so that it is counted as skipped."""
    location = Location(path, line)
    return _invalid(problems, identity=identity, location=location, data={}, defaults=defaults, evaluator="")


def _stand_in(source: Source) -> str:
    """The id of a test that cannot have its own: its file's name, which no well-named test has."""
    name = source.path.rsplit("/", 1)[-1]
    return f"{name}:{source.line}" if source.line else name


def _invalid(
    problems: list[Problem],
    *,
    identity: str,
    location: Location,
    data: dict[str, Any],
    defaults: Defaults,
    evaluator: str,
) -> TestCase:
    prompt, name = data.get("prompt"), data.get("name")
    return TestCase(
        source="suite",
        domain=defaults.domain,
        level=defaults.level,
        test_id=identity,
        prompt=prompt if isinstance(prompt, str) else "",
        expected=data.get("expected"),
        evaluator_id=evaluator,
        location=location,
        name=name if isinstance(name, str) else "",
        weight=defaults.given.get("weight", 1.0),
        invalid=reason(problems),
        disabled_by=_disabled(data, defaults),
    )


def _disabled(data: dict[str, Any], defaults: Defaults) -> Any:
    if data.get("enabled") is False or not defaults.enabled:
        return "test"
    return None if defaults.domain_enabled else "domain"


def _check_place(source: Source, data: dict[str, Any], defaults: Defaults) -> None:
    """A test that says where it belongs must stand there."""
    domain, level = data.get("domain"), data.get("level")
    if isinstance(domain, str) and domain not in (defaults.domain, defaults.folder):
        source.add(
            ("domain",),
            f"'domain' is '{domain}', but the file stands in the folder of '{defaults.domain}'; leave it out, or move the file",
        )
    if isinstance(level, int) and not isinstance(level, bool) and 1 <= level <= 5 and level != defaults.level:
        source.add(
            ("level",),
            f"'level' is {level}, but the file stands in level_{defaults.level}; leave it out, or move the file",
        )


def _layers(
    source: Source, data: dict[str, Any], defaults: Defaults, identity: str
) -> tuple[tuple[PromptLayer, ...], list[Problem]]:
    prompts = defaults.prompts
    if data.get("system_prompt") is None and identity not in prompts.layers and identity not in prompts.faults:
        return defaults.layers, []
    if identity == "domain" or identity in _LEVEL_STEMS:
        source.add(("id",), f"'{identity}' is the name of a layer in prompts/; give the test another id")
        return defaults.layers, []
    layer, faults = layer_of(prompts, identity, scope="test", data=data, source=source)
    return ((*defaults.layers, layer) if layer is not None else defaults.layers), faults


_LEVEL_STEMS = frozenset(f"level_{number}" for number in range(1, 6))


def _evaluator(loading: Loading, source: Source, data: dict[str, Any], defaults: Defaults, broken: list[str]) -> str:
    name = data.get("evaluator_id")
    if name is None:
        name = defaults.evaluator_id
        if name is None:
            if not defaults.broken:
                source.add((), f"the test names no evaluator: set 'evaluator_id' here or in {defaults.hint}")
            return ""
    elif not isinstance(name, str):
        return ""
    elif id_fault(name) is None:
        look_for_evaluator(loading, source, ("evaluator_id",), name)
    if name in loading.broken_evaluators:
        broken.append(loading.broken_evaluators[name])
    return name


def _context(loading: Loading, data: dict[str, Any], source: Source, defaults: Defaults) -> Context:
    """What a test of another system stands in."""
    assert loading.dialect is not None
    name = loading.dialect.named_evaluator(data) or defaults.evaluator_id or ""
    config = loading.suite.evaluators.get(name)
    stem = source.path.rsplit("/", 1)[-1].removesuffix(".json") if source.line is None else ""
    schemas = {tool.name: tool.parameters for tool in loading.suite.tools.values()}
    fixture = loading.fixture
    if config is None:
        return Context(name, "", {}, schemas, stem, defaults.level, fixture)
    return Context(config.id, config.type, config.config, schemas, stem, defaults.level, fixture)


def _users_tools(loading: Loading, source: Source, user: dict[str, Any]) -> list[str]:
    """Why the test's user cannot have its tools; what a user says depends on them, so that a missing one ends the test."""
    ids = user.get("tool_ids")
    if not isinstance(ids, list) or TEST.checks["tool_ids"](ids) is not None:
        return []
    found = resolve_tools(loading, source, ids)
    if not source.faulty:
        for words in found.missing.values():
            loading.report.lack(source.path, source.line_of(("simulated_user",)), f"its user needs a tool: {words}")
    return [*found.broken, *found.missing.values()]


def _tools(
    loading: Loading, source: Source, data: dict[str, Any], defaults: Defaults, broken: list[str]
) -> tuple[tuple[str, ...], tuple[ToolDefinition, ...], dict[str, str]]:
    """The ids of every tool offered, their definitions, the test's own last, and the tools that are missing."""
    ids, embedded = data.get("tool_ids"), data.get("tools")
    if ids is None and not embedded:
        return defaults.tool_ids, defaults.tools, defaults.missing
    tools, tool_ids, missing = defaults.tools, defaults.tool_ids, defaults.missing
    if isinstance(ids, list) and TEST.checks["tool_ids"](ids) is None:
        found = resolve_tools(loading, source, ids)
        broken += found.broken
        tools, tool_ids = found.tools, tuple(ids)
        missing = found.missing
        if appends(loading, data):
            tool_ids, tools = together(defaults.tool_ids, defaults.tools, tool_ids, tools)
            missing = defaults.missing | missing
    if isinstance(embedded, list):
        for number, item in enumerate(embedded):
            if not isinstance(item, dict):
                source.add(("tools", number), "a tool must be an object")
                continue
            # A mistake in a tool of another system's test ends the test only where its gold needs the tool.
            own = source if loading.dialect is None else replace(source, found=[], located=[])
            tool = read_tool(loading, own, ("tools", number), item)
            if tool is not None:
                tools, tool_ids = (*tools, tool), (*tool_ids, tool.id)
            elif own is not source and (problems := own.problems()):
                loading.report.problems += problems
                missing = {**missing, called(item): str(problems[0])}
    missing = {name: why for name, why in missing.items() if all(tool.id != name for tool in tools)}
    names = [tool.name for tool in tools]
    if len(set(names)) != len(names):
        twice = next(name for name in names if names.count(name) > 1)
        source.add(
            ("tools",) if embedded else ("tool_ids",), f"two tools offered here are named '{twice}'; leave one out"
        )
    return tool_ids, tools, missing
