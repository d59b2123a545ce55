"""Parts of a rulebook: what it says on screens, and its rules for sheets, space, rest and older journals."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..values import NamedTuple
from .kinds import Absent, Fault, Kind
from .rule_change import RuleChange
from .scene import Fighter, distance
from .wording import OutcomeText, OutputField, RollText


class Texts(NamedTuple):
    """How outcomes, rolls and further values of a system read on screens, and their keys in JSON records."""

    outputs: Mapping[str, OutputField] = {}
    """Further values that actions report, by key, in the order of the JSON record."""
    rolls: Mapping[str, RollText] = {}
    """The words for success and failure of secondary rolls, such as a saving throw, by their label."""
    words: Mapping[str, OutcomeText] = {}
    """The texts for outcomes, by `outcome.word`, besides those that all systems share ("hit", "failure" …)."""
    counted: tuple[str, ...] = ()
    """Names of things that outcomes and rolls count besides "criticals", in the plural: "extras", "complications"."""
    face_words: Callable[[str, Sequence[int]], Sequence[int | str]] = lambda dice, faces: faces
    """How the faces of a roll read, given its dice and its faces, where some are not what they count."""


def no_derived(fighter: Fighter) -> Mapping[str, int]:
    """No values follow from the sheet but the pools."""
    return {}


class SheetRules(NamedTuple):
    """What a system says about its sheets beside the fields that they have."""

    check: Callable[[Mapping[str, Any]], list[Fault]] = lambda sheet: []
    """Errors of a sheet that no single field shows, such as two values that contradict each other."""
    derived: Callable[[Fighter], Mapping[str, int]] = no_derived
    """Values computed from the sheet that `character show` lists, such as initiative and defence."""
    rolled: Callable[[Any, Mapping[str, Any]], Mapping[str, Any]] | None = None
    """`rolled(table, sheet)` gives the values that are rolled when a sheet is created; None: none are."""
    single_things: tuple[str, ...] = ()
    """Tables of the sheet that describe one thing to hold, such as "shield"."""
    unlisted_weapons: tuple[str, ...] = ()
    """What `--weapon` names without an entry on the sheet, besides bare hands: "object", anything at hand to throw."""


class Space(NamedTuple):
    """How a system measures distances, and the values of the options that say what lies between fighters."""

    unit: str = "m"
    """The unit of distances as it stands behind a number: "m", "ft", "zones"; one that ends in s loses it behind 1."""
    moved: str = "metres"
    """The key of the JSON record for how far the actor moved: "metres"."""
    metres: float = 1
    """How many metres a unit stands for, where opponents judge how near danger is."""
    beside: int = 1
    """How far apart two fighters are who stand beside each other; 0: they share a place."""
    square: int = 1
    """How many units the smallest square of the map measures on a side."""
    farthest: int = 64
    """How far opponents look for a place to go in one action."""
    apart: int = 0
    """How far apart sides begin a fight if nobody says; 0: some ten metres."""
    reach: int = 0
    """How far arms reach, for what is readied for `reach`; 0: as far as `beside`."""
    distance: Callable[[Sequence[float], Sequence[float]], int] = distance
    """The distance between two places, in whole units (ALL-4)."""
    range: Kind = Absent("range")
    """The values of `--range`; left out: the system has no such option."""
    cover: Kind = Absent("cover")
    """The values of `--cover`; left out: the system has no such option."""


class Rest(NamedTuple):
    """How wounds heal between the crises of a campaign (`crisis rest`)."""

    action: str = ""
    """The action by which they heal; empty: they do not."""
    hours: int = 0
    """The hours that this action takes, once a night; 0: any number, as its options `hours` and `days` say."""


class History(NamedTuple):
    """What has changed since older journals were written, so that `crisis verify` reads them."""

    changes: tuple[RuleChange, ...] = ()
    """Rules that have changed since then."""
    renamed_parts: Mapping[str, str] = {}
    """Names that older journals have for parts of numbers, with the names of today: `verify` reads them as these."""
