"""Projects and files: the welcome page, the new-project assistant, saving, recovery, relinking, settings, export."""
