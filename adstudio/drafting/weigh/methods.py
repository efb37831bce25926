"""How a server scores salience: by which method, and all else that is asked for."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from adstudio.connections.model_access import Connection

Way = Literal["model", "text-embedding", "video-embedding"]
"""Who weighs: a model that is asked, or embeddings compared with that of the scene's text, or of its clip."""
WAYS: tuple[Way, ...] = ("model", "text-embedding", "video-embedding")


@dataclass(frozen=True)
class Weighing:
    """A server scores the salience of all lines: which one, and by which method.

    No more is asked once the film has cost `most_micro_usd` (millionths of a US dollar), with its drafts. Scenes that a
    person has marked as reviewed are left alone unless `reviewed`.
    """

    connection: Connection
    name: str
    method: Way
    most_micro_usd: int | None = None
    reviewed: bool = False
    store: Path | None = None
