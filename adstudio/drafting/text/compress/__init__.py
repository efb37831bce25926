"""Compression of a description's sentences by their grammar."""
