"""How many items each scene has and how many of them are spoken, counted the same way for every panel."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container
from dataclasses import dataclass

from adstudio.core.script import Script
from adstudio.planning.film.film_problem import scene_of_each


@dataclass(frozen=True)
class SceneLines:
    """How many items belong to a scene, and how many of them are spoken, wherever their deliveries lie."""

    lines: int = 0
    spoken: int = 0


NO_LINES = SceneLines()


def lines_by_scene(script: Script, spoken: Container[str]) -> dict[str, SceneLines]:
    """The counts of each scene that has items, by its id; `spoken` are those that are (`core.fusions.items_said`)."""
    scenes = scene_of_each(script)
    lines = Counter(scenes)
    said = Counter(scene for line, scene in zip(script.eventualities, scenes, strict=True) if line.id in spoken)
    return {scene: SceneLines(count, said[scene]) for scene, count in lines.items() if scene}
