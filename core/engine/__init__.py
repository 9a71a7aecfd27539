"""How many samples move at once: the runner process, its workers, limits and commands."""
