"""Attacks: combat check, fire modes, range, surprise, ammunition, damage (D100-16 to D100-22), throws (D100-29)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from ...engine.events import Event, change, shift
from ...engine.record import Modifier
from ...engine.scene import Intent, Scene
from ...engine.system import Action, Cost, Setup, refuse
from ...rules.situational import circumstance
from .actions import whole
from .arms import FIREARM, aimed, in_reach, mode_in_use, mode_of, weapon_in_use
from .checks import MINUS, PLUS, asked, edge_of, rated, rolled, succeeds, total
from .conditions import fallen, revealed
from .damage import Damage, damage_of, struck
from .defence import CLOSE, COST, REACTIONS, Answer, Guard, answered, guard
from .sheet import UNARMED, modes_of
from .words import SHOTS


class Blow(NamedTuple):
    """All that the dice of an attack need to know."""

    who: str
    targets: tuple[int, ...]
    """What each check must stay at or under."""
    edge: int
    shots: int
    """Projectiles, or blows, of each check that succeeds."""
    damage: Damage
    guard: Guard


class Struck(NamedTuple):
    """What an attack came to."""

    success: bool
    total: int | None
    """The face that counted; None of several checks."""
    successes: int
    """Checks that succeeded."""
    harm: int
    """What reaches health."""
    reaction: str = ""

    @property
    def word(self) -> str:
        """In one word."""
        return "hit" if self.success else "miss"


def attack(table: Any, blow: Blow) -> Struck:
    """D100-16: every check first, then the damage of each projectile, then the reaction (D100-23)."""
    if len(blow.targets) == 1:
        success, face = rolled(table, "attack", blow.who, blow.targets[0], blow.edge)
        won, total_ = int(success), face
    else:
        # With --mod the first check alone has a target of its own (ALL-6).
        won = sum(table.ask(succeeds, "attack", blow.who, target, blow.edge) for target in blow.targets)
        total_ = None
    if not won:
        return Struck(False, total_, 0, 0)
    answer = table.ask(landed, won * blow.shots, blow.who, blow.damage, blow.guard)
    return Struck(True, total_, won, answer.harm, answer.reaction)


def landed(table: Any, count: int, who: str, damage: Damage, guard: Guard) -> Answer:
    """A rule: what so many projectiles or blows that hit come to."""
    harm = table.times(count, struck, who, damage)
    answer: Answer = table.ask(answered, guard, harm)
    return answer


def without_total(outcome: Struck) -> Struck:
    """What of an attack its effects look at."""
    return outcome._replace(total=None)


def stake(scene: Scene, intent: Intent) -> Setup:
    """An attack or a throw (D100-16, D100-29); refused where target, reach, mode or ammunition forbid it."""
    name, weapon = weapon_in_use(scene, intent)
    fighter, target = scene.fighters[intent.actor], scene.fighters[intent.target]
    if fallen(target):
        refuse(intent, f"{target.name} is down already", "D100-27")
    in_reach(scene, intent, weapon)
    mode, checks = mode_of(scene, intent, name, weapon)
    unnoticed = bool(intent.get("surprise")) or fighter.has("sneaking")
    if intent.get("surprise") and weapon["kind"] not in CLOSE:
        refuse(intent, "surprise is of no use to a shot", "D100-21")
    given = (
        [Modifier("attack", f"{MINUS} automatic fire", 0, "D100-18", "--mode auto")] if mode == "auto" else []
    )
    if unnoticed and weapon["kind"] == "melee":
        source = "--surprise" if intent.get("surprise") else "sneaking"
        given.append(Modifier("attack", f"{PLUS} surprise", 0, "D100-21", source))
    edge, edges = edge_of(intent, "attack", *given)
    steady = rated(fighter, "attack", "combat") + aimed(scene, intent, weapon, mode) + asked(intent, "attack")
    once = circumstance(intent, "attack")
    rating = total(steady, "attack")
    damage, hurting = damage_of(fighter, target, name, weapon, circumstance(intent, "damage", "mod_damage"))
    guarded, guarding = guard(scene, intent, weapon["kind"], unnoticed)
    blow = Blow(
        intent.actor,
        (rating + total(once, "attack"), *[rating] * (checks - 1)),
        edge,
        SHOTS.get(mode, 1),
        damage,
        guarded,
    )
    modifiers = (*steady, *once, *edges, *hurting, *guarding)
    spent = (Cost(f"ammo:{name}", checks * blow.shots, rule="D100-22"),) if "capacity" in weapon else ()
    return Setup(blow, modifiers, spent, name)


def harmed(scene: Scene, intent: Intent, blow: Blow, outcome: Struck) -> Iterator[Event]:
    """What an attack changes: sneaking ends (D100-15), the reaction is paid (D100-23), health goes down (D100-27)."""
    yield from revealed(scene, intent.actor)
    if outcome.reaction:
        yield from shift(scene, intent.target, "small-actions", -COST, "D100-23")
    yield from shift(scene, intent.target, "health", -outcome.harm, "D100-16")


def hurled(scene: Scene, intent: Intent, blow: Blow, outcome: Struck) -> Iterator[Event]:
    """D100-29: as an attack; the thing leaves the hand unless there are more of it."""
    yield from harmed(scene, intent, blow, outcome)
    fighter = scene.fighters[intent.actor]
    name, _ = weapon_in_use(scene, intent._replace(options={**intent.options, "force": True}))
    if name in fighter.held and fighter.pools.get(f"ammo:{name}", 1) <= 1:
        rest = tuple(one for one in fighter.held if one != name)
        yield from change(scene, fighter.name, "held", rest, "D100-29")


def outputs(scene: Scene, intent: Intent, blow: Blow, outcome: Struck) -> Mapping[str, Any]:
    """How it was fired; and that a miss lands past the target (D100-29)."""
    _, weapon = weapon_in_use(scene, intent._replace(options={**intent.options, "force": True}))
    if mode := mode_in_use(intent, weapon):
        return {"mode": mode}
    return {"past": True} if weapon["kind"] == "thrown" and not outcome.success else {}


def _offers(scene: Scene, who: str) -> Iterator[Intent]:
    """Every mode of what is in hand, at every foe; bare hands where it is no weapon."""
    fighter = scene.fighters[who]
    weapons = fighter.sheet["weapons"]
    held = [one for one in fighter.held if one in weapons and weapons[one]["kind"] != "thrown"]
    for name in held or ["unarmed"]:
        modes = modes_of(weapons.get(name, UNARMED))
        for foe in scene.foes(who):
            for mode in modes:
                yield Intent("attack", who, (foe.name,), {"weapon": name, "mode": mode})
            if not modes:
                yield Intent("attack", who, (foe.name,), {"weapon": name})


def _throws(scene: Scene, who: str) -> Iterator[Intent]:
    fighter = scene.fighters[who]
    weapons = fighter.sheet["weapons"]
    held = [one for one in fighter.held if one in weapons and weapons[one]["kind"] == "thrown"]
    return (Intent("throw", who, (foe.name,), {"weapon": name}) for name in held for foe in scene.foes(who))


_COMMON = ("weapon", "range", "mod_damage", "assist", "obstacle", "plus", "minus", "surprise", "in-sequence")
ATTACK = whole(
    Action(
        "Attack one target with the weapon in hand",
        "D100-16",
        stake,
        harmed,
        attack,
        gear="weapons",
        candidates=_offers,
        options=(*_COMMON, *FIREARM),
        targets="one",
        outputs=outputs,
        reactions=REACTIONS,
        bare=without_total,
    )
)
THROW = whole(
    Action(
        "Throw a weapon or an object at one target",
        "D100-29",
        stake,
        hurled,
        attack,
        gear="weapons",
        candidates=_throws,
        options=_COMMON,
        targets="one",
        outputs=outputs,
        reactions=REACTIONS,
        bare=without_total,
    )
)
