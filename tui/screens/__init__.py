"""The screens, one a file, each with its styles beside it."""
