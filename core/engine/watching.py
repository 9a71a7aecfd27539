"""Watching the workers until they are done: commands obeyed, the pulse, pauses, deadlines."""

from __future__ import annotations

import time

from modex.core.engine.listening import COMMAND_PERIOD_S, Listening
from modex.core.engine.news import AtWork, News
from modex.core.engine.pulse import PERIOD_S, Pulse
from modex.core.engine.stage_runner import StageRunner
from modex.core.engine.stopping import ABANDON_S, STOPPED_WORDS, SessionOutcome, Stopping


class Watching:
    """The session's own thread while samples move; it does nothing that can block for long, so that a stop is heard."""

    def __init__(
        self,
        at_work: AtWork,
        stage_runner: StageRunner,
        pulse: Pulse,
        *,
        stopping: Stopping,
        listening: Listening,
        news: News,
    ) -> None:
        self._assembly, self._executor = at_work.assembly, at_work.executor
        self._workers, self._writer = at_work.workers, at_work.writer
        self._stage_runner = stage_runner
        self._pulse = pulse
        self._stopping = stopping
        self._listening = listening
        self._news = news
        self._paused_by_user = False
        self._shown: tuple[str, str | None] = ("running", None)

    def watch(self) -> None:
        """Until the workers are done, or nobody waits for them any longer."""
        stopping, workers, writer, pulse = self._stopping, self._workers, self._writer, self._pulse
        next_commands = 0.0
        while not workers.finished.wait(PERIOD_S):
            moment = time.monotonic()
            if moment >= next_commands:
                next_commands = moment + COMMAND_PERIOD_S
                self._obey()
                self._listening.check_place()
            if stopping.asked.is_set():
                workers.stop()
                if stopping.outcome is None:
                    stopping.outcome = SessionOutcome("stopped", STOPPED_WORDS)
                    self._news.say("stopping: what is in flight is finished; a second signal ends it at once")
            if stopping.deadline is not None and moment >= stopping.deadline:
                self._executor.end_calls()
                writer.give_up()
                if moment >= stopping.deadline + ABANDON_S:
                    break  # the threads are daemons: one that hangs in C code does not keep the process
            self._show_pause()
            pulse.rest(self._shown[0] == "paused")
            if (live := pulse.beat(workers, self._assembly.gates(), self._executor.host)) is not None:
                writer.update_run(live=live, duration_ms=round(pulse.elapsed_s * 1000))
        writer.update_run(duration_ms=round(pulse.elapsed_s * 1000))

    def _obey(self) -> None:
        workers = self._workers
        for command in self._listening.commands():
            if command.name == "pause":
                self._paused_by_user = True
                workers.pause()
            elif command.name == "resume":
                self._paused_by_user = False
                workers.resume()
            elif command.name == "concurrency" and isinstance(command.argument, int):
                self._news.follows = False
                workers.set_concurrency(command.argument)
                self._assembly.pool.resize(workers.concurrency)
            elif command.name == "skip" and isinstance(command.argument, list):
                self._stage_runner.skip.update(command.argument)
                for activity in workers.activities:
                    if activity.sample.id in self._stage_runner.skip:
                        self._executor.cancel(activity.thread)

    def _show_pause(self) -> None:
        """Keep the run's status in step with why it is not moving."""
        news = self._news
        if news.store_error:
            shown: tuple[str, str | None] = ("paused", news.store_error)
        elif news.outage:
            shown = ("paused", news.outage)
        elif self._paused_by_user and self._workers.paused:
            shown = ("paused", "paused by hand")
        else:
            shown = ("running", None)
        if shown != self._shown:
            before, self._shown = self._shown[0], shown
            self._writer.update_run(status=shown[0], reason=shown[1])
            if shown[0] == before == "paused" and shown[1]:
                news.say_sometimes(f"paused: {shown[1]}")
            elif shown[1]:
                news.say(f"paused: {shown[1]}")
            else:
                news.say("going on")
