"""Doctrines: how a fighter that plays automatically decides, as values of a TOML file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from ..engine.kinds import OneOf, Text, Whole
from ..engine.scene import Fighter
from ..engine.schema import Field, Section
from ..errors import FileTrouble

USUAL = "careful"
"""The default doctrine."""

SHARE = Whole(0, 100)
WEIGHT = Whole(0, 1000)
SCHEMA = Section(
    {
        "about": Field(Text(most=120), "description, one line", required=True),
        "aim": Field(
            OneOf(("harm", "nearest", "weakest", "dangerous", "avenge", "guard")),
            "whom it attacks: wherever it does most harm, the nearest, the weakest, the most dangerous, whoever hurt "
            "it last, or whoever is nearest to the one it protects",
            "",
            "harm",
        ),
        "range": Field(
            OneOf(("any", "melee", "near", "far")),
            "from where it fights: anywhere, hand to hand, close by, or as far off as it can hurt from",
            "",
            "any",
        ),
        "protect": Field(
            Text(most=40), "who it stays with: nobody, weakest (of its friends), or a name", "", "nobody"
        ),
        "react": Field(
            OneOf(("none", "best", "always")),
            "how it answers attacks: never, where that is less harm, or whenever it can",
            "",
            "best",
        ),
        "ahead": Field(
            OneOf(("action", "turn")), "how far it looks ahead: an action, or to the end of its turn", "", "action"
        ),
        "weigh": Field(
            Section(
                {
                    "done": Field(WEIGHT, "harm done to foes, in percent of its worth", "", 100),
                    "suffered": Field(WEIGHT, "harm that foes could do to it", "", 50),
                    "spent": Field(WEIGHT, "rounds, uses and other things that do not come back", "", 10),
                    "healed": Field(WEIGHT, "wounds of its side treated", "", 100),
                }
            ),
            "what counts how much, in percent",
            "",
            {"done": 100, "suffered": 50, "spent": 10, "healed": 100},
        ),
        "breaks": Field(
            Section(
                {
                    "then": Field(
                        OneOf(("fight", "flee", "surrender")), "what it does when it breaks", "", "fight"
                    ),
                    "hurt": Field(SHARE, "it has lost so much of its own, in percent; 0: never", "", 0),
                    "fallen": Field(SHARE, "so much of its side is out of the fight, in percent; 0: never", "", 0),
                    "outnumbered": Field(Whole(0, 100), "so many foes stand for each of its side; 0: never", "", 0),
                }
            ),
            "when it breaks, and what then; any one of these is enough",
            "",
            {"then": "fight", "hurt": 0, "fallen": 0, "outnumbered": 0},
        ),
    }
)  # fmt: skip
"""The schema of a doctrine file."""


class Weights(NamedTuple):
    """Weights of what counts in a decision; 1.0 is normal."""

    done: float
    suffered: float
    spent: float
    healed: float


class Breaks(NamedTuple):
    """When a fighter's morale breaks, and what it does then; shares in percent, 0 for never."""

    then: str
    hurt: int
    fallen: int
    outnumbered: int


class Doctrine(NamedTuple):
    """How a fighter that plays automatically decides."""

    name: str
    about: str
    aim: str
    range: str
    protect: str
    """"nobody", "weakest", or the name of a fighter."""
    react: str
    ahead: str
    weigh: Weights
    breaks: Breaks


def doctrine_of_fighter(one: Fighter, named: Callable[[str], Doctrine]) -> Doctrine:
    """The doctrine of a fighter; FileTrouble, naming the fighter, if it is missing or invalid."""
    try:
        return named(one.doctrine or USUAL)
    except FileTrouble as trouble:
        trouble.message = f"{one.name} goes by {one.doctrine!r}: {trouble.message}"
        trouble.hint += (
            f"; or let {one.name} go by another: crisis auto {one.name} {USUAL}, or mind on the sheet"
        )
        raise


def doctrine_of(name: str, values: Mapping[str, Any]) -> Doctrine:
    """The doctrine with these checked values."""
    weights = {key: value / 100 for key, value in values["weigh"].items()}
    return Doctrine(
        **{**values, "name": name, "weigh": Weights(**weights), "breaks": Breaks(**values["breaks"])}
    )
