"""The film's written companions: Fountain screenplay, prose description, candidate eventualities."""

from __future__ import annotations

import json

from adstudio.core.timebase import seconds
from sample_film.source import RATES, Element, FilmSource, Scene


def fountain(source: FilmSource) -> str:
    """The screenplay (Fountain 1.1): headings, action, dialogue in the order of the shots."""
    parts = [f"Title: {source.title}\nCredit: {source.credit}\nSource: {source.subtitle}"]
    for scene in source.scenes:
        parts.append(scene.heading)
        for shot in scene.shots:
            parts += shot.action
            parts += [f"{source.voices[line.voice].name.upper()}\n{line.text}" for line in shot.lines]
    parts.append("> THE END <")
    return "\n\n".join(parts) + "\n"


def description(source: FilmSource) -> str:
    """The film in prose, a paragraph a scene; the candidates' extracts are pieces of it."""
    return "\n\n".join(" ".join(element.text for element in scene.elements) for scene in source.scenes) + "\n"


def candidates(source: FilmSource) -> str:
    """The candidate eventualities as the paper's appendix “LLM processing” has them, scene by scene.

    Times are seconds from the scene's start.
    """
    scenes = [
        {
            "id": scene.id,
            "start": seconds(scene.start),
            "end": seconds(scene.end),
            "elements": [_candidate(scene, element) for element in scene.elements],
        }
        for scene in source.scenes
    ]
    return json.dumps({"scenes": scenes}, indent=2, ensure_ascii=False) + "\n"


def _candidate(scene: Scene, element: Element) -> dict[str, object]:
    start, end = element.occurrence or (None, None)
    return {
        "scene_description_extract": element.text,
        "audio_description": element.spoken,
        "compressed_audio_descriptions": dict(zip(RATES, element.shorter, strict=True)),
        "occurrence_start": None if start is None else seconds(start - scene.start),
        "occurrence_end": None if end is None else seconds(end - scene.start),
        "salience": element.salience,
    }
