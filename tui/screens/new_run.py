"""Planning a run: model and settings on the left, tests on the right, and what it will ask and cost below."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, ClassVar

from textual import events, getters, on
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.widget import Widget
from textual.widgets import Input
from textual.worker import Worker, WorkerError

from modex.core.config.options import BY_NAME, Option, Values
from modex.core.foundation.errors import ModexError, SuiteError
from modex.core.pipeline.estimate import Need, answer_length
from modex.core.store.reader import Reader
from modex.tui.actions import Action, bindings
from modex.tui.frame import Draft
from modex.tui.look import format as fmt
from modex.tui.look.paint import Part
from modex.tui.planning.columns import ROLES
from modex.tui.planning.drafts import remember
from modex.tui.planning.estimate import needs
from modex.tui.planning.narrowing import narrowed
from modex.tui.planning.offers import Offer, entry_offers, proven_options, recent_models
from modex.tui.planning.plan import RunPlan, chosen_of, fewest, named_database
from modex.tui.planning.summary import PlanSummary, command_lines, summarise, summary_lines
from modex.tui.reading.suite import SuiteView, read_suite
from modex.tui.screens.ask import Answer, AskScreen
from modex.tui.screens.base import READ_ONLY, ModexScreen
from modex.tui.widgets.columns import Cell, ListColumn
from modex.tui.widgets.edit import Edit
from modex.tui.widgets.lines import Lines
from modex.tui.widgets.listing import Listing
from modex.tui.widgets.prompt import Prompt
from modex.tui.widgets.suite_tree import SuiteTree

_COLUMNS = (ListColumn("", 12), ListColumn("", 14, grow=1, max_width=24), ListColumn("", 18, grow=1, from_width=64))


MORE = Option("more", "Engine", "switch", "the options that are rarely needed", title="more")
FEWER = Option("fewer", "Engine", "switch", "only what is common or set", title="fewer")
"""The last row: it unfolds the rest, or folds it again."""


class SettingsList(Listing[Option]):
    """The settings; the selection is shown only while they have the keys."""

    @property
    def shows_cursor(self) -> bool:
        """Whether the settings have the keys."""
        return self.has_focus

    def on_focus(self) -> None:
        """Draw the selection."""
        self.repaint()

    def on_blur(self) -> None:
        """Take the selection away."""
        self.repaint()


class NewRunScreen(ModexScreen[None]):
    """A plan that becomes a run by `s`; every choice shows the equal command line."""

    SCOPES = ("new_run", "lists")
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("new_run")]
    DEFAULT_CSS = """
    NewRunScreen #sides { height: 1fr; }
    NewRunScreen #settings { width: 38; }
    NewRunScreen #tests { width: 1fr; border-left: solid $panel; }
    NewRunScreen.-wide #settings { width: 76; }
    NewRunScreen.-roomy #settings { width: 92; }
    NewRunScreen.-narrow #tests { display: none; }
    NewRunScreen.-narrow #settings { width: 1fr; }
    NewRunScreen.-narrow.-tests #tests { display: block; border-left: none; }
    NewRunScreen.-narrow.-tests #settings { display: none; }
    NewRunScreen #summary { height: auto; margin-top: 1; }
    NewRunScreen #command { height: auto; margin-bottom: 1; }
    """
    settings = getters.query_one(SettingsList)
    """The settings."""
    tests = getters.query_one(SuiteTree)
    """The tests."""

    def __init__(self, database: Path, given: Values | None = None, draft: Draft | None = None) -> None:
        """`given` are the options of a run that is to be done again, with changes; `draft` is a plan that was left."""
        super().__init__()
        self.database = database
        self.plan = RunPlan(database=named_database(database))
        self._again = given is not None or draft is not None
        self._draft = draft
        if given is not None:
            self.plan.take(given)
        elif draft is not None:
            self.plan.values = dict(draft.options)
        self._offered: dict[str, Any] | None = None
        self._offered_tests: frozenset[str] | None = None
        """The plan as the screen offered it; None until that is known."""
        self._rows: list[Option] = []
        self._all_rows = False
        self._offered_base = self.plan.typed("api_base")
        """The address that came with the model, not from the person."""
        self.seen: SuiteView | None = None
        self.summary = PlanSummary(None, (), "choose a model")
        self.recent: list[dict[str, Any]] = []
        self._needs: list[Need] = []
        self._weighing = False
        """Whether what the tests ask is being found out."""
        self._suite = ""
        self._starting = False
        self._taken = 0
        self._begun = False
        self._asked_plans = self._worked_out = 0

    @property
    def reading(self) -> bool:
        """Whether the suite was not read yet, or what the last choice comes to is not known yet."""
        return super().reading or not self._begun or self._worked_out != self._asked_plans

    def body(self) -> Iterable[Widget]:
        """Settings, tests, summary, command line."""
        with Horizontal(id="sides"):
            yield SettingsList(_COLUMNS, self._cells, titles=False, id="settings")
            yield SuiteTree(boxes=True, id="tests")
        yield Lines(id="summary")
        yield Lines(id="command")
        prompt = Prompt(placeholder="words in id, name, evaluator or prompt; level>=3, evaluator:regex")
        prompt.id = "filter"
        yield prompt
        yield Edit()

    @property
    def _chosen_names(self) -> frozenset[str]:
        return frozenset(self.tests.leaves[number].name for number in self.tests.chosen)

    @property
    def draft(self) -> Draft | None:
        """The plan where a person made it other than it was offered and did not start it."""
        if self._offered is None or not self.is_mounted:
            return self._draft
        values = dict(self.plan.values)
        tests = self._draft.tests if self._draft is not None else None
        if self._offered_tests is not None:  # else the suite was not read yet, or cannot be read
            tests = self._chosen_names
        touched = values != self._offered or tests != self._offered_tests
        return Draft(values, tests) if touched or self._draft is not None else None

    def keep_draft(self) -> None:
        """Keep the plan for the next time that a new run is planned."""
        if (draft := self.draft) is not None:
            remember(self.frame, draft)
            until = "" if self.frame.draft_is_safe else " while modex is open"
            self.say(f"the plan is kept{until}: n in the list of runs opens it again")

    def _started(self) -> None:
        """The plan became a run: nothing of it is left."""
        self._draft = None
        remember(self.frame, None)
        self._offered, self._offered_tests = dict(self.plan.values), self._chosen_names

    def action_fresh(self) -> None:
        """Leave the plan and begin with what a new run begins with."""
        self._draft = None
        remember(self.frame, None)
        self.app.switch_screen(NewRunScreen(self.database))

    def on_mount(self) -> None:
        """Show the settings, and read the suite and the latest models."""
        super().on_mount()
        if self._draft is not None:
            self.say("the plan that was left; X begins a new one")
        self._list_rows()
        self.set_focus(self.settings)
        self._show()
        # After the first frame: what reads the suite would share the interpreter with what lays the form out.
        self.call_after_refresh(lambda: self.run_worker(self._begin(), group="begin"))

    def on_resize(self, event: events.Resize) -> None:
        """One side at a time where the width is small."""
        self.set_class(event.size.width >= 120, "-wide")
        self.set_class(event.size.width >= 160, "-roomy")
        self.set_class(event.size.width < 72, "-narrow")
        self._show()

    # reading

    async def _begin(self) -> None:
        try:
            await asyncio.to_thread(self._defaults)
        except ModexError as error:
            self.say(str(error), severity="error")
        try:
            self.recent = await self.frame.store.ask(recent_models)
            proven = None if self._again else await self.frame.store.ask(proven_options)
        except ModexError:
            self.recent, proven = [], None
        if proven is not None:
            named = dict(self.plan.values)
            self.plan.remember(proven)
            if named.get("model"):
                self.plan.values.pop("api_base", None)
            self.plan.values |= named
            self._offered_base = "" if "api_base" in named else self.plan.typed("api_base")
        self._offered = dict(self.plan.values)
        self.read_suite()

    def _defaults(self) -> None:
        from modex.core.config.settings import load_settings

        settings = load_settings()
        for name in ("model", "api_base", "suite"):
            if name in settings.run and not self._again:
                self.plan.values[name] = settings.run[name]

    def read_suite(self) -> None:
        """Read the suite that is set, then check it."""
        self.run_worker(self._read(), group="read", exclusive=True)

    async def _read(self) -> None:
        path = self.plan.typed("suite") or None
        values = self.plan.values
        named = f"{path} {values.get('dataset')} {[values.get(role) for role in ROLES]} {values.get('evaluator')}"

        def read(check: bool) -> SuiteView:
            from modex.core.config.configuration import datasets_of

            datasets = datasets_of(values)
            return read_suite(path, check=check, datasets=datasets, evaluator=values.get("evaluator"))

        try:
            await self._take(await asyncio.to_thread(read, False), named)
            with contextlib.suppress(WorkerError):  # another choice came first
                await self.changed().wait()
            await self._take(await asyncio.to_thread(read, True), named)
            self.changed()
        except ModexError as error:
            self.say(str(error), severity="error")
            self.changed()
        finally:
            self._begun = True

    async def _take(self, view: SuiteView, path: str) -> None:
        first = self.seen is None or self._suite != path
        again = self._again and self.seen is None
        chosen = {self.tests.leaves[number].name for number in self.tests.chosen}
        self.seen, self._suite = view, path
        if again and self._draft is not None and (names := self._draft.tests) is not None:
            self.tests.chosen = {n for n, leaf in enumerate(view.leaves) if leaf.name in names}
        elif again:
            self.tests.chosen = chosen_of(view.leaves, self.plan.chosen, view.off)
        else:
            self.tests.chosen = {
                number
                for number, leaf in enumerate(view.leaves)
                if (leaf.group not in view.off and leaf.test.disabled_by is None if first else leaf.name in chosen)
            }
        self.tests.show(view.leaves, view.off)
        if self._offered_tests is None:
            self._offered_tests = self._chosen_names
        self._show()
        self._weighing = True
        try:
            self._needs = await asyncio.to_thread(needs, view)
        finally:
            self._weighing = False
        self._begun = True

    # what the plan comes to

    def changed(self) -> Worker[None]:
        """Something was chosen: show the equal command line at once, and work out what it comes to."""
        if self.seen is not None:
            self.plan.chosen = fewest(self.seen.leaves, self.tests.chosen, self.seen.off)
        self._show()
        self._asked_plans += 1
        return self.run_worker(self._work_out(self._asked_plans), group="plan", exclusive=True)

    async def _work_out(self, number: int) -> None:
        model = self.plan.model
        length: float | None = None
        if model:

            def ask(reader: Reader) -> float | None:
                return answer_length(reader, model)

            try:
                length = await self.frame.store.ask(ask)
            except ModexError:
                length = None
        leaves, of_leaf, picked = self.tests.leaves, self._needs, sorted(self.tests.chosen)
        values = dict(self.plan.values)
        if self._weighing:
            return  # when it is known what the tests of the suite just read ask, this is worked out again
        try:
            numbers = await asyncio.to_thread(narrowed, leaves, of_leaf, picked, values)
        except ModexError as error:
            self.summary = PlanSummary(None, (), str(error))
        else:
            self._taken = len(numbers)
            chosen = [of_leaf[number] for number in numbers if number < len(of_leaf)]
            forms = self._forms(numbers)
            self.summary = await asyncio.to_thread(summarise, self.plan, chosen, length, self.database, forms)
        self._worked_out = number
        self._show()
        self.keys_changed()

    def _forms(self, numbers: Sequence[int]) -> list[str]:
        """What rows among the tests `numbers` are asked for, a sentence for each dataset."""
        known = self.seen.forms if self.seen else {}
        places = dict.fromkeys(self.tests.leaves[number].test.location.path for number in numbers) if known else ()
        return [known[place] for place in places if place in known]

    def _show(self) -> None:
        total = len(self.seen.leaves) if self.seen else 0
        chosen = len(self.tests.chosen)
        taken = min(self._taken, chosen) if self._worked_out else chosen
        right: list[Part] = [*self.store_state()]
        if (found := self.tests.found) is not None:
            here = len(found & self.tests.chosen)
            right.append((f"{fmt.count(here)} of {fmt.count(len(found))} shown   ", "accent"))
        right.append((f"{fmt.count(taken)} of {fmt.count(total)} tests", "muted"))
        model = ", ".join(self.plan.models)
        left: list[Part] = [("new run  ", "muted"), (model or "no model yet", "title" if model else "faint")]
        if model.partition("/")[0] == "demo":
            left.append(("  scripted, no key, no network", "faint"))
        self.identity(left, right)
        findings = len(self.seen.problems) if self.seen else 0
        checked = self.seen is not None and self.seen.checked
        summary = self.summary
        if model and not self._worked_out:
            summary = PlanSummary(None, (), "being worked out")
        small = self.size.height < 30
        lines = summary_lines(
            summary, findings, checked, self.frame.glyphs, self.size.width, models=len(self.plan.models),
            forms=1 if small else 3,
        )  # fmt: skip
        if not self.frame.store.writable:
            lines.insert(
                0, [(" store   ", "muted"), ("read-only: nothing can be started; name another --db", "accent")]
            )
        self.query_one("#summary", Lines).show(lines)
        most = 2 if small else 4
        commands = command_lines(self.plan.command(), self.size.width, most, "y")
        if race := self.plan.race_command():
            commands += command_lines(race, self.size.width, most // 2, "Y")
        self.query_one("#command", Lines).show(commands)
        self._list_rows()
        self.settings.repaint()

    def _list_rows(self) -> None:
        """The rows that the plan has now; the selection stays on its option."""
        rows = [*self.plan.rows(all_of_them=self._all_rows), FEWER if self._all_rows else MORE]
        if rows != self._rows:
            current, self._rows = self.settings.current, rows
            place = rows.index(current) if current in rows else len(rows) - 1 if current else 0
            self.settings.set_count(len(rows), cursor=max(0, place))
            self.settings.put(0, rows)

    def _cells(self, setting: Option) -> list[Cell]:
        typed = self.plan.typed(setting.name)
        default = self.plan.default_words(setting)
        if setting.name == "judge_model":
            default = "demo/judge" if self.plan.model.partition("/")[0] == "demo" else "gemini/gemini-2.5-flash"
        value: Part = (typed, "accent") if typed else (default, "faint")
        return [(setting.title, "text"), value, (setting.help, "faint")]

    # editing

    @on(Listing.Opened, "SettingsList")
    def _edit(self) -> None:
        setting = self.settings.current
        if setting is None:
            return
        if setting in (MORE, FEWER):
            self._all_rows = setting is MORE
            self._list_rows()
        elif setting.name == "model":
            self.pick_model()
        elif setting.name in ROLES:
            self.pick_columns()
        elif setting.kind == "choice":
            self._next_choice(setting)
        elif setting.kind == "switch":
            on = self.plan.values.get(setting.name, setting.default is True)
            self.plan.set(setting.name, "no" if on else "yes")
            self.changed()
        else:
            typed = self.plan.typed(setting.name)
            self.query_one(Edit).ask_for(setting.name, setting.title, typed, setting.help)

    @on(Edit.Done)
    def _edited(self, event: Edit.Done) -> None:
        self.set_focus(self.settings)
        if event.value is None:
            return
        try:
            self.plan.set(event.name, event.value)
        except (TypeError, ValueError) as error:
            self.say(f"{event.name.replace('_', ' ')}: {error}", severity="warning")
            return
        if event.name in ("suite", "evaluator"):
            self.read_suite()
        elif event.name == "dataset":
            for name in ROLES:
                self.plan.values.pop(name, None)
            self.read_suite()
            if "dataset" in self.plan.values:
                self.pick_columns()
        elif event.name == "api_base":
            self._offered_base = ""
        self.changed()

    def _next_choice(self, setting: Option) -> None:
        """The next of its values; after the last the default again."""
        values = ("", *setting.choices)
        self.plan.set(setting.name, values[(values.index(self.plan.typed(setting.name)) + 1) % len(values)])
        self.changed()

    def pick_columns(self) -> None:
        """Say which column of the first dataset is what."""
        from modex.tui.screens.new_run_columns import PickColumnsScreen

        datasets = self.plan.values.get("dataset")
        if not datasets:
            return

        def take(found: dict[str, str] | None) -> None:
            if found is not None:
                for name in ROLES:
                    self.plan.values.pop(name, None)
                self.plan.values |= found
                self.read_suite()
                self.changed()

        self.app.push_screen(PickColumnsScreen(datasets[0], self.plan.values, self.plan.values.get("evaluator")), take)

    @on(Listing.Opened, "SuiteTree")
    def _opened(self) -> None:
        node = self.tests.current
        if node is None:
            return
        if node.leaf >= 0:
            self.tests.choose(node)
            self.changed()
        else:
            self.tests.toggle(node)

    @on(Prompt.Changed)
    def _filtered(self, event: Prompt.Changed) -> None:
        box = self.query_one("#filter", Prompt).query_one(Input)
        if self.focused is box or not event.value:
            self.tell_problem(self.tests.filter(event.value))
            self._show()

    @on(Prompt.Closed)
    def _filter_closed(self) -> None:
        self.set_focus(self.tests)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        """Offer what stands under the selection."""
        if action in ("choose", "clear") and self.is_mounted:
            return self.tests.has_focus == (action == "choose")
        if action == "start":
            able = self.summary.ready or self.summary.without_judge
            return able and not self._starting and self.frame.store.writable
        if action == "copy_race":
            return bool(self.plan.race_command())
        if action == "race":
            return self.plan.several and self.summary.ready and not self._starting and self.frame.store.writable
        return True

    def why_not(self, action: Action) -> str:
        """By what has the keys, and by what the plan still lacks."""
        if action.name == "choose":
            return "first go to the tests with tab"
        if action.name == "clear":
            return "first go to the settings with tab"
        if action.name in ("race", "copy_race") and not self.plan.several:
            return "a race needs several models: choose them in the row model"
        if action.name == "copy_race":
            return "a race draws its tests: clear limit, or say sample instead"
        if self._starting:
            return "the run is being started"
        if not self.frame.store.writable:
            return READ_ONLY
        missing = next((key.variable for key in self.summary.keys if not key.present), None)
        return self.summary.problem or (
            f"{missing} is not set: export it, then open modex again" if missing else "choose some tests"
        )

    def action_switch(self) -> None:
        """From the settings to the tests, and back."""
        there = not self.tests.has_focus
        self.set_class(there, "-tests")
        self.set_focus(self.tests if there else self.settings)
        self.keys_changed()

    def action_choose(self) -> None:
        """Take what is under the selection, or leave it out."""
        node = self.tests.current
        if node is not None:
            self.tests.choose(node)
            self.changed()

    def action_choose_all(self) -> None:
        """Every test that is on and that the filter leaves, or none of them; what is not shown stays as it is."""
        if self.seen is None:
            return
        off = self.seen.off
        on = {n for n, leaf in enumerate(self.seen.leaves) if leaf.group not in off and leaf.test.disabled_by is None}
        found = self.tests.found
        if found is None:
            self.tests.chosen = set() if self.tests.chosen >= on else on
        elif not (on := on & found):
            self.say("the filter leaves no test that is on")
            return
        elif self.tests.chosen >= on:
            self.tests.chosen -= found
        else:
            self.tests.chosen |= on
        self.tests.repaint()
        self.changed()

    def action_clear(self) -> None:
        """The selected setting's default again."""
        setting = self.settings.current
        if setting is not None and setting.name in BY_NAME:
            self.plan.set(setting.name, "")
            if setting.name in ("suite", "dataset", "evaluator", *ROLES):
                self.read_suite()
            self.changed()

    def action_filter(self) -> None:
        """Filter the tests."""
        self.add_class("-tests")
        self.query_one("#filter", Prompt).ask()

    def action_look_at_suite(self) -> None:
        """Look at the suite."""
        from modex.tui.screens.suite import SuiteScreen

        self.app.push_screen(SuiteScreen(self.database, self.plan.typed("suite") or None))

    def action_copy(self) -> None:
        """Send the equal command line to the terminal's clipboard."""
        from modex.tui.terminal.clipboard import send

        self.say(f"command {send(self.app, self.plan.command())}")

    def action_copy_race(self) -> None:
        """Send the race's command line to the terminal's clipboard."""
        from modex.tui.terminal.clipboard import send

        self.say(f"command {send(self.app, self.plan.race_command())}")

    def pick_model(self) -> None:
        """Choose a model from a list, or by its name."""
        from modex.tui.screens.new_run_model import PickModelScreen

        def take(offers: tuple[Offer, ...] | None) -> None:
            if offers:
                self.take_models(offers)
                self.changed()

        try:
            named = entry_offers(self.plan.typed("suite") or None)
        except ModexError as error:
            named = []
            self.say(str(error), severity="error")
        base = self.plan.typed("api_base") or None
        self.app.push_screen(PickModelScreen(self.recent, self.plan.model, base, named), take)

    def take_models(self, offers: Sequence[Offer]) -> None:
        """Ask these models; an address that the person typed stays, one that came with the model before goes with it."""
        self.plan.values["model"] = [offer.model for offer in offers]
        bases = list(dict.fromkeys(offer.api_base for offer in offers))
        typed = self.plan.typed("api_base")
        if len(bases) > 1 and None in bases:
            self.plan.values["model"] = [offer.model for offer in offers if offer.api_base == bases[0]]
            self.say(
                "models with and without an address of their own cannot start together: `modex models add` names them"
            )
            bases = bases[:1]
        if any(bases):
            # One address serves all; else each model has its own, in their order.
            together = len(bases) == 1
            base = " ".join(str(offer.api_base) for offer in offers[: 1 if together else None])
            self.plan.set("api_base", base)
            self._offered_base = self.plan.typed("api_base")
        elif typed and typed == self._offered_base:
            self.plan.set("api_base", "")

    def action_start(self) -> None:
        """Check the plan, start the run and watch it; where only a judge's key is missing, ask whether to do without."""
        if self.summary.ready:
            self._begin_run()
            return
        left_out = self.summary.judged_tests
        tests = "1 test" if left_out == 1 else f"{left_out} tests"
        missing = next((key.variable for key in self.summary.keys if not key.present), None)

        def decided(answer: str) -> None:
            if answer:
                self.plan.set("no_judge", "yes")
                self.changed()
                self._begin_run()

        self.app.push_screen(
            AskScreen(
                f"Start without {tests}?",
                [
                    Answer(
                        "s", "start", f"leave out what needs a judge, start the other {self.summary.tests - left_out}"
                    )
                ],
                f"{missing} is not set, and the judge needs it. The tests can be added later under the same run name.",
            ),
            lambda answer: decided(answer or ""),
        )

    def _begin_run(self) -> None:
        self._starting = True
        self.keys_changed()
        self.say("checking and starting")
        self.run_worker(self._start(), group="start")

    async def _start(self) -> None:
        database, plan = self.database, self.plan

        def job() -> list[str]:
            from modex.core.config.configuration import configuration
            from modex.core.config.options import from_settings, merged
            from modex.core.config.settings import load_settings
            from modex.core.engine.start import Start, named, start_runners

            options, settings = plan.options(), load_settings().run
            given, usual = merged(options, settings), from_settings(settings, options)
            wanted = [
                Start(configuration(model, given, usual), named(given.get("exp_id"), model, len(plan.models)))
                for model in plan.models
            ]
            return [started.exp_id for started in start_runners(database, wanted, wait=True)]

        try:
            exp_ids = await asyncio.to_thread(job)
        except ModexError as error:
            self.say(str(error), severity="error")
            return
        finally:
            self._starting = False
            self.keys_changed()
        from modex.tui.screens.live import LiveScreen

        self._started()
        self.app.switch_screen(LiveScreen(tuple(exp_ids)))

    def action_race(self) -> None:
        """Check the plan, start a race of the models and watch it."""
        self._starting = True
        self.keys_changed()
        self.say("checking and starting the race")
        self.run_worker(self._race(), group="start")

    async def _race(self) -> None:
        database, plan = self.database, self.plan
        told: list[str] = []

        def job() -> str:
            from modex.core.config.options import from_settings, merged
            from modex.core.config.settings import load_settings
            from modex.tui.lazy import start_race

            options, settings = plan.options(), load_settings().run
            usual = from_settings(settings, options)
            return start_race(database, merged(options, settings), plan.models, told.append, usual)

        try:
            exp_id = await asyncio.to_thread(job)
        except SuiteError as error:
            count = len(error.problems)
            self.say(f"{count} mistake{'s' if count != 1 else ''} in the suite; t shows them", severity="error")
            return
        except ModexError as error:
            self.say(str(error), severity="error")
            return
        finally:
            self._starting = False
            self.keys_changed()
        from modex.tui.lazy import RaceScreen

        self._started()
        self.app.switch_screen(RaceScreen(exp_id))
        for words in told:
            self.say(words)
