"""Attacks (POOL-16 to POOL-21, POOL-26 to POOL-33): the hit roll, and what it changes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, Protocol

from ...dice.graded import Graded
from ...engine.events import Event, change
from ...engine.record import Modifier
from ...engine.scene import Intent, Scene, slug
from ...engine.system import Action, Setup, refuse
from .aims import (
    ACCURATE,
    AIM,
    RECOIL,
    SUPPORTED,
    WALKED,
    accuracy,
    actions,
    aiming,
    firearm,
    massive,
    recoil,
    spoiled,
    support,
    surplus,
)
from .arms import Weapon, far, handed, mode_of, rounds, weapon_in_use, weapons_held
from .deeds import ACTIONS, ONE, deed, paid_reaction, stolen_from
from .defence import DISARM, KNOCKOUT, REACTIONS, WOUNDS, Faced, Guard, Toll, outcome_of, reacted
from .deviation import Dial, deviation, dial_of, landed
from .guard import guard_of
from .harm import reflected, suffered
from .luck import DESTINY, Hand, repaid, spent, taken
from .pool import CRITICAL, NEVER, Scale, critical, criticals
from .protection import STICKY
from .rolls import SPENDING, WALK, Rolled, asked, dice_for, hand_of, least_for, thrown, total
from .sheet import SKILL_OF, modes_of
from .steps import Steps

BURST = 2
"""POOL-18: dice more in a burst."""
DISARMING = 2
"""POOL-33: what it adds to the minimum roll."""
SUPPORT = 1
"""POOL-35: what a rest takes off it."""


class Blow(NamedTuple):
    """All that the dice of an attack need to know."""

    hand: Hand
    guard: Guard
    dial: Dial | None = None
    """Where a throw that misses can land (POOL-41)."""


class Struck(NamedTuple):
    """What an attack came to."""

    success: bool
    total: int
    """Of the hit roll, critical ones included."""
    criticals: int
    toll: Toll = Toll(0)
    landing: tuple[int, int] = (0, 0)
    """Hour and metres of a throw that missed (POOL-41)."""
    repaid: tuple[str, ...] = ()
    """What was spent on it after it failed (POOL-7)."""

    @property
    def counted(self) -> str:
        """What the total is."""
        return "hits"

    @property
    def word(self) -> str:
        """In one word."""
        return "hit" if self.success else "miss"


def strike_roll(table: Any, blow: Blow) -> Rolled[Graded]:
    """A rule, POOL-16: the hit roll."""
    return thrown(table, "attack", blow.hand)


def met(table: Any, blow: Blow, rolled: Rolled[Graded]) -> Faced | None:
    """A rule, POOL-14: what the target does about hits."""
    return table.ask(reacted, blow.guard, rolled.found) if rolled.found.count else None


def ended(table: Any, blow: Blow, rolled: Rolled[Graded], faced: Faced | None) -> Struck:
    """A rule: what cover and protection leave; or where a throw goes that misses."""
    hits, used = rolled
    if faced is None:
        landing = table.ask(deviation, blow.hand.who) if blow.dial else (0, 0)
        return Struck(False, 0, 0, landing=landing, repaid=used)
    toll = table.ask(outcome_of, blow.guard, critical(hits), faced)
    return Struck(True, hits.count, criticals(hits), toll, repaid=used)


attack = Steps(strike_roll, met, ended)
"""The rule of an attack."""


def bare(outcome: Struck) -> Struck:
    """The outcome without what its effects do not look at."""
    return Struck(outcome.success, 0, 0, outcome.toll, repaid=outcome.repaid)


def stake(scene: Scene, intent: Intent) -> Setup:
    """An attack with a weapon (POOL-16); refused where reach, mode, rounds or manner forbid it."""
    fighter, target = scene.fighters[intent.actor], scene.fighters[intent.target]
    if target.has("dead"):
        refuse(intent, f"{target.name} is dead already", "POOL-37")
    name, weapon = weapon_in_use(scene, intent)
    mode = mode_of(intent, name, weapon)
    if fighter.has("stuck") and name != "unarmed" and mode == "melee":
        free = f"pull it free: crisis act {slug(fighter.name)} free-weapon"
        refuse(intent, f"the {name} of {fighter.name} is held fast", "POOL-24", free)
    meant = _meant(intent, name, weapon, mode)
    if meant == DISARM and not weapons_held(target):
        refuse(intent, f"{target.name} holds no weapon", "POOL-33", final=True)
    hand, modifiers, more = rolled(scene, intent, name, weapon, mode, meant)
    price = sum(cost.amount for cost in (*ONE, *more) if cost.pool == ACTIONS)
    guard, guarding = guard_of(scene, intent, name, weapon, mode, meant, price)
    costs = (*more, *rounds(scene, intent, name, weapon, mode), *spent(scene, intent))
    dial = dial_of(scene, intent) if mode == "throw" else None
    return Setup(Blow(hand, guard, dial), (*modifiers, *guarding), costs, name)


def rolled(
    scene: Scene, intent: Intent, name: str, weapon: Weapon, mode: str, meant: str = WOUNDS
) -> tuple[Hand, tuple[Modifier, ...], Any]:
    """The hit roll with all that goes into it, and the actions that it takes on top."""
    fighter = scene.fighters[intent.actor]
    dice = dice_for(fighter, "attack", SKILL_OF[mode])
    if weapon["damage_potential"]:
        dice.append(Modifier("attack dice", name, weapon["damage_potential"], "POOL-16", f"weapons.{name}"))
    if mode == "burst":
        dice.append(Modifier("attack dice", "burst", BURST, "POOL-18", "--mode burst"))
    blows, further = massive(scene, intent, mode)
    rests, putting = support(scene, intent, name, weapon, mode)
    kick = recoil(fighter, weapon, mode)
    least = least_for(fighter, "attack", SKILL_OF[mode]) + far(scene, intent, name, weapon, mode)
    least += handed(scene, intent, name) + asked(intent, "attack") + walking(scene, intent, "attack")
    least += [Modifier("attack", "recoil", kick, "POOL-19")] if kick else []
    least += [Modifier("attack", "supported", -SUPPORT, "POOL-35")] if rests else []
    least += [Modifier("attack", "disarming", DISARMING, "POOL-33", "--disarm")] if meant == DISARM else []
    if intent.get(AIM) and intent.get(ACCURATE):
        refuse(intent, "nothing else is done while taking one's time, aiming neither", "POOL-30", final=True)
    sure, time = accuracy(scene, intent, total(least, "attack"))
    aim, moments = aiming(scene, intent, mode, name)
    critical = [Modifier("critical", "threshold", CRITICAL, "POOL-17")]
    critical += [Modifier("critical", "recoil", kick, "POOL-19")] if kick else []
    modifiers = (*dice, *blows, *least, *sure, *critical, *aim)
    scale = Scale(total(modifiers, "attack"), NEVER if mode == "burst" else total(modifiers, "critical"))
    costs = (
        *actions(further, "POOL-32"),
        *actions(putting, "POOL-35"),
        *actions(time, "POOL-30"),
        *actions(moments, "POOL-20"),
    )
    return hand_of(scene, intent, total(modifiers, "attack dice"), scale), modifiers, costs


def walking(scene: Scene, intent: Intent, roll: str) -> list[Modifier]:
    """POOL-12: walking along makes a roll harder."""
    goes = intent.get("walk") or scene.fighters[intent.actor].marks.get(WALKED)
    return [Modifier(roll, "walking", WALK, "POOL-12")] if goes else []


def _meant(intent: Intent, name: str, weapon: Weapon, mode: str) -> str:
    """POOL-31, POOL-33: whether the attack is to knock out or to disarm."""
    if intent.get("knockout") and intent.get("disarm"):
        refuse(intent, "one blow cannot knock out and disarm", "POOL-31", final=True)
    if intent.get("knockout") and not weapon["blunt"]:
        refuse(intent, f"the {name} is not blunt", "POOL-31", "use something blunt, or --weapon unarmed")
    return KNOCKOUT if intent.get("knockout") else DISARM if intent.get("disarm") else WOUNDS


def strike(scene: Scene, intent: Intent, blow: Blow, outcome: Struck) -> Iterator[Event]:
    """What an attack changes: what was built up before it, the weapon, the target, and who reacted."""
    name, weapon = weapon_in_use(scene, intent, quietly=True)
    mode = mode_of(intent, name, weapon)
    yield from prepared(scene, intent, name, weapon, mode)
    yield from repaid(scene, intent, outcome.repaid)
    toll = outcome.toll
    yield from reaction_paid(scene, intent, blow.guard, toll)
    yield from suffered(scene, intent.target, blow.guard, toll, weapon)
    if toll.worked[STICKY] and mode == "melee" and name != "unarmed":
        yield from change(scene, intent.actor, "condition:stuck", True, "POOL-24")
    if toll.reflected:
        yield from reflected(scene, intent, toll, weapon)


class Reply(Protocol):
    """What the target did about an attack."""

    @property
    def reaction(self) -> str:
        """By its name; empty for none."""

    @property
    def bought(self) -> str:
        """The die that bought the action for it (POOL-15)."""

    @property
    def spent(self) -> tuple[str, ...]:
        """What was spent on the target's rolls (POOL-7)."""


def reaction_paid(scene: Scene, intent: Intent, guard: Guard, reply: Reply) -> Iterator[Event]:
    """What the target's reaction took: an action kept, or the die that bought one (POOL-14, POOL-15); and what was
    spent on its rolls (POOL-7)."""
    if reply.reaction:
        yield from paid_reaction(scene, intent.target, kept=not reply.bought)
    if reply.bought == DESTINY:
        yield from stolen_from(scene, intent.actor, guard.left)
    bought = (reply.bought,) if reply.bought else ()
    yield from taken(scene, intent.target, (*bought, *reply.spent), rule="POOL-15" if bought else "POOL-7")


def prepared(scene: Scene, intent: Intent, name: str, weapon: Weapon, mode: str) -> Iterator[Event]:
    """POOL-18 to POOL-20: recoil adds up, a rest stays, aim and time taken are used up; what is thrown is gone."""
    fighter = scene.fighters[intent.actor]
    yield from spoiled(scene, intent.actor, (RECOIL, SUPPORTED))
    kicks = fighter.marks.get(RECOIL, 0) + 1 if firearm(weapon, mode) else 0
    yield from change(scene, intent.actor, f"mark:{RECOIL}", kicks, "POOL-19")
    if intent.get("supported"):
        yield from change(scene, intent.actor, f"mark:{SUPPORTED}:{name}", 1, "POOL-35")
    if mode == "throw" and name in fighter.held and fighter.pools.get(f"ammo:{name}", 1) <= 1:
        rest = tuple(one for one in fighter.held if one != name)
        yield from change(scene, fighter.name, "held", rest, "POOL-18")


def outputs(scene: Scene, intent: Intent, blow: Blow, outcome: Struck) -> Mapping[str, Any]:
    """How it was done, where a throw went, and what was of no use."""
    told = dict(manner(scene, intent, outcome))
    return told | landed(blow.dial, outcome.landing) if outcome.landing[0] and blow.dial else told


class Hits(Protocol):
    """What any hit roll comes to."""

    @property
    def total(self) -> int:
        """All hits."""

    @property
    def criticals(self) -> int:
        """The critical ones."""


def manner(scene: Scene, intent: Intent, outcome: Hits) -> Mapping[str, Any]:
    """The mode, the normal hits, which are told apart from critical ones (POOL-17), and what was of no use."""
    name, weapon = weapon_in_use(scene, intent, quietly=True)
    mode = mode_of(intent, name, weapon)
    told: dict[str, Any] = {"mode": mode, "normal": outcome.total - outcome.criticals}
    if capped := surplus(rolled(scene, intent, name, weapon, mode)[1]):
        told["surplus"] = capped
    return told


def _offers(scene: Scene, who: str) -> Iterator[Intent]:
    fighter = scene.fighters[who]
    weapons = fighter.sheet["weapons"]
    for foe in scene.foes(who):
        if foe.has("dead"):
            continue
        for name in weapons_held(fighter) or ("unarmed",):
            for mode in modes_of(weapons[name]) if name in weapons else ("melee",):
                if mode != "throw":
                    yield Intent("attack", who, (foe.name,), {"weapon": name, "mode": mode})


COMMON = (
    *("weapon", "range", "cover", "behind", "mod_damage", "off-hand", "supported", "protection", "unaware"),
    *("react-weapon", AIM, ACCURATE, *SPENDING),
)
ATTACK = deed(
    Action(
        "Attack with the weapon in hand",
        "POOL-16",
        stake,
        strike,
        attack,
        gear="weapons",
        candidates=_offers,
        options=(*COMMON, "mode", "massive", "knockout", "disarm"),
        targets="one",
        outputs=outputs,
        reactions=REACTIONS,
        bare=bare,
    ),
    RECOIL, AIM, ACCURATE, SUPPORTED, WALKED,
)  # fmt: skip
