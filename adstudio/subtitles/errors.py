"""The error for files that cannot be read as subtitles."""

from __future__ import annotations

from adstudio.core.errors import BadInputError


class SubtitleError(BadInputError):
    """A file that is not a readable subtitle file; the message says what to do."""
