"""The plugins of the bundled suite: they ship with the program, and use nothing of it but `modex`."""
