"""Takes of a wording: the chosen one's length is the wording's, and other words leave it unused."""

from __future__ import annotations

from dataclasses import replace

import pytest
from editing_scripts import SCRIPT, done

from adstudio.core.narration import MAX_TAKES, LengthSource, VoiceSettings
from adstudio.core.script import Approval, Script
from adstudio.core.steps import Several
from adstudio.editing.change import EditRefused
from adstudio.editing.ids import Ids
from adstudio.editing.labels import label_of
from adstudio.editing.polish import apply_polish
from adstudio.editing.results import result_of
from adstudio.editing.splitting import merge_lines, split_line
from adstudio.editing.takes import (
    NewTake,
    add_take,
    add_takes,
    choose_take,
    remove_take,
    rename_take,
    set_take_level,
    trim_take,
)
from adstudio.editing.wordings import rewrite
from adstudio.gaps.gaps import gaps_of
from adstudio.planning.engines.exact import solve_exact
from adstudio.planning.film.film_problem import film_problem

A, B = "a" * 64, "b" * 64


def with_take(script: Script = SCRIPT, line: str = "e2", length: int = 1500, sound: str = A, **more: int) -> Script:
    return done(add_take(script, NewTake(line, 0, sound, length, **more)), script)


def planned(script: Script, line: str) -> int:
    plan = solve_exact(film_problem(script, gaps_of(script).gaps))
    return next(delivery.end - delivery.start for delivery in plan.deliveries if delivery.element == line)


def test_a_take_that_is_added_is_used_and_its_length_is_planned_at_once() -> None:
    assert planned(SCRIPT, "e2") == 600  # two words at 200 a minute
    script = with_take()
    wording = script.eventuality("e2").variants[0]
    assert script.length(wording) == (1500, LengthSource.TAKE)
    assert planned(script, "e2") == 1500
    trimmed = done(trim_take(script, "e2", 0, "take-1", 200, 1100), script)
    assert planned(trimmed, "e2") == 900


def test_a_take_that_is_not_chosen_changes_no_length() -> None:
    script = done(add_take(SCRIPT, NewTake("e2", 0, A, 1500), choose=False))
    wording = script.eventuality("e2").variants[0]
    assert (len(wording.takes), wording.take, script.duration(wording)) == (1, None, 600)
    chosen = done(choose_take(script, "e2", 0, "take-1"), script)
    assert chosen.duration(chosen.eventuality("e2").variants[0]) == 1500
    left = done(choose_take(chosen, "e2", 0, None), chosen)
    assert left.duration(left.eventuality("e2").variants[0]) == 600


def test_an_accepted_line_whose_take_is_left_has_the_length_of_the_voice() -> None:
    line = replace(with_take().eventuality("e2"), approval=Approval(0, 5000, 1500))
    script = SCRIPT.with_eventuality(1, line).with_changes(voice=VoiceSettings("espeak-ng"))
    named = done(rename_take(script, "e2", 0, "take-1", "calm"), script)
    assert named.eventuality("e2").approval == line.approval
    for left in (choose_take(script, "e2", 0, None), remove_take(script, "e2", 0, "take-1")):
        after = done(left, script)
        assert after.planned_length(after.eventuality("e2"), 0) == (600, LengthSource.RATE)


def test_a_chosen_take_is_in_place_of_a_length_that_was_set_and_locks_its_wording() -> None:
    script = done(add_take(SCRIPT, NewTake("e1", 1, A, 2100)))
    line = script.eventuality("e1")
    assert (line.variants[1].duration, script.duration(line.variants[1]), line.pin.variant) == (None, 2100, 1)
    assert line.worked
    other = done(add_take(script, NewTake("e1", 0, B, 3000)), script)
    assert other.eventuality("e1").pin.variant == 1


def test_the_same_recording_of_the_same_words_is_added_once() -> None:
    script = with_take()
    assert add_take(script, NewTake("e2", 0, A, 1500)) is None
    assert len(with_take(script, sound=B).eventuality("e2").variants[0].takes) == 2


@pytest.mark.parametrize("words", ["Tom waits outside.", "Tom waits!"])
def test_a_take_of_other_words_stays_and_is_not_used_until_it_is_chosen_again(words: str) -> None:
    script = with_take()
    for reworded in (
        done(rewrite(script, "e2", 0, words), script),
        done(apply_polish(script, "e2", 0, words), script),
    ):
        wording = reworded.eventuality("e2").variants[0]
        assert (len(wording.takes), wording.chosen_take) == (1, None)
        assert reworded.length(wording)[1] is LengthSource.RATE
        back = done(rewrite(reworded, "e2", 0, "Tom waits."), reworded)
        assert back.duration(back.eventuality("e2").variants[0]) == 1500
        agreed = done(choose_take(reworded, "e2", 0, "take-1"), reworded)
        assert agreed.duration(agreed.eventuality("e2").variants[0]) == 1500


def test_splitting_and_merging_lose_no_take() -> None:
    script = with_take(with_take(line="e1"), sound=B)
    merged = done(merge_lines(script, ["e1", "e2"]), script)
    takes = merged.eventuality("e1").variants[0].takes
    assert [(take.id, take.sound) for take in takes] == [("take-1", A), ("take-2", B)]
    assert merged.eventuality("e1").variants[0].chosen_take is None
    split = done(split_line(script, Ids(script), "e2", 4), script)
    assert [take.sound for take in split.eventuality("e2").variants[0].takes] == [B]


def test_levels_and_names_are_set_within_limits() -> None:
    script = with_take()
    louder = done(set_take_level(script, "e2", 0, "take-1", -35), script)
    named = done(rename_take(louder, "e2", 0, "take-1", "  calm "), louder)
    (take,) = named.eventuality("e2").variants[0].takes
    assert (take.level, take.name) == (-35, "calm")
    for level in (-241, 241):
        with pytest.raises(EditRefused, match="24 dB"):
            set_take_level(script, "e2", 0, "take-1", level)
    for name in ("x" * 61, "two\nlines"):
        with pytest.raises(EditRefused, match="60 characters"):
            rename_take(script, "e2", 0, "take-1", name)


@pytest.mark.parametrize(("start", "end"), [(1450, None), (0, 99), (700, 700), (900, 100), (1600, None)])
def test_a_tenth_of_a_second_is_left_by_trimming(start: int, end: int | None) -> None:
    with pytest.raises(EditRefused, match=r"0\.1 s"):
        trim_take(with_take(), "e2", 0, "take-1", start, end)


@pytest.mark.parametrize(
    ("start", "end", "found"),
    [(-5, None, (0, None)), (100, 1500, (100, None)), (0, 9000, (0, None)), (5, 105, (5, 105))],
)
def test_trims_stay_within_the_recording(start: int, end: int | None, found: tuple[int, int | None]) -> None:
    script = with_take(start=10, end=1400)
    (take,) = done(trim_take(script, "e2", 0, "take-1", start, end), script).eventuality("e2").variants[0].takes
    assert (take.start, take.end) == found


def test_a_take_is_deleted_and_one_that_is_gone_is_refused() -> None:
    script = with_take(with_take(), sound=B)
    gone = done(remove_take(script, "e2", 0, "take-2"), script)
    wording = gone.eventuality("e2").variants[0]
    assert ([take.id for take in wording.takes], wording.take) == (["take-1"], None)
    for edit in (choose_take, remove_take):
        with pytest.raises(EditRefused, match="no longer exists"):
            edit(gone, "e2", 0, "take-2")
    with pytest.raises(EditRefused, match="no longer exists"):
        add_take(script, NewTake("e2", 3, A, 1500))


def test_there_is_an_end_to_takes_and_none_of_a_line_without_words() -> None:
    script = SCRIPT
    for number in range(MAX_TAKES):
        step = add_take(script, NewTake("e2", 0, f"{number:064x}", 500))
        assert step is not None
        script = step.apply(script)
    with pytest.raises(EditRefused, match=f"at most {MAX_TAKES} takes"):
        add_take(script, NewTake("e2", 0, A, 500))
    empty = replace(SCRIPT.eventuality("e3"), variants=(replace(SCRIPT.eventuality("e3").variants[0], text=" "),))
    with pytest.raises(EditRefused, match="no words yet"):
        add_take(SCRIPT.with_eventuality(2, empty), NewTake("e3", 0, A, 500))


def test_many_takes_are_one_step() -> None:
    step = add_takes(SCRIPT, [NewTake("e2", 0, A, 700), NewTake("e2", 0, B, 800), NewTake("e3", 0, A, 900)])
    script = done(step)
    assert isinstance(step, Several)
    assert label_of(step, SCRIPT) == "Import 3 takes"
    assert [script.duration(script.eventuality(line).variants[0]) for line in ("e2", "e3")] == [800, 900]


def test_history_and_results_name_what_was_done_to_takes() -> None:
    script = with_take()
    without = done(choose_take(script, "e2", 0, None), script)
    steps = {
        "Choose take of “Tom waits”": (
            choose_take(without, "e2", 0, "take-1"),
            without,
            "Take chosen, 1.5 s",
        ),
        "Use no take of “Tom waits”": (choose_take(script, "e2", 0, None), script, "No take chosen of 1 take"),
        "Trim take of “Tom waits”": (trim_take(script, "e2", 0, "take-1", 500, None), script, "Take trimmed, 1.0 s"),
        "Set level of take of “Tom waits”": (
            set_take_level(script, "e2", 0, "take-1", 10),
            script,
            "Level of take set",
        ),
        "Rename take of “Tom waits”": (rename_take(script, "e2", 0, "take-1", "x"), script, "Take renamed"),
        "Delete take of “Tom waits”": (remove_take(script, "e2", 0, "take-1"), script, "Take deleted, 0 takes"),
        "Add take of “Tom waits”": (add_take(script, NewTake("e2", 0, B, 2000)), script, "Take added, 2.0 s"),
    }
    for label, (step, before, result) in steps.items():
        assert step is not None
        assert label_of(step, before) == label
        assert result_of(step, step.apply(before)) == f"{result}: “Tom waits”"


def test_a_take_of_words_that_were_changed_while_it_was_read_is_kept_and_not_used() -> None:
    script = done(add_take(SCRIPT, NewTake("e2", 0, A, 1500, text="Tom sits.")))
    wording = script.eventuality("e2").variants[0]
    assert (wording.takes[0].text, wording.take, script.duration(wording)) == ("Tom sits.", None, 600)
