"""Subtitles: tolerant readers for SRT, WebVTT, TTML and ASS/SSA, and what their entries stand for."""
