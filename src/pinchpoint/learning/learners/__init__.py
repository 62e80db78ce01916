"""Ways to learn from self-play, one a file: its settings, how it plays, and its loss."""
