"""How many lines each scene has, and how many of them are spoken: one count for every panel that tells it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container
from dataclasses import dataclass

from adstudio.core.script import Script
from adstudio.planning.film.film_problem import scene_of_each


@dataclass(frozen=True)
class SceneLines:
    """`lines` that belong to a scene, and how many of them are `spoken`, wherever their deliveries lie."""

    lines: int = 0
    spoken: int = 0


NO_LINES = SceneLines()


def lines_by_scene(script: Script, spoken: Container[str]) -> dict[str, SceneLines]:
    """By a scene's id, those that have lines; `spoken` holds the eventualities that the plan delivers.

    A line is of the scene that it names, else of the one its midpoint lies in (`scene_of_each`).
    """
    scenes = scene_of_each(script)
    lines = Counter(scenes)
    said = Counter(scene for line, scene in zip(script.eventualities, scenes, strict=True) if line.id in spoken)
    return {scene: SceneLines(count, said[scene]) for scene, count in lines.items() if scene}
