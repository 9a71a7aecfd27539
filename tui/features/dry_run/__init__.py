"""The command and the screens of `core/features/dry_run`."""
