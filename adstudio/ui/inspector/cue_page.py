"""The pages of a dialogue cue and of a scene."""

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
from adstudio.ui.widgets.theme import UNIT

KINDS = {
    CueKind.SPEECH: "Speech",
    CueKind.SOUND: "Sound label",
    CueKind.MUSIC: "Music",
    CueKind.SUNG: "Singing",
}


class CuePage(Page):
    """One dialogue cue."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.speaker = heading("")
        self.text = words(wrap=True)
        self.text.setAccessibleName("What is said")
        self.odd = words("It ends before it starts: give it a later end.", wrap=True)
        tone(self.odd, warning=True)
        form = Form()
        self.start, self.end = self.add_span(form, set_cue_times)
        self.kind = Picker("What it is")
        self.kind.addItems(list(KINDS.values()))
        form.add("It is", self.kind)
        self.kind.activated.connect(self._set_kind)
        self.setLayout(column(column(self.speaker, self.text, spacing=UNIT), self.odd, form, spacing=2 * UNIT))

    def show_now(self) -> None:
        """The selected cue."""
        cue = self._cue()
        if cue is None:
            return
        self._turn_to(cue.id)
        self.speaker.setText(cue.speaker or "Dialogue")
        self.text.setText(cue.text)
        self.odd.setVisible(cue.end <= cue.start)
        self.show_in(self.start, cue.start)
        self.show_in(self.end, cue.end)
        self.kind.setCurrentIndex(list(KINDS).index(cue.kind))

    def _cue(self) -> Cue | None:
        identity = self.session.cursor.selection.current
        return next((cue for cue in self.session.script.cues if cue.id == identity), None)

    def _set_kind(self, place: int) -> None:
        ids = self.session.cursor.selection.ids
        self.attempt(lambda script: set_cue_kind(script, ids, list(KINDS)[place]))


class ScenePage(Page):
    """One scene."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.span = words(quiet=True, figures=True)
        self.numbers = words(quiet=True, figures=True)
        self.name = self.text_field(
            "Name of the scene", "", rename_scene, lambda: getattr(self._scene(), "title", None)
        )
        tip = "The scene has been gone through"
        self.reviewed = Check("Reviewed", lambda on: self.apply(set_reviewed, on=on), tip)
        form = Form()
        form.add("Name", self.name, stretch=True)
        form.add("Review", self.reviewed)
        head = column(heading("Scene"), self.span, self.numbers, spacing=0)
        self.setLayout(column(head, form, spacing=2 * UNIT))

    def show_now(self) -> None:
        """The selected scene."""
        scene = self._scene()
        if scene is None:
            return
        self._turn_to(scene.id)
        film = self.session.script.film
        where = f"{timecode(film, scene.span.start)} – {timecode(film, scene.span.end)}"
        self.span.setText(f"{where} · {duration(scene.span.length)}")
        self.show_in(self.name, scene.title)
        self.reviewed.setChecked(scene.reviewed)
        self.numbers.setText("")

    def fill(self) -> None:
        """How many lines it has, and how many are spoken."""
        counts = lines_by_scene(self.session.script, self.session.plan.by_element).get(self._identity, NO_LINES)
        self.numbers.setText(lines_spoken(counts.spoken, counts.lines))

    def _scene(self) -> Scene | None:
        return self.session.script.scene_by_id.get(self.session.cursor.selection.current or "")
