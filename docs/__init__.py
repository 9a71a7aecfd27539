"""The documents, and what keeps them in step with the code."""
