"""How many lines each scene has, and how many of them are spoken: one count for every panel that tells it."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass

from adstudio.core.script import Script
from adstudio.planning.film import scene_of_each


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
    lines: dict[str, int] = {}
    said: dict[str, int] = {}
    for eventuality, scene in zip(script.eventualities, scene_of_each(script), strict=True):
        lines[scene] = lines.get(scene, 0) + 1
        if eventuality.id in spoken:
            said[scene] = said.get(scene, 0) + 1
    return {scene: SceneLines(count, said.get(scene, 0)) for scene, count in lines.items() if scene}
