"""Combat dice, hit locations, cover and resistance (2D20-17 to 2D20-21, 2D20-24)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from .luck import given
from .words import PLACES

if TYPE_CHECKING:
    pass

SIDES, LOCATIONS = 6, 20
LUCKY = 3
"""2D20-8: combat dice that a Luck point re-rolls."""
WHERE = (2, 8, 11, 14, 17, 20)
"""2D20-17: up to which face of the d20 each location goes, in the order of PLACES."""
SEVERE = 5
"""2D20-22: what one hit must do to injure."""


class Place(NamedTuple):
    """A location, as armour has it."""

    name: str
    resist: int
    """Against the damage of this attack, what is broken already taken off."""
    radiation: int


class Toll(NamedTuple):
    """How a victim stands after some hits."""

    hp: int
    highest: int
    """The maximum, which radiation lowers (2D20-21)."""
    injured: tuple[str, ...] = ()
    """Locations newly injured, each as often as it was."""
    broken: tuple[int, ...] = (0,) * len(PLACES)
    """Resistance that breaking has taken, by location."""
    uncovered: int = 0
    """Cover dice that breaking has taken."""
    stunned: bool = False
    burning: tuple[int, str] = (0, "")
    """Persistent damage: how often, and where."""


class Victim(NamedTuple):
    """Whoever an attack can hurt, as far as the dice must know."""

    name: str
    toll: Toll
    places: tuple[Place, ...]
    cover: int = 0
    """Cover dice."""
    low: bool = False
    """Prone: cover dice that show nothing are rolled again (2D20-12)."""
    among: bool = False
    """One of several: the record says whom each roll is against."""


class Hit(NamedTuple):
    """What a hit does, whoever it strikes."""

    who: str
    dice: int
    plus: int
    kind: str
    effects: tuple[tuple[str, int], ...]
    """By effect: 1, or the number of piercing."""
    brief: bool = False
    """For the odds: nobody asks for more than what becomes of HP and its maximum."""

    def has(self, effect: str) -> int:
        """The number of an effect; 0 where the weapon has it not."""
        return dict(self.effects).get(effect, 0)


def combat_die(table: Any) -> tuple[int, int, int]:
    """A rule, 2D20-18: damage, Effects, and whether the die shows neither."""
    face: int = table.die(SIDES)
    if face >= 5:
        return 1, 1, 0
    return (face, 0, 0) if face <= 2 else (0, 0, 1)


class Added(NamedTuple):
    """What is added to the damage that combat dice show."""

    plus: int = 0
    vicious: int = 0
    """For each Effect (2D20-24)."""

    def to(self, harm: int, effects: int) -> int:
        """The damage before cover and resistance."""
        return max(0, harm + self.plus + effects * self.vicious)


BARE = Added()
"""Nothing is added to what the dice show."""


def thrown(
    table: Any, who: str, dice: int, luck: int, against: str = "", asks: int = 0, added: Added = BARE
) -> tuple[int, int, int]:
    """A rule: damage and Effects of some combat dice, and the Luck used to roll those that show nothing again.

    `asks` is the Luck that the player is asked about, `added` what is added to what the dice show.
    """
    table.label("damage", who, f"{dice}dC", **_against(against))
    harm, effects, empty = table.times(dice, combat_die, zero=(0, 0, 0))
    again = min(empty, LUCKY * luck)
    if again:
        more, new, _ = table.times(again, combat_die, zero=(0, 0, 0))
        harm, effects = harm + more, effects + new
    _reckoned(table, added.to(harm, effects), effects, again)
    # The new faces stand: each point is for dice that have been rolled once.
    while again < empty and again < LUCKY * asks:
        some = min(LUCKY, empty - again)
        if not given(table, who, nothing, (0,), nothing, (some,), "more damage"):
            break
        more, new, _ = table.times(some, combat_die, zero=(0, 0, 0))
        harm, effects, again = harm + more, effects + new, again + some
        _reckoned(table, added.to(harm, effects), effects, again)
    table.part("damage", "vicious", effects * added.vicious, "2D20-24", against=against)
    return added.to(harm, effects), effects, -(-again // LUCKY)


def _reckoned(table: Any, harm: int, effects: int, again: int) -> None:
    table.result(total=harm, effects=effects, **({"rerolled": again} if again else {}))


def nothing(table: Any, dice: int) -> int:
    """A rule: 1 where some combat dice add nothing at all, else 0."""
    return int(not table.times(dice, combat_die, zero=(0, 0, 0))[0])


def _against(name: str) -> dict[str, str]:
    return {"against": name} if name else {}


def located(table: Any, who: str, among: bool = False) -> int:
    """A rule, 2D20-17: which location is struck, by its place in PLACES."""
    table.label("location", who, f"d{LOCATIONS}", **_against(who if among else ""))
    face: int = table.die(LOCATIONS)
    at = next(place for place, last in enumerate(WHERE) if face <= last)
    table.result(total=face, spot=PLACES[at])
    return at


def covered(table: Any, who: str, dice: int, low: bool, among: bool = False) -> int:
    """A rule, 2D20-20: what cover takes off; Effects on its dice do not count (a reading)."""
    if not dice:
        return 0
    table.label("cover", who, f"{dice}dC", **_against(who if among else ""))
    off, _, empty = table.times(dice, combat_die, zero=(0, 0, 0))
    if low and empty:
        off += table.times(empty, combat_die, zero=(0, 0, 0))[0]
    table.result(total=off, **({"rerolled": empty} if low and empty else {}))
    total: int = off
    return total


def struck(
    table: Any,
    toll: Toll,
    victim: Victim,
    hit: Hit,
    harm: int,
    effects: int,
    at: int = -1,
) -> Toll:
    """A rule: a hit on a victim: its location, where that is not known, cover dice, resistance, what comes of it."""
    if at < 0:
        at = table.ask(located, victim.name, victim.among)
    place = victim.places[at]
    cover = max(0, victim.cover - toll.uncovered)
    breaking = effects * hit.has("breaking")
    uncovers = min(cover, breaking)
    worn = _broken(toll._replace(uncovered=toll.uncovered + uncovers), place, breaking - uncovers)
    table.part("cover dice", "breaking", -uncovers, "2D20-24", against=victim.name)
    off = (
        table.ask(covered, victim.name, cover - uncovers, victim.low, victim.among) if cover > uncovers else 0
    )
    resists = f"{place.name} resistance"
    table.part(resists, hit.kind, place.resist, "2D20-20", "resist", victim.name)
    broken = worn.broken[at]
    table.part(resists, "breaking", -broken, "2D20-24", against=victim.name)
    pierced = min(place.resist - broken, effects * hit.has("piercing"))
    table.part(resists, "piercing", -pierced, "2D20-24", against=victim.name)
    return _suffered(worn, place, hit, harm, effects, off, place.resist - broken - pierced)


def _broken(toll: Toll, place: Place, more: int) -> Toll:
    """2D20-24, breaking: without cover the resistance of the location goes."""
    at = PLACES.index(place.name)
    gone = min(place.resist, toll.broken[at] + more)
    return toll._replace(broken=(*toll.broken[:at], gone, *toll.broken[at + 1 :]))


def _suffered(toll: Toll, place: Place, hit: Hit, harm: int, effects: int, cover: int, resist: int) -> Toll:
    """2D20-20 to 2D20-24: what is left of the damage, and what it does."""
    left = max(0, harm - cover - resist)
    after = hurt(toll, place.name, left, hit.kind == "radiation")
    rays = max(0, effects * hit.has("radioactive") - place.radiation)
    if rays:
        after = hurt(after, place.name, rays, True, severe=False)
    if hit.brief:
        return after._replace(injured=())
    burning = (effects, place.name) if effects and hit.has("persistent") else (0, "")
    return after._replace(
        stunned=after.stunned or bool(effects and hit.has("stun")), burning=max(after.burning, burning)
    )


def hurt(toll: Toll, place: str, left: int, rays: bool, severe: bool = True) -> Toll:
    """2D20-21 to 2D20-23: damage that got through: HP or the maximum, injuries, dying."""
    if not left:
        return toll
    highest = max(0, toll.highest - left) if rays else toll.highest
    hp = min(toll.hp, highest) if rays else max(0, toll.hp - left)
    new = [place] * (severe and left >= SEVERE)
    # At HP 0 the location is injured, and again by any damage after that.
    new += [place] * (not hp)
    return toll._replace(hp=hp, highest=highest, injured=tuple(sorted((*toll.injured, *new))))


def bled(table: Any, state: Toll, who: str, dice: int, resist: int, place: str, rays: bool) -> Toll:
    """A rule, 2D20-22, 2D20-24: damage at the end of a turn, its Effects ignored."""
    harm, _, _ = table.ask(thrown, who, dice, 0)
    table.part(f"{place} resistance", "resistance", resist, "2D20-20", "resist", who)
    return hurt(state, place, max(0, harm - resist), rays)
