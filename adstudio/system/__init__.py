"""The machine underneath: files written safely, bounded reading, child processes, caches, the log."""
