"""Checks of a running server, from a client's point of view."""
