"""Other systems: their suites, their logs, what they read, and machines beside this one. Only a command comes here."""
