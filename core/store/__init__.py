"""What is kept: one SQLite file, written by one runner per run, read by every viewer."""
