"""Faces: found right, told apart, matched, and how fast: `python tests/bench/faces.py [--minutes 6] [--painting]`.

Right: the trailer of Plan 9 (beside the checkout) and the sample film, whose people are drawn, against labels made by
hand. Clusters beside dlib's own (Chinese whispers at 0.5 over all faces). Matched: portraits of all people of both
films, each cut from one shot of the film, against every other shot (no portraits from elsewhere are at hand; of the
trailer, which has but one cut that is found, against all), with and without the paper's filter by the names that the
film's text mentions. F1 counts people in shots as the paper counts characters in scenes. Fast: the sample film in a
loop; two hours are extrapolated, unless `--minutes 120` searches them. `--painting` paints the timeline with and
without a search beside it.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass
from itertools import combinations
from pathlib import Path

import av

from adstudio.characters.faces import Faces
from adstudio.characters.faces_clusters import FaceCluster, FaceClusters, clustered
from adstudio.characters.faces_detection import faces_of, spare_processors
from adstudio.characters.faces_frames import FilmReader, SampledFrame
from adstudio.characters.faces_models import FaceModels
from adstudio.characters.faces_portraits import matches
from adstudio.characters.faces_shots import face_at, people_in_shots
from adstudio.core.cast import FaceBox
from adstudio.core.timebase import Span

REPOSITORY = Path(__file__).resolve().parents[2]
SAMPLE = REPOSITORY / "resources/sample/film.mp4"
TRAILER = REPOSITORY.parent / "shared/data/film/plan9-trailer/plan9.av1.mp4"
INSPECTOR, VAMPIRE, WIFE, TANNA = "the inspector", "the vampire", "the wife", "Tanna"
NORA, TOM, GUARD = "Nora", "Tom", "the guard"


@dataclass(frozen=True)
class Labels:
    """What somebody who looked at the film wrote down.

    `faces`: time (ms), box and who it is, of those that are found; whoever else is found is no face. `missed`: time and
    who is visible with a face at least a twentieth of the picture high, and is not found. `shots`: by the start of each
    shot, who is seen there at all.
    """

    faces: tuple[tuple[int, tuple[int, int, int, int], str], ...]
    missed: tuple[tuple[int, str], ...]
    shots: dict[int, set[str]]


TRAILER_LABELS = Labels(
    (
        (3467, (4546, 6222, 687, 1208), INSPECTOR),
        (8400, (7773, 3555, 687, 1208), WIFE),
        (18333, (4023, 2666, 812, 1458), VAMPIRE),
        (19300, (3960, 2625, 984, 1750), VAMPIRE),
        (20300, (4023, 2666, 812, 1458), VAMPIRE),
        (21300, (3960, 2625, 984, 1750), VAMPIRE),
        (27467, (5351, 3069, 570, 1013), VAMPIRE),
        (27467, (7039, 2625, 570, 1013), INSPECTOR),
        (28500, (4789, 3069, 570, 1013), VAMPIRE),
        (28500, (6570, 2486, 687, 1222), INSPECTOR),
        (29567, (4781, 2138, 1406, 2500), INSPECTOR),
        (30600, (3875, 2236, 1687, 3000), INSPECTOR),
        (30600, (6445, 4361, 984, 1736), TANNA),
        (31633, (4421, 3083, 2023, 3597), INSPECTOR),
    ),
    (
        (2467, INSPECTOR),
        *((time, who) for time in (4433, 5433, 6433) for who in (INSPECTOR, VAMPIRE)),
        (7433, WIFE),
        *((time, "the count") for time in (24333, 25400, 26433)),
        *((time, TANNA) for time in (27467, 28500, 29567, 31633)),
    ),
    {0: {INSPECTOR, VAMPIRE, WIFE}, 22800: {"the count", INSPECTOR, VAMPIRE, TANNA}},
)
_ALONE = {NORA: (14000, 31400, 55800, 68200, 112000, 130800), TOM: (19600, 27400, 47800, 126600)}
_TOGETHER = (7600, 36000, 63600, 79000, 104600, 147400)
SAMPLE_SHOTS = {
    **{start: {who} for who, starts in _ALONE.items() for start in starts},
    **{start: {NORA, TOM} for start in _TOGETHER},
    0: {NORA},
    83200: {NORA, GUARD},
    91400: {TOM},
    153800: {NORA, TOM},
}
"""The first, the platform by night and the last are so wide that faces are some twenty pixels high."""
SAMPLE_SIDES = {7600: NORA, 36000: NORA, 63600: NORA, 79000: NORA, 104600: NORA, 147400: NORA}
"""In each shot of both, Nora is left of Tom; all other shots show one face that is large enough."""


def sample_label(faces: Faces, number: int) -> str:
    """Who a face of the sample film is, by its shot and its side."""
    face = faces.faces[number]
    start = max(start for start in faces.boundaries if start <= face.time)
    seen = SAMPLE_SHOTS.get(start, set())
    if start in SAMPLE_SIDES:
        return NORA if face.box.left + face.box.width / 2 < MIDDLES[start] else TOM
    return next(iter(seen - {GUARD}), "no face")


MIDDLES = {7600: 3700, 36000: 4500, 63600: 4300, 79000: 4300, 104600: 3700, 147400: 4500}
"""Where Nora ends and Tom begins, in ten-thousandths of the width."""


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--minutes", type=int, default=6)
    parser.add_argument("--painting", action="store_true")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_CACHE_HOME"] = folder
        films = [("sample film (drawn)", SAMPLE, _found(SAMPLE))]
        if TRAILER.is_file():
            films.append(("Plan 9, trailer", TRAILER, _found(TRAILER)))
        labels = [_labels_of(video, faces) for _, video, faces in films]
        _print_found(films, labels)
        _print_clusters(films, labels)
        _print_matched(films, labels)
        _print_speed(Path(folder), given.minutes)
        if given.painting:
            _print_painting(Path(folder))


def _found(video: Path) -> Faces:
    search = faces_of(video)
    while True:
        try:
            next(search)
        except StopIteration as done:
            return done.value


def _labels_of(video: Path, faces: Faces) -> dict[int, str]:
    """By a face's number, who it is."""
    if video == SAMPLE:
        return {number: sample_label(faces, number) for number in range(len(faces.faces))}
    found = dict.fromkeys(range(len(faces.faces)), "no face")
    for time_, box, who in TRAILER_LABELS.faces:
        number = face_at(faces, time_, FaceBox(*box))
        if number is not None:
            found[number] = who
    return found


def _print_found(films: Sequence[tuple[str, Path, Faces]], labels: Sequence[dict[int, str]]) -> None:
    print("| film | pictures | faces | no faces | missed by hand’s count |\n|---|---|---|---|---|")
    for (name, video, faces), who in zip(films, labels, strict=True):
        missed = str(len(TRAILER_LABELS.missed)) if video == TRAILER else "–"
        false = sum(each == "no face" for each in who.values())
        print(f"| {name} | {len(faces.sampled)} | {len(faces.faces)} | {false} | {missed} |")


def _print_clusters(films: Sequence[tuple[str, Path, Faces]], labels: Sequence[dict[int, str]]) -> None:
    print("\n| film | clusters by | clusters | people | faces in a mixed one | pairs: precision | recall |")
    print("|---|---|---|---|---|---|---|")
    for (name, _, faces), who in zip(films, labels, strict=True):
        for by, clusters in (("adstudio", clustered(faces, {})), ("dlib’s Chinese whispers", _whispered(faces))):
            groups = [cluster.faces for cluster in clusters.clusters]
            mixed = sum(len(group) - max(Counter(who[n] for n in group).values()) for group in groups)
            precision, recall = _pairs(groups, who)
            people = len(set(who.values()) - {"no face"})
            print(f"| {name} | {by} | {len(groups)} | {people} | {mixed} | {precision:.3f} | {recall:.3f} |")


def _pairs(groups: Sequence[Sequence[int]], who: dict[int, str]) -> tuple[float, float]:
    together = {pair for group in groups for pair in combinations(sorted(group), 2)}
    same = {pair for pair in combinations(sorted(who), 2) if who[pair[0]] == who[pair[1]]}
    right = len(together & same)
    return right / max(len(together), 1), right / max(len(same), 1)


def _whispered(faces: Faces) -> FaceClusters:
    import dlib

    numbers = dlib.chinese_whispers_clustering([dlib.vector(row) for row in faces.vectors], 0.5)
    groups: dict[int, list[int]] = {}
    for face, number in enumerate(numbers):
        groups.setdefault(number, []).append(face)
    return FaceClusters(tuple(FaceCluster(tuple(group)) for group in groups.values()))


def _print_matched(films: Sequence[tuple[str, Path, Faces]], labels: Sequence[dict[int, str]]) -> None:
    portraits: dict[str, list[bytes]] = {}
    from_shot: dict[str, int] = {}
    for (_, video, faces), who in zip(films, labels, strict=True):
        for number in sorted(who, key=lambda n: -faces.faces[n].score):
            if who[number] != "no face" and who[number] not in portraits:
                portraits[who[number]] = [_portrait(video, faces, number)]
                from_shot[who[number]] = _shot_of(faces, number)
    faceless = sum(not vectors[0] for vectors in portraits.values())
    print(f"\nPortraits of {len(portraits)} people, {faceless} without a face")
    print("| film | filter by names | people in shots | found | right | F1 | F1 of shots with a face found |")
    print("|---|---|---|---|---|---|---|")
    for (name, video, faces), who in zip(films, labels, strict=True):
        truth = SAMPLE_SHOTS if video == SAMPLE else TRAILER_LABELS.shots
        clusters = clustered(faces, {}).clusters
        for named in (None, set(who.values())):
            compared = {who: each for who, each in portraits.items() if named is None or who in named}
            matched = matches(faces, clusters, compared)
            found = {
                (shot.shot.start, person)
                for shot in people_in_shots(faces, clusters, matched)
                for person in shot.known
                if video == TRAILER or shot.shot.start != from_shot.get(person)
            }
            gold = {
                (start, person)
                for start, people in truth.items()
                for person in people
                if video == TRAILER or start != from_shot.get(person)
            }
            seen = {(_shot_of(faces, number), person) for number, person in who.items()}
            right, filtered = len(found & gold), "no" if named is None else "yes"
            with_faces = _f1(len(found & gold & seen), found, gold & seen)
            print(
                f"| {name} | {filtered} | {len(gold)} | {len(found)} | {right} "
                f"| {100 * _f1(right, found, gold):.1f} | {100 * with_faces:.1f} |"
            )


def _f1(right: int, found: set[tuple[int, str]], gold: set[tuple[int, str]]) -> float:
    return 2 * right / max(len(found) + len(gold), 1)


def _shot_of(faces: Faces, number: int) -> int:
    return max(start for start in faces.boundaries if start <= faces.faces[number].time)


def _portrait(video: Path, faces: Faces, number: int) -> bytes:
    """What tells a portrait apart: the face cut out of the film, as a small JPEG."""
    import io

    from PIL import Image

    from adstudio.characters.faces_portraits import portrait_vectors

    face = faces.faces[number]
    with FilmReader(video) as film:
        seen = film.picture_at(SampledFrame(Span(0, faces.boundaries[-1]), face.time))
    assert seen is not None
    rows, columns = seen[1].shape[:2]
    left, top, width, height = astuple(face.box)
    area = (
        *((left - width / 2) * columns / 10_000, (top - height / 2) * rows / 10_000),
        *((left + 1.5 * width) * columns / 10_000, (top + 1.5 * height) * rows / 10_000),
    )
    kept = io.BytesIO()
    Image.fromarray(seen[1]).crop(tuple(map(round, area))).resize((240, 240)).save(kept, "JPEG", quality=85)
    return portrait_vectors([kept.getvalue()])[0].vector


def _print_speed(folder: Path, minutes: int) -> None:
    video = _looped(folder / "long.mp4", minutes)
    models = FaceModels()
    with FilmReader(SAMPLE) as film:
        seen = film.picture_at(SampledFrame(Span(0, 164_000), 38_520))
    assert seen is not None
    began = time.process_time()
    for _ in range(10):
        models.faces_in(seen[1])
    each = (time.process_time() - began) / 10
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.monotonic()
    faces = _found(video)
    took = time.monotonic() - began
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    busy = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    length = faces.boundaries[-1] / 1000
    began = time.process_time()
    clusters = clustered(faces, {})
    grouping = time.process_time() - began
    per_frame = busy / len(faces.sampled)
    print("\n| film | pictures | faces | wall s | processor s | s a picture | largest process MB | clusters, s |")
    print("|---|---|---|---|---|---|---|---|")
    print(
        f"| {length / 60:.0f} min, looped | {len(faces.sampled)} | {len(faces.faces)} | {took:.0f} | {busy:.0f} "
        f"| {per_frame:.3f} | {after.ru_maxrss / 1024:.0f} | {len(clusters.clusters)}, {grouping:.2f} |"
    )
    print(f"One picture of two faces: {each:.3f} s of processor. {spare_processors()} process(es) searched.")
    if length < 7000:
        # What is decoded between two pictures is in the figure; at one picture in two seconds that is twice as much.
        print(f"Two hours, extrapolated: 3,600 pictures, {3600 * per_frame / 60:.0f} minutes of processor at least.")


def _looped(path: Path, minutes: int) -> Path:
    """The sample film over and over, its packets copied."""
    with av.open(str(path), "w") as out:
        target, shift = None, 0
        for _ in range(max(1, round(minutes * 60 / 164.2))):
            with av.open(str(SAMPLE)) as film:
                source = film.streams.video[0]
                target = target or out.add_stream_from_template(source)
                for packet in film.demux(source):
                    if packet.dts is None:
                        continue
                    packet.pts, packet.dts = packet.pts + shift, packet.dts + shift
                    packet.stream = target
                    out.mux(packet)
                shift += round(164.2 / source.time_base)
    return path


def _print_painting(folder: Path) -> None:
    """The timeline's own benchmark, alone and while a film is searched."""
    command = [sys.executable, str(Path(__file__).with_name("painting.py"))]
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    for what in ("alone", "while faces are searched for"):
        search = None
        if what != "alone":
            search = subprocess.Popen(
                [sys.executable, "-c", _SEARCH, str(_looped(folder / "beside.mp4", 30))], env=environment
            )
        print(f"\nPainting {what}:")
        try:
            for line in _lines(command, environment):
                print(line)
        finally:
            if search is not None:
                search.kill()
                search.wait()


_SEARCH = """
import os, sys
from pathlib import Path
from adstudio.characters.faces_detection import faces_of
os.nice(10)
for _ in faces_of(Path(sys.argv[1])): pass
"""


def _lines(command: Sequence[str], environment: dict[str, str]) -> Iterator[str]:
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    yield from done.stdout.splitlines()


if __name__ == "__main__":
    main()
