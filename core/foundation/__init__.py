"""What everything else stands on: errors, exit codes, interrupts, processes, files written whole."""
