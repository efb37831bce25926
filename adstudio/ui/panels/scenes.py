"""The scenes of the film: what is in each, what has been reviewed, and how far the review has come."""

from __future__ import annotations

from bisect import bisect_right

from PySide6.QtCore import (
    QAbstractListModel,
    QItemSelectionModel,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QSize,
    Qt,
)
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QListView,
    QMenu,
    QProgressBar,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from adstudio.core.script import Scene
from adstudio.ui.desk import Desk, Theme
from adstudio.ui.selection import Kind, Selection
from adstudio.ui.session import News, Session
from adstudio.ui.theme import UNIT, time_font
from adstudio.ui.words import counted, short_time

Index = QModelIndex | QPersistentModelIndex
NO_PARENT = QModelIndex()
DETAIL, REVIEWED, HERE = (Qt.ItemDataRole.UserRole + number for number in range(3))


class _Scenes(QAbstractListModel):
    """The scenes in order of time."""

    def __init__(self, session: Session, parent: QWidget) -> None:
        super().__init__(parent)
        self._session = session
        self.scenes: tuple[Scene, ...] = ()
        self._spoken: dict[str, int] = {}
        self.here = -1

    def renew(self) -> None:
        """Read the scenes and count their lines."""
        script = self._session.script
        if [scene.id for scene in script.scenes] != [scene.id for scene in self.scenes]:
            self.beginResetModel()
            self.scenes = script.scenes
            self.endResetModel()
        self.scenes = script.scenes
        self._spoken = {}
        starts = [scene.span.start for scene in self.scenes]
        for delivery in self._session.plan.deliveries:
            place = bisect_right(starts, delivery.start) - 1
            if place >= 0:
                name = self.scenes[place].id
                self._spoken[name] = self._spoken.get(name, 0) + 1
        if self.scenes:
            self.dataChanged.emit(self.index(0), self.index(len(self.scenes) - 1))

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
        """Title, figures, and all of it in words."""
        scene = self.scenes[index.row()]
        title = scene.title or f"Scene {index.row() + 1}"
        lines = counted(self._spoken.get(scene.id, 0), "line")
        detail = f"{short_time(scene.span.start)}  ·  {lines}"
        state = "reviewed" if scene.reviewed else "not reviewed"
        return {
            Qt.ItemDataRole.DisplayRole: title,
            Qt.ItemDataRole.AccessibleTextRole: f"{title}, from {short_time(scene.span.start)}, {lines}, {state}",
            DETAIL: detail,
            REVIEWED: scene.reviewed,
            HERE: index.row() == self.here,
        }.get(role)


class _Delegate(QStyledItemDelegate):
    """Two lines a scene: its title with a tick where it is reviewed, and its figures."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Twice the height of a line, and air."""
        del index
        return QSize(120, 2 * option.fontMetrics.height() + 3 * UNIT)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Title and figures."""
        tokens, box = self._theme.tokens, option.rect
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        if selected:
            painter.fillRect(box, QColor(tokens.accent_wash))
        if index.data(HERE):
            painter.fillRect(QRect(box.topLeft(), QSize(UNIT - 1, box.height())), QColor(tokens.accent))
        if option.state & QStyle.StateFlag.State_HasFocus:
            painter.setPen(QColor(tokens.accent))
            painter.drawRect(box.adjusted(0, 0, -1, -1))
        left = box.adjusted(3 * UNIT, UNIT, -2 * UNIT, -UNIT)
        height = option.fontMetrics.height()
        tick = QRect(left.topLeft(), QSize(4 * UNIT, height))
        reviewed = bool(index.data(REVIEWED))
        painter.setPen(QColor(tokens.good if reviewed else tokens.quiet))
        painter.drawText(tick, Qt.AlignmentFlag.AlignVCenter, "✓" if reviewed else "○")
        words = left.adjusted(5 * UNIT, 0, 0, 0)
        painter.setPen(QColor(tokens.text))
        title = option.fontMetrics.elidedText(str(index.data()), Qt.TextElideMode.ElideRight, words.width())
        painter.drawText(QRect(words.topLeft(), QSize(words.width(), height)), Qt.AlignmentFlag.AlignVCenter, title)
        painter.save()
        painter.setFont(time_font(painter.font().pointSizeF() * 0.9))
        painter.setPen(QColor(tokens.quiet))
        below = QRect(words.left(), words.top() + height, words.width(), height)
        painter.drawText(below, Qt.AlignmentFlag.AlignVCenter, str(index.data(DETAIL)))
        painter.restore()


class ScenesPanel(QWidget):
    """The list, and above it how much of the film has been reviewed."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self.setMinimumWidth(40 * UNIT)
        self._session = desk.session
        self._actions = desk.actions
        self._progress = QLabel()
        self._progress.setAccessibleName("Progress of the review")
        self._bar = QProgressBar()
        self._bar.setTextVisible(False)
        self._bar.setAccessibleName("Reviewed scenes")
        next_ = QToolButton()
        next_.setText("Next")
        next_.setAccessibleName("Next scene not reviewed")
        next_.setToolTip(desk.actions["scene.next"].toolTip())
        next_.clicked.connect(desk.actions["scene.next"].trigger)
        head = QHBoxLayout()
        head.setContentsMargins(3 * UNIT, 0, UNIT, 0)
        head.addWidget(self._progress, 1)
        head.addWidget(next_)
        self._model = _Scenes(desk.session, self)
        self._list = QListView()
        self._list.setAccessibleName("Scenes")
        self._list.setUniformItemSizes(True)
        self._list.setModel(self._model)
        self._list.setItemDelegate(_Delegate(desk.theme, self))
        self._list.setSelectionMode(QListView.SelectionMode.SingleSelection)
        self._list.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self._list.customContextMenuRequested.connect(self._menu)
        self._list.clicked.connect(lambda index: self._go(index.row(), go=True))
        self._list.activated.connect(lambda index: self._go(index.row(), go=True))
        self._list.selectionModel().currentChanged.connect(lambda index: self._go(index.row(), go=False))
        self._following = False
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(UNIT)
        layout.addLayout(head)
        layout.addWidget(self._bar)
        layout.addWidget(self._list, 1)
        session = desk.session
        session.opened.connect(self._renew)
        session.rested.connect(self._renew)
        session.changed.connect(self._changed)
        session.selection_changed.connect(self._follow)
        session.playhead_moved.connect(self._model.move_to)
        self._renew()

    def _changed(self, news: News) -> None:
        if self._session.script.scenes is not self._model.scenes:
            self._renew()
        del news

    def _renew(self) -> None:
        self._model.renew()
        self._model.move_to(self._session.playhead)
        scenes = self._session.script.scenes
        reviewed = sum(scene.reviewed for scene in scenes)
        self._progress.setText(f"Reviewed {reviewed}/{len(scenes)}" if scenes else "No scenes yet")
        self._bar.setRange(0, max(1, len(scenes)))
        self._bar.setValue(reviewed)
        self._follow()

    def _follow(self) -> None:
        selection = self._session.selection
        rows = [row for row, scene in enumerate(self._model.scenes) if selection.ids and scene.id == selection.current]
        index = self._model.index(rows[0]) if selection.kind is Kind.SCENE and rows else QModelIndex()
        self._following = True
        try:
            flags = QItemSelectionModel.SelectionFlag
            self._list.selectionModel().setCurrentIndex(index, flags.ClearAndSelect)
        finally:
            self._following = False

    def _go(self, row: int, *, go: bool) -> None:
        if self._following or not 0 <= row < len(self._model.scenes):
            return
        scene = self._model.scenes[row]
        self._session.select(Selection(Kind.SCENE, (scene.id,)))
        if go:
            self._session.seek(scene.span.start)

    def _menu(self, place: QPoint) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for name in ("scene.reviewed", "scene.rename", "scene.merge", "scene.split", "view.fit_scene"):
            menu.addAction(self._actions[name])
        menu.popup(self._list.viewport().mapToGlobal(place))
