"""What do screens read? The store and the suite off the screen's thread, and a run's changes since the last refresh."""
