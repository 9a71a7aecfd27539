"""The arithmetic of scores: weights, intervals, paired comparisons. Pure functions of numbers; the standard library."""
