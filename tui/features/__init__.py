"""What people call a feature, a folder each: its command, its screens, what can be pressed there."""
