"""Subtitles in step with the speech in the film: looked at in the background, mended when the describer says so."""
