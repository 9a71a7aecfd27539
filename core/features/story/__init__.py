"""The story of a finished run: where it is weak and why, its figures, and what changed since the run before."""
