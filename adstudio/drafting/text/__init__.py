"""Drafting from a text, without a network: a screenplay or a description becomes grounded, compressed, scored lines."""
