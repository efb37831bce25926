"""The inspector: everything about what is in hand, and why it is in or out."""
