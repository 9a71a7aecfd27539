"""What a bug report needs, as files of one archive: no key, no prompt and no answer unless they are asked for.

Left out unless asked: everything that a model or a provider wrote, prompts, golds, notes, filters, what a wrong settings file
says, the text of exceptions. Never in it: keys, passwords, the arguments of an agent, and the names of hosts that are not this
machine's.
"""

from __future__ import annotations

import json
import os
import platform
import re
import sys
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import distributions
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from modex.core.foundation.errors import ConfigurationError, StoreError
from modex.core.foundation.version import version
from modex.core.safety import clean, redact
from modex.core.store.location import runner_log
from modex.core.store.reader import Reader
from modex.core.store.rows import RunRow
from modex.core.store.sample import stored_values
from modex.core.store.selecting import SampleQuery
from modex.core.store.story import count_errors

MOST_RUNS, MOST_EVENTS, MOST_SAMPLES = 20, 200, 50
_LOG_CHARACTERS = 200_000
_NAMED = ("TERM", "COLORTERM", "LANG", "LC_ALL", "TMUX", "SSH_TTY", "NO_COLOR", "COLUMNS", "LINES")
_PROXIES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "SSL_CERT_FILE", "REQUESTS_CA_BUNDLE")
_FRAME = re.compile(r'^\s*File "(?P<file>[^"]+)", line (?P<line>\d+), in (?P<name>\S+)')
_RAISED = re.compile(r"^(?P<kind>[A-Za-z_][\w.]*(?:Error|Exception|Interrupt|Exit|Warning))\b")
_QUOTED = re.compile(r"'[^'\n]*'|\"[^\"\n]*\"")
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


def write_bundle(out: Path, findings: Sequence[Mapping[str, Any]], database: Path, *, content: bool) -> list[str]:
    """Write the archive `out`, which must not exist yet; the names of what is in it.

    Raises:
        ConfigurationError: `out` cannot be written, or is there already.
    """
    names = []
    try:
        with out.open("xb") as file:
            out.chmod(0o600)
            with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
                for name, text in _files(findings, database, content=content):
                    archive.writestr(name, clean(_without_places(redact(text))))
                    names.append(name)
    except FileExistsError as error:
        raise ConfigurationError(f"{out}: there is such a file already; name another one") from error
    except OSError as error:
        raise ConfigurationError(f"{out}: cannot be written ({error.strerror or error}); name another place") from error
    return names


def _files(findings: Sequence[Mapping[str, Any]], database: Path, *, content: bool) -> Iterator[tuple[str, str]]:
    yield "README.txt", _readme(content=content)
    yield "doctor.json", _json(findings if content else [_unquoted(one) for one in findings])
    yield "machine.json", _json(_machine())
    log = runner_log(database)
    if log.exists():
        text = log.read_text(errors="replace")[-_LOG_CHARACTERS:]
        yield "runner.log", text if content else "\n".join(_places_of_faults(text)) + "\n"
    if not database.exists():
        return
    try:
        reader = Reader(database)
    except StoreError as error:
        yield "database.json", _json({"error": str(error)})
        return
    try:
        yield (
            "database.json",
            _json({"runs": reader.count_runs(), "lacks": list(reader.lacks), "damage": reader.damage()}),
        )
        for number, run in enumerate(reader.runs(limit=MOST_RUNS)):
            yield f"runs/{number:02}.json", _json(_run(reader, run, content=content))
            if content:
                lines = (json.dumps(stored_values(one), default=str) for one in _failed(reader, run))
                yield f"runs/{number:02}.samples.jsonl", "".join(f"{line}\n" for line in lines)
    finally:
        reader.close()


def _readme(*, content: bool) -> str:
    words = (
        "Prompts, answers and errors are in it, because --content asked for them: read it before you send it."
        if content
        else "No prompt, no answer, no note and no provider's words are in it; `--content` adds them."
    )
    return f"What `modex doctor --bundle` found with modex {version()}.\n{words}\nKeys and the names of hosts are left out.\n"


def _json(value: Any) -> str:
    return json.dumps(value, indent=1, ensure_ascii=True, default=str) + "\n"


def _machine() -> dict[str, Any]:
    return {
        "modex": version(),
        "python": sys.version,
        "platform": platform.platform(),
        "cores": os.cpu_count(),
        "terminal": {name: os.environ[name] for name in _NAMED if name in os.environ},
        "set": sorted(name for name in _PROXIES if name in os.environ or name.lower() in os.environ),
        "modex_variables": sorted(name for name in os.environ if name.startswith("MODEX_")),
        "packages": {found.metadata["Name"]: found.version for found in distributions() if found.metadata["Name"]},
    }


def _run(reader: Reader, run: RunRow, *, content: bool) -> dict[str, Any]:
    kept = ("kind", "state", "model", "started_at", "completed_at", "overall_score", "unsettled", "bound_low", "bound_high",
            "total_tests", "passed_tests",
            "failed_tests", "error_tests", "skipped_tests", "prompt_tokens", "completion_tokens", "cost_usd", "duration_ms",
            "archived")  # fmt: skip
    events = reader.events(run.id, limit=MOST_EVENTS)
    return {
        **{name: getattr(run, name) for name in kept},
        "config": _config(run.config, content=content),
        "errors": dict(count_errors(reader, run.id)),
        "events": [
            {"at": event.at, "kind": event.kind, **({"message": event.message} if content else {})} for event in events
        ],
        **({"exp_id": run.exp_id, "reason": run.reason, "note": run.note} if content else {}),
    }


def _failed(reader: Reader, run: RunRow) -> Iterator[Any]:
    query = SampleQuery(statuses=("error", "failed"))
    yield from reader.samples_by_id([head.id for head in reader.heads(run.id, query, limit=MOST_SAMPLES)])


def _config(config: Mapping[str, Any], *, content: bool) -> dict[str, Any]:
    """The configuration without hosts and an agent's arguments; its filters, which may quote prompts, only where asked for."""
    kept: dict[str, Any] = _without_hosts(dict(config))
    if isinstance(agent := kept.get("agent"), str):
        program, _, arguments = agent.partition(" ")
        kept["agent"] = f"{program} [arguments]" if arguments else program
    selection = kept.get("selection")
    if not content and isinstance(selection, dict) and selection.get("filters"):
        kept["selection"] = {**selection, "filters": [f"[{len(selection['filters'])} filters]"]}
    return kept


def _unquoted(finding: Mapping[str, Any]) -> dict[str, Any]:
    """A finding without what its mistake quotes from a file: it may be a key at a wrong place."""
    if finding.get("good"):
        return dict(finding)
    return {**finding, "words": _QUOTED.sub("[quoted]", str(finding.get("words", "")))}


def _without_hosts(value: Any) -> Any:
    """The configuration with hosts that are not this machine's replaced in every address."""
    if isinstance(value, dict):
        return {key: _without_hosts(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_without_hosts(item) for item in value]
    if isinstance(value, str) and "://" in value:
        try:
            found = urlsplit(value)
            port = f":{found.port}" if found.port else ""
        except ValueError:
            return "[address]"
        host = found.hostname if found.hostname in _LOOPBACK else "[host]"
        return f"{found.scheme}://{host}{port}{found.path}"
    return value


def _places_of_faults(log: str) -> Iterator[str]:
    """Where exceptions came from and what kind they were, without their text."""
    for line in log.splitlines():
        if frame := _FRAME.match(line):
            short = "/".join(frame["file"].split("/")[-3:])
            yield f"  {short}:{frame['line']} in {frame['name']}"
        elif raised := _RAISED.match(line):
            yield raised["kind"]


def _without_places(text: str) -> str:
    """Without the name of the person whose folder it is."""
    home = str(Path.home())
    return text.replace(home, "~") if len(home) > 1 else text
