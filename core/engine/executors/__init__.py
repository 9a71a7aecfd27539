"""What moves the samples of a run for its driver, which keeps plan, store, gates, budget and commands: threads, or processes."""
