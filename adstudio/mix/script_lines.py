"""The lines of a script and its plan as they are mixed: each with its chosen take, or spoken by the project's voice."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial

from adstudio.core.errors import BadInputError
from adstudio.core.fusions import as_spoken
from adstudio.core.plan import Plan
from adstudio.core.progress import OnProgress, Progress, Stage, ignore_progress
from adstudio.core.script import Eventuality, Script, Variant
from adstudio.core.timebase import Span
from adstudio.delivery.formats import exported_lines
from adstudio.delivery.line_numbers import line_numbers
from adstudio.delivery.lines import ScriptLine, extended_lines
from adstudio.delivery.options import DEFAULTS, ExportOptions
from adstudio.mix.lines import MixLine
from adstudio.mix.request import MixStoppedError, Stop, never
from adstudio.speech.cache import SpeechCache
from adstudio.speech.engine import SpeechError
from adstudio.speech.engines import choose_engine
from adstudio.speech.ignored import Ignored
from adstudio.speech.sound import Sound
from adstudio.speech.speaker import Speaker, Spoken
from adstudio.speech.style import resolved_voice
from adstudio.speech.takes import line_sound

QUOTED = 40
"""Characters of a line in a message."""


@dataclass
class Narration:
    """Who speaks a script's lines: its voice, on this machine, and the recordings of its takes.

    `recording` gives the bytes of a recording by its key, as `ProjectFile.sound` does. The engine is only looked for
    once a line has to be spoken.
    """

    script: Script
    recording: Callable[[str], bytes]
    cache: SpeechCache
    speaker: Speaker | None = None
    ignored: dict[Ignored, None] = field(default_factory=dict[Ignored, None])
    """What was asked for of the voice and is not heard, each once."""

    @property
    def engine(self) -> str:
        """The name of the engine that spoke; empty if none did."""
        return "" if self.speaker is None else self.speaker.engine.name

    def spoken(self, text: str, line: Eventuality | None) -> Spoken:
        """A text in the voice of its line.

        Raises:
            SpeechError, SpeechRequestError: as `Speaker.say` and `choose_engine` do.
        """
        narrator = self.script.narrator
        name, style = resolved_voice(narrator.voice, narrator.rate, None if line is None else line.voice)
        if self.speaker is None:
            self.speaker = Speaker(choose_engine(name), self.cache)
        found = self.speaker.say(text, style, narrator.language, narrator.lexicon)
        self.ignored.update(dict.fromkeys(found.ignored))
        return found

    def close(self) -> None:
        """End what the engine keeps running, and let the cache go."""
        if self.speaker is not None:
            self.speaker.close()
        self.cache.close()


def mix_lines(
    script: Script,
    plan: Plan,
    narration: Narration,
    options: ExportOptions = DEFAULTS,
    progress: OnProgress = ignore_progress,
    stop: Stop = never,
) -> tuple[MixLine, ...]:
    """The lines that a plan speaks, in order and numbered as they are exported, then the extended ones.

    Raises:
        DeliveryError: for a plan of another script.
        SpeechError, SpeechRequestError: for a line that cannot be spoken; the message names it.
        BadInputError: if the recording of a chosen take is missing or damaged.
        MixStoppedError: once `stop` says so.
    """
    numbers = line_numbers(script, plan)
    script = as_spoken(script, plan)
    exported = exported_lines(script, plan, options)
    held = extended_lines(script, accepted_only=options.accepted_only)
    places = [
        *_planned(script, plan, exported),
        *(_Place(numbers[each.line.id], each.start, each.wording, each.line) for each in held),
    ]
    found: list[MixLine] = []
    for done, place in enumerate(places):
        if stop():
            raise MixStoppedError("cancelled: nothing was written")
        progress(Progress(Stage.SPEAKING, done / len(places)))
        found.append(_voiced(place, narration))
    return tuple(found)


@dataclass(frozen=True)
class _Place:
    """A wording and where it is spoken; `line` is None for a text that belongs to no eventuality."""

    number: int
    start: int
    variant: Variant
    line: Eventuality | None
    gap: Span | None = None
    override: bool = False
    planned: int | None = None


def _planned(script: Script, plan: Plan, lines: Iterable[ScriptLine]) -> list[_Place]:
    found: list[_Place] = []
    planned = {each.element: each.end - each.start for each in plan.deliveries}
    for line in lines:
        if line.element is None:
            found.append(_Place(line.number, line.span.start, Variant(line.text), None, line.gap, line.override))
            continue
        parts = [(line.element, line.variant, line.span.start)]
        parts += [(part.element, part.variant, part.span.start) for part in line.joined]
        for name, variant, start in parts:
            eventuality = script.eventuality(name)
            wording = eventuality.variants[variant]
            if wording.text.strip():
                override = eventuality.pin.override
                found.append(_Place(line.number, start, wording, eventuality, line.gap, override, planned.get(name)))
    return found


def _voiced(place: _Place, narration: Narration) -> MixLine:
    line = place.line
    load = partial(_sound, narration, place)
    # That it can be spoken, or read, is known now and not in the middle of a render.
    length = load().ms
    own = None if line is None or line.voice is None else line.voice.volume
    volume = narration.script.voice.volume if own is None else own
    return MixLine(
        id=f"line-{place.number}" if line is None else line.id,
        number=place.number,
        start=place.start,
        length=length,
        load=load,
        text=place.variant.text,
        gain=volume if place.variant.chosen_take is None else 0,
        duck=None if line is None else line.duck,
        gap=place.gap,
        override=place.override,
        planned=place.planned,
        extended=line is not None and line.extended,
    )


def _sound(narration: Narration, place: _Place) -> Sound:
    """What is heard of a line, from the project file or the cache; what is no longer there is spoken again."""
    try:
        return line_sound(place.variant, narration.recording, lambda text: narration.spoken(text, place.line).sound)
    except (SpeechError, BadInputError) as error:
        text = " ".join("".join(each if each.isprintable() else " " for each in place.variant.text).split())
        quoted = f", “{text[:QUOTED]}{'…' if len(text) > QUOTED else ''}”" if text else ""
        raise type(error)(f"line {place.number}{quoted}: {error}") from error
