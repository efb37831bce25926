"""The kind of a screenplay's sentence: something seen, a sound alone, or a production direction.

Talk of production is recognised only where the whole sentence is nothing else; what is not known counts as seen.
A sound alone (the bell rings) is kept, because a description sometimes must say what is heard, but it weighs nothing:
in most films the audience hears it.
"""

from __future__ import annotations

import re
from enum import Enum


class SentenceKind(Enum):
    """The kind of a sentence."""

    SEEN = "seen"
    SOUND = "heard"
    PRODUCTION = "production"
    NEGATION = "not seen to happen"
    UNFILMABLE = "cannot be seen"
    TORN = "not a sentence that can be said"
    UNNAMED = "does not say who"
    UNCERTAIN = "may be worded wrongly"


CAMERA_MOVES = (
    r"pans?|tilts?|tracks?|pulls?|pushes|push|doll(?:y|ies)|zooms?|cranes?|moves?|holds?|stays?|lingers?|drifts?|cuts?"
    r"|fades?|dissolves?|racks?|booms?|widens?|whips?|stops? (?:at|on)|settles? on|comes? to rest"
)
_WHERE = r"in|out|up|down|on|over|across|along|to|back|past|around|away|through|into|from|off|with|behind|closer|inside"
_SOUNDTRACK = r"music|score|theme|song|soundtrack|orchestra|strings"
_PRODUCTION = re.compile(
    r"(?:(?:smash|match|jump|hard|quick|slow|cross) )?(?:cut|dissolve|fade|wipe|iris)(?: back)? (?:to|in|out|up|from)"
    r"(?: (?:black|white))?"
    r"|intercut\b(?: \w+){0,5}"
    r"|(?:end (?:of )?)?(?:flash ?backs?|flash ?forwards?|montage|dream sequence|intercut|series of shots)"
    r"|back to (?:scene|(?:the )?present(?: day)?|shot|reality|(?:the )?(?:main )?(?:subject|topic|story|conversation))"
    rf"|(?:(?:slowly|then|now|finally),? )?(?:the )?camera (?:slowly |then |now )?(?:{CAMERA_MOVES})\b"
    r"(?: [\w’'-]+){0,6}"
    rf"|we (?:slowly |then |now )?(?:{CAMERA_MOVES}) (?:{_WHERE})\b(?: [\w’'-]+){{0,4}}"
    rf"|(?:the )?(?:{_SOUNDTRACK}) (?:up|in|out|under|over|cue)(?: (?:and|up|in|out|under|over))*"
    r"|(?:sfx|sound effects?|music|score|foley|vfx)\s*[:–—-].{1,80}"
    r"|(?:a )?(?:long |short |brief )?beat"
    r"|(?:main |opening |end |closing )?(?:titles|credits)(?: (?:roll|begin|end|over))?"
    r"|roll (?:main |end )?(?:credits|titles)"
    r"|freeze(?: frame)?|(?:time|jump|smash|match) cut|establishing(?: shot)?|continuous"
    r"|continued|cont[’']d",
    re.IGNORECASE,
)
_LATER = re.compile(
    r"(?:[A-Z0-9’'-]+ ){0,5}(?:SECONDS?|MINUTES?|HOURS?|DAYS?|NIGHTS?|WEEKS?|MONTHS?|YEARS?|MOMENTS?|WHILE|BIT|TIME)"
    r" (?:LATER|EARLIER|AGO)|(?:MUCH |SOMETIME )?(?:LATER|EARLIER)(?: THAT [A-Z]+| ON)?|(?:THE )?(?:NEXT|SAME|THAT)"
    r" (?:DAY|NIGHT|MORNING|EVENING|AFTERNOON)|MEANWHILE|SIMULTANEOUSLY"
)
"""A jump in time in capitals, which is a heading, no action: 2 MINUTES LATER."""
_SHOT = re.compile(r"(?:CLOSE |ANGLE )?ON (?:THE |HIS |HER |THEIR |AN? )?(?:[A-Z][A-Z’'-]+ ?){1,4}")
"""The heading of a shot in capitals: ON HIS SHOES."""
_BRACKETED_TITLE = re.compile(r"[*_]*\[[^a-z\[\]]+\][*_]*")
"""What stands in brackets in capitals: [SONG 1: THE RIVER]."""
_NOTE = re.compile(
    r"(?:(?:author|director|writer|editor|production|casting|sound|music|camera|costume)(?:[’']s)? )?"
    r"(?:notes?|n\.?b\.?)(?: to (?:\w+ ?){1,4})?\s*[:–—]\s*\S",
    re.IGNORECASE,
)
"""A note of the writer’s to those who make the film: NOTE: the lamp is lit in all shots."""
_BRACKETED = re.compile(r"\((?:pause|beat|more|off|off-?screen|[ov]\.?[csov]\.?|cont[’']?d)\)", re.IGNORECASE)
_BACK_TO = re.compile(r"BACK (?:TO|AT|ON|IN)\b[^a-z]*")
_SOUNDING = (
    r"rings?|chimes?|buzz(?:es)?|beeps?|toots?|honks?|blares?|wails?|clangs?|dings?|sounds?|tolls?|goes off|shrills?"
)
_HAS_NO_EFFECT = (
    r"(?!.*\b(?!fills|echoes|drowns|pierces|breaks|shatters)\w+s (?:the|an?|his|her|their|him|them|(?-i:[A-Z])\w+)\b)"
)
"""A sound that makes somebody turn, or splits the sky, comes with something that is seen."""
_SOUND = re.compile(
    r"(?:an? |the |his |her |their |another )?(?:\w+ )?"
    r"(?:bell|bells|phone|phones|telephone|doorbell|alarm|siren|sirens|buzzer|horn|gong|foghorn)"
    rf" (?:{_SOUNDING})(?: (?:again|once|twice|loudly|softly|outside|off|off-screen|in the distance|somewhere))*"
    rf"|(?:the |soft |loud |dramatic |sad |dance )*(?:{_SOUNDTRACK}) (?:slowly |suddenly )?"
    r"(?:swells?|fades?|builds?|rises?|ends?|begins?|starts?|stops?|plays?|blares?)"
    r"(?: (?:up|in|out|down|off|on|away|again|softly|loudly|outside))*"
    r"|thunder (?:booms?|rumbles?|cracks?|rolls?|claps?)(?: \w+ly)?(?: (?:outside|above|overhead|in the distance))?"
    rf"|{_HAS_NO_EFFECT}(?:the|an?) (?:\w+ ){{0,2}}"
    r"(?:whine|hum|buzz|drone|rumble|clatter|creak|hiss|sound|sounds|noise|patter|crackle)"
    r" of [\w’' -]{1,60}|no (?:response|answer|reply)"
    r"|(?:an?|the|\w+) (?:\w+ )?\w+['’]s (?:whimper|whine|cry|scream|growl|bark|howl|roar|moan|groan|laughter|sobs?)"
    rf"|{_HAS_NO_EFFECT}(?:the|that|a) (?:sound|noise) (?:is|grows?|gets?|comes?|stops?|fades?)\b[\w,’' -]{{1,60}}"
    r"|thunder|applause|laughter|silence|gunfire|footsteps(?: (?:approach|recede|outside|above|in the distance))?"
    r"|an? (?:\w+ )?dog barks (?:somewhere|in the distance|outside|off-?screen)"
    r"|we (?:can )?hear (?!and\b)[\w’' -]{1,60}"
    r"|a (?:bell|gunshot|shot|scream|siren|bang|crash|thud|knock)",
    re.IGNORECASE,
)
DATED = re.compile(r"\s*[-–—:,(]\s*\(?\d{4}(?:s|er)?\)?$")
"""The year behind a direction: FLASHBACK - 1985."""
_ENDS = " \t\n.:;,…!–—-()"


def sentence_kind(extract: str, text: str) -> SentenceKind:
    """The kind of an element, judged by its extract and by its stand-alone sentence."""
    plain, written = text.strip(_ENDS), " ".join(extract.split()).strip(_ENDS)
    if _BRACKETED.fullmatch(extract.strip()):
        return SentenceKind.PRODUCTION
    if (
        _LATER.fullmatch(written)
        or _SHOT.fullmatch(extract.strip())
        or _BRACKETED_TITLE.fullmatch(extract.strip())
        or _NOTE.match(written.lstrip("([*"))
    ):
        return SentenceKind.PRODUCTION
    undated = DATED.sub("", written)
    if any(map(_PRODUCTION.fullmatch, (plain, written, undated))) or _BACK_TO.fullmatch(written):
        return SentenceKind.PRODUCTION
    return SentenceKind.SOUND if _SOUND.fullmatch(plain) else SentenceKind.SEEN
