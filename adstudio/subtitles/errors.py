"""What cannot be read as subtitles at all."""

from __future__ import annotations

from adstudio.core.errors import BadInputError


class SubtitleError(BadInputError):
    """A file that is no subtitle file, or an edit that it cannot hold; the message says how to mend it."""
