"""A script into a project that has one: new, same, changed and moved lines, and those that it lacks."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import docx
import pytest
from import_scripts import film, line, prepared, srt

from adstudio.core.narration import Pronunciation, VoiceSettings
from adstudio.core.plan import Delivery, Plan, Status
from adstudio.core.script import Approval, Cue, Fusion, Origin, Pin, Variant
from adstudio.core.steps import SetFilm, Several
from adstudio.core.timebase import Span
from adstudio.editing.approval import accepted_by
from adstudio.editing.labels import label_of
from adstudio.gaps.gaps import gaps_of
from adstudio.importing.comparing import Change, ImportChoices
from adstudio.importing.effects import Effects
from adstudio.importing.findings import Problem
from adstudio.importing.messages import diff_messages, diff_summary, import_summary
from adstudio.importing.service import ImportRequest, prepare_import
from adstudio.planning.film.film_plan import plan_film

TURNS, RAIN, TRAIN = "Ruth turns.", "Rain on the roof.", "A train leaves the station."
PROJECT = film(
    lines=(
        line("e1", 12_000, TURNS, "Ruth."),
        line("e2", 42_000, RAIN),
        line("e3", 72_000, TRAIN),
        line("e4", 102_000, "Nobody knows."),
    )
)


def test_every_kind_of_change(tmp_path: Path) -> None:
    text = srt(
        (12_000, 14_000, TURNS),
        (42_000, 44_000, "Rain hammers on the roof."),
        (75_000, 77_000, TRAIN),
        (140_000, 142_000, "Night falls."),
    )
    found = prepared(text, PROJECT, tmp_path)
    kinds = [change.change for change in found.diff.changes]
    assert kinds == [Change.SAME, Change.TEXT, Change.MOVED, Change.NEW]
    assert found.diff.lacking == ("e4",)
    assert diff_summary(found.diff) == (
        "4 lines: 1 same, 1 new, 1 changed text, 1 moved; 1 line of the project is not in the script"
    )
    assert list(diff_messages(found, PROJECT, locked_out=False)) == [
        "changed text: 00:00:42:00 “Rain hammers on the roof.” (was “Rain on the roof.”)",
        "moved: 00:01:15:00 “A train leaves the station.” (was at 00:01:12:00)",
        "new: 00:02:20:00 “Night falls.”",
        "not in the script: “Nobody knows.” (stays as it is)",
    ]
    after = found.after
    assert [each.id for each in after.eventualities] == ["e1", "e2", "e3", "e4", "line-1"]
    second, third = after.eventuality("e2"), after.eventuality("e3")
    assert (second.variants[0].text, second.origin, second.accepted) == (
        "Rain hammers on the roof.",
        Origin.HUMAN,
        True,
    )
    assert (third.pin.start, third.occurrence) == (75_000, PROJECT.eventuality("e3").occurrence)
    assert after.eventuality("e4") == PROJECT.eventuality("e4")
    assert isinstance(found.step, Several)
    assert label_of(found.step, after) == "Import script"
    assert any(isinstance(step, SetFilm) for step in found.step.steps)
    assert after.film.other_sources[0].path.endswith("script.srt")


def test_other_wordings_stay_and_the_scripts_is_locked(tmp_path: Path) -> None:
    found = prepared(srt((12_000, 14_000, "Ruth.")), PROJECT, tmp_path)
    line = found.after.eventuality("e1")
    assert [variant.text for variant in line.variants] == [TURNS, "Ruth."]
    assert line.pin == Pin(selected=True, variant=1, start=12_000)


def test_lines_that_the_script_lacks_are_locked_out_on_request(tmp_path: Path) -> None:
    found = prepared(srt((12_000, 14_000, TURNS)), PROJECT, tmp_path, choices=ImportChoices(only=True))
    assert [each.element for each in found.plan.deliveries] == ["e1"]
    assert [line.pin.selected for line in found.after.eventualities] == [True, False, False, False]


def test_lines_that_the_plan_leaves_out_are_brought_in(tmp_path: Path) -> None:
    left_out = replace(line("e9", 42_000, "A dog barks.", locked=False), pin=Pin(selected=False))
    script = film(lines=(line("e1", 12_000, TURNS), left_out))
    found = prepared(srt((12_000, 14_000, TURNS), (43_000, 45_000, "A dog barks.")), script, tmp_path)
    assert [change.change for change in found.diff.changes] == [Change.SAME, Change.BROUGHT_IN]
    assert [(each.element, each.start) for each in found.plan.deliveries] == [("e1", 12_000), ("e9", 43_000)]


def test_lines_linked_as_one_cue_are_the_same(tmp_path: Path) -> None:
    joined = replace(line("e2", 14_000, RAIN), joined=True)
    script = film(lines=(line("e1", 12_000, TURNS), joined))
    found = prepared(srt((12_000, 16_000, f"{TURNS} {RAIN}")), script, tmp_path)
    assert [change.change for change in found.diff.changes] == [Change.SAME]
    assert [(each.element, each.start) for each in found.plan.deliveries] == [("e1", 12_000), ("e2", 14_000)]
    reworded = prepared(srt((12_000, 16_000, f"{TURNS} Rain.")), script, tmp_path)
    assert [each.element for each in reworded.plan.deliveries] == ["e1"]
    assert reworded.after.eventuality("e1").variants[0].text == f"{TURNS} Rain."


def test_lines_far_from_their_action_may_be_spoken_there(tmp_path: Path) -> None:
    found = prepared(srt((192_000, 194_000, TURNS)), film(lines=(line("e1", 12_000, TURNS),)), tmp_path)
    moved = found.after.eventuality("e1")
    assert (moved.pin.start, moved.pin.override) == (192_000, True)
    assert [each.start for each in found.plan.deliveries] == [192_000]


def test_lines_that_change_places_are_put_in_order(tmp_path: Path) -> None:
    text = srt((12_000, 14_000, TRAIN), (42_000, 44_000, RAIN), (72_000, 74_000, TURNS))
    found = prepared(text, PROJECT, tmp_path)
    assert [each.element for each in found.plan.deliveries] == ["e3", "e2", "e1", "e4"]
    assert found.step is not None
    assert found.step.inverse().apply(found.after) == PROJECT


def test_the_same_script_again_changes_nothing(tmp_path: Path) -> None:
    text = srt((12_000, 14_000, TURNS), (140_000, 142_000, "Night falls."))
    once = prepared(text, PROJECT, tmp_path).after
    again = prepared(text, once, tmp_path)
    assert (again.step, again.diff.count(Change.SAME)) == (None, 2)


def test_a_row_of_one_table_hides_nothing_about_that_of_another(tmp_path: Path) -> None:
    """Rows are counted in each table of a document: the second of both are different lines."""
    written = docx.Document()
    for start, text in (("00:00:12:00", TURNS), ("00:00:32:00", "Over dialogue.")):
        table = written.add_table(2, 2)
        for at, (heading, cell) in enumerate((("in", start), ("text", text))):
            table.cell(0, at).text, table.cell(1, at).text = heading, cell
    written.save(str(tmp_path / "a.docx"))
    request = ImportRequest(tmp_path / "a.docx")
    found = prepare_import(request, film(lines=(line("e1", 12_000, TURNS),)), None, tmp_path / "p.adproj")
    assert [each.change for each in found.diff.changes] == [Change.SAME, Change.NEW]
    (over,) = (each for each in found.findings if each.problem is Problem.OVERLAPS_DIALOGUE)
    assert [each.text for each in over.lines] == ["Over dialogue."]


@pytest.mark.parametrize("unlocked", [False, True])
def test_lines_that_are_the_same_keep_their_state(unlocked: bool, tmp_path: Path) -> None:
    """Drafted, seen, accepted elsewhere, locked with its wording: whatever they are, they stay so."""
    drafted = replace(line("e1", 12_000, TURNS, "Ruth.", locked=False), origin=Origin.MACHINE)
    seen = replace(line("e2", 42_000, RAIN), seen=True)
    accepted = replace(line("e3", 72_000, TRAIN), seen=True, accepted=True, approval=Approval(0, 71_000))
    script = film(lines=(drafted, seen, accepted, line("e4", 102_000, "Nobody knows.")))
    text = srt((12_000, 14_000, TURNS), (42_000, 44_000, RAIN), (72_000, 74_000, TRAIN))
    choices = ImportChoices(unlocked=unlocked)
    found = prepared(f"{text}4\n00:01:42,000 --> 00:01:44,000\nNobody knows.\n", script, tmp_path, choices=choices)
    assert (found.step, found.after, found.effects, found.oddities) == (None, script, None, ())
    assert import_summary(found.diff, found.effects) == "4 lines: 4 same; nothing to change"
    changed = prepared(f"{text}4\n00:01:42,000 --> 00:01:44,000\nAll know.\n", script, tmp_path, choices=choices)
    assert [each for each in changed.after.eventualities if each.id != "e4"] == [drafted, seen, accepted]
    assert changed.after.eventuality("e4").accepted
    assert changed.effects == Effects(accepted=1)


def test_same_lines_that_the_new_plan_speaks_otherwise_are_counted(tmp_path: Path) -> None:
    """The plan had `e1` five seconds after its action, which is not where it is best."""
    script = film(lines=(line("e1", 12_000, TURNS, locked=False), line("e2", 42_000, RAIN)))
    spoken = (Delivery("e1", 0, 17_000, 19_000), Delivery("e2", 0, 42_000, 44_000))
    plan = Plan(Status.FEASIBLE, "exact", deliveries=spoken)
    path = tmp_path / "script.srt"
    path.write_text(srt((17_000, 19_000, TURNS), (42_000, 44_000, RAIN), (75_000, 77_000, TRAIN)), "utf-8")
    found = prepare_import(ImportRequest(path), script, plan, tmp_path / "p.adproj")
    assert found.diff.count(Change.SAME) == 2
    assert [note.split(" spoken")[0] for note in found.notes] == ["1 line that is the same is"]
    path.write_text(srt((17_000, 19_000, TURNS), (42_000, 44_000, RAIN)), "utf-8")
    unchanged = prepare_import(ImportRequest(path), script, plan, tmp_path / "p.adproj")
    assert (unchanged.notes, unchanged.plan) == ((), plan)


def test_how_many_lines_become_accepted_and_locked(tmp_path: Path) -> None:
    drafted = tuple(line(f"e{n}", n * 30_000 + 12_000, f"Line {n}.", locked=False) for n in range(4))
    text = srt((12_000, 14_000, "Line 0."), (42_000, 44_000, "Line one."), (75_000, 77_000, "Line 2."))
    found = prepared(text, film(lines=drafted), tmp_path, choices=ImportChoices(only=True))
    assert found.effects == Effects(accepted=2, locked=2, locked_out=1)
    assert import_summary(found.diff, found.effects).endswith("; 2 accepted, 2 locked, 1 locked out")
    assert found.step is not None
    assert accepted_by(found.step) == {"e1", "e2"}
    assert accepted_by(found.step.inverse()) == set()


def test_what_has_no_place_comes_into_the_note_of_a_known_line_once(tmp_path: Path) -> None:
    script = film(lines=(replace(line("e1", 12_000, TURNS), note="slow"), line("e2", 42_000, RAIN)))
    text = f"no,in,out,text,notes,voice,pronunciation\n17a,0:12,0:14,{TURNS},slow,Ann,ROOTH\n2,0:42,0:44,{RAIN},,,\n"
    found = prepared(text, script, tmp_path, "script.csv")
    first = found.after.eventuality("e1")
    assert first.note == "slow\nnumber 17a\nvoice: Ann\npronunciation: ROOTH"
    assert replace(first, note="slow") == script.eventuality("e1")
    assert found.effects == Effects(noted=1)
    assert list(diff_messages(found, script, locked_out=False)) == [
        "same: 00:00:12:00 “Ruth turns.” (note: number 17a / voice: Ann / pronunciation: ROOTH)"
    ]
    again = prepared(text, found.after, tmp_path, "script.csv")
    assert again.step is None


@pytest.mark.parametrize(
    ("numbers", "noted"),
    [
        ("1 3 4", ["", "", ""]),  # a row was deleted
        ("1 2 1", ["", "", ""]),  # reels
        ("2. 3. 4.", ["", "", ""]),
        ("101 102 103", ["number 101", "number 102", "number 103"]),
        ("1 2a 3", ["", "number 2a", ""]),
    ],
)
def test_numbers_that_only_count_the_rows_are_no_notes(numbers: str, noted: list[str], tmp_path: Path) -> None:
    rows = zip(numbers.split(), (12, 42, 52), (TURNS, RAIN, "Night."), strict=True)
    text = "no,in,text\n" + "".join(f"{number},0:{at},{text}\n" for number, at, text in rows)
    found = prepared(text, film(), tmp_path, "script.csv")
    assert [line.note for line in found.after.eventualities] == noted


@pytest.mark.parametrize("extended", [True, False])
def test_an_extended_line_goes_where_the_script_has_it(extended: bool, tmp_path: Path) -> None:
    held = replace(line("e1", 2_000, TURNS, locked=False), extended=True)
    script = film(lines=(held, line("e2", 42_000, RAIN)))
    at = 5_000, 5_000 if extended else 7_000
    found = prepared(srt((*at, TURNS), (42_000, 44_000, RAIN)), script, tmp_path, extended=extended)
    assert [found.diff.count(kind) for kind in (Change.MOVED, Change.SAME)] == [1, 1]
    assert found.after.eventuality("e1") == replace(
        held, occurrence=Span(5_000, 7_000), seen=True, accepted=True, confidence=None
    )
    again = prepared(srt((*at, TURNS), (42_000, 44_000, RAIN)), found.after, tmp_path, extended=extended)
    assert (again.step, again.diff.count(Change.SAME)) == (None, 2)


def test_a_voice_of_all_lines_is_the_narrator(tmp_path: Path) -> None:
    rows = "".join(f"0:{at},Ann,{text}\n" for at, text in ((12, TURNS), (42, RAIN), (52, "Night.")))
    found = prepared(f"in,voice,text\n{rows}", PROJECT, tmp_path, "script.csv", own_lengths=False)
    assert found.notes == ("all lines are spoken by “Ann”; the project’s voice stays as it is",)
    assert not any(line.note for line in found.after.eventualities)
    another = prepared(f"in,voice,text\n{rows}".replace("Ann,Night", "Ben,Night"), PROJECT, tmp_path, "script.csv")
    assert [line.note for line in another.after.eventualities if line.note] == [
        "voice: Ann",
        "voice: Ann",
        "voice: Ben",
    ]
    known = PROJECT.with_changes(voice=VoiceSettings("espeak", "Ann"))
    assert prepared(f"in,voice,text\n{rows}", known, tmp_path, "script.csv").notes == ()


def test_pronunciations_come_into_the_lexicon(tmp_path: Path) -> None:
    script = film().with_changes(lexicon=(Pronunciation("Ben", "BEN"),))
    text = (
        "in,text,pronunciation\n0:12,Siobhan and Ben turn.,Siobhan: shiv-AWN; Ben: B\n"
        "0:42,Mikael waits.,Mikael: /mik/\n1:12,Ruth.,ROOTH\n1:42,Ann.,Ruth: rooth\n"
    )
    found = prepared(text, script, tmp_path, "script.csv")
    new = (Pronunciation("Siobhan", "shiv-AWN"), Pronunciation("Mikael", "mik", phonemes=True))
    assert found.after.lexicon == (*script.lexicon, *new)
    assert [each.note for each in found.after.eventualities] == [
        *("pronunciation: Siobhan: shiv-AWN; Ben: B", "", "pronunciation: ROOTH", "pronunciation: Ruth: rooth")
    ]
    assert found.step is not None
    assert found.step.inverse().apply(found.after) == script


def test_a_fused_line_is_the_same_or_becomes_one_of_its_own(tmp_path: Path) -> None:
    """Two lines of two seconds do not fit into three, their fusion does; the script has it as one line."""
    parks, crosses = line("e1", 41_000, "She parks.", locked=False), line("e2", 43_000, "She crosses.", locked=False)
    fusion = Fusion(
        "f", ("e1", "e2"), (Variant("She parks and crosses.", duration=2_500),), ("She parks.", "She crosses.")
    )
    talk = Cue("c40", 43_000, 60_000, "Hello?")
    base = film(lines=(parks, crosses))
    script = base.with_changes(fusions=(fusion,), cues=(*base.cues[:2], talk, *base.cues[2:]))
    (spoken,) = plan_film(script, gaps_of(script).gaps).deliveries
    assert spoken.members == ("e1", "e2")
    same = prepared(srt((spoken.start, spoken.end, "She parks and crosses.")), script, tmp_path)
    assert (same.step, [each.change for each in same.diff.changes]) == (None, [Change.SAME])
    found = prepared(srt((spoken.start, spoken.end, "She parks, and crosses the road.")), script, tmp_path)
    assert [each.change for each in found.diff.changes] == [Change.TEXT]
    assert found.step is not None
    after = found.step.apply(script)
    assert [(each.id, each.variants[0].text) for each in after.eventualities] == [
        ("e1", "She parks, and crosses the road.")
    ]
    assert after == found.after
    assert found.step.inverse().apply(after) == script
    # Without it, the line goes in the words in which it is spoken, and as one.
    night = srt((140_000, 142_000, "Night falls."))
    for only, then in ((False, "stays as it is"), (True, "locked out")):
        lacking = prepared(night, script, tmp_path, choices=ImportChoices(only=only))
        assert list(diff_messages(lacking, script, locked_out=only))[-1] == (
            f"not in the script: “She parks and crosses.” ({then})"
        )
        assert diff_summary(lacking.diff).endswith("1 line of the project is not in the script")
    assert [each.variants[0].text for each in lacking.after.eventualities] == ["She parks and crosses.", "Night falls."]
    assert lacking.after.eventualities[0].pin.selected is False
