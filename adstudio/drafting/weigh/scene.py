"""Scoring salience with a server: the options, what is weighed scene by scene, and the result."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from adstudio.connections.model_access import Connection
from adstudio.core.provenance import ModelWork
from adstudio.core.script import Eventuality
from adstudio.core.timebase import Span
from adstudio.llm.messages import Usage

if TYPE_CHECKING:
    # The store of requests would load its database with every command.
    from adstudio.drafting.model.request_store import Job

Way = Literal["model", "text-embedding", "video-embedding"]
"""The method: a model judges, or embeddings are compared with that of the scene's text, or of its clip."""
WAYS: tuple[Way, ...] = ("model", "text-embedding", "video-embedding")


@dataclass(frozen=True)
class Weighing:
    """A server scores the salience of all lines: which one, and by which method.

    No more requests are sent once the film, with its drafts, has cost `most_micro_usd` (millionths of a US dollar).
    Reviewed scenes are left alone unless `reviewed`.
    """

    connection: Connection
    name: str
    method: Way
    most_micro_usd: int | None = None
    reviewed: bool = False
    store: Path | None = None


class WeighingError(Exception):
    """A scene could not be weighed; the message is a sentence."""


@dataclass(frozen=True)
class Weighed:
    """A line to be weighed: its eventuality's id, its words, and twice the middle of its occurrence (milliseconds)."""

    id: str
    text: str
    middle: int = 0


def line_words(line: Eventuality) -> str:
    """The piece of the description that a line was made of, else its full wording: what it is weighed by."""
    return line.extract.strip() or line.variants[0].text


@dataclass(frozen=True)
class Shown:
    """A part of a scene, and its clip's bytes, read when they are needed."""

    span: Span
    read: Callable[[], bytes]


@dataclass(frozen=True)
class WeighedScene:
    """A scene's lines in textual order, its whole description, and its clip, in parts where it is long."""

    id: str
    lines: tuple[Weighed, ...]
    description: str = ""
    shown: tuple[Shown, ...] = ()


@dataclass(frozen=True)
class SceneWeights:
    """Saliences of a scene's lines, in millionths by eventuality, and the jobs that gave them."""

    saliences: Mapping[str, int]
    jobs: tuple[Job, ...]


@dataclass(frozen=True)
class Weights:
    """Saliences in millionths by eventuality; why scenes have none, by scene; and the usage.

    `works` says which models weighed each line, how, and when.
    """

    saliences: Mapping[str, int] = field(default_factory=dict[str, int])
    missing: Mapping[str, str] = field(default_factory=dict[str, str])
    usage: Usage = field(default_factory=lambda: Usage(micro_usd=0))
    asked: int = 0
    model: str = ""
    works: Mapping[str, ModelWork] = field(default_factory=dict[str, ModelWork])
