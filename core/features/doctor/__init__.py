"""What is wrong on this machine, and how strictly stored answers were read."""
