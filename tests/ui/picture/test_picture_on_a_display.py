"""On a display: GL in every kind of window, and closing again and again while the film plays."""

from __future__ import annotations

from pathlib import Path

import pytest

HERE = Path(__file__).parent

pytest.importorskip("mpv", exc_type=ImportError)


def test_gl_shows_the_picture_wherever_the_view_is_moved(on_display, clip, tmp_path):
    program = on_display(HERE / "gl_windows.py", clip, tmp_path)
    assert program.wait(60) == 0, program.said()
    assert "GlCanvas GlView" in program.said()
    assert "Warning" not in program.said()


@pytest.mark.parametrize("drawing", ["opengl", "software"])
def test_it_ends_whatever_the_film_is_doing(on_display, clip, tmp_path, drawing):
    program = on_display(HERE / "cycles.py", clip, tmp_path, "3", drawing)
    assert program.wait(60) == 0, program.said()
    assert "done" in program.said()


@pytest.mark.slow
@pytest.mark.parametrize("drawing", ["opengl", "software"])
def test_fifty_times(on_display, clip, tmp_path, drawing):
    program = on_display(HERE / "cycles.py", clip, tmp_path, "50", drawing)
    assert program.wait(240) == 0, program.said()
    print(program.said())


def test_a_comma_for_decimals(on_display, clip, tmp_path):
    program = on_display(HERE / "cycles.py", clip, tmp_path, "1", "software", LANG="de_DE.UTF-8", LC_ALL="de_DE.UTF-8")
    assert program.wait(60) == 0, program.said()
