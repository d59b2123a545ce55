"""Attacks and throws (2D20-11 to 2D20-16, 2D20-19 to 2D20-21, 2D20-24, 2D20-25, 2D20-28)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ...rules import (
    Changes,
    Cost,
    Fighter,
    Intent,
    Modifiers,
    RuleTable,
    Scene,
    Setup,
    defeated,
    in_hand,
    lines_of,
    refuse,
    slug,
)
from .checks import (
    USUAL,
    CheckSetup,
    after_check,
    ap_earned,
    ap_left,
    check,
    check_setup,
    check_upgrades,
    major_action,
    of_major,
    with_option,
)
from .damage import (
    Added,
    Damage,
    DamageResult,
    TargetSetup,
    apply_damage,
    combat_dice,
    hit,
    hit_location,
    target_setup,
)
from .options import PLACES
from .sheet import (
    ARMS,
    BANDS,
    CLOSE,
    CONDITIONS,
    GUNS,
    TESTED,
    THROWN,
    UNARMED,
    Weapon,
    derived,
    dice_of,
    resistance,
)

AIM, ATTACKED = "aimed", "attacked"
"""Marks of a fighter that has taken aim, and of one that has attacked this turn (2D20-11)."""
AIMS = 1
"""2D20-11: d20s of the first attack that aiming re-rolls."""
REACH = "reach"
"""The mark of two in one zone who are in each other's reach: `reach:NAME` (2D20-15)."""
DEFENDING = "defending"
"""The mark of what defending adds to defense (2D20-11)."""
OBJECT_NAME = "object"
OBJECT: Weapon = {"type": "throwing", "damage": 1, "damage_type": "physical", "effects": []}
"""2D20-28: anything at hand, thrown (a reading)."""
AP_DICE = 3
"""2D20-19: AP that can be turned into damage dice."""
UNLIMITED = 99
"""Rounds of a weapon that does not count them."""
CALLED, CROWDED, BLAST = 1, 2, 2
"""2D20-13, 2D20-15, 2D20-28: difficulty of a called location, of shooting with an enemy in reach, of a whole zone."""
MOST_OTHERS, BESIDE = 2, 1
"""Candidates of a burst: how many further targets, and how many zones from the first."""


class HitsSetup(NamedTuple):
    """What the dice of the hits of an attack depend on."""

    damage: Damage
    targets: tuple[TargetSetup | None, ...]
    """The first target, then the others; None for one whose dice are left out, for odds."""
    called: int = -1
    """The location that is called for, by its place in PLACES."""
    rounds: int = 0
    """Rounds left for further targets of a burst."""
    blast: bool = False


class AttackSetup(NamedTuple):
    """What the dice of an attack depend on."""

    test: CheckSetup
    hits: HitsSetup
    extra: int = 0
    """Rounds fired beside the first, each a die of the hit."""
    wanted: int = 0
    """AP to spend on damage dice, as far as they reach."""
    ap: int = 0
    """AP of the side before the attack has earned any."""
    counted: bool = True
    """Whether successes and complications matter, and not only a hit."""


class AttackResult(NamedTuple):
    """What an attack came to."""

    success: bool
    total: int
    """Successes."""
    complications: int
    luck: int
    """Luck points used."""
    spent: int
    """AP spent on damage dice."""
    rounds: int
    tolls: tuple[DamageResult | None, ...]
    """The targets afterwards, in their order."""

    @property
    def word(self) -> str:
        """In one word."""
        return "hit" if self.success else "miss"

    @property
    def counted(self) -> str:
        """What the total is one of."""
        return "successes"


# Weapons, zones, reach and cover


def zones(here: Sequence[float], there: Sequence[float]) -> int:
    """ALL-4: the borders to cross from one zone to another."""
    return int(max(abs(here[0] - there[0]), abs(here[1] - there[1])) + 0.5)


def zones_between(scene: Scene, one: str, other: str) -> int | None:
    """The zones between two fighters; None without positions (ALL-4)."""
    here, there = scene.fighters[one].at, scene.fighters[other].at
    return None if here is None or there is None else zones(here, there)


def attack_distance(scene: Scene, intent: Intent) -> int | None:
    """The zones to what is attacked: as the command says, else between the positions (ALL-4)."""
    if intent.get("range") is not None:
        return int(intent.get("range"))
    here, place = scene.fighters[intent.actor].at, intent.get("at")
    if place is not None:
        return None if here is None else zones(here, place)
    return zones_between(scene, intent.actor, intent.target)


def weapon_of(scene: Scene, intent: Intent) -> tuple[str, Weapon]:
    """The weapon of an attack or what is thrown, by name and sheet entry: as asked for, else in hand, else any."""
    fighter = scene.fighters[intent.actor]
    weapons: Mapping[str, Weapon] = fighter.sheet["weapons"]
    throws = intent.action == "throw"
    name = intent.get("weapon") or ""
    if not name:
        able = [one for one in fighter.held if one in weapons]
        if throws:
            able = [one for one in (*able, *weapons) if weapons[one]["type"] in THROWN]
        name = able[0] if able else OBJECT_NAME if throws else "unarmed"
    if name == "unarmed":
        if throws:
            refuse(intent, "bare hands cannot be thrown", "2D20-28", final=True)
        return name, UNARMED
    if name == OBJECT_NAME:
        return name, OBJECT
    weapon = weapons[name]
    if throws and weapon["type"] not in THROWN:
        # A blade thrown is as sharp as ever; a gun is an object like any other.
        return name, {**weapon, "type": "throwing"} if weapon["type"] in CLOSE else {**OBJECT, "ammo": None}
    return name, weapon


def can_use_arms(intent: Intent, fighter: Fighter) -> None:
    """2D20-22: refuse where both arms are injured (with one, what it held is dropped)."""
    if all(fighter.has(f"injured-{arm}") for arm in ARMS):
        what, hint = f"{fighter.name} has no arm left to use", "first aid: crisis heal WHO --treat PLACE"
        refuse(intent, what, "2D20-22", hint)


def attack_difficulty(
    scene: Scene, intent: Intent, name: str, weapon: Weapon, target: Fighter | None
) -> Modifiers:
    """2D20-12, 2D20-13, 2D20-15, 2D20-28: the difficulty of an attack but for what lies with the attacker."""
    hard = Modifiers("difficulty", "2D20-13")
    distance, close, blast = attack_distance(scene, intent), weapon["type"] in CLOSE, is_blast(weapon)
    if close and distance:
        away = f"{intent.target} is {distance} zone{'s' * (distance > 1)} away"
        hint = f"go there: crisis act {slug(intent.actor)} move --to X,Y"
        refuse(intent, f"{away}; hand to hand takes the same zone", "2D20-15", hint)
    if blast:
        hard.add("a whole zone", BLAST, "2D20-28", f"weapons.{name}")
    elif target is not None:
        hard.base("defense", derived(target.sheet, "defense"), source="sheet")
        hard.add("defending", target.marks.get(DEFENDING, 0), "2D20-11", target.name)
    if intent.get("location"):
        hard.add(intent.get("location"), CALLED, source="--location")
    ideal = BANDS.index(weapon.get("range", "close"))
    band = 0 if close else ideal if distance is None else min(distance, len(BANDS) - 1)
    if not close:
        hard.add(f"{BANDS[band]} range", abs(band - ideal), "2D20-15", f"best at {BANDS[ideal]}")
        for near in in_reach(scene, intent)[:1]:
            source = "--reach" if intent.get("reach") else "hand to hand"
            hard.add(f"{near} in reach", CROWDED, "2D20-15", source)
    foe = target is not None and target.side != scene.fighters[intent.actor].side
    if target is not None and foe and target.has("prone") and not blast:
        hard.add("prone", 1 if band else -1, "2D20-12", target.name)
    return hard


def is_blast(weapon: Weapon) -> bool:
    """2D20-28: whether a weapon hits everyone in a zone."""
    return "blast" in weapon["effects"]


def in_reach(scene: Scene, intent: Intent) -> list[str]:
    """2D20-15: the enemies in the attacker's reach, by earlier attacks or as the command says (a reading)."""
    fighter = scene.fighters[intent.actor]

    def near(name: str) -> bool:
        known = fighter.marks.get(f"{REACH}:{name}") and not zones_between(scene, fighter.name, name)
        return bool(name in intent.get("reach", ()) or known)

    return [one.name for one in scene.foes(fighter.name) if not defeated(CONDITIONS, one) and near(one.name)]


def cover_against(intent: Intent, target: Fighter) -> int:
    """2D20-20: the cover dice of a target; Refused behind total cover."""
    level = intent.get("cover") or target.cover.get(intent.actor, "none")
    if level == "total":
        refuse(intent, f"{target.name} is in total cover", "2D20-20", "get round it, or wait")
        level = "heavy"
    return dice_of(level)


# Before the dice


def attack_setup(scene: Scene, intent: Intent) -> Setup:
    """2D20-13 to 2D20-20, 2D20-28: an attack or a throw; what effects need is known beside it: the weapon, and
    whether it leaves the hand."""
    name, weapon = weapon_of(scene, intent)
    if name not in ("unarmed", OBJECT_NAME):
        in_hand(scene, intent, name, "2D20-11")
    fighter = scene.fighters[intent.actor]
    can_use_arms(intent, fighter)
    others = targets_of(scene, intent, name, weapon)
    target = scene.fighters[intent.target] if intent.target and intent.get("at") is None else None
    hard = of_major(scene, intent, attack_difficulty(scene, intent, name, weapon, target))
    test, (lines, hard), costs = check_setup(
        scene, intent, "attack", TESTED[weapon["type"]], hard, sight=True
    )
    aims, aimed = aims_of(intent, fighter), Modifiers("attack", "2D20-11")
    if aims or (fighter.marks.get(AIM) and not fighter.marks.get(ATTACKED)):
        test = test._replace(again=AIMS)
        aimed.base("aim: one d20 again", 0, source="aim")
    extra = extra_rounds(intent, name, weapon)
    plus = Modifiers("damage", "2D20-19").situational(fighter, "damage").asked(intent, "mod_damage")
    bonus = derived(fighter.sheet, "melee_bonus") if weapon["type"] in CLOSE else 0
    dice = weapon["damage"] + bonus + extra
    damage = Damage(intent.actor, dice, plus.total, weapon["damage_type"], effects_of(weapon))
    several = len(others) > 1
    targets = tuple(target_setup(one, damage.kind, cover_against(intent, one), several) for one in others)
    if several:
        test = test._replace(against=others[0].name)
    wanted = wanted_dice(intent, weapon)
    left = rounds_left(fighter, name, weapon)
    hits = HitsSetup(
        damage, targets, called_location(intent, weapon), max(0, left - 1 - extra), is_blast(weapon)
    )
    attack = AttackSetup(test, hits, extra, wanted, ap_left(scene, intent, test.dice - USUAL))
    if 1 + extra > left and left:
        more = f"the {name} of {fighter.name} has {left} rounds left; so many extra rounds take {1 + extra}"
        refuse(intent, more, "2D20-21", f"--extra-rounds {left - 1}")
    aiming = (Cost("minor", aims, rule="2D20-11"),) if aims else ()
    loaded = (Cost(f"ammo:{name}", rule="2D20-21"),) if weapon.get("ammo") else ()
    thrown = intent.action == "throw" or weapon["type"] in THROWN
    leaves = thrown and name in fighter.held and fighter.pools.get(f"ammo:{name}", 1) <= 1
    return Setup(
        attack,
        lines_of(lines, hard, aimed, plus),
        (*aiming, *loaded, *costs),
        name,
        one_target_each(attack),
        (weapon, leaves),
    )


def effects_of(weapon: Weapon) -> tuple[tuple[str, int], ...]:
    """2D20-24: the effects of a weapon, each with its number, usually 1."""
    parts = (word.partition(" ") for word in weapon["effects"])
    return tuple((name, int(number or 1)) for name, _, number in parts)


def rounds_left(fighter: Fighter, name: str, weapon: Weapon) -> int:
    """2D20-21: the rounds left in a weapon; many where it counts none."""
    return fighter.pools.get(f"ammo:{name}", UNLIMITED) if weapon.get("ammo") else UNLIMITED


def aims_of(intent: Intent, fighter: Fighter) -> int:
    """2D20-11: how often the actor takes aim with this attack, a Minor action each."""
    times: int = intent.get("aim", 0)
    if times < 0:
        refuse(intent, "--aim is a number from 0", "2D20-11", final=True)
    if times and fighter.marks.get(ATTACKED):
        what = f"{fighter.name} has attacked this turn already"
        refuse(intent, what, "2D20-11", "aim is for the first attack of a turn")
    return max(0, times)


def targets_of(scene: Scene, intent: Intent, name: str, weapon: Weapon) -> list[Fighter]:
    """Everyone that the attack may hit: those named, in that order, and with a blast all others in the zone."""
    named = [scene.fighters[one] for one in intent.targets]
    for one in named:
        if one.has("dead"):
            refuse(intent, f"{one.name} is dead already", "2D20-23")
    # A burst reaches others close to the first, a blast a zone; close is one zone (2D20-15).
    spot = intent.get("at") or (named[0].at if named else None)
    for one in named:
        if spot is not None and one.at is not None and zones(spot, one.at):
            rule = "2D20-28" if is_blast(weapon) else "2D20-24"
            refuse(intent, f"{one.name} is not in the zone that is struck", rule, "name those who are there")
    if is_blast(weapon):
        hidden = (one for one in in_zone(scene, intent) if one.cover.get(intent.actor) != "total")
        return named + [one for one in hidden if one not in named]
    if intent.get("at") is not None:
        what = f"the {name} needs a target, not a place"
        refuse(intent, what, "2D20-28", "a blast is aimed at a place", final=True)
    if len(named) > 1 and "burst" not in weapon["effects"]:
        what = f"the {name} strikes one target, not {len(named)}"
        refuse(intent, what, "2D20-24", "burst and blast reach more", final=True)
    return named


def in_zone(scene: Scene, intent: Intent) -> Iterator[Fighter]:
    """2D20-28: everyone known to stand in the zone that a blast hits."""
    place = intent.get("at")
    spot = place if place is not None else scene.fighters[intent.target].at
    for one in scene.fighters.values():
        here = one.at if not one.gone and not one.has("dead") else None
        if spot is not None and here is not None and not zones(spot, here):
            yield one


def extra_rounds(intent: Intent, name: str, weapon: Weapon) -> int:
    """2D20-19: the extra rounds fired, a combat die each."""
    extra: int = intent.get("extra_rounds", 0)
    rate = weapon.get("fire_rate", 0)
    if extra and weapon["type"] not in GUNS:
        refuse(intent, f"the {name} fires no extra rounds", "2D20-19", "leave --extra-rounds out", final=True)
    if not 0 <= extra <= rate:
        refuse(intent, f"the {name} fires 0 to {rate} extra rounds, not {extra}", "2D20-19")
    return max(0, extra)


def wanted_dice(intent: Intent, weapon: Weapon) -> int:
    """2D20-19: AP for damage dice, hand to hand and thrown."""
    wanted: int = intent.get("ap_dice", 0)
    if wanted and weapon["type"] not in (*CLOSE, *THROWN):
        what = "AP buy damage dice hand to hand and for what is thrown"
        refuse(intent, what, "2D20-19", "guns: --extra-rounds N")
    if not 0 <= wanted <= AP_DICE:
        what = f"0 to {AP_DICE} AP can be spent on damage dice, not {wanted}"
        refuse(intent, what, "2D20-19", final=True)
    return wanted


def called_location(intent: Intent, weapon: Weapon) -> int:
    """2D20-13: the location called for, by its place in PLACES; -1 where dice decide."""
    place = intent.get("location")
    if place and is_blast(weapon):
        refuse(intent, "a blast cannot be called", "2D20-28", "leave --location out", final=True)
    return PLACES.index(place) if place else -1


def one_target_each(attack: AttackSetup) -> tuple[tuple[str, AttackSetup], ...]:
    """For odds: the attack without any target's dice, and for each target the attack on that one alone."""
    hits = attack.hits
    nobody: tuple[TargetSetup | None, ...] = (None,) * len(hits.targets)
    found = [("", attack._replace(hits=hits._replace(targets=nobody)))]
    damage = hits.damage._replace(hp_only=True)
    for at, target in enumerate(hits.targets):
        if target:
            alone = hits._replace(damage=damage, targets=(*nobody[:at], target, *nobody[at + 1 :]))
            found.append((target.name, attack._replace(hits=alone, counted=False)))
    return tuple(found)


# The dice


def attack(table: RuleTable, setup: AttackSetup) -> AttackResult:
    """2D20-16: the test and every hit; a miss costs one round, and what adds dice is chosen after a hit (readings)."""
    several = sum(map(bool, setup.hits.targets))
    if several > 1:
        what = f"what one attack does to {several} targets together takes too many branches"
        table.refuse_odds(what, "ask about each of them")
    test, hits = table.ask(check, setup.test), setup.hits
    total, odd = (test.total, test.complications) if setup.counted else (0, 0)
    if not test.success:
        return AttackResult(False, total, odd, test.luck, 0, 1, unhurt(hits))
    spent = min(setup.wanted, setup.ap + ap_earned(setup.test, test))
    luck = max(0, setup.test.luck - test.luck)
    asks = max(0, setup.test.asks - test.luck)
    used, others, states = table.ask(roll_hits, hits, hits.damage.dice + spent, luck, asks)
    return AttackResult(True, total, odd, test.luck + used, spent, 1 + setup.extra + others, states)


def unhurt(hits: HitsSetup) -> tuple[DamageResult | None, ...]:
    """The targets as they were."""
    return tuple(one and one.unhurt for one in hits.targets)


def roll_hits(
    table: RuleTable, hits: HitsSetup, dice: int, luck: int, asks: int = 0
) -> tuple[int, int, tuple[DamageResult | None, ...]]:
    """2D20-17 to 2D20-24, 2D20-28: the location of the first hit, the damage, cover; then further hits as named.

    `asks` is the Luck that the player is asked about. Gives the Luck used, the rounds of a burst, and the targets.
    """
    damage, first = hits.damage, hits.targets[0] if hits.targets else None
    at = hits.called
    if first and at < 0:
        at = table.ask(hit_location, first.name, first.several)
    bursts = damage.has("burst") and len(hits.targets) > 1
    states = list(unhurt(hits))
    if not any(hits.targets) and not luck and not bursts:
        # Nobody asks what the dice would show.
        return 0, 0, tuple(states)
    against = first.name if first and first.several else ""
    added = Added(damage.plus, damage.has("vicious"))
    rolled, effects, used = table.ask(combat_dice, damage.who, dice, luck, against, asks, added)
    others = min(effects, len(hits.targets) - 1, hits.rounds) if bursts else 0
    # Further hits of a burst bring no hits of their own (a reading).
    chained = ("burst", "spread", "persistent")
    further = damage._replace(effects=tuple(one for one in damage.effects if one[0] not in chained))
    for number, target in enumerate(hits.targets[: None if hits.blast else 1 + others]):
        state = states[number]
        if target and state:
            where, each = (-1, damage if hits.blast else further) if number else (at, damage)
            state = table.ask(hit, state, target, each, rolled, effects, where)
            if not number and effects and damage.has("spread"):
                state = table.chain(effects, hit, state, target, damage, rolled // 2, 0)
            states[number] = state
    if damage.hp_only:
        states = [one and DamageResult(one.hp, one.highest) for one in states]
    return used, others, tuple(states)


# After the dice


def attack_effects(changes: Changes, intent: Intent, setup: Setup, result: AttackResult) -> None:
    """2D20-15 to 2D20-28: AP, Luck and help; the targets; rounds, aim, reach, and what was thrown."""
    attack, (weapon, leaves), who = setup.dice, setup.known, intent.actor
    after_check(changes, attack.test, result, result.spent)
    damage = attack.hits.damage._replace(dice=attack.hits.damage.dice + result.spent)
    for target, after in zip(attack.hits.targets, result.tolls, strict=True):
        if target and after and after != target.unhurt:
            apply_damage(changes, target, after, damage)
    if weapon.get("ammo"):
        pool = f"ammo:{setup.gear}"
        if result.complications and intent.get("complication") == "empty":
            changes.set(who, pool, 0, "2D20-25")
        else:
            changes.adjust(who, pool, 1 - result.rounds, "2D20-21")
    changes.mark(who, AIM, 0, "2D20-11")
    scene = changes.before
    if scene.open and who in scene.acting:
        changes.mark(who, ATTACKED, 1, "2D20-11")
    if scene.open:
        # Who is attacked hand to hand, or said to be near, is in reach, and the other way round.
        for other in (*intent.get("reach", ()), *(intent.targets if weapon["type"] in CLOSE else ())):
            changes.mark(who, REACH, 1, "2D20-15", key=other)
            changes.mark(other, REACH, 1, "2D20-15", key=who)
    if leaves:
        changes.hold(who, (one for one in scene.fighters[who].held if one != setup.gear), "2D20-28")


def attack_outputs(scene: Scene, intent: Intent, setup: Setup, result: AttackResult) -> Mapping[str, object]:
    """`surplus`: aiming that is not used; `suggestion`: what a complication may do (2D20-25); `wanted`: AP wanted and
    not there (2D20-19); `at`: the zone that is hit."""
    found: dict[str, Any] = {}
    taken = intent.get("aim", 0) + bool(scene.fighters[intent.actor].marks.get(AIM))
    if intent.get("aim") and taken > AIMS:
        found["surplus"] = [["aim", f"{AIMS} d20 an attack"]]
    if result.complications:
        found["suggestion"] = "empty" if setup.known[0].get("ammo") else "drop"
    if result.success and result.spent < setup.dice.wanted:
        found["wanted"] = setup.dice.wanted
    if intent.get("at") is not None:
        found["at"] = list(intent.get("at"))
    return found


# Attacks worth considering


def attack_candidates(scene: Scene, who: str) -> Iterator[Intent]:
    """Every weapon in hand that is not thrown, else bare hands, at every foe."""
    return _candidates("attack", scene, who, ["unarmed"])


def throw_candidates(scene: Scene, who: str) -> Iterator[Intent]:
    """Everything in hand that is thrown, at every foe."""
    return _candidates("throw", scene, who, [])


def _candidates(action: str, scene: Scene, who: str, otherwise: list[str]) -> Iterator[Intent]:
    fighter = scene.fighters[who]
    weapons = fighter.sheet["weapons"]
    held = [one for one in fighter.held if one in weapons]
    for name in [one for one in held if (weapons[one]["type"] in THROWN) == (action == "throw")] or otherwise:
        for foe in scene.foes(who):
            if not foe.has("dead"):
                yield Intent(action, who, (foe.name,), {"weapon": name})


def attack_upgrades(scene: Scene, intent: Intent) -> Iterator[Intent]:
    """2D20-6, 2D20-8, 2D20-13, 2D20-19, 2D20-24: dice, Luck, rounds, further targets, AP for damage, and calling for
    the location with the least armour."""
    yield from check_upgrades(scene, intent)
    fighter, (name, weapon) = scene.fighters[intent.actor], weapon_of(scene, intent)
    loaded = rounds_left(fighter, name, weapon)
    rounds = min(weapon.get("fire_rate", 0), loaded - 1)
    if rounds > 0:
        yield with_option(intent, "extra_rounds", rounds)
    if "burst" in weapon["effects"] and loaded > 1:
        yield from burst_upgrades(scene, intent)
    have = min(AP_DICE, ap_left(scene, intent))
    if have and weapon["type"] in (*CLOSE, *THROWN):
        yield with_option(intent, "ap_dice", have)
    if not is_blast(weapon):
        sheet, kind = scene.fighters[intent.target].sheet, weapon["damage_type"]
        worn = {place: resistance(sheet, place, kind) for place in PLACES}
        thin = min(PLACES, key=lambda place: worn[place])
        if worn[thin] < max(worn.values()):
            yield with_option(intent, "location", thin)


def burst_upgrades(scene: Scene, intent: Intent) -> Iterator[Intent]:
    """2D20-24: a burst at those who stand nearest to the first target too."""
    first = intent.target
    apart = {one.name: zones_between(scene, first, one.name) or 0 for one in scene.foes(intent.actor)}
    others = [
        one.name
        for one in scene.foes(intent.actor)
        if one.name != first and apart[one.name] <= BESIDE and not defeated(CONDITIONS, one)
    ]
    if others and len(intent.targets) == 1:
        others.sort(key=lambda name: apart[name])
        for many in sorted({1, min(MOST_OTHERS, len(others))}):
            yield intent._replace(targets=(first, *others[:many]))


OPTIONS = (
    *("weapon", "range", "cover", "mod_damage", "location", "ap-dice", "aim", "reach", "complication"),
    *("buy", "luck", "at"),
)
FIRES, THROWS = "{actor} fires the {gear} at {target}", "{actor} throws the {gear} at {target}"
ATTACK = major_action(
    "Attack with the weapon in hand",
    "2D20-13",
    attack_setup,
    attack_effects,
    attack,
    gear="weapons",
    candidates=attack_candidates,
    upgrades=attack_upgrades,
    options=(*OPTIONS, "extra-rounds"),
    targets="many",
    outputs=attack_outputs,
    says={
        "melee": "{actor} swings the {gear} at {target}",
        "unarmed": "{actor} goes for {target} with bare hands",
        **dict.fromkeys(GUNS, FIRES),
        **dict.fromkeys(THROWN, THROWS),
        "": "{actor} attacks {target} with the {gear}",
        "bare": "{actor} attacks {target}",
    },
)
THROW = major_action(
    "Throw a weapon or an object",
    "2D20-28",
    attack_setup,
    attack_effects,
    attack,
    gear="weapons",
    candidates=throw_candidates,
    upgrades=attack_upgrades,
    options=OPTIONS,
    targets="many",
    outputs=attack_outputs,
    says={"": THROWS, "bare": "{actor} throws something at {target}"},
)
