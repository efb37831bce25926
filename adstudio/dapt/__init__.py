"""DAPT, the W3C's format for audio-description scripts: written, read, and checked against its rules."""
