"""What the plan of a run can do: choose, start, copy the command line."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.errors import ModexError
from tui.actions import Action
from tui.run_plan import Plan, Setting
from tui.run_summary import Summary
from tui.screens.base import READ_ONLY, ModexScreen
from tui.suite_view import SuiteView
from tui.widgets.listing import Listing
from tui.widgets.prompt import Prompt
from tui.widgets.suite_tree import SuiteTree

if TYPE_CHECKING:
    from tui.model_offers import Offer

    _Base = ModexScreen[None]
else:
    _Base = object


class NewRunActions(_Base):
    """The actions of the scope `new_run`; the screen gives plan, settings and tests."""

    database: Path
    plan: Plan
    seen: SuiteView | None
    summary: Summary
    recent: list[dict[str, Any]]
    _starting = False

    @property
    def settings(self) -> Listing[Setting]:
        """The settings."""
        raise NotImplementedError

    @property
    def tests(self) -> SuiteTree:
        """The tests."""
        raise NotImplementedError

    def changed(self) -> None:
        """Something was chosen."""
        raise NotImplementedError

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        """Offer what stands under the selection."""
        if action in ("choose", "clear") and self.is_mounted:
            return self.tests.has_focus == (action == "choose")
        if action == "start":
            return self.summary.ready and not self._starting and self.frame.store.writable
        return True

    def why_not(self, action: Action) -> str:
        """By what has the keys, and by what the plan still lacks."""
        if action.name == "choose":
            return "first go to the tests with tab"
        if action.name == "clear":
            return "first go to the settings with tab"
        if self._starting:
            return "the run is being started"
        if not self.frame.store.writable:
            return READ_ONLY
        missing = next((key.variable for key in self.summary.keys if not key.present), None)
        return self.summary.problem or (f"{missing} is not set" if missing else "choose some tests")

    def action_switch(self) -> None:
        """From the settings to the tests, and back."""
        there = not self.tests.has_focus
        self.set_class(there, "-tests")
        (self.tests if there else self.settings).focus()
        self.keys_changed()

    def action_choose(self) -> None:
        """Take what is under the selection, or leave it out."""
        node = self.tests.current
        if node is not None:
            self.tests.choose(node)
            self.changed()

    def action_choose_all(self) -> None:
        """Every test that is on, or none."""
        if self.seen is None:
            return
        off = self.seen.off
        on = {n for n, leaf in enumerate(self.seen.leaves) if leaf.group not in off and leaf.test.disabled_by is None}
        self.tests.chosen = set() if self.tests.chosen >= on else on
        self.tests.repaint()
        self.changed()

    def action_clear(self) -> None:
        """The selected setting's default again."""
        setting = self.settings.current
        if setting is not None:
            self.plan.set(setting.name, "")
            self.changed()

    def action_filter(self) -> None:
        """Filter the tests."""
        self.add_class("-tests")
        self.query_one("#filter", Prompt).ask()

    def action_look_at_suite(self) -> None:
        """Look at the suite."""
        from tui.screens.suite import SuiteScreen

        self.app.push_screen(SuiteScreen(self.database, self.plan.typed("suite") or None))

    def action_copy(self) -> None:
        """Send the equal command line to the terminal's clipboard."""
        from tui.clipboard import send

        self.say(f"command {send(self.app, self.plan.command())}")

    def pick_model(self) -> None:
        """Choose a model from a list, or by its name."""
        from tui.screens.new_run_model import PickModelScreen

        def take(offer: Offer | None) -> None:
            if offer is not None:
                self.take_model(offer.model, offer.api_base)
                self.changed()

        self.app.push_screen(PickModelScreen(self.recent, self.plan.model, self.plan.typed("api_base") or None), take)

    def take_model(self, model: str, api_base: str | None) -> None:
        """Ask this model, where it was reached before."""
        self.plan.set("model", model)
        self.plan.set("api_base", api_base or "")

    # starting

    def action_start(self) -> None:
        """Check the plan, start the run and watch it."""
        self._starting = True
        self.keys_changed()
        self.say("checking and starting")
        self.run_worker(self._start(), group="start")

    async def _start(self) -> None:
        from tui.run_start import start_run

        database, plan = self.database, self.plan

        def job() -> str:
            from core.settings import load_settings
            from tui.commands.starting import configuration

            return start_run(database, configuration(plan.model, plan.options(), load_settings())).exp_id

        try:
            exp_id = await asyncio.to_thread(job)
        except ModexError as error:
            self.say(str(error), severity="error")
            return
        finally:
            self._starting = False
            self.keys_changed()
        from tui.screens.live import LiveScreen

        self.app.switch_screen(LiveScreen((exp_id,)))
