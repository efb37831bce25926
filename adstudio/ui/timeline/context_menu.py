"""The context menu: the actions that make sense for what is under the pointer."""

from __future__ import annotations

from PySide6.QtWidgets import QMenu, QWidget

from adstudio.ui.actions.actions import Actions
from adstudio.ui.session.selection import Kind

Group = tuple[str, ...]

_LINE: tuple[Group, ...] = (
    ("line.edit", "line.accept", "line.confirm"),
    ("line.keep_in", "line.keep_out", "line.free"),
    ("line.pin_wording", "line.pin_start", "line.start_here", "line.override", "line.not_before"),
    ("line.split", "line.join", "line.note"),
    ("hear.line", "hear.variants"),
    ("edit.delete",),
)
_LINES: tuple[Group, ...] = (
    ("line.keep_in", "line.keep_out", "line.free", "plan.keep"),
    ("rule.alternatives", "rule.requires", "rule.together", "rule.penalty", "rule.remove"),
    ("line.merge", "line.accept", "line.confirm"),
    ("edit.delete",),
)
_BY_KIND: dict[Kind, tuple[Group, ...]] = {
    Kind.GAP: (("line.new",), ("play.loop_gap", "hear.gap", "view.fit_gap"), ("gap.start_here", "gap.end_here")),
    Kind.SILENCE: (("edit.delete",),),
    Kind.OPENING: (("edit.delete",),),
    Kind.CUE: (("gap.opening",), ("gap.mark_in", "gap.mark_out")),
    Kind.SCENE: (("scene.reviewed", "scene.rename"), ("scene.split", "scene.merge"), ("view.fit_scene",)),
    Kind.NOTHING: (
        ("line.new",),
        ("gap.mark_in", "gap.mark_out", "gap.silence", "gap.opening"),
        ("view.fit_film", "view.fit_scene", "view.fit_gap"),
    ),
}


def groups_for(kind: Kind, count: int) -> tuple[Group, ...]:
    """The actions for a selection, in groups."""
    if kind is Kind.LINE:
        return _LINES if count > 1 else _LINE
    return _BY_KIND[kind]


def menu_for(kind: Kind, count: int, actions: Actions, parent: QWidget) -> QMenu:
    """The menu, to be shown by the caller; it deletes itself when it closes."""
    actions.refresh()
    menu = QMenu(parent)
    menu.aboutToHide.connect(menu.deleteLater)
    for group in groups_for(kind, count):
        if not menu.isEmpty():
            menu.addSeparator()
        for name in group:
            menu.addAction(actions[name])
    return menu
