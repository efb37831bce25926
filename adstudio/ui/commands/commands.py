"""Connects every action of the script: lines, gaps, scenes, rules, the way through the film, and the plan."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from adstudio.ui.commands.lines import LineCommands
from adstudio.ui.commands.navigation import NavigationCommands
from adstudio.ui.commands.plans import PlanCommands
from adstudio.ui.commands.regions import RegionCommands
from adstudio.ui.commands.rules import RuleCommands
from adstudio.ui.commands.scenes import SceneCommands
from adstudio.ui.commands.timing_confidence import TimingConfidenceCommands
from adstudio.ui.session.context import Context
from adstudio.ui.timeline.film_loader import FilmLoader


def connect_commands(desk: Context, window: QWidget, films: FilmLoader) -> None:
    """Connect all of them; `window` is where questions are asked, `films` knows the shots."""
    actions, session = desk.actions, desk.session
    is_open = lambda: session.project is not None  # noqa: E731 - a predicate to hand on
    actions.connect("edit.undo", session.undo, lambda: bool(session.edits.document.past))
    actions.connect("edit.redo", session.redo, lambda: bool(session.edits.document.future))
    LineCommands(desk, window, is_open)
    RegionCommands(desk, is_open)
    SceneCommands(desk, window, films, is_open)
    RuleCommands(desk, window)
    NavigationCommands(desk, is_open)
    TimingConfidenceCommands(desk, is_open)
    PlanCommands(desk, is_open)
