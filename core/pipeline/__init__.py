"""How a sample moves: preprocess, rollout, judge, stat."""
