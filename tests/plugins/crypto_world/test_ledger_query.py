from __future__ import annotations

import hashlib

from plugins.crypto_world.snapshot import data_path
from tests.plugins.crypto_world.calling import ask, refusal
from tests.rows import each_row


def fingerprint() -> str:
    return hashlib.sha256(data_path("ledger.sqlite").read_bytes()).hexdigest()


def test_a_query_is_real_sql_over_the_shipped_ledger() -> None:
    answer = ask(
        "ledger_query",
        sql="WITH thief AS (SELECT address FROM addresses WHERE kind = 'exploiter') "
        "SELECT token, sum(amount) AS taken FROM transactions JOIN thief ON to_address = address GROUP BY token ORDER BY 1",
    )
    assert answer["columns"] == ["token", "taken"]
    assert answer["rows"] == [["AUR", 6150.0], ["CAUS", 210_000_000.0], ["USDM", 38_400_000.0]]
    assert answer["truncated"] is False


def test_rows_are_limited_and_said_to_be_cut() -> None:
    answer = ask("ledger_query", sql="SELECT hash FROM transactions", limit=3)
    assert len(answer["rows"]) == 3
    assert answer["truncated"] is True


def test_values_that_json_lacks_come_back_as_text() -> None:
    assert ask("ledger_query", sql="SELECT x'00ff', 1e999, NULL")["rows"] == [["0x00ff", "inf", None]]


def test_an_error_names_the_tables_and_their_columns() -> None:
    message = refusal("ledger_query", sql="SELECT * FROM balances")
    assert "balances" in message
    assert "opening_balances(address, token, amount)" in message


@each_row(
    "query",
    [
        "DELETE FROM transactions",
        "INSERT\tINTO tokens VALUES ('X','X','X','X',1)",
        "UPDATE daily_prices SET close = 1",
        "DROP TABLE tokens",
        "ATTACH DATABASE '/tmp/world-attack.sqlite' AS other",
        "PRAGMA query_only = 0",
        "VACUUM INTO '/tmp/world-attack.sqlite'",
        "SELECT load_extension('x')",
        "SELECT 1; DELETE FROM tokens",
    ],
)
def test_the_ledger_cannot_be_written(query: str) -> None:
    before = fingerprint()
    assert refusal("ledger_query", sql=query)
    assert fingerprint() == before
