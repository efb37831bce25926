"""The columns of AD scripts, by their headings in the languages of the trade."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from adstudio.core.errors import BadInputError


class Column(Enum):
    """What a column of an AD script holds."""

    NUMBER = "number"
    IN = "in"
    OUT = "out"
    IN_SECONDS = "in, seconds from the film's first frame"
    OUT_SECONDS = "out, seconds from the film's first frame"
    DURATION = "duration"
    TEXT = "text"
    CUE = "cue words"
    NEXT_DIALOGUE = "next dialogue"
    NOTES = "notes"
    PRONUNCIATION = "pronunciation"
    SPEED = "speed"
    DUCK = "duck"
    VOICE = "voice"
    STATUS = "status"
    ROOM = "time available"
    SCENE = "scene"
    SPEAKER = "speaker"
    CUE_OUT = "end of the cue words"
    CUE_SPEAKER = "speaker of the cue words"


STATUS = {"draft": (False, False), "seen": (True, False), "accepted": (True, True), "approved": (True, True)}
"""Whether a line is seen and accepted, by the words for it; others are noted."""

_HEADINGS = {
    Column.NUMBER: (
        "#, no, nr, num, number, id, line, line no, line number, event, event no, cue no, cue #, cue number, row, "
        "item, v/o, "
        "vo, v/o no, ad no, ad #, nummer, zeile, n°, nº, numéro, número, numero, ligne, línea, riga, номер, №"
    ),
    Column.IN: (
        "in, tc in, time in, timecode in, in time, in tc, in point, start, start time, start tc, start timecode, tc "
        "start, tc, "
        "time, time code, timecode, begin, begin time, from, at, cue in, ad in, zeit, anfang, beginn, start zeit, "
        "tc beginn, tc ein, ein, "
        "von, ab, tc von, début, tc début, tc entrée, entrée, de, temps, inicio, entrada, tc entrada, tiempo, tc "
        "inicio, "
        "desde, inizio, da, tempo, tc inizio, início, start tijd, tijd, van, czas, początek, od, начало, время, "
        "vrijeme, alku, einstieg, starttid, inn, začátek, inici, početak, 開始, 开始"
    ),
    Column.OUT: (
        "out, tc out, time out, timecode out, out time, out tc, out point, end, end time, end tc, end timecode, tc "
        "end, stop, "
        "to, until, finish, ad out, cue out, ende, bis, tc ende, tc bis, tc aus, aus, fin, tc fin, tc sortie, sortie, "
        "à, salida, tc salida, hasta, fine, a, tc fine, fim, saída, einde, tot, koniec, do, конец, loppu, ausstieg, "
        "slut, sluttid, slutt, ut, konec, kraj, 終了, 结束"
    ),
    Column.IN_SECONDS: "in s, in sec, in seconds, start s, start sec, start seconds, start in s, begin s",
    Column.OUT_SECONDS: "out s, out sec, out seconds, end s, end sec, end seconds, end in s, stop s",
    Column.DURATION: (
        "duration, duration s, dur, dur s, length, length s, dauer, länge, durée, duración, durata, duração, duur, "
        "czas trwania, "
        "длительность, tc duration"
    ),
    Column.ROOM: "time available, available, gap, slot",
    Column.TEXT: (
        "text, description, descriptions, audio description, audiodescription, ad, ad text, ad script, script, "
        "narration, text gen, "
        "spoken text, narrator text, voice over, voiceover, vo text, words, line text, content, ad copy, copy, "
        "describe, "
        "audio description text, beschreibung, bildbeschreibung, ad text, hörfilmtext, audiodeskription, sprechertext, "
        "texte, texte ad, description audio, descripción, audiodescripción, texto, locución, descrizione, "
        "audiodescrizione, "
        "testo, descrição, audiodescrição, beschrijving, audiodescriptie, tekst, opis, audiodeskrypcja, текст, "
        "тифлокомментарий, описание, syntolkning, synstolkning, synstolkningstekst, kuvailutulkkaus, teksti, "
        "beschreibungstext, guion, guion audiodescriptivo, texte de l audiodescription, texte audiodescription, testo "
        "audiodescrizione, popis, audiopopis, 音声解説, 音声ガイド, 口述影像"
    ),
    Column.CUE: (
        "cue, cue words, cue word, in cue, incue, dialogue cue, dialog cue, dialogue cue in, dialog cue in, "
        "last words, last words before, previous "
        "dialogue, "
        "dialogue before, after, dialogue, dialog, sound cue, cue dialogue, stichwort, stichworte, vorher, "
        "dialogliste, "
        "réplique, repère, dernier mot, dialogue avant, pie, diálogo, diálogo anterior, entrada de voz, battuta, "
        "dialogo, "
        "deixa, claus, claustekst, реплика"
    ),
    Column.NEXT_DIALOGUE: (
        "next dialogue, following dialogue, next line, out cue, outcue, dialogue after, next cue, before, nachher, "
        "nächster dialog, dialogue après, diálogo siguiente"
    ),
    Column.NOTES: (
        "note, notes, comment, comments, remark, remarks, notes/pronunciation, notes pronunciation, notes and "
        "pronunciation, mix, fade, pan, delivery, direction, directions, "
        "word count, wc, characters, chars, cps, shot, picture, visual, visuals, bild, bemerkung, bemerkungen, "
        "anmerkung, anmerkungen, notiz, notizen, hinweis, remarque, remarques, commentaire, "
        "commentaires, observaciones, notas, comentarios, osservazioni, commenti, observações, "
        "opmerking, opmerkingen, uwagi, примечание, примечания, reviewer, fps, font, colour, color, "
        "hinweise, regie, regieanweisung, regieanweisungen, kommentar, kommentare, kommentarer, noter, notater, "
        "anteckningar, huomautus, huomautukset, nota, poznámka, poznámky, komentarz, комментарий, комментарии, "
        "備考, 备注"
    ),
    Column.PRONUNCIATION: (
        "pronunciation, pronunciations, say as, phonetic, phonetics, aussprache, prononciation, pronunciación, "
        "pronuncia, pronúncia, uitspraak"
    ),
    Column.SPEED: "speed, pace, rate, wpm, words per minute, tempo der stimme",
    Column.DUCK: "duck, duck db, ducking, duck by",
    Column.VOICE: "voice, narrator, reader, read by, voix, voz, voce, stimme",
    Column.STATUS: "status, state, checked, check, ok, approved, accepted",
    Column.SPEAKER: (
        "speaker, character, character name, who, role, speaks, spoken by, sprecher, figur, rolle, wer, personnage, "
        "qui, personaje, quién, personaggio, chi, personagem, quem, personage, wie, postać, персонаж, кто"
    ),
    Column.SCENE: "scene, scene no, szene, scène, escena, scena, cena, сцена, reel, part",
    Column.CUE_SPEAKER: "dialogue speaker, cue speaker, speaker of the dialogue, speaker of the cue",
    Column.CUE_OUT: "dialogue end, dialogue ends, end of dialogue, dialogue out, dialogue tc out",
}
_COLUMNS = {
    heading.strip(): column
    for column, headings in _HEADINGS.items()
    for heading in headings.split(",")
    if heading.strip()
}
_BRACKETED = re.compile(r"[(\[{][^()\[\]{}]*[)\]}]")
_UNITS = re.compile(r"[(\[]\s*(s|sec|secs|seconds|sekunden)\s*[)\]]", re.IGNORECASE)
_OF_TIMES = ("tc ", "tcr ", "timecode ", "time code ", "time ", "zeit ", "tijdcode ")
"""What may stand before the heading of a time: TCR in, Timecode einde."""
_LONGEST = 60


def column_of(heading: str) -> Column | None:
    """The column that a heading names, in any case, without marks and what stands in brackets."""
    if len(heading) > _LONGEST:
        return None
    text = _BRACKETED.sub(" ", _UNITS.sub(" s", heading)).lower()
    words = re.sub(r"[\s_.:*`'’\"\u200e\u200f\u202a-\u202e\u2066-\u2069-]+", " ", text).strip()
    found = _COLUMNS.get(words)
    if found is None and words.startswith(("ad ", "cue ")):
        found = _COLUMNS.get(words.split(" ", 1)[1])
    if found is None and words.startswith(_OF_TIMES):
        time = _COLUMNS.get(next(words.removeprefix(each) for each in _OF_TIMES if words.startswith(each)))
        found = time if time in (Column.IN, Column.OUT, Column.DURATION) else None
    return found


def names_columns(cells: list[str]) -> bool:
    """Whether cells are the head of a script's table: two columns or more, of the text or of times, and few others."""
    written = [cell for cell in cells if cell.strip()]
    found = {column for cell in written if (column := column_of(cell)) is not None}
    known = sum(column_of(cell) is not None for cell in written)
    needed = {Column.TEXT, Column.IN, Column.IN_SECONDS}
    return len(found) > 1 and known * 2 >= len(written) and not needed.isdisjoint(found)


def is_heading_row(line: str) -> bool:
    """Whether a line of plain text is nothing but headings: No  TC IN  TC OUT  DESCRIPTION."""
    if len(line) > 4 * _LONGEST:
        return False
    cells = [cell for cell in re.split(r"\t|\s{2,}|\s*\|\s*", line.strip()) if cell]
    if len(cells) > 1:
        return names_columns(cells) and all(column_of(cell) is not None for cell in cells)
    words = line.split()
    found: list[Column] = []
    at = 0
    while at < len(words):
        for length in (3, 2, 1):
            column = column_of(" ".join(words[at : at + length]))
            if column is not None and at + length <= len(words):
                found.append(column)
                at += length
                break
        else:
            return False
    times = {Column.IN, Column.OUT, Column.IN_SECONDS} & set(found)
    return len(set(found)) == len(found) >= _LEAST_HEADINGS and bool(times) and line.strip()[-1] not in ".!?"


_LEAST_HEADINGS = 3


NAMES = {
    "number": Column.NUMBER,
    "in": Column.IN,
    "out": Column.OUT,
    "in-s": Column.IN_SECONDS,
    "out-s": Column.OUT_SECONDS,
    "duration": Column.DURATION,
    "text": Column.TEXT,
    "cue": Column.CUE,
    "notes": Column.NOTES,
    "pronunciation": Column.PRONUNCIATION,
    "voice": Column.VOICE,
    "speaker": Column.SPEAKER,
    "skip": None,
}
"""What a person calls the columns of a table when saying which is which; None for one that is not used."""
MOST_COLUMNS = 200
_CHOICE = re.compile(r"\s*(\d{1,3})\s*=\s*([a-z-]{1,20})\s*", re.IGNORECASE)


@dataclass(frozen=True)
class ColumnChoices:
    """Which column, counted from 1, holds what, as a person says it; what is not in it is known by its heading."""

    columns: Mapping[int, Column | None]

    def __getitem__(self, number: int) -> Column | None:
        return self.columns[number]

    def __contains__(self, number: object) -> bool:
        return number in self.columns


def parse_choices(text: str) -> ColumnChoices:
    """Choices as they are written: `3=text,4=in`.

    Raises:
        BadInputError: for anything else, a column that is chosen twice, and two columns of the same content.
    """
    found: dict[int, Column | None] = {}
    for part in text.split(","):
        choice = _CHOICE.fullmatch(part)
        if choice is None or choice[2].lower() not in NAMES:
            raise BadInputError(
                f"“{part.strip()[:40]}” names no column: write its number and what it holds, such as 3=text,4=in"
                f" ({', '.join(NAMES)})"
            )
        number, column = int(choice[1]), NAMES[choice[2].lower()]
        if number in found:
            raise BadInputError(f"column {number} is chosen twice: name it once")
        if not 1 <= number <= MOST_COLUMNS:
            raise BadInputError(f"there is no column {number}: columns are counted from 1")
        if column is not None and column in found.values():
            raise BadInputError(f"two columns are chosen as {choice[2].lower()}: choose one, and skip the other")
        found[number] = column
    return ColumnChoices(found)
