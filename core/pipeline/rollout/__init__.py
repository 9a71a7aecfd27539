"""Asking the model under test: directly, as structured reasoning, or in an agentic loop; always with a transcript."""
