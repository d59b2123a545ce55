"""Damage: combat dice, hit locations, cover and resistance, and what hits change (2D20-17 to 2D20-24)."""

from __future__ import annotations

from typing import NamedTuple

from ...rules import Changes, Fighter, RuleTable
from .checks import uses_luck
from .options import PLACES
from .sheet import ARMS, LEGS, cover_of, dice_of, next_turn, resistance

SIDES, LOCATIONS = 6, 20
LUCKY = 3
"""2D20-8: combat dice that a Luck point re-rolls."""
WHERE = (2, 8, 11, 14, 17, 20)
"""2D20-17: the highest face of the d20 for each location, in the order of PLACES."""
SEVERE = 5
"""2D20-22: what one hit must do to injure."""
BROKEN, BURNING = "broken", "burning"
"""Marks: `broken:TYPE:PLACE`, resistance that is gone; `burning:TYPE:PLACE:DICE`, how hard it is to put out."""


class Location(NamedTuple):
    """The armour of a hit location."""

    name: str
    resist: int
    """Against the damage of this attack, without what is broken."""
    radiation: int


class DamageResult(NamedTuple):
    """The state of a target after some hits."""

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
    """Persistent damage: turns, and the location."""


class TargetSetup(NamedTuple):
    """What the dice of a hit must know about its target."""

    name: str
    unhurt: DamageResult
    places: tuple[Location, ...]
    cover: int = 0
    """Cover dice."""
    prone: bool = False
    """Cover dice that show nothing are rolled again (2D20-12)."""
    several: bool = False
    """One of several targets: the record says which one each roll is against."""


class Damage(NamedTuple):
    """The damage of a hit before the dice, on any target."""

    who: str
    dice: int
    plus: int
    kind: str
    effects: tuple[tuple[str, int], ...]
    """By effect: 1, or the number of piercing."""
    hp_only: bool = False
    """For odds, which ask only for HP and its maximum."""

    def has(self, effect: str) -> int:
        """The number of an effect; 0 where the weapon does not have it."""
        return dict(self.effects).get(effect, 0)


class Added(NamedTuple):
    """What is added to the damage that combat dice show."""

    plus: int = 0
    vicious: int = 0
    """For each Effect (2D20-24)."""

    def to(self, damage: int, effects: int) -> int:
        """The damage before cover and resistance."""
        return max(0, damage + self.plus + effects * self.vicious)


NOTHING_ADDED = Added()


def target_setup(fighter: Fighter, kind: str, cover: int = 0, several: bool = False) -> TargetSetup:
    """A fighter as a target of damage of one type, behind so many cover dice."""
    places = tuple(
        Location(place, resist_left(fighter, kind, place), resistance(fighter.sheet, place, "radiation"))
        for place in PLACES
    )
    unhurt = DamageResult(fighter.pools["hp"], fighter.pools["max_hp"])
    return TargetSetup(fighter.name, unhurt, places, cover, fighter.has("prone"), several)


def resist_left(fighter: Fighter, kind: str, place: str) -> int:
    """2D20-3, 2D20-24: the resistance of a location without what is broken."""
    gone = fighter.marks.get(f"{BROKEN}:{kind}:{place}", 0)
    return max(0, resistance(fighter.sheet, place, kind) - gone)


# The dice


def combat_die(table: RuleTable) -> tuple[int, int, int]:
    """2D20-18: damage, Effects, and whether the die shows neither."""
    face = table.die(SIDES)
    if face >= 5:
        return 1, 1, 0
    return (face, 0, 0) if face <= 2 else (0, 0, 1)


def combat_dice(
    table: RuleTable,
    who: str,
    dice: int,
    luck: int,
    against: str = "",
    asks: int = 0,
    added: Added = NOTHING_ADDED,
) -> tuple[int, int, int]:
    """2D20-18, 2D20-8: damage and Effects of some combat dice, and the Luck used to roll empty ones again.

    `asks` is the Luck that the player is asked about.
    """
    table.label("damage", who, f"{dice}dC", **_against(against))
    damage, effects, empty = table.times(dice, combat_die, zero=(0, 0, 0))
    again = min(empty, LUCKY * luck)
    if again:
        more, new, _ = table.times(again, combat_die, zero=(0, 0, 0))
        damage, effects = damage + more, effects + new
    _report(table, added.to(damage, effects), effects, again)
    # The new faces stand: each point is for dice that have been rolled once.
    while again < empty and again < LUCKY * asks:
        some = min(LUCKY, empty - again)
        if not uses_luck(table, who, (all_empty, 0), (all_empty, some), "more damage"):
            break
        more, new, _ = table.times(some, combat_die, zero=(0, 0, 0))
        damage, effects, again = damage + more, effects + new, again + some
        _report(table, added.to(damage, effects), effects, again)
    table.part("damage", "vicious", effects * added.vicious, "2D20-24", against=against)
    return added.to(damage, effects), effects, -(-again // LUCKY)


def _report(table: RuleTable, damage: int, effects: int, again: int) -> None:
    table.result(total=damage, effects=effects, **({"rerolled": again} if again else {}))


def all_empty(table: RuleTable, dice: int) -> int:
    """1 where some combat dice add nothing at all, else 0."""
    return int(not table.times(dice, combat_die, zero=(0, 0, 0))[0])


def _against(name: str) -> dict[str, str]:
    return {"against": name} if name else {}


def hit_location(table: RuleTable, who: str, several: bool = False) -> int:
    """2D20-17: which location is hit, by its place in PLACES."""
    table.label("location", who, f"d{LOCATIONS}", **_against(who if several else ""))
    face = table.die(LOCATIONS)
    at = next(place for place, last in enumerate(WHERE) if face <= last)
    table.result(total=face, spot=PLACES[at])
    return at


def cover_dice(table: RuleTable, who: str, dice: int, prone: bool, several: bool = False) -> int:
    """2D20-20: what cover takes off; Effects on its dice do not count (a reading)."""
    table.label("cover", who, f"{dice}dC", **_against(who if several else ""))
    off, _, empty = table.times(dice, combat_die, zero=(0, 0, 0))
    again = empty if prone else 0
    if again:
        off += table.times(again, combat_die, zero=(0, 0, 0))[0]
    table.result(total=off, **({"rerolled": again} if again else {}))
    return off


def hit(
    table: RuleTable,
    state: DamageResult,
    target: TargetSetup,
    damage: Damage,
    rolled: int,
    effects: int,
    at: int = -1,
) -> DamageResult:
    """2D20-20 to 2D20-24: a hit on a target in some state: location unless given, cover, resistance, the result."""
    if at < 0:
        at = table.ask(hit_location, target.name, target.several)
    place = target.places[at]
    cover = max(0, target.cover - state.uncovered)
    breaking = effects * damage.has("breaking")
    uncovers = min(cover, breaking)
    # Without cover, breaking takes the resistance of the location.
    broken = min(place.resist, state.broken[at] + breaking - uncovers)
    state = state._replace(
        uncovered=state.uncovered + uncovers, broken=(*state.broken[:at], broken, *state.broken[at + 1 :])
    )
    table.part("cover dice", "breaking", -uncovers, "2D20-24", against=target.name)
    left = cover - uncovers
    off = table.ask(cover_dice, target.name, left, target.prone, target.several) if left else 0
    resists = f"{place.name} resistance"
    pierced = min(place.resist - broken, effects * damage.has("piercing"))
    table.part(resists, damage.kind, place.resist, "2D20-20", "resist", target.name)
    table.part(resists, "breaking", -broken, "2D20-24", against=target.name)
    table.part(resists, "piercing", -pierced, "2D20-24", against=target.name)
    state = lose_hp(
        state, place.name, rolled - off - (place.resist - broken - pierced), damage.kind == "radiation"
    )
    rays = max(0, effects * damage.has("radioactive") - place.radiation)
    state = lose_hp(state, place.name, rays, True, severe=False)
    if damage.hp_only:
        return state._replace(injured=())
    burning = (effects, place.name) if effects and damage.has("persistent") else (0, "")
    stunned = state.stunned or bool(effects and damage.has("stun"))
    return state._replace(stunned=stunned, burning=max(state.burning, burning))


def lose_hp(state: DamageResult, place: str, lost: int, rays: bool, severe: bool = True) -> DamageResult:
    """2D20-21 to 2D20-23: damage that got through: HP or (`rays`) the maximum, and injuries."""
    if lost <= 0:
        return state
    highest = max(0, state.highest - lost) if rays else state.highest
    hp = min(state.hp, highest) if rays else max(0, state.hp - lost)
    new = [place] * (severe and lost >= SEVERE)
    # At HP 0 the location is injured, and again by any damage after that.
    new += [place] * (not hp)
    return state._replace(hp=hp, highest=highest, injured=tuple(sorted((*state.injured, *new))))


# What hits change


def apply_damage(changes: Changes, target: TargetSetup, result: DamageResult, damage: Damage) -> None:
    """2D20-20 to 2D20-24: pools, injuries, and the effects of a hit on its target."""
    name, fighter = target.name, changes.fighter(target.name)
    apply_wounds(changes, fighter, result, "2D20-21")
    if result.stunned:
        changes.begin(name, "stunned", "2D20-24", until=next_turn(changes.before, name))
    turns, place = result.burning
    if turns and turns >= int(fighter.conditions.get("persistent", 0)):
        end_persistent(changes, fighter)
        changes.begin(name, "persistent", "2D20-24", turns)
        changes.mark(name, BURNING, turns, "2D20-24", key=f"{damage.kind}:{place}:{damage.dice}")
    for at, gone in enumerate(result.broken):
        if gone:
            mark = f"{BROKEN}:{damage.kind}:{PLACES[at]}"
            changes.mark(name, mark, fighter.marks.get(mark, 0) + gone, "2D20-24")
    cover = fighter.cover.get(damage.who)
    if result.uncovered and cover and cover != "total":
        left = cover_of(max(0, dice_of(cover) - result.uncovered))
        changes.put(name, f"cover:{damage.who}", None if left == "none" else left, "2D20-24")


def apply_wounds(changes: Changes, fighter: Fighter, result: DamageResult, rule: str) -> None:
    """2D20-21, 2D20-22: HP and its maximum, then new injuries and what each brings at once."""
    name = fighter.name
    for pool, rule_id, now in (("max_hp", "2D20-21", result.highest), ("hp", rule, result.hp)):
        lost = changes.number(rule_id).from_dice("damage", now - fighter.pools[pool])
        changes.adjust(name, pool, lost, rule_id)
    for place in dict.fromkeys(result.injured):
        level = int(fighter.conditions.get(f"injured-{place}", 0)) + result.injured.count(place)
        changes.begin(name, f"injured-{place}", "2D20-22", level)
    if any(place in LEGS for place in result.injured):
        changes.begin(name, "prone", "2D20-22")
    if "head" in result.injured:
        changes.begin(name, "stunned", "2D20-22", until=next_turn(changes.before, name))
    arms = [arm for arm in ARMS if not fighter.has(f"injured-{arm}")]
    dropped = {hand for hand, arm in enumerate(arms) if arm in result.injured}
    if dropped:
        held = (thing for hand, thing in enumerate(fighter.held) if hand not in dropped)
        changes.hold(name, held, "2D20-22")


def end_persistent(changes: Changes, fighter: Fighter) -> None:
    """2D20-24: persistent damage is over."""
    changes.end(fighter.name, "persistent", "2D20-24")
    for mark in fighter.marks:
        if mark.startswith(f"{BURNING}:"):
            changes.mark(fighter.name, mark, 0, "2D20-24")
