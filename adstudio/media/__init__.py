"""The film's video and sound, as they are found on the disk."""
