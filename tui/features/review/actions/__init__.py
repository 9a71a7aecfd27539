"""What can be pressed while answers are reviewed."""
