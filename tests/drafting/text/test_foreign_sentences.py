"""German, French, Spanish and Italian sentences of a screenplay as a describer says them; what is no line at all."""

import pytest

from adstudio.drafting.text.segment.elements import elements_of
from adstudio.drafting.text.segment.foreign_directions import foreign_kind, without_direction
from adstudio.drafting.text.segment.foreign_shouting import prose_of
from adstudio.drafting.text.segment.sentence_kind import SentenceKind


def texts(description: str, language: str, names=()) -> list[str]:
    return [element.text for element in elements_of([description], language=language, names=names)[0]]


REWORDED = [
    ("it", "Vediamo una porta aperta.", "Una porta aperta."),
    ("it", "Vediamo Anna che apre la porta.", "Anna apre la porta."),
    ("it", "Si vedono due bambini correre nel cortile.", "Due bambini corrono nel cortile."),
    ("it", "La macchina da presa inquadra un vecchio.", "Un vecchio."),
    ("it", "Vediamo l'uomo avvicinarsi alla finestra.", "L'uomo si avvicina alla finestra."),
    ("it", "Vediamo come Marta lo nasconde.", "Marta lo nasconde."),
    ("it", "Vediamo Anna truccarsi.", "Vediamo Anna truccarsi."),
    ("it", "Didascalia: Tre anni dopo", "Una scritta: Tre anni dopo."),
    ("it", "Siamo in una cantina.", "In una cantina."),
    ("it", "ANNA (34) apre la PORTA.", "Anna apre la porta."),
    ("de", "HANNA (34) zieht ein BOOT an den Steg.", "Hanna zieht ein Boot an den Steg."),
    ("de", "Dr. Weber, 60, geht auf und ab.", "Dr. Weber geht auf und ab."),
    ("de", "Der Drachen STEIGT in den Himmel.", "Der Drachen steigt in den Himmel."),
    ("de", "Sie löscht den ALTEN LEUCHTTURM.", "Sie löscht den alten Leuchtturm."),
    ("de", "Plötzlich KNALLT eine Tür.", "Plötzlich knallt eine Tür."),
    ("de", "Auf dem Schild steht „BETRETEN VERBOTEN“", "Auf dem Schild steht „BETRETEN VERBOTEN“."),
    ("de", "Wir sehen, wie Hanna ihn in die Tasche steckt.", "Hanna steckt ihn in die Tasche."),
    ("de", "Wir sehen, wie der alte Mann das Licht ausschaltet.", "Der alte Mann schaltet das Licht aus."),
    ("de", "Wir sehen, wie er antwortet.", "Er antwortet."),
    ("de", "Wir sehen einen alten Mann, der am Fenster sitzt.", "Ein alter Mann, der am Fenster sitzt."),
    ("de", "Die Kamera zeigt einen leeren Saal.", "Ein leerer Saal."),
    ("de", "Großaufnahme: ihre Hände.", "Ihre Hände."),
    ("de", "EINBLENDUNG: Drei Jahre später", "Eine Einblendung: Drei Jahre später."),
    ("de", "Er starrt auf eine leere TASSE KAFFEE.", "Er starrt auf eine leere Tasse Kaffee."),
    ("de", "Hanna SCHREIT AUF.", "Hanna schreit auf."),
    ("de", "Man sieht im Hintergrund einen brennenden Wagen.", "Im Hintergrund ein brennender Wagen."),
    ("de", "POV Hanna: Das Auto explodiert.", "Das Auto explodiert."),
    ("de", "Close auf die Scherben.", "Die Scherben."),
    ("de", "Titel: Drei Jahre später", "Eine Einblendung: Drei Jahre später."),
    ("fr", "On aperçoit au fond une voiture en feu.", "Au fond, une voiture en feu."),
    ("fr", "On voit trembler ses mains.", "Ses mains tremblent."),
    ("es", "Vemos temblar sus manos.", "Sus manos tiemblan."),
    ("de", "Zwei MÄNNER in SCHWARZEN ANZÜGEN steigen aus.", "Zwei Männer in schwarzen Anzügen steigen aus."),
    ("de", "Wir sehen Hanna, wie sie die Treppe hinaufläuft.", "Hanna läuft die Treppe hinauf."),
    ("de", "Wir sind in einem Keller.", "In einem Keller."),
    ("fr", "MME ROCHE ouvre la fenêtre.", "Mme Roche ouvre la fenêtre."),
    ("fr", "On voit Lucas, qui monte l'escalier.", "Lucas monte l'escalier."),
    ("fr", "Nous sommes dans une cave.", "Dans une cave."),
    ("fr", "On distingue un petit garçon derrière le rideau.", "Un petit garçon derrière le rideau."),
    ("es", "La SRA. ROCA abre la ventana.", "La Sra. Roca abre la ventana."),
    ("es", "Vemos a Elena, que sube la escalera.", "Elena sube la escalera."),
    ("fr", "CLAIRE, 42 ans, pétrit la pâte.", "Claire pétrit la pâte."),
    ("fr", "CLAIRE, 42 ans, boulangère, pétrit la pâte.", "Claire, boulangère, pétrit la pâte."),
    ("fr", "Il HEURTE une vieille DAME.", "Il heurte une vieille dame."),
    ("fr", "Elle prend l'ÉPÉE.", "Elle prend l'épée."),
    ("fr", "On voit LUCAS (9 ans) entrer avec un panier.", "Lucas entre avec un panier."),
    ("fr", "On voit les enfants courir dans la cour.", "Les enfants courent dans la cour."),
    ("fr", "On voit un homme qui attend sous la pluie.", "Un homme attend sous la pluie."),
    ("fr", "Nous voyons qu'il pleure.", "Il pleure."),
    ("fr", "Gros plan sur les mains de Claire.", "Les mains de Claire."),
    ("fr", "CARTON : « Une heure plus tard »", "Un carton : Une heure plus tard."),
    ("es", "ELENA (28 años) mira el RELOJ.", "Elena mira el reloj."),
    ("es", "Vemos cómo el Sr. Vega barre el suelo.", "El Sr. Vega barre el suelo."),
    ("es", "Vemos a Elena sentarse en un banco.", "Elena se sienta en un banco."),
    ("es", "Vemos a los niños correr por la calle.", "Los niños corren por la calle."),
    ("es", "Vemos al guardia cerrar la puerta.", "El guardia cierra la puerta."),
    ("es", "La cámara muestra un cuarto vacío.", "Un cuarto vacío."),
    ("es", "Primer plano del reloj.", "El reloj."),
    ("es", "RÓTULO: «Esa misma noche»", "Un rótulo: Esa misma noche."),
]
UNCHANGED = [
    ("it", "Anna segue la macchina."),
    ("it", "La macchina si avvicina alla porta."),
    ("it", "La camera è vuota."),
    ("it", "Anna risponde al telefono."),
    ("it", "La camera si allontana e Anna ride."),
    ("it", "Vediamo i due entrare e sedersi."),
    # Where the grammar is not plain, the sentence stays.
    ("de", "Wir sehen Hanna die Treppe hinaufgehen."),
    ("de", "Wir sehen, wie Anna und Paul das Haus betreten."),
    ("fr", "On voit Claire se lever et sortir."),
    ("fr", "On aperçoit le vieux boulanger pétrir."),
    ("es", "Vemos a Pedro desatarse los zapatos."),
    # What only looks like a direction or an age.
    ("de", "Ein Moment der Ruhe liegt auf ihrem Gesicht."),
    ("de", "Auf dem Zettel stehen 5, 16, 27."),
    ("de", "Der PKW hält vor dem Haus."),
    ("de", "Die Kamera fährt zurück und Anna öffnet die Tür."),
    ("fr", "Il reste un long temps devant la porte."),
    ("fr", "La caméra de Paul tombe dans l'eau."),
    ("es", "Un momento después, ella sale."),
    ("es", "Suena el teléfono y Elena lo coge."),
]
DIRECTIONS = [
    ("it", "La camera segue lentamente il corridoio."),
    ("it", "La macchina da presa si avvicina alla porta."),
    ("it", "Dissolvenza in nero."),
    ("it", "Pausa."),
    ("it", "Stacco su una strada."),
    ("it", "FLASHBACK"),
    ("de", "RÜCKBLENDE - 1985"),
    ("fr", "RETOUR EN ARRIÈRE (1985)"),
    ("es", "FLASHBACK – 1985"),
    ("de", "Die Kamera schwenkt zum Leuchtturm."),
    ("de", "Kamerafahrt durch den Wald."),
    ("de", "Pause."),
    ("de", "Die Kamera gleitet durch den langen Flur und bleibt an einem alten Bild hängen."),
    ("de", "Schwarzblende."),
    ("fr", "On suit Claire dans l'escalier."),
    ("es", "Funde a negro."),
    ("de", "Ende der Rückblende."),
    ("fr", "La caméra s'approche de l'horloge."),
    ("fr", "Un temps."),
    ("fr", "Travelling avant sur la maison."),
    ("fr", "Flash-back."),
    ("es", "La cámara se acerca a sus manos."),
    ("es", "Una larga pausa."),
    ("es", "Seguimos a Elena por el pasillo."),
    ("es", "Fundido a negro."),
]
SOUNDS = [
    ("it", "Il telefono squilla."),
    ("it", "Si sentono dei passi nel corridoio."),
    ("it", "Silenzio."),
    ("it", "Musica triste."),
    ("de", "Das Telefon klingelt."),
    ("de", "Es klopft an der Tür."),
    ("de", "Dann Stille."),
    ("fr", "Puis le silence."),
    ("es", "De pronto, suena el teléfono."),
    ("de", "Musik setzt ein."),
    ("de", "Schüsse sind zu hören."),
    ("fr", "Le téléphone sonne."),
    ("fr", "On entend une fanfare."),
    ("fr", "Musique douce."),
    ("fr", "On frappe à la porte."),
    ("es", "Suena el teléfono."),
    ("es", "Se oye un silbato lejano."),
    ("es", "Llaman a la puerta."),
    ("es", "Música suave."),
]
BREAKS = [
    ("de", "Am 3. Mai regnet es. Dr. Weber liest z. B. Briefe. Sie geht.", 3),
    ("de", "Er wohnt im 2. Stock. Hanna klopft.", 2),
    ("fr", "M. Dupont entre. Mme Roche le suit ! Le 1er client attend.", 3),
    ("es", "El Sr. Vega barre. ¿La ha visto? La Sra. Ruiz sale.", 3),
    ("es", "Viaja a EE. UU. con Elena.", 1),
]


@pytest.mark.parametrize(("language", "written", "said"), REWORDED)
def test_a_sentence_is_put_right(language, written, said):
    names = {"de": ["Hanna"], "fr": ["Claire", "Lucas"], "es": ["Elena"], "it": ["Anna"]}[language]
    assert texts(written, language, names) == [said]


@pytest.mark.parametrize(("language", "written"), UNCHANGED)
def test_a_sentence_stays(language, written):
    found = elements_of([written], language=language)[0]
    assert [(each.text, each.kind) for each in found] == [(written, SentenceKind.SEEN)]


@pytest.mark.parametrize(("language", "written"), DIRECTIONS)
def test_a_direction_is_no_line(language, written):
    assert [each.kind for each in elements_of([written], language=language)[0]] == [SentenceKind.PRODUCTION]


@pytest.mark.parametrize(("language", "written"), SOUNDS)
def test_a_sound_alone_is_known(language, written):
    assert [each.kind for each in elements_of([written], language=language)[0]] == [SentenceKind.SOUND]


@pytest.mark.parametrize(("language", "written", "count"), BREAKS)
def test_sentences_end_where_they_end(language, written, count):
    assert len(texts(written, language)) == count


@pytest.mark.parametrize("language", ["de", "fr", "es", "it"])
def test_extracts_are_the_text_to_the_letter(language):
    description = "HANNA (34)  sieht\nein SCHIFF.  Pause.\n\nWir sehen, wie Hanna lacht.   "
    for each in elements_of([description], language=language)[0]:
        assert description[each.start : each.end] == each.extract


@pytest.mark.parametrize("language", ["pt", "ru"])
def test_other_languages_are_only_trimmed(language):
    assert texts("ANNA (30)  apre la PORTA.", language) == ["ANNA (30) apre la PORTA."]


@pytest.mark.parametrize("language", ["de", "fr", "es", "it"])
@pytest.mark.parametrize(
    "text",
    ["LE ", "vediamo la ", "la camera sale ", ", 42 ans", "(30 ", "wir sehen ", "on voit ", "la cámara sube ", "„"],
)
def test_a_long_sentence_is_read_at_once(language, text):
    # Quadratic in its length, it would take minutes, and the time limit of tests would end it.
    long = (text * 30_000)[:90_000].rstrip()
    assert prose_of(without_direction(long, language), ["Anna"], language)
    assert foreign_kind(long, language) is SentenceKind.SEEN
