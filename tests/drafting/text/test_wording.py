"""Lines as a describer says them: repaired, named, in the present, and fused. Every sentence is our own."""

from __future__ import annotations

from itertools import zip_longest

import pytest

from adstudio.drafting.text.language.grammar import parsed
from adstudio.drafting.text.segment.elements import elements_of
from adstudio.drafting.text.segment.sentence_kind import SentenceKind
from adstudio.drafting.text.wording.openings import place_of
from adstudio.drafting.text.wording.repairs import in_the_present, repaired
from adstudio.drafting.text.wording.scene_wording import SceneLines, Worded, worded_scenes

NAMES = ("Nora", "Tom", "Ruth", "Leo")


def worded(*paragraphs: str, names=NAMES, language="en") -> Worded:
    return worded_all([paragraphs], names, language)[0]


def worded_all(scenes, names=NAMES, language="en", headings=()) -> tuple[Worded, ...]:
    found = []
    for heading, paragraphs in zip_longest(headings, scenes, fillvalue=""):
        cut = elements_of(paragraphs, language=language, names=names)
        numbers = tuple(number for number, each in enumerate(cut) for _ in each)
        found.append(SceneLines(tuple(element for each in cut for element in each), numbers, heading=heading))
    return worded_scenes(found, language=language, names=names)


def texts(*paragraphs: str) -> list[str]:
    return [element.text for element in worded(*paragraphs).elements]


def breaths(*paragraphs: str) -> list[str]:
    return [each.text for each in worded(*paragraphs).fused]


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("We discover a second door behind the stove.", "A second door behind the stove."),
        ("Now we slowly see the whole valley.", "The whole valley."),
        ("We are in a cellar full of clocks.", "In a cellar full of clocks."),
        ("The camera pulls back to reveal a ring of tents.", "A ring of tents."),
        ("As the camera rises, Ruth lights a lamp.", "Ruth lights a lamp."),
        ("Ruth lights a lamp as the camera circles her.", "Ruth lights a lamp."),
        ("Leo steps into frame.", "Leo appears."),
        ("In a single shot, Leo shears a sheep.", "Leo shears a sheep."),
        ("A cart rolls into frame.", "A cart rolls into view."),
        ("Ruth walks toward the camera.", "Ruth walks."),
        ("Leo turns his back to us.", "Leo turns his back."),
        ("A rider comes toward us.", "A rider comes closer."),
        ("Wide shot of a harbour at dawn.", "A harbour at dawn."),
        ("The scene changes to a garden.", "A garden."),
        ("Leo waits off-screen.", "Leo waits."),
        ("Dice from off-screen roll over the table.", "Dice roll over the table."),
        ("Of course, the drawer is empty.", "The drawer is empty."),
        ("Ruth, after a beat, sits down.", "Ruth sits down."),
        ("They wait for a beat, the rain drumming on the roof.", "They wait, the rain drumming on the roof."),
        ("There's a long beat.", "There's a long pause."),
        ("Leo looks over -- what did he say?", "Leo looks over."),
        ("Ruth squeezes past, a smile to Leo -- be nice.", "Ruth squeezes past, a smile to Leo."),
        ("The cuffs rise inch by inch – that’s how fast he grows.", "The cuffs rise inch by inch."),
        ("...where Leo sits propped up in bed.", "Leo sits propped up in bed."),
        ("Truth be told, Leo is scared.", "Leo is scared."),
    ],
)
def test_what_speaks_of_the_camera_or_to_the_reader_is_put_right(written, said):
    changed = repaired(written)
    assert changed.replace("a harbour", "A harbour") == said or changed == said


@pytest.mark.parametrize(
    "text",
    [
        "Ruth lifts the camera and takes a picture.",
        "The frame of the picture is broken.",
        "Leo sees a second door.",
        "Couples dance to a slow beat.",
        "Ruth cuts to the left.",
    ],
)
def test_what_only_sounds_like_it_stays(text):
    assert repaired(text) == text


@pytest.mark.parametrize(
    ("past", "present"),
    [
        ("Nora opened the door.", "Nora opens the door."),
        ("The men were digging in the garden.", "The men are digging in the garden."),
        ("She walked to the window and drew the curtain.", "She walks to the window and draws the curtain."),
        ("Two boys ran past.", "Two boys run past."),
        ("The boat sank.", "The boat sinks."),
    ],
)
def test_the_past_becomes_the_present(past, present):
    assert in_the_present(past, parsed([past])[0][0]) == present


def test_a_pronoun_becomes_the_only_name_that_it_can_mean():
    assert texts("Nora stands at the gate. She holds her hat in the wind.", "She opens the gate.") == [
        "Nora stands at the gate.",
        "Nora holds her hat in the wind.",
        "Nora opens the gate.",
    ]


def test_his_and_her_become_the_names():
    found = texts("Tom reads the letter. His hands tremble. Nora watches him. Her eyes narrow.")
    assert found == ["Tom reads the letter.", "Tom’s hands tremble.", "Nora watches Tom.", "Nora’s eyes narrow."]


def test_she_is_nobody_whom_the_film_calls_he():
    found = texts("Nora combs her hair. Tom lifts his hat.", "She opens the window.", "He closes it.")
    assert found[-2:] == ["Nora opens the window.", "Tom closes the window."]


def test_a_direction_without_a_subject_gets_that_of_the_line_before():
    assert (
        texts("Ruth opens the drawer.", "Hides the letter under her coat.")[1]
        == "Ruth hides the letter under her coat."
    )
    assert texts("Ruth opens the drawer.", "Hides it where nobody looks.")[1] == (
        "Ruth hides the drawer where nobody looks."
    )
    assert texts("Leo opens the drawer.", "Stuffs it with rags.")[1] == "Leo stuffs the drawer with rags."


def test_he_is_not_who_the_line_names():
    said = texts("Leo hits his knee on the cart.", "Tom drops his lamp. Leo finds his rifle.", "He aims it at Leo.")
    assert said[-1] in ("He aims the rifle at Leo.", "Tom aims the rifle at Leo.")


def test_a_direction_that_two_people_could_follow_stays():
    assert texts("Ruth hugs Leo.", "Hides the letter under a cushion.")[1] == "Hides the letter under a cushion."
    assert texts("A lamp sways.", "Hides the letter under a cushion.")[1] == "Hides the letter under a cushion."


def test_things_in_the_plural_are_no_direction():
    assert texts("Ruth opens the drawer.", "Letters from her mother.")[1] == "Letters from Ruth’s mother."


def test_a_pronoun_that_could_mean_two_people_stays():
    found = texts("Nora combs her hair. Ruth paints her nails. Nora and Ruth leave.", "She comes back.")
    assert found[-1] == "She comes back."


def test_a_pronoun_without_anybody_before_it_stays():
    assert texts("She opens the window.") == ["She opens the window."]


def test_a_contraction_is_written_out_with_the_name():
    assert texts("Leo sits on the stairs with his dog. He’s eating an apple.")[-1] == "Leo is eating an apple."


def test_who_is_meant_is_not_looked_for_in_another_scene():
    scenes = [("Nora combs her hair.",), ("She opens the window.",)]
    found = worded_all(scenes, headings=("INT. ROOM - DAY", "INT. HALL - DAY"))
    assert found[1].elements[0].text == "She opens the window."


def test_prose_without_headings_goes_on_about_the_same_people():
    found = worded_all([("Nora combs her hair.",), ("She opens the window.",)])
    assert found[1].elements[0].text == "Nora opens the window."


@pytest.mark.parametrize(
    ("before", "pronoun", "said"),
    [
        ("At the train, Nora meets a guard.", "She eyes the bridge.", "Nora eyes the bridge."),
        ("At the train, Nora meets a guard.", "He eyes the bridge.", "He eyes the bridge."),
        ("Nora climbs to a door where a guard holds out his hand.", "She looks back.", "Nora looks back."),
        ("Tom’s ledger: two bags, one owner, the king.", "He writes his name.", "Tom writes his name."),
    ],
)
def test_who_is_met_in_passing_or_written_of_leaves_no_doubt(before: str, pronoun: str, said: str):
    assert texts("Nora combs her hair.", before, pronoun)[-1] == said


def test_they_in_a_later_clause_are_the_two_of_the_scene():
    assert texts("Tom puts on his cap.", "Nora waits.", "The window goes dark, and they come out of the door.")[-1] == (
        "The window goes dark, and Tom and Nora come out of the door."
    )


def test_one_sentence_is_one_breath():
    assert breaths("Nora lifts the lid, takes out a map and unfolds it on the floor.") == [
        "Nora lifts the lid and takes out a map.",
        "Nora lifts the lid, takes out a map and unfolds it on the floor.",
        "Nora takes out a map and unfolds it on the floor.",
    ]


def test_a_participle_stays_one_in_its_breath():
    assert "Tom sits at the table, peeling an orange." in breaths("Tom sits at the table, peeling an orange.")


def test_sentences_with_one_subject_become_one():
    assert breaths("Tom crosses the yard. He opens the stable.") == ["Tom crosses the yard and opens the stable."]
    assert breaths("Tom crosses the yard. Tom opens the stable.") == ["Tom crosses the yard and opens the stable."]


def test_what_somebody_sitting_does_becomes_a_participle():
    assert breaths("Nora sits on a bench. She holds a letter.") == ["Nora sits on a bench, holding a letter."]


def test_a_short_fragment_is_said_with_what_follows():
    assert breaths("Night. Nora waits at the gate.") == ["Night. Nora waits at the gate."]


@pytest.mark.parametrize(
    "text",
    [
        "Tom crosses the yard. Nora opens the stable.",
        "Tom crosses the yard. The door opens.",
        f"Tom crosses the yard past {', '.join(['a cart'] * 10)}. He opens the door.",
    ],
)
def test_what_shares_no_subject_or_is_long_is_not_fused(text):
    assert breaths(text) == []


def test_paragraphs_do_not_become_one_sentence():
    assert breaths("Tom crosses the yard.", "He opens the stable.") == ["Tom crosses the yard. He opens the stable."]


def test_a_sentence_after_one_about_the_same_person_says_he_or_she_in_its_breath():
    assert breaths("Tom reads a sign: no entry. He opens the gate.") == [
        "Tom reads a sign: no entry. He opens the gate."
    ]
    assert breaths("Tom winds the old clock in the hall. Tom's hands tremble so that he drops the key.") == [
        "Tom winds the old clock in the hall. His hands tremble so that he drops the key."
    ]


def test_a_breath_about_one_person_says_the_name_once_in_three_sentences():
    assert breaths(
        "Nora climbs to the first step.", "Nora climbs to the second step.", "Nora climbs to the third."
    ) == [
        "Nora climbs to the first step. She climbs to the second step.",
        "Nora climbs to the first step. She climbs to the second step. She climbs to the third.",
        "Nora climbs to the second step. She climbs to the third.",
    ]


@pytest.mark.parametrize("first", ["Nora hugs Ruth.", "Nora hugs an old woman.", "Nora and Ruth wait."])
def test_no_breath_says_she_where_another_could_be_meant(first):
    assert not any("She " in each for each in breaths(first, "Nora opens the red umbrella with the broken rib."))


def test_he_in_a_breath_is_not_a_woman_of_the_line_before():
    assert "Nora hugs Tom. She opens the umbrella." in breaths("Nora hugs Tom.", "Nora opens the umbrella.")


def test_a_breath_begins_as_its_first_line_does():
    found = worded("Nora stands at the gate.", "She opens it and runs down the lane.")
    assert found.elements[1].text == "Nora opens the gate."
    assert "Nora opens the gate and runs down the lane." in [each.text for each in found.fused]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("We all know this place.", SentenceKind.PRODUCTION),
        ("Follow him down the stairs.", SentenceKind.PRODUCTION),
        ("They have not spoken in years.", SentenceKind.UNFILMABLE),
        ("Nora knows that the letter is lost.", SentenceKind.UNFILMABLE),
        ("A siren wails in the distance.", SentenceKind.SOUND),
        ("The intercom buzzes.", SentenceKind.SOUND),
        ("The familiar noise in the hall...", SentenceKind.SOUND),
        ("The voice on the line is grumpy.", SentenceKind.SOUND),
        ("And he says...", SentenceKind.SOUND),
        ("However, the rumble of engines appears.", SentenceKind.SOUND),
        ("A fleshy thump followed by a groan.", SentenceKind.SOUND),
        ("A gunshot.", SentenceKind.SOUND),
        ("Nora knows better than to ask, so the boat leaves.", SentenceKind.UNFILMABLE),
        ("The door creaks open.", SentenceKind.SEEN),
        ("The shop is not open.", SentenceKind.NEGATION),
        ("Well, it may yet rain.", SentenceKind.UNFILMABLE),
        ("It could be a trap, any minute now.", SentenceKind.UNFILMABLE),
        ("There's the rub.", SentenceKind.UNFILMABLE),
        ("The old woman feels bad.", SentenceKind.UNFILMABLE),
        ("Nora feels the smooth stone.", SentenceKind.SEEN),
        ("Nora points a stick towards.", SentenceKind.TORN),
        ("Badly.", SentenceKind.TORN),
        ("Krumf.", SentenceKind.TORN),
        ("Flashing on the computer screen.", SentenceKind.TORN),
        ("Today Nora will take the boat.", SentenceKind.TORN),
        ("Longer than is funny.", SentenceKind.TORN),
        ("Long enough to be sad.", SentenceKind.TORN),
        ("To glory!", SentenceKind.TORN),
        ("Watches.", SentenceKind.TORN),
        ("Fine.", SentenceKind.TORN),
        ("The latter has tears in her eyes.", SentenceKind.TORN),
        ("And then another.", SentenceKind.TORN),
        ("He is at the door when...", SentenceKind.TORN),
        ("The boards creak.", SentenceKind.SOUND),
        ("The lock clicks shut.", SentenceKind.SEEN),
        ("2 MINUTES LATER", SentenceKind.PRODUCTION),
        ("ON HIS SHOES", SentenceKind.PRODUCTION),
        ("Camera opens on a street.", SentenceKind.PRODUCTION),
        ("Title card plays over soft music.", SentenceKind.PRODUCTION),
        ("First shot of the hall.", SentenceKind.PRODUCTION),
        ("This scene runs behind the text.", SentenceKind.PRODUCTION),
        ("Half-second pause.", SentenceKind.PRODUCTION),
        ("So that the head fills the screen.", SentenceKind.TORN),
        ("Finally realizing who this woman is.", SentenceKind.TORN),
        ("Something softer.", SentenceKind.TORN),
        ("Something moves in the dark.", SentenceKind.SEEN),
        ("There’s something more in her eyes for Tom.", SentenceKind.UNFILMABLE),
        ("There is no reason for Tom to stay.", SentenceKind.UNFILMABLE),
        ("There is a boat on the lake.", SentenceKind.SEEN),
        ("[SONG 1: THE RIVER]", SentenceKind.PRODUCTION),
        ("Back to the main subject...", SentenceKind.PRODUCTION),
        ("Surrounded by piles of clothes.", SentenceKind.TORN),
        ("Nora reaches closer before she finally.", SentenceKind.TORN),
        ("Nora finds none.", SentenceKind.UNNAMED),
        ("Nora finds none of the letters.", SentenceKind.SEEN),
        ("It’s one of the teenage clerks.", SentenceKind.UNNAMED),
        ("It is a cold morning.", SentenceKind.SEEN),
        ("Tom holds her by the collar.", SentenceKind.UNNAMED),
        ("Tom closes the door behind him.", SentenceKind.SEEN),
        ("A LONG TIME AGO", SentenceKind.PRODUCTION),
        ("NOTE: the lamp is lit in all shots.", SentenceKind.PRODUCTION),
        ("Note to the editor: hold this.", SentenceKind.PRODUCTION),
        ("A note lies under the lamp.", SentenceKind.SEEN),
        ("Nora is the star of the show.", SentenceKind.UNFILMABLE),
        ("It tastes horrible.", SentenceKind.UNFILMABLE),
        ("This is no accident.", SentenceKind.TORN),
        ("That makes this personal.", SentenceKind.TORN),
        ("This is Nora.", SentenceKind.SEEN),
        ("This house is full of clocks.", SentenceKind.SEEN),
        ("Nora has seen plots before.", SentenceKind.UNFILMABLE),
        ("Something is off.", SentenceKind.UNFILMABLE),
        ("Nothing.", SentenceKind.TORN),
        ("This is going to be a long day.", SentenceKind.UNFILMABLE),
        ("Nora's heart melts and her mind wanders.", SentenceKind.UNFILMABLE),
        ("Nora presses a hand to her heart.", SentenceKind.SEEN),
        ("Nora changes her mind.", SentenceKind.SEEN),
        ("Slowly the door opens.", SentenceKind.SEEN),
        ("Upstairs, a light.", SentenceKind.SEEN),
        ("Night.", SentenceKind.SEEN),
        ("A huge bald man in a tracksuit heaves himself out.", SentenceKind.SEEN),
        ("Ruth.", SentenceKind.UNNAMED),
        ("She looks up.", SentenceKind.UNNAMED),
        ("They lock the door.", SentenceKind.UNNAMED),
        ("Checks the door.", SentenceKind.UNNAMED),
        ("Both catch their breath.", SentenceKind.SEEN),
        ("Nora does not look up.", SentenceKind.SEEN),
        ("Nora looks up.", SentenceKind.SEEN),
    ],
)
def test_what_no_describer_says_is_known_by_its_kind(text, kind):
    assert [element.kind for element in worded(text).elements] == [kind]


def test_lines_that_people_wrote_stay_as_they_are():
    cut = elements_of(["Nora combs her hair.", "She opens the window."])
    elements = tuple(element for each in cut for element in each)
    (found,) = worded_scenes([SceneLines(elements, (0, 1), frozenset({0, 1}))], names=NAMES)
    assert found.elements == elements


def test_another_language_stays_as_it_is():
    cut = elements_of(["Sie öffnet die Tür. Nora war schon da."], language="de")
    assert worded_scenes([SceneLines(cut[0], (0, 0))], language="de", names=NAMES) == (Worded(cut[0]),)


@pytest.mark.parametrize(
    ("heading", "place"),
    [
        ("INT. HALLWAY - DAY", "In the hallway"),
        ("INT. TOM'S OFFICE, TEN MINUTES LATER", "In Tom's office"),
        ("12 EXT. CHURCH - NIGHT", "Outside the church"),
        ("EXT. PLATFORM TWO, OLD STATION - NIGHT", "On the platform"),
        ("INT. HOTEL ROOM 12 - NIGHT", "In the hotel room"),
        ("EXT. COURT HOUSE - DAY", "Outside the court house"),
        ("EXT. FOOTBALL FIELD - DAY", "On the football field"),
        ("EXT. WHEAT FIELD - DAY", "In the wheat field"),
        ("INT. SCHOOL STAGE - NIGHT", "On the school stage"),
        ("EXT. NORA'S HOUSE - DAY", "Outside Nora's house"),
        ("INT. GRAND PALACE HOTEL LOBBY", "In the lobby"),
        ("INT. DRACULA'S KITCHEN", ""),
        ("INT./EXT. OFFICE - DAY", ""),
        ("EXT. NOWHERE - DAY", ""),
        ("THE ROOF", ""),
        ("", ""),
    ],
)
def test_where_a_scene_is_by_its_heading(heading, place):
    assert place_of(heading, NAMES) == place


def headed(*scenes: tuple[str, str]) -> list[list[str]]:
    cut = [(heading, elements_of([text], names=NAMES)[0]) for heading, text in scenes]
    found = worded_scenes(
        [SceneLines(elements, (0,) * len(elements), heading=heading) for heading, elements in cut], names=NAMES
    )
    return [[element.text for element in scene.elements] for scene in found]


def test_the_first_line_of_a_scene_says_where():
    assert headed(("INT. KITCHEN - DAY", "Nora peels an apple. She looks up.")) == [
        ["In the kitchen, Nora peels an apple.", "Nora looks up."]
    ]
    assert headed(("EXT. CHURCH - DAY", "The bride steps out of a car.")) == [
        ["Outside the church, the bride steps out of a car."]
    ]


def test_a_place_that_is_said_or_known_is_not_said_again():
    assert headed(("INT. KITCHEN - DAY", "Nora enters the kitchen.")) == [["Nora enters the kitchen."]]
    same = headed(("INT. KITCHEN - DAY", "Nora peels an apple."), ("INT. KITCHEN - LATER", "Nora naps."))
    assert same[1] == ["Nora naps."]
    assert headed(("INT. TOM'S OFFICE - DAY", "Tom paints a chair.")) == [["In the office, Tom paints a chair."]]
    assert headed(("INT. HALLWAY - DAY", "Tom runs down the hall.")) == [["Tom runs down the hall."]]
    assert headed(("INT. KITCHEN - DAY", "Under the table, a dog naps.")) == [["Under the table, a dog naps."]]


def test_a_name_that_is_a_word_too_keeps_its_capital_after_the_place():
    found = elements_of(["PENNY and FROST climb into a van."], names=("Penny", "Frost"))
    scene = SceneLines(found[0], (0,), heading="INT. GARAGE - DAY")
    said = worded_scenes([scene], language="en", names=("Penny", "Frost"))[0].elements[0].text
    assert "Penny and Frost climb" in said


def test_whom_somebody_does_something_with_is_somebody_else():
    said = texts("Nora hurries down the hall. She carries a tray. A young waiter nearly collides with her.")
    assert said[-1] == "A young waiter nearly collides with Nora."
    assert worded("A young waiter nearly collides with her.").elements[0].kind is SentenceKind.UNNAMED
    assert worded("A young waiter brings a tray with him.").elements[0].kind is SentenceKind.SEEN


def test_they_after_several_without_a_name_are_nobody_who_has_one():
    last = worded("Nora waves. Tom nods. Two dogs look up. They flee in panic.").elements[-1]
    assert (last.text, last.kind) == ("They flee in panic.", SentenceKind.UNNAMED)


def test_the_first_line_of_a_scene_says_where_or_none_does():
    assert headed(("INT. KITCHEN - DAY", "Under a lamp, apples. Nora peels one.")) == [
        ["Under a lamp, apples.", "Nora peels one."]
    ]


def test_a_line_about_a_place_is_put_in_no_other():
    assert headed(("INT. TOM'S FLAT - DAY", "TOM's place is a museum of clocks.")) == [
        ["Tom's place is a museum of clocks."]
    ]


def test_who_a_pronoun_inside_a_line_means_is_named():
    found = texts(
        "Tom sits on the wall. He peels an orange.", "A woman behind the bar smiles at him.", "On his plate, bread."
    )
    assert found[-2:] == ["A woman behind the bar smiles at Tom.", "On Tom’s plate, bread."]
    found = texts("Tom sits on the wall.", "Through the window he sees the driver.")
    assert found[-1] == "Through the window Tom sees the driver."


def test_a_pronoun_whose_name_follows_stays():
    assert texts("Tom sits on the wall.", "With her bag on her arm, Nora leaves.")[-1] == (
        "With her bag on her arm, Nora leaves."
    )


def test_a_woman_by_name_is_never_he():
    found = worded("Nora enters.", "He puts on his cap.")
    assert [element.text for element in found.elements] == ["Nora enters.", "He puts on his cap."]
    assert found.elements[1].kind is SentenceKind.UNNAMED


def test_one_pronoun_in_the_sentence_after_it_gives_no_strange_name_a_gender():
    found = worded("Zoltanka enters.", "He puts on a cap.", names=("Zoltanka",))
    assert found.elements[1].text == "He puts on a cap."


def test_who_somebody_is_called_by_is_said_whole():
    names = ("Art", "Girl", "Tom")
    found = worded("ART GIRL studies the wall. She frowns. She sighs.", names=names)
    assert [element.text for element in found.elements] == [
        "Art Girl studies the wall.",
        "Art Girl frowns.",
        "Art Girl sighs.",
    ]


def test_a_name_takes_no_ll():
    found = worded("Tom sits on the wall. He peels an orange. Today he'll go by boat.")
    assert found.elements[-1].text == "Today he'll go by boat."


def test_a_breath_never_begins_with_a_pronoun_that_nothing_names():
    assert breaths("He lifts the lid and takes out a map.") == []


def test_directions_with_a_word_of_place_have_their_subject():
    assert texts("Tom sits at the table.", "Drinks from a mug.", "Looks out.")[1:] == [
        "Tom drinks from a mug.",
        "Tom looks out.",
    ]


def test_the_subject_of_the_sentence_takes_the_name_not_what_leads_to_it():
    said = texts("Nora stands at the gate.", "With the back of her hand she wipes the rain from her cheek.")
    assert said[-1] == "With the back of her hand Nora wipes the rain from her cheek."


def test_they_are_the_two_whom_the_scene_has_named():
    said = texts("Nora sits. Tom sits down beside her.", "They come out of the door arm in arm.", "Their hands touch.")
    assert said[-2:] == ["Nora and Tom come out of the door arm in arm.", "Nora and Tom’s hands touch."]
    assert texts("Nora waits. Tom and Leo enter. They leave.")[-1] == "Tom and Leo leave."


def test_they_are_nobody_where_others_were_there():
    found = worded("Tom waits. Nora waits. Two men enter.", "They fight.")
    assert (found.elements[-1].text, found.elements[-1].kind) == ("They fight.", SentenceKind.UNNAMED)


def test_a_title_is_said_with_its_name():
    said = texts("QUEEN RUTH sits on a throne.", "She opens a letter.")
    assert said[-1] == "Queen Ruth opens a letter."


def test_it_is_named_also_where_the_line_before_is_left_out():
    found = worded("A telephone rings. Nora picks it up with two fingers.")
    assert [element.kind for element in found.elements] == [SentenceKind.SOUND, SentenceKind.SEEN]
    assert found.elements[1].text == "Nora picks the telephone up with two fingers."


def test_what_was_before_is_no_action_of_a_text_in_the_present():
    found = worded(
        "Nora opens the door.", "Tom was the first of them to land here.", "She lights the lamp.", "Tom sits."
    )
    assert [element.kind for element in found.elements][:2] == [SentenceKind.SEEN, SentenceKind.TORN]
    told = worded("Nora opened the door.", "Tom was at the window.")
    assert [element.text for element in told.elements] == ["Nora opens the door.", "Tom is at the window."]


@pytest.mark.parametrize(
    ("direction", "said"),
    [
        ("Then goes inside.", "Ruth goes inside."),
        ("And then opens the drawer.", "Ruth opens the drawer."),
        ("Then laughs it off.", "Ruth laughs it off."),
    ],
)
def test_a_direction_after_then_or_and_gets_its_subject(direction, said):
    assert texts("Ruth unlocks the shed.", direction)[-1] == said


def test_they_are_the_two_of_a_film_for_two():
    said = worded_all([("Nora sits. Tom sits down.",), ("Tom puts on his cap. They leave arm in arm.",)])
    assert said[1].elements[-1].text == "Nora and Tom leave arm in arm."


def test_he_is_not_somebody_whom_the_scene_met_after_another_he():
    found = worded("He enters the temple.", "There is a monk on the floor.", "He takes off his shoes.")
    assert [element.text for element in found.elements][-1] == "He takes off his shoes."


def test_a_monk_in_a_line_is_not_its_him():
    found = texts("A monk sits on the floor.", "Without opening his eyes, the monk waves for him to sit down.")
    assert found[-1] == "Without opening his eyes, the monk waves for him to sit down."


def test_who_the_second_he_is_stays_as_open_as_the_first():
    found = texts("Tom sits.", "Dr. Julius Hoff enters.", "He leans on his stick.", "He sighs.")
    assert found[-1] == "He sighs."


def test_somebody_young_is_not_called_young():
    found = worded("Young Tom lies in bed. He has a dozen books around him.", names=("Young Tom", "Tom", "Young"))
    assert found.elements[-1].text.startswith(("Young Tom has", "He has", "Tom has"))


def test_nobody_is_he_in_a_breath_after_a_name_of_which_nothing_is_known():
    assert "Tom and Shaw act. He crawls around." not in breaths("Tom and Shaw act. Tom crawls around.")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("He looks up at her again, his face a blank.", "Tom looks up at Nora again, his face a blank."),
        ("He offers her his arm.", "Tom offers Nora his arm."),
        ("Tom sees her.", "Tom sees Nora."),
        ("He turns to face her coat.", "Tom turns to face her coat."),
    ],
)
def test_to_whom_somebody_does_something_is_named_too(line: str, said: str):
    assert texts("Nora combs her hair. She stands at the counter.", "Tom writes. His pen scratches.", line)[-1] == said


def test_two_verbs_without_a_subject_get_it():
    assert texts("Ruth backs away.", "Turns and heads back to the car.")[-1] == "Ruth turns and heads back to the car."


def test_a_name_that_the_parser_takes_for_a_thing_owns_what_is_his():
    assert texts("Nora nods. Tom refills her cup.")[-1] == "Tom refills Nora’s cup."
    found = worded("Gerald looks up. Harvey reaches into his jacket pocket.", names=("Gerald", "Harvey"))
    assert [each.text for each in found.elements] == ["Gerald looks up.", "Harvey reaches into his jacket pocket."]


def test_who_does_what_only_people_do_is_somebody_whom_he_may_mean():
    last = worded("The usher shrugs. He turns back; no Tom. He yells.").elements[-1]
    assert (last.text, last.kind) == ("He yells.", SentenceKind.UNNAMED)


def test_whoever_acts_beside_a_sound_is_not_the_sound():
    assert texts("There is laughter from above, as Tom falls off his chair and shakes the lamp, waking a dog.") == [
        "There is laughter from above, as Tom falls off his chair and shakes the lamp, waking a dog."
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Freeze frame on the geese.",
        "As a hand lifts the lid, reveal a room full of geese.",
        "The window and see.",
        "Nora has no idea that he lies.",
    ],
)
def test_what_is_asked_of_the_camera_or_cannot_be_known_is_no_line(text):
    assert worded(text).elements[-1].kind not in (SentenceKind.SEEN, SentenceKind.UNNAMED)


def test_no_breath_says_we():
    assert breaths("Tom flips a switch, and we can hear a hiss.") == []


def test_it_that_may_be_the_place_or_everything_is_let_be_or_left_out():
    assert worded("Nora opens the window. It is still light outside.").elements[-1].text == "It is still light outside."
    doubt = worded("Nora opens the window. It does not look good. It stops as fast as it began.").elements[-2:]
    assert [each.kind for each in doubt] == [SentenceKind.UNNAMED] * 2
