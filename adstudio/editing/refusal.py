"""Edits that make no sense as asked."""

from __future__ import annotations

from adstudio.core.errors import BadInputError


class EditRefused(BadInputError):  # noqa: N818 - it is an answer to the describer, not a fault
    """An edit that cannot be made; the sentence tells the describer why, and what to do instead."""
