"""The command and the screens of `modex tidy`."""
