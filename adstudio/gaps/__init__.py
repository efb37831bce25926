"""Gaps: a film's permissible narration intervals (G), and syncing subtitles to the audio."""
