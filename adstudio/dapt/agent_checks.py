"""The rules about characters and the people who play them."""

from __future__ import annotations

from adstudio.dapt import rules
from adstudio.dapt.document import Document
from adstudio.dapt.names import IDENTIFIER, METADATA
from adstudio.dapt.xml_tree import Element
from adstudio.subtitles.lines import quoted

AGENT = (METADATA, "agent")
_TYPES = ("person", "character", "group", "organization", "other")
_NAME_TYPES = ("full", "family", "given", "alias", "other")
_NEEDED_NAME = {"person": "full", "character": "alias"}


def check_agents(document: Document) -> None:
    """Check each `ttm:agent`, and what refers to agents."""
    in_head = {each for metadata in document.head_metadata() for each in metadata.elements(AGENT)}
    first = next(document.head_metadata(), None)
    for agent in (each for each in document.elements if each.name == AGENT):
        _agent(document, agent)
        if agent.parent is not first:
            what = "agents should all be in the first <metadata> of <head>"
            document.add(rules.AGENT, what, agent, advice=True)
    for element in document.elements:
        value = element.get(AGENT)
        for identifier in (value or "").split():
            referred = document.by_id.get(identifier)
            if referred not in in_head:
                what = f"ttm:agent refers to {quoted(identifier)}, which is not a <ttm:agent> in <metadata> of <head>"
                document.add(rules.AGENT, what, element)


def _agent(document: Document, agent: Element) -> None:
    kind = agent.get(("", "type"))
    if agent.get(IDENTIFIER) is None:
        document.add(rules.AGENT, "<ttm:agent> has no xml:id, by which it is referred to", agent)
    if kind not in _TYPES:
        what = f"the type of <ttm:agent> is {quoted(kind)}" if kind is not None else "<ttm:agent> has no type"
        document.add(rules.AGENT, f"{what}: use person or character", agent)
    names = [*agent.elements((METADATA, "name"))]
    for name in names:
        name_type = name.get(("", "type"))
        if name_type not in _NAME_TYPES:
            what = (
                f"the type of <ttm:name> is {quoted(name_type)}" if name_type is not None else "<ttm:name> has no type"
            )
            document.add(rules.AGENT, f"{what}: use full for a person, alias for a character", name)
    needed = _NEEDED_NAME.get(kind or "")
    if needed and not any(name.get(("", "type")) == needed and name.words() for name in names):
        document.add(rules.AGENT, f"a {kind} needs a <ttm:name> of type {needed}, with the name in it", agent)
    for actor in agent.elements((METADATA, "actor")):
        _actor(document, agent, actor)


def _actor(document: Document, agent: Element, actor: Element) -> None:
    identifier = actor.get(("", "agent"))
    if identifier is None:
        document.add(rules.AGENT, "<ttm:actor> has no agent, which names the person by xml:id", actor)
        return
    referred = document.by_id.get(identifier)
    if referred is None:
        what = f"<ttm:actor> refers to {quoted(identifier)}, which is not an xml:id in the document"
    elif referred.name != AGENT:
        what = f"<ttm:actor> refers to {quoted(identifier)}, which is not a <ttm:agent>"
    elif referred is agent:
        what = f"the character {quoted(identifier)} is named as its own actor: refer to an agent of type person"
    elif referred.get(("", "type")) != "person":
        what = f"<ttm:actor> refers to {quoted(identifier)}, whose type is not person"
    else:
        if referred.line > agent.line:
            what = "the person should be described before the character that refers to it"
            document.add(rules.AGENT, what, actor, advice=True)
        return
    document.add(rules.AGENT, what, actor)
