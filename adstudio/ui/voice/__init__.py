"""Who speaks: the picker of voices, the voice bar, the lexicon of pronunciations."""
