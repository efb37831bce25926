"""The whole window while faces are searched, and as they arrive, beside the same window without a search.

Run it on a display, from the checkout:

    xvfb-run -a -s "-screen 0 1920x1080x24" .venv/bin/python tests/bench/faces_beside.py [--frames 160] [--hours 2]

A film of so many hours (the sample film in a loop) with 4,000 eventualities is scrolled, zoomed and edited as
`editor.py` does, alone and while its faces are searched by the window itself. Then what a search of all of it finds
arrives: made-up faces, one to two in a picture each two seconds, a half of them and then all, with the window of faces
closed and open. What blocks the window's thread then is shown as the longest stall between two beats of its event loop.
"""

from __future__ import annotations

import argparse
import io
import os
import random
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).parent))

from editor import Stalls, Time, look, now, row, settle, since, timed, turn, wheel, with_bytecode

from adstudio.characters.faces import Face, Faces

if TYPE_CHECKING:
    from adstudio.ui.app.window import Window

PEOPLE = 24
HOUR = 3_600_000
QUIET_MS = 10
"""Processor time of the window's thread in half a second in which it does nothing."""


def made_up_faces(end: int, share: float = 1.0, seed: int = 3) -> Faces:
    """The faces of so many people in a film of this length (ms), found in the first `share` of it."""
    import numpy as np
    from PIL import Image

    from adstudio.core.cast import FaceBox

    random_, rng = random.Random(seed), np.random.default_rng(seed)
    middles = rng.normal(size=(PEOPLE, 128)) * 0.06
    crops: list[bytes] = []
    for _ in range(40):
        kept = io.BytesIO()
        Image.fromarray(rng.integers(90, 150, (112, 112, 3), np.uint8)).save(kept, "JPEG", quality=70)
        crops.append(kept.getvalue())
    boundaries = tuple(range(0, end + 1, 4000))
    found: list[Face] = []
    times = range(1000, end, 2000)
    for time in times:
        if time > share * end:
            break
        shot = random.Random(time // 4000)
        for place in range(shot.choice((0, 1, 1, 2))):
            person = shot.randrange(PEOPLE)
            vector = (middles[person] + rng.normal(size=128) * 0.022).astype("<f4").tobytes()
            left = 1000 + 4500 * place + random_.randrange(300)
            found.append(Face(time, FaceBox(left, 2000, 1500, 2600), 1000, vector, random_.choice(crops)))
    sampled = tuple(time for time in times if time <= share * end)
    return Faces(tuple(found), boundaries, sampled, complete=share == 1.0)


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--frames", type=int, default=160, help="0: only what arrives is measured")
    parser.add_argument("--hours", type=int, default=2)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for kind in ("CONFIG", "CACHE", "DATA", "STATE"):
            os.environ[f"XDG_{kind}_HOME"] = folder
        window = opened(Path(folder), given.hours * HOUR)
        print("| what, ms | goal p95 | p50 | p95 | worst | processor p50 | p95 | worst | peer |")
        print("|---|---|---|---|---|---|---|---|---|")
        for beside in (False, True) if given.frames else ():
            with_search(window, given.frames) if beside else frames(window, given.frames, "alone")
        arrivals(window, given.hours * HOUR)
        window.session.edits.document.mark_saved()
        window.close()
        settle(0.2)


def opened(folder: Path, end: int) -> Window:
    """The window with a project whose film is there."""
    from faces import _looped
    from long_film import long_script

    from adstudio.core.film import Media
    from adstudio.media.cache import Kind, source_of, store
    from adstudio.store.media import fingerprint
    from adstudio.store.project import ProjectFile
    from adstudio.ui.app.application import make_application
    from adstudio.ui.app.garbage_collection import GarbageCollection
    from adstudio.ui.app.window import Window
    from adstudio.ui.background.input_watch import InputWatch
    from adstudio.ui.timeline import film_loader

    video = _looped(folder / "film.mp4", end // 60_000)
    # Nothing else of the film is made meanwhile.
    film_loader.FilmLoader._go_on = lambda self, kinds: None
    from adstudio.media.shots import SHOTS, Shots

    source = source_of(video)
    shots = Shots(tuple(range(0, end + 1, 4000)))
    store(Kind.SHOTS, source, SHOTS.encode(shots), complete=True)
    script = long_script(end=end)
    media = Media(str(video), "film.mp4", video.stat().st_size, fingerprint(video), end)
    path = folder / "film.adproj"
    ProjectFile.create(path, replace(script, film=replace(script.film, media=media))).close()
    application = make_application()
    InputWatch(application)
    window = Window()
    window.garbage = GarbageCollection(window.session)  # pyright: ignore[reportAttributeAccessIssue] - as long as it
    window.resize(1920, 1080)
    window.show()
    application.processEvents()
    window.files.open_path(path)
    until_quiet()
    window.activateWindow()
    settle(0.2)
    window.editor.timeline.setFocus()
    return window


def until_quiet() -> None:
    """Wait until the window has nothing to do any more: what opening a film begins is no part of what is measured."""
    for _ in range(120):
        began = now()
        settle(0.5)
        if since(began)[1] < QUIET_MS:
            return


def with_search(window: Window, count: int) -> None:
    """The same while the window searches the film."""
    found = window.editor.faces.found
    found.find()
    for _ in range(600):
        settle(0.2)
        if found.doing and "%" in found.doing:
            break
    frames(window, count, f"beside a search ({found.doing})")
    found.stop()
    settle(3.0)
    until_quiet()
    print(f"| faces found meanwhile | | {0 if found.known is None else len(found.known.faces.faces)} | | | | | | |")


def frames(window: Window, count: int, beside: str) -> None:
    """Scrolling, zooming and keys that edit."""
    for name, length in (("30 s", 30_000), ("20 min", 1_200_000)):
        look(window, length)
        times = [timed(lambda n=n: wheel(window, turn(n))) for n in range(count)]
        row(f"scrolling, {name} in view, {beside}", "8", times)
    look(window, window.session.script.film.end)
    row(f"zooming, {beside}", "10", [timed(lambda n=n: wheel(window, -turn(n), zoom=True)) for n in range(count)])
    look(window, 60_000)
    row(f"key to the timeline repainted, {beside}", "25", list(keys(window, count)))


def keys(window: Window, count: int) -> Iterator[Time]:
    """Keys that edit a line."""
    from PySide6.QtTest import QTest

    rng = random.Random(5)
    names = [line.id for line in window.session.script.eventualities]
    for _ in range(count):
        window.session.cursor.select_line(rng.choice(names), go=True)
        settle(0.12)
        key = rng.choice("pxu[]")
        yield timed(lambda key=key: QTest.keyClick(window.windowHandle(), key))
        settle(0.12)


def arrivals(window: Window, end: int) -> None:
    """What a search finds, read, compared and shown."""
    from adstudio.characters.faces import encode_faces
    from adstudio.media.cache import Kind, source_of, store

    found = window.editor.faces.found
    assert found.video is not None
    source = source_of(found.video)
    parts = [made_up_faces(end, share) for share in (0.5, 1.0)]
    dialog: Callable[[], object] = window.actions_["edit.faces"].trigger
    for shown in (False, True):
        if shown:
            dialog()
            until_quiet()
        for part in parts:
            store(Kind.FACES, source, encode_faces(part), complete=part.complete)
            stalls = Stalls()
            stalls.watch()
            found._load()
            for _ in range(600):
                settle(0.1)
                if found.known is not None and len(found.known.faces.faces) == len(part.faces):
                    break
            settle(0.5)
            stalls.leave()
            people = 0 if found.known is None else len(found.known.clusters.clusters)
            beside = "their window open" if shown else "closed"
            row(
                f"longest stall as {len(part.faces):,} faces of {people} people arrive, {beside}",
                "16",
                stalls.found,
            )


if __name__ == "__main__":
    with_bytecode()
    main()
