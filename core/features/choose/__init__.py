"""Which of several models to take for a file of questions: what the set can decide, whether all answer, and the decision."""
