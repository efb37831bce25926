"""Records a take against the picture: pre-roll, count-in, cue, and the end; by way of the recording process.

The recording starts with the pre-roll, so that nothing is lost of a line that is begun early. Both clocks are the
system's, so that it is known which sample belongs to which film time.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from PySide6.QtCore import QObject, QTemporaryDir, QTimer, Signal

from adstudio.recording.messages import (
    CRASHED,
    PROTOCOL,
    Answer,
    Discard,
    Finish,
    Level,
    Listen,
    Listening,
    ListInputs,
    Measure,
    Punch,
    Record,
    Recorded,
    Recording,
    Request,
)
from adstudio.recording.unfinished import remove_recording
from adstudio.system.worker import Failed
from adstudio.ui.background.jobs import Jobs
from adstudio.ui.background.timers import single_shot
from adstudio.ui.background.worker_clients import CompanionClient
from adstudio.ui.booth.count_in import LENGTH, write_count_in
from adstudio.ui.hearing.audio_player import AudioPlayer
from adstudio.ui.hearing.synced_sound import SyncedSound
from adstudio.ui.picture.mpv_core import NoMpvError
from adstudio.ui.picture.playback import now_ms
from adstudio.ui.picture.player import Player
from adstudio.ui.widgets.formatting import as_sentence

EARLY_MS = 500
"""How much before the cue is kept of a take: who begins early is not cut."""
METER_MS = 60
OPEN_MS = 15_000
"""How long a device may take to answer."""
UNTIL_PICTURE_MS = 10
NO_ANSWER = "The input device does not answer: choose another one, or connect it again."


class Phase(Enum):
    """What is going on."""

    IDLE = "idle"
    OPENING = "opening"
    PRE_ROLL = "pre-roll"
    """The film plays up to the cue; what is said is recorded already."""
    RECORDING = "recording"
    SAVING = "saving"


@dataclass(frozen=True)
class Target:
    """What is recorded: a wording of a line, its text, and the film time at which the reader is to begin.

    A punch-in keeps a recording (its file) up to a point in milliseconds; the cue is that point in the film.
    """

    line: str
    variant: int
    text: str
    cue: int
    punch: Punch | None = None
    lead: tuple[Path, int] | None = None
    """For a punch-in, the old take up to the point, as a sound file, and the film time of its first sample."""


class TakeRecorder(QObject):
    """One recording at a time. The device is open from `listen` to `close_input`."""

    phase_changed = Signal(object)
    counted = Signal(int)
    """So many milliseconds are left until the cue."""
    inputs_listed = Signal(object)
    """`Inputs`, or `Failed`."""
    level_changed = Signal(object)
    failed = Signal(str)
    """What went wrong, as a sentence."""
    recorded = Signal(object, object)
    """`Recorded` and its `Target`: a take, which is now whoever listens to store."""

    def __init__(self, jobs: Jobs, player: Player, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._player = player
        self.client = CompanionClient[Request, Answer](jobs, self, PROTOCOL, CRASHED)
        self.client.ended.connect(self._ended)
        self.phase = Phase.IDLE
        self.input: Listen | None = None
        """What is listened to, or about to be; None where nothing is."""
        self.is_open = False
        self._target: Target | None = None
        self._count_in = False
        self._path: Path | None = None
        """What is written, once that is known."""
        self._started = 0
        self._cue_at: float | None = None
        self._problem = ""
        self._sounds: tuple[SyncedSound, SyncedSound] | None = None
        self._players: list[AudioPlayer] = []
        self._files = QTemporaryDir()
        self._meter = QTimer(self, interval=METER_MS)
        self._meter.timeout.connect(self._measure)
        self._until_picture = QTimer(self, interval=UNTIL_PICTURE_MS)
        self._until_picture.timeout.connect(self._roll)
        self._patience = single_shot(self, OPEN_MS, self._give_up)
        player.moved.connect(self._moved)
        player.changed.connect(self._player_changed)

    @property
    def busy(self) -> bool:
        """Whether a take is being recorded, or is about to be."""
        return self.phase is not Phase.IDLE

    @property
    def opening(self) -> bool:
        """Whether an answer about the device is awaited."""
        return self._patience.isActive()

    @property
    def line(self) -> str | None:
        """The line that is recorded; None while none is."""
        return None if self._target is None or not self.busy else self._target.line

    # The device

    def list_inputs(self) -> None:
        """List the input devices that there are now; `inputs_listed` follows."""
        if not self.busy:
            self.client.forget()
            self.is_open, self.input = False, None
            self._patience.start()
            self.client.ask(ListInputs(), self._listed)

    def listen(self, source: Listen) -> None:
        """Open an input; its level is measured from then on."""
        self.input = source
        self._patience.start()
        self.client.ask(source, self._listening)

    def close_input(self) -> None:
        """Let go of the device."""
        self._meter.stop()
        self.input = None
        self.is_open = False
        if not self.busy:
            self._patience.stop()
            self.client.forget()

    def reset_clip(self) -> None:
        """Forget that full scale was reached."""
        if self.is_open:
            self.client.ask(Measure(reset_clip=True), self._measured)

    def close(self) -> None:
        """End everything; what is being recorded stays on the disk, to be offered."""
        self.client.forget()
        self._let_go()
        for player in self._players:
            player.close()
        self._players.clear()

    def leave(self) -> None:
        """End the take at once; what has been recorded since the cue stays on the disk, to be offered."""
        if self.phase in (Phase.OPENING, Phase.PRE_ROLL):
            self.cancel()
            return
        self.client.forget()
        self._let_go()

    # A take

    def start(self, target: Target, folder: Path, pre_roll: int, *, count_in: bool) -> None:
        """Record: the film plays from `pre_roll` ms before the cue, and the take begins there."""
        if self.busy:
            return
        if self.input is None or not self.is_open:
            self.failed.emit("No input device is open: choose one in the booth.")
            return
        self._target, self._count_in = target, count_in
        self._path, self._cue_at, self._problem = None, None, ""
        self._phase(Phase.OPENING)
        self._player.pause()
        self._player.set_loop(None)
        self._player.seek(max(0, target.cue - pre_roll))
        self._patience.start()
        self.client.ask(Record(folder, target.line, target.variant, target.text), self._recording)

    def stop(self) -> None:
        """End the take; before the cue, nothing is kept of it."""
        if self.phase is Phase.RECORDING:
            self._finish()
        elif self.phase in (Phase.OPENING, Phase.PRE_ROLL):
            self.cancel()

    def cancel(self) -> None:
        """Keep nothing of what is being recorded."""
        if self.phase in (Phase.OPENING, Phase.PRE_ROLL, Phase.RECORDING):
            self._phase(Phase.IDLE)
            self._stop_sounds()
            self._player.pause()
            self.client.ask(Discard(), lambda _: None)
            if self._path is not None:
                # The process may be ended before it comes to that.
                remove_recording(self._path)

    def _let_go(self) -> None:
        """Nothing is recorded or listened to any more."""
        self._meter.stop()
        self._patience.stop()
        self.is_open = False
        self.input = None
        if self.busy:
            # First, since a film that pauses ends the take.
            self._phase(Phase.IDLE)
            self._stop_sounds()
            self._player.pause()

    def _listed(self, answer: Answer) -> None:
        self._patience.stop()
        self.inputs_listed.emit(answer)

    def _listening(self, answer: Answer) -> None:
        self._patience.stop()
        self.is_open = isinstance(answer, Listening)
        if self.is_open:
            self._meter.start()
        else:
            self.input = None
            self._fail(answer)

    def _recording(self, answer: Answer) -> None:
        self._patience.stop()
        if self.phase is not Phase.OPENING or self._target is None:
            return
        if not isinstance(answer, Recording):
            self._phase(Phase.IDLE)
            self._fail(answer)
            return
        self._path, self._started = answer.path, answer.started
        self._prepare_sounds(self._target)
        self._until_picture.start()

    def _roll(self) -> None:
        """Play as soon as the picture is there."""
        if self._player.busy:
            return
        self._until_picture.stop()
        if self.phase is Phase.OPENING:
            self._phase(Phase.PRE_ROLL)
            self._player.play()
            self._moved(self._player.state.time)

    def _moved(self, ms: int) -> None:
        target = self._target
        if self.phase is not Phase.PRE_ROLL or target is None:
            return
        self.counted.emit(max(0, target.cue - ms))
        if ms >= target.cue:
            self._phase(Phase.RECORDING)
            # Until the player has answered, its own guess holds.
            self._at_film_time(self._player.now, now_ms())
            self._player.measure(self._at_film_time)

    def _at_film_time(self, film: float, at: float) -> None:
        if self._target is not None and self.phase is Phase.RECORDING:
            self._cue_at = at - (film - self._target.cue) / self._player.state.pace

    def _player_changed(self, _state: object) -> None:
        state = self._player.state
        if state.playing and self.phase in (Phase.PRE_ROLL, Phase.RECORDING):
            for sound in self._sounds or ():
                sound.film_plays()
        at_end = state.time >= self._player.frames.moved(state.duration, -1)
        if not state.playing and self.phase in (Phase.PRE_ROLL, Phase.RECORDING) and not at_end:
            self.stop()

    def _finish(self) -> None:
        target = self._target
        if target is None:
            return
        self._phase(Phase.SAVING)
        self._stop_sounds()
        self._player.pause()
        cue = 0 if self._cue_at is None else round(self._cue_at) - self._started
        skip = max(0, cue if target.punch is not None else cue - EARLY_MS)
        self.client.ask(Finish(skip, target.punch), self._finished)

    def _finished(self, answer: Answer) -> None:
        target, self._target = self._target, None
        problem, self._problem = self._problem, ""
        self._phase(Phase.IDLE)
        if isinstance(answer, Recorded):
            self.recorded.emit(answer, target)
            if problem:
                self.failed.emit(problem)
        elif problem:
            self.failed.emit(problem)
        else:
            self._fail(answer)

    # Levels, and what is wrong with the device

    def _measure(self) -> None:
        if self.is_open and not self.client.busy:
            self.client.ask(Measure(), self._measured)

    def _measured(self, answer: Answer) -> None:
        if not isinstance(answer, Level):
            return
        self.level_changed.emit(answer)
        if not answer.problem:
            return
        self._problem = answer.problem
        if self.phase is Phase.RECORDING:
            self._finish()
        elif self.phase is not Phase.SAVING:
            self.cancel()
            self.failed.emit(self._problem)
        self._meter.stop()
        self.is_open = False
        self.input = None

    def _give_up(self) -> None:
        self.client.forget()
        self._let_go()
        self.failed.emit(NO_ANSWER)

    def _ended(self) -> None:
        busy = self.busy
        self._let_go()
        if busy:
            self.failed.emit(as_sentence(CRASHED))

    def _fail(self, answer: object) -> None:
        self.failed.emit(as_sentence(answer.message if isinstance(answer, Failed) else CRASHED))

    def _phase(self, phase: Phase) -> None:
        if phase is not self.phase:
            self.phase = phase
            if phase is Phase.IDLE:
                self._until_picture.stop()
                self._patience.stop()
            self.phase_changed.emit(phase)

    # What the reader hears

    def _prepare_sounds(self, target: Target) -> None:
        """The count-in, and at a punch-in the old take up to the point."""
        if self._sounds is None and not self._players:
            try:
                self._players = [AudioPlayer(self._player.marshal, self) for _ in range(2)]
            except NoMpvError:
                self.failed.emit("The count-in cannot be heard: libmpv is not installed.")
                return
            first, second = (SyncedSound(self._player, player, self) for player in self._players)
            self._sounds = first, second
        if self._sounds is None:
            return
        tones, lead = self._sounds
        if self._count_in:
            path = Path(self._files.filePath("count-in.wav"))
            if not path.exists():
                write_count_in(path)
            tones.prepare(path, target.cue - LENGTH)
        if target.lead is not None:
            lead.prepare(*target.lead)

    def _stop_sounds(self) -> None:
        for sound in self._sounds or ():
            sound.cancel()
