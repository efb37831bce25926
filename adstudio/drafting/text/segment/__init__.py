"""Scene descriptions divided into description elements, each also as a stand-alone sentence."""
