"""The plan in one line: whether it is proven best and by whom, how many lines, how much of the free time is used."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from adstudio.core.plan import HoldConflict
from adstudio.planning.film_live import Outcome, Standing
from adstudio.ui.desk import Desk
from adstudio.ui.session import Session
from adstudio.ui.theme import UNIT
from adstudio.ui.words import counted, quoted, short_time, worth

GLYPHS = {
    Standing.EXACT: "✓",
    Standing.CONFIRMED: "✓✓",
    Standing.IN_PARTS: "✓",
    Standing.OPEN: "…",
    Standing.DISPUTED: "!",
}


class PlanStatus(QWidget):
    """Follows the session; conflicting pins are links that select their lines.

    Where there is no room for all of it the figures go first, then the proof: a conflict is said in any window.
    """

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._session = desk.session
        self._theme = desk.theme
        layout = QHBoxLayout(self)
        layout.setContentsMargins(2 * UNIT, 0, UNIT, 0)
        layout.setSpacing(3 * UNIT)
        layout.addStretch(1)
        self._shown: tuple[QLabel, ...] = ()
        self._conflict = QLabel()
        self._conflict.setTextFormat(Qt.TextFormat.RichText)
        self._conflict.setAccessibleName("Pins that cannot hold together")
        self._conflict.linkActivated.connect(lambda name: self._session.select_line(name, go=True))
        self._conflict.hide()
        self._proof = QLabel()
        self._proof.setAccessibleName("Proof of the plan")
        self._figures = QLabel()
        self._figures.setAccessibleName("The plan in figures")
        self._figures.setProperty("quiet", "true")
        for label in (self._conflict, self._proof, self._figures):
            layout.addWidget(label)
        desk.session.changed.connect(lambda _: self._renew())
        desk.session.proved.connect(self._renew)
        desk.session.opened.connect(self._renew)
        desk.theme.changed.connect(self._renew)
        self._renew()

    def _renew(self) -> None:
        outcome, tokens = self._session.outcome, self._theme.tokens
        names = list(dict.fromkeys(hold.element for hold in outcome.set_aside if isinstance(hold, HoldConflict)))
        links = ", ".join(
            f'<a href="{name}" style="color:{tokens.warning}">{escape(_name(self._session, name))}</a>'
            for name in names
        )
        self._conflict.setText(
            f'<span style="color:{tokens.warning}">▨ These pins cannot hold together: {links}</span>'
        )
        self._shown = (self._conflict,) if names else ()
        self._conflict.setVisible(bool(names))
        good = outcome.proof.standing is not Standing.DISPUTED and not outcome.proof.gap
        colour = tokens.good if good else tokens.warning
        self._proof.setTextFormat(Qt.TextFormat.RichText)
        self._proof.setText(f'<span style="color:{colour}">{GLYPHS[outcome.proof.standing]}</span> {proof(outcome)}')
        self._figures.setText(figures(self._session))
        self._shown += (self._proof, self._figures)
        self.updateGeometry()
        self._fit()

    def sizeHint(self) -> QSize:
        """All of it in one line."""
        hints = [label.sizeHint() for label in self._shown]
        width = sum(hint.width() + 3 * UNIT for hint in hints) + 3 * UNIT
        return QSize(width, max((hint.height() for hint in hints), default=0))

    def minimumSizeHint(self) -> QSize:
        """The most urgent of it."""
        first = self._shown[0].minimumSizeHint() if self._shown else QSize()
        return QSize(min(first.width() + 6 * UNIT, 60 * UNIT), self.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """More room, or less."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        room = self.width() - 6 * UNIT
        for place, label in enumerate(self._shown):
            room -= label.sizeHint().width() + 3 * UNIT
            label.setVisible(place == 0 or room >= -3 * UNIT)
        self.setToolTip("" if room >= -3 * UNIT else f"{proof(self._session.outcome)} · {figures(self._session)}")


def escape(text: str) -> str:
    """Text as it stands in rich text."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")


def _name(session: Session, identity: str) -> str:
    place = session.script.eventuality_index.get(identity)
    return identity if place is None else quoted(session.script.eventualities[place].variants[0].text, 3)


def proof(outcome: Outcome) -> str:
    """What is known of the plan, in a few words."""
    match outcome.proof.standing:
        case Standing.EXACT:
            return "Proven best"
        case Standing.CONFIRMED:
            return "Proven best, CP-SAT agrees"
        case Standing.IN_PARTS:
            return "Proven best in each scene"
        case Standing.OPEN if outcome.proof.gap:
            return f"Sound, at most {worth(outcome.proof.gap)} short of the best; still looking"
        case Standing.OPEN:
            return "Sound; CP-SAT is still looking"
        case Standing.DISPUTED:
            return outcome.proof.says or "The two engines disagree; the better plan is shown"


def figures(session: Session) -> str:
    """Lines, and the used part of the free time."""
    plan, gaps = session.plan, session.gaps
    used = sum(delivery.end - delivery.start for delivery in plan.deliveries)
    free = sum(gap.length for gap in gaps)
    return f"{counted(len(plan.deliveries), 'line')} · {short_time(used)} of {short_time(free)} free used"
