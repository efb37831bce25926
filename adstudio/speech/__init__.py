"""Speech: a line of text to a finished, measured WAV by an engine in a process of its own."""
