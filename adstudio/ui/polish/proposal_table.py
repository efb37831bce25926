"""Proposals of polished lines as a table: what is spoken now above what is proposed, the seconds, and the state.

Its keys accept, leave and hear a proposal.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import Enum, IntEnum

from PySide6.QtCore import QModelIndex, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QHeaderView, QStyleOptionViewItem, QWidget

from adstudio.core.film import Film
from adstudio.core.plan import Plan
from adstudio.core.script import Script
from adstudio.drafting.polish.proposals import Polished, Proposal, stale
from adstudio.drafting.polish.time_budget import Room
from adstudio.ui.session.context import Theme
from adstudio.ui.widgets.formatting import as_sentence, counted, duration, timecode
from adstudio.ui.widgets.row_table import Index, KeyedTable, RowDelegate, RowModel
from adstudio.ui.widgets.theme import UNIT, Tokens, mixed, time_font

ACCEPT, LEAVE, HEAR = Qt.Key.Key_A, Qt.Key.Key_X, Qt.Key.Key_H
BAR = 3


class ProposalState(Enum):
    """How a proposal stands, as a sign and a word."""

    OPEN = "○ open"
    ACCEPTED = "✓ accepted"
    LEFT = "✕ left"
    STALE = "△ out of date"
    NONE = "– no proposal"

    @property
    def word(self) -> str:
        """Without its sign."""
        return self.value.split(" ", 1)[1]


class Column(IntEnum):
    """What the table shows of a proposal."""

    AT = 0
    SECONDS = 1
    TEXT = 2
    STATE = 3


TITLES = dict(zip(Column, ("At", "Seconds", "Spoken now, and polished", "State"), strict=True))
WIDTHS = {Column.AT: 18 * UNIT, Column.SECONDS: 30 * UNIT, Column.STATE: 64 * UNIT}


@dataclass
class ProposalRow:
    """A proposal, whether the describer wants it not, how it stands, and what is to be said of that.

    `room` is how long it may last in the plan as it is now, in milliseconds.
    """

    proposal: Proposal
    room: int = 0
    left: bool = False
    state: ProposalState = ProposalState.OPEN
    remark: str = ""


class ProposalsModel(RowModel[Column]):
    """One proposal a row, in the order of the film."""

    columns, titles = Column, TITLES

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.rows: list[ProposalRow] = []
        self._film = Film("", 0)

    def clear(self, gone: Callable[[ProposalRow], bool] = lambda _row: True) -> None:
        """Remove rows; all of them by default."""
        if any(map(gone, self.rows)):
            self.beginResetModel()
            self.rows = [row for row in self.rows if not gone(row)]
            self.endResetModel()

    def add(self, proposals: Iterable[Proposal], film: Film) -> None:
        """Insert proposals for a film in the order of time."""
        self._film = film
        for proposal in proposals:
            place = bisect(self.rows, proposal.span, key=lambda row: row.proposal.span)
            self.beginInsertRows(QModelIndex(), place, place)
            self.rows.insert(place, ProposalRow(proposal, proposal.room if isinstance(proposal, Polished) else 0))
            self.endInsertRows()

    def compare(self, script: Script, plan: Plan, room: Mapping[str, Room]) -> None:
        """Compare each with the script and the plan as they are now."""
        for place, row in enumerate(self.rows):
            before = row.state, row.remark, row.room
            _compare(row, script, plan, room)
            if (row.state, row.remark, row.room) != before:
                self.renew((place,))

    def counts(self) -> dict[ProposalState, int]:
        """How many proposals are in each state."""
        return {state: count for state in ProposalState if (count := sum(row.state is state for row in self.rows))}

    def next_open(self, place: int) -> int | None:
        """The first open proposal at or behind a place, else the first of all."""
        places = [*range(max(place, 0), len(self.rows)), *range(min(max(place, 0), len(self.rows)))]
        return next((each for each in places if self.rows[each].state is ProposalState.OPEN), None)

    def count(self) -> int:
        """The number of proposals."""
        return len(self.rows)

    def text(self, row: int, column: Column) -> str:
        """A cell's lines, one below the other."""
        return "\n".join(self.lines_of(self.rows[row], column))

    def help(self, row: int, column: Column) -> str:
        """The remark on a state, else what the cell shows."""
        remark = self.rows[row].remark
        return remark if column is Column.STATE and remark else self.text(row, column)

    def spoken(self, row: int, column: Column) -> str:
        """Time and text are read as a sentence about the proposal."""
        proposal = self.rows[row]
        whole = column in (Column.AT, Column.TEXT)
        return self._sentence(proposal) if whole else ", ".join(self.lines_of(proposal, column))

    def lines_of(self, row: ProposalRow, column: Column) -> tuple[str, ...]:
        """A cell's two lines: what is spoken now, and what is proposed."""
        proposal = row.proposal
        now = proposal.span.end - proposal.span.start
        match column:
            case Column.AT:
                return (timecode(self._film, proposal.span.start),)
            case Column.TEXT:
                return (proposal.before, proposal.text) if isinstance(proposal, Polished) else (proposal.before,)
            case Column.SECONDS:
                return (duration(now), fit_words(row, proposal)) if isinstance(proposal, Polished) else (duration(now),)
            case Column.STATE:
                return (row.state.value, row.remark) if row.remark else (row.state.value,)

    def _sentence(self, row: ProposalRow) -> str:
        """A row as a screen reader says it."""
        proposal = row.proposal
        at = timecode(self._film, proposal.span.start)
        if not isinstance(proposal, Polished):
            return f"{at}, {proposal.before} {row.state.word}: {row.remark}"
        words = f"{at}, now: {proposal.before} Polished: {proposal.text} {fit_words(row, proposal)}, {row.state.word}"
        return f"{words}: {row.remark}" if row.remark else words


def fit_words(row: ProposalRow, proposal: Polished) -> str:
    """How long it takes, of how much there is."""
    return f"{duration(proposal.duration).removesuffix(' s')} of {duration(row.room)}"


def is_shown(proposal: Proposal) -> bool:
    """Whether there is something to look at: not where the line is good already, or could not be asked for."""
    return isinstance(proposal, Polished) or not (proposal.is_good_already or proposal.failed)


def summary(counts: Mapping[ProposalState, int], asked: int = 0) -> str:
    """How the proposals stand, in a few words; with how many lines were asked for, in a sentence."""
    if asked:
        count = sum(count for state, count in counts.items() if state is not ProposalState.NONE)
        without = counts.get(ProposalState.NONE, 0)
        rest = max(asked - count - without, 0)
        said = f"{counted(count, 'proposal')} for {counted(asked, 'line')}"
        said += f"; {rest:,} good as {'it is' if rest == 1 else 'they are'}" if rest else ""
        return f"{said}; {without:,} without a proposal." if without else f"{said}."
    return " · ".join(f"{count:,} {state.word}" for state, count in counts.items())


def _compare(row: ProposalRow, script: Script, plan: Plan, room: Mapping[str, Room]) -> None:
    proposal = row.proposal
    if not isinstance(proposal, Polished):
        row.state, row.remark = ProposalState.NONE, as_sentence(proposal.why)
        return
    place = script.eventuality_index.get(proposal.eventuality)
    variants = script.eventualities[place].variants if place is not None else ()
    if proposal.variant < len(variants) and variants[proposal.variant].text == proposal.text:
        row.state, row.remark = ProposalState.ACCEPTED, ""
        return
    now = room.get(proposal.eventuality)
    if now is not None:
        # Without starting earlier where that is enough.
        row.room = now.most if proposal.duration <= now.most else now.between
    why = stale(script, plan, now, proposal)
    if why:
        row.state, row.remark = ProposalState.STALE, why
    else:
        row.state, row.remark = ProposalState.LEFT if row.left else ProposalState.OPEN, " ".join(proposal.remarks)


class ProposalTable(KeyedTable):
    """`keys` are what A, X, H and Return do here."""

    def __init__(self, theme: Theme, rows: ProposalsModel, keys: Mapping[Qt.Key, Callable[[], object]]) -> None:
        help_ = "A accepts, X leaves, H speaks it, Return goes to the line"
        super().__init__("Polished lines", help_, "Columns of the polished lines", rows, keys)
        self.setItemDelegate(ProposalDelegate(theme, rows, self))
        columns = self.horizontalHeader()
        columns.setSectionResizeMode(Column.TEXT, QHeaderView.ResizeMode.Stretch)
        for column, width in WIDTHS.items():
            columns.resizeSection(column, width)
        self.fit()

    def fit(self) -> None:
        """Two lines of another font are higher, or lower."""
        self.set_row_height(row_height(self))


def row_height(widget: QWidget) -> int:
    """Two lines, and room about them, on the grid."""
    height = 2 * widget.fontMetrics().lineSpacing() + 3 * UNIT
    return -(-height // UNIT) * UNIT


class ProposalDelegate(RowDelegate):
    """A cell of two lines: what is spoken now in quiet colour above what is proposed."""

    def __init__(self, theme: Theme, rows: ProposalsModel, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme, self._rows = theme, rows

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """As high as all rows."""
        del index
        return QSize(10 * UNIT, row_height(option.widget))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Ground, two lines, how much of the time is used, and a frame where the keys are."""
        tokens, box = self.colours_of(option, self._theme.tokens), option.rect
        row, column = self._rows.rows[index.row()], Column(index.column())
        self.paint_ground(painter, option, tokens, tokens.lane if index.row() % 2 else "")
        painter.setFont(time_font() if column in (Column.AT, Column.SECONDS) else option.font)
        room = QRect(box).adjusted(2 * UNIT, UNIT, -2 * UNIT, -2 * UNIT)
        lines = self._rows.lines_of(row, column)
        for place, text in enumerate(lines):
            painter.setPen(QColor(self._colour(tokens, row.state, column, place, len(lines))))
            line = QRect(room.left(), room.top() + place * room.height() // 2, room.width(), room.height() // 2)
            shown = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, line.width())
            painter.drawText(line, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, shown)
        if column is Column.SECONDS and isinstance(row.proposal, Polished):
            share = min(row.proposal.duration / max(row.room, 1), 1.0)
            self._paint_fit(painter, tokens, QRect(room.left(), room.bottom() + 1, room.width(), BAR), share)
        painter.setPen(QColor(tokens.line))
        painter.drawLine(box.bottomLeft(), box.bottomRight())
        self.paint_focus(painter, option, tokens)

    def _paint_fit(self, painter: QPainter, tokens: Tokens, box: QRect, share: float) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.fillRect(QRectF(box), mixed(tokens.panel, tokens.line, 1.0 if tokens is self._theme.tokens else 0.3))
        painter.fillRect(QRectF(box.left(), box.top(), box.width() * share, box.height()), QColor(tokens.good))

    def _colour(self, tokens: Tokens, state: ProposalState, column: Column, place: int, lines: int) -> str:
        if column is Column.STATE:
            colours = {
                ProposalState.ACCEPTED: tokens.good,
                ProposalState.STALE: tokens.warning,
                ProposalState.OPEN: tokens.text,
            }
            return colours.get(state, tokens.quiet) if place == 0 else tokens.quiet
        proposed = place == 1 or (lines == 1 and column is Column.AT)
        return tokens.text if proposed and state in (ProposalState.OPEN, ProposalState.ACCEPTED) else tokens.quiet
