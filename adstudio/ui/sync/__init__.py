"""Subtitles in sync with the speech in the film: checked in the background, fixed when the describer says so."""
