"""Who speaks each cue, by the screenplay that is aligned with them."""

from __future__ import annotations

from pathlib import Path

from adstudio.core.cast import SpeakerSource
from adstudio.core.script import Cue
from adstudio.drafting.speakers.evidence import speakers_in_screenplay

LINES = (
    ("NORA", "My umbrella, the red one, I left it on the train this morning."),
    ("TOM", "No, there is nothing red here, I am afraid, only grey gloves."),
    ("NORA", "Then I will come again on Thursday and ask your colleague."),
)
CUES = tuple(Cue(f"c{n}", 4000 * n, 4000 * n + 3000, text) for n, (_, text) in enumerate(LINES))


def test_the_screenplay_is_aligned_with_cues_that_have_no_names(tmp_path: Path) -> None:
    text = "INT. LOST PROPERTY - DAY\n\n" + "\n\n".join(f"{who}\n{said}" for who, said in LINES)
    path = tmp_path / "film.fountain"
    path.write_text(text + "\n")
    assert speakers_in_screenplay(path, CUES) == {"c0": "NORA", "c1": "TOM", "c2": "NORA"}


def test_without_the_screenplay_its_names_are_those_that_cues_have_from_it() -> None:
    known = Cue("c9", 0, 1000, "Yes.", "Tom", speaker_source=SpeakerSource.SCREENPLAY)
    assert speakers_in_screenplay(None, (*CUES, known)) == {"c9": "Tom"}
