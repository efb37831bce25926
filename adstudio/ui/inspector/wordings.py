"""The wordings of a line, edited in place, with words, seconds and fit as they are typed."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPoint, QRectF, Qt
from PySide6.QtGui import QColor, QFocusEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QGridLayout, QMenu, QSizePolicy, QWidget
from shiboken6 import isValid

from adstudio.core.counts import percent
from adstudio.core.plan import Conflict, HoldConflict
from adstudio.core.script import Eventuality, Script
from adstudio.core.steps import Step
from adstudio.core.timebase import Span
from adstudio.editing.fit import Fit, outside_gaps
from adstudio.editing.fusions import is_fused_head, on_shown_line
from adstudio.editing.pins import pin_variant
from adstudio.editing.wordings import confirm_wording, remove_wording, rewrite, set_duration
from adstudio.planning.film.live_plan import Outcome
from adstudio.planning.film.spoken_lengths import EXPECTED
from adstudio.ui.inspector.fit_bar import FitBar
from adstudio.ui.inspector.page_base import Make, Page
from adstudio.ui.session.context import Context
from adstudio.ui.session.cursor import TextPlace
from adstudio.ui.session.typed_fit import displaced_words, typed_fit
from adstudio.ui.table.delegate import spare_words
from adstudio.ui.table.line_facts import lines_of
from adstudio.ui.widgets.controls import Tool, of_action
from adstudio.ui.widgets.fitted_width import FittedWidth
from adstudio.ui.widgets.form import beside, column
from adstudio.ui.widgets.formatting import PREDICTED_MARK, SOURCES, counted, duration, lacking
from adstudio.ui.widgets.glyphs import Glyph, draw
from adstudio.ui.widgets.text import heading, tone, words
from adstudio.ui.widgets.text_field import PLAIN, TypingRun
from adstudio.ui.widgets.theme import UNIT
from adstudio.ui.widgets.value_field import length_field

STALE = "check: full wording changed"
STALE_TIP = "The full wording was changed since: check whether this one still says the same, or rewrite it"


class WordingMark(QWidget):
    """The wording's number; solid where it is the one spoken, with a pin where it is locked."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._theme = context.theme
        self._number, self._spoken, self._held = 1, False, False
        self.setFixedWidth(max(5 * UNIT, self.fontMetrics().height() + 2))

    def changeEvent(self, event: QEvent) -> None:
        """Room for a number of another size."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self.setFixedWidth(max(5 * UNIT, self.fontMetrics().height() + 2))

    def show_mark(self, number: int, *, spoken: bool, held: bool) -> None:
        """What the mark says, to the eye and to a screen reader."""
        self._number, self._spoken, self._held = number, spoken, held
        says = [f"Wording {number}"] + ["spoken now"] * spoken + ["locked"] * held
        self.setAccessibleName(", ".join(says))
        self.setToolTip(", ".join(says))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """The number, on the accent where it is spoken."""
        del event
        tokens = self._theme.tokens
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        side = max(4 * UNIT + 2, min(self.fontMetrics().height() + 2, self.width()))
        box = QRectF(0, UNIT, side, side)
        if self._spoken:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(tokens.accent))
            painter.drawRoundedRect(box, UNIT, UNIT)
        painter.setPen(QColor(tokens.on_accent if self._spoken else tokens.quiet))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, str(self._number))
        if self._held:
            draw(painter, Glyph.PIN, UNIT, box.bottom() + 2 * UNIT, QColor(tokens.text))
        painter.end()


HELD = "the picture is held for it"


class WordingRow(Page):
    """One wording."""

    def __init__(self, context: Context, place: int) -> None:
        super().__init__(context)
        self._place = place
        self._scale = 1
        self._known: Fit | None = None
        self._displaced, self._clashes = "", False
        self._plan = self.session.plan
        """The plan with which the step, or the run of typing that it belongs to, began."""
        self.mark = WordingMark(context)
        self.text = self.text_field(f"Wording {place + 1}", "", self._rewritten, self._current_text, needs_words=True)
        self.length = length_field(f"Own length of wording {place + 1} in seconds; empty: as long as it takes to speak")
        self.length.setAlignment(Qt.AlignmentFlag.AlignRight)
        FittedWidth(self.length, "00.0 s")
        for field in (self.text, self.length):
            field.setStyleSheet(PLAIN)
        self.bar = FitBar(context)
        self.numbers = words(quiet=True, figures=True, wrap=True)
        self.numbers.setAccessibleName("Fit")
        self.numbers.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.hold = Tool("Lock", f"Lock wording {place + 1}", self._toggle_hold, checkable=True)
        self.remove = Tool("×", f"Remove wording {place + 1}", self.remove_wording)
        # One stop of the Tab key for each wording; the rest is in the menu of its text, and in the Line menu.
        for widget in (self.length, self.hold, self.remove):
            widget.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.text.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.text.customContextMenuRequested.connect(lambda at: self.menu(at).popup(self.text.mapToGlobal(at)))
        self.text.check_spelling(context.spelling)
        self.text.typed.connect(lambda _: self.show_fit())
        self.text.cursor_moved.connect(self._show_cursor)
        self.text.entered.connect(self._show_taken)
        self.text.escaped.connect(self._give_up_empty)
        self.length.entered.connect(self._set_length)
        self.length.refused.connect(self.session.messages.say)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, UNIT)
        grid.setHorizontalSpacing(UNIT)
        grid.setVerticalSpacing(0)
        grid.setColumnStretch(1, 1)
        grid.addWidget(self.mark, 0, 0, 2, 1)
        grid.addWidget(self.text, 0, 1)
        grid.addWidget(self.length, 0, 2, Qt.AlignmentFlag.AlignTop)
        foot = beside(self.numbers, self.hold, self.remove, stretch=True)
        grid.addLayout(column(self.bar, foot, spacing=0), 1, 1, 1, 2)

    def _show_cursor(self, offset: int) -> None:
        self.session.cursor.text_place = TextPlace(self._identity, self._place, offset)

    def show_wording(self, line: Eventuality, spoken: int | None, *, other: bool) -> int:
        """Show the wording of this row; `other` where the row showed another line. The scale that it needs."""
        variant = line.variants[self._place]
        self._identity, self._is_other = line.id, other
        self.show_in(self.text, variant.text)
        self.show_in(self.length, variant.duration)
        held = line.pin.variant == self._place
        self.mark.show_mark(self._place + 1, spoken=spoken == self._place, held=held)
        self.hold.setChecked(held)
        self.remove.setEnabled(len(line.variants) > 1)
        self._known = self._fit()
        return 1 if self._known is None else max(self._known.duration, self._known.room)

    def show_fit(self, scale: int | None = None) -> None:
        """Words, seconds and room of what stands in the field; with a scale, as they were just worked out."""
        fit = self._fit() if scale is None else self._known
        self._scale = self._scale if scale is None else scale
        if fit is None:
            return
        room, amiss = self._obstacle(fit)
        amiss = amiss or (self._displaced if self._clashes else "")
        said, fits = amiss or spare_words(fit), fit.fits and not amiss
        if self._displaced and not amiss:
            said = f"{said} · {self._displaced}"
        line = self._line()
        if line is not None and line.holds_picture:
            said, fits = HELD, True
        if line is not None and line.variants[self._place].stale:
            said, fits = f"{said} · {STALE}", False
        rate = percent(1 if line is None else line.variants[self._place].rate)
        self.numbers.setText(" · ".join(filter(None, (counted(fit.words, "word"), said))))
        stale = f". {STALE_TIP}" if STALE in said else ""
        self.numbers.setToolTip(f"Aims at {rate} of the full wording{stale}")
        tone(self.numbers, warning=not fits, quiet=fits)
        voiced = bool(self.session.script.voice.engine)
        mark = PREDICTED_MARK if voiced and fit.source in EXPECTED else ""
        self.length.setPlaceholderText(f"{mark}{duration(fit.duration)}")
        source = f", {SOURCES[fit.source]}" if voiced else ""
        if voiced:
            self.length.setToolTip(f"{duration(fit.duration)}{source}")
        scale = max(self._scale, fit.duration, fit.room)
        used = duration(fit.duration) if amiss else f"{duration(fit.duration)} of {duration(room)}"
        self.bar.show_fit(fit.duration, room, scale, ", ".join(filter(None, (used, said))))
        parts = (counted(fit.words, "word"), f"{duration(fit.duration)}{source}", said)
        self.text.setAccessibleDescription(", ".join(filter(None, parts)))

    def come_after(self, before: QWidget) -> None:
        """Have the Tab key come here from another widget: rows are built late, but are above what was built earlier."""
        for following in (self.text, self.length, self.hold, self.remove):
            QWidget.setTabOrder(before, following)
            before = following

    def _line(self) -> Eventuality | None:
        script = self.session.script
        place = script.eventuality_index.get(self._identity)
        line = None if place is None else lines_of(self.session).as_shown(script.eventualities[place])
        return line if line is not None and self._place < len(line.variants) else None

    def _fit(self) -> Fit | None:
        line, session, text = self._line(), self.session, self.text.toPlainText()
        if line is None:
            return None
        found = typed_fit(session, line.id, self._place, text)
        self._displaced, self._clashes = displaced_words(session, found), found.clashes
        return found.fit

    def _obstacle(self, fit: Fit) -> tuple[int, str]:
        """The room that the wording has where its line is locked, and what is wrong there besides its length."""
        line, session = self._line(), self.session
        if line is None or line.pin.selected is False:
            return fit.room, ""
        if line.id not in session.plan.by_line and line.id in lines_of(session).conflicting:
            alone = _conflicts_alone(session.current_plan.outcome, line.id)
            return 0, "its lock cannot hold" if alone else "conflicts with other locks"
        if line.pin.start is None:
            return fit.room, ""
        over = outside_gaps(session.gaps, Span(line.pin.start, line.pin.start + fit.duration))
        if line.pin.override and over and fit.fits:
            return fit.duration - over, f"{lacking(over)} outside its gap, as you allowed"
        return fit.room, ""

    def _give_up_empty(self) -> None:
        if not self.text.toPlainText().strip():
            self.session.edits.text_given_up.emit(self._identity)

    def _current_text(self) -> str | None:
        line = self._line()
        return None if line is None else line.variants[self._place].text

    def _rewritten(self, script: Script, identity: str, text: str) -> Step | None:
        if self._line() is None:
            return None
        return self._of_shown(script, lambda script: rewrite(script, identity, self._place, text))

    def attempt(self, make: Make, run: TypingRun | None = None) -> None:
        """Take a step. One that goes on with typing is made of the script as it was before, and so of its plan."""
        if run is None or not self.session.edits.goes_on(self._amends(run)):
            self._plan = self.session.plan
        super().attempt(make, run)

    def _of_shown(self, script: Script, edit: Make) -> Step | None:
        return on_shown_line(script, self._plan, self._identity, edit)

    def _attempt_of_shown(self, edit: Make, run: TypingRun | None = None) -> None:
        self.attempt(lambda script: self._of_shown(script, edit), run)

    def _show_taken(self) -> None:
        """Show the text as it was taken, once the field has been left."""
        text = self._current_text()
        if text is not None and not self.text.hasFocus():
            self.text.show_other(text)

    def _set_length(self, length: int | None) -> None:
        edit: Make = lambda script: set_duration(script, self._identity, self._place, length)  # noqa: E731
        self._attempt_of_shown(edit, self.length.typing_run)

    def remove_wording(self) -> None:
        """Remove this wording, if the line has another."""
        self.text.flush()
        self._attempt_of_shown(lambda script: remove_wording(script, self._identity, self._place))

    def confirm(self) -> None:
        """This wording still says what the full one says."""
        self.text.flush()
        self._attempt_of_shown(lambda script: confirm_wording(script, self._identity, self._place))

    def set_length(self) -> None:
        """Put the cursor into the field for the length."""
        self.length.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.length.selectAll()

    def menu(self, place: QPoint) -> QMenu:
        """What can be done with the text, a misspelled word at a place in it, and the wording."""
        menu = self.text.menu_at(place)
        menu.addSeparator()
        number = self._place + 1
        lock = menu.addAction(f"&Lock wording {number}", self._toggle_hold)
        lock.setCheckable(True)
        lock.setChecked(self.hold.isChecked())
        menu.addAction(f"Len&gth of wording {number}…", self.set_length)
        line = self._line()
        if line is not None and line.variants[self._place].stale:
            menu.addAction(f"Wording {number} &still says the same", self.confirm)
        menu.addAction(f"&Remove wording {number}", self.remove_wording).setEnabled(self.remove.isEnabled())
        return menu

    def _toggle_hold(self) -> None:
        line, place = self._line(), self._place
        if line is not None:
            locked = None if line.pin.variant == place else place
            self._attempt_of_shown(lambda script: pin_variant(script, line.id, locked))
            self.hold.setChecked(self.session.script.eventuality(line.id).pin.variant == place)


class Wordings(QWidget):
    """All wordings of a line."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context, self._session = context, context.session
        self._rows: list[WordingRow] = []
        self._shown = 0
        self._identity = ""
        self._fresh: int | None = None
        """The wording just added."""
        self._from: QWidget | None = None
        """What had the focus when the text was asked for by a key, until the focus goes elsewhere."""
        self._list = column(spacing=0)
        self._title = heading("Wordings")
        self.add = of_action(context.actions["line.wording_add"], "Add wording")
        self.setLayout(column(self._title, self._list, beside(self.add)))

    @property
    def rows(self) -> list[WordingRow]:
        """The rows of the line that is shown."""
        return self._rows[: self._shown]

    def show_line(self, line: Eventuality) -> None:
        """Show a line's wordings, of the first one that a fused line says its; what is being typed stays."""
        session = self._session
        rows, fused = lines_of(session), is_fused_head(session.script, session.plan, line.id)
        line = rows.as_shown(line)
        self._title.setText(f"Wordings of fused line {rows.numbers.get(line.id, 0)}" if fused else "Wordings")
        other = line.id != self._identity
        if other:
            self._fresh = None
        elif len(line.variants) == self._shown + 1:
            self._fresh = self._shown
        self._identity = line.id
        while len(self._rows) < len(line.variants):
            row = WordingRow(self._context, len(self._rows))
            self._rows.append(row)
            self._list.addWidget(row)
            row.come_after(_before(self.add))
            row.text.installEventFilter(self)
            row.text.returned.connect(self._give_back)
            row.text.escaped.connect(self._give_back)
        before, self._shown = self._shown, len(line.variants)
        spoken, scale = self._spoken(line.id), 1
        for place, row in enumerate(self.rows):
            scale = max(scale, row.show_wording(line, spoken, other=other or place >= before))
        for row in self.rows:
            row.show()
            row.show_fit(scale)
        for row in self._rows[self._shown :]:
            row.hide()

    def _spoken(self, identity: str) -> int | None:
        """Which of the wordings shown is spoken; None where none is, as of a line that another one says."""
        delivery = self._session.plan.spoken_as(identity)
        return None if delivery is None or delivery.line != identity else delivery.variant

    def forget(self) -> None:
        """Another document is open."""
        self._identity = ""

    def row_of(self, line: Eventuality) -> WordingRow:
        """The row of the wording that is being edited, else of the one spoken, else of the first."""
        focus, spoken = QApplication.focusWidget(), self.rows[self._spoken(line.id) or 0]
        return next((row for row in self.rows if focus is not None and row.isAncestorOf(focus)), spoken)

    def edit(self, line: Eventuality) -> None:
        """Put the cursor into the wording just added, else the one spoken, else the first."""
        place = self._fresh if self._fresh is not None else self._spoken(line.id) or 0
        self._fresh = None
        if place < self._shown:
            field, focus = self._rows[place].text, QApplication.focusWidget()
            field.setFocus(Qt.FocusReason.ShortcutFocusReason)
            field.selectAll()
            self._from = None if focus is field else focus

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The user has left a text: there is nothing to return the focus to any more."""
        if event.type() == QEvent.Type.FocusOut and isinstance(event, QFocusEvent):
            passing = (Qt.FocusReason.PopupFocusReason, Qt.FocusReason.ActiveWindowFocusReason)
            self._from = self._from if event.reason() in passing else None
        return super().eventFilter(watched, event)

    def _give_back(self) -> None:
        """Return the focus to where it was when a key asked for the text."""
        came_from, self._from = self._from, None
        if came_from is not None and isValid(came_from) and came_from.isVisible():
            came_from.setFocus(Qt.FocusReason.ShortcutFocusReason)


def _before(widget: QWidget) -> QWidget:
    """The stop of the Tab key before a widget: Qt's chain has panels and labels in it too."""
    found = widget.previousInFocusChain()
    while found is not None and found.focusPolicy() is Qt.FocusPolicy.NoFocus and found is not widget:
        found = found.previousInFocusChain()
    return widget if found is None else found


def _conflicts_alone(outcome: Outcome, identity: str) -> bool:
    """Whether nothing but the line's own locks takes part in its conflicts."""
    own = [conflict for conflict in outcome.conflicts if any(_is_of(cause, identity) for cause in conflict)]
    return all(_is_of(cause, identity) for conflict in own for cause in conflict)


def _is_of(cause: Conflict, identity: str) -> bool:
    return isinstance(cause, HoldConflict) and cause.element == identity
