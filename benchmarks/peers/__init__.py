"""The peers: other evaluation tools doing the same work, each at a pinned version in an environment of its own."""
