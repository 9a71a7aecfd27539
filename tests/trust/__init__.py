"""The corpus of labelled verdicts: answers and golds of which somebody says what is right, by family."""
