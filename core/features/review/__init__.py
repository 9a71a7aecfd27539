"""What is made of reviews: files to take them elsewhere and back, kinds of failure counted, judge and people compared."""
