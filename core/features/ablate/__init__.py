"""What each prompt layer does: runs with it on and off, compared."""
