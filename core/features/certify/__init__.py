"""How well a run's LLM judges agree with people's labels, measured and kept."""
