"""The scenes of the film: what is in each, what has been reviewed, and how far the review has come."""

from __future__ import annotations

from PySide6.QtCore import QItemSelection, QItemSelectionModel, QPoint, Qt
from PySide6.QtWidgets import QHBoxLayout, QListView, QMenu, QProgressBar, QToolButton, QVBoxLayout, QWidget

from adstudio.ui.panels.scene_rows import ScenePainter, SceneRows
from adstudio.ui.session.change_event import ChangeEvent
from adstudio.ui.session.context import Context
from adstudio.ui.session.selection import Kind, Selection
from adstudio.ui.widgets.text import Label
from adstudio.ui.widgets.theme import UNIT

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


class ScenesPanel(QWidget):
    """The list, and above it how much of the film has been reviewed."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self.setMinimumWidth(48 * UNIT)
        self._session = context.session
        self._actions = context.actions
        self._progress = Label()
        self._progress.setAccessibleName("Progress of the review")
        self._bar = QProgressBar()
        self._bar.setTextVisible(False)
        self._bar.setAccessibleName("Reviewed scenes")
        next_ = QToolButton()
        next_.setText("Next")
        next_.setAccessibleName("Next scene to review")
        next_.setToolTip(context.actions["scene.next"].toolTip())
        next_.clicked.connect(context.actions["scene.next"].trigger)
        head = QHBoxLayout()
        head.setContentsMargins(3 * UNIT, UNIT, UNIT, 0)
        head.addWidget(self._progress, 1)
        head.addWidget(next_)
        self._model = SceneRows(context.session, self)
        self._list = QListView()
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
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(UNIT)
        layout.addLayout(head)
        layout.addWidget(self._bar)
        layout.addWidget(self._list, 1)
        session = context.session
        session.opened.connect(self._renew)
        session.idle.turn().connect(self._renew)
        session.current_plan.changed.connect(self._changed)
        session.cursor.selection_changed.connect(self._follow)
        session.cursor.playhead_moved.connect(self._model.move_to)
        self._renew()

    def _changed(self, news: ChangeEvent) -> None:
        if self._session.script.scenes is not self._model.scenes:
            self._renew()
        del news

    def _renew(self) -> None:
        self._model.renew()
        # Where each row is as high as any other, one is asked for its height, and not each of them at any change.
        self._list.setUniformItemSizes(not self._model.headed)
        self._model.move_to(self._session.cursor.playhead)
        scenes = self._session.script.scenes
        reviewed = sum(scene.reviewed for scene in scenes)
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
