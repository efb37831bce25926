"""Files: the .adproj project file, atomic writing and bounded reading, and how a project finds its video again."""
