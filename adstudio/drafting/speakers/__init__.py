"""Who speaks: what the screenplay says of it, and a model asked for the cues that are left."""
