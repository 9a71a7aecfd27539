"""How an answer is scored: one evaluator a file, found by `evaluator_id`."""
