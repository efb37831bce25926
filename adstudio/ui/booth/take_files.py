"""Recordings on their way into the project and out of it: new takes are stored, kept ones written out to be played."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QTemporaryDir

from adstudio.core.errors import AdstudioError
from adstudio.core.narration import MIN_TAKE_MS, Take
from adstudio.core.plan import Plan
from adstudio.core.script import Script, Variant
from adstudio.core.steps import Step
from adstudio.editing.fusions import is_fused_head, on_own_lines, spoken_line
from adstudio.editing.takes import NewTake, add_take
from adstudio.recording.messages import LARGEST_RECORDING, Recorded
from adstudio.recording.unfinished import Unfinished, recordings_folder, remove_recording, unfinished_recordings
from adstudio.system.files import read_bounded, write_atomically
from adstudio.ui.session.session import Session


class TakeFiles:
    """The recordings of the open project."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._files = QTemporaryDir()

    @property
    def folder(self) -> Path | None:
        """Where recordings of the project are until they are takes; None where there is none."""
        project = self._session.project
        return None if project is None else recordings_folder(project.identity)

    def file_of(self, take: Take) -> Path | None:
        """A take's recording as a file; None, and said, where it cannot be had."""
        project = self._session.project
        path = self.scratch(f"{take.sound}.flac")
        if project is None:
            return None
        try:
            if not path.exists():
                write_atomically(path, project.sound(take.sound), flush=False)
        except AdstudioError as error:
            self._session.messages.report(error)
            return None
        return path

    def scratch(self, name: str) -> Path:
        """The path of a file that lasts as long as the window."""
        return Path(self._files.filePath(name))

    def add(self, recorded: Recorded, line: str, variant: int, text: str, name: str = "") -> bool:
        """Make a recording a take, which is used; False, and said, where that cannot be: it stays to be offered."""
        project = self._session.project
        if project is None:
            return False
        try:
            key = project.store_sound(read_bounded(recorded.take, LARGEST_RECORDING, "recording"))
        except AdstudioError as error:
            self._session.messages.report(error)
            return False

        def add_to(script: Script) -> Step | None:
            at = _place_of(script, line, variant, text)
            new = NewTake(line, at, key, recorded.length, recorded.start, recorded.end, name, text)
            return add_take(script, new)

        def step(script: Script) -> Step | None:
            plan = self._session.plan
            # A fused line becomes one of its own, unless what was read is a wording of the line that it is shown as.
            fused = (line,) if is_fused_head(script, plan, line) and _has(script, plan, line, text) else ()
            return on_own_lines(script, plan, fused, lambda after, _plan, _names: add_to(after))

        if not self._session.edits.attempt(step):
            return False
        remove_recording(recorded.recording)
        return True

    def unfinished(self) -> tuple[Unfinished, ...]:
        """Recordings of this project that a crash has left, of lines that there are; all others are deleted."""
        project, folder = self._session.project, self.folder
        # Who works on a project that is open here for reading only may be recording at this moment.
        if project is None or folder is None or project.read_only:
            return ()
        script, found = self._session.script, []
        for each in unfinished_recordings(folder):
            if each.length >= MIN_TAKE_MS and each.line in script.eventuality_index:
                found.append(each)
            else:
                remove_recording(each.path)
        return tuple(found)


def _has(script: Script, plan: Plan, line: str, text: str) -> bool:
    return any(variant.text == text for variant in spoken_line(script, plan, line)[0].variants)


def _place_of(script: Script, line: str, variant: int, text: str) -> int:
    """The number of a wording now: wordings may have been added or deleted while it was recorded."""
    place = script.eventuality_index.get(line)
    wordings: tuple[Variant, ...] = () if place is None else script.eventualities[place].variants
    same = [number for number, wording in enumerate(wordings) if wording.text == text]
    return same[0] if same and variant not in same else min(variant, max(0, len(wordings) - 1))
