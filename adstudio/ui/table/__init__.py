"""The script as a table: the equal twin of the timeline."""
