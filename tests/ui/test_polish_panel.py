"""The tab of polished lines: asked, come, accepted, left, heard; out of date; what keeps a model from being asked."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from desks import desk_on
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible

from adstudio.connections.saved_connections import SavedConnection, write_connections
from adstudio.core.cast import Person
from adstudio.core.film import Film
from adstudio.core.policy import Host, Policy
from adstudio.core.provenance import UNKNOWN_PROVENANCE, Contribution, ModelTask, ModelWork
from adstudio.core.script import SALIENCE_UNIT, Cue, Eventuality, Origin, Pin, Scene, Script, Variant
from adstudio.core.settings import Settings
from adstudio.core.timebase import Span
from adstudio.drafting.model.events import Spent
from adstudio.drafting.model.request_store import JobState, JobStore, default_place, name_of_film
from adstudio.drafting.polish.events import PROTOCOL, PolishFinished, PolishRequest
from adstudio.drafting.polish.passage import Unusable
from adstudio.drafting.polish.plan_passages import passages
from adstudio.drafting.polish.proposals import Polished, ScenePolished, Unpolished
from adstudio.editing.pins import pin_start
from adstudio.editing.wordings import rewrite
from adstudio.llm.capabilities import Capabilities
from adstudio.llm.messages import Usage
from adstudio.system.worker import Failed
from adstudio.ui.drafts.model_request import limit_key
from adstudio.ui.polish.panel import NOTHING_LEFT, READY, STOPPED, STOPPED_FOR_POLICY, THROUGH, PolishPanel
from adstudio.ui.polish.polish_process import CRASHED, lines_to_polish
from adstudio.ui.polish.proposal_table import Column, ProposalState, ProposalTable
from adstudio.ui.session.selection import Kind, Selection

WORKER = """
import json, pathlib, sys, time
gate, code, lines = json.loads(sys.stdin.readline())
print(lines[0], flush=True)
while not pathlib.Path(gate).exists():
    time.sleep(0.02)
for line in lines[1:]:
    print(line, flush=True)
sys.exit(int(code))
"""
HOUSE = Policy("on premises", (Host("127.0.0.1", 8000, plain=True),))
SPENT = Spent(Usage(1_200, 0, 340), 1)
OVER = PolishFinished(3, "", False, 2, Usage(1_200, 0, 340))


def line(identity: str, at: int, text: str, scene: str, salience: float = 0.5) -> Eventuality:
    return Eventuality(identity, (Variant(text),), Span(at, at + 2_000), round(salience * SALIENCE_UNIT), scene)


def script() -> Script:
    """Forty seconds at 0.3 s a word; dialogue at 8–10 and 20–30 s."""
    return Script(
        Film("Station", 40_000),
        scenes=(Scene("s1", Span(0, 20_000), "Platform"), Scene("s2", Span(20_000, 40_000), "Office")),
        cues=(Cue("c1", 8_000, 10_000, "Where is the train?", "ANNA"), Cue("c2", 20_000, 30_000, "Gone.", "TOM")),
        eventualities=(
            line("e1", 1_000, "Parks.", "s1"),
            line("e2", 4_000, "Takes package.", "s1"),
            line("e3", 12_000, "Rises from seat.", "s1"),
            line("e4", 33_000, "Opens the drawer.", "s2"),
        ),
        people=(Person.named("Anna", b"\xff\xd8face"),),
    )


WORK = ModelWork((Contribution("tiny-1", (ModelTask("polish", 1),)),), None)
E1 = Polished("e1", 0, "She parks.", "Parks.", Span(1_850, 2_150), 2_850, 600, "s1", (), WORK)
E2 = Polished("e2", 0, "She takes a red package.", "Takes package.", Span(4_700, 5_300), 3_300, 1_500, "s1",
              ("It says more than the line did: red, big, new.",), WORK)  # fmt: skip
E3 = Unpolished("e3", 0, "Rises from seat.", Span(12_550, 13_450), "it is more than one sentence", "s1")
E4 = Polished("e4", 0, "She opens the drawer.", "Opens the drawer.", Span(33_550, 34_450), 6_450, 1_200, "s2")
GOOD = Unpolished("e3", 0, "Rises from seat.", Span(12_550, 13_450), "it is good as it is", "s1", Unusable.UNCHANGED)


REFUSED = "the key was refused"
LOST = [Unpolished(line, 0, "A line.", Span(1, 2), REFUSED, "s1", Unusable.NOT_ASKED) for line in ("e2", "e3")]


class Scripted:
    """The worker: tells what it spent, waits until it is let go, gives what it has."""

    def __init__(self, gate: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.gate = gate
        self.messages = [ScenePolished("s2", (E4,)), ScenePolished("s1", (E1, E2, E3)), OVER]
        self.code = 0
        self.requests: list[PolishRequest] = []
        monkeypatch.setattr(PROTOCOL, "command", lambda: [sys.executable, "-I", "-c", WORKER])
        monkeypatch.setattr(PROTOCOL, "request_line", self._line)

    def _line(self, request: PolishRequest) -> bytes:
        self.requests.append(request)
        lines = [PROTOCOL.event_line(each).decode().strip() for each in (SPENT, *self.messages)]
        return json.dumps([str(self.gate), self.code, lines]).encode() + b"\n"

    def go_on(self) -> None:
        self.gate.touch()


@pytest.fixture
def desk(qapp, tmp_path: Path, monkeypatch):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    (tmp_path / "config" / "adstudio").mkdir(parents=True)
    write_connections([SavedConnection("house", "vllm", "tiny-1", "http://127.0.0.1:8000/v1")])
    with desk_on(tmp_path, script()) as made:
        made.session.project.set_policy(HOUSE)
        yield made


@pytest.fixture
def opened() -> list[str]:
    return []


@pytest.fixture
def panel(desk, qtbot, opened):
    made = PolishPanel(desk, opened.append)
    qtbot.addWidget(made)
    made.resize(1_000, 300)
    made.show()
    qtbot.waitExposed(made)
    made.renew()
    return made


@pytest.fixture
def worker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Scripted:
    return Scripted(tmp_path / "go on", monkeypatch)


@pytest.fixture
def said(desk) -> list[str]:
    heard: list[str] = []
    desk.session.messages.said.connect(heard.append)
    return heard


def polished(panel, worker, qtbot, *, meanwhile: Callable[[], object] = lambda: None) -> None:
    panel.which.setCurrentIndex(1)
    panel.start()
    qtbot.waitUntil(lambda: "tokens" in panel.progress.whole)
    meanwhile()
    worker.go_on()
    qtbot.waitUntil(lambda: not panel._polisher.busy)


def stands(panel) -> list[ProposalState]:
    return [row.state for row in panel.rows.rows]


def text(desk, identity: str) -> str:
    return desk.session.script.eventuality(identity).variants[0].text


def test_what_is_asked_is_what_the_plan_speaks(desk, panel, worker, said, qtbot):
    assert panel.which.itemText(0) == "Platform · 3"
    assert panel.which.itemText(1) == "Whole film · 4"
    assert panel.progress.whole == READY

    def meanwhile() -> None:
        assert panel.progress.whole == "0 of 4 lines · 1 k tokens in · 340 out"
        assert not panel.start_button.isVisible()
        assert panel.stop_button.isVisible()

    polished(panel, worker, qtbot, meanwhile=meanwhile)
    (request,) = worker.requests
    assert request.deliveries == desk.session.plan.deliveries
    assert request.scenes == ()
    assert [person.face for person in request.script.people] == [b""], "a face is nothing for a text"
    assert (request.connection.policy, request.connection.salt) == (HOUSE, desk.session.project.identity)
    assert stands(panel) == [ProposalState.OPEN, ProposalState.OPEN, ProposalState.NONE, ProposalState.OPEN], (
        "in the order of the film"
    )
    assert said[0] == "Polishing 4 lines by house. You can work on meanwhile."
    assert said[-1] == "3 proposals for 4 lines; 1 without a proposal."
    assert panel.progress.whole == "3 open · 1 no proposal"
    assert panel.count == 3
    assert desk.session.script == script(), "nothing changes before the describer says so"


def test_the_scene_in_hand_is_named(desk, panel):
    desk.session.cursor.show_playhead(21_000)
    assert panel.which.itemText(0) == "Office · 1"
    desk.session.cursor.select(Selection(Kind.SCENE, ("s1",)))
    assert panel.which.itemText(0) == "Platform · 3"


def test_one_scene_alone(desk, panel, worker, qtbot):
    panel.which.setCurrentIndex(0)
    panel.start()
    assert worker.requests[0].scenes == ("s1",)
    worker.go_on()
    qtbot.waitUntil(lambda: not panel._polisher.busy)


def test_accepted_it_is_one_step_and_the_next_is_in_hand(desk, panel, worker, said, qtbot):
    polished(panel, worker, qtbot)
    assert panel.table.currentIndex().row() == 0
    before = [(each.element, each.variant) for each in desk.session.plan.deliveries]
    panel.accept()
    assert text(desk, "e1") == "She parks."
    agreed = desk.session.script.eventuality("e1")
    assert (agreed.accepted, agreed.seen, agreed.origin) == (True, True, Origin.MACHINE)
    assert agreed.pin == Pin(variant=0)
    assert stands(panel)[0] is ProposalState.ACCEPTED
    assert panel.table.currentIndex().row() == 1
    assert said[-1] == "Accepted; 2 open."
    assert [(each.element, each.variant) for each in desk.session.plan.deliveries] == before
    assert len(desk.session.edits.document.past) == 1
    panel.accept()
    assert panel.table.currentIndex().row() == 3, "what has no proposal is passed over"
    panel.accept()
    assert said[-1] == f"Accepted. {THROUGH}"
    assert panel.count == 0
    desk.session.undo()
    panel._follow_changes()
    assert text(desk, "e4") == "Opens the drawer."
    assert stands(panel)[3] is ProposalState.OPEN, "undone, it can be accepted again"
    assert said[-1] == "Not accepted any more; 1 open."
    desk.session.undo()
    panel._follow_changes()
    assert said[-1] == "Not accepted any more; 2 open."
    assert panel.table.currentIndex().row() == 1, "what was taken back is in hand"
    desk.session.redo()
    panel._follow_changes()
    assert said[-1] == "Accepted again; 1 open."
    panel.table.setCurrentIndex(panel.rows.index(0, 0))
    panel.accept()
    assert said[-1] == "It is accepted already; undo takes it back."


def test_left_it_stays_and_may_be_opened_again(desk, panel, worker, said, qtbot):
    polished(panel, worker, qtbot)
    panel.leave()
    assert stands(panel)[0] is ProposalState.LEFT
    assert said[-1] == "Left as it is; 2 open."
    assert desk.session.script == script()
    panel.table.setCurrentIndex(panel.rows.index(0, 0))
    assert panel.leave_button.text() == "Open again"
    panel.leave()
    assert stands(panel)[0] is ProposalState.OPEN
    panel.table.setCurrentIndex(panel.rows.index(2, 0))
    panel.accept()
    assert said[-1] == "It is more than one sentence."
    assert not panel.accept_button.isEnabled()


def test_what_changed_meanwhile_is_out_of_date(desk, panel, worker, said, qtbot):
    polished(panel, worker, qtbot)
    desk.session.edits.attempt(lambda each: rewrite(each, "e1", 0, "Parks her scooter."))
    # Not looked at yet: accepting looks for itself.
    panel.table.setCurrentIndex(panel.rows.index(0, 0))
    panel.accept()
    assert said[-1] == "The line was reworded meanwhile."
    assert stands(panel)[0] is ProposalState.STALE
    assert text(desk, "e1") == "Parks her scooter."
    panel.accept()
    assert said[-1] == "The line was reworded meanwhile."
    assert panel.rows.data(panel.rows.index(0, Column.STATE)) == "△ out of date\nThe line was reworded meanwhile."


def test_a_line_reworded_while_the_model_writes_is_out_of_date_when_it_comes(desk, panel, worker, qtbot):
    polished(
        panel, worker, qtbot,
        meanwhile=lambda: desk.session.edits.attempt(lambda each: rewrite(each, "e2", 0, "Takes a package.")),
    )  # fmt: skip
    assert stands(panel) == [ProposalState.OPEN, ProposalState.STALE, ProposalState.NONE, ProposalState.OPEN]


def test_lines_that_are_good_are_not_shown(panel, worker, said, qtbot):
    worker.messages = [ScenePolished("s1", (E1, GOOD)), OVER]
    polished(panel, worker, qtbot)
    assert len(panel.rows.rows) == 1
    assert said[-1] == "1 proposal for 4 lines; 3 good as they are."


def test_its_letters_are_its_own(desk, panel, worker, qtbot, opened):
    heard: list[str] = []
    panel.hear_asked.connect(heard.append)
    polished(panel, worker, qtbot)
    panel.table.setFocus()
    qtbot.keyClick(panel.table, Qt.Key.Key_H)
    assert heard == ["She parks."]
    qtbot.keyClick(panel.table, Qt.Key.Key_A)
    assert text(desk, "e1") == "She parks."
    assert desk.session.cursor.line.id == "e2", "the line in hand here is in hand everywhere"
    qtbot.keyClick(panel.table, Qt.Key.Key_X)
    assert stands(panel)[1] is ProposalState.LEFT
    sought: list[int] = []
    desk.session.cursor.seek_asked.connect(sought.append)
    qtbot.keyClick(panel.table, Qt.Key.Key_Return)
    assert sought == [33_550]


@pytest.mark.parametrize("filled", [True, False])
@pytest.mark.parametrize("key", [Qt.Key.Key_A, Qt.Key.Key_X, Qt.Key.Key_H])
def test_the_table_takes_its_letters_before_the_actions_that_have_them_elsewhere(panel, worker, qtbot, key, filled):
    """Even without a row: A there must not accept the line that is selected in the script."""
    from PySide6.QtCore import QEvent
    from PySide6.QtGui import QKeyEvent

    if filled:
        polished(panel, worker, qtbot)
    event = QKeyEvent(QEvent.Type.ShortcutOverride, key, Qt.KeyboardModifier.NoModifier)
    event.ignore()
    panel.table.event(event)
    assert event.isAccepted()
    other = QKeyEvent(QEvent.Type.ShortcutOverride, key, Qt.KeyboardModifier.ControlModifier)
    other.ignore()
    panel.table.event(other)
    assert not other.isAccepted()


def test_every_row_is_heard_whole(panel, worker, qtbot):
    polished(panel, worker, qtbot)
    table = QAccessible.queryAccessibleInterface(panel.table)
    assert table.text(QAccessible.Text.Name) == "Polished lines"
    assert panel.rows.data(panel.rows.index(1, Column.TEXT), Qt.ItemDataRole.AccessibleTextRole) == (
        "00:00:04:18, now: Takes package. Polished: She takes a red package. 1.5 of 3.3 s, open: It says more than the"
        " line did: red, big, new."
    )
    assert panel.rows.data(panel.rows.index(2, 0), Qt.ItemDataRole.AccessibleTextRole) == (
        "00:00:12:14, Rises from seat. no proposal: It is more than one sentence."
    )
    for widget in (panel.model, panel.which, panel.accept_button, panel.progress, panel.bar):
        assert QAccessible.queryAccessibleInterface(widget).text(QAccessible.Text.Name)


def test_stopped_what_came_stays(panel, worker, said, qtbot):
    worker.messages = [ScenePolished("s1", (E1,)), OVER]
    panel.which.setCurrentIndex(1)
    panel.start()
    qtbot.waitUntil(lambda: "tokens" in panel.progress.whole)
    panel.stop_button.click()
    assert panel.progress.whole == "Stopping…"
    qtbot.waitUntil(lambda: not panel._polisher.busy)
    assert said[-1] == STOPPED


def test_another_policy_stops_it(desk, panel, worker, said, qtbot):
    panel.which.setCurrentIndex(1)
    panel.start()
    qtbot.waitUntil(lambda: "tokens" in panel.progress.whole)
    desk.session.project.set_policy(Policy())
    panel.renew()
    assert STOPPED_FOR_POLICY in said
    qtbot.waitUntil(lambda: not panel._polisher.busy)


@pytest.mark.parametrize(
    ("messages", "code", "sentence"),
    [
        ([Failed("the server is down: start it")], 3, "The server is down: start it."),
        ([], 1, CRASHED),
        ([ScenePolished("s1", (E1, *LOST), REFUSED), PolishFinished(1, REFUSED, False, 1, Usage())], 0,
         "1 proposal for 2 lines; 1 good as it is. 2 lines could not be asked for: the key was refused."),
    ],
)  # fmt: skip
def test_what_goes_wrong_is_said(panel, worker, said, qtbot, messages, code, sentence):
    worker.messages, worker.code = messages, code
    polished(panel, worker, qtbot)
    assert said[-1] == sentence


def test_what_keeps_a_model_from_being_asked_is_said_with_a_way_out(desk, panel, said, opened):
    desk.session.project.set_policy(Policy())
    panel.renew()
    assert panel.progress.whole == "This project is offline: nothing of the film leaves this machine."
    assert not panel.progress.property("warning"), "that is how it should be, and no fault"
    assert not panel.start_button.isEnabled()
    panel.out_button.click()
    assert opened == ["policy"]
    panel.start()
    assert said[-1] == panel.progress.whole
    desk.session.project.set_policy(Policy("on premises", (Host("other", 1),)))
    panel.renew()
    assert "127.0.0.1:8000" in panel.progress.whole
    write_connections([])
    panel.renew()
    panel.out_button.click()
    assert opened == ["policy", "connections"]


@pytest.fixture
def limited(desk, tmp_path, monkeypatch):
    """All models cost something, the film may cost two tenths of a cent, and nothing was asked before."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    priced = Capabilities(known=True, images=4, usd_in=1.0, usd_out=1.0)
    monkeypatch.setattr(SavedConnection, "capabilities", property(lambda _self: priced))
    desk.preferences.store(limit_key(desk.session.project.identity), "0.002")


def cost(desk, micro_usd: int) -> None:
    """The film has cost so much."""
    with JobStore(default_place()) as jobs:
        jobs.announce("key", name_of_film(desk.session.script), "s1", "describe 1")
        jobs.claim("key")
        jobs.finish("key", JobState.DONE, text="x", usage=Usage(1, 0, 1, 0, micro_usd))


def test_what_the_film_may_cost_is_told_to_whoever_polishes_it(desk, limited, panel, worker, qtbot):
    polished(panel, worker, qtbot)
    (request,) = worker.requests
    assert request.options.most_micro_usd == 2_000


def test_a_film_that_has_cost_what_it_may_is_not_polished_and_the_way_leads_to_the_limit(
    desk, limited, panel, worker, said, qtbot
):
    asked: list[bool] = []
    panel.limit_asked.connect(lambda: asked.append(True))
    cost(desk, 3_000)
    panel.start()
    text = "The film has cost $0.003 of the $0.002 that it may: raise the limit to go on."
    assert (said[-1], panel.progress.whole, worker.requests) == (text, text, [])
    assert not panel.start_button.isEnabled()
    assert panel.out_button.text() == "Limit…"
    panel.out_button.click()
    assert asked == [True]
    desk.preferences.store(limit_key(desk.session.project.identity), "0.01")
    assert panel.start_button.isEnabled()
    assert panel.progress.whole == READY
    polished(panel, worker, qtbot)
    assert worker.requests[0].options.most_micro_usd == 10_000


def test_a_run_that_comes_to_the_limit_leads_to_it_in_the_end(desk, limited, panel, worker, qtbot):
    polished(panel, worker, qtbot, meanwhile=lambda: cost(desk, 2_000))
    assert panel.out_button.isVisible()
    assert panel.out_button.text() == "Limit…"


def test_what_costs_nothing_is_polished_whatever_the_limit(desk, limited, panel, worker, qtbot, monkeypatch):
    free = Capabilities(known=True, images=4, usd_in=0.0, usd_out=0.0)
    monkeypatch.setattr(SavedConnection, "capabilities", property(lambda _self: free))
    cost(desk, 3_000)
    polished(panel, worker, qtbot)
    assert worker.requests[0].options.most_micro_usd is None


def test_with_nothing_to_polish_that_is_said(desk, panel, said):
    for each in script().eventualities:
        desk.session.edits.attempt(lambda now, each=each: rewrite(now, each.id, 0, f"{each.variants[0].text} Now."))
    panel.renew()
    assert panel.progress.whole == NOTHING_LEFT
    panel.start()
    assert said[-1] == NOTHING_LEFT


def test_another_project_starts_empty(desk, panel, worker, qtbot, tmp_path):
    from adstudio.store.project import ProjectFile

    polished(panel, worker, qtbot)
    other = script()
    other = replace(other, film=replace(other.film, title="Other"))
    desk.session.open_project(ProjectFile.create(tmp_path / "other.adproj", other))
    assert panel.rows.rows == []
    assert panel.count == 0
    assert panel.which.currentIndex() == 0, "the whole film was chosen in the last one"


def test_a_row_has_room_for_two_lines_in_any_font(panel):
    table: ProposalTable = panel.table
    font = table.font()
    font.setPointSize(font.pointSize() + 8)
    table.setFont(font)
    assert table.verticalHeader().defaultSectionSize() >= 2 * table.fontMetrics().lineSpacing()


def passages_now(desk) -> list[list[str]]:
    """The lines of each passage that a model would be asked for."""
    found = passages(desk.session.script, desk.session.gaps, desk.session.plan)
    return [[delivery.element for delivery in each.deliveries.values()] for each in found]


def test_a_line_that_would_be_lost_is_held_in_the_same_step(qapp, qtbot, tmp_path, monkeypatch):
    """One gap of 6 s, a pause of 0.9 s: a (3 s) and b (1.8 s) are spoken; with a at 0.9 s, c (3.6 s) would be for b."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    words = ["One", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve."]
    film = replace(
        script(),
        scenes=(Scene("s1", Span(0, 40_000)),),
        cues=(Cue("c1", 0, 10_000, "So."), Cue("c2", 16_000, 40_000, "Then.")),
        eventualities=(
            line("a", 12_000, f"{' '.join(words[:10])}.", "s1", 0.5),
            line("b", 12_000, f"{' '.join(words[:6])}.", "s1", 0.5),
            line("c", 12_000, " ".join(words), "s1", 0.4),
        ),
    )
    with desk_on(tmp_path, film.with_changes(settings=Settings(min_pause=900))) as desk:
        panel = PolishPanel(desk, lambda _page: None)
        qtbot.addWidget(panel)
        before = desk.session.plan.by_element
        assert list(before) == ["a", "b"]
        shorter = Polished(
            "a", 0, "One two three.", film.eventualities[0].variants[0].text, before["a"].span, 3_000, 900
        )
        panel.rows.add([shorter], panel._session.script.film)
        panel._compare()
        panel.table.setCurrentIndex(panel.rows.index(0, 0))
        panel.accept()
        assert set(desk.session.plan.by_element) >= {"a", "b"}
        assert desk.session.script.eventuality("b").pin == Pin(selected=True, variant=0)
        assert len(desk.session.edits.document.past) == 1
        # Nobody has chosen b's wording: it may still be polished, until the describer holds something of it.
        assert lines_to_polish(desk.session, None) == 1
        assert "b" in {p for each in passages_now(desk) for p in each}
        desk.session.edits.attempt(lambda script: pin_start(script, "b", desk.session.plan.by_element["b"].start))
        assert lines_to_polish(desk.session, None) == 0
        assert desk.session.script.eventuality("b").provenance == UNKNOWN_PROVENANCE
        desk.session.undo()
        desk.session.undo()
        assert desk.session.script.eventuality("b").pin == Pin()
        assert list(desk.session.plan.by_element) == ["a", "b"]
