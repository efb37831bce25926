"""Names that a film's subtitles and screenplay offer."""

from __future__ import annotations

from adstudio.core.script import Cue
from adstudio.drafting.cast import characters, speakers, together


def cue(number, speaker):
    return Cue(f"c{number}", number, number + 1, "Yes.", speaker)


def test_who_speaks_the_most_talkative_first():
    spoken = ["TOM", "ANNA", "ANNA (V.O.)", "Anna", None, "JEAN-LUC", "DR. MARTIN", "", "  ", "A\u202eB"]
    assert speakers([cue(n, name) for n, name in enumerate(spoken)]) == ("Anna", "Tom", "Jean-Luc", "Dr. Martin")


def test_who_speaks_in_a_screenplay(tmp_path):
    path = tmp_path / "film.fountain"
    path.write_text("INT. HOUSE - DAY\n\nNora waits.\n\nNORA\nYes.\n\nTHE GUARD (O.S.)\nNo.\n\nNORA\nOh.\n")
    assert characters(path) == ("Nora", "The Guard")


def test_each_name_once():
    assert together(("Anna", "Tom"), ("ANNA", "Nora")) == ("Anna", "Tom", "Nora")
