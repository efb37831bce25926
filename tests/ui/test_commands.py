"""The commands: each is one step with a name, acts on what is selected, and is off where it cannot be done."""

from __future__ import annotations

from pathlib import Path

import pytest
from desks import desk_on, small_script
from PySide6.QtWidgets import QWidget

from adstudio.core.script import Origin, Pin
from adstudio.core.settings import Scope
from adstudio.core.steps import Remove, Several
from adstudio.core.timebase import Span
from adstudio.editing.labels import label_of
from adstudio.editing.pins import pin_out, pin_variant
from adstudio.editing.wordings import rewrite
from adstudio.media.shots import Shots
from adstudio.ui.actions.table import BY_ID
from adstudio.ui.commands.commands import connect_commands
from adstudio.ui.session.context import Context
from adstudio.ui.session.selection import Kind, Selection
from adstudio.ui.timeline.film_loader import FilmLoader
from adstudio.ui.widgets.input_dialog import InputDialog

NEEDS_NO_SELECTION = (
    "line.new",
    "gap.next",
    "gap.previous",
    "gap.mark_in",
    "gap.mark_out",
    "scene.split",
    "play.line_here",
)


@pytest.fixture
def desk(qapp, tmp_path: Path):
    with desk_on(tmp_path) as made:
        window = QWidget()
        films = FilmLoader(made, made.actions.window)
        connect_commands(made, window, films)
        made.session.cursor.seek_asked.connect(made.session.cursor.show_playhead)
        made.session.cursor.selection_changed.connect(made.actions.refresh)
        made.session.current_plan.changed.connect(lambda _: made.actions.refresh())
        made.actions.connect("line.edit", lambda: None)
        made.actions.refresh()
        yield made
        window.deleteLater()


def do(desk: Context, name: str) -> None:
    """Trigger an action as a menu or a key does."""
    assert desk.actions[name].isEnabled(), f"{name} is off"
    desk.actions[name].trigger()


def line(desk: Context, identity: str, *more: str) -> None:
    desk.session.cursor.select(Selection(Kind.LINE, (identity, *more)))


def last_label(desk: Context) -> str:
    document = desk.session.edits.document
    assert len(document.past) == 1
    return label_of(document.past[-1], document.script)


@pytest.mark.parametrize(
    ("name", "pin"),
    [
        ("line.keep_in", Pin(selected=True)),
        ("line.keep_out", Pin(selected=False)),
        ("line.pin_wording", Pin(variant=0)),
        ("line.pin_start", Pin(selected=True, start=14_000)),
        ("line.wording_next", Pin(variant=0)),  # c has one wording only
    ],
)
def test_a_hold_is_one_step_and_free_takes_it_off(desk: Context, name: str, pin: Pin):
    line(desk, "c")
    do(desk, name)
    held = desk.session.script.eventuality("c").pin
    assert (held.variant, held.start) == (pin.variant, pin.start)
    assert held.selected in (pin.selected, None)  # a start implies selected
    assert last_label(desk)
    do(desk, "line.free")
    assert not desk.session.script.eventuality("c").pin.held
    assert desk.session.undo()
    assert desk.session.undo()
    assert desk.session.script == small_script()


def test_pin_wording_and_time_let_go_when_asked_again(desk: Context):
    line(desk, "c")
    for name in ("line.pin_wording", "line.pin_start"):
        do(desk, name)
        do(desk, name)
        pin = desk.session.script.eventuality("c").pin
        assert (pin.variant, pin.start) == (None, None)


def test_a_held_wording_of_a_line_left_out_is_let_go(desk: Context):
    desk.session.edits.do(pin_variant(desk.session.script, "a", 1))
    desk.session.edits.do(pin_out(desk.session.script, ("a",)))
    desk.session.cursor.select_line("a")
    do(desk, "line.pin_wording")
    assert desk.session.script.eventuality("a").pin == Pin(selected=False)


def test_speak_at_the_playhead(desk: Context):
    line(desk, "d")
    desk.session.cursor.show_playhead(23_500)
    do(desk, "line.start_here")
    assert desk.session.plan.by_element["d"].start == 23_500


def test_override_lifts_the_gap_in_one_step(desk: Context):
    line(desk, "c")
    desk.session.cursor.show_playhead(12_000)
    do(desk, "line.start_here")  # inside Anna's line: it cannot hold
    assert desk.session.current_plan.outcome.suspended
    do(desk, "line.override")
    assert not desk.session.current_plan.outcome.suspended
    assert desk.session.plan.by_element["c"].span == Span(12_000, 15_000)
    desk.session.undo()
    desk.session.undo()
    do(desk, "line.override")
    assert len(desk.session.edits.document.past) == 1
    pin = desk.session.script.eventuality("c").pin
    assert (pin.override, pin.start) == (True, 14_000)


def test_salience_goes_up_and_down_as_one_bout(desk: Context):
    line(desk, "b")
    for _ in range(3):
        do(desk, "line.salience_up")
    do(desk, "line.salience_down")
    assert desk.session.script.eventuality("b").salience == 600_000
    assert len(desk.session.edits.document.past) == 1


def test_wordings_step_through_the_shorter_and_the_longer(desk: Context):
    line(desk, "a")
    do(desk, "line.wording_next")
    assert desk.session.plan.by_element["a"].variant == 1
    do(desk, "line.wording_previous")
    assert desk.session.plan.by_element["a"].variant == 0


def test_accepting_goes_to_the_next_line_to_accept(desk: Context):
    line(desk, "a")
    do(desk, "line.accept_next")
    assert desk.session.script.eventuality("a").accepted
    assert desk.session.cursor.selection.ids == ("b",)
    assert desk.session.cursor.playhead == desk.session.plan.by_element["b"].start


def test_after_the_last_line_accepting_goes_on_from_the_top_until_all_are_accepted(desk: Context):
    spoken = [delivery.line for delivery in desk.session.plan.deliveries]
    said: list[str] = []
    desk.session.messages.said.connect(said.append)
    line(desk, spoken[-1])
    do(desk, "line.accept_next")
    assert desk.session.cursor.selection.ids == (spoken[0],)
    assert said[-1] == f"From the top again: {len(spoken) - 1} spoken lines still to accept."
    for _ in spoken[1:]:
        do(desk, "line.accept_next")
    assert all(desk.session.script.eventuality(each).accepted for each in spoken)
    assert said[-1] == "All spoken lines are accepted."


def test_a_new_line_is_the_describers_and_spoken_at_once(desk: Context):
    desk.session.cursor.show_playhead(15_000)
    do(desk, "line.new")
    (made,) = desk.session.cursor.selection.ids
    new = desk.session.script.eventuality(made)
    assert new.origin is Origin.HUMAN
    assert new.occurrence is not None
    assert new.occurrence.start <= 15_000 <= new.occurrence.end
    assert made in desk.session.plan.by_element
    assert len(desk.session.edits.document.past) == 1


def test_split_asks_where_and_makes_two(desk: Context, monkeypatch):
    line(desk, "c")
    monkeypatch.setattr(InputDialog, "ask_item", lambda *_, **__: ("c in  |  3000 ms", True))
    do(desk, "line.split")
    texts = [each.variants[0].text for each in desk.session.script.eventualities]
    assert texts[2:4] == ["c in", "3000 ms"]
    desk.session.undo()
    monkeypatch.setattr(InputDialog, "ask_item", lambda *_, **__: ("", False))
    do(desk, "line.split")
    assert desk.session.script == small_script()


def test_split_proposes_a_likely_place_and_says_what_went_with_it(desk: Context, monkeypatch):
    said: list[str] = []
    desk.session.messages.said.connect(said.append)
    proposed: list[str] = []

    def ask(_parent, _title, _label, shown, now, **_):
        proposed.append(shown[now])
        return shown[now], True

    monkeypatch.setattr(InputDialog, "ask_item", ask)
    # d has two wordings, and the other one has no clause that ends where the first one's does.
    desk.session.edits.do(rewrite(desk.session.script, "d", 0, "It rains on them, then Tom goes."))
    line(desk, "d")
    do(desk, "line.split")
    assert proposed == ["It rains on them,  |  then Tom goes."]
    assert said[-1] == "One other wording could not be split and was removed; Ctrl+Z brings it back."
    line(desk, "c")
    do(desk, "line.split")
    assert len(said) == 1, "all that is to be said of it is said of the act"


def test_merging_says_which_wordings_went(desk: Context):
    said: list[str] = []
    desk.session.messages.said.connect(said.append)
    line(desk, "b", "c")  # two wordings, and one
    do(desk, "line.merge")
    merged = desk.session.script.eventuality("b").variants
    assert [each.text for each in merged] == ["b in 6000 ms c in 3000 ms"]
    assert said[-1] == "One other wording had no counterpart and was removed; Ctrl+Z brings it back."


def test_one_breath_says_with_whom_or_why_not(desk: Context):
    said: list[str] = []
    desk.session.messages.said.connect(said.append)
    # a is said from 0 to 6 s, b from 6 to 10 s; c stands behind dialogue.
    line(desk, "b")
    do(desk, "line.join")
    assert said == ["Spoken together with “a in 6000 ms”."]
    do(desk, "line.join")
    assert said[1:] == ["Unlinked: exported as a cue of its own."]
    line(desk, "c")
    do(desk, "line.join")
    assert said[2:] == ["Linked with previous, but not spoken together: they are not in the same gap."]
    line(desk, "a")
    do(desk, "line.join")
    assert said[3:] == ["There is no previous line to link with."]
    line(desk, "a", "b", "c")
    do(desk, "line.join")
    assert said[4] == "Linked with previous, but not spoken together: they are not in the same gap."


def test_merge_takes_neighbours_only(desk: Context):
    said: list[str] = []
    desk.session.messages.said.connect(said.append)
    line(desk, "a", "c")
    do(desk, "line.merge")
    assert len(said) == 1
    line(desk, "a", "b")
    do(desk, "line.merge")
    assert len(desk.session.script.eventualities) == 4
    assert desk.session.script.eventualities[0].occurrence == Span(0, 8_000)


def test_order_occurrence_and_not_before(desk: Context):
    line(desk, "b")
    do(desk, "line.up")
    assert [e.id for e in desk.session.script.eventualities][:2] == ["b", "a"]
    do(desk, "line.down")
    desk.session.cursor.show_playhead(5_000)
    do(desk, "line.happens_from")
    desk.session.cursor.show_playhead(7_000)
    do(desk, "line.happens_to")
    assert desk.session.script.eventuality("b").occurrence == Span(5_000, 7_000)
    do(desk, "line.not_before")
    assert desk.session.plan.by_element["b"].start >= 5_000
    assert desk.actions["line.not_before"].isChecked()
    do(desk, "line.not_before")
    assert desk.session.script.eventuality("b").within is None


def test_i_and_o_mark_a_region_where_no_line_is_selected(desk: Context):
    session = desk.session
    before = session.script
    session.cursor.show_playhead(1_000)
    do(desk, "line.happens_from")
    session.cursor.show_playhead(3_000)
    do(desk, "line.happens_to")
    assert session.cursor.marks == (1_000, 3_000)
    assert session.script is before
    line(desk, "a")
    do(desk, "line.happens_to")
    assert session.script.eventuality("a").occurrence == Span(0, 3_000)
    assert session.cursor.marks == (1_000, 3_000)


@pytest.mark.parametrize(
    ("playhead", "identity", "said"),
    [
        (15_000, "c", []),
        (29_920, "e", ["No line is spoken at 00:00:29:23; the nearest is 0.9 s earlier."]),
        (13_000, "c", ["No line is spoken at 00:00:13:00; the nearest is 1.0 s later."]),
    ],
)
def test_the_line_at_the_playhead_is_gone_to_else_the_nearest(desk: Context, playhead: int, identity: str, said: list):
    """By hand: `c` has its gap from 14 s, its three seconds begin there; `e` ends at 29 s as its window allows."""
    told: list[str] = []
    desk.session.messages.said.connect(told.append)
    desk.session.cursor.show_playhead(playhead)
    do(desk, "play.line_here")
    assert desk.session.cursor.selection.current == identity
    assert told == said


def test_silence_and_opening_between_the_marks(desk: Context):
    session = desk.session
    session.cursor.show_playhead(1_000)
    do(desk, "gap.mark_in")
    session.cursor.show_playhead(3_000)
    do(desk, "gap.mark_out")
    do(desk, "gap.silence")
    assert [s.span for s in session.script.silences] == [Span(1_000, 3_000)]
    assert session.cursor.selection.kind is Kind.SILENCE
    assert session.cursor.marks == (None, None)
    do(desk, "edit.delete")
    assert session.script.silences == ()
    session.cursor.mark(9_000, 12_000)
    desk.actions.refresh()
    do(desk, "gap.opening")
    assert session.gaps[0] == Span(0, 12_000)


def test_marks_that_would_be_backwards_start_anew(desk: Context):
    session = desk.session
    session.cursor.show_playhead(3_000)
    do(desk, "gap.mark_in")
    session.cursor.show_playhead(1_000)
    do(desk, "gap.mark_out")
    assert session.cursor.marks == (None, 1_000)
    session.cursor.show_playhead(2_000)
    do(desk, "gap.mark_in")
    assert session.cursor.marks == (2_000, None)


def test_gap_edges_and_the_way_from_gap_to_gap(desk: Context):
    session = desk.session
    session.cursor.show_playhead(2_000)
    do(desk, "gap.start_here")
    assert session.gaps[0] == Span(2_000, 10_000)
    do(desk, "gap.next")
    assert (session.cursor.playhead, session.cursor.selection.gap) == (14_000, Span(14_000, 18_000))
    do(desk, "gap.next")
    do(desk, "gap.next")  # there is none
    assert session.cursor.playhead == 22_000
    do(desk, "gap.previous")
    assert session.cursor.playhead == 14_000


def test_accepting_and_reviewing_again_takes_what_has_changed(desk: Context):
    session = desk.session
    session.cursor.select_line("b")
    do(desk, "scene.reviewed")
    do(desk, "line.accept")
    session.edits.attempt(lambda script: pin_out(script, ("a",)))
    assert {each.line for each in session.current_plan.departures} == {"b"}, "a is out as somebody wants it"
    desk.actions.refresh()
    assert not desk.actions["scene.reviewed"].isChecked()
    do(desk, "line.accept")
    assert (session.script.eventuality("b").accepted, session.current_plan.departures) == (True, ())
    session.undo()
    do(desk, "scene.reviewed")
    assert session.script.scenes[0].reviewed
    assert session.current_plan.departures == ()
    assert desk.actions["scene.reviewed"].isChecked()
    do(desk, "line.accept")
    assert not session.script.eventuality("b").accepted
    do(desk, "scene.reviewed")
    assert not session.script.scenes[0].reviewed


def test_scenes_split_merge_review_and_planning_alone(desk: Context, monkeypatch):
    session = desk.session
    session.cursor.show_playhead(8_000)
    do(desk, "scene.split")
    assert [s.span.start for s in session.script.scenes] == [0, 8_000, 16_000]
    do(desk, "scene.merge")  # the one that begins at 8 s, with the next
    assert [s.span.start for s in session.script.scenes] == [0, 8_000]
    do(desk, "scene.reviewed")
    assert desk.actions["scene.reviewed"].isChecked()
    said: list[str] = []
    session.messages.said.connect(said.append)
    do(desk, "scene.next")
    assert session.cursor.playhead == 0
    assert said == ["To review: scene 1 of 2 “Inside”."]
    monkeypatch.setattr(InputDialog, "ask_text", lambda *_, **__: ("Kitchen", True))
    do(desk, "scene.rename")
    assert session.script.scenes[0].title == "Kitchen"
    do(desk, "scene.alone")
    assert session.script.settings.scope is Scope.SCENE


def test_rules_of_the_selected_lines(desk: Context, monkeypatch):
    session = desk.session
    line(desk, "a", "b")
    do(desk, "rule.alternatives")
    assert session.script.rules.alternatives == (("a", "b"),)
    do(desk, "rule.remove")
    assert not session.script.rules
    do(desk, "rule.requires")
    assert session.script.rules.requires == (("a", "b"),)
    do(desk, "rule.remove")
    do(desk, "rule.together")
    assert session.script.rules.together == (("a", "b"),)
    do(desk, "rule.remove")
    proposed: list[float] = []

    def answer(*arguments: object, **_: object) -> tuple[float, bool]:
        proposed.append(float(str(arguments[3])))
        return 1.5, True

    monkeypatch.setattr(InputDialog, "ask_number", answer)
    do(desk, "rule.penalty")
    assert proposed == [2.0]  # b in short: 0.5 a second for four seconds
    assert [p.cost for p in session.script.rules.penalties] == [1_500_000]


def test_keeping_lines_as_they_are_pins_all_of_it(desk: Context):
    line(desk, "a", "d")
    do(desk, "plan.keep")
    plan = desk.session.plan
    for name in ("a", "d"):
        delivery = plan.by_element[name]
        assert desk.session.script.eventuality(name).pin == Pin(True, delivery.variant, delivery.start)
    assert len(desk.session.edits.document.past) == 1


def test_delete_is_off_for_what_cannot_be_deleted(desk: Context):
    desk.session.cursor.select(Selection(Kind.GAP, gap=desk.session.gaps[0]))
    assert not desk.actions["edit.delete"].isEnabled()
    desk.session.cursor.select(Selection(Kind.CUE, ("c1",)))
    assert not desk.actions["edit.delete"].isEnabled()


def test_line_actions_are_off_without_a_line_and_everything_without_a_project(desk: Context):
    connected = [name for name in BY_ID if name not in desk.actions.unconnected]
    desk.session.cursor.select(Selection())
    for name in (name for name in connected if name.startswith(("line.", "rule."))):
        assert desk.actions[name].isEnabled() == (
            name in ("line.new", "line.edit", "line.happens_from", "line.happens_to")
        ), name
    desk.session.close_project()
    desk.actions.refresh()
    for name in connected:
        assert not desk.actions[name].isEnabled() or name == "line.edit", name


def test_line_to_line_along_the_film(desk: Context):
    session = desk.session
    order = [d.element for d in session.plan.deliveries]
    session.cursor.show_playhead(0)
    do(desk, "play.line_next")
    first = session.cursor.selection.ids[0]
    assert first in order
    do(desk, "play.line_next")
    assert order.index(session.cursor.selection.ids[0]) == order.index(first) + 1
    do(desk, "play.line_previous")
    assert session.cursor.selection.ids == (first,)


def test_scenes_are_made_from_shots_where_there_are_none(desk: Context, monkeypatch):
    session, said = desk.session, []
    session.messages.said.connect(said.append)
    assert not desk.actions["scene.from_shots"].isEnabled()
    session.edits.attempt(lambda script: Several("No scenes", tuple(Remove(each) for each in reversed(script.scenes))))
    do(desk, "scene.from_shots")
    assert "still being detected" in said[-1]
    loader = desk.actions.window.findChild(FilmLoader)
    loader.data.shots = Shots((0, 4_000, 12_000, 13_000, 30_000))
    monkeypatch.setattr(InputDialog, "ask_number", lambda *_, **__: (5.0, True))
    do(desk, "scene.from_shots")
    assert [scene.span for scene in session.script.scenes] == [Span(0, 12_000), Span(12_000, 30_000)]
    assert len(session.edits.document.past) == 2


def test_scenes_are_gathered_into_sequences_and_taken_out(desk: Context, monkeypatch):
    session = desk.session
    session.cursor.select(Selection(Kind.SCENE, ("s1", "s2")))
    answers = iter(["The office", "The office", "(none)", ""])
    monkeypatch.setattr(InputDialog, "ask_item", lambda *_, **__: (next(answers), True))
    do(desk, "scene.sequence")
    (sequence,) = session.script.sequences
    assert sequence.title == "The office"
    assert {scene.sequence for scene in session.script.scenes} == {sequence.id}
    steps = len(session.edits.document.past)
    do(desk, "scene.sequence")  # they are in it already
    assert len(session.edits.document.past) == steps
    session.cursor.select(Selection(Kind.SCENE, ("s2",)))
    do(desk, "scene.sequence")
    assert [scene.sequence for scene in session.script.scenes] == [sequence.id, None]
    do(desk, "scene.sequence")
    assert len(session.edits.document.past) == steps + 1


def test_why_a_line_is_in_or_out_is_said_in_full(desk: Context) -> None:
    said: list[str] = []
    desk.session.messages.said.connect(said.append)
    line(desk, "b")
    do(desk, "ask.why")
    do(desk, "ask.why")
    assert said[0] == "Spoken: Without it, its 4.0 s would stay silent."
    assert said[1].startswith(f"{said[0]} One more second of its gap would bring ")
    assert not desk.session.edits.document.past
