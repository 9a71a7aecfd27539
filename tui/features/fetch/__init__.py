"""Known benchmarks: which there are, which are here, and how one is brought."""
