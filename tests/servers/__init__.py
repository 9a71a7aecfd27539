"""Real servers, started where they are installed: `make test-servers`."""
