"""One screenplay each in German, French and Spanish, with subtitles, drafted sentence by sentence."""

from __future__ import annotations

from pathlib import Path

import pytest

from adstudio.drafting.text.text_drafting import Drafted, Footage, from_screenplay
from adstudio.screenplay.file import read_screenplay
from adstudio.subtitles.dialogue import dialogue
from adstudio.subtitles.reading import read_subtitles

FOLDER = Path(__file__).parents[2] / "data" / "languages"
FILMS = {
    "de": ("leuchtturm.fountain", 160_000),
    "fr": ("boulangerie.txt", 150_000),
    "es": ("estacion.fountain", 135_000),
}
SCENES = {
    "de": [
        "AUSSEN. HAFEN - TAG",
        "INNEN. LEUCHTTURM / TREPPE - TAG",
        "AUSSEN. STRAND - ABEND (RÜCKBLENDE)",
        "INNEN/AUSSEN. LEUCHTTURM / LATERNENRAUM - NACHT",
    ],
    "fr": [
        "INT. BOULANGERIE - AUBE",
        "EXT. PLACE DU MARCHÉ - JOUR",
        "INT./EXT. CAMIONNETTE - JOUR",
        "INT. SALLE DES FÊTES - SOIR",
    ],
    "es": ["EXTERIOR. ESTACIÓN. DÍA.", "INT. SALA DE ESPERA - DÍA", "EXT. ANDÉN - NOCHE"],
}
LINES = {
    "de": [
        "Möwen kreisen über dem grauen Wasser.",
        "Hanna, in einer gelben Öljacke, zieht ein Boot an den Steg.",
        "Dr. Weber steht z. B. nie still: Er geht auf und ab.",
        "Am 3. Mai steht rot im Kalender in seiner Hand.",
        "Er reicht ihr einen Schlüssel.",
        "Hanna steckt ihn in die Tasche.",
        "Eine enge Wendeltreppe.",
        "Hanna steigt hinauf, in der linken Hand eine Lampe.",
        "Das Telefon klingelt.",
        "Im 2. Stock bleibt sie stehen.",
        "An der Wand hängt ein Foto: ein Mädchen mit einem Drachen.",
        "Musik setzt ein.",
        "Eine Einblendung: Für Hanna, Sommer 1989.",
        "Ein kleines Mädchen rennt mit einem roten Drachen über den Sand.",
        "Ihre Mutter läuft lachend hinterher.",
        "Das Mädchen stolpert.",
        "Der Drachen steigt in den Himmel und verschwindet.",
        "Hanna zündet die große Lampe an.",
        "Ein heller Lichtstrahl fällt über das Meer.",
        "Weber tritt neben sie und nimmt den Hut ab.",
        "Weit draußen antwortet ein Schiff mit drei kurzen Blitzen.",
    ],
    "fr": [
        "Une petite boutique aux volets bleus.",
        "Claire pétrit la pâte.",
        "Son fils Lucas entre avec un panier vide.",
        "Il s'assoit sur un sac de farine.",
        "M. Dupont, le 1er client, pousse la porte : la clochette tinte.",
        "Le soleil chauffe les pavés.",
        "Lucas court entre les étals, son panier plein de croissants.",
        "On entend une fanfare.",
        "Il heurte une vieille dame ; les croissants roulent par terre.",
        "Un carton : Une heure plus tard.",
        "Claire conduit, les mains couvertes de farine.",
        "Lucas pleure à côté d'elle.",
        "Elle lui tend un mouchoir.",
        "Les mariés dansent sous des guirlandes.",
        "La vieille dame s'avance vers Lucas et lui offre un croissant.",
        "Le téléphone sonne.",
        "Il sourit et croque dedans.",
        "Musique.",
    ],
    "es": [
        "Un andén desierto bajo el sol.",
        "Elena, con una maleta verde, mira el reloj.",
        "El Sr. Vega barre el suelo.",
        "¿La ha visto?",
        "No levanta la cabeza.",
        "Elena deja caer la maleta.",
        "Bancos de madera cubiertos de polvo.",
        "Elena se sienta y abre una carta.",
        "Se oye un silbato lejano.",
        "Él le enseña 1 foto del año 1962.",
        "En ella, un hombre joven sonríe con un ramo en la mano.",
        "Suena el teléfono.",
        "Un rótulo: Esa misma noche.",
        "La luna ilumina las vías.",
        "Elena camina por el andén con un farol.",
        "El Sr. Vega la sigue, despacio.",
        "Una luz aparece al fondo del túnel.",
        "Elena levanta el farol y sonríe.",
    ],
}
SPEECHES = {"de": 8, "fr": 8, "es": 6}


@pytest.fixture(scope="module", params=list(FILMS))
def drafted(request) -> tuple[str, Drafted]:
    name, end = FILMS[request.param]
    screenplay = read_screenplay(FOLDER / name)
    assert screenplay.language == request.param
    cues = dialogue(read_subtitles((FOLDER / name).with_suffix(".srt"))).cues
    return request.param, from_screenplay(screenplay, Footage(end, cues, (), request.param))


def test_scenes_have_the_headings_of_the_script(drafted):
    language, made = drafted
    assert [scene.title for scene in made.scenes] == SCENES[language]


def test_lines_are_the_sentences_of_the_action(drafted):
    language, made = drafted
    assert [line.variants[0].text for line in made.eventualities] == LINES[language]


def test_numbers_in_words_match_the_figures_of_the_subtitles(drafted):
    _, made = drafted
    assert made.matched is not None
    words = made.matched.words
    assert words.hits == words.screenplay_words == words.film_words


def test_every_cue_has_its_speaker_and_every_line_a_time(drafted):
    language, made = drafted
    assert sum(bool(cue.speaker) for cue in made.cues) == len(made.cues) == SPEECHES[language]
    assert all(line.occurrence is not None for line in made.eventualities)


def test_what_the_draft_lacks_is_said(drafted):
    language, made = drafted
    said = [oddity.what for oddity in made.oddities]
    assert (
        f"its language is not English ({language}): sentences are used whole: long sentences are not cut, pronouns "
        "stay as they are, and there are no shorter wordings"
    ) in said
    assert any(what.startswith("2 sentences give production directions") for what in said)
    assert all(len(line.variants) == 1 for line in made.eventualities)
