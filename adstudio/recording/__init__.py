"""Takes from outside: recorded from a microphone in a process of its own, or imported from sound files."""
