"""Screenplays: Fountain, Final Draft, plain text and PDF, read into scenes of action, speech and transitions."""
