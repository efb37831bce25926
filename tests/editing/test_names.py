"""How things are called in labels and refusals."""

from __future__ import annotations

from dataclasses import replace

from adstudio.core.film import Film
from adstudio.core.script import Scene, Script
from adstudio.core.timebase import Span
from adstudio.editing.names import scene_name


def test_a_scene_goes_by_its_title_or_its_number_in_the_list():
    first, second = Scene("s7", Span(0, 1_000), "Inside"), Scene("s2", Span(1_000, 2_000))
    script = Script(Film("f", 2_000), scenes=(first, second))
    assert scene_name(script, first) == "“Inside”"
    assert scene_name(script, second) == "2"
    assert scene_name(script, replace(second, reviewed=True)) == "2", "as it was a moment ago"
    assert scene_name(replace(script, scenes=(first,)), second) == "“s2”"
