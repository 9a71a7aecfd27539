"""Several models, asked until it is decided which is best."""
