"""What is said of a cast: rules of merging, sources, and what collecting did."""

from __future__ import annotations

from adstudio.characters.cast_collecting import CollectedCast
from adstudio.core.cast import CharacterSource, MergeRule, Pronouns
from adstudio.core.counts import counted

RULES = {
    MergeRule.WRITTEN_ALIKE: "the same name in another spelling",
    MergeRule.PART_OF_NAME: "a part of the name that nobody else has",
    MergeRule.TITLE_AND_SURNAME: "a form of address with a surname that nobody else has",
    MergeRule.NICKNAME: "a usual short form of the first name",
    MergeRule.CAST_LIST: "the cast list says so",
    MergeRule.DESCRIBER: "merged by you",
}
"""Why two entries are one person."""
SOURCES = {
    CharacterSource.SCREENPLAY: "screenplay",
    CharacterSource.SUBTITLES: "subtitles",
    CharacterSource.CAST_LIST: "cast list",
    CharacterSource.DIARISATION: "speaker file",
    CharacterSource.DESCRIBER: "added by you",
}
PRONOUNS = {
    Pronouns.UNKNOWN: "not known",
    Pronouns.SHE: "she",
    Pronouns.HE: "he",
    Pronouns.THEY: "they",
}


def merge_lines(collected: CollectedCast) -> tuple[str, ...]:
    """A line for each name that was merged, with the rule."""
    return tuple(f"{each.name} is {each.into}: {RULES[each.rule]}" for each in collected.mergers)


def summary(collected: CollectedCast) -> str:
    """How many people are new or completed, and how many names were merged."""
    if not collected.added and not collected.mergers and not collected.completed:
        return "nobody new was found"
    added, completed, merged = len(collected.added), len(collected.completed), len(collected.mergers)
    parts = (
        counted(added, "new character") if added or not completed else "",
        f"{counted(completed, 'character')} completed" if completed else "",
        f"{counted(merged, 'name')} merged" if merged else "",
    )
    return ", ".join(part for part in parts if part)
