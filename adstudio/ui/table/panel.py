"""The script table: everything the timeline shows, usable without a mouse and without sight."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

from PySide6.QtCore import QItemSelection, QItemSelectionModel, QSignalBlocker, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QKeySequence, QResizeEvent
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget

from adstudio.planning.film.film_problem import scene_finder
from adstudio.ui.background.timers import single_shot
from adstudio.ui.session.context import Context
from adstudio.ui.session.current_plan import ChangeEvent
from adstudio.ui.session.selection import NOTHING, Kind, Selection
from adstudio.ui.table.finding import Finding
from adstudio.ui.table.header import TableHeader
from adstudio.ui.table.line_facts import Filter
from adstudio.ui.table.model import ScriptModel
from adstudio.ui.table.replace_bar import ReplaceBar
from adstudio.ui.table.row_order import Column, ranges
from adstudio.ui.table.spelling_steps import SpellingSteps
from adstudio.ui.table.view import ScriptView
from adstudio.ui.widgets.form import column
from adstudio.ui.widgets.formatting import counted
from adstudio.ui.widgets.theme import UNIT

LOW_LINES = 7
"""Lines of buttons: in a lower table the rows would have no room beside the bars above them."""
NO_MATCH = "No line matches; Escape shows all."


class ScriptTable(QWidget):
    """Find box, filter chips, order and the table."""

    edit_asked = Signal()
    """The text of the selected line is to be edited, and the focus is not in the table."""
    line_chosen = Signal(str)
    """The describer has selected this line here, and no other."""

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._session = context.session
        self._listening = True
        self.setAccessibleName("Script table")
        self.model = ScriptModel(context.session, self)
        self.view = ScriptView(context, self.model, self)
        self.head = TableHeader()
        self.replace_bar = ReplaceBar()
        self.finding = Finding(context, self.model, self.head, self.replace_bar)
        layout = column(self.head, self.replace_bar, self.view)
        layout.setContentsMargins(2 * UNIT, UNIT, 2 * UNIT, 0)
        self.setLayout(layout)
        self.setFocusProxy(self.view)
        self.spelling = SpellingSteps(context, self.view, self.model)
        self._sweep = single_shot(self, 0, self._let_go)
        self._listen()
        self._show_counts()
        self.view.show_confidence_column(self.model.counts[Filter.UNSURE] > 0, anew=True)
        self._show_selection()

    def minimumSizeHint(self) -> QSize:
        """As narrow as its head, however wide the rows are."""
        return QSize(self.head.narrowest + 4 * UNIT, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """More room, or less."""
        super().resizeEvent(event)
        self._share_height()

    def _share_height(self) -> None:
        """Where it is low, replacing takes one line, and filters of which none is chosen none."""
        low = self.height() < LOW_LINES * (self.head.find_box.sizeHint().height() + UNIT)
        self.replace_bar.set_low(low=low)
        filtered = self.head.filters.current is not Filter.ALL
        self.head.filters.setVisible(not low or filtered or self.replace_bar.isHidden())

    def _listen(self) -> None:
        session, actions = self._session, self._context.actions
        session.opened.connect(self._opened)
        session.current_plan.announcement_turn().connect(self._changed)
        session.cursor.selection_changed.connect(self._other_line)
        session.edits.text_given_up.connect(
            lambda identity: QTimer.singleShot(0, self, lambda: self._return_focus(identity))
        )
        self._context.theme.changed.connect(self.view.viewport().update)
        self._context.theme.changed.connect(self._share_height)
        self.finding.wanted_changed.connect(self._want)
        self.finding.line_wanted.connect(self._go_to)
        self.spelling.line_wanted.connect(self._go_to)
        self.head.left.connect(self._leave_find)
        self.head.entered.connect(self._enter_found)
        self.replace_bar.left.connect(self._leave_find)
        self.head.order_chosen.connect(lambda section: self._sort(section, Qt.SortOrder.AscendingOrder))
        header = self.view.horizontalHeader()
        header.setSectionsClickable(True)
        header.sectionClicked.connect(self._header_clicked)
        self.view.selectionModel().selectionChanged.connect(self._selected)
        self.view.selectionModel().currentRowChanged.connect(self._selected)
        self.view.activated_row.connect(lambda identity: session.cursor.select_line(identity, go=True))
        self.view.left_empty.connect(self.show_all)
        self.model.anew_about_to_be_shown.connect(self._remember_place)
        self.model.shown_anew.connect(self._recall_place)
        self.model.counted.connect(self._show_counts)
        self.model.renumbered.connect(self.view.viewport().update)
        actions.connect("view.columns", self.view.choice.open_menu, lambda: session.project is not None)
        actions.connect("plan.farthest", self.show_farthest, lambda: self.model.counts[Filter.PLACED] > 0)
        actions.connect("edit.select_all", self.select_all, lambda: bool(self.model.ids))
        actions.connect("line.edit", self.edit_text, lambda: bool(session.cursor.selection.lines()))

    # What others ask of it

    @property
    def in_order(self) -> tuple[QWidget, ...]:
        """Where the Tab key goes, the table itself last: from the current line it leads on to the next panel."""
        return (*self.head.in_order, *self.replace_bar.in_order, self.view)

    def show_current(self) -> None:
        """Bring the current line into sight."""
        if self.view.currentIndex().isValid():
            self.view.scrollTo(self.view.currentIndex())

    def select_all(self) -> None:
        """Select every line that is shown."""
        field = QApplication.focusWidget()
        if isinstance(field, QLineEdit):
            field.selectAll()
        else:
            self._session.current_plan.catch_up()
            self._session.cursor.select(Selection(Kind.LINE, tuple(self.model.ids)))

    def show_farthest(self) -> None:
        """List the lines that are far from their action, the farthest first; all spoken ones where none is far."""
        self._session.current_plan.catch_up()
        far = self.model.counts[Filter.FAR]
        self.head.find_box.clear()
        self.head.filters.choose(Filter.FAR if far else Filter.PLACED)
        self._want()
        self._sort(int(Column.DRIFT), Qt.SortOrder.AscendingOrder)
        self.view.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._session.cursor.select_line(self.model.ids[0], go=True)
        there = "is far from its action" if far == 1 else "are far from their action"
        self._session.messages.say(f"{counted(far, 'line')} {there}." if far else "No line is far from its action.")

    def edit_text(self) -> None:
        """Edit the text of the current line where the focus is: here, or elsewhere (`edit_asked`)."""
        self._session.current_plan.catch_up()
        line = self._session.cursor.line
        is_here = self.isAncestorOf(QApplication.focusWidget() or self) and self.isVisible()
        row = self.model.row_of(line.id) if line is not None and is_here else None
        if row is not None:
            self._point_at(row)
            self.view.edit_cell(Column.TEXT)
        elif line is not None:
            self.edit_asked.emit()

    def flush(self) -> None:
        """Take what is being typed in a cell."""
        self.view.end_editing()

    # The session's side

    def _opened(self) -> None:
        self.show_all()
        self.model.take_all()
        self.model.mark(self._session.current_plan.changes)
        self.view.show_confidence_column(self.model.counts[Filter.UNSURE] > 0, anew=True)
        self._show_selection()

    def _changed(self, news: ChangeEvent) -> None:
        self.model.busy = self.view.editing
        with self._following():
            self.model.follow(news.respoken)
        self.model.mark(news.changes)
        self._show_selection()

    def _return_focus(self, gone: str) -> None:
        """If the line that was being written is gone, so is its field: focus returns to the table."""
        if gone not in self._session.script.eventuality_index:
            self.view.setFocus(Qt.FocusReason.OtherFocusReason)

    def _other_line(self) -> None:
        """Another line is selected: what is being typed is taken for its own line first."""
        if self._listening and self.view.editing and self._session.cursor.selection.current != self.view.current:
            self.flush()
        self._show_selection()
        self._show_scene()

    def _show_scene(self) -> None:
        """Where a scene is selected, its first line becomes the current row, which is not selected by that."""
        selection, script = self._session.cursor.selection, self._session.script
        if selection.kind is not Kind.SCENE or not self._listening:
            return
        scene_of = scene_finder(script)
        there = [(row, identity) for row, identity in enumerate(self.model.ids) if identity in script.eventuality_index]
        row = next((row for row, each in there if scene_of(script.eventuality(each)) == selection.current), None)
        if row is not None:
            with self._deaf():
                self._point_at(row)

    def _show_selection(self) -> None:
        if not self._listening:
            return
        ids = self._session.cursor.selection.lines()
        model = self.view.selectionModel()
        rows = [row for identity in ids if (row := self.model.row_of(identity)) is not None]
        with self._deaf():
            if rows != sorted({index.row() for index in model.selectedRows()}) or not rows:
                selection = QItemSelection()
                for first, last in ranges(rows):
                    selection.select(self.model.index(first, 0), self.model.index(last, len(Column) - 1))
                model.select(selection, QItemSelectionModel.SelectionFlag.ClearAndSelect)
            current = self.model.row_of(ids[-1]) if ids else None
            if current is not None and current != self.view.currentIndex().row() and not self.view.editing:
                self._point_at(current)
        self._hold_rows()

    def _point_at(self, row: int) -> None:
        """Make a row the current one without selecting anything, and bring it into sight."""
        current = self.view.currentIndex()
        index = self.model.index(row, current.column() if current.isValid() else int(Column.TEXT))
        self.view.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.NoUpdate)
        self.view.scrollTo(self.model.index(row, int(Column.TEXT)))

    def _selected(self) -> None:
        if not self._listening:
            return
        rows = sorted({index.row() for index in self.view.selectionModel().selectedRows()})
        # A line deleted a moment ago may still have its row.
        chosen = [self.model.ids[row] for row in rows if row < len(self.model.ids)]
        there = dict.fromkeys(each for each in chosen if each in self._session.script.eventuality_index)
        before = self._session.cursor.selection.lines()
        ids = [identity for identity in before if identity in there]
        ids += [identity for identity in there if identity not in before]
        current = self.view.current
        if current in there:
            ids.remove(current)
            ids.append(current)
        if ids or self._session.cursor.selection.kind is Kind.LINE:
            self._listening = False
            self._session.cursor.select(Selection(Kind.LINE, tuple(ids)) if ids else NOTHING)
            self._listening = True
        self._hold_rows()
        if len(ids) == 1 and tuple(ids) != before:
            self.line_chosen.emit(ids[0])

    def _hold_rows(self) -> None:
        """Selected rows stay; deselected ones that no longer pass the filter go when nothing else is under way."""
        self.model.keep(self._session.cursor.selection.lines())
        self._sweep.start()

    def _let_go(self) -> None:
        """Rows that no longer pass the filter go once they are not selected."""
        with self._following():
            self.model.hold(self._session.cursor.selection.lines())

    @contextmanager
    def _deaf(self) -> Generator[None]:
        """While the table follows the session, its own selection changes are not reported back."""
        before, self._listening = self._listening, False
        try:
            yield
        finally:
            self._listening = before

    @contextmanager
    def _following(self) -> Generator[None]:
        """While rows come and go, the row at the top stays where it is."""
        anchor = self._anchor()
        with self._deaf():
            yield
        self._hold_anchor(anchor)

    # What stays where it is

    def _anchor(self) -> tuple[str, int] | None:
        """The line at the top and how far it is scrolled."""
        row = self.view.rowAt(0)
        if not 0 <= row < len(self.model.ids):
            return None
        return self.model.ids[row], self.view.rowViewportPosition(row)

    def _hold_anchor(self, anchor: tuple[str, int] | None) -> None:
        row = None if anchor is None else self.model.row_of(anchor[0])
        if anchor is not None and row is not None:
            bar = self.view.verticalScrollBar()
            bar.setValue(bar.value() + self.view.rowViewportPosition(row) - anchor[1])

    def _remember_place(self) -> None:
        self._place = (self._anchor(), self.view.current, self.view.currentIndex().column())
        self._was_listening, self._listening = self._listening, False

    def _recall_place(self) -> None:
        anchor, current, place = self._place
        row = None if current is None else self.model.row_of(current)
        if row is not None:
            index = self.model.index(row, max(0, place))
            self.view.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.NoUpdate)
        self._listening = self._was_listening
        self._hold_anchor(anchor)
        if self._listening:
            self._show_selection()

    # Filter and order

    def _want(self) -> None:
        self._share_height()
        wanted = self.finding.wanted
        self.model.want(wanted)
        self.head.show_problem(wanted.search.problem or self.model.finder.problem)
        self.view.painter.show_marks(self.model.finder if wanted.search.text else None)
        self._show_counts()

    def _go_to(self, identity: str) -> None:
        """Go to a line as if it had been selected here."""
        self._session.cursor.select_line(identity)
        self.line_chosen.emit(identity)

    def _enter_found(self) -> None:
        """Go to what is found, unless the selected line is; where nothing is, stay and say so."""
        if not self.model.ids and self.model.total:
            self._session.messages.say(NO_MATCH)
            return
        current = self._session.cursor.selection.current
        if self.model.ids and (current is None or self.model.row_of(current) is None):
            self._go_to(self.model.ids[0])
        self._leave_find()

    def _leave_find(self) -> None:
        if not self.model.ids:
            self.show_all()
        self.view.setFocus(Qt.FocusReason.TabFocusReason)
        if not self.view.currentIndex().isValid() and self.model.ids:
            self.view.setCurrentIndex(self.model.index(0, int(Column.TEXT)))

    def _show_counts(self) -> None:
        shown, total = len(self.model.ids), self.model.total
        text = counted(total, "item") if self.model.wanted.everything else f"{shown} of {counted(total, 'item')}"
        hidden = sum(1 for each in self._session.cursor.selection.lines() if self.model.row_of(each) is None)
        self.head.show_counts(self.model.counts, f"{text} · {hidden} selected not shown" if hidden else text)
        self.view.show_confidence_column(self.model.counts[Filter.UNSURE] > 0)
        self.view.show_empty_message("" if shown else self._empty_words())

    def _empty_words(self) -> str:
        if self.model.total:
            return NO_MATCH
        key = self._context.actions["line.new"].shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        press = f"Press {key}" if key else "Choose “New line here”"
        write = f"No lines yet. {press} to write the first one at the playhead"
        drafts = self._context.actions["plan.by_model"].shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        if not self._session.script.scenes:
            return f"{write}."
        return f"{write}, or have a model draft the scenes under Drafts{f' ({drafts})' if drafts else ''}."

    def show_all(self) -> None:
        """Remove every filter."""
        self.head.show_all()
        self._want()

    def _header_clicked(self, section: int) -> None:
        """Ascending, descending, and back to script order."""
        header = self.view.horizontalHeader()
        if self.model.sorted_by != section:
            self._sort(section, Qt.SortOrder.AscendingOrder)
        elif header.sortIndicatorOrder() is Qt.SortOrder.AscendingOrder:
            self._sort(section, Qt.SortOrder.DescendingOrder)
        else:
            self._sort(-1, Qt.SortOrder.AscendingOrder)

    def _sort(self, section: int, order: Qt.SortOrder) -> None:
        header = self.view.horizontalHeader()
        header.setSortIndicatorShown(section >= 0)
        with QSignalBlocker(header):
            header.setSortIndicator(section, order)
        self.head.show_order(section)
        self.model.sort(section, order)
        if self.view.current is not None:
            self.view.scrollTo(self.model.index(self.view.currentIndex().row(), int(Column.TEXT)))
