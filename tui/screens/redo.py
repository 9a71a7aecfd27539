"""Doing tests of a run again, copying and exporting them: the marked ones, or the one under the selection."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from modex.core.store.reader import Reader, SampleQuery
from modex.core.store.rows import RunRow, SampleHead
from modex.tui.screens.ask import Answer, AskScreen
from modex.tui.screens.base import READ_ONLY, ModexScreen
from modex.tui.start.redoing import redo_plan

if TYPE_CHECKING:
    from modex.core.store.manager import Redo

_TITLES = {"ask": "Ask {what} again?", "judge": "Judge {what} again?", "changed": "{what} was edited. Run it now?"}
_ANSWERS = {"ask": ("a", "ask"), "judge": ("j", "judge"), "changed": ("r", "run")}
_SAID = {"ask": "asking again", "judge": "judging again", "changed": "running it as it is now"}


def redo_refusal(screen: ModexScreen[Any], run: RunRow) -> str:
    """Why tests of `run` cannot be done again now, in a few words; empty where they can."""
    if not screen.frame.store.writable:
        return READ_ONLY
    return "the run is going on: stop it first" if run.going else ""


def ask_to_redo(screen: ModexScreen[Any], run: RunRow, ids: Sequence[int], redo: Redo) -> None:
    """Ask, saying what it will do and cost; then do these samples again and leave the rest of the run as it is."""
    if refusal := redo_refusal(screen, run):
        screen.say(refusal, severity="warning")
    elif ids:
        screen.fetch_then(_ask_to_redo(screen, run, tuple(ids), redo))


async def _ask_to_redo(screen: ModexScreen[Any], run: RunRow, ids: tuple[int, ...], redo: Redo) -> None:
    def ask(reader: Reader) -> list[SampleHead]:
        heads = reader.heads_by_id(list(ids))
        return every_epoch(reader, run, heads[0]) if redo == "changed" and heads else heads

    heads = await screen.frame.store.ask(ask)
    if not heads:
        return
    named = f"{heads[0].domain}/{heads[0].level}/{heads[0].test_id}"
    what = named if len({head.test_id for head in heads}) == 1 else f"{len(heads):,} marked tests"
    key, value = _ANSWERS[redo]

    database = screen.frame.database

    def again() -> None:
        from modex.core.engine.start import launch_runner
        from modex.core.store.manager import ChosenSamples

        launch_runner(database, run.exp_id, chosen=ChosenSamples(frozenset(head.id for head in heads), redo))

    def decided(answer: str | None) -> None:
        if answer:
            screen.say(_SAID[redo])
            screen.do(again)

    screen.app.push_screen(
        AskScreen(
            _TITLES[redo].format(what=what),
            [Answer(key, value, redo_plan(run, heads, redo))],
            f"Everything else of {run.exp_id} stays as it is.",
        ),
        decided,
    )


def every_epoch(reader: Reader, run: RunRow, head: SampleHead) -> list[SampleHead]:
    """The samples of the same test in every epoch."""
    query = SampleQuery(domains=(head.domain,), levels=(head.level,), sources=(head.source,), test_ids=(head.test_id,))
    return reader.heads_by_id(reader.head_ids(run.id, query))


def copy_tests(screen: ModexScreen[Any], ids: Sequence[int]) -> None:
    """Send the transcripts of these samples to the terminal's clipboard, one after the other."""
    if ids:
        screen.fetch_then(_copy(screen, tuple(ids)))


async def _copy(screen: ModexScreen[Any], ids: tuple[int, ...]) -> None:
    def read(reader: Reader) -> str:
        from modex.core.safety import without_secrets
        from modex.tui.plain.transcript import transcript_text

        samples = (reader.sample(id_) for id_ in ids)
        texts = (
            transcript_text(sample, reader.earlier_verdicts(sample.id or 0), reader.run_by_id(sample.run_id))
            for sample in samples
        )
        return without_secrets("\n\n".join(texts))

    from modex.tui.terminal.clipboard import send

    text = await screen.frame.store.ask(read)
    what = "transcript" if len(ids) == 1 else f"{len(ids)} transcripts"
    screen.say(f"{what} {send(screen.app, text, instead='x writes it to a file')}")
