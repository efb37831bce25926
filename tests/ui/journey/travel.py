"""A day with the editor, as a program of its own: `travel.py FOLDER first` works until it is killed, `second` goes on.

FOLDER holds the sample film and its candidates. After each thing done, the state of the document is compared with what
it should be, worked out by hand or by the edit itself on the state before; a picture of the screen is kept.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from hands import Hands
from PySide6.QtCore import QPoint, QTimer
from PySide6.QtWidgets import QApplication, QLineEdit, QMessageBox

from adstudio.core.plan import Delivery
from adstudio.core.script import Origin, Pin, Script
from adstudio.core.timebase import Span
from adstudio.delivery.formats import FORMATS
from adstudio.planning.film.film_plan import plan_film
from adstudio.planning.film.live_plan import ProofState
from adstudio.store.codec import decode, encode
from adstudio.store.project import ProjectFile
from adstudio.ui.app.application import make_application
from adstudio.ui.app.window import Window
from adstudio.ui.files.export import ExportDialog
from adstudio.ui.files.new_project import NewProjectDialog
from adstudio.ui.timeline.lanes import Lane

EXPECTED = "expected.json"


class Traveller:
    def __init__(self, folder: Path, window: Window) -> None:
        self.folder = folder
        self.window = window
        self.session = window.session
        self.hands = Hands(folder / "shots")

    @property
    def script(self) -> Script:
        return self.session.script

    def on_disk(self) -> Script:
        """The script at the last step, as a crash would leave it: read from a copy of the file."""
        copy = self.folder / "as a crash would leave it.adproj"
        copy.write_bytes((self.folder / "film.adproj").read_bytes())
        with ProjectFile.open(copy, read_only=True) as project:
            return project.last_script

    def check(self, told: str, expected: Script, *, proven: bool = True) -> None:
        """The document, its plan and its file are as they should be."""
        same(told, self.script, expected)
        same(f"{told}: the file", self.on_disk(), expected)
        whole = plan_film(expected, self.session.gaps)
        same(f"{told}: the plan's worth", self.session.plan.objective, whole.objective)
        if proven:
            self.hands.wait(
                lambda: self.session.current_plan.outcome.proof.state in (ProofState.EXACT, ProofState.CONFIRMED),
                f"{told}: proof",
            )
        self.hands.shot(told)

    def press_in_dialog(self, text: str) -> None:
        """Press the button of the question that is asked."""
        box = QApplication.activeModalWidget()
        assert isinstance(box, QMessageBox), f"no question is asked, but {box}"
        button = next(button for button in box.buttons() if button.text().replace("&", "") == text)
        self.hands.shot(f"asked {text}")
        self.hands.click(button)

    def type_into(self, field: QLineEdit, text: str) -> None:
        self.hands.click(field, count=3)
        self.hands.key("ctrl+a")
        self.hands.type(text)
        self.hands.key("Tab")


def same(told: str, found: object, expected: object) -> None:
    if found != expected:
        raise AssertionError(f"{told}: found {str(found)[:2000]} instead of {str(expected)[:2000]}")


def edited(script: Script, identity: str, **fields: object) -> Script:
    """The script with one eventuality changed by hand."""
    lines = tuple(
        replace(each, **fields) if each.id == identity else each  # type: ignore[arg-type]
        for each in script.eventualities
    )
    return replace(script, eventualities=lines)


def create(t: Traveller) -> None:
    """A new project from the film, its subtitles found beside it and its candidates."""
    t.hands.shot("welcome")

    def fill() -> None:
        assistant = QApplication.activeModalWidget()
        assert isinstance(assistant, NewProjectDialog)
        t.type_into(assistant.sources.video_field, str(t.folder / "film.mp4"))
        t.hands.wait(lambda: assistant.sources.found is not None, "the video has been looked at")
        t.hands.wait(lambda: "gap" in assistant.free.text(), "the gaps are counted")
        t.hands.shot("new project")
        t.hands.wait(assistant.make.isEnabled, f"the project can be made ({assistant.problem})")
        t.hands.click(assistant.make)

    when_asked(t, fill)
    t.hands.key("ctrl+n")
    t.hands.wait(lambda: t.session.project is not None, "the project is open")
    same("lines of the draft", len(t.script.eventualities), 66)
    same("frame rate", str(t.script.film.frame_rate.rate), "25")
    t.hands.wait(lambda: len(t.session.plan.deliveries) > 0, "a plan")
    t.check("created and drafted", t.script)


def when_asked(t: Traveller, do: Callable[[], None]) -> None:
    """Do something as soon as a dialog has the word, for it keeps the caller until it is answered."""
    timer = QTimer(t.window)
    timer.setInterval(50)
    failed: list[BaseException] = []

    def look() -> None:
        if QApplication.activeModalWidget() is None:
            return
        timer.stop()
        timer.deleteLater()
        try:
            do()
        except Exception as error:  # noqa: BLE001 - the dialog's own loop would swallow it
            failed.append(error)
            print(f"FAILED in a dialog: {error}", flush=True)
            os._exit(1)

    timer.timeout.connect(look)
    timer.start()


def spoken(t: Traveller, place: int) -> str:
    return t.session.plan.deliveries[place].element


def select(t: Traveller, identity: str) -> None:
    """Select a line by clicking its delivery on the timeline."""
    delivery = t.session.plan.by_element[identity]
    t.session.cursor.seek(delivery.start)
    t.hands.key("ctrl+1")
    t.hands.wait(
        lambda: t.session.cursor.playhead == delivery.start or abs(t.session.cursor.playhead - delivery.start) < 60,
        "seek",
    )
    t.hands.click(t.window.editor.timeline.canvas, place_of(t, identity))
    same("selected by a click", t.session.cursor.selection.ids, (identity,))


def place_of(t: Traveller, identity: str) -> QPoint:
    timeline = t.window.editor.timeline
    delivery = t.session.plan.by_element[identity]
    band = timeline.canvas.bands[Lane.NARRATION]
    return QPoint(round(timeline.view.x((delivery.start + delivery.end) / 2)), band.top + band.height // 2)


def work(t: Traveller) -> None:
    """Everything that is done to a script."""
    created = t.script

    line = spoken(t, 3)
    select(t, line)
    t.hands.key("p")
    state = edited(created, line, pin=Pin(selected=True))
    t.check("pinned", state)

    out = spoken(t, 6)
    select(t, out)
    t.hands.key("x")
    state = edited(state, out, pin=Pin(selected=False))
    t.check("excluded", state)
    same("excluded: gone from the plan", out in t.session.plan.by_element, False)

    rewritten = spoken(t, 8)
    select(t, rewritten)
    variant = t.session.plan.by_element[rewritten].variant
    t.hands.click(t.window.editor.table.view)
    t.session.cursor.select_line(rewritten)
    t.hands.key("F2")
    t.hands.key("ctrl+a")
    t.hands.type("Nora hums a tune, twice.")
    t.hands.key("Return")
    old = state.eventuality(rewritten)
    wordings = list(old.variants)
    wordings[variant] = replace(wordings[variant], text="Nora hums a tune, twice.", duration=None)
    # The draft's other wordings are still there: the one just written is held, or the planner might say another.
    pin = replace(old.pin, variant=variant) if len(wordings) > 1 else old.pin
    state = edited(state, rewritten, variants=tuple(wordings), pin=pin, origin=Origin.HUMAN, seen=True)
    t.check("rewritten", state)

    weighed = spoken(t, 10)
    select(t, weighed)
    t.hands.key("bracketright", "bracketright", "bracketleft", "bracketright")
    salience = created.eventuality(weighed).salience
    assert salience is not None
    state = edited(state, weighed, salience=salience + 100_000, weighed=True)
    t.check("reweighted", state)

    drag(t)
    state = t.script

    silent = next(gap for gap in t.session.gaps if gap.length > 8_000)
    t.session.cursor.seek(silent.start + 1_000)
    t.hands.pump(0.3)
    first = t.session.cursor.playhead
    t.hands.key("shift+i")
    t.session.cursor.seek(silent.start + 3_000)
    t.hands.pump(0.3)
    second = t.session.cursor.playhead
    t.hands.key("shift+o")
    count = len(t.session.gaps)
    t.hands.key("shift+s")
    same("silence", [s.span for s in t.script.silences], [Span(first, second)])
    same("gaps after it was split", len(t.session.gaps), count + (first - silent.start >= 1_000))
    t.check("silence drawn, gap split", t.script)
    before = t.script
    t.hands.key("ctrl+z")
    same("undo of the silence", t.script, state)
    t.hands.key("ctrl+y")
    same("redo of the silence", t.script, before)
    state = before

    t.session.cursor.seek(t.session.plan.deliveries[20].start)
    t.hands.pump(0.3)
    t.hands.key("Insert")
    t.hands.wait(lambda: len(t.script.eventualities) == 67, "a new line")
    t.hands.type("A cat walks by.")
    t.hands.key("Return")
    (new,) = [e for e in t.script.eventualities if e.id not in created.eventuality_index]
    same("the new line", (new.variants[0].text, new.origin), ("A cat walks by.", Origin.HUMAN))
    t.check("line written", t.script)


def drag(t: Traveller) -> None:
    """Drag a line that has room, by forty pixels and without snapping; and once with Escape, which leaves no step."""
    before = t.script
    timeline = t.window.editor.timeline

    def can_be_later(line: Delivery, ms: int) -> bool:
        occurrence = before.eventuality(line.element).occurrence
        assert occurrence is not None
        return line.start + line.end + 2 * ms <= occurrence.doubled_midpoint + 2 * before.settings.late

    dragged = next(
        d
        for d in t.session.plan.deliveries[12:]
        if (gap := t.session.current_plan.gap_at(d.start))
        and gap.end - d.end > 2_500
        and can_be_later(d, 2_500)
        and not before.eventuality(d.element).pin.held
    )
    select(t, dragged.element)
    middle = place_of(t, dragged.element)
    t.hands.drag(timeline.canvas, middle, middle + QPoint(40, 0), midway="Escape")
    same("Escape in a drag", t.script, before)
    t.hands.drag(timeline.canvas, middle, middle + QPoint(40, 0), holding="alt")
    pin = t.script.eventuality(dragged.element).pin
    assert pin.start is not None, "the drag pins the start"
    moved = (pin.start - dragged.start) / timeline.view.ms_per_px
    assert abs(moved - 40) <= 1.5, f"dragged by {moved} pixels instead of 40"
    same("a drag is one step", len(t.session.edits.document.past), len_before(t, before) + 1)
    t.check(
        "dragged",
        edited(before, dragged.element, pin=replace(before.eventuality(dragged.element).pin, start=pin.start)),
    )


def len_before(t: Traveller, script: Script) -> int:
    """How many steps led to a script."""
    t.session.undo()
    same("undo of the drag", t.script, script)
    count = len(t.session.edits.document.past)
    t.session.redo()
    return count


def first(t: Traveller) -> None:
    """Create, work, undo all, redo all, save, work on, and be killed."""
    create(t)
    created = t.script
    work(t)
    done, steps = t.script, len(t.session.edits.document.past)
    t.hands.key(*["ctrl+z"] * (steps + 3))
    t.check("all undone", created)
    same("the star", t.window.isWindowModified(), False)
    t.hands.key(*["ctrl+shift+z"] * (steps + 3))
    t.check("all redone", done)
    t.hands.key("ctrl+s")
    same("saved", t.session.edits.document.changed, False)
    t.hands.shot("saved")
    select(t, spoken(t, 1))
    t.hands.key("w")
    t.check("one more step", t.script)
    (t.folder / EXPECTED).write_bytes(encode(t.script))
    (t.folder / f"saved {EXPECTED}").write_bytes(encode(done))
    print("ABOUT TO DIE", flush=True)
    os.kill(os.getpid(), signal.SIGKILL)


def second(t: Traveller) -> None:
    """Recover, hand in, and close in order."""
    expected = decode((t.folder / EXPECTED).read_bytes(), Script)
    when_asked(t, lambda: t.press_in_dialog("Continue from last step"))
    t.window.files.open_path(t.folder / "film.adproj")
    t.check("recovered", expected)
    t.hands.key("ctrl+z")
    t.check("the last step undone", decode((t.folder / f"saved {EXPECTED}").read_bytes(), Script))
    t.hands.key("ctrl+y")

    def name_it() -> None:
        dialog = QApplication.activeModalWidget()
        assert isinstance(dialog, ExportDialog)
        t.type_into(dialog.path_field, str(t.folder / "script.vtt"))
        t.hands.shot("export")
        t.hands.key("Return")

    when_asked(t, name_it)
    t.hands.key("ctrl+e")
    t.hands.wait((t.folder / "script.vtt").exists, "the script is written")
    same("export", (t.folder / "script.vtt").read_bytes(), FORMATS["vtt"](t.script, t.session.plan))
    t.hands.key("ctrl+s")
    t.hands.shot("saved after recovery")
    t.hands.key("ctrl+q")


def main(folder: Path, part: str) -> int:
    (folder / "shots").mkdir(exist_ok=True)
    application = make_application()
    window = Window()
    window.setGeometry(0, 0, 1920, 1080)
    window.show()
    traveller = Traveller(folder, window)
    code = 0

    def go() -> None:
        nonlocal code
        try:
            {"first": first, "second": second}[part](traveller)
        except Exception as error:  # noqa: BLE001 - Qt's loop would swallow it
            import traceback

            traceback.print_exception(error)
            traveller.hands.shot("failed")
            code = 1
            window.session.edits.document.mark_saved()
            window.close()

    QTimer.singleShot(300, go)
    application.exec()
    window.shut_down()
    if code == 0:
        print("ARRIVED", flush=True)
    return code


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2]))
