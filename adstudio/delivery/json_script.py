"""The script as JSON: our own `adstudio-script/1`, and the generation file for the REFRAMED evaluation."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from adstudio.core.control_characters import without_control_characters
from adstudio.core.film import Film
from adstudio.core.json_reading import json_bytes
from adstudio.core.narration import Lexicon, Pronunciation
from adstudio.core.timebase import Span, seconds
from adstudio.delivery.columns import pronunciations
from adstudio.delivery.lines import ScriptLine

FORMAT = "adstudio-script/1"


def script_json(lines: Iterable[ScriptLine], film: Film, lexicon: Lexicon = ()) -> bytes:
    """`adstudio-script/1`, in UTF-8: everything about each line, for programs.

    `{"format", "film": {"title", "language", "end", "frame_rate", "drop_frame", "start_timecode"}, "lines": […]}`.
    The frame rate is a fraction such as "24000/1001". A line is `{"number", "start", "end", "in", "out", "text",
    "words", "element", "variant", "joined": [{"element", "variant", "start", "end"}, …], "gap": [a, b] or null, "room",
    "next_dialogue": {"start", "text", "speaker"} or null, "notes", "pinned", "override", "origin": "machine" or
    "human", "seen", "accepted", "duration", "previous_dialogue": {"end", "text", "speaker"} or null, "pronunciation":
    [{"word", "spoken", "phonemes": true or false}, …], "speed", "duck", "voice", "status": "draft", "seen" or
    "accepted"}`: times, duration and room in seconds with at most three decimals, `in` and `out` as SMPTE timecode
    inside the gap, `speed` in words a minute, `duck` in dB or null. `joined` are the further eventualities spoken as
    part of the same cue; where `element` is a fusion, `members` (present only then) are the eventualities that it
    stands for. `pronunciation` is what the lexicon has of the words in it.

    Raises:
        TimeError: for a start timecode that is not valid at the film's rate.
    """
    rate, lines = film.frame_rate, tuple(lines)
    pronounced = pronunciations(lines, lexicon)
    value = {
        "format": FORMAT,
        "film": {
            "title": without_control_characters(film.title),
            "language": film.language,
            "end": seconds(film.end),
            "frame_rate": f"{rate.rate.numerator}/{rate.rate.denominator}",
            "drop_frame": rate.drop,
            "start_timecode": film.start_timecode,
        },
        "lines": [_line(line, film, words) for line, words in zip(lines, pronounced, strict=True)],
    }
    return json_bytes(value)


def reframed(lines: Iterable[ScriptLine]) -> bytes:
    """The REFRAMED generation file: `{"1": {"start", "end", "text"}, …}`, times in seconds."""
    return json_bytes(
        {
            str(line.number): {"start": seconds(line.span.start), "end": seconds(line.span.end), "text": line.text}
            for line in lines
        }
    )


def _line(line: ScriptLine, film: Film, pronounced: Sequence[Pronunciation]) -> dict[str, object]:
    first, last = film.frame_rate.labels_inside(line.span, line.gap or Span(0, film.end), start=film.start_timecode)
    before, following = line.previous_dialogue, line.next_dialogue
    return {
        "number": line.number,
        "start": seconds(line.span.start),
        "end": seconds(line.span.end),
        "in": first,
        "out": last,
        "text": line.text,
        "words": line.words,
        "element": line.element,
        "variant": line.variant,
        **({"members": list(line.members)} if line.members else {}),
        "joined": [
            {
                "element": fragment.element,
                "variant": fragment.variant,
                "start": seconds(fragment.span.start),
                "end": seconds(fragment.span.end),
            }
            for fragment in line.joined
        ],
        "gap": [seconds(line.gap.start), seconds(line.gap.end)] if line.gap else None,
        "room": None if line.room is None else seconds(line.room),
        "next_dialogue": {"start": seconds(following.start), "text": following.text, "speaker": following.speaker}
        if following
        else None,
        "notes": line.notes,
        "pinned": line.pinned,
        "override": line.override,
        "origin": line.origin.value,
        "seen": line.seen,
        "accepted": line.accepted,
        "duration": seconds(line.span.length),
        "previous_dialogue": {"end": seconds(before.end), "text": before.text, "speaker": before.speaker}
        if before
        else None,
        "pronunciation": [{"word": each.word, "spoken": each.spoken, "phonemes": each.phonemes} for each in pronounced],
        "speed": line.speed,
        "duck": None if line.duck is None else line.duck / 10,
        "voice": line.voice,
        "status": line.status.value,
    }
