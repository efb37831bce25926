"""The domain: time, the script of a film, undoable steps. Knows no file, no window and no network."""
