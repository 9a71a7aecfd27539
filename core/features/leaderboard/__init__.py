"""Each model's newest run by suite."""
