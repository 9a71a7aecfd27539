"""Plain output: what a terminal without a screen, a pipe or a script gets. Data on stdout, narration on stderr."""
