"""The editor as a process on a display, in the surroundings that people have: it opens, is worked with, and ends."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest
from desks import small_script
from display import Program, Screen

from adstudio.core.film import Media
from adstudio.media.probe import probe
from adstudio.store.media import fingerprint, source_paths
from adstudio.store.project import ProjectFile

ODD = "Gün ter – ä/日本/#1 %20 &.mp4"
NO_LIBMPV = "raise OSError('Cannot find libmpv in the usual places')"
AT_WORST = 2.0  # seconds for the editor to end


def clip(path: Path, seconds: int = 4) -> Path:
    """A film of some seconds, 25 grey frames each, with a tone."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with av.open(str(path), "w") as container:
        picture = container.add_stream("libx264", rate=25)
        picture.width, picture.height, picture.pix_fmt = 160, 90, "yuv420p"
        sound = container.add_stream("aac", rate=48_000, layout="mono")
        for number in range(25 * seconds):
            shade = np.full((90, 160, 3), 8 * (number % 25) + 20, np.uint8)
            container.mux(picture.encode(av.VideoFrame.from_ndarray(shade, format="rgb24")))
        wave = (0.2 * np.sin(np.arange(48_000 * seconds) / 20)).astype(np.float32)
        for start in range(0, len(wave), 1024):
            frame = av.AudioFrame.from_ndarray(wave[None, start : start + 1024], format="fltp", layout="mono")
            frame.sample_rate, frame.pts, frame.time_base = 48_000, start, Fraction(1, 48_000)
            container.mux(sound.encode(frame))
        container.mux(picture.encode())
        container.mux(sound.encode())
    return path


def project(folder: Path, video: Path, name: str = "small") -> Path:
    """A project beside its video."""
    path = folder / f"{name}.adproj"
    absolute, relative = source_paths(video, path)
    found = probe(video)
    media = Media(
        absolute, relative, video.stat().st_size, fingerprint(video), found.duration, found.rate, has_audio=True
    )
    script = small_script()
    ProjectFile.create(path, replace(script, film=replace(script.film, media=media))).close()
    return path


def held_out(path: Path, copy: Path) -> set[str]:
    """Which lines are held out at the last step, read from a copy of the file as it lies there."""
    copy.write_bytes(path.read_bytes())
    with ProjectFile.open(copy, read_only=True) as opened:
        return {line.id for line in opened.last_script.eventualities if line.pin.selected is False}


def ends(editor: Program) -> None:
    began = time.monotonic()
    editor.process.send_signal(signal.SIGTERM)
    editor.wait(20)
    took = time.monotonic() - began
    said = editor.said()
    for word in ("Traceback", "QObject", "Segmentation", "terminate called"):
        assert word not in said, said
    assert took < 10 * AT_WORST, f"it took {took:.1f} s to end"


Surroundings = dict[str, str]


@pytest.mark.parametrize(
    ("name", "environment"),
    [
        ("plain", {}),
        ("a comma for decimals", {"LANG": "de_DE.UTF-8", "LC_ALL": "de_DE.UTF-8"}),
        ("no locale at all", {"LANG": "C", "LC_ALL": "C"}),
        ("without libmpv", {"libmpv": "none"}),
        ("without GL", {"QT_XCB_GL_INTEGRATION": "none"}),
        ("one and a half", {"QT_SCALE_FACTOR": "1.5"}),
        ("a home that cannot be written", {"HOME": "/nonexistent", "XDG_CACHE_HOME": "/proc/nothing"}),
    ],
)
def test_a_line_is_left_out_by_a_key(
    run_editor: Callable[..., Program], screen: Screen, tmp_path: Path, name: str, environment: Surroundings
):
    given = dict(environment)
    if given.pop("libmpv", ""):
        (tmp_path / "fake").mkdir()
        (tmp_path / "fake" / "mpv.py").write_text(NO_LIBMPV)
        given["PYTHONPATH"] = str(tmp_path / "fake")
    path = project(tmp_path, clip(tmp_path / "film.mp4"))
    editor = run_editor("edit", path, **given)
    window = screen.window("small", editor)
    screen.press(window, "alt+Right", "x")
    until = time.monotonic() + 20
    while held_out(path, tmp_path / "copy.adproj") != {"a"} and time.monotonic() < until:
        time.sleep(0.1)
    assert held_out(path, tmp_path / "copy.adproj") == {"a"}, editor.said()
    ends(editor)


def test_names_that_programs_stumble_over(run_editor: Callable[..., Program], screen: Screen, tmp_path: Path):
    video = clip(tmp_path / ODD)
    path = project(video.parent, video, name="-#1 %20 & ä日本")
    editor = run_editor("edit", "--", path)
    window = screen.window("%20", editor)
    screen.press(window, "alt+Right", "x", "ctrl+s")
    until = time.monotonic() + 20
    while held_out(path, tmp_path / "copy.adproj") != {"a"} and time.monotonic() < until:
        time.sleep(0.1)
    with ProjectFile.open(tmp_path / "copy.adproj", read_only=True) as opened:
        media = opened.last_script.film.media
    assert media is not None
    assert media.path == str(video)
    ends(editor)


def test_a_missing_video_leaves_everything_else(run_editor: Callable[..., Program], screen: Screen, tmp_path: Path):
    video = clip(tmp_path / "film.mp4")
    path = project(tmp_path, video)
    video.unlink()
    editor = run_editor("edit", path)
    screen.press(screen.window("small", editor), "alt+Right", "x", "space", "l", "k")
    until = time.monotonic() + 20
    while held_out(path, tmp_path / "copy.adproj") != {"a"} and time.monotonic() < until:
        time.sleep(0.1)
    assert held_out(path, tmp_path / "copy.adproj") == {"a"}
    ends(editor)


def test_a_project_that_is_open_elsewhere_is_left_alone(
    run_editor: Callable[..., Program], screen: Screen, tmp_path: Path
):
    path = project(tmp_path, clip(tmp_path / "film.mp4"))
    content = path.read_bytes()
    with ProjectFile.open(path):
        editor = run_editor("edit", path)
        screen.window("adstudio", editor)
        ends(editor)
    assert path.read_bytes() == content


@pytest.mark.parametrize("cycles", [2, pytest.param(50, marks=pytest.mark.slow)])
def test_closing_while_the_film_plays(run_editor: Callable[..., Program], screen: Screen, tmp_path: Path, cycles: int):
    """Played at once, or shuttled at eight times the speed; closed by Ctrl+Q: exit 0, and the longest end is told."""
    path = project(tmp_path, clip(tmp_path / "film.mp4", seconds=30))
    took: list[float] = []
    for number in range(cycles):
        editor = run_editor("edit", path)
        window = screen.window("small", editor)
        screen.press(window, *(["space"] if number % 2 else ["l", "l", "l", "l"]))
        time.sleep(0.6)
        began = time.monotonic()
        screen.press(window, "ctrl+q")
        assert editor.wait(20) == 0, editor.said()
        took.append(time.monotonic() - began)
        for word in ("Traceback", "QObject", "QThread", "terminate called"):
            assert word not in editor.said(), editor.said()
    print(f"{cycles} cycles; the longest end took {max(took):.2f} s")
