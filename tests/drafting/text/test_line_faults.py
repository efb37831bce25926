from __future__ import annotations

import pytest

from adstudio.drafting.text.line_faults import LineContext, LineFault, faults_of, faults_of_lines

KNOWN = LineContext(before=("Nora and Tom stand at the counter.", "The old man waits."))

FAULTY = {
    LineFault.VIEWER: (
        "We see a light at the end of the tunnel.",
        "Behind the curtain we discover a second door.",
        "The house is as we left it.",
        "You can see the sea from the window.",
        "She turns her back to us.",
        "The man smiles at the viewer.",
        "Let's not forget the dog.",
        "Her face comes toward us out of the fog.",
        "I see a red umbrella.",
        "I sees a red umbrella that is hidden by the clerk.",
        "He runs and I am late.",
        "When I look up, the clerk is gone.",
        "Slowly I turn round.",
        "I, too, run.",
        "A house that I’ve seen before.",
        "The clerk looks at me.",
        "My umbrella lies under the counter.",
        "Tom takes my hand.",
        "I cut myself.",
        "A friend of mine.",
    ),
    LineFault.CAMERA: (
        "The camera pans across the roofs.",
        "The camera finds Nora at the window.",
        "Tom walks toward the camera.",
        "A close-up of the key.",
        "Wide shot of the harbour at dawn.",
        "Nora enters frame.",
        "Smash cut to a burning barn.",
        "Tom waits off-screen.",
        "Angle on the clock.",
        "The scene changes to a garden.",
        "Dissolve to the same street in winter.",
    ),
    LineFault.PRODUCTION: (
        "A beat.",
        "Nora sits down. Beat.",
        "Tom takes a beat.",
        "Fade in.",
        "Music up and under.",
        "Long pause.",
    ),
    LineFault.SOUND: (
        "The phone rings.",
        "The sound of an engine outside.",
        "A siren wails in the distance.",
        "Footsteps are heard on the stairs.",
        "Thunder.",
        "Soft music plays.",
        "A horn drowns his voice.",
        "Laughter echoes in the hall.",
    ),
    LineFault.NEGATION: (
        "Tom does not like the tie.",
        "Nobody lives here.",
        "Nothing remains of the bridge.",
        "The shop is not open.",
        "Nora isn't at home.",
        "None of them carries a lamp.",
    ),
    LineFault.UNFILMABLE: (
        "They have not spoken in years.",
        "Nora knows that the letter is lost.",
        "Tom remembers his first day at school.",
        "It has rained like this since the morning.",
        "He takes this road every morning.",
        "Nora regrets her words.",
        "The house must have been grand once.",
        "Why does she stay?",
        "It is clear that nobody will come, of course.",
    ),
    LineFault.TENSE: (
        "Nora opened the door.",
        "Tom will leave in the morning.",
        "The men were digging in the garden.",
        "She walked to the window.",
        "The boat sank.",
    ),
    LineFault.SUBJECT: (
        "The ring on his finger, he glints.",
        "Walking down the road, the rain begins to fall.",
        "Looking up, the clock says seven.",
        "Nora flickers in the wind.",
        "He billows behind the mast.",
        "Turning the page, her hand trembles.",
    ),
    LineFault.PRONOUN: (
        "She opens the door.",
        "His coat is wet.",
        "He looks at Nora.",
        "They shake hands.",
        "The dog runs up to him.",
        "Her eyes are closed.",
    ),
}

RIGHT = (
    "Nora opens the door.",
    "A man in a grey suit sits on the bed and talks on the phone.",
    "Tom, in a red tie, hides the umbrella.",
    "Nora does not look up.",
    "Nora waits at the door.",
    "Night.",
    "At the foot of the stairs, a red umbrella.",
    "The sign says: we are closed.",
    "On the wall a poster reads “You will be seen”.",
    "Tom lifts the camera and takes her picture.",
    "Nora pours two shots of whisky.",
    "The musicians beat time with their feet.",
    "A bell in her hand, Nora runs down the street.",
    "Tom rings the bell.",
    "The ring on Tom's finger glints.",
    "With her bag over her head, Nora hurries past.",
    "Lying on the table, the key glints.",
    "Running full tilt, Leo vaults a fence.",
    "The train moves off.",
    "Nora puts the letter on the table.",
    "Tom cuts the bread and hits the table with his hand.",
    "The band plays and couples dance.",
    "The waiter frowns, picks up his tray and leaves.",
    "Nora studies her map.",
    "In the background, two boys fight.",
    "The light fades.",
    "Nora pauses at the gate.",
    "Couples lie on the grass with their shoes off.",
    "The girl hides her face.",
    "Tom stares into space, his hair dishevelled.",
    "Nora mouths 'Now you see it'.",
    "Walls not covered by pictures are bare.",
    "At the gate, a box marked with a cross.",
)


@pytest.mark.parametrize(("kind", "text"), [(kind, text) for kind, texts in FAULTY.items() for text in texts])
def test_a_planted_fault_is_found(kind, text):
    context = LineContext() if kind is LineFault.PRONOUN else KNOWN
    assert kind in faults_of(text, context)


@pytest.mark.parametrize("text", RIGHT)
def test_a_describers_line_has_no_fault(text):
    assert faults_of(text) == ()


def test_a_pronoun_is_right_once_somebody_whom_it_could_mean_is_named():
    assert faults_of("She opens the door.", LineContext(before=("Nora comes up the path.",))) == ()
    assert faults_of("She opens the door.", LineContext(before=("A woman comes up the path.",))) == ()
    assert faults_of("She opens the door.", LineContext(before=("A man comes up the path.",))) == (LineFault.PRONOUN,)
    assert faults_of("She opens the door.", LineContext(before=("The house is dark.",))) == (LineFault.PRONOUN,)
    assert faults_of("They open the door.", LineContext(before=("Two men come up the path.",))) == ()


def test_one_name_opens_at_most_two_lines_in_a_row():
    before = ("Nora sits down.", "Nora opens her bag.")
    assert faults_of("Nora takes out a glove.", LineContext(before=before)) == (LineFault.SAME_NAME,)
    assert faults_of("She takes out a glove.", LineContext(before=before)) == ()
    assert faults_of("Tom takes out a glove.", LineContext(before=before)) == ()
    assert faults_of("Nora takes out a glove.", LineContext(before=before[1:])) == ()
    assert faults_of("Nora's hand shakes.", LineContext(before=before)) == ()


@pytest.mark.parametrize(
    "text",
    [
        "Elizabeth I walks past her guards.",
        "Soldiers of World War I march by.",
        "The letter I is missing from the sign.",
        "Heroes of world war I wave from a lorry.",
        "A banner reads I love New York.",
        "Workers carry an I-beam.",
        "A door marked with the numeral I opens.",
        "Nora writes “I love you” on the glass.",
        "Nora writes: I miss my dog.",
        "Men leave the mine.",
        "They walk to the old mine.",
        "A poster for My Fair Lady hangs by the door.",
        "My Linh opens the door.",
        "Act I begins on the small stage.",
        "A truck leaves I-95.",
    ],
)
def test_a_numeral_a_letter_and_a_quotation_are_no_narrator(text):
    assert LineFault.VIEWER not in faults_of(text, KNOWN)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("de", "Er meint den Hut und geht."),
        ("de", "Sie meinen es ernst."),
        ("fr", "Monsieur Ma ouvre la porte."),
        ("es", "Un niño juega con un yo-yo."),
        ("es", "Toca una sonata en mi menor."),
    ],
)
def test_words_like_a_narrators_in_other_languages_are_none(language, text):
    assert faults_of(text, LineContext(language)) == ()


@pytest.mark.parametrize(
    ("language", "text", "kind"),
    [
        ("de", "Wir sehen ein Haus am See.", LineFault.VIEWER),
        ("de", "Ich sehe einen roten Schirm.", LineFault.VIEWER),
        ("de", "Er nimmt meinen Hut.", LineFault.VIEWER),
        ("fr", "J’ouvre la porte.", LineFault.VIEWER),
        ("fr", "Il prend mon chapeau.", LineFault.VIEWER),
        ("es", "Yo abro la puerta.", LineFault.VIEWER),
        ("es", "Toma mi sombrero.", LineFault.VIEWER),
        ("de", "Die Kamera fährt über die Dächer.", LineFault.CAMERA),
        ("fr", "On voit une maison au bord du lac.", LineFault.VIEWER),
        ("fr", "Gros plan sur la clé.", LineFault.CAMERA),
        ("es-MX", "Vemos una casa junto al lago.", LineFault.VIEWER),
        ("es", "Primer plano de la llave.", LineFault.CAMERA),
    ],
)
def test_the_words_of_the_screen_are_known_in_other_languages(language, text, kind):
    assert faults_of(text, LineContext(language)) == (kind,)


def test_what_english_grammar_finds_is_not_looked_for_in_other_languages():
    assert faults_of("Sie öffnete die Tür.", LineContext("de")) == ()
    assert faults_of("Ella abre la puerta.", LineContext("es")) == ()


def test_many_lines_are_judged_as_each_alone():
    lines = [(text, KNOWN) for texts in FAULTY.values() for text in texts] + [
        ("", KNOWN),
        ("Tür zu.", LineContext("de")),
    ]
    assert faults_of_lines(lines) == tuple(faults_of(text, context) for text, context in lines)


def test_no_text_is_too_odd():
    for text in ("", " ", "…", "“", "?" * 3000, "a " * 60_000, "\n\n", "He", ":"):
        faults_of(text)
