"""On the sample film, whose people are drawn; the model's part is skipped where it is not installed."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import av
import numpy as np
import pytest
from face_values import face

from adstudio.characters import faces_detection, faces_models
from adstudio.characters.faces import encode_faces
from adstudio.characters.faces_clusters import clustered
from adstudio.characters.faces_detection import cached_faces, faces_of
from adstudio.characters.faces_frames import FilmReader, SampledFrame, sampled_frames
from adstudio.characters.faces_messages import FacesSeen
from adstudio.characters.faces_models import MISSING, are_installed
from adstudio.characters.faces_texts import time_left
from adstudio.core.errors import OutsideFailureError
from adstudio.core.timebase import Span
from adstudio.media.cache import Kind, source_of, store
from adstudio.media.opening import MediaError
from adstudio.media.shots import SHOTS, Shots

SAMPLE = Path(__file__).resolve().parents[2] / "resources/sample/film.mp4"
WITH_MODELS = pytest.mark.skipif(not are_installed(), reason="dlib and its weights are not installed (extra faces)")


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture(scope="module")
def minute(tmp_path_factory):
    """Twelve seconds of the sample film: the clerk and Nora at the counter, then Nora alone."""
    path = tmp_path_factory.mktemp("film") / "counter.mp4"
    with av.open(str(SAMPLE)) as film, av.open(str(path), "w") as out:
        video = film.streams.video[0]
        copied = out.add_stream("libx264", rate=25, options={"preset": "ultrafast"})
        copied.width, copied.height, copied.pix_fmt = video.width, video.height, "yuv420p"
        film.seek(10_000_000)
        number = 0
        for frame in film.decode(video):
            if not 10 <= frame.time < 22 or number >= 300:
                continue
            picture = av.VideoFrame.from_ndarray(frame.to_ndarray(format="rgb24"), format="rgb24")
            picture.pts = number
            number += 1
            out.mux(copied.encode(picture))
        out.mux(copied.encode())
    return path


def all_of(search):
    """The faces that a search returns, and what it reported on the way."""
    reports = []
    while True:
        try:
            reports.append(next(search))
        except StopIteration as done:
            return done.value, reports


def test_every_shot_is_looked_at_once_a_second_and_at_least_once():
    frames = sampled_frames((0, 300, 10_300, 13_000))
    assert frames[0] == SampledFrame(Span(0, 300), 150)
    assert len([frame for frame in frames if frame.shot.start == 300]) == 10
    assert all(frame.shot.start <= frame.time < frame.shot.end for frame in frames)
    assert sampled_frames(()) == []


def test_long_films_are_searched_every_two_seconds_and_endless_ones_within_a_limit():
    assert len(sampled_frames(range(0, 7_200_001, 4000))) == 3600
    assert len(sampled_frames((0, 36_000_000))) == 18_000
    assert len(sampled_frames((0, 359_000_000))) <= 40_000
    assert len(sampled_frames(range(0, 30_000_001, 300))) <= 40_000


def test_pictures_are_read_at_rising_times_and_behind_leaps():
    with FilmReader(SAMPLE) as film:
        seen = [film.picture_at(SampledFrame(Span(0, 164_000), at)) for at in (500, 1500, 90_000, 91_000, 20_000)]
    times = [each[0] for each in seen]
    assert all(abs(time - at) <= 120 for time, at in zip(times, (500, 1500, 90_000, 91_000, 20_000), strict=True))
    assert {each[1].shape for each in seen} == {(720, 1280, 3)}


def test_what_is_no_film_is_said(tmp_path):
    (tmp_path / "film.mp4").write_bytes(b"no film" * 100)
    if not are_installed():
        pytest.skip("the search begins with the models, which are not installed")
    with pytest.raises(MediaError, match="cannot be read as a film"):
        all_of(faces_of(tmp_path / "film.mp4"))


def test_a_missing_part_is_said_with_what_to_install(monkeypatch):
    monkeypatch.setattr(faces_models, "find_spec", lambda _name: None)
    with pytest.raises(OutsideFailureError) as raised:
        all_of(faces_of(SAMPLE))
    assert str(raised.value) == MISSING
    assert raised.value.exit_code == 3


def test_damaged_weights_are_said_and_never_loaded(monkeypatch, tmp_path):
    (tmp_path / "models").mkdir()
    for name in faces_models._SUMS:
        (tmp_path / "models" / name).write_bytes(b"damaged")
    spec = type("Spec", (), {"submodule_search_locations": [str(tmp_path)]})
    monkeypatch.setattr(faces_models, "find_spec", lambda _name: spec)
    with pytest.raises(OutsideFailureError, match="damaged or of another version"):
        faces_models.FaceModels()


@WITH_MODELS
def test_two_drawn_people_are_found_and_told_apart_and_cached(minute):
    found, reports = all_of(faces_of(minute))
    assert found.complete
    assert len(found.sampled) == 12
    assert found.undecoded == 0
    clusters = clustered(found, {}).clusters
    # Nora is in nearly every picture, the clerk in the first ones and the last.
    assert [len(cluster.faces) >= 3 for cluster in clusters[:2]] == [True, True]
    assert all(each.crop.startswith(b"\xff\xd8") for each in found.faces)
    fractions = [report.fraction for report in reports if report.fraction is not None]
    assert fractions == sorted(fractions)
    assert fractions[-1] == 1.0
    assert all_of(faces_of(minute)) == (found, [])  # from the cache, without a search


@WITH_MODELS
def test_a_search_that_was_stopped_goes_on_where_it_was(minute, monkeypatch):
    whole, _ = all_of(faces_of(minute))
    half = len(whole.sampled) // 2
    seen = [each for each in whole.faces if each.time > whole.sampled[half]]
    part = whole.without(seen)
    part = type(part)(part.faces, part.boundaries, part.sampled[: half + 1], complete=False)
    store(Kind.FACES, source_of(minute), encode_faces(part), complete=False)
    asked = []
    answers = faces_detection._answers
    monkeypatch.setattr(
        faces_detection, "_answers", lambda video, frames, n: (asked.extend(frames), answers(video, frames, n))[1]
    )
    again, _ = all_of(faces_of(minute))
    assert len(asked) == len(whole.sampled) - half - 1
    assert [(each.time, each.box) for each in again.faces] == [(each.time, each.box) for each in whole.faces]


@WITH_MODELS
def test_pictures_that_crash_the_search_are_left_out(minute, monkeypatch):
    started = faces_detection._Reader._started

    def dying(self):
        process = started(self)
        if self._crashes == 0:
            process.kill()
        return process

    monkeypatch.setattr(faces_detection._Reader, "_started", dying)
    found, _ = all_of(faces_of(minute))
    assert found.complete
    assert found.undecoded == 4


@WITH_MODELS
def test_a_film_that_crashes_again_and_again_is_given_up(minute, monkeypatch):
    monkeypatch.setattr(faces_detection.READER, "command", lambda: [sys.executable, "-c", "import sys; sys.exit(9)"])
    monkeypatch.setattr(faces_detection, "MOST_CRASHES", 1)
    with pytest.raises(OutsideFailureError, match="crashes again and again"):
        all_of(faces_of(minute))


@WITH_MODELS
def test_the_search_ends_with_who_asked_for_it(minute):
    from adstudio.characters.faces_messages import JOB, FindFaces

    job = subprocess.Popen(JOB.command(), stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    job.stdin.write(JOB.request_line(FindFaces(minute)))
    job.stdin.flush()
    job.stdout.readline()
    children = Path(f"/proc/{job.pid}/task/{job.pid}/children")
    deadline = time.monotonic() + 60
    while children.exists() and not children.read_text() and time.monotonic() < deadline:
        time.sleep(0.05)
    readers = [int(each) for each in children.read_text().split()] if children.exists() else []
    job.stdin.close()
    job.stdout.close()
    job.wait(60)
    while any(alive(each) for each in readers) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(alive(each) for each in readers)
    assert cached_faces(source_of(minute)) is None or not cached_faces(source_of(minute)).complete


@WITH_MODELS
def test_portraits_are_told_apart_and_pictures_of_no_face_have_none(minute):
    from adstudio.characters.faces_portraits import portrait_vectors

    with FilmReader(SAMPLE) as film:
        _, pixels = film.picture_at(SampledFrame(Span(0, 164_000), 16_000))
    import io

    from PIL import Image

    def jpeg(array):
        kept = io.BytesIO()
        Image.fromarray(array).save(kept, "JPEG")
        return kept.getvalue()

    half = pixels[:, 320:960]
    twice = np.concatenate([half, half], axis=1)
    flat = np.full((200, 200, 3), 90, np.uint8)
    nora, two, grey, broken = portrait_vectors([jpeg(pixels), jpeg(twice), jpeg(flat), b"broken"])
    assert (len(nora.vector), nora.faces, two.faces) == (512, 1, 2)
    assert (grey.vector, grey.faces) == (broken.vector, broken.faces) == (b"", 0)


@WITH_MODELS
def test_of_a_crowd_the_clearest_faces_are_taken_and_the_others_counted():
    with FilmReader(SAMPLE) as film:
        _, pixels = film.picture_at(SampledFrame(Span(0, 164_000), 16_000))
    from PIL import Image

    from adstudio.characters.faces_models import MOST_IN_PICTURE, FaceModels

    models = FaceModels()
    ((nora,), none) = models.faces_in(pixels)
    assert none == 0
    rows, columns = pixels.shape[:2]
    wide, high = nora.box.width * columns // 10_000, nora.box.height * rows // 10_000
    left, top = nora.box.left * columns // 10_000, nora.box.top * rows // 10_000
    head = pixels[max(0, top - high // 2) : top + high * 3 // 2, max(0, left - wide // 2) : left + wide * 3 // 2]
    small = np.asarray(Image.fromarray(head).resize((180, 180)))
    ways: list[str] = []
    taken, more = models.faces_in(np.tile(small, (4, 7, 1)), lambda: ways.append("given"))
    assert len(taken) == MOST_IN_PICTURE
    assert len(ways) == MOST_IN_PICTURE, "before each, as all of them take a second and more"
    assert more == 4 * 7 - MOST_IN_PICTURE


def alive(process):
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    state = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[-1].split()[0]
    return state != "Z"


@pytest.fixture
def long_film(tmp_path, monkeypatch):
    """Three hours whose pictures take a quarter of a second each to be searched, by a clock of their own."""
    video = tmp_path / "long.mp4"
    video.write_bytes(b"three hours of film")
    store(Kind.SHOTS, source_of(video), SHOTS.encode(Shots(tuple(range(0, 10_800_001, 4000)))), complete=True)
    clock = [0.0]
    asked = []

    def answers(_video, frames, _processes):
        for first in range(0, len(frames), 4):
            some = frames[first : first + 4]
            asked.extend(some)
            clock[0] += 1.0
            yield some, FacesSeen(tuple(face(frame.time, 1) for frame in some), 0, left_out=1)

    monkeypatch.setattr(faces_detection, "_answers", answers)
    monkeypatch.setattr(faces_detection, "FaceModels", lambda: None)
    monkeypatch.setattr(faces_detection, "monotonic", lambda: clock[0])
    return video, asked


def test_a_long_search_says_how_long_it_takes_still_and_goes_on_after_a_stop(long_film):
    video, asked = long_film
    search = faces_of(video)
    reports = [next(search) for _ in range(400)]
    told = next(report for report in reports if report.left is not None)
    # After the 40 pictures of ten answers, 5,360 of 5,400 are left, each a quarter of a second.
    assert told.left == 1_340_000
    assert [report.partial is not None for report in reports].count(True) == 4, "at 60, 135, 229 and 346 seconds"
    search.close()
    part = cached_faces(source_of(video))
    assert (len(part.sampled), part.complete) == (len(asked), False), "all that was found is cached"
    before = len(asked)
    whole, _ = all_of(faces_of(video))
    assert len(asked) == 5400
    assert len(set(asked[before:]) & set(asked[:before])) == 0
    assert (len(whole.faces), whole.left_out, whole.complete) == (5400, 1350, True)


def test_what_is_found_is_cached_as_it_comes(long_film):
    video, asked = long_film
    search = faces_of(video)
    lost = []
    for _ in range(1200):
        next(search)
        part = cached_faces(source_of(video))
        lost.append(len(asked) - (0 if part is None else len(part.sampled)))
    # Four pictures a second: at most two seconds, or a tenth of the time, and never more than a minute.
    assert max(lost[:20]) <= 8
    assert all(each <= max(8, 0.1 * 4 * second + 4) for second, each in enumerate(lost, 1))
    assert max(lost) <= 240
    search.close()


KILLED = """
import os, signal, sys
from pathlib import Path
from adstudio.characters import faces_detection
from adstudio.system import save_pace
save_pace.FIRST_S = save_pace.SHARE = save_pace.COST = 0
for progress in faces_detection.faces_of(Path(sys.argv[1]), processes=1):
    if progress.fraction is not None and not progress.shots and progress.fraction > 0.6:
        os.kill(os.getpid(), signal.SIGKILL)
"""


@WITH_MODELS
def test_a_search_that_is_killed_goes_on_where_it_was(minute, monkeypatch):
    done = subprocess.run([sys.executable, "-c", KILLED, str(minute)], check=False)
    assert done.returncode == -9
    part = cached_faces(source_of(minute))
    assert part is not None
    # Of twelve pictures, more than half of 80 % (0.2 are the shots) were searched, four at a time.
    assert len(part.sampled) == 8
    asked = []
    answers = faces_detection._answers
    monkeypatch.setattr(
        faces_detection, "_answers", lambda video, frames, n: (asked.extend(frames), answers(video, frames, n))[1]
    )
    whole, _ = all_of(faces_of(minute))
    assert (len(asked), len(whole.sampled), whole.complete) == (4, 12, True)


def test_how_long_it_takes_is_said_roughly():
    said = {20_000: "less than a minute left", 60_000: "about 1 minute left", 5_000_000: "about 83 minutes left"}
    assert {ms: time_left(ms) for ms in said} == said
    assert time_left(9_000_000) == "about 2 hours left"
