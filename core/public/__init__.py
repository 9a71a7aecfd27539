"""What a plugin, an agent or a notebook may use of modex."""
