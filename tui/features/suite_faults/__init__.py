"""The command and the screens of `core/features/suite_faults`."""
