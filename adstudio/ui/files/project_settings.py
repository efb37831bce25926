"""The settings of a project, with their effect on gaps and free time as they are filled in."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QSizePolicy, QWidget

from adstudio.core.film import Film
from adstudio.core.script import Script
from adstudio.core.settings import Settings
from adstudio.core.steps import SetFilm, SetSettings, Several, Step
from adstudio.core.timebase import Span
from adstudio.editing.voicing import set_voice
from adstudio.gaps.gaps import gaps_of
from adstudio.ui.files.film_fields import FilmFields
from adstudio.ui.files.plan_fields import PlanFields, changed_time, free_time
from adstudio.ui.files.plan_preview import PlanPreview
from adstudio.ui.files.preset_picker import LAST_USED
from adstudio.ui.session.context import Context
from adstudio.ui.voice.voice_fields import VoiceFields
from adstudio.ui.widgets.careful_dialog import CarefulDialog
from adstudio.ui.widgets.controls import line
from adstudio.ui.widgets.default_key import take_ctrl_return
from adstudio.ui.widgets.file_dialogs import is_there
from adstudio.ui.widgets.form import add_row, align, column, form, on_screen, row, scrolled
from adstudio.ui.widgets.text import Label, heading, note, say_in
from adstudio.ui.widgets.theme import UNIT, time_font

LABELS = 28 * UNIT
GONE = "It no longer exists; you will be asked for it when a scene is drafted again."


class ProjectSettingsDialog(CarefulDialog, QDialog):
    """Shows a script's settings; `step` is the change, as one undo step."""

    def __init__(self, script: Script, parent: QWidget | None = None, context: Context | None = None) -> None:
        """With a context, the effect on its session's plan is shown, and the preset that is taken is remembered."""
        super().__init__(parent)
        self.setWindowTitle("Project settings")
        self._script, self._context = script, context
        self.effect = note("Effect on the plan")
        self._preview: PlanPreview | None = None
        if context is not None:
            self._preview = PlanPreview(context.jobs, script, context.session.plan, self)
            self._preview.said.connect(lambda sentence: say_in(self.effect, sentence))
        self._gaps_before = self._gaps(script.settings)
        self.film = FilmFields(LABELS)
        self.film.show_film(script.film)
        self.plan = PlanFields()
        self.plan.show_settings(script.settings, script.film.language)
        self.free = Label()
        self.free.setAccessibleName("Gaps and free time")
        self.free.setFont(time_font(self.font().pointSizeF() * 1.3))
        self.changes = note("Effect of the new settings")
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        take_ctrl_return(self)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        self._ok = buttons.button(QDialogButtonBox.StandardButton.Ok)
        self.screenplay = self._screenplay_field(script.film.screenplay.path if script.film.screenplay else "")
        left = column(heading("Film"), self.film, self.screenplay, 2 * UNIT, self._voice_part(), None, spacing=2 * UNIT)
        page = QWidget()
        columns = row(left, self.plan, spacing=8 * UNIT)
        columns.setContentsMargins(0, 0, 2 * UNIT, 0)
        for part in (0, 1):
            columns.setStretch(part, 1)
        page.setLayout(columns)
        scroll = scrolled("Film and settings", page)
        layout = column(scroll, self.free, self.changes, self.effect, buttons, spacing=3 * UNIT, grows=scroll)
        layout.setContentsMargins(6 * UNIT, 5 * UNIT, 6 * UNIT, 5 * UNIT)
        self.setLayout(layout)
        # A scroll area asks for less than its page has.
        more = page.sizeHint().height() - scroll.sizeHint().height()
        width = page.sizeHint().width() + 16 * UNIT
        self.resize(on_screen(self, QSize(width, self.sizeHint().height() + more + UNIT)))
        if self.voice is not None:
            self.voice.show_settings(script.voice, script.settings.rate_for(script.film.language))
        self.film.changed.connect(self._renew)
        self.plan.changed.connect(self._renew)
        self._renew()

    def _voice_part(self) -> QWidget:
        """Who speaks; hidden without a context, which knows the voices."""
        widget = QWidget()
        self.voice: VoiceFields | None = None
        if self._context is None:
            widget.hide()
            return widget
        voices = self._context.voices
        voices.ask(again=True)
        self.voice = VoiceFields(voices, self)
        self.voice.changed.connect(lambda *_: self._renew())
        fields = form(LABELS)
        add_row(fields, "&Voice", self.voice.picker)
        self.voice.picker.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        add_row(fields, "P&itch", self.voice.pitch)
        add_row(fields, "V&olume", self.voice.volume)
        align(self.film.form, fields)
        widget.setLayout(column(heading("Voice"), fields, self.voice.problem, spacing=2 * UNIT))
        return widget

    def _screenplay_field(self, screenplay: str) -> QWidget:
        """The screenplay that the film was drafted from, to be read and copied; hidden if there was none."""
        self.screenplay_path = line("Screenplay used for the draft")
        self.screenplay_path.setReadOnly(True)
        self.screenplay_path.setText(screenplay)
        self.screenplay_path.setCursorPosition(0)
        self.screenplay_gone = note("Availability of the screenplay")
        say_in(self.screenplay_gone, "" if not screenplay or is_there(Path(screenplay)) else GONE)
        fields = form(LABELS)
        add_row(fields, "Screenplay", self.screenplay_path)
        align(self.film.form, fields)
        widget = QWidget()
        widget.setLayout(column(fields, self.screenplay_gone, spacing=2 * UNIT))
        widget.setVisible(bool(screenplay))
        return widget

    def is_changed(self) -> bool:
        """Whether a setting differs."""
        return self.step is not None

    def done(self, result: int) -> None:
        """However it ends, nothing is worked out any more; a preset that was taken is remembered."""
        if self._preview is not None:
            self._preview.close()
        if self._context is not None and result and self.plan.preset:
            self._context.preferences.store(LAST_USED, self.plan.preset)
        super().done(result)

    @property
    def step(self) -> Step | None:
        """The change; None if there is none."""
        script, film, settings = self._script, self._film, self.plan.settings
        steps: list[Step] = []
        if film != script.film:
            steps.append(SetFilm(script.film, film))
        if settings != script.settings:
            steps.append(SetSettings(script.settings, settings))
        voice = None if self.voice is None else set_voice(script, self.voice.settings)
        if voice is not None:
            steps.append(voice)
        if len(steps) > 1:
            return Several("Project settings", tuple(steps))
        return steps[0] if steps else None

    @property
    def _film(self) -> Film:
        film, fields = self._script.film, self.film
        return replace(
            film,
            title=fields.title or film.title,
            language=fields.language,
            frame_rate=fields.rate or film.frame_rate,
            start_timecode=fields.start,
        )

    def _gaps(self, settings: Settings) -> tuple[Span, ...]:
        return gaps_of(self._script.with_changes(settings=settings)).gaps

    def _renew(self) -> None:
        settings = self.plan.settings
        gaps = self._gaps(settings)
        self.free.setText(free_time(gaps, self._script.film.end))
        said = changed_time(self._gaps_before, gaps)
        language = self._film.language
        before = self._script.settings.rate_for(self._script.film.language)
        now = settings.rate_for(language)
        if self.voice is not None:
            self.voice.show_rate(now)
        if now != before:
            share = round(abs(before / now - 1) * 100)
            said.append(f"lines take {share} % {'less' if now > before else 'more'} time to speak")
        self.changes.setText("; ".join(said).capitalize() + "." if said else "The gaps do not change.")
        self.plan.show_gaps(len(gaps))
        problem = self.film.problem or self.plan.problem
        self._ok.setEnabled(not problem)
        if self._preview is not None:
            if problem:
                self._preview.clear()
            else:
                self._preview.show(settings, language)
