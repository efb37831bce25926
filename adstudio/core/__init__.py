"""The domain: time, a film's script and undoable steps. Knows nothing of files, windows or the network."""
