"""How the film is made: the same every time, called off cleanly, and with a sentence where a part is missing."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pysubs2
import pytest
from sample_watching import needs_voices, watch

from adstudio.core.errors import OutsideFailureError
from adstudio.sample_film import SampleFilm, sample_paths
from sample_film.make import SampleCancelledError, make_sample
from sample_film.source import FilmSource


def test_the_same_film_every_time(tmp_path: Path, short_source: FilmSource) -> None:
    needs_voices()
    one = make_sample(tmp_path / "one", source=short_source)
    two = make_sample(tmp_path / "two", source=short_source)
    assert one.film.read_bytes() == two.film.read_bytes()
    seen = watch(one.film)
    assert len(seen.pictures) == 100
    assert np.abs(seen.sound).max() > 0.01
    for first, second in zip(one.paths, two.paths, strict=True):
        assert first.read_bytes() == second.read_bytes()


def test_the_same_film_whatever_the_memory_held(tmp_path: Path, short_source: FilmSource) -> None:
    """The C library fills memory that it hands out with another byte in each of the two processes."""
    needs_voices()
    made: list[bytes] = []
    for fill in ("1", "255"):
        target = tmp_path / fill
        program = "import pickle, sys; from pathlib import Path; from sample_film.make import make_sample; "
        program += "make_sample(Path(sys.argv[1]), source=pickle.load(sys.stdin.buffer))"
        subprocess.run(
            [sys.executable, "-c", program, str(target)],
            input=pickle.dumps(short_source),
            env={**os.environ, "MALLOC_PERTURB_": fill, "PYTHONPATH": os.pathsep.join(sys.path)},
            check=True,
        )
        made.append(sample_paths(target).film.read_bytes())
    assert made[0] == made[1]


def test_progress_runs_from_nothing_to_all(tmp_path: Path, short_source: FilmSource) -> None:
    needs_voices()
    progress: list[tuple[str, float]] = []
    make_sample(tmp_path, source=short_source, progress=lambda what, share: progress.append((what, share)))
    shares = [share for _, share in progress]
    assert shares == sorted(shares)
    assert shares[0] <= 0.01
    assert shares[-1] == 1.0
    assert len({what for what, _ in progress}) >= 3
    assert len(shares) > 50


def test_making_again_replaces_what_is_there(tmp_path: Path, short_source: FilmSource) -> None:
    needs_voices()
    (tmp_path / "film.mp4").write_text("old")
    (tmp_path / "mine.txt").write_text("not ours")
    film = make_sample(tmp_path, source=short_source)
    assert film.film.stat().st_size > 1000
    assert (tmp_path / "mine.txt").read_text() == "not ours"


@pytest.mark.parametrize("after", [0, 1, 4, 30])
def test_called_off_it_leaves_nothing(tmp_path: Path, short_source: FilmSource, after: int) -> None:
    needs_voices()
    asked = 0

    def cancelled() -> bool:
        nonlocal asked
        asked += 1
        return asked > after

    out = tmp_path / "new"
    with pytest.raises(SampleCancelledError):
        make_sample(out, source=short_source, cancelled=cancelled)
    assert asked == after + 1
    assert not out.exists()
    assert list(tmp_path.iterdir()) == []


def test_an_interrupt_leaves_an_existing_folder_as_it_was(tmp_path: Path, short_source: FilmSource) -> None:
    needs_voices()
    (tmp_path / "film.mp4").write_text("old")

    def progress(_: str, share: float) -> None:
        if share > 0.5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        make_sample(tmp_path, source=short_source, progress=progress)
    assert [path.name for path in tmp_path.iterdir()] == ["film.mp4"]
    assert (tmp_path / "film.mp4").read_text() == "old"


def test_without_espeak_a_sentence_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, short_source: FilmSource
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path / "nowhere"))
    with pytest.raises(OutsideFailureError, match="apt-get install espeak-ng") as told:
        make_sample(tmp_path / "out", source=short_source)
    assert told.value.exit_code == 3
    assert not (tmp_path / "out").exists()


def test_a_voice_program_that_fails_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, short_source: FilmSource
) -> None:
    broken = tmp_path / "bin" / "espeak-ng"
    broken.parent.mkdir()
    broken.write_text("#!/bin/sh\necho 'no such voice' >&2\nexit 1\n")
    broken.chmod(0o755)
    monkeypatch.setenv("PATH", str(broken.parent))
    with pytest.raises(OutsideFailureError, match="no such voice"):
        make_sample(tmp_path / "out", source=short_source)
    assert not (tmp_path / "out").exists()


def test_a_target_that_is_no_folder_is_told(tmp_path: Path, short_source: FilmSource) -> None:
    needs_voices()
    target = tmp_path / "film"
    target.write_text("a file")
    with pytest.raises(OutsideFailureError, match="cannot be written"):
        make_sample(target, source=short_source)
    assert target.read_text() == "a file"


@pytest.mark.slow
def test_the_shipped_film_can_be_made_again(tmp_path: Path, sample_film: SampleFilm) -> None:
    """Length, size and words are the same; speech may last a little longer or shorter by another eSpeak NG."""
    needs_voices()
    progress: list[float] = []
    remade = make_sample(tmp_path, progress=lambda _, share: progress.append(share))
    assert len(progress) > 500
    shipped_picture, remade_picture = (watch(film.film) for film in (sample_film, remade))
    assert remade_picture.size == shipped_picture.size
    assert remade_picture.frame_rate == shipped_picture.frame_rate
    assert len(remade_picture.pictures) == len(shipped_picture.pictures)
    for name in ("srt", "vtt", "sdh_srt"):
        ours, theirs = (pysubs2.load(str(getattr(film, name))) for film in (sample_film, remade))
        assert [(cue.start, cue.text) for cue in ours] == [(cue.start, cue.text) for cue in theirs]
        assert all(abs(a.end - b.end) <= 200 for a, b in zip(ours, theirs, strict=True))
    for shipped, made in zip(sample_film.paths, remade.paths, strict=True):
        if shipped.name != "film.mp4" and not shipped.name.startswith("dialogue"):
            assert made.read_bytes() == shipped.read_bytes(), shipped.name
