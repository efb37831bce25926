"""Options that belong together: a command takes them as one dataclass, whose fields are annotated as options are."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from copy import copy
from dataclasses import MISSING, fields, is_dataclass
from typing import Annotated, Any, TypeVar, cast, get_args, get_type_hints

R = TypeVar("R")


def grouped(command: Callable[..., R]) -> Callable[..., R]:
    """The command as typer sees it: groups as single options, listed in `--help` under the `TITLE` of each group."""
    groups: dict[str, type[Any]] = {}
    flat: list[inspect.Parameter] = []
    for parameter in inspect.signature(command, eval_str=True).parameters.values():
        kind = parameter.annotation
        if not (isinstance(kind, type) and is_dataclass(kind)):
            flat.append(parameter)
            continue
        groups[parameter.name] = kind
        hints = get_type_hints(kind, include_extras=True)
        for each in fields(kind):
            default = inspect.Parameter.empty if each.default is MISSING else each.default
            keyword = inspect.Parameter.KEYWORD_ONLY
            annotation = _in_panel(hints[each.name], vars(kind)["TITLE"])
            flat.append(inspect.Parameter(each.name, keyword, default=default, annotation=annotation))

    def run(**given: object) -> R:
        filled = {
            name: cast("object", kind(**{each.name: given.pop(each.name) for each in fields(kind)}))
            for name, kind in groups.items()
        }
        return command(**given, **filled)

    run.__name__, run.__doc__, run.__module__ = command.__name__, command.__doc__, command.__module__
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in flat}
    run.__signature__ = inspect.Signature(flat)  # type: ignore[attr-defined] - typer asks for it
    return run


def _in_panel(hint: Any, title: str) -> Any:  # noqa: ANN401 - an annotation is any object
    """The annotation of an option that `--help` shows under a title."""
    kind, shared = get_args(hint)
    option = copy(shared)
    option.rich_help_panel = title
    return Annotated[kind, option]
