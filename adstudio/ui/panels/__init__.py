"""The panels around the picture: scenes, problems, quality checks, changes, tasks, history, the plan’s state."""
