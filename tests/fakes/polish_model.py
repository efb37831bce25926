"""A model that polishes by a script, and films to be polished."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from pathlib import Path

from scripted_model import ScriptedModel, asked_lines, fluent, ids_of

from adstudio.core.film import Film
from adstudio.core.script import SALIENCE_UNIT, Cue, Eventuality, Scene, Script, Variant
from adstudio.core.timebase import Span
from adstudio.drafting.model.prompts import prompts
from adstudio.drafting.model.request_store import JobStore
from adstudio.drafting.model.requests import ModelOptions
from adstudio.drafting.polish.run import Outcome, polish_plan
from adstudio.gaps.gaps import gaps_of
from adstudio.llm.messages import Request
from adstudio.planning.film.film_plan import plan_film


def lines_json(texts: dict[str, str]) -> str:
    return json.dumps({"lines": [{"id": each, "text": text} for each, text in texts.items()]})


def polishing(change: Callable[[str, int], str] = fluent, **how) -> ScriptedModel:
    """A model that gives `change(text, most words)` for each line."""

    def script(ask: Request) -> str:
        lines = asked_lines(ask)
        return lines_json({each: change(lines[each][5], int(lines[each][2])) for each in ids_of(ask)})

    return ScriptedModel(script, **how)


def worded(identity: str, at: int, salience: float, *texts: str, scene: str = "s1", **more) -> Eventuality:
    return Eventuality(
        identity,
        tuple(map(Variant, texts)),
        Span(at, at + 2_000),
        round(salience * SALIENCE_UNIT),
        scene,
        **more,
    )


def station(**changed) -> Script:
    """Forty seconds at 200 words a minute (0.3 s a word), dialogue at 8–10 and 20–30 s: gaps of 8, 10 and 10 s."""
    fields = {
        "scenes": (Scene("s1", Span(0, 20_000), "Platform"), Scene("s2", Span(20_000, 40_000), "Office")),
        "cues": (
            Cue("c1", 8_000, 10_000, "Where is the train?", "ANNA"),
            Cue("c2", 20_000, 30_000, "It left an hour ago.", "TOM"),
        ),
        "eventualities": (
            worded("e1", 1_000, 0.9, "Parks.", extract="She parks her scooter by the gate."),
            worded("e2", 4_000, 0.8, "Takes package."),
            worded("e3", 12_000, 0.7, "Rises from seat."),
            worded("e4", 33_000, 0.6, "Opens the drawer.", scene="s2"),
        ),
    }
    return Script(Film("Station", 40_000), **(fields | changed))


def polished(
    script: Script, model, folder: Path, *, scenes: Sequence[str] = (), whole: bool = False, hear=lambda event: None,
    stop=None, **way,
) -> Outcome:  # fmt: skip
    """A run of its own, as a process has one."""
    gaps = gaps_of(script).gaps
    plan = plan_film(script, gaps)

    async def run() -> Outcome:
        with JobStore(folder / "jobs.sqlite") as store:
            return await polish_plan(
                script, gaps, plan, model, store, ModelOptions(prompts(dict(script.prompts)), **way), scenes=scenes,
                whole=whole, hear=hear, stop=stop, grammar=lambda text: ("", ""),
            )  # fmt: skip

    return asyncio.run(run())
