"""What describers write for the voice or the mix: cue words, pauses, directions, notes and labels."""

from __future__ import annotations

import pytest

from adstudio.script_files.asides import Piece, named_cue, speech, spoken, without_label


@pytest.mark.parametrize(
    "aside",
    [
        *(
            "[PAUSE]",
            "[:02 PAUSE]",
            "(2 sec)",
            "[1.5 s]",
            "[pause 2s]",
            "(pause)",
            "(short pause)",
            "[2 SEC PAUSE]",
            "(Beat)",
            "[:03]",
            "(Pausa)",
        ),
        *("(fast)", "(FAST)", "(very fast)", "(read quickly)", "(slow, low)", "[quickly]", "(schnell)", "(sehr zügig)"),
        *("(rapide)", "(lentement)", "(rápido)", "(veloce)", "(быстро)", "(over music)", "(V.O.)", "(whispered)"),
        *("[Note: check name]", "(NB: new voice)", "(pron. AL-uhn)", "[MUSIC]", "(sic)", "{drawer or cupboard?}"),
        *('<break time="1s"/>', "<fast>"),
    ],
)
def test_asides_are_not_spoken(aside: str):
    assert spoken(f"Ben opens {aside} the drawer.").pieces == (Piece("Ben opens the drawer."),)
    assert spoken(f"{aside} Ben waits.").pieces == (Piece("Ben waits."),)
    assert spoken(f"Ben waits {aside}.").pieces == (Piece("Ben waits."),)
    assert spoken(aside).asides == (aside,)


@pytest.mark.parametrize(
    "text",
    [
        *(
            "Ben (a tall man) waits.",
            "A sign (red) reads [sic] so.",
            "He (Ben) goes.",
            "5 < 6 and 7 > 6.",
            "a/b and c/d",
        ),
        *("He reads “Keep out!”", "The fast (blue) car", "(Rain falls.)", "[a link](x)"),
    ],
)
def test_other_brackets_are_spoken(text: str):
    assert "".join(piece.text for piece in spoken(text).pieces) == text.replace(" [sic]", "")


@pytest.mark.parametrize(
    ("line", "cue"),
    [
        *(("(“…he’s gone.”)", "he’s gone"), ('("…he is gone")', "he is gone"), ("[“Over this.”]", "Over this")),
        *(("(…he’s gone)", "he’s gone"), ("(... he is gone.)", "he is gone"), ('(BEN: "He is gone.")', "He is gone")),
        *(("(cue: he is gone)", "he is gone"), ("[AFTER “he is gone”]", "he is gone")),
        *(("(BEN: …he is gone)", "he is gone"), ("(BEN: He is gone.)", "He is gone")),
        ("(Stichwort: er ist weg)", "er ist weg"),
    ],
)
def test_cue_words_begin_a_piece(line: str, cue: str):
    assert spoken(f"{line} Ruth waits.").pieces == (Piece("Ruth waits.", cue),)
    assert spoken(f"Ben waits. {line} Ruth waits.").pieces == (Piece("Ben waits."), Piece("Ruth waits.", cue))
    assert spoken(line).pieces == (Piece("", cue),)


@pytest.mark.parametrize(
    ("line", "cue"),
    [
        ("CUE: “…he’s gone.”", "he’s gone"),
        ("Cue words - he is gone", "he is gone"),
        ("DIALOGUE: He is gone.", "He is gone"),
        ("After “he is gone”", "he is gone"),
        ("SFX: DOOR SLAMS", "DOOR SLAMS"),
    ],
)
def test_lines_of_cue_words(line: str, cue: str):
    assert named_cue(line) == cue


@pytest.mark.parametrize("line", ["After he is gone, Ruth waits.", "The cue is given.", "Dialogue ends."])
def test_what_is_no_line_of_cue_words(line: str):
    assert named_cue(line) is None


def test_dialogue_among_the_descriptions():
    assert speech("BEN: Did you bring the key?") == "Did you bring the key?"
    assert speech("BEN (cont'd): Did you?") == "Did you?"
    assert speech("Ben says: nothing") is None


@pytest.mark.parametrize(
    ("line", "rest"),
    [
        *(("V/O 11.1", ""), ("V/O 11.1 A cat.", "A cat."), ("VO 3: A cat.", "A cat."), ("V.O. 12 – A cat.", "A cat.")),
        *(
            ("AD 12 A cat.", "A cat."),
            ("AD: A cat.", "A cat."),
            ("AD (fast): A cat.", "A cat."),
            ("[AD 3] A cat.", "A cat."),
        ),
        *(
            ("#3 A cat.", "A cat."),
            ("Line 12: A cat.", "A cat."),
            ("Narrator: A cat.", "A cat."),
            ("AD-4. A cat.", "A cat."),
        ),
    ],
)
def test_labels(line: str, rest: str):
    assert without_label(line) == rest


@pytest.mark.parametrize("line", ["Line 3 of the poem", "Advert", "Voice of a cat", "No. 5 is empty.", "Admiral 3"])
def test_what_is_no_label(line: str):
    assert without_label(line) is None
