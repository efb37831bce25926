"""Speech synthesis: a line of text becomes a measured WAV, by an engine in its own process."""
