"""The bare answer: finding it in a response (PASS 2 or by rule) and comparing it with the gold answer by kind."""
