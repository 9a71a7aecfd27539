"""Known benchmarks brought from the Hub: verified, whole or not at all, and held to the revision that came first."""
