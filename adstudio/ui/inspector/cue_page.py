"""The pages of a dialogue cue and of a scene: what can be mended of them."""

from __future__ import annotations

from adstudio.core.script import Cue, CueKind, Scene
from adstudio.editing.cues import set_cue_kind, set_cue_times
from adstudio.editing.scenes import rename_scene, set_reviewed
from adstudio.planning.film.scene_line_counts import NO_LINES, lines_by_scene
from adstudio.ui.inspector.page_base import Page
from adstudio.ui.session.context import Context
from adstudio.ui.widgets.controls import Check, Picker
from adstudio.ui.widgets.form import Form, column
from adstudio.ui.widgets.formatting import duration, lines_spoken, timecode
from adstudio.ui.widgets.text import heading, tone, words
from adstudio.ui.widgets.text_field import TextField
from adstudio.ui.widgets.theme import UNIT

KINDS = (
    (CueKind.SPEECH, "Speech"),
    (CueKind.SOUND, "Sound label"),
    (CueKind.MUSIC, "Music"),
    (CueKind.SUNG, "Singing"),
)


class CuePage(Page):
    """One dialogue cue."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.speaker = heading("")
        self.text = words(wrap=True)
        self.text.setAccessibleName("What is said")
        self.odd = words("It ends before it starts: give it a later end.", wrap=True)
        tone(self.odd, warning=True)
        self.start = self.time("From")
        self.end = self.time("Until")
        self.kind = Picker("What it is")
        self.kind.addItems([word for _, word in KINDS])
        form = Form()
        form.add("From", self.start, self.here(self.start))
        form.add("Until", self.end, self.here(self.end))
        form.add("It is", self.kind)
        self.start.entered.connect(lambda t: self._retime(t, None, self.start.bout.key))
        self.end.entered.connect(lambda t: self._retime(None, t, self.end.bout.key))
        self.kind.activated.connect(self._take_for)
        self.setLayout(column(column(self.speaker, self.text, spacing=UNIT), self.odd, form, spacing=2 * UNIT))

    def _cue(self) -> Cue | None:
        identity = self.session.cursor.selection.current
        return next((cue for cue in self.session.script.cues if cue.id == identity), None)

    def show_now(self) -> None:
        """The cue in hand."""
        cue = self._cue()
        if cue is None:
            return
        other, self._identity = cue.id != self._identity, cue.id
        self.speaker.setText(cue.speaker or "Dialogue")
        self.text.setText(cue.text)
        self.odd.setVisible(cue.end <= cue.start)
        for field, value in ((self.start, cue.start), (self.end, cue.end)):
            if other:
                field.show_other(value)
            else:
                field.show_value(value)
        self.kind.setCurrentIndex([kind for kind, _ in KINDS].index(cue.kind))

    def _retime(self, start: int | None, end: int | None, key: str) -> None:
        identity = self._identity
        self.attempt(lambda script: set_cue_times(script, identity, start=start, end=end), amends=f"{key} {identity}")

    def _take_for(self, place: int) -> None:
        ids = self.session.cursor.selection.ids
        self.attempt(lambda script: set_cue_kind(script, ids, KINDS[place][0]))


class ScenePage(Page):
    """One scene."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.span = words(quiet=True, figures=True)
        self.numbers = words(quiet=True, figures=True)
        self.name = TextField("Name of the scene")
        self.name.entered.connect(self._rename)
        self.name.cancelled.connect(lambda: self.give_up(self.name, self._named))
        self.reviewed = Check("Reviewed", self._review, "The scene has been gone through")
        form = Form()
        form.add("Name", self.name, stretch=True)
        form.add("Review", self.reviewed)
        head = column(heading("Scene"), self.span, self.numbers, spacing=0)
        self.setLayout(column(head, form, spacing=2 * UNIT))

    def _scene(self) -> Scene | None:
        return self.session.script.scene_by_id.get(self.session.cursor.selection.current or "")

    def show_now(self) -> None:
        """The scene in hand."""
        scene = self._scene()
        if scene is None:
            return
        other, self._identity = scene.id != self._identity, scene.id
        film = self.session.script.film
        where = f"{timecode(film, scene.span.start)} – {timecode(film, scene.span.end)}"
        self.span.setText(f"{where} · {duration(scene.span.length)}")
        if other:
            self.name.show_other(scene.title)
        else:
            self.name.show_text(scene.title)
        self.reviewed.setChecked(scene.reviewed)
        self.numbers.setText("")

    def fill(self) -> None:
        """How many lines it has, and how many are spoken."""
        counts = lines_by_scene(self.session.script, self.session.plan.by_element).get(self._identity, NO_LINES)
        self.numbers.setText(lines_spoken(counts.spoken, counts.lines))

    def flush(self) -> None:
        """Take what is typed."""
        self.name.flush()
        super().flush()

    def _named(self) -> str | None:
        scene = self._scene()
        return None if scene is None else scene.title

    def _rename(self, text: str) -> None:
        identity = self._identity
        self.attempt(lambda script: rename_scene(script, identity, text), amends=f"{self.name.bout.key} {identity}")

    def _review(self, on: bool) -> None:
        identity = self._identity
        self.attempt(lambda script: set_reviewed(script, (identity,), on=on))
