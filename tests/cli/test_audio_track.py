"""`--audio-track`: which sound track of a film is listened to, by `gaps`, `gaps --against` and `draft`."""

import sys
from pathlib import Path

import av
import numpy as np
import pytest
from av.stream import Disposition
from cli_contracts import check_gaps

from adstudio.store.project import ProjectFile

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "media"))
from media_clips import make_tracks

pytest.importorskip("onnxruntime")
SECONDS = 20


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture
def film(shared_data: Path, tmp_path: Path) -> Path:
    """A default track, “Audio description”, in which somebody speaks from about 3.1 to 16.4 s, and a silent one."""
    voice: list[np.ndarray] = []
    with av.open(str(shared_data / "film" / "plan9-trailer" / "plan9.av1.mp4")) as source:
        resampler = av.AudioResampler("flt", "mono", 16_000)
        for frame in source.decode(audio=0):
            voice += [part.to_ndarray().reshape(-1) for part in resampler.resample(frame)]
    spoken = np.concatenate(voice)[: SECONDS * 16_000]
    tracks = [({"title": "Audio description"}, Disposition.default, spoken), ({}, Disposition(0), None)]
    return make_tracks(tmp_path / "film.mkv", tracks, seconds=SECONDS)


def what(value: dict) -> str:
    return "\n".join(problem["what"] for problem in value["problems"])


def test_gaps_of_a_film(film: Path, run):
    value = check_gaps(run("gaps", film).out)
    assert value["gaps"] == [[0, SECONDS]]
    assert "sound track 2 of 2 is used; not used: 1 “Audio description”" in what(value)
    described = check_gaps(run("gaps", film, "--audio-track", "1").out)
    edges = [float(edge) for gap in described["gaps"] for edge in gap]
    assert edges[1:3] == pytest.approx([3.1, 16.4], abs=0.6)
    assert "sound track 1 “Audio description” of 2 is used; not used: 2" in what(described)
    assert "seems to hold audio description" in what(described)


def test_subtitles_against_a_film(film: Path, run, tmp_path: Path):
    subtitles = tmp_path / "film.srt"
    lines = [f"{n}\n00:00:{3 + 2 * n:02d},000 --> 00:00:{4 + 2 * n:02d},000\nWords." for n in range(1, 6)]
    subtitles.write_text("\n\n".join(lines))
    ran = run("gaps", subtitles, "--against", film, "-o", tmp_path / "gaps.json")
    assert "sound track 2 of 2 is used" in ran.err
    assert "hardly any speech" in ran.err
    ran = run("gaps", subtitles, "--against", film, "--audio-track", "1", "-o", tmp_path / "gaps.json")
    assert "sound track 1 “Audio description” of 2 is used" in ran.err
    assert "hardly any speech" not in ran.err


def test_a_draft_listens_to_the_track_and_the_project_keeps_it(film: Path, run, tmp_path: Path):
    source = tmp_path / "prose.txt"
    source.write_text("[00:00:01] A cat walks along the shelf.\n")
    project = tmp_path / "film.adproj"
    chosen: list[tuple[int | None, bool]] = []
    for given in ([], ["--audio-track", "1"]):
        ran = run("draft", film, "--description", source, *given, "--force", "-o", project)
        assert ran.code == 0, ran.err
        assert f"sound track {1 if given else 2}" in ran.err
        with ProjectFile.open(project) as opened:
            media = opened.saved_script.film.media
            chosen.append((media.sound_track, bool(opened.saved_script.cues)))
    assert chosen == [(None, False), (1, True)]


@pytest.mark.parametrize("track", ["3", "0", "x"])
def test_a_track_that_is_not_there(film: Path, run, tmp_path: Path, track: str):
    ran = run("gaps", film, "--audio-track", track)
    assert ran.code == 2
    if track != "x":
        assert f"there is no sound track {track}" in ran.err
        assert "“Audio description”" in ran.err


def test_without_a_film_there_is_no_track_to_choose(srt: Path, run, tmp_path: Path):
    ran = run("gaps", srt, "--audio-track", "1")
    assert (ran.code, "--audio-track" in ran.err) == (2, True)
    source = tmp_path / "prose.txt"
    source.write_text("[00:00:01] A cat walks along the shelf.\n")
    given = ["--subtitles", srt, "--end", "60", "--description", source, "-o", tmp_path / "film.adproj"]
    ran = run("draft", *given, "--audio-track", "1")
    assert (ran.code, "--audio-track" in ran.err) == (2, True)
