"""Plans a film under other settings ahead, as a child process: `python -m adstudio.planning.film.preview_worker`.

A film of two hours takes a second to plan under other settings, so the window asks this process, which remembers the
film between requests.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, replace

from adstudio.core.errors import BadInputError
from adstudio.core.plan import Plan
from adstudio.core.script import Script, Settings
from adstudio.gaps.gaps import gaps_of
from adstudio.planning.film.live_plan import Engines, FilmPlanner, Outcome
from adstudio.planning.film.second_opinion import Purpose
from adstudio.planning.solve import solve
from adstudio.system.worker import Failed, WorkerProtocol, answer_requests

SCENE_LIMIT = 2.0
"""Seconds that planning a scene with rules may take; at the limit the best plan so far is shown."""


@dataclass(frozen=True)
class PlannedFilm:
    """A film as it is, with the plan on display."""

    script: Script
    plan: Plan


@dataclass(frozen=True)
class Preview:
    """A request to plan a film under other settings, in a language; without a film, the one of the last request."""

    settings: Settings
    language: str
    film: PlannedFilm | None = None


@dataclass(frozen=True)
class Previewed:
    """The plan under these settings, without the locks that conflict then, and how many conflicts there are."""

    plan: Plan
    conflicts: int


Event = Previewed | Failed
PROTOCOL = WorkerProtocol[Preview, Event]("adstudio.planning.film.preview_worker", Preview, Event)


def without_people(script: Script) -> Script:
    """What of a script decides its plan: neither people nor prompts."""
    return replace(script, people=(), prompts=())


def previewer() -> Callable[[Preview], Previewed]:
    """Answers requests, one after another; each is planned from the film's present plan."""
    known: tuple[Script, FilmPlanner] | None = None

    def preview(request: Preview) -> Previewed:
        nonlocal known
        if request.film is not None:
            script = request.film.script
            known = script, FilmPlanner(script, gaps_of(script).gaps, request.film.plan, Engines(limit=SCENE_LIMIT))
        if known is None:
            raise BadInputError("no film has been sent")
        script, planner = known
        changed = script.with_changes(settings=request.settings, film=replace(script.film, language=request.language))
        outcome = _settled(planner.fork(), changed)
        return Previewed(outcome.plan, len(outcome.conflicts))

    return preview


def _settled(planner: FilmPlanner, script: Script) -> Outcome:
    """The outcome once every scene with rules is planned."""
    planner.replan(script, gaps_of(script).gaps)
    while True:
        request = next((each for each in planner.outcome.open if each.purpose is Purpose.PLAN), None)
        if request is None:
            return planner.outcome
        planner.accept(request, solve(request.problem, "cpsat", request.limit))


def main() -> int:
    """Answer requests until standard input ends, and return the exit code."""
    return answer_requests(PROTOCOL, previewer())


if __name__ == "__main__":
    sys.exit(main())
