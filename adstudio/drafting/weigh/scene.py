"""What is weighed, scene by scene, and what came of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from adstudio.core.provenance import ModelWork
from adstudio.core.timebase import Span
from adstudio.drafting.model.request_store import NOTHING, Job
from adstudio.llm.messages import Usage


class WeighingError(Exception):
    """A scene could not be weighed; the message is a sentence."""


@dataclass(frozen=True)
class Weighed:
    """A line to be weighed: its eventuality's id, its words, and twice the middle of its occurrence (milliseconds)."""

    id: str
    text: str
    middle: int = 0


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
    """Saliences of a scene's lines, in millionths by eventuality, and the jobs whose answers they are."""

    saliences: Mapping[str, int]
    jobs: tuple[Job, ...]


@dataclass(frozen=True)
class Weights:
    """Saliences in millionths by eventuality; why scenes are without, by scene; and what it took.

    `works` says which models weighed each line, how, and when.
    """

    saliences: Mapping[str, int] = field(default_factory=dict[str, int])
    missing: Mapping[str, str] = field(default_factory=dict[str, str])
    usage: Usage = NOTHING
    asked: int = 0
    model: str = ""
    works: Mapping[str, ModelWork] = field(default_factory=dict[str, ModelWork])
