"""The lines of each scene, counted once for all panels."""

from __future__ import annotations

from adstudio.core.film import Film
from adstudio.core.script import Eventuality, Scene, Script, Variant
from adstudio.core.timebase import Span
from adstudio.planning.film.scene_line_counts import SceneLines, lines_by_scene


def line(name: str, occurrence: Span | None = None, scene: str | None = None) -> Eventuality:
    return Eventuality(name, (Variant("She leaves."),), occurrence, 500_000, scene)


def test_a_line_is_counted_where_it_belongs_and_as_spoken_wherever_it_is_said():
    script = Script(
        Film("F", Span(0, 30_000).end),
        scenes=(Scene("s1", Span(0, 10_000)), Scene("s2", Span(10_000, 20_000)), Scene("s3", Span(20_000, 30_000))),
        eventualities=(
            line("a", Span(1_000, 2_000)),
            line("b", Span(3_000, 4_000), "s2"),  # named, though it happens in s1
            line("c", Span(12_000, 13_000)),
            line("d"),  # nowhere
        ),
    )
    counts = lines_by_scene(script, {"a", "b", "d"})
    assert counts == {"s1": SceneLines(1, 1), "s2": SceneLines(2, 1)}
