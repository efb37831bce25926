"""On a display: GL in every kind of window, and closing again and again while the film plays."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).parent

pytest.importorskip("mpv", exc_type=(ImportError, OSError))


@pytest.mark.parametrize(
    ("drawing", "kind", "scale"),
    [
        ("opengl", "GlCanvas GlView", "1"),
        ("software", "ImageCanvas ImageView", "1.5"),
        pytest.param("opengl", "GlCanvas GlView", "1.5", marks=pytest.mark.slow),
        pytest.param("software", "ImageCanvas ImageView", "1", marks=pytest.mark.slow),
    ],
)
def test_the_picture_is_right_and_sharp_wherever_the_view_is_moved(on_display, clip, tmp_path, drawing, kind, scale):
    program = on_display(HERE / "picture_windows.py", clip, tmp_path, drawing, QT_SCALE_FACTOR=scale)
    assert program.wait(60) == 0, program.said()
    assert kind in program.said()
    assert f"ratio {float(scale)}" in program.said()
    assert "arning" not in program.said()


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
    """In a locale made for the test, since few machines have a German one."""
    locales = tmp_path / "locales"
    locales.mkdir()
    if shutil.which("localedef") is None or not Path("/usr/share/i18n/locales/de_DE").exists():
        pytest.skip("there is nothing to make a German locale of")
    subprocess.run(
        ["localedef", "-i", "de_DE", "-f", "UTF-8", locales / "de_DE.UTF-8"], check=True, capture_output=True
    )
    german = {"LANG": "de_DE.UTF-8", "LC_ALL": "de_DE.UTF-8", "LOCPATH": str(locales)}
    program = on_display(HERE / "cycles.py", clip, tmp_path / "projects", "1", "software", **german)
    assert program.wait(60) == 0, program.said()
    # Where nobody has set the numbers right after QApplication, the player does, and mpv does not end the program.
    bare = on_display(
        "-c",
        "import locale; from PySide6.QtWidgets import QApplication; a = QApplication([]);"
        "print(locale.localeconv()['decimal_point']);"
        "from adstudio.ui.background.thread_bridge import ThreadBridge;"
        "from adstudio.ui.picture.mpv_core import MpvCore;"
        "core = MpvCore(ThreadBridge()); print('plays', locale.localeconv()['decimal_point']); core.close()",
        **german,
    )
    assert bare.wait(60) == 0, bare.said()
    assert bare.said().split() == [",", "plays", "."]
