"""The command of `core/features/solutions`."""
