"""The ways of weighing, by name."""

from __future__ import annotations

from typing import Literal

Way = Literal["model", "text-embedding", "video-embedding"]
"""Who weighs: a model that is asked, or embeddings compared with that of the scene's text, or of its clip."""
WAYS: tuple[Way, ...] = ("model", "text-embedding", "video-embedding")
