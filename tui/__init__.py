"""What a person sees: the command line and the screens, viewers of the store."""
