"""Cards of faces: those that are shown are made, and no others."""

from __future__ import annotations

import io

import pytest
from PIL import Image
from PySide6.QtCore import Qt

from adstudio.ui.faces.cards import Card, Cards


def picture(shade):
    data = io.BytesIO()
    Image.new("L", (40, 40), shade).save(data, "JPEG")
    return data.getvalue()


PICTURES = [picture(shade) for shade in range(200)]


@pytest.fixture
def cards(qtbot):
    cards = Cards("Faces")
    qtbot.addWidget(cards)
    cards.resize(500, 400)
    cards.show()
    return cards


def shown(cards, qtbot, keys, choose=()):
    """The keys of the cards that are made."""
    made = []

    def card_of(key):
        made.append(key)
        return Card(PICTURES[key % 200], f"face {key}", f"Face {key}")

    cards.show_cards(keys, card_of, choose)
    cards.repaint()
    qtbot.wait(20)
    return made


def test_of_thousands_only_those_in_sight_are_made(cards, qtbot):
    made = shown(cards, qtbot, range(5_000))
    assert 0 < len(made) < 60
    assert len(made) == len(set(made)), "each of them once"
    assert 4_999 not in made
    cards.scrollToBottom()
    cards.repaint()
    assert 4_999 in made
    assert cards.spoken(2_000) == "Face 2000", "a screen reader reads those out of sight too"


def test_cards_are_known_by_their_keys(cards, qtbot):
    shown(cards, qtbot, [7, 3, 9], choose={9, 3, 100})
    assert cards.chosen == [3, 9], "in the order in which they are shown"
    assert cards.currentIndex().row() == 1
    shown(cards, qtbot, [9])
    assert cards.chosen == []
    assert cards.currentIndex().row() == 0
    shown(cards, qtbot, [])
    assert cards.chosen == []
    assert cards.spoken(0) == ""


def test_it_is_said_that_others_are_chosen_or_current(cards, qtbot):
    shown(cards, qtbot, range(3))
    with qtbot.waitSignals([cards.chosen_changed, cards.current_changed]):
        qtbot.keyClick(cards, Qt.Key.Key_Right)
    assert cards.chosen == [1]


def test_pictures_come_one_after_the_other_once_they_should_be_seen(cards, qtbot, monkeypatch):
    monkeypatch.setattr("adstudio.ui.faces.cards.SLICE_MS", 0.5)
    shown(cards, qtbot, range(5_000))
    rows = cards.model()

    def wide(row):
        sizes = rows.index(row, 0).data(Qt.ItemDataRole.DecorationRole).availableSizes()
        return sizes[0].width()

    qtbot.waitUntil(lambda: wide(1) == 40)
    assert wide(4_150) == 1, "nothing but its place"
    qtbot.waitUntil(lambda: wide(4_150) == 40)
    shown(cards, qtbot, [1])
    assert wide(0) == 40, "the picture of another card before, which is not decoded again"
