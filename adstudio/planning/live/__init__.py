"""Re-planning after an edit, and explanations, from frontiers that are updated instead of rebuilt."""
