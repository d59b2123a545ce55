"""The toolbar below the prompt: the round, the fighter whose turn it is with its pools, and the function keys."""

from __future__ import annotations

from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.utils import get_cwidth

from ..engine.scene import Scene
from ..engine.sides import rounds_played
from ..engine.system import System
from ..render.board import bar_length, gauges
from ..render.goals import short_progress
from ..render.style import Ink
from .field_panel import truncate
from .keys import EDITING, KEYS, LABELS, LEAVE

GAP = "  "
KEPT = 40
"""Columns kept for the keys."""
LEAST_FOR_GOALS, KEPT_WITH_GOALS = 70, 18
"""Columns from which on there are goals, and those kept for the first two keys then."""
FIRST = ("f1", "f2", "f8", "f5", "f9", "f10", "f3")
"""The keys shown first if there is not room for all."""


def toolbar(scene: Scene, system: System, ink: Ink, width: int, vi: bool) -> StyleAndTextTuples:
    """The toolbar as styled text: as many whole keys as fit `width` columns, and never wider than that.

    It is measured as prompt_toolkit draws it: sign by sign, without joining any.
    """
    bare = Ink(encoding=ink.encoding)
    one = scene.fighters.get(scene.turn)
    pips = gauges(one, system, bare, bar_length(width), spent=True) if one else []
    head = [f"Round {rounds_played(scene)}", *([one.name] if one else [])]
    for pip in pips:
        # What does not fit is shown in the field above as well.
        if get_cwidth(" · ".join((*head, pip))) + 1 <= width - KEPT:
            head.append(pip)
    for goal in short_progress(system, scene) if width >= LEAST_FOR_GOALS else ():
        if get_cwidth(" · ".join((*head, goal))) + 1 <= width - KEPT_WITH_GOALS:
            head.append(goal)
    start = truncate(" " + bare.clean(" · ".join(head)), width)
    said: StyleAndTextTuples = [("", start)]
    keys = {**KEYS, **LABELS, EDITING: "vi" if vi else "emacs", LEAVE: "quit"}
    room, shown = width - get_cwidth(start), []
    for key in sorted(keys, key=lambda key: FIRST.index(key) if key in FIRST else len(FIRST)):
        room -= get_cwidth(f"{GAP}{key} {keys[key]}")
        if room < 0:
            break
        shown.append(key)
    for key in sorted(shown, key=lambda key: int(key[1:])):
        said += [("", GAP), ("class:bottom-toolbar.key", key.upper()), ("", f" {keys[key]}")]
    return said
