"""Finds the faces of a film: its shots first, then pictures of each, in processes beside one another.

Each process searches a stretch of the film from its start to its end, some pictures at a time. There is one fewer than
the machine has processors, and all of them give way to whatever else runs. What was found is cached as it comes,
so that a search that was stopped, or killed, goes on from there.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
from collections import deque
from collections.abc import Collection, Generator, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from time import monotonic
from typing import Self

from adstudio.characters.faces import (
    MOST_FACES,
    Face,
    Faces,
    encode_faces,
    picture_hash,
    read_faces,
)
from adstudio.characters.faces_frames import SampledFrame, sampled_frames
from adstudio.characters.faces_messages import READER, DetectFaces, FacesProgress, FacesSeen
from adstudio.characters.faces_models import FaceModels
from adstudio.characters.faces_portraits import portrait_vectors
from adstudio.core.errors import AdstudioError, OutsideFailureError
from adstudio.media.cache import Kind, Source, cached, remove, source_of, store, stored
from adstudio.media.shots import SHOTS, Shots, make_shots
from adstudio.system.child_process import end, signals_deferred
from adstudio.system.environment import without_keys
from adstudio.system.save_pace import SavePace
from adstudio.system.worker import Failed

AT_ONCE = 4
"""Pictures of one request to a process."""
AHEAD = 2
"""Requests given to a process before its first answer is taken, so that it never waits."""
SHOW_S, LONGEST_SHOW_S = 60.0, 600.0
"""Seconds until what has been found so far is first reported; each next time takes a quarter as long again to come."""
TELLING = 40
"""Pictures that have to be searched before it can be told how long the others will take."""
MOST_CRASHES = 5
LARGEST_ANSWER = 64_000_000
SHOTS_SHARE = 0.2
"""What detecting the shots takes of the whole."""


def faces_of(
    video: Path, *, fingerprint: str = "", processes: int = 0, portraits: Sequence[bytes] = ()
) -> Generator[FacesProgress, None, Faces]:
    """Find a film's faces, or take them from the cache; reports how far that is and returns them.

    The result knows what tells these portraits apart, so that they can be compared.

    `processes` at most search at a time, 0 for as many as there are processors to spare. A film without pictures has no
    faces; a stretch that cannot be decoded is counted and left out.

    Raises:
        MediaError: for what is no film that can be read, or whose pictures cannot be decoded.
        OutsideFailureError: where the file may not be read, or the part that finds faces is not installed.
    """
    source = source_of(video, fingerprint)
    found = cached_faces(source)
    if found is not None and found.complete:
        if {each.picture for each in found.portraits} != set(map(picture_hash, portraits)):
            found = _with_portraits(found, portraits)
            _cached(source, found)
        return found
    FaceModels()  # missing or damaged ones are said before anything is searched
    if found is None or not found.boundaries:
        shots = yield from _shots(video, source)
        found = Faces((), shots.boundaries, complete=False)
    yield FacesProgress(None)
    search = _Search(video, found, processes or spare_processors())
    began = shown = monotonic()
    pause, pace = SHOW_S, SavePace(monotonic)
    try:
        for _ in search.answers():
            now, partial = monotonic(), None
            is_shown = now - shown >= pause
            if is_shown or pace.is_due:
                with pace.saving():
                    partial = _cached(source, search.faces)
            if is_shown:
                shown, pause = now, min(1.25 * pause, LONGEST_SHOW_S)
            done = SHOTS_SHARE + (1 - SHOTS_SHARE) * search.done
            yield FacesProgress(
                min(done, 1.0), partial=partial if is_shown else None, left=search.left((now - began) * 1000)
            )
    except BaseException:
        _cached(source, search.faces)  # stopped: the next search goes on from here
        raise
    found = _with_portraits(replace(search.faces, complete=True), portraits)
    _cached(source, found)
    return found


def forget(source: Source, gone: Iterable[Face], pictures: Collection[bytes] = ()) -> None:
    """Delete faces from the cache, and what is known of these portraits: nothing of them is left.

    Raises:
        OutsideFailureError: where the cache cannot be written.
    """
    found = cached_faces(source)
    if found is not None:
        hashes = set(map(picture_hash, pictures))
        left = replace(found.without(gone), portraits=tuple(p for p in found.portraits if p.picture not in hashes))
        store(Kind.FACES, source, encode_faces(left), complete=left.complete)
    remove(Kind.KNOWN_FACES, source)


def cached_faces(source: Source) -> Faces | None:
    """The faces found so far in a film, complete or not; None where there are none, or they are damaged."""
    path = stored(Kind.FACES, source)
    if path is None:
        return None
    try:
        return read_faces(path)[0]
    except AdstudioError:
        return None


def spare_processors() -> int:
    """How many processes may search: one fewer than there are processors for this program."""
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, usable - 1)


def _cached(source: Source, faces: Faces) -> Path | None:
    # What cannot be cached is found again the next time.
    with contextlib.suppress(AdstudioError):
        return store(Kind.FACES, source, encode_faces(faces), complete=faces.complete)
    return None


def _with_portraits(found: Faces, portraits: Sequence[bytes]) -> Faces:
    """Only what is new among the portraits is looked at."""
    known = {each.picture: each for each in found.portraits}
    pictures = {picture_hash(image): image for image in portraits}
    new = [image for name, image in pictures.items() if name not in known]
    seen = {each.picture: each for each in (portrait_vectors(new) if new else ())}
    together = tuple(known.get(name) or seen[name] for name in pictures)
    return replace(found, portraits=together)


def _shots(video: Path, source: Source) -> Generator[FacesProgress, None, Shots]:
    path = cached(Kind.SHOTS, source)
    if path is not None:
        with contextlib.suppress(AdstudioError):
            return SHOTS.read(path)
    stages = make_shots(video)
    stage = next(stages)
    for stage in stages:
        yield FacesProgress(SHOTS_SHARE * stage.fraction if stage.fraction >= 0 else None, shots=True)
    shots = stage.take()
    with contextlib.suppress(AdstudioError):
        store(Kind.SHOTS, source, SHOTS.encode(shots), complete=True)
    return shots


class _Search:
    """A search that goes on from what was found before, and what it has found by now."""

    def __init__(self, video: Path, before: Faces, processes: int) -> None:
        self._video, self._before, self._processes = video, before, processes
        self._sampled = set(before.sampled)
        every = sampled_frames(before.boundaries)
        self._frames = [frame for frame in every if frame.time not in self._sampled]
        self._all, self._searched = len(every), 0
        self._found, self._undecoded, self._left_out = list(before.faces), before.undecoded, before.left_out

    def answers(self) -> Iterator[None]:
        """Search; goes on after each answer of a process."""
        for done, seen in _answers(self._video, self._frames, self._processes):
            self._sampled.update(frame.time for frame in done)
            self._searched += len(done)
            self._undecoded += seen.undecoded
            room = MOST_FACES - len(self._found)
            self._found += seen.faces[:room]
            self._left_out += max(0, len(seen.faces) - room) + seen.left_out
            yield

    @property
    def done(self) -> float:
        """How much of all has been searched, 0 to 1."""
        return 1 - (len(self._frames) - self._searched) / max(self._all, 1)

    def left(self, took: float) -> int | None:
        """How long (ms) it will take still, by how long it took so far; None where that cannot be told yet."""
        if self._searched < TELLING:
            return None
        return round(took * (len(self._frames) - self._searched) / self._searched)

    @property
    def faces(self) -> Faces:
        """What has been found."""
        ordered = tuple(sorted(self._found, key=lambda face: (face.time, face.box)))
        counts = {"undecoded": self._undecoded, "left_out": self._left_out}
        return replace(self._before, faces=ordered, sampled=tuple(sorted(self._sampled)), complete=False, **counts)


def _answers(
    video: Path, frames: Sequence[SampledFrame], processes: int
) -> Iterator[tuple[Sequence[SampledFrame], FacesSeen]]:
    """The frames that were searched, and the faces in them, as the processes answer."""
    share = max(-(-len(frames) // processes), AT_ONCE)
    with contextlib.ExitStack() as stack:
        readers = [
            stack.enter_context(_Reader(video, frames[first : first + share])) for first in range(0, len(frames), share)
        ]
        for reader in readers:
            reader.ask()
        while readers:
            for reader in tuple(readers):
                if reader.is_done:
                    readers.remove(reader)
                    continue
                # All work meanwhile, so waiting for each in turn keeps none of them idle for long.
                yield reader.answer()


class _Reader:
    """A process and the stretch of the film that it searches; used as a context manager, which ends it."""

    def __init__(self, video: Path, frames: Sequence[SampledFrame]) -> None:
        self._video = video
        self._left = deque(tuple(frames[n : n + AT_ONCE]) for n in range(0, len(frames), AT_ONCE))
        self._asked: deque[tuple[SampledFrame, ...]] = deque()
        self._process: subprocess.Popen[bytes] | None = None
        self._crashes = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._process is not None:
            end(self._process)

    @property
    def is_done(self) -> bool:
        """Whether all its pictures have been searched."""
        return not self._left and not self._asked

    def ask(self) -> None:
        """Give the process something to do."""
        while self._left and len(self._asked) < AHEAD:
            frames = self._left.popleft()
            self._asked.append(frames)
            pipe = self._started().stdin
            # Where it has just crashed, that is noticed when its answer is read.
            with contextlib.suppress(OSError):
                if pipe is not None:
                    pipe.write(READER.request_line(DetectFaces(self._video, frames)))
                    pipe.flush()

    def answer(self) -> tuple[tuple[SampledFrame, ...], FacesSeen]:
        """Wait for the answer to the earliest request, and ask on.

        Raises:
            OutsideFailureError: where it crashes again and again.
        """
        frames = self._asked.popleft()
        pipe = self._started().stdout
        line = b"" if pipe is None else pipe.readline(LARGEST_ANSWER)
        if not line.endswith(b"\n"):
            return frames, self._restarted(frames)
        event = READER.read_event(line)
        if isinstance(event, Failed):
            raise OutsideFailureError(event.message)
        self.ask()
        return frames, event

    def _restarted(self, frames: Sequence[SampledFrame]) -> FacesSeen:
        """After a crash: a new process, which is asked what the other one left; the pictures at fault are left out."""
        self._crashes += 1
        if self._crashes > MOST_CRASHES:
            raise OutsideFailureError(
                f"the faces of {self._video} cannot be found, as searching it crashes again and again: "
                "it is damaged; check whether it plays, or copy it again"
            )
        if self._process is not None:
            end(self._process)
            self._process = None
        self._left.extendleft(reversed(self._asked))
        self._asked.clear()
        self.ask()
        return FacesSeen((), len(frames))

    def _started(self) -> subprocess.Popen[bytes]:
        if self._process is None:
            with signals_deferred():
                # In a session of its own, it and whatever it starts are ended together; it ends too with its input.
                self._process = subprocess.Popen(
                    READER.command(),
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    env=without_keys(),
                    start_new_session=True,
                )
        return self._process
