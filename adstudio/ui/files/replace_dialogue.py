"""Replacing the dialogue of an open project: other subtitles, what differs, and what that does to gaps and plan."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from pathlib import Path

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QWidget

from adstudio.core.errors import AdstudioError, Oddity
from adstudio.core.film import Film
from adstudio.core.script import Cue, Script
from adstudio.core.steps import Step
from adstudio.core.timebase import parse_start_timecode
from adstudio.drafting.companion_files import subtitles_beside
from adstudio.editing.dialogue_replacement import DialogueDiff, Shift, dialogue_diff, replace_dialogue, shift_of
from adstudio.editing.ids import Ids
from adstudio.gaps.gaps import gaps_of
from adstudio.store.media import source_file
from adstudio.subtitles.start_offset import shift_to_film_start
from adstudio.ui.files.plan_fields import changed_time, free_time
from adstudio.ui.files.plan_preview import PlanPreview
from adstudio.ui.files.subtitle_fields import SubtitleFields
from adstudio.ui.session.context import Context
from adstudio.ui.widgets.change_dialog import ChangeDialog
from adstudio.ui.widgets.file_dialogs import is_there
from adstudio.ui.widgets.formatting import as_sentence, counted, duration, shortened_list, timecode
from adstudio.ui.widgets.row_table import RowTable, TextRows
from adstudio.ui.widgets.text import heading, note, say_in, warning
from adstudio.ui.widgets.theme import UNIT

SAME = "The project already uses this dialogue."
CHOOSE = "Choose the subtitles to use instead."
SHOWN_ODDITIES = 5


class Column(IntEnum):
    """What the table shows of a cue that differs."""

    CHANGE = 0
    AT = 1
    NOW = 2
    NEW = 3


class ReplaceDialogueDialog(ChangeDialog):
    """Chooses other subtitles for the project and shows what they change; `step` makes the change."""

    def __init__(self, context: Context, parent: QWidget | None, project: Path) -> None:
        super().__init__(parent, "Replace dialogue", "Replace")
        self._context, self._project = context, project
        self._script: Script = context.session.script
        self.cues: tuple[Cue, ...] = ()
        """The new dialogue in the film's time."""
        self.diff: DialogueDiff | None = None
        self.fields = SubtitleFields()
        # The table below shows more of it.
        self.fields.preview.setParent(self)
        self.fields.preview.hide()
        self.odd = note("What is odd about the subtitles")
        self.summary = note("What changes")
        self.shift = warning("Time base of the subtitles")
        self.problem = warning("Why the dialogue cannot be replaced")
        self.changes = TextRows(Column, ("Change", "At", "Now", "New"), self)
        self.table = RowTable("Cues that differ", "Each cue that is added, removed, retimed or reworded.", "Columns")
        self.table.setModel(self.changes)
        self.gaps, self.effect = note("Effect on the gaps"), note("Effect on the plan")
        self._preview = PlanPreview(context.jobs, self._script, context.session.plan, self)
        self._preview.said.connect(lambda sentence: say_in(self.effect, sentence))
        self.lay_out(
            "Subtitles and what they change",
            *(self.fields, self.odd, 2 * UNIT),
            *(heading("What changes"), self.summary, self.shift, self.table, self.gaps, self.effect),
            table=self.table,
            size=QSize(200 * UNIT, 170 * UNIT),
            always_shown=(self.problem,),
        )
        self.table.fit_to({Column.CHANGE: "Reworded", Column.AT: "00:00:00:00"})
        self.fields.changed.connect(self._renew)
        self._offer()
        self.fields.field.setFocus()

    def step(self, script: Script, ids: Ids) -> Step | None:
        """The change of a script, as one undo step."""
        path = self.fields.path
        source = None if path is None else source_file(path, self._project)
        return replace_dialogue(script, ids, self.cues, source, self.fields.found_encoding)

    def done(self, result: int) -> None:
        """However it ends, nothing is worked out any more."""
        self._preview.close()
        super().done(result)

    def _offer(self) -> None:
        """Offer the subtitles of the project, which may have changed on the disk, and those beside its film."""
        film = self._script.film
        current = None if film.subtitles is None else Path(film.subtitles.path)
        beside = subtitles_beside(Path(film.media.path) if film.media is not None else self._project)
        found = [*([current] if current is not None and is_there(current) else []), *beside]
        self.fields.offer(list(dict.fromkeys(found)))

    def _renew(self) -> None:
        self.cues, self.diff = (), None
        path, problem, oddities = self.fields.path, self.fields.problem, self.fields.oddities
        if path is not None and not problem:
            try:
                self.cues, shifted = self._in_film_time(path)
                oddities = (*oddities, *shifted)
                self.diff = dialogue_diff(self._script.cues, self.cues)
            except AdstudioError as error:
                problem = as_sentence(str(error))
        say_in(self.problem, problem if not self.fields.problem else "")
        say_in(self.odd, _listed(oddities) if path is not None else CHOOSE)
        self.ok.setEnabled(bool(self.diff) and bool(self.cues))
        self._show_diff()

    def _in_film_time(self, path: Path) -> tuple[tuple[Cue, ...], tuple[Oddity, ...]]:
        film = self._script.film
        first = parse_start_timecode(film.start_timecode, film.frame_rate) if film.start_timecode else None
        return shift_to_film_start(self.fields.cues, film.end, first, path.name)

    def _show_diff(self) -> None:
        diff, script = self.diff, self._script
        self.changes.show(() if diff is None else _rows(script.film, diff))
        if diff is None:
            say_in(self.summary, "")
            say_in(self.shift, "")
            say_in(self.gaps, "")
            self._preview.clear()
            return
        say_in(self.summary, _summary(diff) if diff else SAME)
        shift = shift_of(diff)
        say_in(self.shift, "" if shift is None else shift_message(shift))
        before, after = (gaps_of(script.with_changes(cues=cues)).gaps for cues in (script.cues, diff.cues))
        changed = "; ".join(changed_time(before, after))
        effect = f" · {changed}" if changed else " · no gap changes" if before == after else ""
        say_in(self.gaps, f"{free_time(after, script.film.end)}{effect}")
        if diff:
            self._preview.show(script.settings, script.film.language, diff.cues)
        else:
            self._preview.clear()


def shift_message(shift: Shift) -> str:
    """What it means that cues which say the same are elsewhere."""
    if shift.drifts:
        return (
            f"The same words drift: {_by(shift.first)} at the beginning, {_by(shift.last)} at the end. These subtitles "
            "are of another frame rate or cut; “Sync subtitles to audio” may bring them into step."
        )
    return (
        f"The same words are {_by(shift.first)} throughout: these subtitles count from another start or belong to "
        "another cut. “Sync subtitles to audio” may bring them into step."
    )


def _by(ms: int) -> str:
    return f"{duration(abs(ms))} {'later' if ms > 0 else 'earlier'}" if ms else "in place"


def _summary(diff: DialogueDiff) -> str:
    groups = (
        (len(diff.added), "added"),
        (len(diff.removed), "removed"),
        (len(diff.retimed), "retimed"),
        (len(diff.reworded), "reworded"),
        (diff.unchanged, "unchanged"),
    )
    return (
        f"{counted(len(diff.cues), 'cue')}: " + ", ".join(f"{count:,} {what}" for count, what in groups if count) + "."
    )


def _rows(film: Film, diff: DialogueDiff) -> list[tuple[str, ...]]:
    """The cues that differ, in order of time."""
    found = [
        *((cue.start, "Added", "", _said(cue)) for cue in diff.added),
        *((cue.start, "Removed", _said(cue), "") for cue in diff.removed),
        *((new.start, "Retimed", *_retimed(film, old, new)) for old, new in diff.retimed),
        *((new.start, "Reworded", _said(old), _said(new)) for old, new in diff.reworded),
    ]
    found.sort(key=lambda row: row[0])
    return [(change, timecode(film, start), now, new) for start, change, now, new in found]


def _said(cue: Cue) -> str:
    words = " / ".join(cue.text.splitlines()) or "(no text)"
    return f"{cue.speaker}: {words}" if cue.speaker else words


def _retimed(film: Film, old: Cue, new: Cue) -> tuple[str, str]:
    now, then = (f"{timecode(film, cue.start)}–{timecode(film, cue.end)}" for cue in (old, new))
    by = _by(new.start - old.start) if new.start != old.start else f"ends {_by(new.end - old.end)}"
    return f"{now}  {_said(old)}", f"{then}  {by}"


def _listed(oddities: Sequence[Oddity]) -> str:
    shown = [f"{f'Line {odd.line}: ' if odd.line else ''}{odd.what}" for odd in oddities]
    return shortened_list(shown, SHOWN_ODDITIES)
