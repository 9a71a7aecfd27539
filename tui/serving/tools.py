"""The tools that an agent gets: fields are chosen one by one, and what models wrote stands under `untrusted`, when asked for."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from modex.core.config.runconfig import RunConfig
from modex.core.foundation.errors import ConfigurationError
from modex.core.foundation.parties import party_of
from modex.core.store.reader import Reader
from modex.core.store.rows import RunRow, SampleHead
from modex.tui.serving.protocol import Tool

_TEXT = {"type": "string"}
_TEXTS = {"type": "array", "items": {"type": "string"}}
_FLAG = {"type": "boolean"}
_EXP = {"type": "string", "description": "A run's name, or the beginning of it."}
_FILTER = {
    "type": "string",
    "description": "As `modex show --filter`: status:failed level>=3 score<0.5 label:x evaluator:y.",
}
_CONTENT = {"type": "boolean", "description": "Also what models and suites wrote, under `untrusted`."}
_LIMIT = {"type": "integer", "description": "At most so many; default 50, at most 1000."}
_MOST = 1000


@dataclass(slots=True)
class Tools:
    """The tools over one database; plans are remembered until they are run."""

    database: Path
    plans: dict[str, RunConfig] = field(default_factory=dict)

    def all(self) -> list[Tool]:
        """Every tool, those that only look first."""
        return [
            Tool("runs", "List runs, the latest first.", {"limit": _LIMIT, "archived": _FLAG}, self.runs),
            Tool("show", "One run: scores by domain and level, counts, cost.", {"exp": _EXP}, self.show, ("exp",)),
            Tool("samples", "Samples of a run, without their texts.",
                 {"exp": _EXP, "filter": _FILTER, "limit": _LIMIT, "content": _CONTENT}, self.samples, ("exp",)),
            Tool("transcript", "One test of a run; its texts only with `content`.",
                 {"exp": _EXP, "test": _TEXT, "content": _CONTENT}, self.transcript, ("exp", "test")),
            Tool("compare", "Two runs by the tests they share.", {"first": _EXP, "second": _EXP}, self.compare,
                 ("first", "second")),
            Tool("history", "One test over all runs.", {"test": _TEXT, "content": _CONTENT}, self.history, ("test",)),
            Tool("changes", "What is other in a run than in another, else than in the same model's run before it.",
                 {"before": _EXP, "exp": _EXP, "content": _CONTENT}, self.changes, ("exp",)),
            Tool("suite_faults", "What all stored runs say of the tests themselves, as `modex doctor --suite`.",
                 {"content": _CONTENT}, self.suite_faults),
            Tool("grep", "Words in everything that was asked and answered, as `modex grep`.",
                 {"pattern": _TEXT, "exp": _EXP, "limit": _LIMIT, "content": _CONTENT}, self.grep, ("pattern",)),
            Tool("labels", "Kinds of failure that people named, counted.", {"exp": _EXP}, self.labels),
            Tool("check", "Every mistake in a suite; without a folder, in the bundled one.", {"suite": _TEXT}, self.check),
            Tool("plan", "What a run would ask; gives the plan that `run` needs. Asks no model.",
                 {"model": _TEXT, "suite": _TEXT, "domains": _TEXTS, "levels": _TEXTS, "tests": _TEXTS,
                  "limit": {"type": "integer"}}, self.plan, ("model",)),
            Tool("run", "Start a planned run in the background; it ends when `max_cost_usd` is spent.",
                 {"plan": _TEXT, "max_cost_usd": {"type": "number"}, "exp_id": _TEXT}, self.run,
                 ("plan", "max_cost_usd"), changes=True),
        ]  # fmt: skip

    @contextmanager
    def _reading(self) -> Iterator[Reader]:
        with closing(Reader(self.database)) as reader:
            yield reader

    # looking

    def runs(self, given: dict[str, Any]) -> dict[str, Any]:
        """Runs, the latest first."""
        from modex.core.store.bounds import with_bounds

        with self._reading() as reader:
            archived = None if given.get("archived") else False
            found = with_bounds(reader, reader.runs(archived=archived, limit=_limit(given)))
            return {"items": [_run(run) for run in found]}

    def show(self, given: dict[str, Any]) -> dict[str, Any]:
        """One run."""
        from modex.core.features.story.figures import domain_rows, level_rows
        from modex.core.store.bounds import open_bounds, with_bounds

        with self._reading() as reader:
            (run,) = with_bounds(reader, [reader.run(given["exp"])])
            every = open_bounds(reader, run)
            found = {"domains": domain_rows(reader, run, every), "cells": level_rows(reader, run, every)}
            return {**_run(run), **found}

    def samples(self, given: dict[str, Any]) -> dict[str, Any]:
        """Samples of a run."""
        from modex.core.store.selecting import sample_query

        with self._reading() as reader:
            run = reader.run(given["exp"])
            query = sample_query(given.get("filter", ""))
            heads = reader.heads(run.id, query, limit=_limit(given))
            items = [_head(head, content=bool(given.get("content"))) for head in heads]
            return {"run": run.exp_id, "total": reader.count(run.id, query), "items": items}

    def transcript(self, given: dict[str, Any]) -> dict[str, Any]:
        """One test of a run."""
        from modex.core.store.naming import test_query

        with self._reading() as reader:
            run = reader.run(given["exp"])
            query = test_query(given["test"])
            heads = reader.heads(run.id, query)
            if not heads:
                raise ConfigurationError(
                    f"{run.exp_id}: there is no test {given['test'][:80]!r}; look for it with `samples`"
                )
            items = []
            for head in heads:
                item = _head(head, content=False)
                if given.get("content"):
                    sample = reader.sample(head.id)
                    item["untrusted"] = {
                        "system_prompt": sample.system_prompt, "prompt": sample.prompt, "expected": sample.expected,
                        "response": sample.response, "reasoning": sample.reasoning, "transcript": sample.transcript,
                        "answer": sample.extracted_answer, "why": sample.why, "error": sample.error_message,
                    }  # fmt: skip
                items.append(item)
            return {"run": run.exp_id, "items": items}

    def compare(self, given: dict[str, Any]) -> dict[str, Any]:
        """Two runs."""
        from modex.core.features.compare.compare import compare, comparison_json

        with self._reading() as reader:
            first, second = reader.run(given["first"]), reader.run(given["second"])
            found = comparison_json(compare(reader, first, second, tools=False))
        del found["tools"]
        return found

    def history(self, given: dict[str, Any]) -> dict[str, Any]:
        """One test over all runs."""
        from modex.core.features.history.query import history
        from modex.core.store.naming import test_query

        query = test_query(given["test"])
        with self._reading() as reader:
            found = history(reader, query.test_ids[0], next(iter(query.domains), None), next(iter(query.levels), None))
        content = bool(given.get("content"))
        return {
            "items": [
                {"run": one.run.exp_id, "model": one.run.model, **_head(one.head, content=content)} for one in found
            ]
        }

    def changes(self, given: dict[str, Any]) -> dict[str, Any]:
        """What changed between two runs."""
        from modex.core.features.changes.changes import changes
        from modex.core.store.story import run_before

        with self._reading() as reader:
            run = reader.run(given["exp"])
            before = reader.run(given["before"]) if given.get("before") else run_before(reader, run)
            if before is None:
                raise ConfigurationError(
                    f"there is no finished run of {run.model} before {run.exp_id}; name one as `before`"
                )
            return changes(reader, before, run).as_json(content=bool(given.get("content")))

    def suite_faults(self, given: dict[str, Any]) -> dict[str, Any]:
        """What the stored runs say of the tests, suite by suite."""
        from modex.core.features.suite_faults.examine import examine, suites_with_runs

        content = bool(given.get("content"))
        with self._reading() as reader:
            suites = suites_with_runs(reader).items()
            return {"items": [examine(reader, suite, runs).as_json(content=content) for suite, runs in suites]}

    def grep(self, given: dict[str, Any]) -> dict[str, Any]:
        """Words in everything."""
        from modex.core.store.search.find import find, hits, parse_search
        from modex.core.store.search.index import SearchIndex

        with self._reading() as reader:
            run_ids = [reader.run(given["exp"]).id] if given.get("exp") else None
            search = parse_search(given["pattern"], run_ids)
            if search.problem or search.wants_nothing:
                raise ConfigurationError(search.problem or "nothing to look for; give words")
            with closing(SearchIndex(self.database)) as index:
                for one in index.behind(reader):
                    index.catch_up(reader, one.run_id)
                found = find(reader, index, search, _limit(given))
                items = []
                for hit in hits(reader, found.ids, search):
                    item = {"run": hit.exp_id, "model": hit.model, **_head(hit.head, content=False)}
                    if hit.place is not None:
                        item |= {"role": hit.place.role, "line": hit.place.number}
                        if given.get("content"):
                            item["untrusted"] = {"text": hit.place.line}
                    items.append(item)
        return {"more": found.more, "items": items}

    def labels(self, given: dict[str, Any]) -> dict[str, Any]:
        """Kinds of failure."""
        from modex.core.features.review.agreement import agreement
        from modex.core.features.review.kinds import count_kinds
        from modex.core.features.review.query import reviews

        with self._reading() as reader:
            rows = reviews(reader, [reader.run(given["exp"]).id] if given.get("exp") else None)
        kinds = count_kinds(rows)
        return {
            "read": kinds.read, "labelled": kinds.labelled, "stale": kinds.stale, "saturation": kinds.saturation,
            "labels": [one.as_json() for one in kinds.shares], "agreement": agreement(rows).as_json(),
        }  # fmt: skip

    def check(self, given: dict[str, Any]) -> dict[str, Any]:
        """Mistakes in a suite."""
        from modex.core.pipeline.assembly import problems_of

        suite, problems = problems_of(given.get("suite"))
        return {
            "root": str(suite.root),
            "tests": len(suite.tests),
            "problems": [{"path": one.path, "line": one.line, "message": one.message} for one in problems],
        }

    # running

    def plan(self, given: dict[str, Any]) -> dict[str, Any]:
        """What a run would ask."""
        from modex.core.config.configuration import configuration
        from modex.core.engine.start import checked_run

        options = {
            "suite": given.get("suite"), "domain": tuple(given.get("domains", ())), "level": tuple(given.get("levels", ())),
            "test": tuple(given.get("tests", ())), "limit": given.get("limit"),
        }  # fmt: skip
        config = configuration(given["model"], options)
        checked = checked_run(config)
        name = secrets.token_hex(6)
        self.plans[name] = config
        return {
            "plan": name,
            "model": config.model.model,
            "entry": config.model.entry,
            "api_base": config.model.api_base,
            "tests": checked.needs.count,
            "asks_extractor": checked.needs.extractor,
            "asks_judge": checked.needs.judge,
            "next": "call run with this plan and max_cost_usd",
        }

    def run(self, given: dict[str, Any]) -> dict[str, Any]:
        """Start what was planned."""
        from modex.core.engine.start import Start, start_runners

        budget = float(given["max_cost_usd"])
        if not 0 < budget < float("inf"):
            raise ConfigurationError("max_cost_usd must be above 0")
        config = self.plans.pop(given["plan"], None)
        if config is None:
            raise ConfigurationError("there is no such plan; `plan` makes one, and each is run once")
        wanted = Start(config.model_copy(update={"max_cost_usd": budget}), given.get("exp_id"))
        (started,) = start_runners(self.database, [wanted], wait=True)
        return {"run": started.exp_id, "max_cost_usd": budget}


def _limit(given: dict[str, Any]) -> int:
    return max(1, min(_MOST, int(given.get("limit", 50))))


def _run(run: RunRow) -> dict[str, Any]:
    """A run's own fields; why it stopped is left out, for a provider may have worded it."""
    names = (
        "exp_id", "model", "state", "kind", "started_at", "completed_at", "overall_score", "ci_low", "ci_high",
        "unsettled", "bound_low", "bound_high", "total_tests",
        "passed_tests", "failed_tests", "error_tests", "skipped_tests", "prompt_tokens", "completion_tokens", "cost_usd",
        "duration_ms",
    )  # fmt: skip
    interval = run.interval or (None, None)  # none beside bounds, than which it is narrower
    return {name: getattr(run, name) for name in names} | dict(zip(("ci_low", "ci_high"), interval, strict=True))


def _head(head: SampleHead, *, content: bool) -> dict[str, Any]:
    names = (
        "id", "source", "domain", "level", "test_id", "epoch", "stage", "status", "score", "evaluator_id", "error_type",
        "prompt_tokens", "completion_tokens", "cost_usd", "duration_ms", "started_at", "completed_at",
    )  # fmt: skip
    found = {name: getattr(head, name) for name in names} | {"fault": party_of(head)}
    if content:
        found["untrusted"] = {"answer": head.extracted_answer, "why": head.reason, "error": head.error_message}
    return found
