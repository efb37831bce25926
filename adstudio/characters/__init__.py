"""A film's characters: who speaks, who is seen, and when a name may be said."""
