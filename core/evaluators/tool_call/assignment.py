"""Who matches whom: the assignment with the greatest total weight, free or in order. Exact and deterministic."""

from __future__ import annotations

from collections.abc import Sequence

Weights = Sequence[Sequence[int]]
"""`weights[row][column]`, 0 where the two may not be matched."""


def best_assignment(weights: Weights) -> dict[int, int]:
    """Row → column of the matching with the greatest total (Hungarian algorithm, O(r²c)); pairs of weight 0 stay out."""
    rows, columns = len(weights), len(weights[0]) if weights else 0
    if not rows or not columns:
        return {}
    top = max(max(row) for row in weights)
    filling = [top] * (rows - columns)
    cost = [[*(top - weight for weight in row), *filling] for row in weights]
    owner = _hungarian(cost)
    return {r: c for c, r in enumerate(owner) if r >= 0 and c < columns and weights[r][c] > 0}


def _hungarian(cost: list[list[int]]) -> list[int]:
    """Column → row, or -1, of the cheapest matching of every row, by shortest augmenting paths; no more rows than columns."""
    size = len(cost[0])
    row_price, column_price = [0] * (len(cost) + 1), [0] * (size + 1)
    owner = [0] * (size + 1)  # 1-based; column 0 is where each augmenting path begins
    for row in range(1, len(cost) + 1):
        owner[0] = row
        column = 0
        least: list[float] = [float("inf")] * (size + 1)
        came_from = [0] * (size + 1)
        used = [False] * (size + 1)
        while owner[column]:
            used[column] = True
            here, delta, following = owner[column], float("inf"), 0
            for other in range(1, size + 1):
                if used[other]:
                    continue
                slack = cost[here - 1][other - 1] - row_price[here] - column_price[other]
                if slack < least[other]:
                    least[other], came_from[other] = slack, column
                if least[other] < delta:
                    delta, following = least[other], other
            step = int(delta)
            for other in range(size + 1):
                if used[other]:
                    row_price[owner[other]] += step
                    column_price[other] -= step
                else:
                    least[other] -= step
            column = following
        while column:
            owner[column] = owner[came_from[column]]
            column = came_from[column]
    return [row - 1 for row in owner[1:]]


def best_in_order(weights: Weights, turns: Sequence[int] | None = None) -> dict[int, int]:
    """Row → column of the heaviest matching in which later rows have later columns.

    With `turns`, one of each column and never falling, later rows have columns of later turns.
    """
    rows, columns = len(weights), len(weights[0]) if weights else 0
    after = [c + 1 for c in range(columns)]
    if turns is not None:
        for c in range(columns - 2, -1, -1):
            after[c] = after[c + 1] if turns[c] == turns[c + 1] else c + 1
    best = [[0] * (columns + 1) for _ in range(rows + 1)]
    for r in range(rows - 1, -1, -1):
        for c in range(columns - 1, -1, -1):
            taken = weights[r][c] + best[r + 1][after[c]] if weights[r][c] > 0 else 0
            best[r][c] = max(taken, best[r + 1][c], best[r][c + 1])
    matched: dict[int, int] = {}
    r = c = 0
    while r < rows and c < columns:
        if weights[r][c] > 0 and best[r][c] == weights[r][c] + best[r + 1][after[c]]:
            matched[r] = c
            r, c = r + 1, after[c]
        elif best[r][c] == best[r + 1][c]:
            r += 1
        else:
            c += 1
    return matched
