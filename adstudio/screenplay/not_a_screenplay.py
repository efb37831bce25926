"""Refuses laid-out texts that are no screenplay, or are not read as one.

The dialogue of a novel or a transcript would be narrated, and so would the numbers and times of a finished AD script;
prose is better placed as a description.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from adstudio.screenplay.not_action import ends_film
from adstudio.screenplay.parsed_screenplay import Action, Form, Screenplay, ScreenplayError, Speech, Transition
from adstudio.screenplay.row_statistics import words_of
from adstudio.screenplay.terms import SPEECH_WORDS

_NAMES_AT_LEAST = 2
_LONE_NAMES = 4
_WORDS_TO_TELL = 150
_QUOTED = re.compile(
    r"“[^”\n]{8,}”|„[^“”\n]{8,}[“”]|«[^»\n]{8,}»|»[^«\n]{8,}«|(?<!\w)\"[^\"\n]{8,}\"(?!\w)|「[^」\n]{4,}」"
    r"|『[^』\n]{4,}』|^\s*—\s?\w",
    re.MULTILINE,
)
_QUOTATIONS = 5
_WORDS_A_QUOTATION = 150
_SPOKEN_SHARE = 0.07
_RECURS = 2
_WORDS_OF_PROSE = 60
"""Fewer words without headings and speeches may be the beginning of a screenplay."""
_TIME = re.compile(
    r"(?<![\d:.])\d{1,2}:[0-5]\d:[0-5]\d(?:[:;.,]\d{2,3})?(?![\d:])|^\W{0,3}\d{1,2}:[0-5]\d(?:[.,]\d{1,3})?(?![\d:])"
)
"""A timecode anywhere in a row, or minutes and seconds at its start."""
_TIMES_AT_LEAST = 5
_TIMED_SHARE = 0.1
_AS_DESCRIPTION = "give it as the description"
_PDF_AS_DESCRIPTION = "save it as plain text and give that as the description"


def require_no_times(rows: Sequence[str], name: str, form: Form) -> None:
    """Check that a text's rows have no times, as those of a finished AD script or a timed description have.

    Raises:
        ScreenplayError: if they have, with the figures.
    """
    timed = sum(_TIME.search(row) is not None for row in rows)
    if timed < max(_TIMES_AT_LEAST, _TIMED_SHARE * len(rows)):
        return
    from_pdf = ", saved as DOCX, XLSX, CSV, SRT or WebVTT" if form is Form.PDF else ""
    again = _PDF_AS_DESCRIPTION if form is Form.PDF else _AS_DESCRIPTION
    raise ScreenplayError(
        f"{name} has times in {timed:,} of its {len(rows):,} rows, so it seems to be a finished AD script and not a "
        f"screenplay: import it{from_pdf} (adstudio import), or, to draft from it "
        f"anew, {again}"
    )


def require_dialogue(screenplay: Screenplay, names: Mapping[str, int], name: str) -> None:
    """Check that a text's dialogue is read as such; `names` is how often each character's name stands alone in action.

    Raises:
        ScreenplayError: for names without speech below them, a novel, dialogue without names, or prose, with the
            figures.
    """
    parts = [part for scene in screenplay.scenes for part in scene.parts]
    speeches = [part for part in parts if isinstance(part, Speech) and part.text]
    _require_speeches(len(speeches), names, name)
    speakers = Counter(part.speaker for part in speeches)
    if any(scene.heading for scene in screenplay.scenes) or any(count >= _RECURS for count in speakers.values()):
        return
    text = "\n".join(part.text for part in parts if isinstance(part, Action))
    words = words_of(text)
    count = sum(word not in "?!" for word in words)
    if count >= _WORDS_TO_TELL:
        _require_no_story(text, words, count, name)
    cuts = any(isinstance(part, Transition) and not ends_film(part.text) for part in parts)
    if count >= _WORDS_OF_PROSE and not speeches and not cuts:
        again = _PDF_AS_DESCRIPTION if screenplay.form is Form.PDF else _AS_DESCRIPTION
        raise ScreenplayError(
            f"{name} has no scene headings and no speeches in {count:,} words, so it seems to be prose and not a "
            f"screenplay: if it describes the film, {again}"
        )


def _require_no_story(text: str, words: Sequence[str], count: int, name: str) -> None:
    """Reject a novel and a transcript; `words` are the text's with question marks, `count` is how many without."""
    quotations = len(_QUOTED.findall(text))
    if quotations >= max(_QUOTATIONS, count // _WORDS_A_QUOTATION):
        raise ScreenplayError(
            f"{name} has no scene headings, no speeches below names, and {quotations:,} quotations in {count:,} words, "
            "so it seems to be a novel or a story, whose dialogue would be narrated: give the screenplay, or, if it "
            "describes the film, give it as the description"
        )
    spoken = sum(word in SPEECH_WORDS for word in words)
    if spoken >= _SPOKEN_SHARE * count:
        raise ScreenplayError(
            f"{name} has no scene headings and no names above its speeches, and {spoken:,} of its {count:,} words are "
            "such as “I”, “you” or a question mark, so it seems to be a transcript of the dialogue: nothing in it can "
            "be described; give the screenplay, or a description"
        )


def _require_speeches(speeches: int, names: Mapping[str, int], name: str) -> None:
    """Reject a text whose dialogue is not read as such: its names stand alone, with hardly any speech below them."""
    recurring = [count for count in names.values() if count >= _RECURS]
    count = sum(recurring)
    if len(recurring) >= _NAMES_AT_LEAST and count >= _LONE_NAMES and count > speeches:
        few = f"only {speeches:,} have speech" if speeches else "none has speech"
        raise ScreenplayError(
            f"{name} has {count:,} character names in lines of their own or before a colon, but {few} below them as a "
            "screenplay has it, so dialogue would be read as action: save it as Fountain or FDX, or as text with each "
            "speech directly below its name"
        )
