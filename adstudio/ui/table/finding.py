"""Finding and replacing in the script: what is looked for, going from match to match, and replacing."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from PySide6.QtCore import QObject, Signal

from adstudio.core.script import Eventuality
from adstudio.editing.approval import approved_among, approved_counts_text
from adstudio.editing.replacing import count_matches, replace_matches
from adstudio.editing.search import Search
from adstudio.planning.film.plan_changes import NO_CHANGES
from adstudio.ui.background.timers import single_shot
from adstudio.ui.session.context import Context
from adstudio.ui.session.last_act import LastAct
from adstudio.ui.table.header import TableHeader
from adstudio.ui.table.model import ScriptModel
from adstudio.ui.table.replace_bar import ReplaceBar, Scope
from adstudio.ui.table.row_order import RowFilter
from adstudio.ui.widgets.formatting import counted, quoted

COUNTING_MS = 150
"""From a change until the matches are counted again."""


class Finding(QObject):
    """What find box and replace bar do to the rows and to the script."""

    wanted_changed = Signal()
    line_wanted = Signal(str)
    """This line is to be selected, as one that the describer has gone to."""

    def __init__(self, context: Context, model: ScriptModel, head: TableHeader, bar: ReplaceBar) -> None:
        super().__init__(head)
        self._context, self._session = context, context.session
        self._model, self._head, self._bar = model, head, bar
        self._counting = single_shot(self, COUNTING_MS, self.show_count)
        head.wanted_changed.connect(self.wanted_changed)
        bar.changed.connect(self.wanted_changed)
        bar.replace_asked.connect(self.replace_one)
        bar.replace_all_asked.connect(self.replace_all)
        for signal in (self.wanted_changed, self._session.cursor.selection_changed):
            signal.connect(self._count_later)
        self._session.current_plan.changed.connect(lambda _: self._count_later())
        actions, is_open = context.actions, lambda: self._session.project is not None
        actions.connect("edit.find", head.start_finding)
        actions.connect("edit.replace", self.enter, is_open)
        actions.connect("edit.find_next", lambda: self.go_by(1), is_open)
        actions.connect("edit.find_previous", lambda: self.go_by(-1), is_open)

    @property
    def wanted(self) -> RowFilter:
        """The lines that are wanted."""
        bar, head = self._bar, self._head
        search = Search(
            head.find_box.text(), head.regex.isChecked(), bar.match_case.isChecked(), bar.whole_words.isChecked()
        )
        return RowFilter(head.filters.current, search, bar.place)

    def enter(self) -> None:
        """Show the replace bar; without anything to look for, the find box comes first."""
        self._bar.enter()
        if not self._head.find_box.text():
            self._head.start_finding()

    def go_by(self, by: int) -> None:
        """Go to the next line that has what is looked for, or to the one before; from the last one to the first."""
        self._session.current_plan.catch_up()
        ids, script = self._model.ids, self._session.script
        if not self._model.wanted.search.text:
            self._head.start_finding()
            return
        current = self._session.cursor.selection.current
        here = None if current is None else self._model.row_of(current)
        start = (-1 if by > 0 else 0) if here is None else here
        rows = [(start + by * step) % len(ids) for step in range(1, len(ids) + 1)] if ids else []
        found = next((row for row in rows if self._model.has_match(script.eventuality(ids[row]))), None)
        if found is None:
            self._session.messages.say(f"Nothing found for {quoted(self._model.wanted.search.text)}.")
            return
        if here is not None and (found - here) * by <= 0:
            self._session.messages.say("From the start again." if by > 0 else "From the end again.")
        self.line_wanted.emit(ids[found])

    def replace_one(self) -> None:
        """Replace in the current line, where it has what is looked for, and go to the next one that has it."""
        self._session.current_plan.catch_up()
        line = self._session.cursor.line
        if line is not None and self._model.wanted.search.text and self._model.has_match(line):
            times, _ = self._count([line])
            if not self._replace((line.id,), f"Replaced {_times(times)} in the line"):
                return
        self.go_by(1)

    def replace_all(self) -> None:
        """Replace in all lines that are chosen, as one step."""
        self._session.current_plan.catch_up()
        ids, script = self._scope(), self._session.script
        times, lines = self._count(script.eventuality(each) for each in ids)
        if not times:
            problem = self._model.finder.problem or self._model.wanted.search.problem
            self._session.messages.say(problem or "Nothing found.")
        else:
            self._replace(ids, f"Replaced {_times(times)} in {counted(lines, 'line')}")

    def show_count(self) -> None:
        """Show how often it is found in the lines that are chosen."""
        if self._bar.isHidden():
            return
        script = self._session.script
        text = ""
        if self._model.wanted.search.text:
            times, lines = self._count(
                script.eventuality(each) for each in self._scope() if each in script.eventuality_index
            )
            text = f"{times} in {counted(lines, 'line')}" if times else "nothing found"
        self._bar.count.setText(text)
        self._bar.count.setVisible(bool(text))
        self._bar.all.setEnabled(bool(text))

    def _replace(self, ids: tuple[str, ...], done: str) -> bool:
        """Replace in lines, whose rows then stay to be checked; if that changed anything, say that it is `done`."""
        wanted, by, variant = self._model.wanted, self._bar.by.text(), self._model.variant
        plan = self._session.plan
        script, act = self._session.script, self._session.current_plan.last_act
        self._model.retain(each for each in ids if self._model.has_match(script.eventuality(each)))
        if not self._session.edits.attempt(
            lambda script: replace_matches(script, wanted.search, by, ids, wanted.where, variant, plan)
        ):
            return False
        after = self._session.script
        there = [each for each in ids if each in after.eventuality_index]
        reworded = [each for each in there if script.eventuality(each).variants != after.eventuality(each).variants]
        approved = self._approved_counts(reworded, act)
        self._session.messages.say(f"{done}; {approved} changed." if approved else f"{done}.")
        return True

    def _approved_counts(self, reworded: Iterable[str], before: LastAct) -> str:
        """How many approved lines were reworded, or are spoken otherwise since; the last act was `before`."""
        plan = self._session.current_plan
        changes = plan.changes if plan.last_act is not before else NO_CHANGES
        changes = replace(changes, reworded=(*changes.reworded, *reworded))
        return approved_counts_text(approved_among(changes, plan.last_act.before, plan.plan, self._session.script))

    def _count(self, lines: Iterable[Eventuality]) -> tuple[int, int]:
        wanted = self._model.wanted
        shown = map(self._model.as_shown, lines)
        return count_matches(shown, wanted.search.finder(), wanted.where, self._model.variant)

    def _scope(self) -> tuple[str, ...]:
        cursor, script = self._session.cursor, self._session.script
        match self._bar.lines:
            case Scope.SHOWN:
                return tuple(self._model.ids)
            case Scope.SELECTED:
                return cursor.selection.lines()
            case Scope.SCENE:
                here = cursor.playhead
                at = next((scene.id for scene in script.scenes if scene.span.start <= here < scene.span.end), None)
                scene = at if cursor.line is None else cursor.line.scene
                return tuple(line.id for line in script.eventualities if line.scene == scene)
            case _:
                return tuple(line.id for line in script.eventualities)

    def _count_later(self) -> None:
        if not self._bar.isHidden():
            self._counting.start()


def _times(times: int) -> str:
    return "once" if times == 1 else f"{times} times"
