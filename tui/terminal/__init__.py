"""What can this terminal do, and what stands beside us on it? Its abilities, its clipboard, the user's programs, a crash."""
