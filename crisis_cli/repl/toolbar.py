"""The toolbar below the prompt: the round, the fighter whose turn it is with its pools, and the function keys."""

from __future__ import annotations

from prompt_toolkit.formatted_text import StyleAndTextTuples

from ..engine.scene import Scene
from ..engine.system import System
from ..render.board import gauges
from ..render.style import Ink
from .keys import EDITING, KEYS, LEAVE

GAP = "  "
KEPT = 40
"""Columns kept for the keys."""
FIRST = ("f1", "f2", "f8", "f5", "f9", "f10", "f3")
"""The keys shown first if there is not room for all."""


def toolbar(scene: Scene, system: System, ink: Ink, width: int, vi: bool) -> StyleAndTextTuples:
    """The toolbar as styled text, as much of it as fits `width` columns."""
    bare = Ink(False, ink.signs)
    one = scene.fighters.get(scene.turn)
    pips = gauges(one, system, bare, width, spent=True) if one else []
    head = [f"Round {scene.round}", *([one.name] if one else [])]
    for pip in pips:
        # What does not fit is shown in the field above as well.
        if len(" · ".join((*head, pip))) + 1 <= width - KEPT:
            head.append(pip)
    said: StyleAndTextTuples = [("", " " + bare.clean(" · ".join(head)))]
    keys = {**KEYS, EDITING: "vi" if vi else "emacs", LEAVE: "leave"}
    room, shown = width - len(said[0][1]), []
    for key in sorted(keys, key=lambda key: FIRST.index(key) if key in FIRST else len(FIRST)):
        room -= len(GAP) + len(key) + 1 + len(keys[key])
        if room < 0:
            break
        shown.append(key)
    for key in sorted(shown, key=lambda key: int(key[1:])):
        said += [("", GAP), ("class:bottom-toolbar.key", key.upper()), ("", f" {keys[key]}")]
    return said
