"""The rows of the scene list: what each scene says, and how it is painted."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from adstudio.core.script import Scene
from adstudio.planning.film.scene_line_counts import NO_LINES, SceneLines, lines_by_scene
from adstudio.ui.session.context import Theme
from adstudio.ui.session.session import Session
from adstudio.ui.widgets.formatting import lines_spoken, timecode
from adstudio.ui.widgets.theme import UNIT, time_font

Index = QModelIndex | QPersistentModelIndex
NO_PARENT = QModelIndex()
DETAIL, REVIEWED, HERE, SEQUENCE = (Qt.ItemDataRole.UserRole + number for number in range(4))


class SceneRows(QAbstractListModel):
    """The scenes in order of time."""

    def __init__(self, session: Session, parent: QWidget) -> None:
        super().__init__(parent)
        self._session = session
        self.scenes: tuple[Scene, ...] = ()
        self._film = session.script.film
        self._lines: dict[str, SceneLines] = {}
        self._sequences: list[str] = []
        self.here = -1
        self._answers: dict[int, Callable[[int], object]] = {
            Qt.ItemDataRole.DisplayRole: self._title,
            Qt.ItemDataRole.AccessibleTextRole: self._description,
            SEQUENCE: self.heading,
            DETAIL: self._detail,
            REVIEWED: lambda row: self.scenes[row].reviewed,
            HERE: lambda row: row == self.here,
        }

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
        self._lines = lines_by_scene(script, self._session.plan.by_element)
        for row, (one, other) in enumerate(zip(before, map(self._row, self.scenes), strict=True)):
            if one != other:
                self.dataChanged.emit(self.index(row), self.index(row))

    def _row(self, scene: Scene) -> tuple[Scene, SceneLines]:
        return scene, self._lines.get(scene.id, NO_LINES)

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
        answer = self._answers.get(role)
        return None if answer is None else answer(index.row())

    def heading(self, row: int) -> str:
        """The sequence that begins with a scene; empty where it goes on, or there is none."""
        sequence = self._sequences[row]
        return sequence if row == 0 or self._sequences[row - 1] != sequence else ""

    def _title(self, row: int) -> str:
        return self.scenes[row].title or f"Scene {row + 1}"

    def _spoken(self, row: int) -> str:
        found = self._lines.get(self.scenes[row].id, NO_LINES)
        return lines_spoken(found.spoken, found.lines)

    def _detail(self, row: int) -> str:
        """Time and lines, under the scene's name, where there is little room."""
        found = self._lines.get(self.scenes[row].id, NO_LINES)
        lines = f"{found.spoken:,}/{found.lines:,} spoken" if found.lines else "no lines"
        return f"{timecode(self._film, self.scenes[row].span.start)}  ·  {lines}"

    def _description(self, row: int) -> str:
        scene, sequence = self.scenes[row], self._sequences[row]
        state = "reviewed" if scene.reviewed else "not reviewed"
        text = f"{self._title(row)}, from {timecode(self._film, scene.span.start)}, {self._spoken(row)}, {state}"
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
        """Title and figures."""
        tokens, box = self._theme.tokens, option.rect
        sequence = str(index.data(SEQUENCE) or "")
        if sequence:
            height = option.fontMetrics.height() + UNIT
            heading = QRect(box.left() + 3 * UNIT, box.top() + UNIT, box.width() - 5 * UNIT, height)
            shown = option.fontMetrics.elidedText(sequence, Qt.TextElideMode.ElideRight, heading.width())
            painter.setPen(QColor(tokens.quiet))
            painter.drawText(heading, Qt.AlignmentFlag.AlignVCenter, shown)
            box = box.adjusted(0, height, 0, 0)
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
        shown = painter.fontMetrics().elidedText(str(index.data(DETAIL)), Qt.TextElideMode.ElideRight, below.width())
        painter.drawText(below, Qt.AlignmentFlag.AlignVCenter, shown)
        painter.restore()
