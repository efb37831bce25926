"""Which texts of a script a voice has not spoken yet, and what is known once it has."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterable, Iterator

from adstudio.core.fusions import as_spoken, line_of, usable_fusions
from adstudio.core.narration import LineVoice
from adstudio.core.plan import Plan
from adstudio.core.script import Eventuality, Script
from adstudio.speech.length_model import FEATURES, LengthModel
from adstudio.speech.measuring import (
    LEAST_TO_CALIBRATE,
    MOST_GROUPS,
    MOST_TEXTS,
    LengthsMeasured,
    MeasureLengths,
    MeasuringEvent,
    ModelFitted,
    TextGroup,
)
from adstudio.speech.voice_lengths import MOST_KNOWN, MOST_VOICES, Manner, VoiceLengths, manner_of, spoken

Unspeakable = Container[tuple[Manner, str]]
"""Texts that a voice has been asked for in vain."""


def unmeasured_texts(
    script: Script, plan: Plan | None, lengths: VoiceLengths, failed: Unspeakable = ()
) -> MeasureLengths:
    """What is to be measured next: the wordings that the plan speaks, then all others, as many as one request takes.

    The project's voice is to be calibrated even where nothing is left to measure, so that what is written next has a
    length at once. Where lines have more voices of their own than are remembered, or texts, the last ones are only
    predicted.
    """
    chosen: dict[LineVoice | None, dict[str, None]] = defaultdict(dict)
    others: dict[LineVoice | None, dict[str, None]] = defaultdict(dict)
    count = 0
    narrator = script.narrator
    manners: dict[LineVoice | None, Manner] = {None: manner_of(narrator)}
    seen: set[tuple[Manner, str]] = set()
    for line, number, is_chosen in _wordings(script, plan):
        voice, text = line.voice, line.variants[number].text
        if voice not in manners:
            if len(manners) >= MOST_VOICES:
                continue
            manners[voice] = manner_of(narrator, voice)
        wording = manners[voice], text
        if wording in seen or len(seen) >= MOST_KNOWN:
            continue
        seen.add(wording)
        if lengths.measured(text, narrator, voice) is not None or wording in failed or spoken(text, narrator) is None:
            continue
        (chosen if is_chosen else others)[voice][text] = None
        count += 1
        if count >= MOST_TEXTS:
            break
    unknown = {voice for voice, manner in manners.items() if lengths.known(manner).model is None}
    needed = {voice for voice in unknown if len(chosen[voice]) + len(others[voice]) >= LEAST_TO_CALIBRATE}
    needed |= unknown & {None}
    groups = [
        TextGroup(voice, tuple(texts), len(texts) if part is chosen else 0, voice in needed)
        for part in (chosen, others)
        for voice, texts in part.items()
        if texts
    ]
    if None in needed and not any(group.voice is None for group in groups):
        groups.append(TextGroup(None, (), 0, calibrate=True))
    return MeasureLengths(narrator, tuple(groups[:MOST_GROUPS]))


def add_measured(
    lengths: VoiceLengths, request: MeasureLengths, events: Iterable[MeasuringEvent], failed: set[tuple[Manner, str]]
) -> VoiceLengths:
    """The lengths with what has been said about a request; texts that could not be spoken are added to `failed`."""
    for event in events:
        if not isinstance(event, LengthsMeasured | ModelFitted) or not 0 <= event.group < len(request.groups):
            continue
        group = request.groups[event.group]
        manner = manner_of(request.narrator, group.voice)
        found: dict[str, int] = {}
        if isinstance(event, LengthsMeasured):
            texts = group.texts[event.first : event.first + len(event.lengths)]
            for text, length in zip(texts, event.lengths, strict=False):
                said = spoken(text, request.narrator)
                if length > 0 and said is not None:
                    found[said] = length
                else:
                    failed.add((manner, text))
        lengths = lengths.with_measured(manner, event.version, found)
        if isinstance(event, ModelFitted) and len(event.weights) == len(FEATURES):
            lengths = lengths.with_model(manner, LengthModel(event.weights))
    return lengths


def _wordings(script: Script, plan: Plan | None) -> Iterator[tuple[Eventuality, int, bool]]:
    """Every wording, those that the plan speaks first, and whether it does."""
    spoken_now = {} if plan is None else plan.by_element
    for line in as_spoken(script, plan).eventualities:
        delivery = spoken_now.get(line.id)
        if delivery is not None and delivery.variant < len(line.variants):
            yield line, delivery.variant, True
    fused = (line_of(script, fusion) for fusion in usable_fusions(script))
    for line in (*script.eventualities, *fused):
        for number in range(len(line.variants)):
            yield line, number, False
