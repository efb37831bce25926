"""The scenes of the film and how their drafts stand, as a table; only rows that are to be seen are renewed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from enum import IntEnum

from PySide6.QtCore import QEvent, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QKeyEvent, QKeySequence, QPainter, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QStyleOptionViewItem, QWidget

from adstudio.core.film import Film
from adstudio.core.script import Scene
from adstudio.drafting.run_state import RunState
from adstudio.ui.drafts.messages import HELD, SceneView
from adstudio.ui.session.context import Theme
from adstudio.ui.widgets.controls import RETURN
from adstudio.ui.widgets.formatting import duration, timecode
from adstudio.ui.widgets.row_table import Index, RowDelegate, RowModel, RowTable
from adstudio.ui.widgets.theme import UNIT, Tokens, text_scale, time_font

ROW_HEIGHT = 6 * UNIT
ROOM_FOR_LENGTH, ROOM_FOR_TIMES = 180 * UNIT, 160 * UNIT


class Column(IntEnum):
    """What the table shows of a scene."""

    SCENE = 0
    FROM = 1
    LENGTH = 2
    STATE = 3
    FOUND = 4
    NEWEST = 5


TITLES = dict(zip(Column, ("Scene", "From", "Length", "State", "Found", "Newest, or why not"), strict=True))
HELPS = {
    Column.FOUND: "Items found so far; for a scene without any, its lines by a model",
    Column.NEWEST: "The newest item; for an incomplete scene, the reason",
}
WIDTHS = dict(zip(Column, (45, 18, 18, 50, 15, 40), strict=True))
"""In steps of the grid, at the usual size of text."""
LONGEST = {Column.FROM: "00:00:00:00", Column.LENGTH: "59 min 59 s"}
FIGURES = frozenset({Column.FROM, Column.LENGTH, Column.FOUND})


class ScenesModel(RowModel[Column]):
    """One scene a row, in order of time."""

    columns, titles, helps, figures = Column, TITLES, HELPS, FIGURES

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.scenes: tuple[Scene, ...] = ()
        self._film = Film("", 0)
        self._run = RunState(())
        self._lines: Mapping[str, int] = {}
        self._rows: dict[str, int] = {}

    def show_scenes(self, film: Film, scenes: tuple[Scene, ...], lines: Mapping[str, int]) -> None:
        """The film's scenes, and how many lines by a model each has."""
        before, self._lines = self._lines, lines
        self._film = film
        if [scene.id for scene in scenes] != [scene.id for scene in self.scenes]:
            self.beginResetModel()
            self.scenes = scenes
            self._rows = {scene.id: row for row, scene in enumerate(scenes)}
            self.endResetModel()
        else:
            old, self.scenes = self.scenes, scenes
            others = [scene.id for one, scene in zip(old, scenes, strict=True) if one is not scene and one != scene]
            others += [scene for scene in {**before, **lines} if before.get(scene) != lines.get(scene)]
            self.renew(self.rows_of(set(others)))

    def show_run(self, run: RunState) -> None:
        """Another run; the status of its scenes is read whenever a row is painted."""
        self._run = run
        self.renew(range(len(self.scenes)))

    def rows_of(self, scenes: Iterable[str]) -> list[int]:
        """The rows of these scenes, in order."""
        return sorted(self._rows[scene] for scene in scenes if scene in self._rows)

    def view(self, row: int) -> SceneView:
        """A row's scene as it is shown."""
        scene, run = self.scenes[row], self._run
        lines = self._lines.get(scene.id, 0)
        return SceneView(self.title(row), run.scenes.get(scene.id), run.holds.get(scene.id), lines, scene.reviewed)

    def title(self, row: int) -> str:
        """What a row's scene is called."""
        return self.scenes[row].title or f"Scene {row + 1}"

    def count(self) -> int:
        """The number of scenes."""
        return len(self.scenes)

    def spoken(self, row: int, column: Column) -> str:
        """The first cell of a row is read as a sentence about the scene."""
        if column is Column.SCENE:
            return self.view(row).sentence
        return f"{TITLES[column]}: {self.text(row, column) or 'nothing'}"

    def text(self, row: int, column: Column) -> str:
        """What a cell shows."""
        view = self.view(row)
        status = view.status
        match column:
            case Column.SCENE:
                return view.title
            case Column.FROM:
                return timecode(self._film, self.scenes[row].span.start)
            case Column.LENGTH:
                return duration(self.scenes[row].span.length)
            case Column.STATE:
                return " ".join(view.state)
            case Column.FOUND:
                found = status.found if status is not None and not status.is_out else 0
                found = found or (0 if view.running else view.lines)
                return f"{found:,}" if found else ""
            case Column.NEWEST:
                newest = "" if status is None else status.newest
                return view.why or newest if view.held is None else HELD[view.held]

    def help(self, row: int, column: Column) -> str:
        """Why a scene is in its state."""
        view = self.view(row)
        return view.help if column is Column.STATE or view.held is not None or view.why else self.text(row, column)


class ScenesTable(RowTable):
    """Return and a double click go to the scene, Tab leads out."""

    def __init__(self, go: Callable[[int], None]) -> None:
        super().__init__("Scenes and their drafts", "Return goes to the scene in the film", "Columns of the scenes")
        self._go = go
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setMinimumHeight(3 * ROW_HEIGHT)
        self.horizontalHeader().setStretchLastSection(True)
        self.doubleClicked.connect(lambda index: self._go(index.row()))

    def fit(self) -> None:
        """Fit rows and columns to the font; times are whole."""
        self.set_row_height(max(ROW_HEIGHT, self.fontMetrics().height() + 2 * UNIT))
        figures, scale = QFontMetrics(time_font()), text_scale()
        for column, width in WIDTHS.items():
            longest = figures.horizontalAdvance(LONGEST.get(column, "")) + 5 * UNIT
            self.horizontalHeader().resizeSection(column, max(round(width * UNIT * scale), longest))

    def changeEvent(self, event: QEvent) -> None:
        """Text of another size needs other rows and columns."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange) and self.model() is not None:
            self.fit()

    def event(self, event: QEvent) -> bool:
        """While the focus is here, the key that selects everything selects this list."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.ShortcutOverride:
            everything = event.matches(QKeySequence.StandardKey.SelectAll)
            if everything:
                event.accept()
                return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Return goes to the scene; letters are for actions."""
        if event.key() in RETURN and self.currentIndex().isValid():
            self._go(self.currentIndex().row())
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Where there is little room, what is found comes before times."""
        super().resizeEvent(event)
        wide = self.viewport().width()
        self.setColumnHidden(Column.LENGTH, wide < ROOM_FOR_LENGTH * text_scale())
        self.setColumnHidden(Column.FROM, wide < ROOM_FOR_TIMES * text_scale())


class ScenesDelegate(RowDelegate):
    """A cell: one line of text, figures to the right, what is wrong in the colour of warnings."""

    def __init__(self, theme: Theme, rows: ScenesModel, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme, self._rows = theme, rows

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """As high as all rows."""
        del index
        return QSize(10 * UNIT, max(ROW_HEIGHT, option.fontMetrics.height() + 2 * UNIT))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Ground, text, and a frame where the keys are."""
        tokens, box = self.colours_of(option, self._theme.tokens), option.rect
        row, column = index.row(), Column(index.column())
        self.paint_ground(painter, option, tokens)
        text = str(index.data() or "")
        if text:
            painter.setPen(QColor(self._colour(tokens, row, column)))
            painter.setFont(time_font() if column in FIGURES else option.font)
            room = QRect(box).adjusted(2 * UNIT, 0, -2 * UNIT, 0)
            side = Qt.AlignmentFlag.AlignRight if column in FIGURES else Qt.AlignmentFlag.AlignLeft
            shown = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, room.width())
            painter.drawText(room, side | Qt.AlignmentFlag.AlignVCenter, shown)
        self.paint_focus(painter, option, tokens)

    def _colour(self, tokens: Tokens, row: int, column: Column) -> str:
        view = self._rows.view(row)
        if column is Column.SCENE:
            return tokens.text
        if column is Column.STATE and view.is_trouble:
            return tokens.warning
        if column is Column.STATE and view.status is not None and view.status.over and not view.why:
            return tokens.good
        return tokens.text if view.running and column in (Column.STATE, Column.NEWEST) else tokens.quiet
