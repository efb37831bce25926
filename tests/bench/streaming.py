"""The editor's frames while a model streams sixteen scenes into it, beside the same without, in turns in one run.

Run it on a display without hardware, from the checkout:

    xvfb-run -a -s "-screen 0 1920x1080x24" .venv/bin/python tests/bench/streaming.py [--rounds 4]

The project is that of `editor.py`: two hours, 4,000 eventualities, cut into scenes of half a minute. A process in the
model's place writes 60 pieces a second for each of sixteen scenes, each text as long as it has become, an element every
second, and a whole scene every two seconds, which comes into the script as a step and is planned. The drafts tab is in
front, its table and the growing text in sight. Beside the clock stands the processor time of the window's own thread.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from editor import Stalls, Time, add_sound, look, now, row, settle, since, timed, turn, wheel, with_bytecode
from long_film import long_script

if TYPE_CHECKING:
    from adstudio.core.script import Scene, Script
    from adstudio.ui.app.window import Window

WORKER = """
import json, sys, time
told = json.load(open(sys.argv[1]))
out = sys.stdout.buffer
began, tick, waiting = time.monotonic(), 0, list(told)
hand = [(waiting.pop(0), -number * told_for // 16) for number, told_for in enumerate([1800] * 16)]
for scene in told:
    out.write(b'{"type":"Moved","scene":"%s","state":"waiting","why":""}\\n' % scene["id"].encode())
for scene, _ in hand:
    out.write(b'{"type":"Moved","scene":"%s","state":"describing","why":""}\\n' % scene["id"].encode())
while hand:
    tick += 1
    for place, (scene, since) in enumerate(list(hand)):
        age = tick - since
        text = scene["text"][: 2 * (age % 900)]
        event = {"type": "Telling", "scene": scene["id"], "part": 0, "text": text}
        out.write(json.dumps(event, separators=(",", ":")).encode() + b"\\n")
        if age % 60 == 0:
            event = {"type": "Found", "scene": scene["id"], "part": 0, "id": f"e{age}", "text": text[:60]}
            out.write(json.dumps({**event, "start": 0, "end": 1}).encode() + b"\\n")
            out.write(b'{"type":"Spent","usage":{"tokens_in":%d,"tokens_cached":0,"tokens_out":%d,"tokens_thought":0,'
                      b'"micro_usd":0},"ended":%d}\\n' % (tick * 900, tick * 60, tick // 60))
        if age >= 1800:
            out.write(b'{"type":"Moved","scene":"%s","state":"done","why":""}\\n' % scene["id"].encode())
            out.write(scene["drafted"].encode() + b"\\n")
            hand[place] = (waiting.pop(0), tick) if waiting else None
    hand = [each for each in hand if each]
    out.flush()
    time.sleep(max(0.0, began + tick / 60 - time.monotonic()))
"""
"""Thirty seconds a scene, sixteen at a time, so that one ends every two seconds."""
HALF_MINUTE = 30_000
PROSE = "A woman in a red coat crosses the empty platform with a heavy suitcase. "


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=4)
    asked = parser.parse_args()
    print("| what, ms | goal p95 | p50 | p95 | worst | processor p50 | p95 | worst | |")
    print("|---|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for kind in ("CONFIG", "CACHE", "DATA", "STATE"):
            os.environ[f"XDG_{kind}_HOME"] = folder
        run(Path(folder), asked.rounds)


def run(folder: Path, rounds: int) -> None:
    from adstudio.ui.app.application import make_application

    application = make_application()
    from adstudio.store.project import ProjectFile
    from adstudio.ui.app.garbage_collection import GarbageCollection
    from adstudio.ui.app.window import Window

    window = Window()
    garbage = GarbageCollection(window.session)
    window.resize(1920, 1080)
    window.show()
    application.processEvents()
    script = in_scenes(long_script())
    path = folder / "long.adproj"
    ProjectFile.create(path, script).close()
    window.files.open_path(path)
    add_sound(window)
    settle(3.0)
    window.activateWindow()
    window.actions_["plan.by_model"].trigger()
    settle(0.5)
    window.editor.timeline.setFocus()
    stream(window, folder, script)
    comings = Comings(window)
    scrolls: dict[bool, list[Time]] = {True: [], False: []}
    zooms: dict[bool, list[Time]] = {True: [], False: []}
    keys: dict[bool, list[Time]] = {True: [], False: []}
    wholes: dict[bool, list[Time]] = {True: [], False: []}
    rests: dict[bool, list[Time]] = {True: [], False: []}
    quiet: list[Time] = []
    for number in range(2 * rounds):
        on = number % 2 == 0
        if on:
            start(window)
            settle(2.0)
        look(window, 120_000)
        scrolls[on] += [timed(lambda n=n: wheel(window, turn(n))) for n in range(160)]
        look(window, 7_200_000)
        zooms[on] += [timed(lambda n=n: wheel(window, -turn(n), zoom=True)) for n in range(160)]
        look(window, 60_000)
        edit(window, keys[on], wholes[on], number)
        rest(rests[on], quiet, comings)
        if on:
            window.editor.drafts.drafts.stop()
            while window.editor.drafts.drafts.busy or window.editor.drafts.drafts.insertions.waiting:
                settle(0.1)
    for on in (False, True):
        name = "16 scenes streaming" if on else "without"
        row(f"scrolling, 2 min in view, {name}", "8", scrolls[on])
        row(f"zooming, 2 h to 30 s and back, {name}", "10", zooms[on])
        row(f"key to repainted timeline, {name}", "25", keys[on])
        row(f"key to the whole window repainted, {name}", "", wholes[on])
        row(f"longest stall in a second of rest, {name}", "16", rests[on])
    row("the same, of the seconds in which no scene comes in", "16", quiet)
    row(f"a scene that was planned is taken in ({len(comings.times)} of them)", "16", comings.times)
    window.session.edits.document.mark_saved()
    window.close()
    garbage.close()
    settle(0.2)


def in_scenes(script: Script) -> Script:
    """The script in scenes of half a minute, its lines in theirs, and with a video that nobody looks at."""
    from adstudio.core.film import Media
    from adstudio.core.script import Scene
    from adstudio.core.timebase import Span

    end = script.film.end
    scenes = tuple(
        Scene(f"s{n + 1}", Span(at, min(at + HALF_MINUTE, end)), f"Scene {n + 1}")
        for n, at in enumerate(range(0, end, HALF_MINUTE))
    )
    lines = tuple(
        replace(line, scene=scenes[line.occurrence.start // HALF_MINUTE].id) if line.occurrence else line
        for line in script.eventualities
    )
    film = replace(script.film, media=Media("/nowhere/film.mp4", "film.mp4", 1, "print", end))
    return replace(script, scenes=scenes, eventualities=lines, film=film)


def drafted(scene: Scene, rng: random.Random) -> str:
    """What the process says of a scene in the end: a line every two seconds, in six wordings."""
    from fractions import Fraction

    from adstudio.core.provenance import Contribution, ModelTask, ModelWork, Provenance
    from adstudio.core.script import Eventuality, Variant
    from adstudio.core.timebase import Span
    from adstudio.drafting.events import PROTOCOL
    from adstudio.drafting.model.events import SceneDraft, SceneState

    by_model = Provenance(ModelWork((Contribution("model", (ModelTask("describe", 1),)),), 1_795_852_800))
    words = PROSE.lower().strip(". ").split()
    lines: list[Eventuality] = []
    for number, at in enumerate(range(scene.span.start, scene.span.end - 2_000, 2_000)):
        texts = [" ".join(rng.choice(words) for _ in range(count)) + "." for count in (12, 11, 10, 9, 8, 6)]
        rates = (Fraction(10, 10), *(Fraction(tenth, 10) for tenth in (9, 8, 7, 6, 5)))
        variants = tuple(Variant(text.capitalize(), rate) for text, rate in zip(texts, rates, strict=True))
        line = Eventuality(f"{scene.id}-e{number}", variants, Span(at, at + 1_500), rng.randint(1, 99) * 10_000)
        lines.append(replace(line, scene=scene.id, confidence=550, provenance=by_model))
    return PROTOCOL.event_line(SceneDraft(scene.id, SceneState.DONE, tuple(lines), "", "Told.")).decode().strip()


def stream(window: Window, folder: Path, script: Script) -> None:
    """From now on a draft by a model is what this bench's process says."""
    from adstudio.drafting.events import PROTOCOL

    rng = random.Random(3)
    prose = 30 * PROSE
    told = [{"id": scene.id, "text": prose, "drafted": drafted(scene, rng)} for scene in script.scenes]

    def command() -> list[str]:
        rng.shuffle(told)
        plan = folder / "told.json"
        plan.write_text(json.dumps(told))
        return [sys.executable, "-I", "-c", WORKER, str(plan)]

    PROTOCOL.command = command


def start(window: Window) -> None:
    from adstudio.connections.saved_connections import SavedConnection

    named = SavedConnection("House", "vllm", "model", "http://127.0.0.1:9/v1")
    if not window.editor.drafts.drafts.start(named, window.session.script.scenes):
        sys.exit("the stream does not start")
    page = window.editor.drafts.page
    page.rows.show_run(window.editor.drafts.drafts.run)
    page.table.selectRow(0)
    window.editor.timeline.setFocus()


def edit(window: Window, keys: list[Time], wholes: list[Time], seed: int) -> None:
    """Forty keys that edit, anywhere in the film."""
    from PySide6.QtCore import Qt
    from PySide6.QtTest import QTest

    every = (Qt.Key.Key_P, Qt.Key.Key_X, Qt.Key.Key_U, Qt.Key.Key_BracketLeft, Qt.Key.Key_BracketRight)
    rng = random.Random(seed)
    began: Time = (0.0, 0.0)
    pressed = False

    def painted(_news: object) -> None:
        if pressed:
            keys.append(since(began))

    window.session.current_plan.replanned.connect(painted)
    for _ in range(40):
        names = [line.id for line in window.session.script.eventualities]
        window.session.cursor.select_line(rng.choice(names), go=True)
        settle(0.15)
        key = rng.choice(every)
        began = now()
        pressed = True
        wholes.append(timed(lambda key=key: QTest.keyClick(window.windowHandle(), key)))
        pressed = False
        settle(0.1)
    window.session.current_plan.replanned.disconnect(painted)


def rest(found: list[Time], quiet: list[Time], comings: Comings) -> None:
    """Ten seconds in which nothing is done by hand; `quiet` get those of a stream in which no scene comes in."""
    for _ in range(10):
        stalls, before = Stalls(), len(comings.times)
        stalls.watch()
        settle(1.0)
        stalls.leave()
        found += stalls.found
        if comings.window.editor.drafts.drafts.busy and len(comings.times) == before:
            quiet += stalls.found


class Comings:
    """How long each scene takes that comes in, in the turn in which it is taken."""

    def __init__(self, window: Window) -> None:
        self.window = window
        self.times: list[Time] = []
        insertions = window.editor.drafts.drafts.insertions
        put = insertions._insert

        def timed_put(*given: Any) -> object:
            began = now()
            try:
                return put(*given)
            finally:
                self.times.append(since(began))

        setattr(insertions, "_insert", timed_put)  # noqa: B010 - a method, which a bench alone would put another in place of


if __name__ == "__main__":
    with_bytecode()
    main()
