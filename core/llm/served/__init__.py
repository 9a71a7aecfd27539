"""Models that this program serves itself: a file of weights or a command becomes a server that all runs of this machine share."""
