"""`adstudio mix` for control tracks and films: what lies there, what is said, what is never written over."""

from __future__ import annotations

import shutil
import wave
from dataclasses import replace
from pathlib import Path

import av
import numpy as np
import pytest
from cli_running import Run, listing

from adstudio.core.film import Film, Media
from adstudio.core.narration import VoiceSettings
from adstudio.core.plan import Delivery, Plan, Status
from adstudio.core.script import Cue, Eventuality, Script, Variant
from adstudio.core.timebase import Span
from adstudio.media.sound_tracks import Purpose, tracks_of
from adstudio.mix.control_decoder import read_control_track
from adstudio.store.media import source_file
from adstudio.store.project import ProjectFile
from adstudio.subtitles.reading import read_subtitles

pytestmark = pytest.mark.skipif(shutil.which("espeak-ng") is None, reason="espeak-ng is not installed")

SRT = "1\n00:00:04,000 --> 00:00:05,000\nWho is there?\n"


def make_film(path: Path) -> None:
    """Eight seconds of grey and a tone."""
    with av.open(str(path), "w") as out:
        picture = out.add_stream("libx264", rate=25)
        picture.width, picture.height, picture.pix_fmt = 64, 48, "yuv420p"
        sound = out.add_stream("aac", rate=48_000, layout="mono")
        for number in range(200):
            frame = av.VideoFrame.from_ndarray(np.full((48, 64, 3), number, np.uint8), format="rgb24")
            frame.pts = number
            out.mux(picture.encode(frame))
        tone = np.sin(np.arange(8 * 48_000) * 2 * np.pi * 440 / 48_000).astype(np.float32)[np.newaxis] / 10
        frame = av.AudioFrame.from_ndarray(tone, format="fltp", layout="mono")
        frame.sample_rate, frame.pts = 48_000, 0
        out.mux(sound.encode(frame))
        for stream in (picture, sound):
            out.mux(stream.encode(None))


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Eight seconds of film, a line in a gap and an extended one."""
    film, subtitles, path = tmp_path / "film.mp4", tmp_path / "film.srt", tmp_path / "P.adproj"
    make_film(film)
    subtitles.write_text(SRT, "utf-8")
    media = Media(**vars(source_file(film, path)), duration=8_000, has_audio=True)
    script = Script(
        Film("Film", 8_000, media=media, subtitles=source_file(subtitles, path)),
        cues=(Cue("c1", 4_000, 5_000, "Who is there?"),),
        eventualities=(
            Eventuality("e1", (Variant("Rain."),), Span(1000, 2000), 1),
            Eventuality("x1", (Variant("Behind the door, two men play cards."),), Span(4_500, 5000), 1, extended=True),
        ),
        voice=VoiceSettings("espeak-ng"),
    )
    plan = Plan(Status.OPTIMAL, "exact", deliveries=(Delivery("e1", 0, 1000, 3000),))
    ProjectFile.create(path, script, plan=plan).close()
    return path


def test_a_control_track(run: Run, project: Path, tmp_path: Path) -> None:
    done = run("mix", project, "--kind", "control", "--bits", 16, "-o", tmp_path / "control.wav")
    assert done.code == 0, done.err
    assert "1 line marked as extended is only in an extended film" in done.err
    with wave.open(str(tmp_path / "control.wav")) as file:
        signal = np.frombuffer(file.readframes(file.getnframes()), "<i2").reshape(-1, 2)[:, 1]
    reading = read_control_track([signal])
    assert (len(reading.messages), reading.faults) == (80, ())
    assert reading.messages[12].message.fade == 30  # 9 dB at 1.2 s
    assert {each.message.fade for each in reading.messages[40:]} == {0}


def test_a_film_with_a_further_track(run: Run, project: Path, tmp_path: Path) -> None:
    done = run("mix", project, "--kind", "film", "-o", tmp_path / "ad.mkv")
    assert done.code == 0, done.err
    assert [(each.purpose, each.language) for each in tracks_of(tmp_path / "ad.mkv")] == [
        (Purpose.FILM, ""),
        (Purpose.DESCRIPTION, "eng"),
    ]


def test_an_extended_film_with_captions_and_script(run: Run, project: Path, tmp_path: Path) -> None:
    done = run("mix", project, "--kind", "extended", "-o", tmp_path / "ext.mp4")
    assert done.code == 0, done.err
    assert "2 lines" in done.err
    (caption,) = read_subtitles(tmp_path / "ext.srt").cues
    spoken = {cue.text: cue for cue in read_subtitles(tmp_path / "ext.descriptions.vtt").cues}
    line = spoken["Behind the door, two men play cards."]
    assert line.start == 4_500
    # The caption stays while the line is spoken, a breath longer, and then for the rest of its time.
    assert (caption.start, caption.end) == (4_000, line.end + 250 + 500)
    assert spoken["Rain."].start == 1000


@pytest.mark.parametrize("name", ["film.mkv", "film.mov"])
def test_captions_are_never_written_over_the_films_own(run: Run, project: Path, tmp_path: Path, name: str) -> None:
    before = listing(tmp_path)
    done = run("mix", project, "--kind", "extended", "-o", tmp_path / name)
    assert done.code == 2
    assert "film.srt would replace" in done.err
    assert listing(tmp_path) == before
    assert (tmp_path / "film.srt").read_text("utf-8") == SRT


@pytest.mark.parametrize("kind", ["film", "extended"])
@pytest.mark.parametrize(("name", "words"), [("ad.avi", "cannot be written in this format"), ("film.mp4", "replace")])
def test_names_that_cannot_be(run: Run, project: Path, tmp_path: Path, kind: str, name: str, words: str) -> None:
    before = listing(tmp_path)
    done = run("mix", project, "--kind", kind, "-o", tmp_path / name)
    assert done.code == 2
    assert words in done.err
    assert listing(tmp_path) == before


def test_an_extended_film_without_extended_lines_is_refused_before_anything_is_spoken(
    run: Run, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Without the engine the first line that had to be spoken would fail.
    monkeypatch.setenv("PATH", str(tmp_path))
    # The extended line has not been accepted.
    done = run("mix", project, "--kind", "extended", "--accepted-only", "-o", tmp_path / "ext.mp4")
    done.refused(2, "no line is marked as extended")
    for kind, name in (("film", "ad.avi"), ("extended", "ad.webm"), ("mix", "ad.mp3"), ("control", "ad.w64")):
        assert run("mix", project, "--kind", kind, "-o", tmp_path / name).code == 2


def test_a_project_without_a_film(run: Run, project: Path, tmp_path: Path) -> None:
    path = tmp_path / "Q.adproj"
    with ProjectFile.open(project, read_only=True) as opened:
        script, plan = opened.saved_script, opened.saved_plan
    ProjectFile.create(path, replace(script, film=replace(script.film, media=None)), plan=plan).close()
    done = run("mix", path, "--kind", "film", "-o", tmp_path / "ad.mp4")
    assert done.code == 2
    assert "the project has no film" in done.err
