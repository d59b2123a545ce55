"""Attacks, throws and executions: what they need, and what they change (STEP-16, STEP-18 to STEP-33)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ...play.amount import Amount
from ...play.events import Event, change
from ...play.record import Modifier
from ...play.scene import Fighter, Intent, Scene
from ..system import Action, Cost, Staked, forbid
from .area import DODGED
from .arms import weapon_in_use
from .conditions import is_dead
from .defence import POSTURE, difficulty, hindered, ranged, spanned
from .defence import apart as apart_
from .harm import Blow, Shot, enough, suffered, victim_of
from .kinds import worth
from .reach import area_of, in_reach, stepped_away
from .rolls import asked, skilled, standing, total
from .sheet import WEAPON_SKILL, die_of, is_area, spelled, split
from .volley import Fired, Volley, fire

AIM, OVERWATCH = "aim", "overwatch"
"""Marks: +1 each on the next ranged attack; attacks in others' turns (STEP-16)."""


def attack_stake(scene: Scene, intent: Intent) -> Staked:
    """An attack by STEP-18, or a thrown weapon by STEP-23, refused where something forbids it."""
    kinds = ("thrown",) if intent.action == "throw" else ()
    name, weapon = weapon_in_use(scene, intent, kinds)
    if kinds and weapon["kind"] not in kinds:
        what = "nothing to throw" if name == "unarmed" else f"no way to throw the {name}"
        forbid(
            intent,
            f"{intent.actor} has {what}",
            "STEP-23",
            "a weapon of kind thrown can be thrown",
            final=True,
        )
    if is_area(weapon):
        return _area_stake(scene, intent, name, weapon)
    if intent.get("at") is not None:
        forbid(
            intent,
            f"the {name} needs a target, not a place",
            "STEP-25",
            "areas are aimed at places",
            final=True,
        )
    targets = _aims(intent, name, weapon)
    modifiers = _attacking(scene.fighters[intent.actor], name, weapon) + asked(intent, "attack")
    for target in dict.fromkeys(targets):
        one = scene.fighters[target]
        _alive(intent, one)
        modifiers += hindered(scene, intent, one, name, weapon)
        modifiers += difficulty(scene, intent, one, weapon["kind"] == "melee")
    shots, penalties = _shots(scene, intent, targets, weapon, modifiers)
    names = list(dict.fromkeys(targets))
    victims = tuple(victim_of(scene.fighters[one], weapon["type"]) for one in names)
    close = "close-range" in weapon["tags"] and all(
        spanned(apart_(scene, intent, scene.fighters[one]), weapon) == 0 for one in names
    )
    blow, damaging = blow_of(scene, intent, name, weapon, doublings=int(close), single=len(shots) == 1)
    blow = blow._replace(most=enough(victims))
    volley = Volley(blow, shots, victims, burst="burst" in weapon["tags"] and len(shots) > 1)
    return Staked(
        volley,
        _told(modifiers + penalties + damaging, len(names) > 1),
        costs(name, weapon, len(shots)),
        name,
        _views(volley) if len(victims) > 1 else (),
    )


def _aims(intent: Intent, name: str, weapon: Mapping[str, Any]) -> list[str]:
    """STEP-21: whom each shot is aimed at; spare shots go to the last."""
    targets, rof = list(intent.targets), weapon["rof"]
    shots: int = intent.get("shots", len(targets))
    burst = "burst" in weapon["tags"]
    if burst and intent.get("shots") is None and len(targets) > 1:
        shots = rof
    if shots < max(1, len(targets)):
        forbid(
            intent,
            f"{shots} shots are too few for {len(targets)} targets" if targets else f"{shots} shots are none",
            "STEP-21",
            "one shot or more for each target",
            final=True,
        )
    if shots > rof:
        forbid(intent, f"the {name} attacks {rof} times in one action, not {shots}", "STEP-21")
    if burst and shots not in (1, rof):
        forbid(intent, f"the {name} fires 1 shot or a burst of {rof}", "STEP-21", f"give --shots {rof}")
    return targets + targets[-1:] * (shots - len(targets))


def _shots(
    scene: Scene, intent: Intent, targets: list[str], weapon: Mapping[str, Any], modifiers: list[Modifier]
) -> tuple[tuple[Shot, ...], list[Modifier]]:
    """The attack rolls, each further one harder than the one before (STEP-21); aim helps the first (STEP-16)."""
    names = list(dict.fromkeys(targets))
    sides, _ = split(die_of(scene.fighters[intent.actor].sheet, skill_of(weapon)))
    aim = scene.fighters[intent.actor].marks.get(AIM, 0) if weapon["kind"] != "melee" else 0
    several = len(targets) > 1
    shots, found = [], []
    for number, target in enumerate(targets, start=1):
        own = []
        if number > 1 and weapon["rof_penalty"]:
            off = -weapon["rof_penalty"] * (number - 1)
            own.append(Modifier("attack", f"shot {number}", off, "STEP-21", "rate of fire", target, number))
        if number == 1 and aim:
            own.append(Modifier("attack", "aim", aim, "STEP-16", "take-aim", target, 1 if several else 0))
        bonus = total(modifiers, "attack", target) + sum(one.value for one in own)
        goal = total(modifiers, "difficulty", target)
        shots.append(Shot(names.index(target), sides, bonus, goal, number if several else 0, not several))
        found += own
    return tuple(shots), found


def _area_stake(scene: Scene, intent: Intent, name: str, weapon: Mapping[str, Any]) -> Staked:
    """STEP-23 to STEP-27: an attack on an area, aimed at a fighter or at a place."""
    fighter = scene.fighters[intent.actor]
    target = scene.fighters[intent.target] if intent.target and intent.get("at") is None else None
    modifiers = _attacking(fighter, name, weapon) + asked(intent, "attack")
    if target is not None:
        modifiers += hindered(scene, intent, target, name, weapon)
    else:
        modifiers += ranged(intent, apart_(scene, intent, None), name, weapon, "")
    modifiers += difficulty(scene, intent, target, False)
    count = intent.get("shots", 1)
    if not 1 <= count <= weapon["rof"]:
        forbid(intent, f"the {name} attacks {weapon['rof']} times in one action, not {count}", "STEP-21")
    aimed = intent.target if target is not None else ""
    shots, penalties = _shots(scene, intent, [aimed] * max(1, count), weapon, modifiers)
    blow, damaging = blow_of(scene, intent, name, weapon, single=count == 1)
    blow = blow._replace(extras=0)
    area = area_of(scene, intent, weapon, blow.worth)
    victims, dodging = in_reach(scene, intent, weapon, area)
    at = next((number for number, one in enumerate(victims) if one.name == aimed), -1)
    shots = tuple(shot._replace(at=at) for shot in shots)
    volley = Volley(blow._replace(most=enough(victims)), shots, victims, area=area)
    return Staked(
        volley,
        (*_told(modifiers + penalties + damaging, False), *dodging),
        costs(name, weapon, len(shots)),
        name,
        _views(volley),
    )


def _told(modifiers: list[Modifier], several: bool) -> tuple[Modifier, ...]:
    """The modifiers as the record wants them: whom they are against only where there are several targets."""
    return tuple(modifiers if several else (one._replace(against="") for one in modifiers))


def _views(volley: Volley) -> tuple[tuple[str, Volley], ...]:
    """For the odds: the attack rolls by themselves, and for each victim what becomes of it."""
    bare = tuple(one._replace(toll=one.toll._replace(health=-10), dodge="no") for one in volley.victims)
    found = [("", volley._replace(victims=() if volley.area else bare))]
    for at, victim in enumerate(volley.victims):
        mine = volley.shots if volley.area else tuple(one for one in volley.shots if one.at == at)
        shots = tuple(one._replace(at=0, keep=False) for one in mine)
        found.append((victim.name, volley._replace(shots=shots, victims=(victim,))))
    return tuple(found)


def skill_of(weapon: Mapping[str, Any]) -> str:
    """STEP-4, STEP-18: the skill that a weapon is used with."""
    return spelled(weapon.get("skill", WEAPON_SKILL[weapon["kind"]]))


def _attacking(fighter: Fighter, name: str, weapon: Mapping[str, Any]) -> list[Modifier]:
    """STEP-17, STEP-18: what the attacker adds to every attack roll of the action."""
    _, found = skilled(fighter, "attack", skill_of(weapon), "STEP-18")
    found += [Modifier("attack", "hit", weapon["hit"], "STEP-18", f"weapons.{name}")] if weapon["hit"] else []
    if weapon["kind"] != "melee":
        for posture, (_, _, worth_) in POSTURE.items():
            if fighter.has(posture):
                found.append(Modifier("attack", posture, worth_, "STEP-17", "condition"))
    return found


def blow_of(
    scene: Scene,
    intent: Intent,
    name: str,
    weapon: Mapping[str, Any],
    *,
    doublings: int = 0,
    single: bool = True,
    executing: bool = False,
) -> tuple[Blow, list[Modifier]]:
    """STEP-28: what a hit does; doublings add up, and multiply dice and flat parts of the weapon alone."""
    fighter = scene.fighters[intent.actor]
    base = worth(weapon["damage"], split(die_of(fighter.sheet, "body"))) or Amount()
    times = 1 + doublings + executing
    dice = base._replace(many=base.many * times, plus=base.plus * times)
    if single and "long-range" in weapon["tags"] and dice.many:
        dice = dice._replace(many=dice.many + 1)
    found = [Modifier("damage", "weapon", dice.plus, "STEP-28", f"weapons.{name}")] if dice.plus else []
    more = standing(fighter, "damage", "damage") + asked(intent, "damage", "mod_damage")
    dice = dice._replace(plus=dice.plus + total(more, "damage"))
    spare = bool(intent.get("spare"))
    return Blow(intent.actor, dice, 1 + executing, weapon["piercing"], spare), found + more


def costs(name: str, weapon: Mapping[str, Any], shots: int) -> tuple[Cost, ...]:
    """STEP-16, STEP-21: the attack's AP, 1 more for each further shot; a round each (a reading)."""
    ap = Cost("ap", weapon["ap"] + (shots - 1) * weapon["rof_ap"], rule="STEP-21" if shots > 1 else "STEP-16")
    return (ap, Cost(f"ammo:{name}", shots, rule="STEP-21")) if "capacity" in weapon else (ap,)


def _alive(intent: Intent, target: Fighter) -> None:
    if is_dead(target):
        forbid(intent, f"{target.name} is dead already", "STEP-32")


def strike(scene: Scene, intent: Intent, volley: Volley, fired: Fired) -> Iterable[Event]:
    """What an attack changes: its victims, where dodgers stand, and the attacker (STEP-16, STEP-26 to STEP-33)."""
    name, weapon = weapon_in_use(scene, intent, ("thrown",) if intent.action == "throw" else (), quietly=True)
    yield from change(scene, intent.actor, "condition:hidden", False, "STEP-16")
    if weapon["kind"] != "melee":
        yield from change(scene, intent.actor, f"mark:{AIM}", 0, "STEP-16")
    for victim, toll in zip(volley.victims, fired.tolls, strict=False):
        yield from suffered(scene, victim.name, toll, weapon["inflicts"])
        if toll.dodged:
            yield from change(scene, victim.name, f"mark:{DODGED}", 1, "STEP-26")
            yield from stepped_away(scene, intent, victim.name, toll, volley.area, fired.landing)
    fighter = scene.fighters[intent.actor]
    if weapon["kind"] == "thrown" and fighter.pools.get(f"ammo:{name}", 1) <= len(volley.shots):
        left = tuple(one for one in fighter.held if one != name)
        yield from change(scene, intent.actor, "held", left, "STEP-23")


def landing(scene: Scene, intent: Intent, volley: Volley, fired: Fired) -> dict[str, Any]:
    """STEP-27: how far off its mark an area attack goes off, and where, if that is known."""
    area = volley.area
    if area is None:
        return {}
    spot = area.spots[fired.landing] if area.spots else None
    told: dict[str, Any] = {"at": spot} if spot else {}
    return told | ({"off": area.off, "unit": "tiles"} if fired.landing else {})


def bare(fired: Fired) -> Fired:
    """The outcome without what nothing hangs on but the record."""
    return fired._replace(total=None, hits=0)


def _offers(kinds: tuple[str, ...], action: str) -> Any:
    def offers(scene: Scene, who: str) -> Iterator[Intent]:
        fighter = scene.fighters[who]
        weapons = fighter.sheet["weapons"]
        held = [one for one in fighter.held if one in weapons and weapons[one]["kind"] in kinds]
        if action == "attack" and not held:
            held = ["unarmed"]
        for name in held:
            rof = 1 if name == "unarmed" else weapons[name]["rof"]
            for foe in scene.foes(who):
                yield Intent(action, who, (foe.name,), {"weapon": name})
                if rof > 1:
                    yield Intent(action, who, (foe.name,), {"weapon": name, "shots": rof})

    return offers


def on_watch(scene: Scene, intent: Intent) -> bool:
    """STEP-16: overwatch lets one attack in others' turns."""
    return bool(scene.fighters[intent.actor].marks.get(OVERWATCH))


def _row(title: str, rule: str, kinds: tuple[str, ...], action: str) -> Action:
    return Action(
        title,
        rule,
        attack_stake,
        strike,
        fire,
        gear="weapons",
        offers=_offers(kinds, action),
        options=("weapon", "range", "cover", "penetrable", "enemies", "behind", "mod_damage", "shots", "at"),
        targets="many",
        facts=landing,
        reactions=("dodge",),
        out_of_turn=on_watch,
        bare=bare,
    )


ATTACK = _row("Attack with the weapon in hand", "STEP-18", ("melee", "ranged", "heavy"), "attack")
THROW = _row("Throw a weapon", "STEP-23", ("thrown",), "throw")
