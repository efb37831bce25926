"""The scenes of the film: what is in each, which have been reviewed, and how many."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter

from PySide6.QtCore import (
    QAbstractListModel,
    QItemSelection,
    QItemSelectionModel,
    QLocale,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QSize,
    Qt,
)
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import (
    QListView,
    QMenu,
    QProgressBar,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QToolButton,
    QWidget,
)

from adstudio.core.fusions import items_said
from adstudio.core.script import Scene
from adstudio.planning.film.scene_line_counts import NO_LINES, SceneLines, lines_by_scene
from adstudio.ui.session.context import Context, Theme
from adstudio.ui.session.current_plan import ChangeEvent
from adstudio.ui.session.selection import Kind, Selection
from adstudio.ui.session.session import Session
from adstudio.ui.widgets.form import beside, column
from adstudio.ui.widgets.formatting import NO_ITEMS, counted, items_described, timecode
from adstudio.ui.widgets.row_table import LetterlessList
from adstudio.ui.widgets.text import Label
from adstudio.ui.widgets.theme import UNIT, on_selection, text_scale, time_font

Index = QModelIndex | QPersistentModelIndex
NO_PARENT = QModelIndex()

IN_ITS_MENU = (
    "scene.reviewed",
    "scene.rename",
    "scene.sequence",
    "scene.merge",
    "scene.split",
    "scene.redraft",
    "scene.redraft_from",
    "scene.by_model",
    "scene.polish",
    "view.fit_scene",
)


LEAST_WIDTH = 48 * UNIT


class SceneRows(QAbstractListModel):
    """The scenes in order of time."""

    def __init__(self, session: Session, parent: QWidget) -> None:
        super().__init__(parent)
        self._session = session
        self.scenes: tuple[Scene, ...] = ()
        self._film = session.script.film
        self._lines: dict[str, SceneLines] = {}
        self.reviewed: frozenset[str] = frozenset()
        """The scenes that are reviewed as they are now."""
        self._departed: Counter[str | None] = Counter()
        self._sequences: list[str] = []
        self.here = -1

    @property
    def headed(self) -> bool:
        """Whether any scene has a sequence above it."""
        return any(self._sequences)

    def renew(self) -> None:
        """Read the scenes and count their lines."""
        script = self._session.script
        titles = {sequence.id: sequence.title for sequence in script.sequences}
        sequences = [titles.get(scene.sequence or "", "") for scene in script.scenes]
        if (sequences, [scene.id for scene in script.scenes]) != (self._sequences, [scene.id for scene in self.scenes]):
            self.beginResetModel()
            self.scenes, self._sequences = script.scenes, sequences
            self.endResetModel()
        self._film = script.film
        before = list(map(self._row, self.scenes))
        self.scenes = script.scenes
        self._lines = lines_by_scene(script, items_said(script, self._session.plan))
        plan = self._session.current_plan
        self.reviewed, self._departed = plan.reviewed_scenes, Counter(each.scene for each in plan.departures)
        for row, (one, other) in enumerate(zip(before, map(self._row, self.scenes), strict=True)):
            if one != other:
                self.dataChanged.emit(self.index(row), self.index(row))

    def _row(self, scene: Scene) -> tuple[Scene, SceneLines, str]:
        return scene, self._lines.get(scene.id, NO_LINES), self.review(scene)

    def review(self, scene: Scene) -> str:
        """How far its review is, in words; a reviewed scene is open again once the plan has changed its lines."""
        if scene.id in self.reviewed:
            return "reviewed"
        count = self._departed.get(scene.id, 0)
        return f"open again: {counted(count, 'line')} changed since you reviewed it" if count else "not reviewed"

    def move_to(self, ms: int) -> None:
        """The playhead is elsewhere."""
        here = bisect_right(self.scenes, ms, key=lambda scene: scene.span.start) - 1
        if here != self.here:
            before, self.here = self.here, here
            for row in (before, here):
                if 0 <= row < len(self.scenes):
                    self.dataChanged.emit(self.index(row), self.index(row))

    def rowCount(self, parent: Index = NO_PARENT) -> int:
        """One a scene."""
        return 0 if parent.isValid() else len(self.scenes)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """The title, and everything in words."""
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return self.title(index.row())
            case Qt.ItemDataRole.AccessibleTextRole:
                return self._description(index.row())
            case Qt.ItemDataRole.ToolTipRole if self._departed.get(self.scenes[index.row()].id):
                return self.review(self.scenes[index.row()]).capitalize()
        return None

    def heading(self, row: int) -> str:
        """The sequence that begins with a scene; empty where it goes on, or there is none."""
        sequence = self._sequences[row]
        return sequence if row == 0 or self._sequences[row - 1] != sequence else ""

    def title(self, row: int) -> str:
        """A scene's title, or its number."""
        return self.scenes[row].title or f"Scene {row + 1}"

    def detail(self, row: int, *, short: bool = False) -> str:
        """Time and lines, in few words; of a scene that is open again, how many of its lines have changed.

        `short`: 3/4 without “spoken”.
        """
        found = self._lines.get(self.scenes[row].id, NO_LINES)
        lines = f"{found.spoken:,}/{found.lines:,}{'' if short else ' spoken'}" if found.lines else NO_ITEMS
        if count := self._departed[self.scenes[row].id]:
            lines = f"{QLocale().toString(count)} changed"
        return f"{timecode(self._film, self.scenes[row].span.start)}  ·  {lines}"

    def _description(self, row: int) -> str:
        (scene, found, state), sequence = self._row(self.scenes[row]), self._sequences[row]
        spoken = items_described(found.spoken, found.lines)
        text = f"{self.title(row)}, from {timecode(self._film, scene.span.start)}, {spoken}, {state}"
        return f"{text}, sequence {sequence}" if sequence else text


class ScenePainter(QStyledItemDelegate):
    """Two lines a scene: its title with a tick where it is reviewed, and its figures; above, the sequence it begins."""

    def __init__(self, rows: SceneRows, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._rows, self._theme = rows, theme

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Twice the height of a line, and air; another line for a sequence."""
        lines = 3 if self._rows.heading(index.row()) else 2
        return QSize(120, lines * option.fontMetrics.height() + (lines + 1) * UNIT)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Tick, title and figures."""
        theme, box, rows, row = self._theme.tokens, option.rect, self._rows, index.row()
        tokens = on_selection(theme) if option.state & QStyle.StateFlag.State_Selected else theme
        height = option.fontMetrics.height()

        def write(left: int, top: int, width: int, text: str, colour: str) -> None:
            painter.setPen(QColor(colour))
            shown = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, width)
            painter.drawText(QRect(left, top, width, height), Qt.AlignmentFlag.AlignVCenter, shown)

        if rows.heading(row):
            write(box.left() + 3 * UNIT, box.top() + UNIT, box.width() - 5 * UNIT, rows.heading(row), theme.quiet)
            box = box.adjusted(0, height + UNIT, 0, 0)
        if tokens is not theme:
            painter.fillRect(box, QColor(tokens.panel))
        if row == rows.here:
            painter.fillRect(QRect(box.topLeft(), QSize(UNIT - 1, box.height())), QColor(tokens.accent))
        if option.state & QStyle.StateFlag.State_HasFocus:
            painter.setPen(QColor(tokens.accent))
            painter.drawRect(box.adjusted(0, 0, -1, -1))
        mark = max(4 * UNIT, option.fontMetrics.horizontalAdvance("○"))
        left, top = box.left() + 4 * UNIT + mark, box.top() + UNIT
        width = box.right() - 2 * UNIT - left
        scene = rows.scenes[row]
        reviewed, reopened = scene.id in rows.reviewed, scene.reviewed and scene.id not in rows.reviewed
        colour = tokens.good if reviewed else tokens.warning if reopened else tokens.quiet
        write(box.left() + 3 * UNIT, top, mark, "✓" if reviewed else "◐" if reopened else "○", colour)
        write(left, top, width, rows.title(row), tokens.text)
        painter.save()
        painter.setFont(time_font(painter.font().pointSizeF() * 0.9))
        detail = rows.detail(row)
        if painter.fontMetrics().horizontalAdvance(detail) > width:
            detail = rows.detail(row, short=True)
        write(left, top + height, width, detail, tokens.quiet)
        painter.restore()


class ScenesPanel(QWidget):
    """The list, and above it how much of the film has been reviewed."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._session = context.session
        self._actions = context.actions
        self._progress = Label()
        self._progress.setAccessibleName("Progress of the review")
        self._bar = QProgressBar(textVisible=False)
        self._bar.setAccessibleName("Reviewed scenes")
        next_ = QToolButton()
        next_.setText("Next")
        next_.setAccessibleName("Next scene to review")
        next_.setToolTip(context.actions["scene.next"].toolTip())
        next_.clicked.connect(context.actions["scene.next"].trigger)
        head = beside(self._progress, next_, stretch=True)
        head.setContentsMargins(3 * UNIT, UNIT, UNIT, 0)
        self._model = SceneRows(context.session, self)
        self._list = LetterlessList()
        self._list.setAccessibleName("Scenes")
        self._list.setModel(self._model)
        self._list.setItemDelegate(ScenePainter(self._model, context.theme, self))
        self._list.setSelectionMode(QListView.SelectionMode.ExtendedSelection)
        self._list.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self._list.customContextMenuRequested.connect(self._menu)
        self._list.clicked.connect(lambda index: self._go(index.row()))
        self._list.activated.connect(lambda index: self._go(index.row()))
        self._list.selectionModel().selectionChanged.connect(self._selected)
        self._following = False
        self._head = head
        self.setLayout(column(head, self._bar, self._list))
        session = context.session
        session.opened.connect(self._renew)
        session.idle.turn().connect(self._renew)
        session.current_plan.changed.connect(self._changed)
        session.current_plan.announcement_turn().connect(self._replanned)
        session.cursor.selection_changed.connect(self._follow)
        session.cursor.playhead_moved.connect(self._model.move_to)
        self._renew()

    def _changed(self, _: ChangeEvent) -> None:
        if self._session.script.scenes is not self._model.scenes:
            self._renew()

    def _replanned(self, _: ChangeEvent) -> None:
        if self._session.current_plan.reviewed_scenes != self._model.reviewed:
            self._renew()

    def minimumSizeHint(self) -> QSize:
        """Wide enough for figures, and for the progress and the button beside it, however large their text is."""
        width = max(int(LEAST_WIDTH * text_scale()), self._head.minimumSize().width())
        return QSize(width, super().minimumSizeHint().height())

    def _renew(self) -> None:
        self._model.renew()
        # Rows of one height: only one of them is measured at each change.
        self._list.setUniformItemSizes(not self._model.headed)
        self._model.move_to(self._session.cursor.playhead)
        scenes = self._session.script.scenes
        reviewed = len(self._model.reviewed)
        self._progress.setText(f"Reviewed {reviewed}/{len(scenes)}" if scenes else "No scenes yet")
        self._bar.setRange(0, max(1, len(scenes)))
        self._bar.setValue(reviewed)
        self._follow()

    def _follow(self) -> None:
        """Show what is selected in the session."""
        selection = self._session.cursor.selection
        chosen = set(selection.ids) if selection.kind is Kind.SCENE else set[str]()
        rows = [row for row, scene in enumerate(self._model.scenes) if scene.id in chosen]
        model = self._list.selectionModel()
        if rows == sorted(index.row() for index in model.selectedRows()):
            return
        wanted = QItemSelection()
        for row in rows:
            wanted.select(self._model.index(row), self._model.index(row))
        flags = QItemSelectionModel.SelectionFlag
        self._following = True
        try:
            model.select(wanted, flags.ClearAndSelect)
            if len(rows) == 1:
                model.setCurrentIndex(self._model.index(rows[0]), flags.NoUpdate)
        finally:
            self._following = False

    def _selected(self) -> None:
        rows = sorted(index.row() for index in self._list.selectionModel().selectedRows())
        if not self._following and rows:
            current = self._list.currentIndex().row()
            ids = [self._model.scenes[row].id for row in rows if row != current]
            ids += [self._model.scenes[current].id] if current in rows else []
            self._session.cursor.select(Selection(Kind.SCENE, tuple(ids)))

    def _go(self, row: int) -> None:
        if 0 <= row < len(self._model.scenes):
            self._session.cursor.seek(self._model.scenes[row].span.start)

    def _menu(self, place: QPoint) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for name in IN_ITS_MENU:
            menu.addAction(self._actions[name])
        menu.popup(self._list.viewport().mapToGlobal(place))
