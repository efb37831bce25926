"""The window about the film's characters: who they are, and who speaks which cue."""
