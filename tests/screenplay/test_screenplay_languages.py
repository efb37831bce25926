"""Headings, transitions and marks as German, French and Spanish screenplays write them."""

import pytest

from adstudio.screenplay.line_kinds import cue, is_mini_heading, names_transition, numbered_heading

HEADINGS = """
INNEN - KÜCHE - TAG
INNEN KÜCHE - TAG
Innen. Küche - Tag
KÜCHE – INNEN/TAG
BILD 3: KÜCHE, INNEN, TAG
3. KÜCHE I/T
STRASSE - A/N
SZENE 4 - WOHNUNG HANNA - TAG
4. WOHNUNG HANNA / FLUR - INNEN / ABENDDÄMMERUNG
AUSSEN. WALD - MORGENGRAUEN
AUßEN. WALD - TAG
Außen. Wald. Nacht.
SÉQUENCE 4 - INT. JOUR - CUISINE
4. CUISINE - INTÉRIEUR/JOUR
INT/JOUR CUISINE
INTÉRIEUR NUIT - CUISINE
Intérieur jour. Cuisine.
EXT. RUE - PETIT MATIN
Scène 5 : la cuisine, jour
SÉQ. 12. INT. GRENIER - NUIT
4. INTERIOR. COCINA. DÍA
COCINA - INTERIOR - NOCHE
INTERIOR/NOCHE. COCINA
Interior. Cocina. Día.
SECUENCIA 7. EXT. PLAYA. DIA
ESCENA 5: COCINA
INT./EXT. COCHE - MADRUGADA
"""
MINI_HEADINGS = """
KÜCHE - NÄCHSTER MORGEN
CUISINE - LE LENDEMAIN
COCINA - MÁS TARDE
COCINA - MEDIODÍA
"""
TRANSITIONS = """
HARTER SCHNITT AUF:
AUFBLENDE VON SCHWARZ
ZEITSPRUNG
ENDE DER MONTAGE
ZURÜCK IN DER GEGENWART:
CUT À :
COUPE SUR :
FONDU EN OUVERTURE
RETOUR AU PRÉSENT
Noir.
CORTA A:
FUNDIDO DE ENTRADA
FUNDE A NEGRO
VUELTA AL PRESENTE
A NEGRO.
CONTINUARÁ
"""
NEITHER = """
Innen ist es dunkel.
Außen am Fenster klopft ein Ast.
Drei Szenen später sitzt sie am Tisch.
À l'intérieur, il fait nuit.
Elle attend le soir.
El interior está vacío.
Cae la noche.
El negro sube al tren.
"""


def each(lines: str) -> list[str]:
    return lines.strip().split("\n")


@pytest.mark.parametrize("line", each(HEADINGS))
def test_it_is_a_heading(line):
    assert numbered_heading(line) is not None


@pytest.mark.parametrize("line", each(MINI_HEADINGS))
def test_it_is_a_heading_without_inside_or_outside(line):
    assert is_mini_heading(line)


@pytest.mark.parametrize("line", each(TRANSITIONS))
def test_it_is_a_transition(line):
    assert names_transition(line)


@pytest.mark.parametrize("line", each(NEITHER))
def test_a_sentence_is_neither(line):
    assert numbered_heading(line) is None
    assert not is_mini_heading(line)
    assert not names_transition(line)


@pytest.mark.parametrize(
    "written",
    ["HANNA (WEITER)", "HANNA (FORTS.)", "HANNA (Fortsetzung)", "HANNA (SUITE)", "HANNA (CONTINÚA)", "HANNA (SIGUE)"],
)
def test_a_speech_goes_on(written):
    found = cue(written)
    assert found is not None
    assert (found.speaker, found.continued, found.extension) == ("HANNA", True, "")
