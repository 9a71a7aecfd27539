"""Draws the data of the snapshot world, for `python -m core.tools.world.build`.

`recipe` says what exists, `series` draws the daily figures, `ledger` the transactions, `texts` the pages and posts.
"""
