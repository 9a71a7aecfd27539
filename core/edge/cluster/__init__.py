"""Samples moved on the workers of a Dask cluster."""
