"""Doctrines: how a fighter that plays automatically decides, as values of a TOML file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ..engine.kinds import Flag, OneOf, Text, Whole
from ..engine.scene import Fighter
from ..engine.schema import Field, Section
from ..errors import FileError
from ..values import NamedTuple

USUAL = "careful"
"""The default doctrine."""

SHARE = Whole(0, 100)
WEIGHT = Whole(0, 1000)
SCHEMA = Section(
    {
        "about": Field(Text(most=120), "description, one line", required=True),
        "aim": Field(
            OneOf(("harm", "nearest", "weakest", "prey", "dangerous", "avenge", "guard")),
            "which foe it attacks: the one it can harm most, the nearest, the weakest, the most hurt of those near, "
            "the most dangerous, the one that hurt it last, or the one nearest to the fighter it protects",
            "",
            "harm",
        ),
        "range": Field(
            OneOf(("any", "melee", "near", "far")),
            "distance at which it fights: any, hand to hand, close, or as far away as it can do harm",
            "",
            "any",
        ),
        "protect": Field(
            Text(most=40), "fighter it stays close to: nobody, weakest (of its friends), or a name", "", "nobody"
        ),
        "react": Field(
            OneOf(("none", "best", "always")),
            "when it reacts to attacks: never, when that means less harm, or whenever it can",
            "",
            "best",
        ),
        "ahead": Field(
            OneOf(("action", "turn", "fight")),
            "how far it plans ahead: to its next turn, a few turns, or the rest of the fight",
            "",
            "turn",
        ),
        "weigh": Field(
            Section(
                {
                    "done": Field(WEIGHT, "weight of harm done to foes", "", 100),
                    "suffered": Field(WEIGHT, "weight of harm that foes could do to it", "", 50),
                    "spent": Field(WEIGHT, "weight of ammunition, uses and other supplies that it spends", "", 10),
                    "healed": Field(WEIGHT, "weight of treating wounds of its side", "", 100),
                }
            ),
            "weights of what counts in a decision, in percent",
            "",
            {"done": 100, "suffered": 50, "spent": 10, "healed": 100},
        ),
        "breaks": Field(
            Section(
                {
                    "then": Field(
                        OneOf(("fight", "flee", "surrender")), "what it does when its morale breaks", "", "fight"
                    ),
                    "hurt": Field(SHARE, "share of its own health lost, in percent; 0: never", "", 0),
                    "behind": Field(
                        Flag(), "whether its own wounds count only while its side is clearly behind", "", True
                    ),
                    "fallen": Field(SHARE, "share of its side out of the fight, in percent; 0: never", "", 0),
                    "outnumbered": Field(Whole(0, 100), "number of foes per fighter of its side; 0: never", "", 0),
                    "leader": Field(Flag(), "whether it breaks when the strongest of its side is down", "", False),
                }
            ),
            "when its morale breaks, and what it does then; any one limit is enough",
            "",
            {"then": "fight", "hurt": 0, "behind": True, "fallen": 0, "outnumbered": 0, "leader": False},
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
    leader: bool = False
    behind: bool = True
    """Whether its own wounds count only while its side is clearly behind."""


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
    """The doctrine of a fighter; FileError, naming the fighter, if it is missing or invalid."""
    try:
        return named(one.doctrine or USUAL)
    except FileError as error:
        error.message = f"{one.name} has the doctrine {one.doctrine!r}: {error.message}"
        error.hint += (
            f"; or give {one.name} another doctrine: crisis auto {one.name} {USUAL}, "
            "or `doctrine` on the sheet"
        )
        raise


def doctrine_of(name: str, values: Mapping[str, Any]) -> Doctrine:
    """The doctrine with these checked values."""
    weights = {key: value / 100 for key, value in values["weigh"].items()}
    return Doctrine(
        **{**values, "name": name, "weigh": Weights(**weights), "breaks": Breaks(**values["breaks"])}
    )
