"""What a run is and how it is said: options, settings, filters and the configuration that is stored."""
