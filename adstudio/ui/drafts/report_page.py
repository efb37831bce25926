"""The report of a draft as a tree, for as long as its project is open; suggested rules are set from here.

It shows how well film and screenplay agree, lines without a sure place, suggested rules, and oddities.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QHeaderView, QTreeWidget, QTreeWidgetItem, QWidget

from adstudio.core.errors import BadInputError
from adstudio.core.provenance import provenance_text
from adstudio.core.script import Rules, Script
from adstudio.core.steps import SetRules, Step
from adstudio.drafting.report import Found, Report
from adstudio.drafting.text.align.match import match_summary
from adstudio.drafting.text.score.rules import SuggestedPenalty, SuggestedRequirement
from adstudio.editing.rules import make_penalty, make_requires
from adstudio.ui.actions.actions import Actions
from adstudio.ui.session.context import Theme
from adstudio.ui.session.selection import Kind, Selection
from adstudio.ui.session.session import Session
from adstudio.ui.widgets.controls import Button
from adstudio.ui.widgets.form import beside, column
from adstudio.ui.widgets.formatting import counted, quoted_line, timecode
from adstudio.ui.widgets.text import Label
from adstudio.ui.widgets.theme import UNIT

ITS_ROW = Qt.ItemDataRole.UserRole
NO_DRAFT = "No draft has been made since this project was opened."
SET = "✓ set"
EXPANDED = 12
"""A section of more rows is closed at first."""
MOST_SHOWN = 500
"""Rows of one kind; of more, only their number is shown."""
Suggestion = SuggestedPenalty | SuggestedRequirement


@dataclass(frozen=True)
class Row:
    """A sentence, the lines that it leads to, the rule that it suggests, and the rows below it."""

    what: str
    lines: tuple[str, ...] = ()
    rule: Suggestion | None = None
    below: tuple[Row, ...] = field(default=())


class ReportPage(QWidget):
    """The report as a tree: Return goes to what a row is about. `header` may be put elsewhere."""

    def __init__(self, session: Session, actions: Actions, theme: Theme) -> None:
        super().__init__()
        self._session, self._actions = session, actions
        self._report: Report | None = None
        self._waiting: list[Suggestion] = []
        self._seen: Rules | None = None
        self._head = Label(textFormat=Qt.TextFormat.PlainText, wordWrap=True)
        self._head.setAccessibleName("The draft in a sentence")
        self._set = Button("Set this rule", self.set_current, "Set the rule of the current row")
        self._set_all = Button("Set all", self.set_all, "Set every rule that the lines suggest, as one step")
        self.tree = QTreeWidget(columnCount=2)
        self.tree.setHeaderHidden(True)
        self.tree.setMinimumHeight(6 * UNIT)
        self.tree.setAccessibleName("Report of the draft")
        columns = self.tree.header()
        columns.setStretchLastSection(False)
        columns.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        columns.setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        self.tree.itemActivated.connect(lambda item, _: self._go(item))
        self.tree.itemClicked.connect(lambda item, _: self._go(item))
        self.tree.itemExpanded.connect(self._show_rules)
        self.tree.currentItemChanged.connect(lambda *_: self._show_buttons())
        self.setFocusProxy(self.tree)
        self.header = QWidget()
        head = beside(self._head, self._set, self._set_all, stretch=True)
        head.setContentsMargins(UNIT, 0, 0, 0)
        head.setSpacing(2 * UNIT)
        self.header.setLayout(head)
        self.setLayout(column(self.header, self.tree, spacing=0))
        session.opened.connect(lambda: self.tell(None))
        session.idle.became_idle.connect(self._renew_rules)
        theme.changed.connect(lambda: self.tell(None) if self._report is None else None)
        self.tell(None)

    @property
    def report(self) -> Report | None:
        """The report that is shown."""
        return self._report

    def tell(self, report: Report | None) -> None:
        """Show the report of a draft; None where none was made."""
        self._report, self._seen = report, None
        self._head.setText("" if report is None else summary(report))
        self._head.setVisible(report is not None)
        self.tree.clear()
        if report is None:
            nothing = QTreeWidgetItem([NO_DRAFT, ""])
            nothing.setForeground(0, self.tree.palette().placeholderText())
            self.tree.addTopLevelItem(nothing)
        else:
            for row in report_rows(report, self._session.script):
                section = self._item(row)
                self.tree.addTopLevelItem(section)
                section.addChildren([self._item(below) for below in row.below])
                section.setExpanded(len(row.below) <= EXPANDED)
            for first in _children(self.tree.invisibleRootItem())[:1]:
                self.tree.setCurrentItem(first)
        self._renew_rules()
        self._actions.refresh()

    def set_current(self) -> None:
        """Set the rule of the current row."""
        if (rule := self._current_rule()) is not None:
            self._set_one(rule)

    def set_all(self) -> None:
        """Set every suggested rule that is not set yet, as one step."""
        step, refused = set_rules(self._session.script, self._waiting)
        count = len(self._waiting) - refused
        self._session.edits.do(step)
        said = f"{counted(count, 'rule')} set."
        if refused:
            said += f" {refused:,} could not be: their lines are gone, or tied by another rule."
        self._session.messages.say(said)
        self._renew_rules()

    def _set_one(self, rule: Suggestion) -> None:
        if self._session.edits.attempt(lambda script: set_rule(script, rule)):
            self._session.messages.say("The rule is set.")
        self._renew_rules()

    def _item(self, row: Row) -> QTreeWidgetItem:
        item = QTreeWidgetItem([row.what, ""])
        item.setData(0, ITS_ROW, row)
        item.setToolTip(0, row.what)
        if row.below:
            font = item.font(0)
            font.setBold(True)
            item.setFont(0, font)
        return item

    def _add_button(self, item: QTreeWidgetItem, rule: Suggestion) -> None:
        button = Button("Set this rule", lambda: self._set_one(rule), name=f"Set this rule: {rule.reason}")
        # The keyboard has one button for the current row, above; Tab would have to pass each of these.
        button.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        item.setSizeHint(1, button.sizeHint() + QSize(2 * UNIT, UNIT))
        self.tree.setItemWidget(item, 1, button)

    def _current_rule(self) -> Suggestion | None:
        """The rule of the current row, where it is not set yet."""
        item = self.tree.currentItem()
        row = item.data(0, ITS_ROW) if item is not None else None
        rule = row.rule if isinstance(row, Row) else None
        return rule if rule in self._waiting else None

    def _renew_rules(self) -> None:
        """Show which rules are set by now; called whenever the describer pauses."""
        script = self._session.script
        if script.rules is self._seen:
            return
        self._seen = script.rules
        self._waiting = [] if self._report is None else not_set(suggestions(self._report), script)
        for section in _children(self.tree.invisibleRootItem()):
            if section.isExpanded():
                self._show_rules(section)
        self._show_buttons()

    def _show_rules(self, section: QTreeWidgetItem) -> None:
        """Buttons cost time, so only a section that is open has them."""
        waiting = set(self._waiting)
        for item in _children(section):
            rule = item.data(0, ITS_ROW).rule
            if rule is None:
                continue
            done, there = rule not in waiting, self.tree.itemWidget(item, 1) is not None
            # Hiding it is not enough: the tree shows it again when it lays its rows out.
            if done and there:
                self.tree.removeItemWidget(item, 1)
            elif not done and not there:
                self._add_button(item, rule)
            item.setText(1, SET if done else "")

    def _show_buttons(self) -> None:
        waiting = len(self._waiting)
        offered = self._report is not None and bool(suggestions(self._report))
        self._set.setVisible(offered)
        self._set_all.setVisible(offered)
        self._set.setEnabled(self._current_rule() is not None)
        self._set_all.setEnabled(bool(waiting))
        self._set_all.setText(f"Set all {waiting:,}" if waiting > 1 else "Set all")

    def _go(self, item: QTreeWidgetItem) -> None:
        row = item.data(0, ITS_ROW)
        if not isinstance(row, Row):
            return
        session = self._session
        there = [line for line in row.lines if line in session.script.eventuality_index]
        if there:
            session.cursor.select_line(there[0], go=True)
            session.cursor.select(Selection(Kind.LINE, tuple(there)))
        elif row.lines:
            session.messages.say("Those lines are not in the script any more.")


def _children(item: QTreeWidgetItem) -> list[QTreeWidgetItem]:
    return [child for place in range(item.childCount()) if (child := item.child(place)) is not None]


def summary(report: Report) -> str:
    """The draft in one sentence or two."""
    if not report.lines:
        return "Nothing was drafted: every line is yours to write."
    guesses, spoken = len(report.unsure), f"the plan speaks {report.spoken:,}"
    if not report.lost and not guesses:
        return f"{counted(report.lines, 'line')} drafted, each with a place in the film; {spoken}."
    said = f"{counted(report.lines, 'line')} drafted: {report.placed:,} with a place in the film"
    said += f", {guesses:,} of them a guess" if guesses else ""
    said += f"; {len(report.lost):,} without one" if report.lost else ""
    return f"{said}; {spoken}."


def report_rows(report: Report, script: Script) -> tuple[Row, ...]:
    """The rows of a report, the lines as the script has them now."""
    rows = [
        _section("How far film and screenplay agree", [Row(each) for each in _agreement(report)]),
        _section(f"Characters in the cast · {len(report.characters):,}", [Row(each) for each in report.characters]),
        _section(
            f"Lines that say what people are, as the film has not named them yet · {len(report.described):,}",
            _lines(report.described, script),
        ),
        _section(f"Rules that the lines suggest · {len(suggestions(report)):,}", _rules(report)),
        _section(f"Lines whose time is a guess · {len(report.unsure):,}", _lines(report.unsure, script)),
        _section(f"Lines without a place in the film · {len(report.lost):,}", _lines(report.lost, script)),
        *(_section(f"Odd in {name} · {len(found):,}", _odd(found)) for name, found in _by_source(report.found)),
    ]
    return tuple(row for row in rows if row.below)


def suggestions(report: Report) -> tuple[Suggestion, ...]:
    """Every rule that the draft suggests."""
    return (*report.repetitions, *report.needs)


def tied(rule: Suggestion) -> tuple[str, str]:
    """The two lines that a suggested rule ties."""
    return (rule.penalty.first, rule.penalty.second) if isinstance(rule, SuggestedPenalty) else (rule.line, rule.needs)


def not_set(rules: Iterable[Suggestion], script: Script) -> list[Suggestion]:
    """Those of the suggested rules that are not in the script, whatever their cost."""
    requires = set(script.rules.requires)
    penalties = {frozenset((penalty.first, penalty.second)) for penalty in script.rules.penalties}
    return [
        rule
        for rule in rules
        if (
            tied(rule) not in requires
            if isinstance(rule, SuggestedRequirement)
            else frozenset(tied(rule)) not in penalties
        )
    ]


def set_rule(script: Script, rule: Suggestion) -> Step | None:
    """Set one suggested rule.

    Raises:
        EditRefused: where its lines are gone, in several scenes, or tied already.
    """
    if isinstance(rule, SuggestedRequirement):
        return make_requires(script, rule.line, rule.needs)
    return make_penalty(script, rule.penalty.first, rule.penalty.second, rule.penalty.cost)


def set_rules(script: Script, rules: Sequence[Suggestion]) -> tuple[Step | None, int]:
    """Set as many of the rules as can be, as one step; and how many could not."""
    became, refused = script, 0
    for rule in rules:
        try:
            step = set_rule(became, rule)
        except BadInputError:
            refused += 1
        else:
            became = became if step is None else step.apply(became)
    return (SetRules(script.rules, became.rules) if became.rules != script.rules else None), refused


def _section(title: str, rows: Sequence[Row]) -> Row:
    more = len(rows) - MOST_SHOWN
    shown = [*rows[:MOST_SHOWN], *([Row(f"and {more:,} more")] if more > 0 else [])]
    return Row(title, below=tuple(shown))


def _agreement(report: Report) -> Iterator[str]:
    for clause in match_summary(report.words, report.scenes):
        yield f"{clause[0].upper()}{clause[1:]}."
    if report.words is not None:
        cues = counted(report.cues, "cue")
        yield f"{report.speakers:,} of {cues} of dialogue now have their speaker from the screenplay."


def _lines(ids: Sequence[str], script: Script) -> list[Row]:
    rows: list[Row] = []
    for identity in ids:
        place = script.eventuality_index.get(identity)
        if place is None:
            rows.append(Row("a line that has been deleted"))
            continue
        line = script.eventualities[place]
        at = "" if line.occurrence is None else f"{timecode(script.film, line.occurrence.start)}  "
        parts = (quoted_line(line.variants[0].text, 12), provenance_text(line.provenance))
        rows.append(Row(at + " · ".join(filter(None, parts)), (identity,)))
    return rows


def _rules(report: Report) -> list[Row]:
    return [Row(rule.reason, tied(rule), rule) for rule in suggestions(report)]


def _odd(found: Sequence[Found]) -> list[Row]:
    return [
        Row(f"line {each.oddity.line:,}: {each.oddity.what}" if each.oddity.line else each.oddity.what, each.lines)
        for each in found
    ]


def _by_source(found: Sequence[Found]) -> list[tuple[str, list[Found]]]:
    sources: dict[str, list[Found]] = {}
    for each in found:
        sources.setdefault(each.source, []).append(each)
    return [(Path(source).name, those) for source, those in sources.items()]
