"""The tables as Peewee models. The first four and their documented columns are a contract with users' scripts."""

from __future__ import annotations

from typing import Any

import peewee as pw

from core.store.exact import decode_json, decode_text, encode_json, encode_text


class ExactText(pw.TextField):
    """Text that may hold anything a model can send."""

    def db_value(self, value: Any) -> Any:
        """To the column."""
        return encode_text(value) if isinstance(value, str) else value

    def python_value(self, value: Any) -> Any:
        """From the column."""
        return decode_text(value) if isinstance(value, str) else value


class JsonText(pw.TextField):
    """JSON as text: SQLite's and PostgreSQL's JSON functions read it, and no driver changes it."""

    def db_value(self, value: Any) -> Any:
        """To the column."""
        return None if value is None else encode_json(value)

    def python_value(self, value: Any) -> Any:
        """From the column."""
        return decode_json(value)


class _Table(pw.Model):
    class Meta:
        legacy_table_names = False


class EvaluationRun(_Table):
    """One model over a selection of tests under one configuration."""

    id = pw.AutoField()
    exp_id = pw.TextField(unique=True)
    model = pw.TextField()
    status = pw.TextField(default="running")
    config = JsonText(default=dict)
    started_at = pw.TextField(null=True, index=True)
    completed_at = pw.TextField(null=True)
    overall_score = pw.DoubleField(null=True)
    total_tests = pw.IntegerField(default=0)
    passed_tests = pw.IntegerField(default=0)
    failed_tests = pw.IntegerField(default=0)
    error_tests = pw.IntegerField(default=0)
    prompt_tokens = pw.BigIntegerField(default=0)
    completion_tokens = pw.BigIntegerField(default=0)
    cost_usd = pw.DoubleField(default=0.0)
    duration_ms = pw.BigIntegerField(default=0)
    skipped_tests = pw.IntegerField(default=0)
    unpriced_calls = pw.IntegerField(default=0)
    """Samples whose cost is unknown and therefore not in `cost_usd`."""
    ci_low = pw.DoubleField(null=True)
    ci_high = pw.DoubleField(null=True)
    reason = pw.TextField(null=True)
    """Why the run is paused, stopped or aborted, for a person."""
    metrics = JsonText(default=dict)
    """What each source's processer calculated in `stat`: `{source: {...}}`."""
    live = JsonText(default=dict)
    """The runner's pulse: in flight, limit, retries, holds, workers; written while it runs."""
    seq = pw.BigIntegerField(default=0)
    """The newest change of the run; viewers ask for what is newer than they have seen."""

    class Meta:
        table_name = "evaluation_runs"


class IndividualTestResult(_Table):
    """One `EvaluationSample`: one test × one epoch in one run."""

    id = pw.AutoField()
    run = pw.ForeignKeyField(EvaluationRun, column_name="run_id", on_delete="CASCADE", index=False)
    source = pw.TextField(default="suite")
    domain = pw.TextField()
    level = pw.IntegerField()
    test_id = pw.TextField()
    epoch = pw.IntegerField(default=1)
    stage = pw.TextField(default="init")
    status = pw.TextField(default="pending")
    error_type = pw.TextField(null=True)
    error_message = ExactText(null=True)
    system_prompt = ExactText(null=True)
    prompt_layers = JsonText(default=list)
    prompt = ExactText(default="")
    expected = JsonText(null=True)
    response = ExactText(null=True)
    reasoning = ExactText(null=True)
    transcript = JsonText(default=list)
    extracted_answer = ExactText(null=True)
    pass2_used = pw.BooleanField(default=False)
    score = pw.DoubleField(null=True)
    details = JsonText(default=dict)
    evaluator_id = pw.TextField(default="")
    prompt_tokens = pw.IntegerField(default=0)
    completion_tokens = pw.IntegerField(default=0)
    cost_usd = pw.DoubleField(null=True, default=0.0)
    duration_ms = pw.IntegerField(default=0)
    rollout_fingerprint = pw.TextField(null=True)
    judge_fingerprint = pw.TextField(null=True)
    started_at = pw.TextField(null=True)
    completed_at = pw.TextField(null=True)
    seq = pw.BigIntegerField(default=0)
    position = pw.IntegerField(default=0)
    name = pw.TextField(default="")
    weight = pw.DoubleField(default=1.0)
    definition = JsonText(default=dict)
    flags = JsonText(default=list)
    finish_reason = ExactText(null=True)
    attempts = pw.IntegerField(default=0)
    reasoning_tokens = pw.IntegerField(default=0)
    cached_tokens = pw.IntegerField(default=0)
    judge_prompt_tokens = pw.IntegerField(default=0)
    judge_completion_tokens = pw.IntegerField(default=0)
    judge_cost_usd = pw.DoubleField(null=True, default=0.0)
    judge_duration_ms = pw.IntegerField(default=0)

    class Meta:
        table_name = "individual_test_results"
        indexes = (
            (("run", "source", "domain", "level", "test_id", "epoch"), True),
            (("run", "seq"), False),
            (("run", "position"), False),
            (("run", "domain", "level", "status", "score", "weight"), False),
        )


class LevelScore(_Table):
    """One (domain, level) cell of a run's matrix."""

    id = pw.AutoField()
    run = pw.ForeignKeyField(EvaluationRun, column_name="run_id", on_delete="CASCADE", index=False)
    domain = pw.TextField()
    level = pw.IntegerField()
    average_score = pw.DoubleField(null=True)
    weight = pw.DoubleField()
    """The level's number."""
    total_tests = pw.IntegerField(default=0)
    passed_tests = pw.IntegerField(default=0)
    ci_low = pw.DoubleField(null=True)
    ci_high = pw.DoubleField(null=True)

    class Meta:
        table_name = "level_scores"
        indexes = ((("run", "domain", "level"), True),)


class TestResult(_Table):
    """One cell's totals; `level` NULL is the domain's own row (its Weighted Score)."""

    __test__ = False

    id = pw.AutoField()
    run = pw.ForeignKeyField(EvaluationRun, column_name="run_id", on_delete="CASCADE", index=False)
    domain = pw.TextField()
    level = pw.IntegerField(null=True)
    score = pw.DoubleField(null=True)
    status = pw.TextField(default="pending")
    total_tests = pw.IntegerField(default=0)
    passed_tests = pw.IntegerField(default=0)
    failed_tests = pw.IntegerField(default=0)
    error_tests = pw.IntegerField(default=0)
    total_tokens = pw.BigIntegerField(default=0)
    cost_usd = pw.DoubleField(null=True)
    duration_ms = pw.BigIntegerField(default=0)

    class Meta:
        table_name = "test_results"
        indexes = ((("run", "domain", "level"), True),)


class EarlierVerdict(_Table):
    """A judgement that a later one replaced; the rollout it judged stands in `individual_test_results`."""

    id = pw.AutoField()
    run = pw.ForeignKeyField(EvaluationRun, column_name="run_id", on_delete="CASCADE", index=False)
    result = pw.ForeignKeyField(IndividualTestResult, column_name="result_id", on_delete="CASCADE", index=True)
    judge_fingerprint = pw.TextField(null=True)
    evaluator_id = pw.TextField(default="")
    status = pw.TextField()
    score = pw.DoubleField(null=True)
    error_type = pw.TextField(null=True)
    error_message = ExactText(null=True)
    extracted_answer = ExactText(null=True)
    details = JsonText(default=dict)
    completed_at = pw.TextField(null=True)

    class Meta:
        table_name = "earlier_verdicts"
        indexes = ((("run", "result"), False),)


class RunEvent(_Table):
    """One line of a run's log: retries, holds, pauses, outages, errors."""

    id = pw.AutoField()
    run = pw.ForeignKeyField(EvaluationRun, column_name="run_id", on_delete="CASCADE", index=False)
    seq = pw.BigIntegerField()
    at = pw.TextField()
    kind = pw.TextField()
    """`info`, `warning` or `error`."""
    result_id = pw.IntegerField(null=True)
    message = ExactText()

    class Meta:
        table_name = "run_events"
        indexes = ((("run", "seq"), False),)


class RunCommand(_Table):
    """A wish of a viewer (pause, resume, stop, skip, concurrency) until the runner takes it."""

    id = pw.AutoField()
    run = pw.ForeignKeyField(EvaluationRun, column_name="run_id", on_delete="CASCADE", index=False)
    command = pw.TextField()
    argument = JsonText(null=True)
    created_at = pw.TextField()
    handled_at = pw.TextField(null=True)

    class Meta:
        table_name = "run_commands"
        indexes = ((("run", "handled_at"), False),)


TABLES: tuple[type[_Table], ...] = (
    EvaluationRun,
    IndividualTestResult,
    LevelScore,
    TestResult,
    EarlierVerdict,
    RunEvent,
    RunCommand,
)
