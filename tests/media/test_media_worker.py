from __future__ import annotations

import contextlib
import os
import shutil
import signal
import struct
from pathlib import Path

import pytest
from media_clips import even, make_clip, tone
from worker_process import running

from adstudio.media.cache import Kind, cached, place, source_of
from adstudio.media.messages import PROTOCOL, FilmProgress, Probed, ProbeVideo, Processed, ProcessFilm
from adstudio.media.peaks import PEAKS, parse_peaks
from adstudio.media.probe import probe
from adstudio.media.shots import SHOTS, parse_shots
from adstudio.media.thumbnails import THUMBNAILS, parse_thumbnails
from adstudio.store.media import fingerprint
from adstudio.system.worker import STOPPED, Failed


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache"


def asked(verb, film, known):
    return ProbeVideo(film) if verb == "probe" else ProcessFilm(Kind(verb), film, known)


@pytest.fixture
def start():
    """Starts the process; what is left of it goes with the test."""
    with contextlib.ExitStack() as left:
        yield lambda verb, film, *, known="": left.enter_context(running(PROTOCOL, asked(verb, film, known)))


@pytest.fixture
def run(start):
    """All events of a run whose standard input stays open."""

    def events_of(verb, film, *, known="", code=0):
        process = start(verb, film, known=known)
        events = list(process.events())
        assert process.log() == b""
        assert process.wait() == code
        assert all(isinstance(event, FilmProgress) for event in events[:-1])
        return events

    return events_of


@pytest.fixture(scope="module")
def film(tmp_path_factory):
    path = tmp_path_factory.mktemp("film") / "a.mp4"
    return make_clip(path, even(25, 12), [4, 8], sound=tone(12, [(2, 3)]))


def test_the_waveform(run, film):
    first, *_, done = run("peaks", film)
    assert first == FilmProgress(0.0)
    assert done == Processed(place(Kind.PEAKS, source_of(film)))
    assert cached(Kind.PEAKS, source_of(film)) == done.path
    peaks = PEAKS.read(done.path)
    assert peaks.complete
    assert [round(v / 128) for v in peaks.window(0, 12_000, 12)] == [0, 0, 1, *[0] * 9]
    assert parse_peaks(done.content()).duration == peaks.duration


def test_the_shots_and_their_pictures(run, film):
    done = run("thumbnails", film)[-1]
    assert [(item.start, item.end) for item in THUMBNAILS.read(done.path).items] == [
        (0, 4000), (4000, 8000), (8000, 12_000)
    ]  # fmt: skip
    assert SHOTS.read(cached(Kind.SHOTS, source_of(film))).boundaries == (0, 4000, 8000, 12_000)
    assert parse_shots(run("shots", film)[-1].content()).cuts == (4000, 8000)


def test_what_the_file_holds(run, film):
    done = run("probe", film)[-1]
    assert isinstance(done, Probed)
    assert done.probe == probe(film)
    media = done.media
    assert (media.path, media.size, media.fingerprint) == (str(film), film.stat().st_size, fingerprint(film))
    assert (media.duration, media.rate, media.has_audio, media.width, media.height) == (12_000, 25, True, 128, 72)


def test_a_fingerprint_that_is_known_is_believed(run, film):
    assert run("peaks", film, known="blake2b:known")[-1].path == place(Kind.PEAKS, source_of(film, "blake2b:known"))


@pytest.mark.parametrize(
    "name",
    ["Gün ter – ä/日本/#1 %20 &.mp4", "-v.mp4", "--fingerprint=x.mp4", "concat:a.mp4", "pipe:0", "%d.mp4", "n" * 250,
     os.fsdecode(b"caf\xe9.mp4"), "two\nlines.mp4"],
)  # fmt: skip
@pytest.mark.parametrize("verb", ["peaks", "probe"])
def test_names_are_only_names(run, film, tmp_path, monkeypatch, name, verb):
    monkeypatch.chdir(tmp_path)
    Path(name).parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(film, name)
    done = run(verb, Path(name))[-1]
    if verb == "peaks":
        assert parse_peaks(done.content()).duration >= 12_000
    else:
        assert Path(done.media.path) == tmp_path / name


def test_a_film_without_sound_and_sound_without_pictures(run, tmp_path):
    silent = make_clip(tmp_path / "a.mp4", even(25, 1))
    assert PEAKS.read(run("peaks", silent)[-1].path).duration == 0
    heard = make_clip(tmp_path / "a.wav", sound=tone(1, []), audio_codec="pcm_s16le")
    assert SHOTS.read(run("shots", heard)[-1].path).count == 0
    assert THUMBNAILS.read(run("thumbnails", heard)[-1].path).items == ()


@pytest.mark.parametrize("verb", ["probe", "peaks", "shots", "thumbnails"])
@pytest.mark.parametrize("content", [b"", b"hello", bytes(50_000), None])
def test_what_is_no_film_is_told_in_one_sentence(run, tmp_path, verb, content):
    path = tmp_path / "a.mp4"
    if content is not None:
        path.write_bytes(content)
    failed = run(verb, path, code=2)[-1]
    assert isinstance(failed, Failed)
    assert str(path) in failed.message
    assert "\n" not in failed.message


@pytest.mark.parametrize(("verb", "parse"), [("peaks", parse_peaks), ("thumbnails", parse_thumbnails)])
def test_without_a_cache_the_result_comes_along_and_the_reason_is_told(run, film, own_cache, verb, parse):
    own_cache.write_text("a file where the folder should be")
    done = run(verb, film)[-1]
    assert done.path is None
    assert parse(done.content()).complete
    assert done.note.startswith(f"The film’s {verb} cannot be cached: ")


def test_a_damaged_file_of_shots_is_made_again(run, film):
    path = run("shots", film)[-1].path
    data = path.read_bytes()
    path.write_bytes(data[:-3] + b"???")
    assert len(THUMBNAILS.read(run("thumbnails", film)[-1].path).items) == 3
    assert path.read_bytes() == data


def hours_of_silence(path, hours, rate=8000):
    """A WAV file of 8 bits whose samples take no room on the disk."""
    size = hours * 3600 * rate
    head = b"WAVEfmt " + struct.pack("<IHHIIHH", 16, 1, 1, rate, rate, 1, 8) + b"data" + struct.pack("<I", size)
    path.write_bytes(b"RIFF" + struct.pack("<I", size + len(head)) + head)
    os.truncate(path, size + len(head) + 8)
    return path


@pytest.mark.parametrize("hours", [2, pytest.param(10, marks=pytest.mark.slow)])
def test_hours_of_sound(run, tmp_path, hours):
    peaks = PEAKS.read(run("peaks", hours_of_silence(tmp_path / "a.wav", hours, rate=1000))[-1].path)
    assert (peaks.duration, len(peaks.bins)) == (hours * 3_600_000, hours * 360_000)
    assert set(peaks.window(0, peaks.duration, 1000)) == {255}  # zeros are the lowest of unsigned samples


def test_it_ends_when_its_input_closes(start, tmp_path):
    process = start("peaks", hours_of_silence(tmp_path / "a.wav", 120))
    assert isinstance(process.event(), FilmProgress)
    process.close_input()
    assert process.wait() == STOPPED


def test_it_ends_when_it_is_terminated(start, tmp_path):
    process = start("peaks", hours_of_silence(tmp_path / "a.wav", 120))
    assert isinstance(process.event(), FilmProgress)
    process.process.terminate()
    assert process.wait() == -signal.SIGTERM


def test_it_ends_when_nobody_listens(start, tmp_path):
    process = start("peaks", hours_of_silence(tmp_path / "a.wav", 120))
    process.process.stdout.close()
    assert process.wait() == STOPPED


def test_what_is_said_to_it_is_no_reason_to_end(start, film):
    process = start("peaks", film)
    process.ask(ProbeVideo(film))
    assert isinstance(list(process.events())[-1], Processed)
    assert process.wait() == 0


def test_the_waveform_appears_while_it_is_made(start, tmp_path):
    long = hours_of_silence(tmp_path / "a.wav", 120)
    process = start("peaks", long)
    partial = next(each.partial for each in process.events() if isinstance(each, FilmProgress) and each.partial)
    peaks = PEAKS.read(partial)
    assert not peaks.complete
    assert 0 < peaks.duration < 120 * 3_600_000
    assert cached(Kind.PEAKS, source_of(long)) is None
    process.close_input()
    assert process.wait() == STOPPED
