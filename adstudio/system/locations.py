"""Where files lie: those that travel with the program, and the user's own."""

from __future__ import annotations

from pathlib import Path

from adstudio.core.errors import OutsideFailureError

_NAME = "adstudio"
_PACKAGE = Path(__file__).resolve().parents[1]


def resource(*parts: str) -> Path:
    """The path of a file or folder below `resources`, inside the installed package or at the root of a checkout.

    Raises:
        OutsideFailureError: when the installation lacks it.
    """
    for root in (_PACKAGE / "resources", _PACKAGE.parent / "resources"):
        found = root.joinpath(*parts)
        if found.exists():
            return found
    raise OutsideFailureError(f"the file resources/{'/'.join(parts)} is missing from this installation: install again")


def log_file() -> str:
    """The log, where the program writes down what went wrong; a relative path, where nobody's home is known."""
    from platformdirs import user_log_path

    return str(user_log_path(_NAME, appauthor=False) / "adstudio.log")


def log_folder() -> Path:
    """The folder of the log, with the older ones."""
    return Path(log_file()).parent


def user_cache(name: str) -> Path:
    """A folder in the user's cache, of what can all be computed again."""
    from platformdirs import user_cache_path

    return user_cache_path(_NAME, appauthor=False) / name


def user_data(name: str) -> Path:
    """A file or folder among the user's data."""
    from platformdirs import user_data_path

    return user_data_path(_NAME, appauthor=False) / name


def user_config(name: str) -> Path:
    """A file among the user's settings."""
    from platformdirs import user_config_path

    return user_config_path(_NAME, appauthor=False) / name
