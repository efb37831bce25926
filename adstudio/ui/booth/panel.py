"""The booth: the current line is recorded against the picture, and its takes are at hand."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QEvent, QTimer, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QScrollArea, QSizePolicy, QWidget

from adstudio.core.narration import Take
from adstudio.core.script import Eventuality
from adstudio.recording.messages import Cut, Punch, Recorded, Waveform
from adstudio.ui.booth.count_in import BEATS, beats_left
from adstudio.ui.booth.cue_light import CueLight
from adstudio.ui.booth.input_bar import InputBar
from adstudio.ui.booth.take_browser import TakeBrowser
from adstudio.ui.booth.take_files import TakeFiles
from adstudio.ui.booth.take_recorder import Phase, TakeRecorder, Target
from adstudio.ui.booth.unfinished_bar import UnfinishedBar
from adstudio.ui.picture.player import Player
from adstudio.ui.session.context import Context
from adstudio.ui.widgets.controls import of_action
from adstudio.ui.widgets.form import column
from adstudio.ui.widgets.text import words
from adstudio.ui.widgets.theme import UNIT

NO_LINE = "Select a line to record it."
NO_WORDS = "This line has no words yet: write them first."
READ_ONLY = "The project was opened read-only: save a copy under another name to record."
LEFT = "The recording was not finished: it is offered in the booth when the project is opened again."
SHOWN = 400
"""Characters of a line."""
LARGER = 1.3
"""The line is read aloud from here: it is larger than other text."""
RECORDING_ACTIONS = ("booth.record", "booth.record_next", "booth.punch", "booth.cancel", "booth.import")
TAKE_ACTIONS = ("booth.play", "booth.choose", "booth.leave", "booth.rename", "booth.delete")


class BoothPanel(QScrollArea):
    """The input device is open while the panel is seen."""

    front_asked = Signal()
    """Show the panel."""

    def __init__(self, context: Context, player: Player, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context, self._session = context, context.session
        self.files = TakeFiles(self._session)
        self.recorder = TakeRecorder(context.jobs, player, self)
        self.browser = TakeBrowser(context, player, self.recorder, self.files)
        self.input = InputBar(context, self.recorder)
        self.left = UnfinishedBar(context, self.recorder, self.files)
        self.light = CueLight(context.theme)
        self.text = words(wrap=True)
        self.text.setAccessibleName("Line to record")
        self.text.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._enlarge_text()
        self._shown, self._in_front = False, True
        self._seen = False
        """Whether it is shown, and no other tab in front of it."""
        self._next = False
        """Whether the next line is recorded once this take is stored."""
        self._waiting: Take | bool = False
        """What starts once the device is open: nothing, a take, or a punch-in to one."""
        actions = context.actions
        self.button = of_action(actions["booth.record"], "Record")
        top = QHBoxLayout()
        top.setSpacing(2 * UNIT)
        top.addWidget(self.light)
        top.addWidget(self.text, 1)
        next_button, punch = (
            of_action(actions["booth.record_next"], "Next"),
            of_action(actions["booth.punch"], "Punch in"),
        )
        for button in (self.button, next_button, punch):
            top.addWidget(button)
        layout = column(self.left, top, self.browser, self.input, spacing=UNIT)
        layout.setStretch(2, 1)
        layout.setContentsMargins(2 * UNIT, UNIT, 2 * UNIT, UNIT)
        content = QWidget()
        content.setLayout(layout)
        self.setWidget(content)
        self.setWidgetResizable(True)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setMinimumHeight(6 * UNIT)
        self.setAccessibleName("Booth")
        self.setFocusProxy(self.browser.takes)
        self._connect()
        self._show_phase()
        self._renew()

    def _connect(self) -> None:
        session, actions, recorder = self._session, self._context.actions, self.recorder
        has_line, has_take = (lambda: self.browser.line is not None), (lambda: self.browser.take is not None)
        actions.connect("booth.show", self.front_asked.emit, lambda: session.project is not None)
        actions.connect("booth.record", self.record, lambda: recorder.busy or has_line())
        actions.connect("booth.record_next", self.record_next, lambda: recorder.busy or has_line())
        actions.connect("booth.punch", self.punch_in, lambda: recorder.busy or has_take())
        actions.connect("booth.cancel", self.discard, self._can_discard)
        actions.connect("booth.import", self._import, lambda: session.project is not None and not recorder.busy)
        recorder.phase_changed.connect(lambda _: self._show_phase())
        recorder.counted.connect(self._show_count)
        recorder.failed.connect(self._failed)
        recorder.recorded.connect(self._recorded)
        self.input.opened.connect(self._opened_input)
        self.input.refused.connect(self._refused)
        self.browser.current_changed.connect(self._refresh)
        session.cursor.selection_changed.connect(self._renew)
        session.current_plan.changed.connect(lambda _: self._renew())
        session.opened.connect(self._opened)
        session.closing.connect(self._closing)

    def close_recorder(self) -> None:
        """End recording and playing; a second call does no harm."""
        self.browser.audition.close()
        self.recorder.close()

    def record(self) -> None:
        """Record the current line, or end the take."""
        if self.recorder.busy:
            self.recorder.stop()
        else:
            self._start(None)

    def record_next(self) -> None:
        """End the take, and record the next line that is spoken; where nothing is recorded, the current one."""
        if not self.recorder.busy:
            self._start(None)
            return
        self._next = True
        self.recorder.stop()
        if not self.recorder.busy:
            # It was ended before the cue: there is nothing to wait for.
            self._go_on()

    def punch_in(self) -> None:
        """Record from the cursor on; before it the take stays as it is."""
        if self.recorder.busy:
            self.recorder.stop()
        elif self.browser.take is not None:
            self._start(self.browser.take)

    def discard(self) -> None:
        """Keep nothing of what is being recorded, or stop playing a take."""
        self._next = self._waiting = False
        self.browser.audition.stop()
        if self.recorder.busy:
            self.recorder.cancel()
            # Too late where it is being saved.
            if not self.recorder.busy:
                self._session.messages.say("Recording discarded.")
        self._refresh()

    def _can_discard(self) -> bool:
        return self.recorder.busy or self.browser.audition.busy or self._waiting is not False

    def _import(self) -> None:
        from adstudio.ui.booth.import_takes import import_takes

        import_takes(self._context, self.window())

    def _start(self, punched: Take | None) -> None:
        self._session.flush_asked.emit()
        found, project = self.browser.wording, self._session.project
        if found is None or project is None:
            self._session.messages.say(NO_LINE)
        elif project.read_only:
            self._session.messages.say(READ_ONLY)
        elif not found.text.strip():
            self._session.messages.say(NO_WORDS)
        elif not self.recorder.is_open:
            # The device opens with the panel; the take begins as soon as it has.
            self._waiting = True if punched is None else punched
            if self._seen:
                self._open_input()
            else:
                self.front_asked.emit()
            self._refresh()
        else:
            self.browser.audition.stop()
            self._run(punched)

    def _run(self, punched: Take | None) -> None:
        browser = self.browser
        line, found, folder = browser.line, browser.wording, self.files.folder
        if line is None or found is None or folder is None:
            return
        browser.silence_voice()
        target, pre_roll = Target(line.id, browser.variant, found.text, browser.cue), self.input.pre_roll_ms
        path = None if punched is None else self.files.file_of(punched)

        def start(target: Target) -> None:
            self.recorder.start(target, folder, pre_roll, count_in=self.input.tones.isChecked())

        if punched is None:
            start(target)
        elif path is not None:
            at = max(punched.start, browser.wave.cursor_ms)
            cue = target.cue + at - punched.start
            lead = self.files.scratch("lead-in.wav")
            with_lead = replace(target, cue=cue, punch=Punch(path, at), lead=(lead, target.cue))
            self.recorder.client.ask(
                Cut(path, lead, punched.start, at, punched.level),
                lambda answer: start(with_lead if isinstance(answer, Waveform) else replace(with_lead, lead=None)),
            )

    def _recorded(self, recorded: Recorded, target: Target) -> None:
        name = "" if target.punch is None else "punched in"
        if not self.files.add(recorded, target.line, target.variant, target.text, name):
            self._next = False
            self.left.renew()
        elif self._next:
            self._go_on()

    def _go_on(self) -> None:
        """Go to the next line that is spoken, and record it."""
        self._next = False
        following = self._following()
        if following is not None:
            self._session.cursor.select_line(following.id)
            self._start(None)
        else:
            self._session.messages.say("That was the last line.")

    def _following(self) -> Eventuality | None:
        """The line that is spoken next in the film, in a gap or while the picture is held."""
        # numpy comes with it, and the window is to be up before.
        from adstudio.recording.importing import numbered_lines

        script, line = self._session.script, self.browser.line
        if line is None:
            return None

        def place(each: Eventuality) -> tuple[int, int]:
            return self.browser.cue_of(each), script.eventuality_index[each.id]

        spoken = (script.eventuality(each.line) for each in numbered_lines(script, self._session.plan))
        return min((each for each in spoken if place(each) > place(line)), key=place, default=None)

    def _opened_input(self) -> None:
        self._show_phase()
        waiting, self._waiting = self._waiting, False
        if waiting is not False:
            self._start(None if waiting is True else waiting)

    def _refused(self, sentence: str) -> None:
        waiting, self._waiting = self._waiting, False
        self._show_phase()
        self.light.setToolTip(sentence)
        if waiting is not False or self._seen:
            self._session.messages.say(sentence)

    def _failed(self, sentence: str) -> None:
        self._waiting = self._next = False
        self._show_phase()
        self.left.renew()
        self._session.messages.say(sentence, urgent=True)

    def _closing(self) -> None:
        """The project is being closed."""
        self._waiting = self._next = False
        self.browser.audition.stop()
        if self.recorder.phase in (Phase.RECORDING, Phase.SAVING):
            self._session.messages.say(LEFT)
        self.recorder.leave()

    # What is shown

    def _opened(self) -> None:
        self.browser.forget()
        self._renew()
        sentence = self.left.renew()
        if sentence:
            self._session.messages.say(f"{sentence} Open the booth to keep it.")
        if self._seen:
            self._open_input()

    def _open_input(self) -> None:
        if self._session.project is not None and not self.recorder.is_open and not self.recorder.opening:
            self.input.open()

    def _renew(self) -> None:
        found = self.browser.wording
        text = NO_LINE if found is None else found.text
        self.text.setText(text if len(text) <= SHOWN else f"{text[: SHOWN - 1]}…")
        self.text.setToolTip(text if len(text) > SHOWN else "")
        self.browser.renew()

    def _refresh(self) -> None:
        for name in (*RECORDING_ACTIONS, *TAKE_ACTIONS):
            self._context.actions[name].setEnabled(self._context.actions.is_possible(name))

    def _show_phase(self) -> None:
        phase = self.recorder.phase
        self._hold(self.recorder.line)
        match phase:
            case Phase.IDLE:
                self.light.show_state("Ready" if self.recorder.is_open else "No input", 0)
                # The next line may be recorded at once.
                QTimer.singleShot(0, self, self._close_unseen)
            case Phase.OPENING | Phase.PRE_ROLL:
                self.light.show_state("Stand by", 1)
            case Phase.RECORDING:
                self.light.show_state("Speak", 2)
            case Phase.SAVING:
                self.light.show_state("Saving", 0)
        self.button.setText("Stop" if phase in (Phase.OPENING, Phase.PRE_ROLL, Phase.RECORDING) else "Record")
        self._refresh()

    def _hold(self, line: str | None) -> None:
        """Show the line that is recorded until that is done, whatever line the film comes to; then it is current."""
        before, self.browser.held = self.browser.held, line
        if before is not None and line is None and before in self._session.script.eventuality_index:
            self._session.cursor.select_line(before)
        if before != line:
            self._renew()

    def _show_count(self, ms_left: int) -> None:
        left = beats_left(ms_left)
        if self.recorder.phase is Phase.PRE_ROLL:
            self.light.show_state(f"Stand by: {left}" if 0 < left <= BEATS else "Stand by", 1)

    def _enlarge_text(self) -> None:
        font = self.font()
        font.setPointSizeF(font.pointSizeF() * LARGER)
        self.text.setFont(font)

    def changeEvent(self, event: QEvent) -> None:
        """The line stays larger than other text."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange and hasattr(self, "text"):
            self._enlarge_text()

    def set_in_front(self, in_front: bool) -> None:
        """Say whether it is in front of the tabs that it may be one of: one behind them is shown as well, for Qt."""
        self._in_front = in_front
        self._look()

    def showEvent(self, event: QShowEvent) -> None:
        """Listen to the device while the panel is seen."""
        super().showEvent(event)
        self._shown = True
        self._look()

    def hideEvent(self, event: QHideEvent) -> None:
        """Let go of the device, unless a take is being recorded."""
        super().hideEvent(event)
        self._shown = False
        self._look()

    def _look(self) -> None:
        before, self._seen = self._seen, self._shown and self._in_front
        if self._seen and not before:
            self._renew()
            self.left.renew()
            self._open_input()
        elif before and not self._seen:
            self._waiting = False
            self._close_unseen()

    def _close_unseen(self) -> None:
        listens = self.recorder.input is not None or self.recorder.opening
        if listens and not self._seen and not self.recorder.busy:
            self.input.close_input()
            self._show_phase()
