"""Changing a suite's files: what each change writes, as pure functions, and writing it whole or not at all."""
