"""The pages of dialogue cues, scenes, gaps and regions (silences, and narration allowed over dialogue)."""

from __future__ import annotations

from adstudio.core.fusions import items_said, wording_of
from adstudio.core.script import Cue, CueKind, Opening, Scene, Silence
from adstudio.editing.cues import set_cue_kind, set_cue_times
from adstudio.editing.regions import delete_regions, resize_region, set_region_note
from adstudio.editing.scenes import rename_scene, set_reviewed
from adstudio.planning.film.room import deliveries_in
from adstudio.planning.film.scene_line_counts import NO_LINES, lines_by_scene
from adstudio.ui.inspector.fit_bar import FitBar
from adstudio.ui.inspector.page_base import Page
from adstudio.ui.session.context import Context
from adstudio.ui.session.free_time import gap_used
from adstudio.ui.session.reason_texts import gap_texts
from adstudio.ui.session.selection import Kind
from adstudio.ui.widgets.controls import Button, Check, Link, Picker, of_action
from adstudio.ui.widgets.flow_layout import FlowLayout
from adstudio.ui.widgets.form import Form, beside, column
from adstudio.ui.widgets.formatting import counted, duration, items_described, quoted_line, timecode
from adstudio.ui.widgets.text import heading, tone, words
from adstudio.ui.widgets.theme import UNIT

KINDS = {
    CueKind.SPEECH: "Speech",
    CueKind.SOUND: "Sound label",
    CueKind.MUSIC: "Music",
    CueKind.SUNG: "Singing",
}

MOST_LINES = 30


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
        tip = (
            "You have gone through the scene: fused lines become your own as spoken; it opens again if the plan "
            "changes its lines"
        )
        reviewed = lambda on: self.apply(set_reviewed, on=on, plan=self.session.plan)  # noqa: E731 - to hand on
        self.reviewed = Check("Reviewed", reviewed, tip)
        self.reopened = words(wrap=True)
        self.reopened.setAccessibleName("What has changed since it was reviewed")
        tone(self.reopened, warning=True)
        form = Form()
        form.add("Name", self.name, stretch=True)
        form.add_layout("Review", column(self.reviewed, self.reopened, spacing=0))
        head = column(heading("Scene"), self.span, self.numbers, spacing=0)
        self.setLayout(column(head, form, spacing=2 * UNIT))

    def show_now(self) -> None:
        """The selected scene."""
        scene = self._scene()
        if scene is None:
            return
        self._turn_to(scene.id)
        self.span.setText(f"{self.span_text(scene.span)} · {duration(scene.span.length)}")
        self.show_in(self.name, scene.title)
        plan = self.session.current_plan
        self.reviewed.setChecked(scene.id in plan.reviewed_scenes)
        count = sum(each.scene == scene.id for each in plan.departures)
        self.reopened.setVisible(count > 0)
        self.reopened.setText(f"{counted(count, 'line')} changed since you reviewed it" if count else "")
        self.numbers.setText("")

    def fill(self) -> None:
        """How many lines it has, and how many are spoken."""
        script = self.session.script
        counts = lines_by_scene(script, items_said(script, self.session.plan)).get(self._identity, NO_LINES)
        self.numbers.setText(items_described(counts.spoken, counts.lines))

    def _scene(self) -> Scene | None:
        return self.session.script.scene_by_id.get(self.session.cursor.selection.current or "")


class GapPage(Page):
    """What a gap has left, what is spoken in it, and what more time would bring."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._ids: tuple[str, ...] = ()
        self.span = words(quiet=True, figures=True)
        self.span.setAccessibleName("Where the gap is")
        self.bar = FitBar(context)
        self.numbers = words(figures=True)
        self.numbers.setAccessibleName("Used and free")
        self.worth = words(quiet=True, wrap=True)
        self.worth.setAccessibleName("What it would bring")
        self.worth.setMinimumHeight(self.worth.fontMetrics().lineSpacing())
        self.title = heading("Spoken in it")
        self.links = column(spacing=0)
        self._rows: list[Link] = []
        buttons = FlowLayout()
        for name, text in (
            ("play.loop_gap", "Loop"),
            ("hear.gap", "Hear it"),
            ("gap.silence", "Keep silent"),
            ("gap.start_here", "Starts here"),
            ("gap.end_here", "Ends here"),
        ):
            buttons.addWidget(of_action(context.actions[name], text))
        head = column(heading("Gap"), self.span, spacing=0)
        self.setLayout(
            column(head, self.bar, self.numbers, self.worth, buttons, self.title, self.links, spacing=2 * UNIT)
        )

    def show_now(self) -> None:
        """The selected gap."""
        session, gap = self.session, self.session.cursor.selection.gap
        if gap is None:
            return
        film = session.script.film
        rooms = session.rooms
        used, usable = rooms.narrated(gap), rooms.capacity(gap)
        self.span.setText(self.span_text(gap))
        says = gap_used(rooms, gap)
        self.numbers.setText(says)
        self.bar.show_fit(used, usable, max(used, usable), says)
        self.worth.setText("")
        spoken = list(deliveries_in(session.plan.deliveries, gap))[:MOST_LINES]
        self._ids = tuple(each.line for each in spoken)
        self.title.setText("Spoken in it" if spoken else "Nothing is spoken in it")
        for place in range(len(self._rows), len(spoken)):
            self._rows.append(Link(lambda place=place: self._go_to(place)))
            self.links.addWidget(self._rows[-1])
        for place, row in enumerate(self._rows):
            row.setVisible(place < len(spoken))
            if place < len(spoken):
                each = spoken[place]
                wording = wording_of(session.script, each)
                text = "" if wording is None else wording.text
                row.show_text(f"{timecode(film, each.start)}  {quoted_line(text, 12)}", f"Go to {quoted_line(text)}")

    def fill(self) -> None:
        """What one more second would bring."""
        gap = self.session.cursor.selection.gap
        short, full = ("", "") if gap is None else gap_texts(self.session, gap, "at its end")
        self.worth.setText(short)
        self.worth.setAccessibleDescription(full)
        self.worth.setToolTip(full if full != short else "")

    def _go_to(self, place: int) -> None:
        if place < len(self._ids):
            self.session.cursor.select_line(self._ids[place])


class RegionPage(Page):
    """A silence or an opening: where it is, and why."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.title = heading("")
        self.length = words(quiet=True, figures=True)
        form = Form()
        self.start, self.end = self.add_span(form, resize_region)
        why = "Why, for whoever reads it next"
        self.note = self.text_field("Note", why, set_region_note, lambda: getattr(self._region(), "note", None))
        form.add("Note", self.note, stretch=True)
        self.delete = Button("Delete", self._delete, "Delete the region")
        self.setLayout(column(column(self.title, self.length, spacing=0), form, beside(self.delete), spacing=2 * UNIT))

    def show_now(self) -> None:
        """The selected region."""
        region = self._region()
        if region is None:
            return
        self._turn_to(region.id)
        others = len(self.session.cursor.selection.ids) - 1
        kind = "Silence" if isinstance(region, Silence) else "Opening"
        self.title.setText(f"{kind}, and {counted(others, 'more')}" if others else kind)
        self.length.setText(duration(region.span.length))
        self.show_in(self.start, region.span.start)
        self.show_in(self.end, region.span.end)
        self.show_in(self.note, region.note)

    def _region(self) -> Silence | Opening | None:
        script, identity = self.session.script, self.session.cursor.selection.current
        items = script.silences if self.session.cursor.selection.kind is Kind.SILENCE else script.openings
        return next((item for item in items if item.id == identity), None)

    def _delete(self) -> None:
        ids = self.session.cursor.selection.ids
        self.attempt(lambda script: delete_regions(script, ids))
