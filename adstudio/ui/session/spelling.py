"""The spelling of the open project: which dictionary, with whose names, and what it finds in a text."""

from __future__ import annotations

from PySide6.QtCore import QLocale

from adstudio.core.errors import OutsideFailureError
from adstudio.core.script import Script
from adstudio.spelling.checker import Dictionaries, Speller, choose_dictionaries, dictionaries
from adstudio.spelling.names import project_names
from adstudio.ui.background.timers import single_shot
from adstudio.ui.session.preferences import Preferences
from adstudio.ui.session.session import Session
from adstudio.ui.widgets.spelling_marks import Spelling

PREFERENCE = "spelling"
OFF = "off"
DELAY_MS = 400
"""From the opening of a project until spelling is checked: a dictionary takes a tenth of a second to load."""
MOST_CACHED = 20_000


class SpellCheck(Spelling):
    """Checks texts by the dictionaries of the film's language, unless the describer has chosen another one or none.

    Nothing is found until the dictionary is loaded, or where there is none; `problem` then says why.
    """

    def __init__(self, session: Session, preferences: Preferences) -> None:
        super().__init__(session)
        self._session, self._preferences = session, preferences
        self._speller: Speller | None = None
        self._there: Dictionaries | None = None
        self._spans: dict[str, list[tuple[int, int]]] = {}
        self._loaded_for: tuple[object, ...] = ()
        self._ignored: set[str] = set()
        self.problem = ""
        self._loading = single_shot(self, DELAY_MS, self.load)
        session.opened.connect(self._opened)
        session.current_plan.changed.connect(lambda _: self._follow())
        preferences.changed.connect(lambda name: self._loading.start(0) if name == PREFERENCE else None)
        self._loading.start()

    @property
    def choice(self) -> str:
        """What the describer has chosen: a dictionary's tag, `off`, or nothing."""
        return self._preferences.text(PREFERENCE)

    @property
    def available(self) -> Dictionaries:
        """The dictionaries there are."""
        if self._there is None:
            self._there = dictionaries()
        return self._there

    @property
    def tag(self) -> str:
        """The dictionary in use, the preferred one of several; empty where there is none."""
        return "" if self._speller is None else self._speller.tag

    @property
    def asks_others(self) -> bool:
        """Whether other dictionaries of the language are asked after that one."""
        return self._speller is not None and len(self._speller.tags) > 1

    def load(self) -> None:
        """Load the dictionary now, unless it is."""
        self._loading.stop()
        script = self._session.script
        wanted = self._wanted(script)
        if wanted == self._loaded_for or self._session.project is None:
            return
        self._loaded_for = wanted
        self._speller, self.problem = self._load(script)
        if self._speller is not None:
            for word in self._ignored:
                self._speller.ignore(word)
        self._spans.clear()
        self.changed.emit()

    def spans(self, text: str) -> list[tuple[int, int]]:
        """From where to where the misspelled words of a text are."""
        if self._speller is None:
            return []
        found = self._spans.get(text)
        if found is None:
            if len(self._spans) >= MOST_CACHED:
                self._spans.clear()
            found = self._spans[text] = self._speller.misspelled(text)
        return found

    def suggestions(self, word: str) -> list[str]:
        """What may be meant by a word, the likeliest first."""
        return [] if self._speller is None else self._speller.suggestions(word)

    def ignore(self, word: str) -> None:
        """Take a word as right while this project is open."""
        if self._speller is not None:
            self._ignored.add(word)
            self._speller.ignore(word)
            self._ask_again()

    def add(self, word: str) -> None:
        """Take a word as right from now on, in every project."""
        if self._speller is not None:
            self._speller.add(word)
            self._ask_again()

    def _ask_again(self) -> None:
        self._spans.clear()
        self.changed.emit()

    def _load(self, script: Script) -> tuple[Speller | None, str]:
        language = script.film.language
        if self.choice == OFF:
            return None, "Spelling is not checked: it is switched off in Preferences."
        there = self.available
        if there.problem:
            return None, there.problem
        tags = choose_dictionaries(language, there.tags, self.choice, _countries(language))
        if not tags:
            return None, f"Spelling is not checked: there is no dictionary for “{language}”. Install one (hunspell-…)."
        if self._speller is not None and self._speller.tags == tags:
            self._speller.use_names(project_names(script))
            return self._speller, ""
        try:
            return Speller(tags[0], project_names(script), tags[1:]), ""
        except OutsideFailureError as error:
            return None, str(error)

    def _opened(self) -> None:
        self._ignored.clear()
        self._loaded_for = ()
        self._loading.start()

    def _follow(self) -> None:
        """Load anew where language, cast or dialogue are other ones."""
        if self._loaded_for and self._wanted(self._session.script) != self._loaded_for:
            self._loading.start()

    def _wanted(self, script: Script) -> tuple[object, ...]:
        # Collections that no step touched are identical objects.
        return script.film.language, script.film.title, script.cues, script.people, self.choice


def _countries(language: str) -> list[str]:
    """The countries whose spelling to prefer where a film's language has none: the system's, else the usual one."""
    return [QLocale.territoryToCode(each.territory()) for each in (QLocale.system(), QLocale(language))]
