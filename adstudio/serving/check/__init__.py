"""The checks of a running server, one after another, by what a client sees of it."""
