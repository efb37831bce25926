"""How far narration is from the picture's clock while it is previewed: over a minute, and after ten seeks.

Run it by hand: `xvfb-run -a -s "-screen 0 1920x1080x24" .venv/bin/python tests/bench/preview.py`. The film is the
sample film, played by mpv as in the editor; without a sound card mpv keeps the clock of a device that is silent. Both
players are asked for their audible position every 50 ms, from the first moment at which a line sounds. The peer starts
the voice at its time and leaves it alone. The last column is how far mpv says the film's picture is from its sound.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "ui" / "picture"))

from PySide6.QtCore import QSettings, QTimer
from PySide6.QtWidgets import QApplication
from small_editor import SmallEditor

from adstudio.core.film import Film, Media
from adstudio.core.script import Eventuality, Script, Variant
from adstudio.core.timebase import RATES, Span
from adstudio.media.probe import probe
from adstudio.store.media import fingerprint
from adstudio.system.locations import resource

EVERY_MS = 3_500
LINE_MS = 2_600
SAMPLE_MS = 50
SEEKS = 10
LISTENED_S = 3.0
"""After each seek."""
TEXTS = (
    "She crosses the yard and looks up at the window.",
    "He lifts the crate onto the cart and wipes his hands.",
    "Rain runs down the glass, and the light goes out.",
)


def script_of(video: Path) -> Script:
    """The sample film without its dialogue, a line every few seconds."""
    found = probe(video)
    size = video.stat().st_size
    media = Media(str(video), video.name, size, fingerprint(video), found.duration, Fraction(25))
    lines = tuple(
        Eventuality(f"e{at}", (Variant(TEXTS[at % len(TEXTS)], Fraction(1), LINE_MS),), Span(at, at + LINE_MS), 500_000)
        for at in range(1_000, found.duration - 5_000, EVERY_MS)
    )
    return Script(Film("Sample", found.duration, frame_rate=RATES["25"], media=media), eventualities=lines)


class Offsets:
    """Asks both players where they are, again and again."""

    def __init__(self, editor: SmallEditor) -> None:
        self._editor = editor
        self.apart: list[float] = []
        self.picture: list[float] = []
        self._timer = QTimer(interval=SAMPLE_MS)
        self._timer.timeout.connect(self._ask)
        self._timer.start()

    def stop(self) -> None:
        """Ask no more."""
        self._timer.stop()

    def _ask(self) -> None:
        player = self._editor.player
        narration = self._editor.hearing.narration.film_narration
        voices = [voice for voice in narration._active_voices.values() if voice.running]
        if not player.state.playing or len(voices) != 1:
            return
        (voice,) = voices
        sound = voice.sound
        found: dict[str, tuple[float, float]] = {}

        def answer(whose: str, ms: float, at: float) -> None:
            found[whose] = (ms, at)
            if len(found) == 2 and voice.sound == sound and voice.running and player.state.playing:
                (film, film_at), (spoken, spoken_at) = found["film"], found["voice"]
                pace = player.state.pace
                self.apart.append(abs((film - film_at * pace) - (sound[1] + spoken - spoken_at * pace)))

        player.measure(partial(answer, "film"))
        voice._voice.measure(partial(answer, "voice"))
        player._mpv.ask("${=avsync}", self._add_picture)

    def _add_picture(self, text: str, _at: float) -> None:
        try:
            self.picture.append(abs(float(text)) * 1000)
        except ValueError:
            return


def spin(seconds: float, until: Callable[[], bool] = lambda: False) -> None:
    """Let the editor work for some time, or until something holds."""
    end = time.monotonic() + seconds
    while time.monotonic() < end and not until():
        QApplication.processEvents()
        time.sleep(0.002)


def show(name: str, offsets: Offsets) -> None:
    """One row of the table."""
    offsets.stop()
    apart, picture = sorted(offsets.apart), sorted(offsets.picture)
    if not apart:
        print(f"| {name:<46} | nothing was heard |")
        return

    def at(values: list[float], share: float) -> float:
        return values[min(len(values) - 1, int(len(values) * share))]

    figures = (at(apart, 0.5), at(apart, 0.95), apart[-1], at(picture, 0.95) if picture else 0.0)
    within = sum(each <= 40 for each in apart) / len(apart)
    cells = " | ".join(f"{figure:6.1f}" for figure in figures)
    print(f"| {name:<46} | {len(apart):5} | {cells} | {within:6.1%} |", flush=True)


def measured(name: str, minute: float, *, correct: bool) -> None:
    """The rows of one way to start the voice."""
    with tempfile.TemporaryDirectory() as folder:
        editor = SmallEditor(script_of(resource("sample", "film.mp4")), Path(folder))
        editor.resize(960, 640)
        editor.show()
        spin(20, lambda: not editor.player.busy and editor.player.canvas.shape.width() > 0)
        editor.context.actions["hear.film"].trigger()
        for voice in editor.hearing.narration.film_narration._free:
            voice._correct = correct
        spin(30, lambda: len(editor.hearing.narration.film_narration._sounds) >= 2)
        spin(1)
        editor.player.play()
        offsets = Offsets(editor)
        spin(minute)
        show(f"{name}, {minute:.0f} s at 1×", offsets)
        offsets = Offsets(editor)
        rng = random.Random(1)
        for _ in range(SEEKS):
            editor.player.seek(rng.randrange(10_000, editor.player.state.duration - 20_000))
            spin(LISTENED_S)
        show(f"{name}, after {SEEKS} seeks", offsets)
        editor.shut_down()
        editor.close()


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=60.0)
    given = parser.parse_args()
    QApplication([])
    QSettings.setPath(QSettings.Format.IniFormat, QSettings.Scope.UserScope, tempfile.mkdtemp())
    print("| what | samples | p50 ms | p95 | worst | picture and sound p95 | within 40 ms |")
    print("|---|---|---|---|---|---|---|")
    measured("kept in step", given.seconds, correct=True)
    measured("peer: started, then left alone", given.seconds, correct=False)


if __name__ == "__main__":
    main()
