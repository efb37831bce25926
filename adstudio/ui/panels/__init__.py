"""The panels around the picture: scenes, problems, plan changes, tasks, history, and the plan’s state."""
