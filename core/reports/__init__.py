"""What is taken out: comparisons, exports, statistics."""
