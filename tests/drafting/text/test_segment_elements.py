from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adstudio.drafting.text.language.grammar import LONGEST_TEXT
from adstudio.drafting.text.segment.elements import elements_of
from adstudio.drafting.text.segment.screenplay_cleanup import without_shouting
from adstudio.drafting.text.segment.sentence_kind import SentenceKind


def elements(description, *, language="en", names=()):
    return elements_of([description], language=language, names=names)[0]


def extracts(description: str) -> list[str]:
    return [element.extract for element in elements(description)]


def texts(description: str) -> list[str]:
    return [element.text for element in elements(description)]


# The paper's worked example (its table of description elements) and first figure.
PAPER = [
    "Lisbeth stands with her hands on a table in an upmarket Stockholm tailor shop.",
    "The shop has large windows",
    "that look out onto a road with parked cars,",
    "and there are two mannequin torsos in front of the window.",
    "A tailor is standing behind a large table.",
    "He is a bald white man,",
    "wearing a blue shirt and a brown vest.",
    "The tailor drapes a garment bag across the table",
    "and unzips it.",
    "It contains a black, leather motorcycle jacket.",
    "It is identical to Mikael's jacket in a slide that Lisbeth is holding.",
    "The slide shows Mikael and Erika embracing.",
    "The tailor zips the garment bag back up.",
    "Lisbeth looks surprised by the tailor's comment,",
    "and gives him a wistful look.",
]
FIGURE = [
    "Lisbeth rides her motorcycle down a cobbled street with snow piled at the curbside.",
    "She parks on a corner outside Mikael's apartment",
    "and removes her crash helmet.",
    "She takes a package from the back of the bike,",
    "but stops dead when she sees Mikael leave his apartment with Erika.",
    "She watches numbly as the couple walk away with their arms around each other.",
    "Lisbeth looks down as Mikael and Erika get into a waiting taxi.",
    "Lisbeth turns away and flings the package which has the card attached to it into a nearby dumpster.",
    "She puts her crash helmet back on,",
    "gets on her bike",
    "and starts it up.",
    "A solitary figure, she rides off into the night.",
]


@pytest.mark.parametrize("gold", [PAPER, FIGURE])
def test_the_papers_examples_are_cut_as_they_are_in_the_paper(gold: list[str]):
    assert extracts(" ".join(gold)) == gold


def test_the_papers_elements_stand_alone():
    said = dict(zip(PAPER, texts(" ".join(PAPER)), strict=True))
    assert said["and unzips it."] == "The tailor unzips it."
    assert said["wearing a blue shirt and a brown vest."] == "He wears a blue shirt and a brown vest."
    assert said["and gives him a wistful look."] == "Lisbeth gives him a wistful look."
    assert said["that look out onto a road with parked cars,"] == (
        "The large windows look out onto a road with parked cars."
    )


@pytest.mark.parametrize(
    ("description", "sentences"),
    [
        (
            "She parks, takes a package from the pannier and unzips it.",
            ["She parks.", "She takes a package from the pannier.", "She unzips it."],
        ),
        ("Anna parks and unzips it.", ["Anna parks.", "Anna unzips it."]),
        ("Anna waits by the gate, looking at her watch.", ["Anna waits by the gate.", "Anna looks at her watch."]),
        ("Two men climb out and open the doors.", ["Two men climb out.", "They open the doors."]),
        ("Anna and Tom walk to the car and get in.", ["Anna and Tom walk to the car.", "They get in."]),
        ("She folds the letter, not looking at him.", ["She folds the letter.", "She does not look at him."]),
        ("An old man lies in bed, his hands trembling.", ["An old man lies in bed.", "His hands tremble."]),
        ("Ida stops, fists ready for a fight.", ["Ida stops, fists ready for a fight."]),
        ("He waits, hands in his pockets, and hums.", ["He waits, hands in his pockets, and hums."]),
        ("Ida is a small, limping woman with a stick.", ["Ida is a small, limping woman with a stick."]),
        (
            "The crowd cheers as Ned, who's hat is gone, walks up to the stage.",
            ["The crowd cheers as Ned, whose hat is gone, walks up to the stage."],
        ),
        ("He walked off, humming a tune.", ["He walked off.", "He was humming a tune."]),
        (
            "She hurries past the receptionist, who is talking on the phone.",
            ["She hurries past the receptionist.", "The receptionist is talking on the phone."],
        ),
        ("Tearing a sheet from his face, he looks around.", ["He tears a sheet from his face.", "He looks around."]),
        (
            "Outside the window Nora hurries past and holds her bag over her head.",
            ["Outside the window Nora hurries past.", "Nora holds her bag over her head."],
        ),
        (
            "A woman in a red scarf watches him, her face half hidden by the brim of her hat.",
            ["A woman in a red scarf watches him.", "Her face is half hidden by the brim of her hat."],
        ),
        (
            "An old man lies on the bed, his hands slowly trembling.",
            ["An old man lies on the bed.", "His hands slowly tremble."],
        ),
        ("Behind the curtain Tom waits and counts to ten.", ["Behind the curtain Tom waits.", "Tom counts to ten."]),
        (
            "Nora sits down. Takes off one glove. Puts it down.",
            ["Nora sits down.", "Nora takes off one glove.", "Nora puts it down."],
        ),
        (
            "She stops. Takes off her coat and hangs it up.",
            ["She stops.", "She takes off her coat.", "She hangs it up."],
        ),
        ("Kids run through the sprinklers, laughing and shouting.", None),
        ("The old woman opens the door; a cat darts out.", ["The old woman opens the door.", "A cat darts out."]),
        ("Baxter sits at the piano and doesn't hear the phone.", None),
    ],
)
def test_each_eventuality_is_a_sentence_of_its_own(description: str, sentences: list[str] | None):
    expected = sentences or {
        "K": ["Kids run through the sprinklers.", "They laugh and shout."],
        "B": ["Baxter sits at the piano.", "Baxter doesn't hear the phone."],
    }.get(description[0])
    found = elements(description)
    assert [element.text for element in found] == expected
    assert all(element.complete for element in found)


@pytest.mark.parametrize(
    "description",
    [
        "She lifts and examines the box.",
        "She picks up and opens the letter.",
        "He collects stamps and coins in the attic.",
        "He carries a spade and buckets for the sand.",
        "She wants to run and hide.",
        "They begin to shout and push the door.",
        "A man who sits by the fire and reads a book looks up.",
        "When she stops and turns, he is gone.",
        "Anna, who wears a red coat, walks in.",
        "Two men in suits, their faces grim, step out.",
        'The sign reads "Stop here, turn round and go home".',
        "White letters appear over the wet roofs: Things Turn Up.",
        "The last line reads: dinner is served.",
        "Nora comes in: one hand gloved in green, the other bare.",
        "The front door opens and Kate, wearing all black, somberly enters the living room.",
        "She says she is fine and closes the door.",
        "No one moves or speaks.",
        "He looks back over his shoulder at Nora, still eating.",
        "He blushes, and so does she.",
        "Eve watches the boys in the yard, who are trying to lift a goat.",
        "Anna nods to the guards at the gate, who open it.",
        "With the last of his strength the swimmer reaches the rope, hangs on to it and is pulled over the side.",
        "She takes his pulse, her eyes on the clock.",
        "The platform is crowded with soldiers, nurses and children.",
    ],
)
def test_where_a_cut_would_break_something_or_is_in_doubt_there_is_none(description: str):
    assert extracts(description) == [description]


@pytest.mark.parametrize(
    ("description", "said", "complete"),
    [
        ("We see Anna run through the trees.", "Anna runs through the trees.", True),
        ("We watch him leave.", "He leaves.", True),
        ("We see two men.", "Two men.", False),
        ("Close on the key.", "The key.", False),
        ("Close on a KEY.", "A key.", False),
        ("ANNA (30s) runs.", "Anna runs.", True),
        ("Anna (40s, tired) runs.", "Anna runs.", True),
        ("CUT TO: A torch beam.", "A torch beam.", False),
        ("Night.", "Night.", False),
        ("Tom jumps up & down on the bed.", "Tom jumps up and down on the bed.", True),
        ("SUPER: “Thursday”", "A caption: Thursday.", False),
        ("TITLE CARD: three years later", "A caption: Three years later.", False),
        ("SMASH CUT TO her face.", "Her face.", False),
        ("HOLD ON her face.", "Her face.", False),
        ("FADE IN on a desert road.", "A desert road.", False),
        ("Wide shot of the city.", "The city.", False),
        ("SERIES OF SHOTS: a hand turning a dial.", "A hand turning a dial.", False),
        ('TITLE OVER BLACK: "Day One".', "A caption: Day One.", False),
        ("SMASH CUT TO her face: she cracks up.", "She cracks up.", True),
        ("FLASHBACK - two girls on a swing.", "In a flashback, two girls on a swing.", False),
        ("Opens the fridge.", "Opens the fridge.", False),
        ("Runs to the window.", "Runs to the window.", False),
    ],
)
def test_a_screenplays_shorthand_is_put_into_plain_words(description: str, said: str, complete: bool):
    (element,) = elements(description)
    assert (element.extract, element.text, element.complete) == (description, said, complete)


@pytest.mark.parametrize(
    ("description", "what"),
    [
        ("FADE IN:", SentenceKind.PRODUCTION),
        ("CUT TO BLACK.", SentenceKind.PRODUCTION),
        ("FLASHBACK - 1985", SentenceKind.PRODUCTION),
        ("FLASHBACK (1985)", SentenceKind.PRODUCTION),
        ("CAMERA PANS to the stairs.", SentenceKind.PRODUCTION),
        ("Slowly the camera pulls back.", SentenceKind.PRODUCTION),
        ("The camera takes a picture.", SentenceKind.SEEN),
        ("We pan across the room.", SentenceKind.PRODUCTION),
        ("MUSIC UP.", SentenceKind.PRODUCTION),
        ("BACK TO ROOFTOP", SentenceKind.PRODUCTION),
        ("INTERCUT WITH:", SentenceKind.PRODUCTION),
        ("A beat.", SentenceKind.PRODUCTION),
        ("END FLASHBACK.", SentenceKind.PRODUCTION),
        ("(pause)", SentenceKind.PRODUCTION),
        ("A bell rings.", SentenceKind.SOUND),
        ("The phone rings again.", SentenceKind.SOUND),
        ("The music swells.", SentenceKind.SOUND),
        ("Thunder.", SentenceKind.SOUND),
        ("We hear a woman's laugh.", SentenceKind.SOUND),
        ("A dog barks somewhere.", SentenceKind.SOUND),
        ("A dog barks at the postman.", SentenceKind.SEEN),
        ("FREEZE FRAME.", SentenceKind.PRODUCTION),
        ("TIME CUT.", SentenceKind.PRODUCTION),
        ("A horn drowns his voice.", SentenceKind.SEEN),
        ("Back to work.", SentenceKind.SEEN),
        ("She cuts to the bone.", SentenceKind.SEEN),
        ("The camera falls off the table and breaks.", SentenceKind.SEEN),
        ("The band plays music.", SentenceKind.SEEN),
        ("We hold hands.", SentenceKind.SEEN),
        ("Her ring shines.", SentenceKind.SEEN),
    ],
)
def test_what_is_not_seen_is_told_from_what_is(description: str, what: SentenceKind):
    assert {element.kind for element in elements(description)} == {what}


@pytest.mark.parametrize(
    "description", ["Nora hands Tom the key. Opens the door.", "The rain stops. Opens the door.", "Opens the door."]
)
def test_who_does_it_is_not_guessed(description: str):
    *_, last = elements(description)
    assert (last.text, last.complete) == ("Opens the door.", False)


@pytest.mark.parametrize(
    "description",
    [
        "She draws out a glove, lays it on the empty bench beside her and, with one finger, strokes it straight.",
        "Tom takes the key and, smiling, opens the door.",
        "Leo folds the letter and, without so much as a glance at the portrait above the fireplace, leaves the room.",
        "She counts the strokes and then, very slowly, begins to undo the buttons of her coat.",
        "The tailor takes the bag and, without a word, unzips it.",
        "Anna closes the book and, after a moment, turns off the lamp.",
    ],
)
def test_no_conjunction_is_left_hanging_before_an_aside(description: str):
    for element in elements(description):
        assert element.complete
        hanging = (" and.", "finger.", "word.", "moment.", "fireplace.", "slowly.", "Smiling, Tom.")
        assert not element.text.endswith(hanging)


def test_after_a_relative_clause_nobody_guesses_whose_verb_it_is():
    first, second = texts("He mouths something to Lily, who shrugs, and goes back to painting her nails.")
    assert first == "He mouths something to Lily."
    assert second == "Lily shrugs, and goes back to painting her nails."


def test_what_is_written_is_not_cut_from_what_says_so():
    description = "Under today's date it says: supper for two, eight o'clock, and the owner's space is blank."
    said, *rest = texts(description)
    assert said.startswith("Under today's date it says: supper for two, eight o'clock")
    assert not any("upper" in text for text in rest)


def test_no_gender_is_invented():
    said = texts("A doctor enters the ward and washes both hands. Robin stops at a bed and reads the chart.")
    assert said == [
        "A doctor enters the ward.",
        "The doctor washes both hands.",
        "Robin stops at a bed.",
        "Robin reads the chart.",
    ]


def test_offsets_are_those_of_the_description_as_it_was_written():
    description = "  JACK (30s)\n lies on a   bed,\tstaring at the CEILING.  "
    first, second = elements(description)
    assert (first.extract, first.text) == ("JACK (30s)\n lies on a   bed,", "Jack lies on a bed.")
    assert (second.extract, second.text) == ("staring at the CEILING.", "Jack stares at the ceiling.")


def test_an_empty_line_ends_a_sentence():
    assert extracts("Anna waits by\nthe gate\n \nTom runs") == ["Anna waits by\nthe gate", "Tom runs"]


def test_names_of_the_characters_are_told_from_things():
    (element,) = elements("He hands PIKE the ROPE.", names=["Captain Pike"])
    assert element.text == "He hands Pike the rope."


def test_other_languages_are_cut_into_sentences():
    description = "Er geht z. B. nach Hause und schläft. Sie bleibt,\nweil es regnet."
    found = elements(description, language="de-DE")
    assert [(element.text, element.complete) for element in found] == [
        ("Er geht z. B. nach Hause und schläft.", True),
        ("Sie bleibt, weil es regnet.", True),
    ]
    assert found[1].extract == "Sie bleibt,\nweil es regnet."


@pytest.mark.parametrize(
    ("description", "language"),
    [
        ("Она улыбается и уходит.", "ru"),
        ("Она улыбается и уходит.", "en"),
        ("Η ΝΟΡΑ μπαίνει.", "el"),
        ("雨が小さな駅に降っている。", "ja"),
        ("雨が小さな駅に降っている。", "en"),
        ("NORA entra", "pt"),
    ],
)
def test_another_language_is_left_as_it_is_written(description: str, language: str):
    assert [element.text for element in elements(f" {description}\n", language=language)] == [description]


@pytest.mark.parametrize(
    ("description", "sentences"),
    [
        (
            "A CAT WALKS ALONG THE SHELF AND KNOCKS OVER A BLUE CUP.",
            ["A cat walks along the shelf.", "The cat knocks over a blue cup."],
        ),
        (
            "Ruth TAKES A SOCK from a BUCKET and gives it to a BOY in a RED HAT.",
            ["Ruth takes a sock from a bucket.", "Ruth gives it to a boy in a red hat."],
        ),
        ("HE HOLDS UP AN UMBRELLA. I SEE A DOG.", ["He holds up an umbrella.", "I see a dog."]),
        ("A BOY waves.", ["A boy waves."]),
        ("RUTH SEES A KRAKEN.", ["Ruth sees a kraken."]),
        ("Ruth takes VITAMIN A.", ["Ruth takes vitamin A."]),
    ],
)
def test_action_in_capitals_loses_them_and_its_articles_too(description: str, sentences: list[str]):
    assert [element.text for element in elements(description, names=("Ruth",))] == sentences


@pytest.mark.parametrize(
    ("description", "language", "said"),
    [
        ("UN CHAT MARCHE SUR L'ÉTAGÈRE.", "fr", "Un chat marche sur l'étagère."),
        ("RITA APRE LA PORTA A BRUNO.", "it", "Rita apre la porta a Bruno."),
        ("EL GATO TIRA UNA TAZA.", "es", "El gato tira una taza."),
        ("КОШКА РОНЯЕТ ЧАШКУ.", "ru", "Кошка роняет чашку."),
        ("KADIN KAPIYI AÇAR.", "tr", "Kadın kapıyı açar."),
        ("Il lit UN LIVRE.", "fr", "Il lit un livre."),
        ("Legge UN LIBRO.", "it", "Legge un libro."),
        ("Lê UM LIVRO.", "pt", "Lê UM LIVRO."),
        ("EINE KATZE LÄUFT WEG.", "de", "EINE KATZE LÄUFT WEG."),
    ],
)
def test_action_in_capitals_in_other_languages(description: str, language: str, said: str):
    assert [each.text for each in elements(description, language=language, names=("RITA", "BRUNO"))] == [said]


@pytest.mark.parametrize(
    ("description", "said"),
    [
        ("TOM FINCH, the clerk, writes.", "Tom Finch, the clerk, writes."),
        ("TOM RUNS.", "Tom runs."),
        ("MRS KLEIN waits.", "Mrs Klein waits."),
        ("They GO OVER THE EDGE from only INCHES AWAY.", "They go over the edge from only inches away."),
        ("He drops TOM'S VW keys.", "He drops Tom's VW keys."),
        ("TOM VALE writes.", "Tom Vale writes."),
    ],
)
def test_a_surname_in_capitals_stays_a_name(description: str, said: str):
    assert [element.text for element in elements(description, names=["Tom", "The Man"])] == [said]


def test_many_at_once_are_as_one_by_one():
    descriptions = [" ".join(PAPER), "", "  ", "Night.", " ".join(FIGURE)]
    assert elements_of(descriptions) == tuple(map(elements, descriptions))
    assert [len(found) for found in elements_of(descriptions)] == [15, 0, 0, 1, 12]


def test_a_description_too_long_is_refused():
    with pytest.raises(ValueError, match="100000 characters"):
        elements("a" * (LONGEST_TEXT + 1))


@pytest.mark.parametrize("sentence", sorted({text for gold in (PAPER, FIGURE) for text in texts(" ".join(gold))}))
def test_a_sentence_that_stands_alone_is_one_element_and_stays_as_it_is(sentence: str):
    if sentence.startswith("Lisbeth turns away"):
        assert len(elements(sentence)) == 1
        return
    (element,) = elements(sentence)
    assert element.text == sentence


SUBJECTS = ["Anna", "The old man", "Two boys", "She", "They", "A DOG", "Someone", "No one", "JACK (30s)"]
VERBS = ["opens the door", "turn round", "walks off", "was gone", "looks (again)", 'says "Go, and stay"', "kneels"]
JOINS = [
    " and ",
    ", ",
    ", then ",
    "; ",
    " -- ",
    ", looking up, ",
    ", who smiles, ",
    " but ",
    " as she ",
    ". ",
    "… ",
    "\n\n",
]


@given(st.lists(st.sampled_from([*SUBJECTS, *VERBS, *JOINS]), max_size=14).map(" ".join))
@settings(max_examples=60, deadline=None)
def test_elements_cover_composed_sentences(description: str):
    check(description)


@given(st.text(max_size=200))
@settings(max_examples=60, deadline=None)
def test_elements_cover_any_text(description: str):
    check(description)


@pytest.mark.parametrize(
    "description",
    [
        "\x00\x01 He runs.\x07",
        "😀 runs 🏃 and 🙂.",
        "(((",
        '"',
        "“Go.",
        "—",
        ".",
        "…",
        "a" * 5000,
        "He runs.\n\n" + "(" * 20_000 + "x\n\nShe waits.",
        '"' * 20_000 + "x",
        "a " * 3000,
        "BIG CAR " * 400,
        ", ".join(["runs"] * 300),
    ],
)
def test_elements_cover_odd_texts(description: str):
    check(description)


def check(description: str) -> None:
    found = elements(description)
    before = 0
    if not any(map(str.isalnum, description)):
        assert found == ()
        return
    for element in found:
        assert element.extract == description[element.start : element.end]
        assert element.extract.strip() == element.extract != ""
        assert not description[before : element.start].strip()
        assert element.text == element.text.strip() != ""
        assert "\n" not in element.text
        before = element.end
    assert not description[before:].strip()


def test_a_verb_has_the_subject_of_the_clause_that_it_is_joined_to():
    said = texts(
        "Ruth rests her head on the wall, and after a minute, without a word, he lifts the crate and carries it out."
    )
    assert said[-1] == "He carries it out."
    assert texts("Ruth lifts the crate and carries it out.")[-1] == "Ruth carries it out."


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("We see a girl, MARA (9), hiding behind the stove.", "A girl, Mara, hides behind the stove."),
        ("We see a sailor, limping along the quay.", "A sailor limps along the quay."),
        ("We see a sailor on the quay.", "A sailor on the quay."),
    ],
)
def test_what_we_see_somebody_do_is_said_of_them(written, said):
    assert texts(written) == [said]


def test_three_things_that_one_person_does_are_one_list_in_a_breath():
    found = elements("Harlan tilts his head, takes the pipe out of his mouth, and crosses to the door.")
    said = [text for element in found for _, text in element.breaths]
    assert not any(" and takes" in text and ", and crosses" in text for text in said)


def test_a_first_name_in_capitals_before_the_surname_of_a_speaker_is_a_name():
    found = elements("The guard waves to PENNY FROST, his sister.", names=("Frost",))
    assert any("Penny Frost" in element.text for element in found)


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("Leo watches as", "Leo watches."),
        ("Leo keeps waving because", "Leo keeps waving."),
        ("Leo runs, just as", "Leo runs."),
        ("Leo is dressed as a sailor", "Leo is dressed as a sailor."),
    ],
)
def test_a_sentence_that_a_heading_tears_ends_before_its_conjunction(written, said):
    assert texts(written) == [said]


def test_what_either_of_two_may_do_is_not_cut_off():
    written = "Leo turns away as Ruth fumbles with her bag, pulling out a whistle."
    assert texts(written) == [written]
    assert texts("Ruth crosses the yard, drawing her silver pistol.")[-1] == "Ruth draws her silver pistol."


@pytest.mark.parametrize(
    ("written", "plain"),
    [
        ("BY HIS FEET: A RED UMBRELLA.", "By his feet: a red umbrella."),
        ("TOM'S HAND ADDS: UMBRELLA, RED.", "Tom's hand adds: umbrella, red."),
        ("HE SITS. ON THE WALL: A CLOCK. THE BELL: NORA.", "He sits. On the wall: a clock. The bell: Nora."),
        ("SUPPER FOR TWO, EIGHT O'CLOCK.", "Supper for two, eight o'clock."),
        ("Over the door: KEEP OUT.", "Over the door: Keep out."),
        ("By his feet: a red umbrella.", "By his feet: a red umbrella."),
    ],
)
def test_what_follows_a_colon_has_a_capital_only_where_capitals_show_that_it_is_written(written: str, plain: str):
    assert without_shouting(written, ("Tom", "Nora")) == plain


def test_a_participle_after_what_somebody_sees_is_not_said_of_who_sees_it():
    text = "Ida looks up in time to see a balloon drop into view, hovering over the roof."
    assert [each.text for each in elements_of([text])[0]] == [text]


def test_a_clause_about_what_its_sentence_spoke_of_stays_with_it():
    text = "A knife is in his hand and it is pointed at Ida."
    assert [each.text for each in elements_of([text])[0]] == [text]


def test_what_is_written_keeps_the_mark_that_closes_it():
    found = elements_of(["Ida opens a page for 'Old Clocks of the North.'"])[0]
    assert [each.text for each in found] == ["Ida opens a page for 'Old Clocks of the North.'"]


def test_an_owner_in_capitals_is_written_as_a_name_whatever_the_s():
    assert elements_of(["IDA's hat falls."], names=("Ida",))[0][0].text == "Ida's hat falls."


def test_what_follows_somebody_elses_deed_is_not_said_of_the_first():
    said = [each.text for each in elements_of(["Ruth counts to three and on zero, Leo pivots, kicks in the door."])[0]]
    assert not any(text.startswith("Ruth kicks") for text in said)


@pytest.mark.parametrize(
    ("shouted", "said"),
    [
        ("A sleek ICBM erupts from the ground.", "A sleek ICBM erupts from the ground."),
        ("A UFO hovers.", "A UFO hovers."),
        ("Tom shakes hands with AL.", "Tom shakes hands with Al."),
        ("This is the home of THE BOY BAND, AKA DAN and JACK.", "This is the home of the boy band, aka Dan and Jack."),
    ],
)
def test_initials_keep_their_capitals_and_aka_is_no_name(shouted, said):
    assert [element.text for element in elements_of([shouted], names=("Dan", "Jack"))[0]] == [said]


@pytest.mark.parametrize(
    ("text", "never"),
    [
        ("Helen discovers Steph posing by a mirror, taking a picture.", "Helen takes a picture."),
        ("Helen’s face falls, clearly bothered by the noise.", "Helen’s face is clearly bothered by the noise."),
        ("The crowd cheers as James, who’s tall, goes up to collect his prize.", "James ’s tall."),
    ],
)
def test_what_another_does_or_feels_is_not_said_of_the_subject(text, never):
    assert never not in [element.text for element in elements_of([text], names=("Helen", "Steph", "James"))[0]]


def test_a_flashback_is_said_to_be_one():
    (found,) = elements_of(["Flashback: The girl sits alone in the canteen."])[0]
    assert found.text == "In a flashback, the girl sits alone in the canteen."
