"""The settings of a project, with what they change in gaps and free seconds as they are filled in."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QHBoxLayout, QVBoxLayout, QWidget

from adstudio.core.script import Film, Script, Settings
from adstudio.core.steps import SetFilm, SetSettings, Several, Step
from adstudio.core.timebase import Span
from adstudio.gaps.gaps import find_gaps
from adstudio.ui.files.film_fields import FilmFields
from adstudio.ui.files.free_time_summary import changed_time, free_time
from adstudio.ui.files.plan_fields import PlanFields
from adstudio.ui.files.screenplay_source import ScreenplaySource
from adstudio.ui.widgets.form import on_screen, scrolled
from adstudio.ui.widgets.text import Label, heading, note
from adstudio.ui.widgets.theme import UNIT, time_font


class ProjectSettingsDialog(QDialog):
    """Shows a script's settings; `step` is what was changed, as one undo step."""

    def __init__(self, script: Script, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Project settings")
        self._script = script
        self._gaps_before = self._gaps(script.settings)
        self.film = FilmFields(28 * UNIT)
        self.film.show_film(script.film)
        self.plan = PlanFields()
        self.plan.show_settings(script.settings, script.film.language)
        self.free = Label()
        self.free.setAccessibleName("Gaps and free time")
        self.free.setFont(time_font(self.font().pointSizeF() * 1.3))
        self.changes = note("Effect of the new settings")
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        self._ok = buttons.button(QDialogButtonBox.StandardButton.Ok)
        left = QVBoxLayout()
        left.setSpacing(2 * UNIT)
        left.addWidget(heading("Film"))
        left.addWidget(self.film)
        self.drafted_from = ScreenplaySource(script.film.screenplay, 28 * UNIT)
        left.addWidget(self.drafted_from)
        left.addStretch(1)
        page = QWidget()
        columns = QHBoxLayout(page)
        columns.setContentsMargins(0, 0, 2 * UNIT, 0)
        columns.setSpacing(8 * UNIT)
        columns.addLayout(left, 1)
        columns.addWidget(self.plan, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(6 * UNIT, 5 * UNIT, 6 * UNIT, 5 * UNIT)
        layout.setSpacing(3 * UNIT)
        scroll = scrolled("Film and settings", page)
        layout.addWidget(scroll, 1)
        layout.addWidget(self.free)
        layout.addWidget(self.changes)
        layout.addWidget(buttons)
        # A scroll area asks for less than its page has.
        more = page.sizeHint().height() - scroll.sizeHint().height()
        width = page.sizeHint().width() + 16 * UNIT
        self.resize(on_screen(self, QSize(width, self.sizeHint().height() + more + UNIT)))
        self.film.changed.connect(self._renew)
        self.plan.changed.connect(self._renew)
        self._renew()

    @property
    def step(self) -> Step | None:
        """What was changed, None where nothing was."""
        script, film, settings = self._script, self._film, self.plan.settings
        steps: list[Step] = []
        if film != script.film:
            steps.append(SetFilm(script.film, film))
        if settings != script.settings:
            steps.append(SetSettings(script.settings, settings))
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
        script = self._script
        return find_gaps(script.cues, script.silences, script.film.end, settings.gaps, script.openings).gaps

    def _renew(self) -> None:
        settings = self.plan.settings
        gaps = self._gaps(settings)
        self.free.setText(free_time(gaps, self._script.film.end))
        said = changed_time(self._gaps_before, gaps)
        language = self._film.language
        before = self._script.settings.rate_for(self._script.film.language)
        now = settings.rate_for(language)
        if now != before:
            share = round(abs(before / now - 1) * 100)
            said.append(f"lines take {share} % {'less' if now > before else 'more'} time to speak")
        self.changes.setText("; ".join(said).capitalize() + "." if said else "The gaps do not change.")
        self._ok.setEnabled(not (self.film.problem or self.plan.problem))
