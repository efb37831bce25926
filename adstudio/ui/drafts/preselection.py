"""The drafts made ready for a project that a model is to draft: it and all scenes chosen, and nothing asked yet."""

from __future__ import annotations

from PySide6.QtCore import Qt

from adstudio.ui.drafts.panel import BY_MODEL, DraftsPanel
from adstudio.ui.drafts.scenes_page import NEW
from adstudio.ui.session.preferences import Preferences
from adstudio.ui.widgets.formatting import counted

GONE = "There is no connection “{}” any more: choose another model."


def preselect_model(panel: DraftsPanel, preferences: Preferences, model: str) -> str:
    """Choose the model and the scenes; the hand goes to the button that is next. What stands there, in a sentence.

    What may leave is asked as ever: only its own button starts the draft, once the project allows it.
    """
    page = panel.page
    preferences.store("model", model)
    page.which.setCurrentIndex(NEW)
    page.anew.setChecked(False)
    panel.show_page(BY_MODEL)
    buttons = (page.start_button, page.out_button)
    target = next((each for each in buttons if each.isVisibleTo(page.header) and each.isEnabled()), page.table)
    target.setFocus(Qt.FocusReason.OtherFocusReason)
    named = page.model.named
    if named is None or named.name != model:
        return f"{GONE.format(model)} {page.progress.whole}".strip()
    scenes = counted(len(page.rows.scenes), "scene")
    return f"{scenes} for {model} to draft. {page.progress.whole}".strip()
