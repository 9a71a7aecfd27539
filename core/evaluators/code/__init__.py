"""Functions that a model wrote, run against a test's cases in the sandbox that exists."""
