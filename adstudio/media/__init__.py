"""Reading the film's video and audio files."""
