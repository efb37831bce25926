"""Subtitles: tolerant readers for SRT, WebVTT, TTML and ASS/SSA, and the interpretation of their cues."""
