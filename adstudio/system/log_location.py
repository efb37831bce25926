"""Where the program writes down what went wrong, for support."""

from __future__ import annotations

from pathlib import Path


def log_file() -> str:
    """The log; a path that is not absolute where nobody's home is known, and then there is none."""
    from platformdirs import user_log_path

    return str(user_log_path("adstudio", appauthor=False) / "adstudio.log")


def log_folder() -> Path:
    """The folder that it lies in, with the older ones."""
    return Path(log_file()).parent
