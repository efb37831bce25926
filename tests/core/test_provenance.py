"""Where a line comes from, as values and in words."""

from __future__ import annotations

import pytest

from adstudio.core.provenance import (
    UNKNOWN_PROVENANCE,
    UNNAMED_MODEL,
    Contribution,
    DescriptionLine,
    FreeText,
    ModelTask,
    ModelWork,
    Provenance,
    ScreenplayLine,
    provenance_text,
)

AT = 1_795_852_800
DRAFT = ModelWork(
    (Contribution("m", (ModelTask("describe", 1, "3f9a01bc"),)), Contribution("n", (ModelTask("candidates", 2),))), AT
)
WEIGHTS = ModelWork((Contribution("w", (ModelTask("text embedding"),)),), AT + 3_600)
POLISH = ModelWork((Contribution("", (ModelTask("polish", 1),)),), None)


@pytest.mark.parametrize(
    ("provenance", "text"),
    [
        (UNKNOWN_PROVENANCE, ""),
        (Provenance(ScreenplayLine(12)), "screenplay, line 12"),
        (Provenance(ScreenplayLine(40, page=3)), "screenplay, page 3, line 40"),
        (Provenance(DescriptionLine(3)), "description, line 3"),
        (Provenance(FreeText("a book")), "a book"),
        (Provenance(DRAFT), "m, describe 1 edited 3f9a01bc, then n, candidates 2, 2026-11-28 08:00 UTC"),
        (
            Provenance(ScreenplayLine(1), WEIGHTS),
            "screenplay, line 1; weighed by w, text embedding, 2026-11-28 09:00 UTC",
        ),
        (
            Provenance(None, None, POLISH, held_by_polishing=True),
            f"polished by {UNNAMED_MODEL}, polish 1; locked when another line was polished",
        ),
        (Provenance(polished=FreeText("Tom")), "polished by Tom"),
    ],
)
def test_a_provenance_in_words(provenance: Provenance, text: str) -> None:
    assert provenance_text(provenance) == text


def test_only_what_a_model_drafted_is_a_models() -> None:
    assert Provenance(DRAFT, WEIGHTS).by_model
    assert not Provenance(ScreenplayLine(1), WEIGHTS, POLISH).by_model
    assert not Provenance(FreeText("m, describe 1, 2026-11-28 08:00 UTC")).by_model
    assert DRAFT.has_task("candidates")
    assert not DRAFT.has_task("direct")


@pytest.mark.parametrize("task", [ModelTask("describe", 1), ModelTask("weigh", 3, "3f9a01bc"), ModelTask("embed")])
def test_tasks_are_read_from_the_keys_they_are_stored_under(task: ModelTask) -> None:
    assert ModelTask.from_key(task.key) == task


@pytest.mark.parametrize("at", [-1, 10**12])
def test_models_worked_at_a_moment_that_can_be_written(at: int) -> None:
    with pytest.raises(ValueError, match="out of range"):
        ModelWork((), at)
