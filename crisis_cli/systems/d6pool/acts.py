"""The other actions (POOL-12, POOL-15, POOL-20, POOL-24, POOL-30, POOL-35, POOL-38)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...play.events import Event, change, shift
from ...play.scene import Intent, Scene
from ..system import Action, Cost, Staked, Switch, forbid
from .aims import ACCURATE, AIM, SUPPORTED, actions, firearm
from .arms import weapons_held
from .checks import Checked, check, known, paid, trying
from .deeds import deed, no_stake, unchanged
from .rolls import SPENDING
from .sheet import SHIELD, modes_of
from .turns import STOLEN

SWITCHES = (Switch("cost", "whole", ("act",), "Actions that it takes, where the GM says so.", "POOL-12"),)


def ready_stake(scene: Scene, intent: Intent) -> Staked:
    """POOL-12: a weapon or the shield, not in hand yet."""
    fighter = scene.fighters[intent.actor]
    weapons = fighter.sheet["weapons"]
    things = (*weapons, *((SHIELD,) if "shield" in fighter.sheet else ()))
    name = intent.get("thing") or (things[0] if len(things) == 1 else "")
    at_hand = f"to ready: {', '.join(one for one in things if one not in fighter.held) or 'nothing'}"
    if name not in things:
        forbid(intent, f"{fighter.name} must say what to ready", "POOL-12", at_hand, final=True)
    if name in fighter.held:
        forbid(intent, f"{fighter.name} has the {name} in hand already", "POOL-12", at_hand)
    if intent.get("off_hand") and (name == SHIELD or weapons[name]["hands"] > 1 or not weapons_held(fighter)):
        forbid(intent, f"the {name} is nothing for the other hand", "POOL-34", final=True)
    if name in weapons and not fighter.pools.get(f"ammo:{name}", 1) and "throw" in modes_of(weapons[name]):
        forbid(intent, f"{fighter.name} has thrown the {name} away", "POOL-18", at_hand)
    return Staked(name, (), actions(weapons[name]["ready"] if name in weapons else 1, "POOL-12"), name)


def ready(scene: Scene, intent: Intent, name: str, outcome: Any) -> Iterator[Event]:
    """In hand: instead of the weapon before, with `--off-hand` beside it; two hands leave none for the shield."""
    fighter = scene.fighters[intent.actor]
    weapons, held = fighter.sheet["weapons"], weapons_held(fighter)
    if name == SHIELD:
        now = (*(one for one in held[:1] if weapons[one]["hands"] == 1), SHIELD)
    elif intent.get("off_hand"):
        now = (held[0], name)
    else:
        shield = SHIELD in fighter.held and weapons[name]["hands"] == 1
        now = (name, SHIELD) if shield else (name,)
    yield from change(scene, intent.actor, "held", now, "POOL-12")
    yield from change(scene, intent.actor, "condition:stuck", False, "POOL-24")
    if SHIELD not in now:
        yield from change(scene, intent.actor, "condition:blocking", False, "POOL-23")


def reload_stake(scene: Scene, intent: Intent) -> Staked:
    """POOL-12: a weapon that is not full."""
    fighter = scene.fighters[intent.actor]
    weapons = fighter.sheet["weapons"]
    able = [one for one in (*fighter.held, *weapons) if one in weapons and _fires(weapons[one])]
    name = intent.get("thing") or (able[0] if able else "")
    if name not in able:
        what = f"the {name} takes no rounds" if name else f"{fighter.name} has nothing to reload"
        forbid(intent, what, "POOL-12", final=True)
    left = fighter.pools[f"ammo:{name}"]
    if left >= fighter.full(f"ammo:{name}"):
        forbid(intent, f"the {name} of {fighter.name} is full: {left} rounds", "POOL-12", final=True)
    return Staked(name, (), actions(weapons[name]["reload"], "POOL-12"), name)


def _fires(weapon: Any) -> bool:
    return "capacity" in weapon and any(mode in ("single", "burst") for mode in modes_of(weapon))


def refill(scene: Scene, intent: Intent, name: str, outcome: Any) -> Iterator[Event]:
    """Filled to its capacity."""
    pool = f"ammo:{name}"
    yield from change(scene, intent.actor, pool, scene.fighters[intent.actor].full(pool), "POOL-12")


def marked(mark: str, rule: str) -> Any:
    """The effects of building something up."""

    def effects(scene: Scene, intent: Intent, stake: Any, outcome: Any) -> Iterator[Event]:
        count = scene.fighters[intent.actor].marks.get(mark, 0)
        yield from change(scene, intent.actor, f"mark:{mark}", count + 1, rule)

    return effects


def support_stake(scene: Scene, intent: Intent) -> Staked:
    """POOL-35: a firearm in hand, and no bow."""
    fighter = scene.fighters[intent.actor]
    weapons = fighter.sheet["weapons"]
    able = [
        one
        for one in weapons_held(fighter)
        if any(firearm(weapons[one], mode) for mode in modes_of(weapons[one]))
    ]
    name = intent.get("thing") or (able[0] if able else "")
    if name not in able:
        forbid(intent, f"{fighter.name} holds no firearm to support", "POOL-35", final=True)
    if fighter.marks.get(f"{SUPPORTED}:{name}"):
        forbid(intent, f"the {name} is supported already", "POOL-35", final=True)
    return Staked(name, gear=name)


def support(scene: Scene, intent: Intent, name: str, outcome: Any) -> Iterator[Event]:
    """The weapon rests on something until its owner does something else than firing it."""
    yield from change(scene, intent.actor, f"mark:{SUPPORTED}:{name}", 1, "POOL-35")


def use_stake(scene: Scene, intent: Intent) -> Staked:
    """POOL-12: a thing with uses left; what it does is the player's word."""
    fighter = scene.fighters[intent.actor]
    things = fighter.sheet["items"]
    name = intent.get("item") or (next(iter(things)) if len(things) == 1 else "")
    if name not in things:
        carried = f"{fighter.name} carries {', '.join(things) or 'nothing'}"
        forbid(intent, f"{fighter.name} must say what to use", "POOL-12", carried, final=True)
    uses = (Cost(f"uses:{name}", rule="POOL-12"),) if "uses" in things[name] else ()
    return Staked(name, (), uses, name)


def ending(condition: str, what: str, rule: str) -> Action:
    """An action that ends a condition of one's own, or of somebody else."""

    def stake(scene: Scene, intent: Intent) -> Staked:
        patient = intent.target or intent.actor
        if not scene.fighters[patient].has(condition):
            forbid(intent, f"{patient} is not {condition}", rule, final=True)
        return Staked(None)

    def effects(scene: Scene, intent: Intent, stake: Any, outcome: Any) -> Iterator[Event]:
        yield from change(scene, intent.target or intent.actor, f"condition:{condition}", False, rule)

    def offers(scene: Scene, who: str) -> Iterator[Intent]:
        return (Intent(NAMES[condition], who, (one.name,)) for one in scene.of_side(scene.fighters[who].side))

    return deed(Action(what, rule, stake, effects, offers=offers, targets="patient"))


NAMES = {"burning": "put-out-fire", "stuck": "free-weapon", "asleep": "wake"}


def do_stake(scene: Scene, intent: Intent) -> Staked:
    """POOL-12: anything else: as many actions as the GM says, and with a skill a roll."""
    count = intent.get("cost", 1)
    if not 0 <= count <= 99:
        forbid(intent, f"--cost is a number from 0 to 99, not {count}", "POOL-12", final=True)
    costs = actions(count, "POOL-12")
    if not intent.get("skill"):
        return Staked(None, (), costs)
    skill = known(scene, intent, scene.fighters[intent.actor], intent.get("skill", ""))
    hand, modifiers, more = trying(scene, intent, "check", skill)
    return Staked(hand, modifiers, (*costs, *more))


def do(table: Any, hand: Any) -> Checked | None:
    """POOL-12: the roll that the GM names, if there is one."""
    return None if hand is None else check(table, hand)


def done(scene: Scene, intent: Intent, stake: Any, outcome: Checked | None) -> Iterator[Event]:
    """What it brings about is the GM's word."""
    if outcome is not None:
        yield from paid(scene, intent, stake, outcome)


def gain_stake(scene: Scene, intent: Intent) -> Staked:
    """POOL-15: for a crisis, where actions count."""
    _only_in_a_crisis(scene, intent)
    return Staked(None)


def _only_in_a_crisis(scene: Scene, intent: Intent) -> None:
    if not scene.open:
        forbid(intent, "actions count in a crisis alone", "POOL-15", "crisis init WHO… --open", final=True)


def gain(scene: Scene, intent: Intent, stake: Any, outcome: Any) -> Iterator[Event]:
    """POOL-15: an action more, at once."""
    yield from shift(scene, intent.actor, "actions", 1, "POOL-15")


def steal_stake(scene: Scene, intent: Intent) -> Staked:
    """POOL-15: from what is left of the opponent's own turn; at any other time from its next refresh."""
    _only_in_a_crisis(scene, intent)
    victim = scene.fighters[intent.target]
    if victim.side == scene.fighters[intent.actor].side:
        forbid(intent, f"{victim.name} is no opponent", "POOL-15")
    now = victim.name in scene.acting
    if now and victim.pools["actions"] < 1:
        forbid(intent, f"{victim.name} has no action left in this turn", "POOL-15", "wait until it is over")
    most = victim.sheet["actions"]
    if not now and victim.marks.get(STOLEN, 0) >= most:
        forbid(intent, f"all {most} actions of {victim.name}'s next turn are stolen", "POOL-15", final=True)
    return Staked(now)


def steal(scene: Scene, intent: Intent, now: bool, outcome: Any) -> Iterator[Event]:
    """POOL-15: the thief has it at once."""
    if now:
        yield from shift(scene, intent.target, "actions", -1, "POOL-15")
    else:
        stolen = scene.fighters[intent.target].marks.get(STOLEN, 0)
        yield from change(scene, intent.target, f"mark:{STOLEN}", stolen + 1, "POOL-15")
    yield from shift(scene, intent.actor, "actions", 1, "POOL-15")


def _things(action: str, listed: str, key: str) -> Any:
    def offers(scene: Scene, who: str) -> Iterator[Intent]:
        sheet = scene.fighters[who].sheet
        extra = (SHIELD,) if action == "ready" and "shield" in sheet else ()
        return (Intent(action, who, (), {key: name}) for name in (*sheet[listed], *extra))

    return offers


def _victims(scene: Scene, who: str) -> Iterator[Intent]:
    return (Intent("steal-action", who, (foe.name,)) for foe in scene.foes(who))


ACTS = {
    "aim": deed(
        Action("Aim: critical threshold −2", "POOL-20", no_stake, marked(AIM, "POOL-20")), AIM, SUPPORTED
    ),
    "accurate": deed(
        Action("Take one's time: minimum roll −1", "POOL-30", no_stake, marked(ACCURATE, "POOL-30")),
        ACCURATE, SUPPORTED,
    ),
    "ready": deed(
        Action(
            "Ready a weapon or the shield", "POOL-12", ready_stake, ready,
            gear="weapons", offers=_things("ready", "weapons", "thing"), options=("off-hand",),
        ),
        costs=(),
    ),
    "reload": deed(
        Action(
            "Fill a weapon", "POOL-12", reload_stake, refill,
            gear="weapons", offers=_things("reload", "weapons", "thing"),
        ),
        costs=(),
    ),
    "support": deed(
        Action("Rest the firearm on something", "POOL-35", support_stake, support, gear="weapons")
    ),
    "use": deed(
        Action(
            "Use a thing carried", "POOL-12", use_stake, unchanged,
            gear="items", offers=_things("use", "items", "item"), options=("item",),
        )
    ),
    "put-out-fire": ending("burning", "Put out the fire", "POOL-38"),
    "free-weapon": ending("stuck", "Pull the weapon free", "POOL-24"),
    "wake": ending("asleep", "Wake somebody", "POOL-38"),
    "do": deed(
        Action("Do anything else", "POOL-12", do_stake, done, do, options=("cost", *SPENDING)), costs=()
    ),
    "gain-action": Action(
        "An action for a bonus die", "POOL-15", gain_stake, gain,
        costs=(Cost("bonus-dice", rule="POOL-15"),), window="any",
    ),
    "steal-action": Action(
        "An opponent's action for a destiny die", "POOL-15", steal_stake, steal,
        costs=(Cost("destiny-dice", rule="POOL-15"),), window="any", targets="one", offers=_victims,
    ),
}  # fmt: skip
