"""How long a project's voice speaks, put on its scripts: whoever opens a project plans it on the same lengths."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from adstudio.core.errors import Oddity
from adstudio.core.fusions import as_spoken
from adstudio.core.plan import Plan
from adstudio.core.script import Script
from adstudio.store.content import Content
from adstudio.system.codec import CodecError


def with_known_lengths(path: Path, content: Content, data: bytes) -> Content:
    """The content whose scripts know these lengths, without a plan that was made on others.

    What cannot be read is listed among the oddities: it is measured again.
    """
    if not data:
        return content
    # Not loaded before there is a project with a voice.
    from adstudio.speech.voice_lengths import VoiceLengths

    try:
        lengths = VoiceLengths.from_bytes(data)
    except CodecError as error:
        what = f"{path}: the measured lengths of its lines cannot be read ({error}); they will be measured again"
        return replace(content, oddities=(*content.oddities, Oddity(what)))
    saved = content.saved.with_changes(lengths=lengths)
    last = saved if content.last is content.saved else content.last.with_changes(lengths=lengths)
    plan = content.plan if content.plan is None or lasts_as_planned(saved, content.plan) else None
    return replace(content, saved=saved, last=last, plan=plan)


def lasts_as_planned(script: Script, plan: Plan) -> bool:
    """Whether each line of a plan lasts as long as its wording does by the script."""
    script = as_spoken(script, plan)
    for spoken in plan.deliveries:
        place = script.eventuality_index.get(spoken.element)
        line = None if place is None else script.eventualities[place]
        if line is None or spoken.variant >= len(line.variants):
            return False
        if spoken.end - spoken.start != script.planned_duration(line, spoken.variant):
            return False
    return True
