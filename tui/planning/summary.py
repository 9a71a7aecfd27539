"""What a person should know before a run starts: calls, tokens, cost, keys, the suite's mistakes."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from modex.core.foundation.errors import ModexError, SuiteError
from modex.core.pipeline.estimate import Estimate, Need, estimate
from modex.tui.look import format as fmt
from modex.tui.look.glyphs import Glyphs
from modex.tui.look.paint import Line, Part, columns
from modex.tui.planning.plan import RunPlan

if TYPE_CHECKING:
    from modex.core.config.runconfig import RunConfig


@dataclass(frozen=True, slots=True)
class KeyState:
    """A model that will be asked and the variable its key is in."""

    role: str
    model: str
    variable: str | None
    """None where no key is needed."""
    present: bool


@dataclass(frozen=True, slots=True)
class PlanSummary:
    """The plan, worked out."""

    estimate: Estimate | None
    keys: Sequence[KeyState]
    problem: str = ""
    """Why the plan is no run yet."""
    judged_tests: int = 0
    """Tests that an LLM judge decides about."""
    tests: int = 0
    """Tests, each counted once however often it is asked."""
    sample: str = ""
    """The sample that its budget pays for, in the words of `modex run`; empty where no budget is planned for."""
    forms: Sequence[str] = ()
    """The form of answer that rows of datasets are asked for, in the words of `modex run`."""

    @property
    def without_judge(self) -> bool:
        """Whether all that is missing is the key of a judge, and there are tests that need none."""
        missing = [key for key in self.keys if not key.present]
        lacks_judge = bool(missing) and all(key.role == "judge" for key in missing)
        return lacks_judge and self.judged_tests < self.tests

    @property
    def ready(self) -> bool:
        """Whether the run can be started."""
        return self.estimate is not None and self.estimate.tests > 0 and all(key.present for key in self.keys)


def summarise(
    plan: RunPlan, chosen: Sequence[Need], length: float | None, database: Path, forms: Sequence[str] = ()
) -> PlanSummary:
    """Work the plan out, with what runs in `database` say of it; imports settings and prices, so call it in a thread.

    `forms` are the sentences of the datasets of which rows are chosen.
    """
    from modex.core.config.configuration import configuration
    from modex.core.config.options import from_settings, merged
    from modex.core.config.settings import load_settings
    from modex.core.llm.keys import key_present, required_key
    from modex.core.pipeline.assembly import judge_specs

    if not plan.model:
        return PlanSummary(None, (), "choose a model")
    try:
        options, settings = plan.options(), load_settings().run
        given, usual = merged(options, settings), from_settings(settings, options)
        config = configuration(plan.model, given, usual)
        others = [configuration(name, given, usual).model for name in plan.models[1:]]
        sample = _sample_words(database, config, plan.typed("exp_id")) if chosen else ""
    except (ModexError, ValueError) as error:
        return PlanSummary(None, (), str(error))
    guess = estimate(config, chosen, length)
    asked = [("", config.model), *(("", spec) for spec in others)]
    if guess.pass2 and config.extractor is not None:
        asked.append(("pass 2", config.extractor))
    if guess.judged:
        asked += [("judge", spec) for spec in judge_specs(config)]
    keys: list[KeyState] = []
    for role, spec in asked:
        keys.append(KeyState(role, spec.said, required_key(spec), key_present(spec)))
    judged = sum(need.judge for need in chosen)
    asks_form = config.selection.form and "test" not in config.selection.without_layers
    problem = "" if chosen else "choose some tests"
    return PlanSummary(guess, keys, problem, judged, len(chosen), sample, tuple(forms) if asks_form else ())


def _sample_words(database: Path, config: RunConfig, exp_id: str) -> str:
    """What `modex run` says of the sample that it would choose for the plan's budget; empty where none is planned for.

    Raises:
        ConfigurationError: no budget is named, a price is not known, or it pays for too little.
    """
    from modex.core.engine.budget import with_sample
    from modex.core.pipeline.assembly import checked_tests

    if not config.selection.is_planned:
        return ""
    lines: list[str] = []
    try:
        with_sample(database, exp_id or None, checked_tests(config), lines.append)
    except SuiteError:
        return ""  # its mistakes are counted in a line of their own
    return lines[0]


def summary_lines(
    summary: PlanSummary, findings: int, checked: bool, glyphs: Glyphs, width: int, *, models: int = 1, forms: int = 3
) -> list[Line]:
    """The summary as lines of at most `width` columns, as far as its pieces allow, with the forms of `forms` datasets."""
    lines: list[Line] = []
    guess = summary.estimate
    if guess is None or not guess.tests:
        lines.append([_label("plan"), (summary.problem or "choose some tests", "accent")])
    elif summary.sample:
        pieces = textwrap.wrap(summary.sample.removeprefix("plan for "), max(20, width - 10))
        lines += [[_label("" if number else "plan"), (piece, "text")] for number, piece in enumerate(pieces)]
    else:
        parts: list[Part] = [_label("asks"), (fmt.count(guess.calls), "title"), (" calls: ", "text")]
        kinds = [(guess.asked, "answers"), (guess.pass2, "pass 2"), (guess.judged, "judge")]
        parts.append((", ".join(f"{fmt.count(number)} {name}" for number, name in kinds if number), "muted"))
        if models > 1:
            parts.append((f"   for each of {models} models", "muted"))
        lines.append(parts)
        cost = (
            "no price known" if guess.cost_usd is None else f"~{fmt.cost(guess.cost_usd)}" if guess.cost_usd else "none"
        )
        learned = "as in earlier runs" if guess.learned else "a rough guess"
        tokens = f"~{fmt.compact(guess.prompt_tokens)} in, ~{fmt.compact(guess.completion_tokens)} out"
        line: list[Part] = [_label("tokens"), (tokens, "text"), ("   cost ", "muted"), (cost, "title")]
        if columns(line) + 3 + len(learned) < width:
            line.append((f"   {learned}", "faint"))
        lines.append(line)
    for form in summary.forms[:forms]:
        pieces = textwrap.wrap(form, max(20, width - 10))
        lines += [[_label("" if number else "rows"), (piece, "muted")] for number, piece in enumerate(pieces)]
    if (more := len(summary.forms) - forms) > 0:
        words = f"and of {more} more dataset{'s' if more != 1 else ''}: `modex run` says them all"
        lines.append([_label(""), (words, "faint")])
    if summary.keys:
        lines += _keys(summary.keys, glyphs, width, summary.judged_tests if summary.without_judge else 0)
    if findings:
        words = (
            f"check finds {findings} mistake{'s' if findings != 1 else ''}; t shows them, skip invalid runs the rest"
        )
        lines.append([_label("suite"), (f"{glyphs.error} {words}", "error")])
    else:
        words = "checked, nothing found" if checked else "being checked"
        lines.append(
            [_label("suite"), (f"{glyphs.passed if checked else glyphs.pending} ", "passed"), (words, "muted")]
        )
    return lines


def _label(name: str) -> Part:
    return (f" {name:<8}", "muted")


def _keys(keys: Sequence[KeyState], glyphs: Glyphs, width: int, left_out: int) -> list[Line]:
    """Each variable once, with what to do where one is missing; a piece that does not fit begins a line of its own."""
    pieces: list[list[Part]] = []
    told: set[str | None] = set()
    for key in keys:
        if key.variable in told:
            continue
        told.add(key.variable)
        role = f"{key.role}: " if key.role else ""
        if key.variable is None:
            pieces.append([(f"{glyphs.passed} ", "passed"), (f"{role}none needed", "muted")])
        elif key.present:
            pieces.append([(f"{glyphs.passed} ", "passed"), (f"{role}{key.variable} is set", "muted")])
        else:
            pieces.append([(f"{glyphs.error} {role}{key.variable} is not set", "error")])
    if any(not key.present for key in keys):
        pieces.append([("export it, then open modex again", "faint")])
    if left_out:
        words = f"or start without {left_out} test{'s' if left_out != 1 else ''}"
        pieces.append([("s", "key"), (f" {words}", "muted")])
    lines: list[list[Part]] = [[_label("key")]]
    for piece in pieces:
        line = lines[-1]
        if len(line) == 1:
            line += piece
        elif columns(line) + 3 + columns(piece) < width:
            line += [("   ", "text"), *piece]
        else:
            lines.append([_label(""), *piece])
    return [*lines]


def command_lines(command: str, width: int, most: int, key: str) -> list[Line]:
    """The command line over `most` lines and one more at most; the whole of it is what `key` copies."""
    pieces = textwrap.wrap(command, max(20, width - 6), break_on_hyphens=False, break_long_words=True) or [""]
    # The line that would say that there is one more has room for that one.
    hidden = len(pieces) - most if len(pieces) > most + 1 else 0
    shown = pieces[: len(pieces) - hidden]
    lines: list[Line] = []
    for number, piece in enumerate(shown):
        last = number == len(shown) - 1
        tail = " \\" if not last or hidden > 0 else ""
        lines.append([(" $ " if number == 0 else "   ", "faint"), (piece, "text"), (tail, "faint")])
    if hidden > 0:
        lines.append([(f"   {hidden} more lines; {key} copies all of it", "faint")])
    return lines
