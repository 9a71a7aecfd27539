"""A run summed up by a model, from counted facts."""
