"""What is done to stored runs."""

from __future__ import annotations

import pytest

from modex.core.engine.commands import send_command
from modex.core.engine.control import delete_run, stop_and_wait
from modex.core.foundation.errors import StoreError
from tests.cli import reading
from tests.core.engine.conftest import Bench


def test_a_command_for_a_run_that_nobody_works_on_says_what_to_do(bench: Bench) -> None:
    run_id = bench.prepare(1)
    with pytest.raises(StoreError, match="`modex resume` continues it"):
        send_command(bench.database, run_id, "pause")
    with pytest.raises(StoreError, match="`modex resume` continues it"):
        stop_and_wait(bench.database, run_id)


def test_a_deleted_run_is_gone(bench: Bench) -> None:
    run_id = bench.prepare(1)
    delete_run(bench.database, run_id)
    with reading(bench.database) as reader:
        assert reader.runs() == []
