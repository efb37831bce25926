"""One line made two, and two made one."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from editing_scripts import SCRIPT, TIED, changed, done, order, with_pin

from adstudio.core.film import Film
from adstudio.core.script import Eventuality, Origin, Penalty, Pin, Rules, Script, Variant
from adstudio.core.timebase import Span
from adstudio.editing.change import EditRefused
from adstudio.editing.ids import Ids, inserted_ids
from adstudio.editing.labels import label_of
from adstudio.editing.splitting import merge_lines, split_line, split_offsets, suggest_split

AT = len("She parks her motorbike.")


def parts(script: Script, offset: int = AT, variant: int = 0) -> tuple[Eventuality, Eventuality]:
    after = done(split_line(script, Ids(script), "e1", offset, variant), script)
    assert order(after) == ["e1", "line-1", "e2", "e3", "e4"]
    return after.eventuality("e1"), after.eventuality("line-1")


def texts(line: Eventuality) -> list[str]:
    return [variant.text for variant in line.variants]


def test_split_at_a_sentence() -> None:
    first, second = parts(SCRIPT)
    assert texts(first) == ["She parks her motorbike.", "She parks."]
    assert texts(second) == ["She pulls off her helmet.", "She unmasks."]
    assert [variant.rate for variant in second.variants] == [Fraction(1), Fraction(1, 2)]
    # The duration was that of the whole wording.
    assert first.variants[1].duration is second.variants[1].duration is None
    # 4 words and 5 words: 4000·4/9 = 1777.
    assert (first.occurrence, second.occurrence) == (Span(0, 1777), Span(1777, 4000))
    assert (first.salience, second.salience, second.scene) == (800_000, 800_000, "s1")
    assert first.origin is second.origin is Origin.HUMAN
    assert first.seen
    assert second.seen


def test_split_within_a_sentence_leaves_only_that_wording() -> None:
    first, second = parts(SCRIPT, len("She parks"))
    assert (texts(first), texts(second)) == (["She parks."], ["Her motorbike. She pulls off her helmet."])
    first, second = parts(SCRIPT, len("She parks. "), variant=1)
    assert (texts(first), texts(second)) == (
        ["She parks her motorbike.", "She parks."],
        ["She pulls off her helmet.", "She unmasks."],
    )


@pytest.mark.parametrize(
    ("text", "second"),
    [
        # The full stop, not the middle of the words.
        ("She parks her motorbike. She pulls off her dark crash-helmet.", "She pulls off her dark crash-helmet."),
        ("Tom waits at the gate while Anna reads", "while Anna reads"),
        # 28 characters: 8 of them stand before “he”, 25 before “and”; the first is nearer to 14.
        ("Slowly, he opens a door, and", "he opens a door, and"),
        ("One two three four", "three four"),
        ("Sandy asks", "asks"),
        ("Rain – and wind", "and wind"),
        # 55 characters: “she” ends at 29, but its verb follows; “hand” ends at 25, “wipes” at 35.
        ("With the back of her hand she wipes the blood from her lip", "she wipes the blood from her lip"),
        ("Of the", "the"),
    ],
)
def test_the_likely_place_is_where_a_clause_ends_nearest_to_the_middle(text: str, second: str) -> None:
    place = suggest_split(text)
    assert place is not None
    assert text[place:] == second
    assert place in split_offsets(text)


@pytest.mark.parametrize(
    ("at", "second"),
    [
        (13, "in, and leaves."),
        (12, "in, and leaves."),
        (10, "walks in, and leaves."),  # in “walks”, after its first letter
        (0, "and leaves."),
        (28, "and leaves."),
        (99, "and leaves."),
    ],
)
def test_the_text_cursor_says_where_if_it_is_between_words(at: int, second: str) -> None:
    text = "Old Tom walks in, and leaves."
    place = suggest_split(text, at)
    assert place is not None
    assert text[place:] == second


def test_no_place_leaves_words_on_one_side_only() -> None:
    assert split_offsets("Rain – and wind") == (5, 7, 11)
    assert split_offsets("She runs — .") == (4,)
    assert split_offsets("Rain.") == split_offsets("") == ()
    assert suggest_split("Rain .") is None


@pytest.mark.parametrize("offset", [-3, 0, 49, 1000])
def test_nothing_to_split_off(offset: int) -> None:
    with pytest.raises(EditRefused, match="nothing to split here"):
        split_line(SCRIPT, Ids(SCRIPT), "e1", offset)


def test_a_dash_or_a_full_stop_alone_is_no_part() -> None:
    script = changed(SCRIPT, "e1", variants=(Variant("She runs — ."),))
    with pytest.raises(EditRefused):
        split_line(script, Ids(script), "e1", len("She runs"))


def test_pins_of_the_parts() -> None:
    def split(pin: Pin, offset: int = AT) -> tuple[Pin, Pin]:
        first, second = parts(with_pin("e1", pin), offset)
        return first.pin, second.pin

    assert split(Pin(selected=True)) == (Pin(selected=True), Pin(selected=True))
    assert split(Pin(selected=False)) == (Pin(selected=False), Pin(selected=False))
    assert split(Pin(variant=1)) == (Pin(variant=1), Pin(variant=1))
    assert split(Pin(variant=1), len("She parks")) == (Pin(), Pin())
    assert split(Pin(start=500, variant=0)) == (Pin(start=500, variant=0), Pin(selected=True, variant=0))
    # Four words at 200 a minute: 1.2 s.
    override = Pin(start=500, override=True)
    assert split(override) == (override, replace(override, start=1700))
    # Two words: 0.6 s.
    held = Pin(start=500, override=True, variant=1)
    assert split(held) == (held, replace(held, start=1100))


def test_the_note_the_join_and_what_follows() -> None:
    script = changed(changed(SCRIPT, "e1", joined=True, note="!", extract="x"), "e2", joined=True)
    first, second = parts(script)
    assert (first.joined, first.note, first.extract) == (True, "!", "x")
    assert (second.joined, second.note, second.extract) == (False, "", "x")


def test_not_before_holds_for_each_part() -> None:
    first, second = parts(changed(SCRIPT, "e1", within=Span(0, 60_000)))
    assert (first.within, second.within) == (Span(0, 60_000), Span(1777, 60_000))
    late = changed(SCRIPT, "e1", occurrence=Span(3000, 5000), within=Span(1000, 9000))
    first, second = parts(late)
    assert first.within == second.within == Span(1000, 9000)


def test_a_line_without_an_occurrence_splits_too() -> None:
    script = changed(SCRIPT, "e3", variants=(Variant("Rain falls."),))
    step = split_line(script, Ids(script), "e3", 4)
    after = done(step, script)
    assert step is not None
    assert inserted_ids(step) == ("line-1",)
    assert after.eventuality("line-1").occurrence is None
    assert label_of(step, SCRIPT) == "Split “Rain falls”"


def test_rules_go_on_meaning_what_they_meant() -> None:
    rules = Rules(
        alternatives=(("e1", "e2"),),
        requires=(("e1", "e4"), ("e2", "e1")),
        together=(("e1", "e3"),),
        penalties=(Penalty("e1", "e4", 5),),
    )
    script = replace(SCRIPT, rules=rules)
    after = done(split_line(script, Ids(script), "e1", AT), script)
    assert after.rules == Rules(
        alternatives=(("e1", "e2"), ("line-1", "e2")),
        requires=(("e1", "e4"), ("line-1", "e4"), ("e2", "e1")),
        together=(("e1", "e3", "line-1"),),
        penalties=(Penalty("e1", "e4", 5),),
    )


def test_merging_neighbours() -> None:
    step = merge_lines(SCRIPT, ["e2", "e1"])
    after = done(step)
    assert order(after) == ["e1", "e3", "e4"]
    line = after.eventuality("e1")
    # e2 has no shorter wording for e1's to be merged with.
    assert line.variants == (Variant("She parks her motorbike. She pulls off her helmet. Tom waits."),)
    assert line.occurrence == Span(0, 6000)
    # Full wordings last 9·0.3 and 2·0.3 s: (0.8·2.7 + 0.5·0.6) / 3.3 = 0.745454…
    assert line.salience == 745_455
    assert (line.origin, line.seen, line.accepted, line.note) == (Origin.HUMAN, True, False, "who?")
    assert step is not None
    assert label_of(step, SCRIPT) == "Merge “She parks her motorbike…” and “Tom waits”"


def test_merging_three_and_with_one_that_happens_nowhere() -> None:
    line = done(merge_lines(SCRIPT, ["e2", "e3", "e4"])).eventuality("e2")
    assert texts(line) == ["Tom waits. Rain. A train leaves."]
    assert line.occurrence == Span(5000, 36_000)
    # 0.5 for 0.6 s and 0.3 for 0.9 s: 0.38.
    assert line.salience == 380_000
    nowhere = changed(SCRIPT, "e2", occurrence=None, salience=None)
    line = done(merge_lines(nowhere, ["e2", "e3"]), nowhere).eventuality("e2")
    assert (line.occurrence, line.salience) == (None, None)


def test_measured_wordings_add_up() -> None:
    script = changed(SCRIPT, "e2", variants=(Variant("Tom waits."), Variant("Waits.", Fraction(1, 2), 700)))
    line = done(merge_lines(script, ["e1", "e2"]), script).eventuality("e1")
    assert [variant.duration for variant in line.variants] == [None, 1600]


def test_what_was_split_merges_to_what_it_was() -> None:
    script = changed(SCRIPT, "e1", variants=(SCRIPT.eventuality("e1").variants[0],))
    split = done(split_line(script, Ids(script), "e1", AT), script)
    merged = done(merge_lines(split, ["e1", "line-1"]), split)
    assert merged.eventuality("e1") == replace(script.eventuality("e1"), origin=Origin.HUMAN, seen=True)
    assert merged.rules == script.rules


def test_only_neighbours_merge() -> None:
    with pytest.raises(EditRefused, match="Only neighbouring lines can be merged"):
        merge_lines(SCRIPT, ["e1", "e3"])
    with pytest.raises(EditRefused, match="Only neighbouring lines can be merged"):
        merge_lines(SCRIPT, ["e1", "e2", "e4"])
    for few in ([], ["e1"], ["e1", "e1"]):
        with pytest.raises(EditRefused, match="at least two neighbouring lines"):
            merge_lines(SCRIPT, few)


def test_what_is_held_of_the_whole() -> None:
    def merged(first: Pin, second: Pin) -> Pin:
        two = changed(SCRIPT, "e2", variants=(Variant("Tom waits."), Variant("Waits.", Fraction(1, 2))))
        script = with_pin("e2", second, with_pin("e1", first, two))
        return done(merge_lines(script, ["e1", "e2"]), script).eventuality("e1").pin

    out, found = Pin(selected=False), Pin(selected=True)
    assert merged(Pin(), Pin()) == Pin()
    assert merged(out, Pin()) == Pin()
    assert merged(out, out) == out
    assert merged(out, found) == found
    assert merged(Pin(), Pin(start=5000, override=True)) == found
    assert merged(Pin(start=10, override=True), out) == Pin(start=10, override=True)
    assert merged(Pin(variant=1), Pin()) == Pin(variant=1)


def test_bounds_of_the_whole() -> None:
    def merged(first: Span | None, second: Span | None) -> Span | None:
        script = changed(changed(SCRIPT, "e1", within=first), "e2", within=second)
        return done(merge_lines(script, ["e1", "e2"]), script).eventuality("e1").within

    assert merged(None, None) is None
    assert merged(Span(0, 9000), None) == Span(0, 9000)
    assert merged(Span(0, 9000), Span(5000, 20_000)) == Span(5000, 9000)
    assert merged(Span(0, 4000), Span(5000, 20_000)) == Span(0, 20_000)


def test_the_whole_takes_the_places_of_its_parts_in_rules() -> None:
    after = done(merge_lines(TIED, ["e1", "e2"]), TIED)
    assert after.rules == Rules(
        alternatives=(("e1", "e3"),),
        requires=(("e1", "e4"), ("e4", "e1")),
        together=(("e3", "e4"),),
        penalties=(Penalty("e1", "e4", 5),),
    )
    after = done(merge_lines(TIED, ["e1", "e2", "e3", "e4"]), TIED)
    assert not after.rules


def test_wordings_of_one_number_are_merged_and_what_has_no_counterpart_goes() -> None:
    short = Fraction(1, 2)
    a = Eventuality("a", (Variant("From her bag comes a glove."), Variant("A glove!", short)), Span(0, 1), 1)
    b = Eventuality(
        "b",
        (Variant("Ada lays it down."), Variant("She lays it down.", short), Variant("Lays it down.", short)),
        Span(0, 1),
        1,
        pin=Pin(variant=2),
    )
    script = Script(Film("", 60_000), eventualities=(a, b))
    merged = done(merge_lines(script, ["a", "b"]), script).eventuality("a")
    assert texts(merged) == ["From her bag comes a glove. Ada lays it down.", "A glove! She lays it down."]
    assert [variant.rate for variant in merged.variants] == [1, short]
    assert merged.pin.variant is None  # that wording is gone


def test_shorter_wordings_that_need_not_share_a_subject_are_not_combined() -> None:
    shorter, shortest = Fraction(2, 3), Fraction(1, 2)
    a = Eventuality(
        "a",
        (
            Variant("She opens her bag and draws out a glove,"),
            Variant("From her bag comes a glove,", shorter),
            Variant("She takes a glove,", shortest),
        ),
        Span(0, 1),
        1,
        pin=Pin(variant=2),
    )
    b = Eventuality(
        "b",
        (Variant("lays it on the bench"), Variant("lays it down", shorter), Variant("lays it there", shortest)),
        Span(0, 1),
        1,
    )
    script = Script(Film("", 60_000), eventualities=(a, b))
    merged = done(merge_lines(script, ["a", "b"]), script).eventuality("a")
    assert texts(merged) == [
        "She opens her bag and draws out a glove, lays it on the bench",
        "She takes a glove, lays it there",
    ]
    assert merged.pin.variant == 1  # the third wording is the second now
