"""Execution of a plan: feed, writer, executor and workers are put together, watched, and ended in order."""

from __future__ import annotations

from modex.core.config.runconfig import RunConfig
from modex.core.config.settings import load_settings
from modex.core.engine.executors.address import cluster_of
from modex.core.engine.executors.executor import Executor, Threads
from modex.core.engine.listening import Listening
from modex.core.engine.needed import Needed
from modex.core.engine.news import AtWork, News
from modex.core.engine.pulse import Pulse
from modex.core.engine.stage_runner import StageRunner
from modex.core.engine.stopping import Stopping
from modex.core.engine.watching import Watching
from modex.core.engine.window import Window, sweep
from modex.core.engine.workers import Activities, SampleFeed, Workers
from modex.core.foundation.by_name import by_name
from modex.core.foundation.errors import StoreError
from modex.core.pipeline.assembly import Assembly
from modex.core.store.manager import DBDataManager, Plan
from modex.core.store.search.step import IndexInStep
from modex.core.store.tallies import most_epochs, standing
from modex.core.store.writer import Writer


class Execution:
    """The samples of one run, moved by this process."""

    def __init__(
        self,
        manager: DBDataManager,
        run_id: int,
        config: RunConfig,
        *,
        activities: Activities,
        stopping: Stopping,
        listening: Listening,
        news: News,
    ) -> None:
        self._manager = manager
        self._run_id = run_id
        self._config = config
        self._activities = activities
        self._stopping = stopping
        self._listening = listening
        self._news = news

    def run(self, assembly: Assembly, plan: Plan, *, judging_only: bool) -> None:
        """Move what the plan has to do, until that is done or the session is to stop.

        Raises:
            ModexError: something else than a sample failed: the store, or what moves samples.
        """
        run = self._manager.reader.run_by_id(self._run_id)
        news = self._news
        pulse = Pulse(len(plan.to_do), run.duration_ms / 1000, run.cost_usd)
        writer = Writer(assembly.writer_database(), self._run_id, on_store_error=news.on_store_error)
        feed = SampleFeed(assembly.feed_manager(), plan.to_do, self._needed())
        executor = self._executor(assembly, len(plan.to_do), judging_only=judging_only)
        stage_runner = StageRunner(
            self._config, feed=feed, executor=executor, under_way=assembly.pool.under_way, writer=writer, pulse=pulse,
            stopping=self._stopping,
        )  # fmt: skip
        workers = Workers(feed, stage_runner.run, self._config.at_once, self._activities)
        news.at_work = at_work = AtWork(assembly, executor, workers, writer)
        watching = Watching(at_work, stage_runner, pulse, stopping=self._stopping, listening=self._listening, news=news)
        sweep()
        window = Window(lambda: workers.activities, executor.look)
        pulse.window = str(window.path) if window.path is not None else None
        index = IndexInStep(self._manager.path, self._run_id) if plan.to_do and load_settings().search else None
        try:
            if plan.to_do:
                workers.start()
                watching.watch()
                news.keep_found()
                news.say_counts()
            if workers.failure is not None and not self._gave_up(workers.failure):
                raise workers.failure
        finally:
            if index is not None:
                index.close()
            # In this order: the feed must not offer samples to a closing writer, and the last pulse is the writer's.
            window.close()
            feed.close()
            executor.close()
            writer.update_run(live={})
            writer.close(give_up=self._stopping.calls_ended.is_set())
            news.at_work = None

    def _executor(self, assembly: Assembly, count: int, *, judging_only: bool) -> Executor:
        """What moves the `count` samples of this session."""
        config, news = self._config, self._news
        if config.moves_here or count == 0:
            return Threads(assembly)
        from modex.core.engine.executors.places import CLUSTER, Connect, Here, Places, processes_of
        from modex.core.engine.executors.processes import Processes

        places: Places
        if (cluster := cluster_of(config)) is not None:
            connect: Connect = by_name(CLUSTER)
            places = connect(cluster, insecure=config.insecure_cluster, log=news.log)
        else:
            # One sample is in one process, so that more of them would only be started and ended.
            processes = min(processes_of(config.processes), count)
            if processes == 1:
                return Threads(assembly)
            places = Here(processes)
        try:
            return Processes(
                assembly,
                places,
                phase=self._activities.phase,
                log=news.log,
                count=news.on_count,
                listener=news,
                judging_only=judging_only,
            )
        except BaseException:
            places.close()
            raise

    def _needed(self) -> Needed | None:
        """What holds back the epochs of tests with k of n; None where the run has none, or judges none as they come."""
        if self._config.until in ("preprocess", "rollout") or most_epochs(self._manager.reader, self._run_id) == 1:
            return None
        return Needed(standing(self._manager.database, self._run_id))

    def _gave_up(self, failure: BaseException) -> bool:
        """Whether a worker failed only because a stopping session does not wait for the disk."""
        return self._stopping.calls_ended.is_set() and isinstance(failure, StoreError)
