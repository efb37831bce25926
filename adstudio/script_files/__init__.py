"""Reads AD scripts that were written elsewhere: tables, times, cue words, and what describers note for the voice."""
