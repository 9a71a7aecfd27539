"""Whether a run is not worse than another."""
