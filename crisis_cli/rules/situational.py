"""ALL-6, in all systems: what the sheet and the command say of the circumstances of a roll."""

from __future__ import annotations

from collections.abc import Mapping

from ..engine.record import Modifier
from ..engine.scene import Fighter, Intent


def standing(fighter: Fighter, roll: str, *names: str, sign: int = 1) -> list[Modifier]:
    """The standing modifiers of the sheet under those names, each once.

    `sign` is −1 where what helps makes the number smaller.
    """
    worth: Mapping[str, int] = fighter.sheet["circumstance"]
    return [
        Modifier(roll, f"circumstance ({name})", sign * worth[name], "ALL-6", "sheet")
        for name in dict.fromkeys(names)
        if worth.get(name)
    ]


def circumstance(intent: Intent, roll: str, option: str = "mod", sign: int = 1) -> list[Modifier]:
    """What the command adds to a roll."""
    value = intent.get(option, 0)
    source = intent.get("why", "--" + option.replace("_", "-"))
    return [Modifier(roll, "circumstance", sign * value, "ALL-6", source)] if value else []
