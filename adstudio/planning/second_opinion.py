"""What CP-SAT is asked in the background: to plan a scene with rules, or to confirm the exact plan of a stretch."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from adstudio.planning.problem import Problem


class Purpose(Enum):
    """Why a problem is put to CP-SAT."""

    PLAN = "plan"
    CONFIRM = "confirm"


@dataclass(frozen=True)
class SceneRequest:
    """A problem for the worker: `scene` is the scene's id, or "" for a stretch of the film; `limit` is in seconds.

    `expected` is what the shown plan makes of the problem, in billionths.
    """

    scene: str
    purpose: Purpose
    problem: Problem
    backend: str
    limit: float
    expected: int
