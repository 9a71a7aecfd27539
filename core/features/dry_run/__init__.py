"""A rule tried on stored answers, in memory."""
