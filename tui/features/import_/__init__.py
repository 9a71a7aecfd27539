"""`modex import`: suites, datasets and answers of other systems."""
