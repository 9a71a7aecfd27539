"""What the screen of a suite does with a test: edit it, run it, copy from it."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.errors import ModexError
from core.store.reader import Reader
from core.suite.definitions import Location
from tui.actions import Action
from tui.screens.ask import Answer, AskScreen
from tui.screens.base import READ_ONLY, ModexScreen
from tui.suite_view import SuiteView
from tui.widgets.prompt import Prompt
from tui.widgets.suite_tree import Leaf, SuiteTree
from tui.widgets.transcript_view import TranscriptView

if TYPE_CHECKING:
    from core.runconfig import ModelSpec

    _Base = ModexScreen[None]
else:
    _Base = object

_WAIT_S = 30.0
SCRIPTED: dict[str, Any] = {"model": "demo", "api_base": None}
"""The model that needs nothing, as runs store a model."""


class SuiteActions(_Base):
    """The actions of the scope `suite`; the screen gives the tree, the detail and what was read."""

    database: Path
    path: str | None
    seen: SuiteView | None
    places: dict[str, Location]
    only_findings: bool

    @property
    def tests(self) -> SuiteTree:
        """The tree."""
        raise NotImplementedError

    @property
    def detail(self) -> TranscriptView:
        """The selected test."""
        raise NotImplementedError

    @property
    def in_detail(self) -> bool:
        """Whether the keys go to the test."""
        raise NotImplementedError

    def to_detail(self, there: bool) -> None:
        """Give the keys to the test, or back to the tree."""
        raise NotImplementedError

    def read(self) -> None:
        """Read and check again."""
        raise NotImplementedError

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        """Offer what the selection allows."""
        if not self.is_mounted or self.seen is None:
            return action not in ("edit", "run", "copy", "fold_part", "findings")
        if action == "run":
            leaf = self.tests.leaf
            return leaf is not None and leaf.test.invalid is None and self.frame.store.writable
        if action == "findings":
            return bool(self.seen.problems) or self.only_findings
        if action in ("copy", "fold_part", "leave_detail"):
            return self.in_detail
        return True

    def why_not(self, action: Action) -> str:
        """By what is selected."""
        if self.seen is None:
            return "the suite is still being read"
        if action.name == "run" and not self.frame.store.writable:
            return READ_ONLY
        if action.name == "run":
            return (
                "select a test" if self.tests.leaf is None else "this test has a mistake and cannot run; f lists those"
            )
        if action.name == "findings":
            return "check finds nothing wrong" if self.seen.checked else "check is still at work"
        return "first go to the test with tab"

    def action_filter(self) -> None:
        """Ask for a filter."""
        self.to_detail(False)
        self.query_one(Prompt).ask()

    def action_findings(self) -> None:
        """Only tests with findings, or all."""
        self.only_findings = not self.only_findings
        self.tests.filter(self.query_one(Prompt).value, only_found=self.only_findings)

    def action_switch(self) -> None:
        """To the test, and back."""
        self.to_detail(not self.in_detail)

    def action_leave_detail(self) -> None:
        """Back to the tree."""
        self.to_detail(False)

    def action_fold_part(self) -> None:
        """Fold or unfold."""
        self.detail.fold()

    def action_check(self) -> None:
        """Read and check again."""
        self.read()

    def action_copy(self) -> None:
        """Send the part under the selection to the terminal's clipboard."""
        from tui.clipboard import send

        section = self.detail.section
        if section is not None and section.source:
            self.say(f"{section.title} {send(self.app, section.source)}")

    def action_edit(self) -> None:
        """Open the file in the editor, and read the suite again afterwards."""
        from tui.outside import editor_command, hand_over

        view, section = self.seen, self.detail.section
        key = section.key if section is not None and self.in_detail else "test"
        place = self.places.get(key) or self.places.get("test") or self.places.get("domain")
        if view is None or place is None:
            self.say("no file to open here")
            return
        command = editor_command(view.suite.root / place.path, place.line)
        problem = hand_over(self.app, command) if command else "no editor: set $EDITOR"
        if problem:
            self.say(problem, severity="warning")
        self.read()

    # running one test

    def action_run(self) -> None:
        """Ask for a model, then run just this test."""
        if self.tests.leaf is not None:
            self.run_worker(self._ask_model(self.tests.leaf), group="run", exclusive=True)

    async def _ask_model(self, leaf: Leaf) -> None:
        specs = await self.frame.store.ask(recent_models)
        if all(spec["model"] != SCRIPTED["model"] for spec in specs):
            specs.append(SCRIPTED)
        answers = [
            Answer(str(number), str(number), spec["model"] + (f"  at {spec['api_base']}" if spec["api_base"] else ""))
            for number, spec in enumerate(specs, 1)
        ]

        def run(answer: str | None) -> None:
            if answer:
                self.run_worker(self._run(leaf, specs[int(answer) - 1]), group="run", exclusive=True)

        self.app.push_screen(AskScreen(f"Run {leaf.name} with which model?", answers), run)

    async def _run(self, leaf: Leaf, spec: dict[str, Any]) -> None:
        from core.runconfig import ModelSpec, RunConfig, Selection
        from tui.run_start import start_run

        model: ModelSpec = ModelSpec(**spec)
        root = str(self.seen.suite.root) if self.seen is not None and not self.seen.bundled else None
        config = RunConfig(model=model, selection=Selection(suite=root, tests=(leaf.name,)))
        self.say(f"asking {model.model}")
        try:
            prepared = await asyncio.to_thread(start_run, self.database, config)
            sample_id = await self._first_sample(prepared.run_id)
        except ModexError as error:
            self.say(str(error), severity="error")
            return
        if sample_id is None:
            from tui.screens.live import LiveScreen

            self.app.push_screen(LiveScreen((prepared.exp_id,)))
            return
        from tui.screens.transcript import TranscriptScreen

        self.app.push_screen(TranscriptScreen(self.database, prepared.run_id, [sample_id], 0))

    async def _first_sample(self, run_id: int) -> int | None:
        """The run's sample, as soon as the runner has planned it."""
        deadline = self.frame.clock() + _WAIT_S
        while self.frame.clock() < deadline:
            ids = await self.frame.store.ask(lambda reader: reader.head_ids(run_id))
            if ids:
                return ids[0]
            run = await self.frame.store.ask(lambda reader: reader.run_by_id(run_id))
            if not run.alive and run.status not in ("running", "paused"):
                return None
            await asyncio.sleep(0.1)
        return None


def recent_models(reader: Reader, most: int = 4) -> list[dict[str, Any]]:
    """The models of the latest runs, each as it was reached and sampled."""
    found: dict[str, dict[str, Any]] = {}
    for run in reader.runs(limit=200):
        spec = run.config.get("model")
        if isinstance(spec, dict) and spec.get("model") and len(found) < most:
            found.setdefault(f"{spec['model']} {spec.get('api_base')}", spec)
    return list(found.values())


def proven_model(reader: Reader) -> dict[str, Any] | None:
    """The model of the latest run that was completed, as it was reached: what ended early may do so again.

    The scripted one where no run was completed; None where there is no run at all.
    """
    for run in reader.runs(status="completed", limit=20):
        spec = run.config.get("model")
        if isinstance(spec, dict) and spec.get("model"):
            return spec
    return SCRIPTED if reader.count_runs() else None
