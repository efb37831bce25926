"""Reads screenplays (Fountain, Final Draft, plain text, PDF) into scenes of action, speech and transitions."""
