"""The command and the screens of `core/features/summarize`."""
