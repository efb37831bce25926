"""The editor's window. Nothing but this package knows Qt."""
