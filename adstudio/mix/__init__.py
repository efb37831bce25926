"""The mix: narration placed into the film's sound, and the sound files that are handed in."""
