"""Lines of scripts that are written in telegrams: torn sentences, asides, and who does what. All our own sentences."""

from __future__ import annotations

import pytest
from test_wording import texts, worded

from adstudio.drafting.text.language.grammar import parsed
from adstudio.drafting.text.language.names import names_of
from adstudio.drafting.text.line_faults import LineFault, faults_of
from adstudio.drafting.text.segment.elements import elements_of
from adstudio.drafting.text.segment.sentence_kind import SentenceKind
from adstudio.drafting.text.shot_headings import with_shouted_ends
from adstudio.drafting.text.text_drafting import Footage, from_screenplay
from adstudio.drafting.text.unfilmable import cannot_be_seen
from adstudio.drafting.text.wording.openings import place_of
from adstudio.drafting.text.wording.repairs import repaired
from adstudio.drafting.text.wording.short_forms import written_out
from adstudio.drafting.text.wording_certainty import LEAST_CERTAIN, Judged, certainty
from adstudio.screenplay.file import parse_screenplay
from adstudio.screenplay.parsed_screenplay import Action, ScreenplayScene


@pytest.mark.parametrize(
    ("one", "other", "whole"),
    [
        ("Ida turns and sees", "NED, 40, a ferryman.", "Ida turns and sees NED, 40, a ferryman."),
        ("Among them is", "Ned HOLT, 40, a ferryman.", "Among them is Ned HOLT, 40, a ferryman."),
        ("Ida opens the gate, to greet", "NED (40s), her uncle.", "Ida opens the gate, to greet NED (40s), her uncle."),
        ("It’s", "NED, a ferryman of seventy.", "It’s NED, a ferryman of seventy."),
    ],
)
def test_a_sentence_that_leads_to_somebody_goes_on_where_he_comes_in(one, other, whole):
    scene = ScreenplayScene("INT. BARN - DAY", (Action(one), Action(other)))
    assert with_shouted_ends([scene]) == {(0, 0): whole, (0, 1): ""}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ida turns and sees", "The ferry leaves."),
        ("Ida turns and waits.", "NED, 40, a ferryman, waves."),
        ("Ida lifts the lantern", "NED, 40, a ferryman, waves."),
    ],
)
def test_what_leads_to_nobody_stays_by_itself(one, other):
    assert with_shouted_ends([ScreenplayScene("", (Action(one), Action(other)))]) == {}


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("Ida hooks the rope to the boat (with one hand).", "Ida hooks the rope to the boat."),
        ("Ned holds a quadrant (the brass kind that his father had), and waits.", "Ned holds a quadrant, and waits."),
        ("(Ned stares at the quadrant).", "Ned stares at the quadrant."),
        ("Ned gapes -- this is the first boat he has lost.", "Ned gapes."),
        ("KRRRAAACK!!! The mast falls.", "The mast falls."),
        ("Ida ties the boat up and heads to.", "Ida ties the boat up."),
        ("Ida pulls Ned over the gangway, leading him to.", "Ida pulls Ned over the gangway."),
        ("Ida opens the gate, to greet.", "Ida opens the gate."),
        ("Ida turns and sees.", "Ida turns."),
        ("We follow Ida once more as she climbs the tower.", "Ida climbs the tower."),
        ("We watch him as he climbs the tower.", "He climbs the tower."),
        ("Ned speeds off, like a racer turning on the gas.", "Ned speeds off."),
    ],
)
def test_asides_and_torn_ends_are_left_out(written, said):
    assert repaired(written) == said


@pytest.mark.parametrize(
    "text",
    [
        "Ida turns to leave.",
        "Ned's hat (2) falls.",
        "Ned comes to, and looks around.",
        "Ned falls, drinks and comes to.",
        "Ned sails north, to London.",
        "Ida crosses the road, to safety.",
        "Lamps glow, like a string of pearls.",
        "Ned leaps up, like a spring.",
        "Ned -- it is Ned -- waves.",
    ],
)
def test_what_only_looks_like_them_stays(text):
    assert repaired(text) == text


@pytest.mark.parametrize("text", ["Ned's.", "Among the crates is.", "Ida leads Ned to.", "Ned turns and sees."])
def test_what_breaks_off_behind_its_verb_is_torn(text):
    assert LineFault.TORN in faults_of(text)


@pytest.mark.parametrize(
    "text",
    [
        "Ida shows Ned where the ferry is.",
        "Ned comes to.",
        "Ida sees Ned.",
        "Ida sees Will.",
        "Ned signs his will.",
        "A watering can.",
        "As always the hatch is shut.",
        "While asleep Ned smiles.",
    ],
)
def test_what_ends_in_a_verb_and_is_whole_is_not(text):
    assert LineFault.TORN not in faults_of(text)


def test_what_was_before_what_is_told_is_not_in_the_present():
    assert LineFault.TENSE in faults_of("Ned was ready and lifts the anchor.")


@pytest.mark.parametrize(
    "text",
    ["Ned looks like someone who never sleeps.", "Ida comes across as a patient woman.", "The mill where she works."],
)
def test_what_only_the_writer_knows_of_somebody_cannot_be_seen(text):
    assert cannot_be_seen(text, parsed([text])[0])


@pytest.mark.parametrize("text", ["Ida enters the mill where she works.", "Ned comes across as Ida leaves."])
def test_what_is_done_where_somebody_works_is_seen(text):
    assert not cannot_be_seen(text, parsed([text])[0])


def test_whoever_nods_may_be_who_smiles():
    found = texts("Tom waves at Mr. Holt, who just nods, grinning at the boat.")
    assert found == ["Tom waves at Mr. Holt.", "Mr. Holt just nods, grinning at the boat."]


def test_a_participle_after_two_who_act_is_said_with_them():
    found = texts("Tom takes out his watch, and the Miller grabs it, pressing it to his ear.")
    assert found == ["Tom takes out his watch, and the Miller grabs it, pressing it to his ear."]


def test_a_participle_before_its_clause_goes_with_it():
    (said,) = texts("Ruth steps back, then, holding her breath, she opens the lid.")
    assert said == "Ruth steps back, then, holding her breath, she opens the lid."


def test_who_acts_in_a_clause_of_time_keeps_its_verb():
    found = texts("Ruth watches as Leo, not looking back once, walks off the pier.")
    assert found == ["Ruth watches as Leo, not looking back once, walks off the pier."]


@pytest.mark.parametrize("said", ["It’s war.", "It’s no good.", "It hits Tom like a wave."])
def test_it_that_means_all_that_happens_is_no_thing_of_the_line_before(said):
    found = worded("Tom leans against the door.", said)
    assert "door" not in found.elements[1].text
    assert found.elements[1].kind is not SentenceKind.SEEN


def test_it_that_is_somebody_is_no_thing_either():
    assert texts("Somebody knocks on the door.", "It’s Leo, the baker.")[1] == "It’s Leo, the baker."


def test_somebody_called_by_what_he_is_may_be_whom_he_means():
    found = worded("Tom waits.", "The Miller lifts a sack.", "He drops it.")
    assert not found.elements[2].text.startswith("Tom")


def test_stares_that_the_parser_takes_for_a_noun_leave_him_open():
    assert worded("Ruth stares at him.").elements[0].kind is SentenceKind.UNNAMED


def test_a_quality_in_capitals_is_no_name():
    assert texts("Everybody goes SILENT.") == ["Everybody goes silent."]


def test_a_shop_that_is_called_this_and_that_is_no_place_of_a_kind():
    assert place_of("INT. BREAD AND SHOP - NIGHT", ()) == ""


def test_a_verb_that_may_be_a_noun_lacks_its_subject():
    text = "Heads back up to the attic."
    assert certainty(Judged(text, parsed([text])[0], complete=False, unseen=0.0)) < LEAST_CERTAIN


def test_where_something_goes_by_itself_says_nothing():
    text = "Into the mist, Ned standing at the bow of the ferry."
    assert certainty(Judged(text, parsed([text])[0], complete=False, unseen=0.0)) < LEAST_CERTAIN


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("Two girls laughing in a corner.", ["Two girls laugh in a corner."]),
        ("Waves beating the hull!", ["Waves beat the hull!"]),
        ("They rowing to shore.", ["They row to shore."]),
        ("Both rowing hard.", ["Both row hard."]),
        ("The police searching the ferry.", ["The police search the ferry."]),
        ("Ned not moving.", ["Ned not moving."]),
        ("Ned fires twice -- They all drop flat.", ["Ned fires twice.", "They all drop flat."]),
        ("Ned stares in awe -- At the old lighthouse.", ["Ned stares in awe at the old lighthouse."]),
        ("ON THE PIER -- Ida kicks in a crate, dives in.", ["On the pier.", "Ida kicks in a crate.", "Ida dives in."]),
        ("Ned watches the ferry- Ida is about to jump.", ["Ned watches the ferry.", "Ida is about to jump."]),
        ("A figure -- Ned Holt -- steps out.", ["A figure -- Ned Holt -- steps out."]),
        ("Ned - The old ferryman - waves.", ["Ned - The old ferryman - waves."]),
        ("The sign reads “Lost – Reward for a dog.”", ["The sign reads “Lost – Reward for a dog.”"]),
        ("Ida steps forward, hands out.", ["Ida steps forward, hands out."]),
        ("Ida steps forward, hands out leaflets.", ["Ida steps forward.", "Ida hands out leaflets."]),
        ("Ida coils the rope, heads out.", ["Ida coils the rope.", "Ida heads out."]),
        ("A few boats here and there are out.", ["A few boats here and there are out."]),
        ("Ida’s still trying the winch.", ["Ida’s still trying the winch."]),
    ],
)
def test_telegrams_are_read_as_sentences(written, said):
    assert [each.text for each in elements_of([written], names=("Ned", "Ida"))[0]] == said


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("Ida rubs her arm, ouch, shivering.", "Ida rubs her arm, shivering."),
        ("In a long sequence, the tower falls.", "The tower falls."),
        ("Ned lifts the lantern from earlier.", "Ned lifts the lantern."),
        ("Ned pulls the trigger -- click!", "Ned pulls the trigger."),
    ],
)
def test_the_writers_words_to_the_reader_are_left_out(written, said):
    assert repaired(written) == said


@pytest.mark.parametrize("text", ["Ida does.", "As Ned looks into his heart.", "While they wait for the ferry."])
def test_a_clause_that_lacks_its_main_verb_is_torn(text):
    assert LineFault.TORN in faults_of(text)


@pytest.mark.parametrize(
    "text",
    [
        "Thunder rumbles in the distance.",
        "The whine of an old winch.",
        "The hum of a winch fills the hold.",
        "No answer.",
    ],
)
def test_what_is_only_heard_is_a_sound(text):
    assert LineFault.SOUND in faults_of(text)


@pytest.mark.parametrize(
    "text",
    ["The clatter of a tray makes Ned turn.", "A crackle of lightning splits the sky.", "The noise stops Ned."],
)
def test_what_a_sound_does_to_what_is_seen_is_seen(text):
    assert LineFault.SOUND not in faults_of(text)


@pytest.mark.parametrize("text", ["Through a gloom of nets and ropes.", "At Ned's rivals."])
def test_what_only_leads_to_something_says_nothing(text):
    assert certainty(Judged(text, parsed([text])[0], complete=False, unseen=0.0)) < LEAST_CERTAIN


def test_the_thing_that_it_is_has_no_apostrophe():
    assert texts("Tom opens the crate.", "It’s an old and heavy one.")[1] == "The crate is an old and heavy one."


@pytest.mark.parametrize(
    ("after", "written"),
    [
        ("’s an old one.", " is an old one."),
        ("’s been painted.", " has been painted."),
        ("'s just gone out.", " has just gone out."),
        (" falls.", " falls."),
        ("’s.", "’s."),
    ],
)
def test_the_short_is_and_has_of_a_pronoun_are_written_out_behind_a_noun(after, written):
    assert written_out(after) == written


def test_whom_somebody_runs_to_help_is_somebody_else():
    assert worded("Ruth runs to help her.").elements[0].kind is SentenceKind.UNNAMED


def test_a_verb_in_capitals_after_a_name_is_no_surname():
    paragraphs = ["LEO GOES DOWN in the mud.", "LEO QUICKLY EXITS.", "LEO HOLT, a baker, waves."]
    assert names_of(["LEO"], paragraphs) == ("Holt", "Leo")


SCRIPT = """INT. FERRY - DAY

Tom coils a rope.

LEO
Not like that.

{action}

RUTH
Leave him alone.

She shuts the hatch.
"""


def drafted(action: str) -> list[str]:
    screenplay = parse_screenplay(SCRIPT.format(action=action).encode(), "f.fountain")
    found = from_screenplay(screenplay, Footage(60_000, (), ()), any_screenplay=True)
    return [each.variants[0].text for each in found.eventualities]


def test_he_after_somebody_else_has_spoken_may_be_who_spoke():
    assert drafted("He pulls a lever.") == ["Tom coils a rope.", "He pulls a lever.", "She shuts the hatch."]


def test_he_after_nobody_in_particular_is_who_has_just_spoken():
    script = SCRIPT.replace("Tom coils a rope.", "Rain falls.").replace("Not like that.", "Leo waits. His hat drips.")
    action = "He pulls a lever.\n\nTOM\nNow.\n\nTom, his coat open, nods. Leo lifts his hat."
    screenplay = parse_screenplay(script.format(action=action).encode(), "f.fountain")
    found = from_screenplay(screenplay, Footage(60_000, (), ()), any_screenplay=True)
    assert found.eventualities[1].variants[0].text == "Leo pulls a lever."


def test_he_after_his_own_words_is_named():
    assert drafted("Leo grins. He pulls a lever.")[2] == "Leo pulls a lever."


@pytest.mark.parametrize(
    ("before", "said"),
    [
        ("Ruth notices something in the yard.", "It’s the mask of a thief."),
        ("Tom looks up to where one of the cranes blots out the sky.", "It hovers over the harbour."),
    ],
)
def test_what_a_sentence_is_about_is_not_where_something_was(before, said):
    assert texts(before, said)[1] == said


def test_what_it_does_is_not_what_the_thing_two_lines_before_does():
    assert texts("Tom shuts the cell door.", "Drone Nine wakes.", "It surges up.")[2] == "It surges up."


@pytest.mark.parametrize("text", ["An owl’s cry.", "A dog’s whimper.", "The sound is clear now, low and near."])
def test_a_cry_alone_is_a_sound(text):
    assert LineFault.SOUND in faults_of(text)


def test_what_a_likeness_does_is_left_out():
    assert repaired("Ned grins, like a boy that has won a race.") == "Ned grins."
    assert repaired("The hull is smooth, like an egg.") == "The hull is smooth, like an egg."


def test_an_own_thing_without_a_verb_is_left_out():
    text = "Its broken mast in the mud."
    assert certainty(Judged(text, parsed([text])[0], complete=False, unseen=0.0)) < LEAST_CERTAIN
