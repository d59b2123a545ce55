"""Attacks: the hit roll, reactions, cover, protection and damage; throws, the coup de grâce, and hits that nobody
rolled for (POOL-14 to POOL-36, POOL-40, POOL-41)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from math import cos, pi, sin
from typing import Any, NamedTuple

from ...rules import (
    Action,
    Alternative,
    Changes,
    Cost,
    Fighter,
    Intent,
    Modifiers,
    RuleTable,
    Scene,
    Setup,
    in_hand,
    lines_of,
    refuse,
    slug,
    target_distance,
    unable,
)
from ...rules.exploding import NO_DICE, Graded
from ...rules.interrupts import Charge, Interrupted, Phase, Reactions
from . import rolls
from .rolls import BONUS, CRITICAL, DESTINY, HIT, NEVER, PoolRoll, Rolled, criticals, roll_pool, scored
from .sheet import ONE, PROTECTION, SHIELD, SKILL_OF, UNARMED, Weapon, evasion_of, modes_of, value_of

AIM, ACCURATE, RECOIL, SUPPORTED = "aim", "accurate", "recoil", "supported"
"""Marks: what is built up before an attack."""
RAISED = "raised"
"""The mark of a shield held up: the round from which on it covers (POOL-23)."""
STOLEN = "stolen"
"""The mark of actions that the next refresh lacks (POOL-15)."""
DEFENCES = ("dodge", "parry", "shield")
"""POOL-14: the reactions of a target to hits."""
WOUNDS, KNOCKOUT, DISARM = "wounds", "knockout", "disarm"
"""What the hits are meant to do."""
THING = "object"
"""What is thrown where there is no weapon for it (POOL-40)."""

# What an attack is made with


class Attacking(NamedTuple):
    """What an attack is made with, looked up once."""

    name: str
    weapon: Weapon
    mode: str
    purpose: str = WOUNDS
    """WOUNDS, KNOCKOUT or DISARM."""


def attacking(scene: Scene, intent: Intent) -> Attacking:
    """POOL-16, POOL-18: the weapon of an attack and how it is used, as asked for, else as usual.

    In a crisis the weapon must be in hand.
    """
    fighter = scene.fighters[intent.actor]
    name = weapon_name(fighter, intent)
    if name in fighter.sheet["weapons"]:
        in_hand(scene, intent, name, "POOL-12", "ready")
        weapon = fighter.sheet["weapons"][name]
    else:
        # POOL-29: with quickness above 2 one die more, with strength above 2 piercing 1.
        quick, strong = (value_of(fighter.sheet, one)[0] > 2 for one in ("quickness", "strength"))
        bare = {**UNARMED, "damage_potential": int(quick), "piercing": int(strong)}
        weapon = bare if name == "unarmed" else UNARMED
    modes = modes_of(weapon)
    mode: str = "throw" if intent.action == "throw" else intent.get("mode") or modes[0]
    if mode not in modes:
        can = f"it can {', '.join(modes)}"
        refuse(intent, f"the {name} has no mode {mode}", "POOL-18", can, final=True)
    return Attacking(name, weapon, mode)


def weapon_name(fighter: Fighter, intent: Intent) -> str:
    """The weapon of an attack: as asked for, else in hand, else `unarmed`; of a throw the first that can be thrown,
    else an object."""
    weapons, held = fighter.sheet["weapons"], weapons_held(fighter)
    name: str = intent.get("weapon") or ""
    if not name and intent.get("off_hand"):
        if len(held) < 2:
            refuse(intent, f"{fighter.name} has nothing in the other hand", "POOL-34", final=True)
        name = held[1]
    if not name and intent.action == "throw":
        name = next((one for one in (*held, *weapons) if "throw" in modes_of(weapons[one])), THING)
    name = name or (held[0] if held else "unarmed")
    if name not in (*weapons, "unarmed", THING):
        refuse(intent, f"{fighter.name} has no weapon called {name!r}", "POOL-3", final=True)
    return name


def weapons_held(fighter: Fighter) -> tuple[str, ...]:
    """The weapons in hand, the main hand first."""
    return tuple(one for one in fighter.held if one in fighter.sheet["weapons"])


def paired(fighter: Fighter) -> bool:
    """POOL-34: two weapons of one kind in hand, each for one hand."""
    held = [fighter.sheet["weapons"][one] for one in weapons_held(fighter)]
    return (
        len(held) == 2 and all(one["hands"] == 1 for one in held) and len({one["skill"] for one in held}) == 1
    )


def is_firearm(weapon: Weapon, mode: str) -> bool:
    """Whether a mode of a weapon is that of a firearm: it fires, and is no bow (POOL-19)."""
    return mode in ("single", "burst") and not weapon["bow"]


def is_off_hand(fighter: Fighter, name: str) -> bool:
    """POOL-34: whether a weapon is the second of a pair in hand."""
    return paired(fighter) and weapons_held(fighter)[1] == name


def shield_of(fighter: Fighter) -> int:
    """POOL-23: the cover of the shield in hand; 0 without one, or with a weapon for two hands."""
    weapons = fighter.sheet["weapons"]
    if SHIELD not in fighter.held or any(weapons[one]["hands"] > 1 for one in weapons_held(fighter)):
        return 0
    return int(fighter.sheet.get("shield", {"cover": 0})["cover"])


def rounds(scene: Scene, intent: Intent, using: Attacking) -> tuple[Cost, ...]:
    """POOL-18: the rounds that an attack takes; Refused where the weapon has been thrown away."""
    pool, pools = f"ammo:{using.name}", scene.fighters[intent.actor].pools
    needed = {"single": 1, "burst": 3, "throw": 1}.get(using.mode)
    if pool not in pools:
        return ()
    if needed is None and not pools[pool]:
        what = f"the {using.name} of {intent.actor} has been thrown"
        refuse(intent, what, "POOL-18", "use another weapon")
    return (Cost(pool, needed, rule="POOL-18"),) if needed else ()


# The hit roll


def hit_setup(scene: Scene, intent: Intent, using: Attacking) -> Setup:
    """The hit roll with all that goes into it, and the actions, rounds and dice that it takes."""
    fighter, name, weapon, mode = scene.fighters[intent.actor], using.name, using.weapon, using.mode
    firearm = is_firearm(weapon, mode)
    dice = rolls.dice_of(fighter, "attack", SKILL_OF[mode])
    dice.add(name, weapon["damage_potential"], "POOL-16", f"weapons.{name}")
    dice.add("burst", 2 * (mode == "burst"), "POOL-18", "--mode burst")
    minimum = rolls.minimum_of(fighter, "attack", SKILL_OF[mode])
    far(minimum, scene, intent, using)
    off = bool(intent.get("off_hand")) or is_off_hand(fighter, name)
    minimum.add("off hand", int(off), "POOL-34", name)
    rolls.asked(minimum, scene, intent)
    kick = max(0, 2 - weapon.get("recoil_compensation", 0)) * fighter.marks.get(RECOIL, 0) * firearm
    minimum.add("recoil", kick, "POOL-19")
    massive = rolls.count_of(intent, "massive")
    if massive and mode != "melee":
        refuse(intent, "only a blow can be massive", "POOL-32", final=True)
    capped(dice, fighter, "massive", 3 * massive, "strength", "POOL-32", "--massive")
    rests, supports = bool(fighter.marks.get(f"{SUPPORTED}:{name}")), bool(intent.get("supported"))
    if supports and not firearm:
        refuse(intent, f"the {name} cannot be supported", "POOL-35", "firearms can, bows cannot", final=True)
    minimum.add("supported", -(rests or supports), "POOL-35")
    minimum.add("disarming", 2 * (using.purpose == DISARM), "POOL-33", "--disarm")
    if intent.get(AIM) and intent.get(ACCURATE):
        what = "nothing else is done while taking one's time, aiming neither"
        refuse(intent, what, "POOL-30", final=True)
    time = rolls.count_of(intent, ACCURATE)
    off_minimum = -fighter.marks.get(ACCURATE, 0) - time
    if off_minimum := capped(minimum, fighter, ACCURATE, off_minimum, "perception", "POOL-30"):
        minimum.add("never below 2", max(0, min(2 - minimum.total, -off_minimum)), "POOL-30")
    threshold = Modifiers("critical", "POOL-17").base("threshold", CRITICAL).add("recoil", kick, "POOL-19")
    moments = rolls.count_of(intent, AIM)
    if mode != "burst":
        aimed = -2 * (fighter.marks.get(AIM, 0) + moments)
        capped(threshold, fighter, AIM, aimed, "perception", "POOL-20")
    elif moments:
        refuse(intent, f"the {name} cannot be aimed in bursts", "POOL-18", "--mode single", final=True)
    critical = NEVER if mode == "burst" else threshold.total
    roll = rolls.roll_of(scene, intent.actor, dice, minimum, critical, intent.options)
    puts = int(supports and not rests)
    actions = {"POOL-32": massive, "POOL-35": puts, "POOL-30": time, "POOL-20": moments}
    costs = (
        *(Cost("actions", count, rule=rule) for rule, count in actions.items() if count),
        *rounds(scene, intent, using),
        *rolls.spent(scene, intent),
    )
    return Setup(roll, lines_of(dice, minimum, threshold), costs, name, known=using)


def far(minimum: Modifiers, scene: Scene, intent: Intent, using: Attacking) -> None:
    """POOL-21: up to the range nothing, up to twice it harder by 2, beyond it refused."""
    distance = target_distance(scene, intent)
    reaches: int | None = using.weapon.get("range", 1 if using.mode == "melee" else None)
    if distance is None or reaches is None or distance <= reaches:
        return
    if distance > 2 * reaches:
        limit = f"the {using.name} reaches {reaches} m, {2 * reaches} m at most"
        closer = f"go closer: crisis act {slug(intent.actor)} run --to X,Y"
        refuse(intent, f"{intent.target} is {distance} m away; {limit}", "POOL-21", closer)
    minimum.add("distance", 2, "POOL-21", f"{distance} m at {reaches} m")


def capped(
    found: Modifiers, fighter: Fighter, name: str, worth: int, limit: str, rule: str, source: str = ""
) -> int:
    """Add what actions were spent on, no more than a skill or attribute of the fighter either way; gives that."""
    most = max(0, value_of(fighter.sheet, limit)[0])
    counts = max(-most, min(most, worth))
    if worth:
        found.base(name, counts, rule, source if counts == worth else f"{limit} {most}")
    return counts


def attack_setup(scene: Scene, intent: Intent, before: tuple[Setup, ...]) -> Setup:
    """An attack with a weapon (POOL-16); refused where reach, mode, rounds or manner forbid it."""
    fighter, target = scene.fighters[intent.actor], scene.fighters[intent.target]
    if target.has("dead"):
        refuse(intent, f"{target.name} is dead already", "POOL-37")
    using = attacking(scene, intent)
    if fighter.has("stuck") and using.name != "unarmed" and using.mode == "melee":
        free = f"pull it free: crisis act {slug(fighter.name)} free-weapon"
        refuse(intent, f"the {using.name} of {fighter.name} is held fast", "POOL-24", free)
    knocks_out, disarms = bool(intent.get("knockout")), bool(intent.get("disarm"))
    if knocks_out and disarms:
        refuse(intent, "one blow cannot knock out and disarm", "POOL-31", final=True)
    if knocks_out and not using.weapon["blunt"]:
        what = f"the {using.name} is not blunt"
        refuse(intent, what, "POOL-31", "use something blunt, or --weapon unarmed")
    using = using._replace(purpose=KNOCKOUT if knocks_out else DISARM if disarms else WOUNDS)
    if disarms and not weapons_held(target):
        refuse(intent, f"{target.name} holds no weapon", "POOL-33", final=True)
    return hit_setup(scene, intent, using)


def hit_roll(table: RuleTable, roll: PoolRoll | tuple[PoolRoll]) -> Rolled[Graded] | Rolled[int]:
    """POOL-16: the hit roll; POOL-40: of an object, in a tuple of its own, a roll that is no attack (POOL-6)."""
    if isinstance(roll, PoolRoll):
        return roll_pool(table, "attack", roll, scored)
    return roll_pool(table, "throw", roll[0], rolls.counted)


# What the target can do


def interrupted_record(outcome: Interrupted) -> Mapping[str, Any]:
    """An attack or another action that was answered, as the record holds it."""
    deed = outcome.deed if outcome.lost else None
    toll = getattr(deed, "toll", DamageResult(0))
    return {
        "success": outcome.success,
        "total": outcome.total,
        "criticals": outcome.criticals,
        "deed": None if outcome.lost else outcome.deed,
        "tolls": tuple(one.toll._replace(spent=one.repaid) for one in outcome.others if one is not None),
        "lost": outcome.lost,
        "reaction": toll.reaction,
        "repaid": getattr(deed, "repaid", ()),
        "bought": toll.bought,
        "spent": toll.spent,
    }


REACTIONS = Reactions("actions", "POOL-14", rolls=("attack",), keeps=(SUPPORTED,), record=interrupted_record)
"""POOL-13, POOL-14: an action that was kept is a reaction, once to each action of others; one in a one-off (a
reading)."""
Units = tuple[int, ...]
"""A number for each kind of protection."""
NONE: Units = (0,) * len(PROTECTION)


class Armour(NamedTuple):
    """The protection that meets an attack: units by kind, how many are used at most, and what the attack is."""

    units: Units
    most: int
    piercing: int
    demonic: bool


class DefenceSetup(NamedTuple):
    """What the dice of the target depend on; what it cannot do is None or 0."""

    who: str
    armour: Armour
    each: int = 1
    """Wounds of each hit (POOL-26)."""
    most: int = 9999
    """Wounds beyond these make no difference."""
    cover: int = 0
    shield: int = 0
    dodge: PoolRoll | None = None
    parry: PoolRoll | None = None
    purpose: str = WOUNDS
    resist: PoolRoll | None = None
    buys: tuple[str, ...] = ()
    """The dice that can buy the action for a reaction, where none is kept (POOL-15); the player is asked."""

    def after(self, used: tuple[str, ...]) -> DefenceSetup:
        """The same once dice and re-rolls have been spent in these ways."""
        if not used:
            return self
        dodge, parry, resist = (
            roll and roll._replace(luck=rolls.without(roll.luck, used))
            for roll in (self.dodge, self.parry, self.resist)
        )
        return self._replace(dodge=dodge, parry=parry, resist=resist)


def defence_setup(scene: Scene, intent: Intent, before: tuple[Setup, ...]) -> Setup:
    """What stands between the hits and the target; Refused where `--react` names what it cannot do. `known` is the
    scene that it holds for. There is no defence against an object (POOL-40)."""
    using: Attacking | None = before[0].known
    if using is None:
        return Setup(None)
    target, weapon = scene.fighters[intent.target], using.weapon
    who, name, force = target.name, using.name, wounds_per_hit(intent, using)
    pierces = Modifiers("piercing", "POOL-25").add(name, weapon["piercing"], source=f"weapons.{name}")
    setup = shielded_by(scene, intent, target, weapon)._replace(
        each=max(0, force.total), purpose=using.purpose, buys=buying(scene, intent)
    )
    lines = [force, pierces]
    if using.purpose != WOUNDS:
        skills = ("resistance",) if using.purpose == KNOCKOUT else ("strength", "deftness")
        forced = [rolls.forced_roll(scene, who, "resist", one) for one in skills]
        resist, more = max(forced, key=lambda pair: pair[0].dice)
        setup, lines = setup._replace(resist=resist), [*lines, *more]
    barred = {one: unable_to(scene, intent, target, using.mode, one, setup.buys) for one in DEFENCES}
    wanted = intent.get("react", "none")
    if wanted in barred and barred[wanted][0]:
        refuse(intent, *barred[wanted], "let it be: --react none")
    if not barred["dodge"][0] or wanted == "dodge":
        dice = Modifiers("dodge dice", "POOL-27", who).base(
            "evasion", evasion_of(target.sheet), "POOL-2", "evasion"
        )
        dice.add("shocked", -rolls.level_of(target, "shocked"), "POOL-38", "condition")
        minimum = rolls.minimum_of(target, "dodge", "dodge", against=who)
        setup = setup._replace(dodge=rolls.roll_of(scene, who, dice, minimum))
        lines += (dice, minimum)
    if not barred["parry"][0]:
        with_, potential = parries_with(scene, intent, target) or ("", 0)
        dice = rolls.dice_of(target, "parry", "hand-to-hand", against=who)
        dice.add(with_, potential, "POOL-3", f"weapons.{with_}")
        minimum = rolls.minimum_of(target, "parry", "hand-to-hand", against=who)
        minimum.add("off hand", int(is_off_hand(target, with_)), "POOL-34", with_)
        setup = setup._replace(parry=rolls.roll_of(scene, who, dice, minimum, CRITICAL))
        lines += (dice, minimum)
    if not barred["shield"][0]:
        setup = setup._replace(shield=shield_of(target))
    return Setup(setup, lines_of(*lines), known=scene)


def shielded_by(scene: Scene, intent: Intent, target: Fighter, weapon: Weapon) -> DefenceSetup:
    """What meets hits whatever the target does: cover (POOL-22), and the units of protection that are left (POOL-24).

    Refused where more units are asked for than there are.
    """
    units = tuple(target.pools.get(f"protection:{kind}", 0) for kind in PROTECTION)
    most = intent.get("protection")
    if most is not None and not 0 <= most <= sum(units):
        what = f"{target.name} has {sum(units)} units of protection left, not {most}"
        refuse(intent, what, "POOL-24", final=True)
    said = intent.get("cover") or target.cover.get(intent.actor, "none")
    covers = [int(said[0])] if said != "none" else []
    if target.has("hunkered"):
        covers.append(6)
    if target.has("blocking") and scene.round >= target.marks.get(RAISED, 0) and shield_of(target):
        covers.append(shield_of(target))
    armour = Armour(units, 9999 if most is None else most, weapon["piercing"], weapon["demonic"])
    wounds_left = rolls.hearts(target) if rolls.hearts(target) > 0 else rolls.DEATH
    return DefenceSetup(target.name, armour, most=wounds_left, cover=min(covers, default=0))


def wounds_per_hit(intent: Intent, using: Attacking) -> Modifiers:
    """POOL-26: the wounds of each hit with a weapon; below 0 they count as 0."""
    found = Modifiers("wounds per hit", "POOL-26")
    found.base(using.name, using.weapon["wounds"], source=f"weapons.{using.name}")
    return found.asked(intent, "mod_damage")


def buying(scene: Scene, intent: Intent) -> tuple[str, ...]:
    """POOL-15: the dice with which the player may buy the target an action for a reaction, where none is kept.

    A destiny die steals it from the attacker, who must have one left to lose (none left: refused, a reading).
    """
    target, attacker = scene.fighters[intent.target], scene.fighters[intent.actor]
    asks = scene.open and target.player and intent.get("react") in (None, "ask")
    if not asks or REACTIONS.left(scene, target) > 0:
        return ()
    luck = dict(rolls.luck_of(target))
    now = attacker.name in scene.acting
    can_steal = attacker.pools["actions"] > 0 if now else not all_stolen(attacker)
    ways = (BONUS, DESTINY) if can_steal and attacker.side != target.side else (BONUS,)
    return tuple(way for way in ways if luck.get(rolls.POOLS[way]))


def all_stolen(fighter: Fighter) -> bool:
    """POOL-15: whether no action of the next refresh is left to be stolen."""
    return bool(fighter.marks.get(STOLEN, 0) >= fighter.sheet["actions"])


def theft(scene: Scene, victim: str) -> Charge:
    """POOL-15: an action of an opponent's goes, in its own turn of what it has, else of its next refresh."""
    if victim in scene.acting:
        return Charge(victim, (Cost("actions", rule="POOL-15"),))
    return Charge(victim, mark=STOLEN, rule="POOL-15")


def unable_to(
    scene: Scene, intent: Intent, target: Fighter, mode: str, reaction: str, buys: tuple[str, ...]
) -> tuple[str, str]:
    """Why the target cannot react so, and the rule; two empty words where it can."""
    who, (idle, idle_rule) = target.name, unable(rolls.CONDITIONS, target)
    dodges, parries, shields = (reaction == one for one in DEFENCES)
    reasons = (
        (who in intent.get("unaware", ()), f"{who} does not perceive the attack", "POOL-14"),
        (idle, f"{who} is {idle}", idle_rule),
        (REACTIONS.left(scene, target) < 1 and not buys, f"{who} has no action left", "POOL-14"),
        (shields and not shield_of(target), f"{who} holds no shield", "POOL-23"),
        (not shields and mode != "melee", f"only a blow can be answered with {reaction}", "POOL-18"),
        (parries and target.has("stuck"), f"the weapon of {who} is held fast", "POOL-24"),
        (dodges and intent.get("behind"), f"{who} cannot dodge what comes from behind", "POOL-27"),
        (parries and not parries_with(scene, intent, target), f"{who} has no melee weapon ready", "POOL-28"),
    )
    return next(((why, rule) for holds, why, rule in reasons if holds), ("", ""))


def parries_with(scene: Scene, intent: Intent, target: Fighter) -> tuple[str, int] | None:
    """POOL-28: the melee weapon in hand, else what the GM allows; with its dice. A one-off does not ask for it to
    be in hand."""
    weapons, held = target.sheet["weapons"], weapons_held(target)
    ready = [one for one in (held if scene.open else weapons) if "melee" in modes_of(weapons[one])]
    named = intent.get("react_weapon")
    if named and named not in ready:
        return None if named in weapons else (named, 0)
    name = named or next((one for one in held if one in ready), "")
    return (name, weapons[name]["damage_potential"]) if name else None


# What the target does


class ReactionResult(NamedTuple):
    """What the target's reaction leaves of the hits, normal and critical, of which the worst are stopped (a reading).

    `cover` is against them, 0 for none (POOL-22); `bought` is the die that bought the action for the reaction
    (POOL-15), and `spent` went into its roll (POOL-7).
    """

    normal: int
    left: int
    cover: int
    reaction: str = ""
    bought: str = ""
    spent: tuple[str, ...] = ()


class DamageResult(NamedTuple):
    """What an attack comes to for its target."""

    harm: int
    """Wounds; the level of unconsciousness; 1 for a weapon lost."""
    past: bool = False
    """Whether a hit got past parry, dodge and cover (POOL-20)."""
    through: bool = False
    """Whether a hit was left in the end (POOL-3)."""
    used: Units = NONE
    worked: Units = NONE
    """Of the units used those that piercing did not swallow (POOL-25)."""
    reflected: int = 0
    reaction: str = ""
    bought: str = ""
    spent: tuple[str, ...] = ()
    """On the rolls of reacting and resisting (POOL-7)."""


def react(table: RuleTable, setup: DefenceSetup | None, rolled: Rolled[Graded]) -> ReactionResult | None:
    """POOL-14: what the target does about hits; None where there are none, and of an object."""
    return table.ask(reacted, setup, rolled.found) if setup and rolled.found.count else None


def reacted(table: RuleTable, setup: DefenceSetup, hits: Graded) -> ReactionResult:
    """The reaction that the target chooses by what is announced of the hits (POOL-14)."""
    able = [name for name in DEFENCES if getattr(setup, name)]
    ways = {f"{name}-{die}" if die else name: (name, die) for name in able for die in setup.buys or ("",)}
    options = [Alternative("none", priced, (setup, hits, "none"))]
    for option, (name, die) in ways.items():
        with_it = setup.after((die,) if die else ())
        pays = rolls.PRICES[die] if die else "action"
        options.append(Alternative(option, priced, (with_it, hits, name), 1, willed=bool(die), pays=pays))
    name, die = ways.get(table.choose(setup.who, tuple(options)).name, ("", ""))
    faced = table.ask(WAYS[name or "none"], setup.after((die,) if die else ()), hits)
    return faced._replace(reaction=name, bought=die)


def priced(table: RuleTable, setup: DefenceSetup, hits: Graded, way: str) -> DamageResult:
    """What hits come to if the target reacts in this way."""
    return table.ask(outcome_of, setup, hits.without(HIT), table.ask(WAYS[way], setup, hits))


def borne(table: RuleTable, setup: DefenceSetup, hits: Graded) -> ReactionResult:
    """Nothing is done about it."""
    return ReactionResult(hits.of(HIT), criticals(hits), setup.cover)


def dodged(table: RuleTable, setup: DefenceSetup, hits: Graded) -> ReactionResult:
    """POOL-27: evasion, harder by every hit; one success and none of them counts."""
    assert setup.dodge is not None
    scale = rolls.Scale(setup.dodge.scale.minimum + hits.count)
    found, used = table.ask(roll_pool, "dodge", setup.dodge._replace(scale=scale), rolls.counted)
    faced = ReactionResult(0, 0, 0) if found else borne(table, setup, hits)
    return faced._replace(spent=used)


def parried(table: RuleTable, setup: DefenceSetup, hits: Graded) -> ReactionResult:
    """POOL-28: each success stops a hit; critical ones stop critical hits first, and nothing else does."""
    assert setup.parry is not None
    parry, used = table.ask(roll_pool, "parry", setup.parry, scored)
    stopped = min(criticals(parry), criticals(hits))
    normal = max(0, hits.of(HIT) - (parry.count - stopped))
    return ReactionResult(normal, criticals(hits) - stopped, setup.cover, spent=used)


def shielded(table: RuleTable, setup: DefenceSetup, hits: Graded) -> ReactionResult:
    """POOL-23: the shield is cover against this one attack; of several the best counts (POOL-22)."""
    return borne(table, setup, hits)._replace(cover=min(setup.shield, setup.cover or setup.shield))


WAYS = {"none": borne, "dodge": dodged, "parry": parried, "shield": shielded}
"""What can be done about hits, by the name of the reaction."""


# What is left of the hits


class DamageSetup(NamedTuple):
    """What stands between the hits and the target once it has reacted, and where a throw that misses can land."""

    who: str
    defence: DefenceSetup
    dial: Dial | None


def damage_setup(scene: Scene, intent: Intent, before: tuple[Setup, ...]) -> Setup:
    """The defence as it is after all reactions; of an object where it can land."""
    hit, defence = before
    if hit.known is None:
        return Setup((intent.actor, dial_of(scene, intent)))
    if defence.known is not scene:
        defence = defence_setup(scene, intent, before)
    dial = dial_of(scene, intent) if hit.known.mode == "throw" else None
    return Setup(DamageSetup(intent.actor, defence.dice, dial))


def damage(
    table: RuleTable, setup: DamageSetup | tuple[str, Dial], rolled: Rolled[Any], faced: ReactionResult | None
) -> AttackResult:
    """What cover and protection leave; POOL-40: one success of an object hits; POOL-41: where a throw that misses
    goes."""
    hits, used = rolled
    if isinstance(setup, DamageSetup) and faced:
        toll = table.ask(outcome_of, setup.defence, hits.without(HIT), faced)
        return AttackResult(True, hits.count, criticals(hits), toll, repaid=used)
    found, dial = (0, setup.dial) if isinstance(setup, DamageSetup) else (hits, setup[1])
    landing = table.ask(deviation, setup[0]) if dial and not found else (0, 0)
    return AttackResult(found > 0, found, 0, landing=landing, repaid=used)


def outcome_of(
    table: RuleTable, setup: DefenceSetup, critical: Graded, faced: ReactionResult
) -> DamageResult:
    """What comes of the hits that the reaction leaves."""
    toll = DamageResult(0)
    if faced.normal + faced.left:
        left = setup.after(faced.spent)
        toll = table.ask(endured, left, faced.cover, faced.normal, critical, faced.left)
    spent = (*faced.spent, *toll.spent)
    return toll._replace(reaction=faced.reaction, bought=faced.bought, spent=spent)


def endured(
    table: RuleTable, setup: DefenceSetup, cover: int, normal: int, critical: Graded, left: int
) -> DamageResult:
    """POOL-22: a cover die for each critical hit, then for each normal one; then protection and wounds.

    Of the critical hits `left` are left, the worst having been stopped (a reading).
    """
    left -= covered(table, setup.who, cover, left, "critical hits")
    normal -= covered(table, setup.who, cover, normal, "normal hits")
    if not normal + left:
        return DamageResult(0)
    if setup.purpose == DISARM:
        found, used = resisted(table, setup, normal + left)
        return DamageResult(int(found < normal + left), True, spent=used)
    normal, left, toll = protect(setup.armour, normal, left)
    if setup.purpose == KNOCKOUT:
        found, used = resisted(table, setup, normal + left) if toll.through else (0, ())
        return toll._replace(harm=max(0, normal + left - found), spent=used)
    more = table.reveal(critical, left, rolls.mega) if left else 0
    return toll._replace(harm=min(setup.most, setup.each * (normal + left) + more))


def covered(table: RuleTable, who: str, cover: int, count: int, what: str) -> int:
    """The hits that cover stops: dice that do not explode, and count once (POOL-22)."""
    if not cover or not count:
        return 0
    table.label("cover", who, f"{count}d6", part=what)
    found = table.times(count, covers, cover)
    table.result(target=cover, successes=found)
    return found


def covers(table: RuleTable, cover: int) -> int:
    """One cover die."""
    return int(table.die(6) >= cover)


def resisted(table: RuleTable, setup: DefenceSetup, needs: int) -> Rolled[int]:
    """The successes of resisting a knock-out or being disarmed (POOL-31, POOL-33)."""
    assert setup.resist is not None
    found = roll_pool(table, "resist", setup.resist, rolls.counted, needs)
    table.result(difficulty=needs)
    return found


SPENT_FIRST = (
    (PROTECTION.index("critical"), "critical", True),
    *((at, kind, False) for at, kind in enumerate(PROTECTION)),
)
"""POOL-24: units in the order in which they are spent, and whether on critical hits or on normal ones."""


def protect(armour: Armour, normal: int, critical: int) -> tuple[int, int, DamageResult]:
    """POOL-24: the hits left, normal and critical, and what the units did that stopped the others.

    Critical units are spent on critical hits first, then all kinds on normal ones; POOL-25: the first ones spent
    stop nothing.
    """
    left, worked, spent, reflected = [*armour.units], [*NONE], 0, 0
    for at, kind, on_critical in SPENT_FIRST:
        while (critical if on_critical else normal) and left[at] and spent < armour.most:
            left[at] -= 1
            spent += 1
            if spent <= armour.piercing:
                continue
            worked[at] += 1
            if on_critical:
                critical -= 1
            elif kind == "demonic" and armour.demonic:
                normal = max(0, normal - 3)
            else:
                normal -= 1
                reflected += kind == "reflecting"
    used = tuple(had - has for had, has in zip(armour.units, left, strict=True))
    return normal, critical, DamageResult(0, True, normal + critical > 0, used, tuple(worked), reflected)


# What an attack comes to


class AttackResult(NamedTuple):
    """What an attack came to."""

    success: bool
    total: int
    """Of the hit roll, critical ones included."""
    criticals: int
    toll: DamageResult = DamageResult(0)
    landing: tuple[int, int] = (0, 0)
    """Hour and metres of a throw that missed (POOL-41)."""
    repaid: tuple[str, ...] = ()
    """What was spent on it after it failed (POOL-7)."""


def attack_result(
    rolled: Rolled[Any], faced: ReactionResult | None = None, outcome: AttackResult | None = None
) -> AttackResult:
    """The outcome; of an attack that was lost what was chosen and spent until then."""
    toll = DamageResult(0)
    if faced is not None:
        toll = toll._replace(reaction=faced.reaction, bought=faced.bought, spent=faced.spent)
    return outcome or AttackResult(False, 0, 0, toll, repaid=rolled.repaid)


def attack_choices(scene: Scene, intent: Intent, setup: Setup, outcome: AttackResult) -> Iterable[Charge]:
    """What the attacker spent on the roll (POOL-7); what the target's reaction took, an action kept or the die that
    bought one (POOL-14, POOL-15), and what it spent on its rolls."""
    toll, target = outcome.toll, intent.target
    yield rolls.luck_charge(intent.actor, outcome.repaid)
    if toll.reaction:
        yield Charge(target, () if toll.bought else (Cost("actions", rule="POOL-14"),), reaction=True)
    if toll.bought == DESTINY:
        yield theft(scene, intent.actor)
    if toll.bought:
        yield rolls.luck_charge(target, (toll.bought, *toll.spent), "POOL-15")
    else:
        yield rolls.luck_charge(target, toll.spent)


def attack_effects(changes: Changes, intent: Intent, setup: Setup, outcome: AttackResult) -> None:
    """What an attack changes: what was built up before it, the weapon, the target; of an object the first alone."""
    using: Attacking | None = setup.known
    if using is None:
        changes.clear_marks(intent.actor, "POOL-20", RECOIL, SUPPORTED)
        return
    use_weapon(changes, intent, using)
    toll = outcome.toll
    suffer(changes, intent.target, using.purpose, toll, using.weapon)
    if toll.worked[PROTECTION.index("sticky")] and using.mode == "melee" and using.name != "unarmed":
        changes.begin(intent.actor, "stuck", "POOL-24")
    if toll.reflected:
        # Hits that come back go through the attacker's own protection (a reading of POOL-24).
        attacker = changes.fighter(intent.actor)
        armour = shielded_by(changes.scene, Intent("attack"), attacker, using.weapon).armour
        normal, _, own = protect(armour, toll.reflected, 0)
        use_up(changes, intent.actor, own.used)
        harm = changes.number("POOL-24").add("reflected", normal * using.weapon["wounds"])
        rolls.wound(changes, intent.actor, harm, "POOL-24")


def use_weapon(changes: Changes, intent: Intent, using: Attacking) -> None:
    """POOL-18, POOL-19, POOL-35: recoil adds up, a support stays, the last weapon thrown leaves the hand."""
    fighter, name = changes.fighter(intent.actor), using.name
    kicks = fighter.marks.get(RECOIL, 0) + 1 if is_firearm(using.weapon, using.mode) else 0
    changes.mark(intent.actor, RECOIL, kicks, "POOL-19")
    if intent.get("supported"):
        changes.mark(intent.actor, SUPPORTED, 1, "POOL-35", key=name)
    if using.mode == "throw" and name in fighter.held and not fighter.pools.get(f"ammo:{name}", 0):
        changes.drop(intent.actor, name, "POOL-18")


STOPS = {"bleeding": "bleeding", "poison": "poisoned", "fire": "burning", "shock": "shocked"}
"""POOL-24: the conditions that units of these kinds keep off."""


def suffer(changes: Changes, who: str, purpose: str, toll: DamageResult, weapon: Weapon) -> None:
    """What the target suffers: protection spent, wounds, conditions; its own aim is lost (POOL-3, POOL-20, POOL-24,
    POOL-26, POOL-31, POOL-33)."""
    use_up(changes, who, toll.used)
    if toll.past and not toll.reaction:
        changes.mark(who, AIM, 0, "POOL-20")
    if purpose == WOUNDS:
        rolls.wound(changes, who, changes.number("POOL-26").from_dice("wounds", toll.harm))
        off = {STOPS.get(kind) for kind, count in zip(PROTECTION, toll.worked, strict=True) if count}
        said = weapon["inflicts"]
        for condition in said if toll.through else ():
            if condition not in off:
                level = int(said[condition]) if isinstance(said, Mapping) else 1
                rolls.inflict(changes, who, condition, level, "POOL-3")
    elif toll.harm and purpose == KNOCKOUT:
        rolls.inflict(changes, who, "unconscious", toll.harm, "POOL-31")
    elif toll.harm:
        for lost in weapons_held(changes.fighter(who))[:1]:
            changes.drop(who, lost, "POOL-33")


def use_up(changes: Changes, who: str, used: Units) -> None:
    """POOL-24: the pools get smaller by what is spent."""
    for kind, count in zip(PROTECTION, used, strict=True):
        if count:
            changes.adjust(who, f"protection:{kind}", -count, "POOL-24")


def attack_outputs(scene: Scene, intent: Intent, setup: Setup, outcome: AttackResult) -> Mapping[str, Any]:
    """The mode, the normal hits apart from critical ones (POOL-17), what was of no use, where a throw went."""
    said = manner(setup, outcome.total - outcome.criticals) if setup.known else {}
    return said | landed(setup.dice[2][-1], outcome.landing) if outcome.landing[0] else said


def manner(setup: Setup, normal: int) -> dict[str, Any]:
    """How an attack was made, how many of its hits are normal, and what was capped by which skill."""
    built_up = [one for one in setup.modifiers if one.rule in ("POOL-20", "POOL-30", "POOL-32")]
    over = [[one.name, one.source] for one in built_up if one.source.startswith(("perception", "strength"))]
    return {"mode": setup.known.mode, "normal": normal, **({"surplus": over} if over else {})}


def weapon_candidates(action: str) -> Callable[[Scene, str], Iterator[Intent]]:
    """Offers an attack on every foe with every weapon in hand, in every mode; a throw with those that are thrown."""

    def candidates(scene: Scene, who: str) -> Iterator[Intent]:
        fighter = scene.fighters[who]
        weapons = fighter.sheet["weapons"]
        bare = ("unarmed",) if action == "attack" else ()
        ways = [
            {"weapon": name, "mode": mode}
            for name in weapons_held(fighter) or bare
            for mode in (modes_of(weapons[name]) if name in weapons else ("melee",))
            if (mode == "throw") == (action == "throw")
        ]
        for foe in scene.foes(who):
            for way in ways if not foe.has("dead") else ():
                options = way if action == "attack" else {"weapon": way["weapon"]}
                yield Intent(action, who, (foe.name,), options)

    return candidates


COMMON = (
    *("weapon", "range", "cover", "behind", "mod_damage", "off-hand", "supported", "protection", "unaware"),
    *("react-weapon", AIM, ACCURATE, *rolls.SPENDING),
)
ATTACK = Action(
    "Attack with the weapon in hand",
    "POOL-16",
    effects=attack_effects,
    costs=ONE,
    gear="weapons",
    candidates=weapon_candidates("attack"),
    options=(*COMMON, "mode", "massive", "knockout", "disarm"),
    targets="one",
    words=("hit", "miss"),
    counts="hits",
    outputs=attack_outputs,
    reactions=DEFENCES,
    bare=lambda outcome: outcome._replace(total=0, criticals=0, landing=(0, 0)),
    phases=(
        Phase(attack_setup, hit_roll),
        Phase(defence_setup, react, by="target"),
        Phase(damage_setup, damage),
    ),
    result=attack_result,
    choices=attack_choices,
    keeps=(RECOIL, SUPPORTED),
    says={
        "": "{actor} attacks {target} with the {gear}",
        "unarmed": "{actor} goes for {target} with bare hands",
        "bare": "{actor} attacks {target}",
    },
)

# Throws


class Dial(NamedTuple):
    """The dial laid round the target: where its middle is, and which way its 12 points."""

    middle: tuple[float, float]
    east: float
    north: float


def dial_of(scene: Scene, intent: Intent) -> Dial:
    """12 points straight away from the thrower; without positions the target is 0, 0 and the thrower south of it."""
    here = scene.fighters[intent.actor].at
    there = intent.get("at") or (scene.fighters[intent.target].at if intent.target else None)
    middle = (0.0, 0.0) if there is None else (float(there[0]), float(there[1]))
    if here is None or there is None or tuple(here) == middle:
        return Dial(middle, 0.0, 1.0)
    east, north = middle[0] - here[0], middle[1] - here[1]
    long = (east**2 + north**2) ** 0.5
    return Dial(middle, east / long, north / long)


def deviation(table: RuleTable, who: str) -> tuple[int, int]:
    """POOL-41: the hour, a d12, and the metres, a d6; neither explodes (a reading)."""
    table.label("scatter", who, "d12 + d6")
    hour, metres = table.die(12), table.die(6)
    table.result(hour=hour, metres=metres)
    return hour, metres


def landed(dial: Dial, landing: tuple[int, int]) -> dict[str, Any]:
    """How far off it lands, and where, to the centimetre: the hour × 30° clockwise."""
    hour, metres = landing
    angle = hour * pi / 6
    ahead, aside = metres * cos(angle), metres * sin(angle)
    east = dial.middle[0] + ahead * dial.east + aside * dial.north
    north = dial.middle[1] + ahead * dial.north - aside * dial.east
    at = [round(part, 2) + 0.0 for part in (east, north)]
    return {"off": metres, "hour": hour, "at": [int(part) if part == int(part) else part for part in at]}


def throw_setup(scene: Scene, intent: Intent, before: tuple[Setup, ...]) -> Setup:
    """A throwing weapon as an attack (POOL-18), or an object (POOL-40): throwing dice, and no range limit.

    An object is thrown where one is named, or where there is no throwing weapon; `known` is None then.
    """
    fighter, item = scene.fighters[intent.actor], intent.get("item") or ""
    unnamed = not intent.get("weapon") and weapon_name(fighter, intent) == THING
    if not item and not unnamed:
        if not intent.target:
            refuse(intent, "a weapon is thrown at somebody", "POOL-18", "an object: --item NAME", final=True)
        return attack_setup(scene, intent, before)
    for option in (AIM, ACCURATE, "off_hand", "supported"):
        if intent.get(option):
            refuse(intent, f"--{option.replace('_', '-')} is for weapons", "POOL-40", final=True)
    setup = rolls.skill_roll(scene, intent, "throw", "throwing")
    counted = "uses" in fighter.sheet["items"].get(item, {})
    used = (Cost(f"uses:{item}", rule="POOL-40"),) if counted else ()
    return setup._replace(dice=(setup.dice,), costs=(*setup.costs, *used), gear=item)


THROW = ATTACK._replace(
    title="Throw a weapon or an object",
    rule_id="POOL-40",
    candidates=weapon_candidates("throw"),
    options=(*COMMON, "item", "at"),
    phases=(Phase(throw_setup, hit_roll), *ATTACK.phases[1:]),
    says={"": "{actor} throws the {gear} at {target}", "bare": "{actor} throws something at {target}"},
)

# The coup de grâce


class FinishResult(NamedTuple):
    """What a coup de grâce came to."""

    success: bool
    total: int
    criticals: int
    wounds: int
    repaid: tuple[str, ...] = ()


def is_helpless(fighter: Fighter) -> bool:
    """POOL-36: who can be given a coup de grâce."""
    return any(fighter.has(one) for one in ("unconscious", "asleep", "dying"))


def finish_setup(scene: Scene, intent: Intent) -> Setup:
    """POOL-36: the attack roll, at somebody unconscious, asleep or dying."""
    target = scene.fighters[intent.target]
    if not is_helpless(target):
        what = f"{target.name} is neither unconscious nor asleep nor dying"
        refuse(intent, what, "POOL-36", "attack instead: crisis attack")
    if target.has("dead"):
        refuse(intent, f"{target.name} is dead already", "POOL-37", final=True)
    using = attacking(scene, intent)
    setup, force = hit_setup(scene, intent, using), wounds_per_hit(intent, using)
    dice = (setup.dice, max(0, force.total))
    return setup._replace(dice=dice, modifiers=(*setup.modifiers, *force))


def finish(table: RuleTable, setup: tuple[PoolRoll, int]) -> FinishResult:
    """POOL-36: no reaction, cover or protection helps (a reading); each hit has so many wounds."""
    roll, each = setup
    hits, used = roll_pool(table, "attack", roll, scored)
    worst = hits.without(HIT)
    more = table.reveal(worst, worst.count, rolls.mega) if worst.count else 0
    return FinishResult(hits.count > 0, hits.count, worst.count, hits.count * each + more, used)


def finish_effects(changes: Changes, intent: Intent, setup: Setup, outcome: FinishResult) -> None:
    """POOL-36: dead, at the level of the successes; the dying are worse by the wounds; a miss wakes a sleeper."""
    use_weapon(changes, intent, setup.known)
    if not outcome.success:
        changes.end(intent.target, "asleep", "POOL-36")
    elif changes.fighter(intent.target).has("dying"):
        rolls.worsen(changes, intent.target, outcome.wounds, "POOL-36")
    else:
        changes.begin(intent.target, "dead", "POOL-36", outcome.total)


FINISH = Action(
    "Kill somebody helpless",
    "POOL-36",
    finish_setup,
    finish_effects,
    finish,
    costs=ONE,
    gear="weapons",
    candidates=lambda scene, who: (
        Intent("coup-de-grace", who, (foe.name,)) for foe in scene.foes(who) if is_helpless(foe)
    ),
    targets="one",
    words=("hit", "miss"),
    counts="hits",
    options=(*COMMON, "mode", "massive"),
    outputs=lambda scene, intent, setup, outcome: manner(setup, outcome.total - outcome.criticals),
    choices=rolls.luck_spent,
    keeps=(RECOIL, SUPPORTED),
    says={
        "": "{actor} means to finish {target} with the {gear}",
        "unarmed": "{actor} means to finish {target} with bare hands",
    },
)

# Hits that nobody rolled for


def hits_setup(scene: Scene, intent: Intent) -> Setup:
    """POOL-26: so many hits, each of so many wounds; cover and protection count as ever."""
    target = scene.fighters[intent.patient]
    if target.has("dead"):
        refuse(intent, f"{target.name} is dead already", "POOL-37", final=True)
    for option in ("hits", "each"):
        if not 1 <= intent.get(option, 1) <= 100:
            what = f"--{option} is a number from 1 to 100, not {intent.get(option)}"
            refuse(intent, what, "POOL-26", final=True)
    each = intent.get("each", 1)
    defence = shielded_by(scene, intent, target, UNARMED)._replace(each=each)
    lines = Modifiers("wounds per hit", "POOL-26").base("wounds per hit", each, source="--each")
    return Setup((defence, intent.get("hits", 1)), lines_of(lines))


def hits_rule(table: RuleTable, setup: tuple[DefenceSetup, int]) -> DamageResult:
    """The cover dice, and what is left."""
    defence, hits = setup
    return table.ask(endured, defence, defence.cover, hits, NO_DICE, 0)


TAKE_HITS = Action(
    "Be struck by hits that nobody rolled for",
    "POOL-26",
    hits_setup,
    lambda changes, intent, setup, toll: suffer(changes, intent.patient, WOUNDS, toll, UNARMED),
    hits_rule,
    window="any",
    targets="patient",
    candidates=lambda scene, who: (),
    options=("hits", "each", "cover", "protection"),
    says="{target} is struck",
)
