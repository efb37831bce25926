"""The plan of a whole film at once, as the editor shows it when every engine has answered."""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter

from adstudio.core.plan import Plan, Status
from adstudio.core.script import Script
from adstudio.core.timebase import Span
from adstudio.planning.engines.exact import with_seconds
from adstudio.planning.film.live_plan import Engines, FilmPlanner, Outcome
from adstudio.planning.film.second_opinion import Purpose
from adstudio.planning.solve import solve

SCENE_LIMIT = 10.0
"""Seconds that planning a scene with rules may take; at the limit the best plan so far is returned."""


def plan_film(script: Script, gaps: Sequence[Span], previous: Plan | None = None) -> Plan:
    """The plan of a whole film, proven where every part is proven, and infeasible where pins or rules conflict.

    Where the film cannot be planned in parts (a rule spans scenes, a pin of one scene reaches into another), it is
    planned as one, with its rules.
    """
    began = perf_counter()
    planner = FilmPlanner(script, gaps, previous, Engines(limit=SCENE_LIMIT))
    if planner.outcome.conflicts:
        conflict = planner.outcome.conflicts[0]
        return Plan(Status.INFEASIBLE, "exact", seconds=perf_counter() - began, conflict=conflict)
    return with_seconds(settled(planner).plan, perf_counter() - began)


def settled(planner: FilmPlanner) -> Outcome:
    """The outcome of a planner once every scene with rules is planned, or its limit is reached."""
    while request := next((each for each in planner.outcome.open if each.purpose is Purpose.PLAN), None):
        planner.accept(request, solve(request.problem, request.backend, request.limit))
    return planner.outcome
