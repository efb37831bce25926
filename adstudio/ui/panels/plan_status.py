"""The plan in one line: whether it is proven best and by whom, how many lines, how much of the free time is used."""

from __future__ import annotations

from html import escape
from typing import NamedTuple

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from adstudio.core.counts import percent
from adstudio.core.fusions import as_spoken
from adstudio.core.plan import HoldConflict
from adstudio.core.script import Script
from adstudio.core.settings import Scope
from adstudio.delivery.spoken_counts import spoken_counts
from adstudio.planning.drift import drifts, shares_near
from adstudio.planning.film.live_plan import Outcome, ProofState
from adstudio.planning.film.spoken_lengths import spoken_lengths
from adstudio.ui.session.context import Context
from adstudio.ui.session.free_time import free_time_used
from adstudio.ui.session.length_messages import optimal_for, unmeasured
from adstudio.ui.session.session import Session
from adstudio.ui.widgets.formatting import WORTH_TIP, counted, quoted_line
from adstudio.ui.widgets.theme import UNIT

GLYPHS = {
    ProofState.EXACT: "✓",
    ProofState.CONFIRMED: "✓✓",
    ProofState.IN_PARTS: "✓",
    ProofState.OPEN: "…",
    ProofState.DISPUTED: "!",
}
PROVEN = frozenset({ProofState.EXACT, ProofState.CONFIRMED})
"""What a tick says well enough; the words are in its tool tip."""
EXPECTED_GLYPH = "≈"
"""In place of the tick, where not all of these are the lines' real ones."""
LEAST = 70 * UNIT
"""Room for a conflict, the proof and the number of lines in their shortest words."""


PROBLEMS = "#problems"
"""Where the link behind a conflict leads."""
MOST_LINKS = 2
BRIEFLY_WITHIN = 2
"""The seconds from the action that are named where there is no room for all of them."""


class Form(NamedTuple):
    """The state said at some length."""

    conflict: str
    proof: str
    figures: str


class PlanStatus(QWidget):
    """Conflict, proof and figures; two of the lines in conflict are links, and an arrow leads to all problems.

    If there is no room for all of it, everything is said in fewer words, but nothing is left out.
    """

    problems_asked = Signal()
    """The describer wants to see the conflicts."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._session = context.session
        self._theme = context.theme
        layout = QHBoxLayout(self)
        layout.setContentsMargins(2 * UNIT, 0, UNIT, 0)
        layout.setSpacing(3 * UNIT)
        layout.addStretch(1)
        self._forms: tuple[Form, ...] = ()
        """The longest first."""
        self._links = ""
        self._conflict = QLabel(textFormat=Qt.TextFormat.RichText)
        self._conflict.linkActivated.connect(self._follow)
        self._conflict.hide()
        self._proof = QLabel(textFormat=Qt.TextFormat.RichText)
        self._figures = QLabel(textFormat=Qt.TextFormat.PlainText)
        self._figures.setProperty("quiet", "true")
        for label in (self._conflict, self._proof, self._figures):
            layout.addWidget(label)
        context.session.current_plan.announced.connect(lambda _: self._renew())
        context.session.current_plan.proved.connect(self._renew)
        context.session.opened.connect(self._renew)
        context.theme.changed.connect(self._renew)
        self._renew()

    def _renew(self) -> None:
        session = self._session
        outcome = session.current_plan.outcome
        names = conflicting(outcome)
        short = lines(session)
        used = f"{short} · {free_time_used(session.rooms, session.gaps)}"
        near, briefly = nearness(session)
        full, fuller = (" · ".join(filter(None, (used, said))) for said in (near, briefly))
        lengths = spoken_lengths(session.script, session.plan)
        glyph, verdict = GLYPHS[outcome.proof.state], proof(outcome)
        proved = glyph if outcome.proof.state in PROVEN else f"{glyph} {verdict}"
        if said := optimal_for(lengths, outcome):
            glyph, verdict = EXPECTED_GLYPH, said
            proved = f"{glyph} {verdict}"
        head = f"{counted(len(names), 'line')} in conflict"
        quotes = ", ".join(_name(session, name) for name in names[:MOST_LINKS])
        more = "" if len(names) <= MOST_LINKS else " …"
        links = ", ".join(self._link(name, _name(session, name)) for name in names[:MOST_LINKS])
        self._links = f"{head}: {links}{more}"
        forms = (
            Form(f"▨ {head}: {quotes}{more} ▸", proved, full),
            Form(f"▨ {head} ▸", proved, full),
            Form(f"▨ {head} ▸", proved, fuller),
            Form(f"▨ {head} ▸", proved, used),
            Form(f"▨ {head} ▸", proved, short),
            *((Form(f"▨ {head} ▸", f"{glyph} {unmeasured(lengths)}", short),) if glyph == EXPECTED_GLYPH else ()),
            Form(f"▨ {head} ▸", glyph, short),
            Form(f"▨ {len(names)} ▸", glyph, short),
        )
        self._forms = forms if names else tuple(form._replace(conflict="") for form in forms)
        self._conflict.setVisible(bool(names))
        unit = f"{WORTH_TIP} " if outcome.proof.gap else ""
        explained = f"{verdict}. {unit}{planned_apart(session.script)}".strip()
        everything = ", ".join(_name(session, name) for name in names)
        for label, topic, said in (
            (self._conflict, "Conflicting locks", f"{head}: {everything}"),
            (self._proof, "Proof of the plan", explained),
            (self._figures, "The plan in figures", full),
        ):
            label.setAccessibleName(f"{topic}: {said}")
            label.setAccessibleDescription(said)
        self._proof.setToolTip(explained)
        self.updateGeometry()
        self._fit()

    def _link(self, target: str, text: str) -> str:
        return f'<a href="{escape(target)}" style="color:{self._theme.tokens.warning}">{escape(text)}</a>'

    def _follow(self, target: str) -> None:
        if target == PROBLEMS:
            self.problems_asked.emit()
        else:
            self._session.cursor.select_line(target, go=True)

    def _width(self, form: Form) -> int:
        metrics = self._figures.fontMetrics()
        return sum(metrics.horizontalAdvance(each) + 4 * UNIT for each in form if each) + 3 * UNIT

    def sizeHint(self) -> QSize:
        """All of it in one line."""
        height = max(label.sizeHint().height() for label in (self._proof, self._figures))
        return QSize(self._width(self._forms[0]), height)

    def minimumSizeHint(self) -> QSize:
        """All of it, said as shortly as can be understood."""
        return QSize(min(self._width(self._forms[-2]), LEAST), self.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """More room, or less."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        form = next((each for each in self._forms if self._width(each) <= self.width()), self._forms[-1])
        proved = self._session.current_plan.outcome.proof
        good = proved.state is not ProofState.DISPUTED and not proved.gap
        colour = self._theme.tokens.good if good else self._theme.tokens.warning
        glyph, _, rest = form.proof.partition(" ")
        conflict = self._links if form is self._forms[0] else escape(form.conflict.strip("▨▸ "))
        warning = self._theme.tokens.warning
        for label, text in (
            (self._conflict, f'<span style="color:{warning}">▨ {conflict} {self._link(PROBLEMS, "▸")}</span>'),
            (self._proof, f'<span style="color:{colour}">{glyph}</span> {escape(rest)}'.rstrip()),
            (self._figures, form.figures),
        ):
            if label.text() != text:
                label.setText(text)
        whole = self._forms[0]
        self.setToolTip("" if form == whole else " · ".join(filter(None, whole)))


def conflicting(outcome: Outcome) -> list[str]:
    """The lines whose locks conflict."""
    return list(dict.fromkeys(hold.element for hold in outcome.suspended if isinstance(hold, HoldConflict)))


def planned_apart(script: Script) -> str:
    """Why scenes are planned separately, and what that may cost; empty if the film is planned as a whole."""
    if script.settings.scope is Scope.SCENE:
        which = "Lines may not cross scenes (project settings), so each scene is planned separately"
    elif script.rules:
        which = "A scene with rules is planned separately"
    else:
        return ""
    return f"{which}. Planning the film as a whole might find a slightly better plan."


def _name(session: Session, identity: str) -> str:
    place = session.script.eventuality_index.get(identity)
    return identity if place is None else quoted_line(session.script.eventualities[place].variants[0].text, 3)


def proof(outcome: Outcome) -> str:
    """What is proven about the plan, in a few words."""
    match outcome.proof.state:
        case ProofState.EXACT:
            return "Proven optimal"
        case ProofState.CONFIRMED:
            return "Proven optimal, confirmed by CP-SAT"
        case ProofState.IN_PARTS:
            return "Proven optimal in each scene"
        case ProofState.OPEN:
            most = f"at most {outcome.proof.gap / 10**9:.2f} below the optimum" if outcome.proof.gap else ""
            if not outcome.open:
                return most.capitalize()
            return f"Improving plan… ({most})" if most else "Improving plan…"
        case ProofState.DISPUTED:
            return outcome.proof.text or "The two engines disagree; the better plan is shown"


def nearness(session: Session) -> tuple[str, str]:
    """Which part of the lines is within 1, 2 and 4 s of the action, and that in short; empty where none has one."""
    shares = shares_near(drifts(session.plan, as_spoken(session.script, session.plan).eventualities).values())
    if not shares:
        return "", ""
    # Rounded down: only all lines are 100 %.
    parts = {within: percent(int(share * 100 + 1e-9) / 100) for within, share in shares.items()}
    said = {within: f"{part} within {within} s" for within, part in parts.items()}
    return f"near action: {', '.join(said.values())}", f"near action: {said[BRIEFLY_WITHIN]}"


def lines(session: Session) -> str:
    """How many lines are spoken, as exports count them."""
    return counted(spoken_counts(session.script, session.plan, session.gaps).lines, "line")
