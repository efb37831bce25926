"""A script in a new cut: all that has a time follows, what cannot is reported and stays, and one undo takes it back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

from conform_scripts import cut_of
from hypothesis import given
from hypothesis import strategies as st

from adstudio.conform.conforming import NEW_SCENE, UNSURE, Conformed, conformed
from adstudio.conform.report import LineFate, Loss
from adstudio.conform.time_map import Piece, TimeMap, time_map
from adstudio.core.document import Document
from adstudio.core.film import Film
from adstudio.core.narration import Take
from adstudio.core.script import (
    Approval,
    Cue,
    Eventuality,
    Opening,
    Penalty,
    Pin,
    Rules,
    Scene,
    Script,
    Silence,
    Variant,
)
from adstudio.core.script import (
    Sequence as FilmSequence,
)
from adstudio.core.timebase import Span
from adstudio.editing.change import MAX_CHARACTERS, collection_steps
from adstudio.editing.ids import Ids
from adstudio.gaps.gaps import gaps_of
from adstudio.planning.film.film_plan import plan_film

END = 100_000
TAKE = Take("t1", "a" * 64, 2000, "Rain.")


def line(name: str, start: int, length: int = 2000, **fields: object) -> Eventuality:
    found = Eventuality(name, (Variant(f"Line {name} is spoken."),), Span(start, start + length), 500_000)
    return replace(found, **fields)


def film_of(*lines: Eventuality, **fields: object) -> Script:
    script = Script(
        Film("Film", END),
        sequences=(FilmSequence("q1", "One"),),
        scenes=(
            Scene("s1", Span(0, 30_000), "Yard", "q1", reviewed=True),
            Scene("s2", Span(30_000, 50_000), "Hall", reviewed=True),
            Scene("s3", Span(50_000, END), "Street"),
        ),
        cues=(
            Cue("c1", 12_000, 14_000, "Who is there?", "ANNA"),
            Cue("c2", 35_000, 37_000, "It is only me."),
            Cue("c3", 70_000, 72_000, "Come in, then."),
        ),
        silences=(Silence("x1", Span(40_000, 42_000), "music"), Silence("x2", Span(80_000, 82_000))),
        openings=(Opening("o1", Span(70_500, 71_000)),),
        eventualities=lines,
    )
    return replace(script, **fields)


def conform(script: Script, cut: TimeMap, cues: Sequence[Cue] | None = None) -> tuple[Script, Conformed]:
    """The script in the new cut; the step is done, undone, done again and undone as any other."""
    film = replace(script.film, end=cut.new_end)
    done = conformed(script, cut, film, cues, Ids(script))
    assert done.step is not None
    document = Document(script)
    document.apply(done.step)
    after = document.script
    for _ in range(2):
        assert document.undo()
        assert document.script == script
        assert document.redo()
        assert document.script == after
    assert {each.id for each in after.eventualities} == {each.id for each in script.eventualities}
    assert {each.line.id for each in done.report.lines} == {each.id for each in script.eventualities}
    return after, done


CUT_OUT = cut_of(END, (0, 30_000), (50_000, END))
MOVED = cut_of(END, (0, 20_000), (30_000, 90_000), (20_000, 30_000), (90_000, END))


def test_lines_before_a_scene_that_was_cut_out_stay_and_those_behind_it_follow():
    after, done = conform(film_of(line("e1", 5000), line("e2", 60_000)), CUT_OUT)
    assert [each.occurrence for each in after.eventualities] == [Span(5000, 7000), Span(40_000, 42_000)]
    assert [each.fate for each in done.report.lines] == [LineFate.SAME, LineFate.SHIFTED]
    assert not done.report.attention


def test_a_line_whose_film_is_gone_stays_without_a_place_and_is_not_spoken():
    gone = line(
        "e2",
        33_000,
        note="Ask Tom",
        scene="s2",
        accepted=True,
        approval=Approval(0, 33_500, 1500),
        pin=Pin(selected=True, variant=0, start=33_400),
        within=Span(31_000, 40_000),
        variants=(Variant("Rain.", takes=(TAKE,), take="t1"),),
    )
    after, done = conform(film_of(line("e1", 5000), gone, line("e3", 60_000)), CUT_OUT)
    found = after.eventuality("e2")
    assert (found.occurrence, found.within, found.approval) == (None, None, None)
    assert found.pin == Pin(selected=False, variant=0)
    assert found.variants == gone.variants
    assert found.accepted
    assert found.scene is None
    assert found.note == (
        "Ask Tom\nNot in the new cut. In the former one: "
        "action 00:00:33:00–00:00:35:00; locked at 00:00:33:10; locked in."
    )
    assert [each.line.id for each in done.report.of(LineFate.GONE)] == ["e2"]
    assert [each.line.id for each in done.report.attention] == ["e2"]
    spoken = plan_film(after, gaps_of(after).gaps).by_element
    assert set(spoken) == {"e1", "e3"}


def test_a_line_that_is_gone_is_left_alone_by_the_next_cut():
    first, _ = conform(film_of(line("e1", 5000), line("e2", 33_000)), CUT_OUT)
    after, done = conform(first, cut_of(80_000, 7000, (0, 80_000)))
    assert after.eventuality("e2") == first.eventuality("e2")
    assert [each.fate for each in done.report.lines] == [LineFate.SHIFTED, LineFate.UNPLACED]


def test_locks_limits_and_approvals_follow():
    locked = line(
        "e1",
        60_000,
        pin=Pin(selected=True, variant=0, start=61_000, override=True),
        within=Span(55_000, 65_000),
        accepted=True,
        approval=Approval(0, 61_000, 1500),
        variants=(Variant("Rain.", duration=1500, takes=(TAKE,), take="t1"),),
        extended=True,
    )
    after, _ = conform(film_of(locked), CUT_OUT)
    assert after.eventuality("e1") == replace(
        locked,
        occurrence=Span(40_000, 42_000),
        pin=replace(locked.pin, start=41_000),
        within=Span(35_000, 45_000),
        approval=Approval(0, 41_000, 1500),
    )


def test_a_line_placed_by_its_lock_alone_follows_it():
    only_locked = line("e1", 0, occurrence=None, pin=Pin(selected=True, start=61_000, override=True))
    after, done = conform(film_of(only_locked), CUT_OUT)
    assert after.eventuality("e1").pin == replace(only_locked.pin, start=41_000)
    assert done.report.lines[0].fate is LineFate.SHIFTED
    gone = replace(only_locked, pin=Pin(selected=True, start=41_000, override=True))
    after, done = conform(film_of(gone), CUT_OUT)
    assert after.eventuality("e1").pin == Pin(selected=False)
    assert "locked at 00:00:41:00, overlap allowed" in after.eventuality("e1").note


def test_a_lock_in_film_that_was_removed_is_opened_and_reported():
    locked = line("e1", 51_000, pin=Pin(selected=True, start=49_000), within=Span(45_000, 49_500))
    after, done = conform(film_of(locked), CUT_OUT)
    assert after.eventuality("e1").occurrence == Span(31_000, 33_000)
    assert after.eventuality("e1").pin == Pin(selected=True)
    assert after.eventuality("e1").within is None
    assert set(done.report.lines[0].losses) == {Loss.START_LOCK, Loss.LIMITS}
    assert done.report.attention


def test_a_lock_that_was_torn_from_its_action_is_opened_and_reported():
    locked = line("e1", 21_000, pin=Pin(start=31_000))
    after, done = conform(film_of(locked), MOVED)
    assert after.eventuality("e1").pin == Pin()
    assert done.report.lines[0].losses == (Loss.FAR_LOCK,)
    # Over dialogue or far from its action on purpose, it is spoken where it was locked.
    on_purpose = replace(locked, pin=Pin(start=31_000, override=True))
    after, _ = conform(film_of(on_purpose), MOVED)
    assert after.eventuality("e1").pin == Pin(start=21_000, override=True)


def test_an_action_that_was_cut_into_is_reported():
    after, done = conform(film_of(line("e1", 28_500, 3000)), CUT_OUT)
    assert after.eventuality("e1").occurrence == Span(28_500, 30_000)
    assert done.report.lines[0].losses == (Loss.PART_OF_ACTION,)


def test_textual_order_follows_a_scene_that_was_moved():
    lines = [line(f"e{k}", k * 10_000 + 4000) for k in range(10)]
    # One without a time of its own goes with the line before it, one that was out of order stays so.
    lines.insert(3, line("extra", 0, occurrence=None))
    lines[5], lines[6] = lines[6], lines[5]
    after, done = conform(film_of(*lines), MOVED)
    assert [each.id for each in after.eventualities] == [
        *("e0", "e1", "e3", "e5", "e4", "e6", "e7", "e8"),
        *("e2", "extra", "e9"),
    ]
    assert [each.line.id for each in done.report.of(LineFate.MOVED)] == ["e2"]
    assert after.eventuality("e2").occurrence == Span(84_000, 86_000)


def test_scenes_follow_and_those_that_changed_are_to_be_reviewed_again():
    after, done = conform(film_of(line("e1", 31_000, scene="s2")), cut_of(END, 12_400, (0, 35_000), (40_000, END)))
    assert [(each.title, each.span, each.reviewed) for each in after.scenes] == [
        (NEW_SCENE, Span(0, 12_400), False),
        ("Yard", Span(12_400, 42_400), True),
        ("Hall", Span(42_400, 57_400), False),
        ("Street", Span(57_400, 107_400), False),
    ]
    assert after.scenes[1].sequence == "q1"
    assert [each.id for each in done.report.reopened] == ["s2"]
    assert [each.title for each in done.report.added] == [NEW_SCENE]
    assert after.eventuality("e1").scene == "s2"


def test_a_scene_of_which_nothing_is_left_is_reported():
    after, done = conform(film_of(line("e1", 60_000, scene="s3"), line("e2", 31_000, scene="s2")), CUT_OUT)
    assert [each.id for each in after.scenes] == ["s1", "s3"]
    assert [each.id for each in done.report.gone] == ["s2", "x1"]
    assert after.eventuality("e1").scene == "s3"
    assert after.scenes[0].reviewed


def test_scenes_keep_covering_the_film_wherever_a_scene_went():
    after, _ = conform(film_of(), cut_of(END, (0, 30_000), (50_000, 80_000), (30_000, 50_000), (80_000, END)))
    spans = [each.span for each in after.scenes]
    assert spans == sorted(spans)
    assert spans[0].start == 0
    assert spans[-1].end == END
    assert all(one.end <= other.start for one, other in pairwise(spans))
    assert [each.id for each in after.scenes] == ["s1", "s3", "s2", "scene-1"]


def test_silences_and_openings_follow():
    after, _ = conform(film_of(), CUT_OUT)
    assert after.silences == (Silence("x2", Span(60_000, 62_000)),)
    assert after.openings == (Opening("o1", Span(50_500, 51_000)),)


def test_rules_lose_lines_that_are_gone():
    rules = Rules(
        alternatives=(("e1", "e2", "e3"),),
        requires=(("e1", "e2"), ("e3", "e1")),
        together=(("e1", "e2"),),
        penalties=(Penalty("e1", "e2", 5), Penalty("e1", "e3", 6)),
    )
    lines = (line("e1", 5000, pin=Pin(selected=True)), line("e2", 33_000), line("e3", 60_000))
    after, done = conform(film_of(*lines, rules=rules), CUT_OUT)
    assert after.rules == Rules((("e1", "e3"),), (("e3", "e1"),), (), (Penalty("e1", "e3", 6),))
    assert done.report.rules == Rules(
        (("e1", "e2", "e3"),), (("e1", "e2"),), (("e1", "e2"),), (Penalty("e1", "e2", 5),)
    )


def test_the_new_dialogue_is_used_and_cues_keep_what_is_known_of_them():
    new = (
        Cue("n1", 12_000, 14_000, "Who is there?"),
        Cue("n2", 25_000, 26_000, "Quite a new line."),
        Cue("n3", 50_040, 52_000, "Come in then."),
    )
    after, done = conform(film_of(), CUT_OUT, new)
    assert [(each.id, each.start, each.speaker) for each in after.cues] == [
        ("c1", 12_000, "ANNA"),
        ("cue-1", 25_000, None),
        ("c3", 50_040, None),
    ]
    report = done.report.dialogue
    assert (report.shared, report.reworded, report.added, report.removed) == (2, 1, 1, 1)


def test_without_new_dialogue_the_former_one_follows():
    backwards = Cue("c4", 75_000, 74_000, "An error")
    after, _ = conform(film_of(cues=(*film_of().cues, backwards)), CUT_OUT)
    assert [(each.id, each.start, each.end) for each in after.cues] == [
        ("c1", 12_000, 14_000),
        ("c3", 50_000, 52_000),
        ("c4", 55_000, 54_000),
    ]


def test_what_is_unsure_is_marked_for_a_person_to_look_at():
    cut = replace(CUT_OUT, unsure=(Span(58_000, 63_000),))
    lines = (
        line("machine", 60_000, confidence=900),
        line("guess", 60_000, confidence=100),
        line("wild guess", 60_000, confidence=0),
        line("person", 61_000),
        line("sure", 70_000),
    )
    after, done = conform(film_of(*lines), cut)
    assert [each.confidence for each in after.eventualities] == [UNSURE, 100, 0, UNSURE, None]
    # Who set the time by hand does not lose the line to the next draft.
    assert [each.worked for each in after.eventualities] == [False, False, False, True, False]
    assert [each.line.id for each in done.report.attention] == ["machine", "guess", "wild guess", "person"]


def test_another_speed_stretches_all_times():
    cut = cut_of(END, (0, END), ratio=Fraction(24, 25))
    after, done = conform(film_of(line("e1", 50_000, pin=Pin(start=51_000))), cut)
    assert after.eventuality("e1").occurrence == Span(48_000, 49_920)
    assert after.eventuality("e1").pin.start == 48_960
    assert [each.span.end for each in after.scenes] == [28_800, 48_000, 96_000]
    assert after.scenes[0].reviewed
    assert not done.report.attention


def test_where_nothing_changes_there_is_no_step():
    script = film_of(line("e1", 5000))
    assert conformed(script, cut_of(END, (0, END)), script.film, None, Ids(script)).step is None


@st.composite
def cuts(draw: st.DrawFn) -> TimeMap:
    """Any cut: pieces of the film in any order, with film between them, at any usual speed."""
    edges = sorted(draw(st.sets(st.integers(1, 99), max_size=8)))
    spans = [Span(a * 1000, b * 1000) for a, b in zip([0, *edges], [*edges, 100], strict=True)]
    pieces: list[Piece] = []
    at = 0
    ratio = draw(st.sampled_from([Fraction(1), Fraction(24, 25), Fraction(25025, 24000)]))
    for span in draw(st.permutations(spans)):
        if draw(st.booleans()):
            at += draw(st.sampled_from([0, 0, 300, 5000]))
            pieces.append(Piece(span, Span(at, at + round(span.length * ratio))))
            at = pieces[-1].new.end
    return time_map(pieces, END, at + draw(st.sampled_from([1, 7000])), ratio)


@given(cuts(), st.lists(st.tuples(st.integers(0, 97), st.booleans(), st.booleans()), max_size=12))
def test_any_cut_can_be_taken_back_and_loses_no_line(cut: TimeMap, places: list[tuple[int, bool, bool]]):
    lines = [
        line(
            f"e{k}",
            at * 1000,
            scene="s1" if scene else None,
            pin=Pin(start=max(0, at * 1000 - 500)) if locked else Pin(),
        )
        for k, (at, scene, locked) in enumerate(places)
    ]
    after, done = conform(film_of(*lines), cut)
    scenes = {each.id for each in after.scenes}
    for each in after.eventualities:
        assert each.scene is None or each.scene in scenes
        if each.occurrence is not None:
            assert 0 <= each.occurrence.start <= each.occurrence.end <= cut.new_end
    for one, other in pairwise(after.scenes):
        assert one.span.end <= other.span.start
    gone = {each.line.id for each in done.report.of(LineFate.GONE)}
    assert gone == {each.id for each in after.eventualities if each.pin.selected is False}


@given(st.permutations([*range(8)]), st.lists(st.integers(0, 20), unique=True, max_size=12))
def test_any_collection_can_be_turned_into_any_other(before: list[int], after: list[int]):
    def lines(numbers: list[int], shift: int) -> tuple[Eventuality, ...]:
        return tuple(line(f"e{number}", number * 1000 + (shift if number % 3 else 0)) for number in numbers)

    script = film_of(*lines(before, 0))
    now = script
    steps = collection_steps(script.eventualities, lines(after, 70))
    for step in steps:
        now = step.apply(now)
    assert now.eventualities == lines(after, 70)
    for step in reversed(steps):
        now = step.inverse().apply(now)
    assert now == script


def test_only_what_moved_is_moved():
    script = film_of(*(line(f"e{number}", number * 1000) for number in range(20)))
    lines = script.eventualities
    assert len(collection_steps(lines, (*lines[:3], *lines[5:18], *lines[3:5], *lines[18:]))) == 2


def test_a_note_that_is_full_is_left_as_it_is():
    full = line("e1", 33_000, note="x" * MAX_CHARACTERS)
    after, _ = conform(film_of(full), CUT_OUT)
    assert after.eventuality("e1").note == full.note
