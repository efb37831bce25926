"""Recognises paragraphs that are no action wherever they stand: credits, cast, notes, numbers, shots, sounds."""

from __future__ import annotations

import re

from adstudio.screenplay.line_kinds import LONGEST_CUE, is_capitals
from adstudio.screenplay.terms import CAST_WORDS, END_WORDS, WRITTEN_BY

_SENTENCE_ENDS = (".", "!", "?", "…")
_WORDS_OF_A_CREDIT = 12
_WORDS_OF_A_SHOT = 8
_WORDS_OF_A_NAME = 4

_CREDIT = re.compile(
    rf"(?:{WRITTEN_BY}|(?:drehbuch|buch|regie|geschrieben) von|(?:écrit|réalisé)(?: et (?:écrit|réalisé))? par"
    r"|scénario d[e’']|escrit[oa] (?:y dirigid[oa] )?por|gui[oó]n de|scritto (?:e diretto )?da|sceneggiatura di"
    r"|roteiro de|автор(?:ы)? сценария|сценарий)\s*[:–—-]?\s*(?-i:[A-ZÀ-ÞĀ-ŽА-ЯЁ].*)?",
    re.IGNORECASE | re.DOTALL,
)
_RIGHTS = re.compile(
    r"copyright:?\s*(?:\(c\)|©|\d{4}).*|(?:©|\(c\)\s*\d{4}).*|all rights reserved.*|(?:alle rechte vorbehalten"
    r"|tous droits réservés|todos los derechos reservados|todos os direitos reservados|tutti i diritti riservati"
    r"|все права защищены)\W*|wga\w?\b.{0,30}(?:regist|#|no\b|\d).*|registered\b.{0,20}(?:#|\bwga).*"
    r"|(?:to be continued|fortsetzung folgt|à suivre|continuará|продолжение следует)\W*"
    r"|(?:(?:e-?mail|contact|kontakt)\s*[:：]\s*)?[\w.+-]{1,64}@[\w-]{1,64}\.[\w.-]{1,64}"
    r"|(?:https?://|www\.)\S+|<!--.*-->",
    re.IGNORECASE | re.DOTALL,
)
_NUMBER = r"[A-Z]{0,2}\d{1,4}[A-Z]{0,2}"
_NUMBERS_AND_MARKS = re.compile(
    r"\d{1,4}[A-Z]{1,2}\.?|(?:PAGE|PG\.?|SEITE|PÁGINA|PAGINA|СТРАНИЦА)\s\d{1,4}\.?"
    rf"|(?:(?:SCENES?\s)?{_NUMBER}(?:\s?[–—-]\s?{_NUMBER})?[.:]?\s)?(?:SCENES?\s)?(?:OMITTED|OMIT|ENTFÄLLT)"
    rf"(?:\s{_NUMBER})?\.?|[(\[]?(?:V\.\s?O\.|O\.\s?S\.|O\.\s?C\.|M\.\s?O\.\s?S\.|VO|OS|OC|MOS)[)\]]?"
)
"""Page and scene numbers, and the marks of a voice or a sound; only in capitals."""
_NOTE = re.compile(
    r"(?:(?:director|production|author|writer|script|editor)(?:['’]s)? )?(?:notes?|n\.?b\.?|todo|anmerkung|notiz"
    r"|hinweis|nota|remarque|примечание)(?: (?:to|for) [\w ]{1,30})?\s?[:：].*",
    re.IGNORECASE | re.DOTALL,
)
_SOUND = re.compile(
    r"[(（\[]\s*(?:(?:a |the |long |short |brief )*(?:beat|pause|silence|stille|applause|laughter)"
    r"|(?:\w+ )?(?:music|musik|musique|música|musica|музыка|sound effects?|sfx|vfx|off[ -]?screen|voice[ -]?over)\b"
    r"[^()（）\[\]]{0,80}|(?:the )?sounds? of [^()（）\[\]]{1,80}|notes? (?:to|for)\b[^()（）\[\]]{1,200})\W*[)）\]]",
    re.IGNORECASE,
)
"""A paragraph wholly in brackets that is for the sound or the makers, not what somebody does."""
_SHOT = re.compile(
    r"(?:(?:REVERSE|WIDE|WIDER|TWO|THREE|2|3|AERIAL|DRONE|CRANE|TRACKING|DOLLY|ESTABLISHING|MEDIUM|LONG|FULL|MASTER"
    r"|OVERHEAD|CLOSE|CLOSER|EXTREME|LOW|HIGH|HANDHELD|GROUP|MOVING|PANNING|TIGHT|NEW|ANOTHER|POV)[ -])+"
    r"(?:SHOT|ANGLE|CLOSE[ -]?UP)(?:\s?[:–—.-].*|\s(?:ON|OF)\b.*)?|(?:ANGLE|CLOSE|WIDE|TIGHT) ON\b.*"
    r"|(?:EXTREME )?CLOSE[ -]?UP(?:\s?[:–—.-].*|\s(?:ON|OF)\b.*)?"
)
_CAST_HEADING = re.compile(rf"(?:THE |LIST OF )?(?:{CAST_WORDS})(?: LIST| OF CHARACTERS)?|DRAMATIS PERSONAE")
_END = re.compile(rf"(?:THE )?(?:{END_WORDS})")
_LEADERS = re.compile(r"\s{0,9}(\.{3,}|(?:\.\s){2,}\.?|…+|_{3,}|\t+|\s{3,}|[:：]|\s[–—-]\s|[,(])\s{0,9}")
_LONGEST_CAST_LINE = 300


def is_for_makers(text: str) -> bool:
    """Whether a paragraph is for the makers: a credit, a right, a note, a page's or scene's number, a shot, a sound."""
    text = text.strip()
    words = len(text.split())
    if _RIGHTS.fullmatch(text) is not None or _NOTE.fullmatch(text) is not None or _SOUND.fullmatch(text) is not None:
        return True
    if _CREDIT.fullmatch(text) is not None:
        return words <= _WORDS_OF_A_CREDIT and not text.endswith(_SENTENCE_ENDS)
    if not is_capitals(text) or len(text) > LONGEST_CUE:
        return False
    return _NUMBERS_AND_MARKS.fullmatch(text) is not None or (
        words <= _WORDS_OF_A_SHOT and _SHOT.fullmatch(text) is not None
    )


def heads_cast(text: str) -> bool:
    """Whether a paragraph is the heading of a list of actors: CAST, DRAMATIS PERSONAE."""
    return _CAST_HEADING.fullmatch(text.strip(" :：–—-").upper()) is not None


def ends_film(text: str) -> bool:
    """Whether a paragraph says that the film ends: THE END, FIN."""
    return _END.fullmatch(text.strip(" .!:–—-").upper()) is not None


def is_of_cast(line: str, *, below_heading: bool) -> bool:
    """Whether a line is of a list of actors: BEN ..... John Smith, MARIE : Anne Dupont, MARY, 30s, a baker.

    `below_heading`: the list has a heading; then a name alone is enough, and before a comma it needs no capitals.
    """
    line = line.strip()[:_LONGEST_CAST_LINE]
    found = _LEADERS.search(line)
    if found is None:
        return below_heading and not line.endswith(_SENTENCE_ENDS) and _is_name(line)
    name, rest = line[: found.start()], line[found.end() :]
    if not _is_name(name):
        return False
    if found[1] in {",", "("}:
        # “Mary, tired, sits.” may be action.
        return is_capitals(name) or (below_heading and (rest[:1].isdigit() or not line.endswith(_SENTENCE_ENDS)))
    return below_heading or _is_name(rest)


def _is_name(text: str) -> bool:
    words = text.split()
    written = 0 < len(words) <= _WORDS_OF_A_NAME and not text.endswith(("!", "?"))
    return written and words[0][0].isupper() and (words[-1][0].isupper() or not words[-1][0].isalpha())
