"""`modex shell`: the command, and what passes between a person's terminal and the sandbox."""
