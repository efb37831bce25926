"""A draft in a process of its own, which writes down each ask that it begins and each that has ended."""

from __future__ import annotations

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from model_films import drafted, scenes_of
from scripted_model import ScriptedModel, kind_of

from adstudio.drafting.model.events import Spent
from adstudio.drafting.model.requests import FilmSeen
from adstudio.media import clips


def main() -> None:
    folder, log, pause = Path(sys.argv[1]), Path(sys.argv[2]), float(sys.argv[3])
    clips.folder = lambda: folder / "clips"
    with log.open("a", buffering=1) as out:

        def note(*what: object) -> None:
            out.write(json.dumps(what) + "\n")

        model = ScriptedModel(lambda ask: note("begun", ask.content_hash(model.name), kind_of(ask)), pause=pause)

        def hear(event: object) -> None:
            if isinstance(event, Spent):
                note("ended", event.ended)

        outcome = drafted(
            FilmSeen(folder / "film.mp4", 60_000, "print"), scenes_of(6), model, folder / "jobs.sqlite", hear=hear
        )
        note("outcome", [[draft.state.value, len(draft.lines)] for draft in outcome.scenes])


if __name__ == "__main__":
    main()
