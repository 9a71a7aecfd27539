"""What is compared test by test: pairs of samples, whether they were asked the same, and how their scores differ."""
