"""What the actions do: each connects table entries to the edits of the script."""
