"""Every action of the editor: one table of names and keys, and the Qt actions made from it."""
