"""What is to be evaluated, by its files, as the command line and the window ask for it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from adstudio.core.timebase import FrameRate

Solver = Literal["cpsat", "gurobi"]
"""What proves the paper's formulation: OR-Tools CP-SAT, or Gurobi, as in the paper, where it is licensed."""
EXPERT = "expert"
"""The system that is each reference, compared with the others."""
RANDOM = "random"
"""The paper's lower bound: gaps filled with descriptions drawn from a pool."""


def expert_name(reference: str) -> str:
    """The name of the row of a reference as a system."""
    return f"{EXPERT} {reference}"


def realistic_name(system: str) -> str:
    """The name of the row of a system to which the realistic filter is applied."""
    return f"{system}, realistic"


def scenes_name(project: str) -> str:
    """The name of the row of what a project has to say of each scene."""
    return f"{project}, scene descriptions"


@dataclass(frozen=True)
class ScriptFile:
    """A reference AD or a system's output: what it is called, and its file (of a project: its plan).

    `shift` in milliseconds is added to its times; `speed` is the rate of the version of the film that it was timed to,
    where that ran at another speed. Where either is given, its times are taken as they are then.
    """

    name: str
    path: Path
    shift: int | None = None
    speed: FrameRate | None = None


@dataclass(frozen=True)
class FilmFiles:
    """The files of one film. `end` in milliseconds.

    What is not given is taken from the first project among the systems (dialogue, end, sequences, frame rate, start
    timecode), or the video (end). `without_dialogue`: nobody speaks in it, or subtitles are used although nobody does
    in them.
    """

    name: str
    references: tuple[ScriptFile, ...]
    systems: tuple[ScriptFile, ...] = ()
    subtitles: Path | None = None
    encoding: str | None = None
    video: Path | None = None
    end: int | None = None
    sequences: Path | None = None
    frame_rate: FrameRate | None = None
    start_timecode: str = ""
    without_dialogue: bool = False


@dataclass(frozen=True)
class EvaluationRequest:
    """Films with their references and systems, and what else is evaluated.

    `expert`: each reference is evaluated against the others. `pool` is a JSON array of descriptions for `random`,
    which is evaluated where one is given. `realistic` names the systems of which a second row is made, by the realistic
    filter. `language` is a tag; where it is given, no language is guessed. `questions` is a file of questions for
    QEval, and `scene_descriptions` has them answered also from all that projects have to say of each scene.
    `ablations`: the first project of each film is also planned with each part of planning left out or replaced.
    `proof_limit`: for so many seconds a scene it is measured, by the `solver`, how hard a project is to plan; None
    leaves it out.
    """

    films: tuple[FilmFiles, ...]
    expert: bool = False
    pool: Path | None = None
    seed: int = 0
    realistic: tuple[str, ...] = ()
    language: str = ""
    questions: Path | None = None
    scene_descriptions: bool = False
    ablations: bool = False
    proof_limit: float | None = None
    solver: Solver = "cpsat"

    @property
    def files(self) -> tuple[Path, ...]:
        """All files that are read."""
        found = [self.pool, self.questions]
        for film in self.films:
            found += [each.path for each in (*film.references, *film.systems)]
            found += [film.subtitles, film.video, film.sequences]
        return tuple(path for path in found if path is not None)
