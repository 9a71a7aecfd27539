"""What a model left in its workspace, judged by hidden checks, by contents of files, or by a judge who reads the diff."""
