"""A screenplay in which nothing but the film shows what is spoken: words that mean nothing, all in one column."""

from __future__ import annotations

import random

WORDS = ("zum", "bar", "lok", "tis", "fen", "gor", "mip", "sul")


def unclear_screenplay(seed: int = 1) -> tuple[str, list[str]]:
    """Its text, and the rows that are spoken; of the action below a speech every fifth row has an empty one above."""
    draw = random.Random(seed)
    rows: list[str] = []
    spoken: list[str] = []

    def row() -> str:
        return " ".join(draw.choices(WORDS, k=draw.randint(3, 14))).capitalize() + draw.choice((".", "?", "!", ""))

    for scene in range(8):
        rows += [f"INT. ROOM {scene} - DAY", row()]
        for _ in range(5):
            said = [row() for _ in range(draw.randint(1, 2))]
            spoken += said
            rows += [draw.choice(("ANNA", "TOM")), *said]
            for _ in range(draw.randint(0, 8)):
                rows += ["", row()] if draw.random() < 0.2 else [row()]
    return "\n".join(rows), spoken
