"""Draws the data of the snapshot world, for `python -m tests.plugins.crypto_world.build`.

`recipe` says what exists, `series` draws the daily figures, `ledger` the transactions, `texts` the pages and posts.
"""
