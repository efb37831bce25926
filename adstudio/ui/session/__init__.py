"""The open project as the panels see it: document and undo, plan, selection, playhead, file."""
