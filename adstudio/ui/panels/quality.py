"""What quality control finds in the script, checked while the user is idle, by the house that is chosen here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QLabel, QWidget

from adstudio.core.errors import AdstudioError
from adstudio.core.plan import Plan
from adstudio.core.script import Script
from adstudio.core.settings import Settings
from adstudio.presets.library import own_presets, preset_named, shipped_presets
from adstudio.quality.checks import Checks, house_checks, project_checks
from adstudio.quality.findings import Finding
from adstudio.quality.inspection import Inspector
from adstudio.quality.messages import LEVELS, finding_message, levels_counted
from adstudio.quality.rules import Level
from adstudio.ui.background.timers import single_shot
from adstudio.ui.panels.row_list import RowList
from adstudio.ui.session.context import Context
from adstudio.ui.widgets.controls import Picker
from adstudio.ui.widgets.form import beside, column
from adstudio.ui.widgets.formatting import MANNER
from adstudio.ui.widgets.theme import UNIT

PREFERENCE = "qc_preset"
OF_PROJECT = "As the project"
GLYPHS = {Level.ERROR: "▨", Level.WARNING: "△", Level.NOTE: "·"}
MOST_SHOWN = 500
LATER_MS = 200
"""From a change of the plan until it is checked, if nothing else has led to that."""
NOTHING = "Nothing was found."


class _Row(NamedTuple):
    """A finding as it is shown: its tip has the rule, its source, and the values it goes by."""

    level: Level
    sentence: str
    tip: str


class QualityPanel(QWidget):
    """The findings, the gravest first: a click or Return goes to the line, as the action does to one after another."""

    counted = Signal(int)
    found = Signal(str)
    """What was found, as a sentence that names the key to it; empty for nothing."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._session, self._theme = context.session, context.theme
        self._preferences, self._actions = context.preferences, context.actions
        self._inspector = Inspector()
        self._checks: tuple[Settings, str, str, Checks] | None = None
        self._checked: tuple[Script, Plan, Checks, Mapping[str, int]] | None = None
        self._found: tuple[Finding, ...] = ()
        self._shown: list[_Row] | None = None
        self._house = Picker("Checked by the rules of")
        self._house.setToolTip("The house whose rules the script is checked by. The plan stays as it is.")
        self._house.activated.connect(self._choose)
        self._counts = QLabel()
        self._counts.setProperty("quiet", "true")
        label = QLabel("Checked by the rules of")
        label.setBuddy(self._house)
        head = beside(self._counts, label, self._house, stretch=True)
        head.setContentsMargins(3 * UNIT, UNIT, 2 * UNIT, UNIT)
        strip = QWidget()
        strip.setLayout(head)
        self._list = RowList("Quality checks", self._go)
        self.setFocusProxy(self._list)
        self.setLayout(column(strip, self._list, spacing=0))
        self._list_houses()
        context.session.idle.turn().connect(self._check_while_idle)
        # An engine’s answer comes while the user is idle, and no turn follows it.
        self._later = single_shot(self, LATER_MS, self._check_while_idle)
        self._preparation: Iterator[None] = iter(())
        self._next = single_shot(self, 0, self._prepare)
        context.session.current_plan.changed.connect(lambda _: self._later.start())
        context.session.faces_known.connect(self._later.start)
        context.session.opened.connect(self._opened)
        context.theme.changed.connect(self._dress)
        context.actions.connect("plan.next_finding", self.go_to_next, lambda: bool(self._found))
        self._show()

    @property
    def count(self) -> int:
        """How many errors and warnings there are."""
        return sum(each.level is not Level.NOTE for each in self._found)

    def go_to_next(self) -> None:
        """The next finding after the one chosen last, after the last one the first."""
        if self._shown:
            self._session.messages.say(self._shown[self._list.go_to_next(len(self._shown))].sentence)

    def check(self) -> None:
        """Check the script as it is now, unless that has been done, or none is open."""
        if self._session.project is None:
            return
        script, plan = self._session.script, self._session.plan
        present = script, plan, self._current_checks(script), self._session.first_seen
        if self._checked is not None and all(a is b for a, b in zip(self._checked, present, strict=True)):
            return
        self._checked = present
        self._found = self._inspector.findings(*present)
        self._show()

    def _check_while_idle(self) -> None:
        """Check, the first time in pieces; where there is input, the next turn will."""
        if not self._session.idle.is_idle:
            return
        if self._checked is not None or self._session.project is None:
            self.check()
        elif not self._next.isActive():
            script, plan = self._session.script, self._session.plan
            self._preparation = self._inspector.prepare(script, plan, self._current_checks(script))
            self._next.start()

    def _prepare(self) -> None:
        """One piece of the first check, which takes a tenth of a second of a long film; then the rest of it."""
        if not self._session.idle.is_idle:
            return
        if next(self._preparation, self) is None:
            self._next.start()
        else:
            self.check()

    def _current_checks(self, script: Script) -> Checks:
        """What the chosen house checks, or the project’s; presets are only read again when one of these changes."""
        house, settings, language = self._preferences.text(PREFERENCE), script.settings, script.film.language
        if self._checks is None or self._checks[:3] != (settings, language, house):
            self._checks = settings, language, house, self._checks_by(house, script)
        return self._checks[3]

    def _checks_by(self, house: str, script: Script) -> Checks:
        try:
            return house_checks(preset_named(house)) if house else project_checks(script)
        except AdstudioError:  # one’s own preset has gone
            return project_checks(script)

    def _list_houses(self) -> None:
        """The presets there are; those of one’s own may have changed."""
        with QSignalBlocker(self._house):
            self._house.clear()
            self._house.addItem(OF_PROJECT, "")
            for preset in (*shipped_presets(), *own_presets().presets):
                self._house.addItem(preset.title if preset.shipped else preset.name, preset.name)
            self._house.setCurrentIndex(max(0, self._house.findData(self._preferences.text(PREFERENCE))))

    def _choose(self) -> None:
        self._preferences.store(PREFERENCE, str(self._house.currentData()))
        self.check()

    def _opened(self) -> None:
        """Another project: it is checked once the user is idle."""
        self._next.stop()
        self._inspector, self._checked, self._checks, self._found = Inspector(), None, None, ()
        self._list_houses()
        self._show()

    def _dress(self) -> None:
        self._shown = None
        self._show()

    def _show(self) -> None:
        rows: list[_Row] | None = None
        if self._checked is not None:
            rows = [_row(*self._checked[:3], each) for each in self._found[:MOST_SHOWN]]
        said = levels_counted(self._found)
        self._counts.setText(said)
        key = self._actions["plan.next_finding"].shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        self.found.emit(f"The quality checks found {said}{f' ({key})' if key else ''}." if said else "")
        if rows is not None and rows == self._shown:
            return
        self._shown = rows
        tokens = self._theme.tokens
        inks = {Level.ERROR: tokens.warning, Level.WARNING: tokens.text, Level.NOTE: tokens.quiet}
        with self._list.refilled():
            for each in rows or ():
                text = each.sentence.removeprefix(f"{LEVELS[each.level]}, ")
                self._list.add(f"{GLYPHS[each.level]} {text}", each.sentence, inks[each.level], tip=each.tip)
            if rows == []:
                self._list.add(NOTHING, NOTHING, tokens.quiet, selectable=False)
        self._actions.refresh()
        self.counted.emit(self.count)

    def _go(self, row: int) -> None:
        if row >= len(self._found):
            return
        finding = self._found[row]
        # Of two lines that are in each other’s way the later one is the finding’s place.
        there = [name for name in finding.lines if name in self._session.script.eventuality_index]
        here = [name for name in there if self._starts(name) == finding.span.start]
        if there:
            self._session.cursor.select_line((here or there)[0], go=True)
        else:
            self._session.cursor.seek(finding.span.start)

    def _starts(self, name: str) -> int | None:
        delivery = self._session.plan.by_line.get(name)
        return None if delivery is None else delivery.start


def _row(script: Script, plan: Plan, checks: Checks, finding: Finding) -> _Row:
    rule = finding.rule
    tip = [f"{rule.id}: {rule.title} ({rule.source})"]
    tip += [f"{each.key.label}: {each.key.text(each.value)} ({each.source})" for each in checks.values_of(rule)]
    sentence = f"{LEVELS[finding.level]}, {rule.id}: {finding_message(script, plan, finding, MANNER)}"
    return _Row(finding.level, sentence, "\n".join(tip))
