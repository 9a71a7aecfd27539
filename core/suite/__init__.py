"""What is asked: suite files and datasets become tests, with every mistake found before the first model call."""
