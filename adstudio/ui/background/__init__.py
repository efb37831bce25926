"""Work outside the key press: child processes, callbacks from other threads, idle time."""
