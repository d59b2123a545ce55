"""What the target of an attack can do, and what is left of the hits (POOL-14, POOL-22 to POOL-28)."""

from __future__ import annotations

from collections.abc import Mapping
from operator import sub
from typing import Any

from ...rules import (
    Alternative,
    Charge,
    Cost,
    Fighter,
    Graded,
    Intent,
    Interrupted,
    Modifiers,
    NamedTuple,
    Reactions,
    RuleTable,
    Scene,
    Setup,
    refuse,
    unable,
)
from .attacks import (
    DEFENCES,
    DISARM,
    KNOCKOUT,
    RAISED,
    RESISTED,
    STOLEN,
    SUPPORTED,
    WOUNDS,
    Attacking,
    actions_a_turn,
    is_off_hand,
    shield_of,
    weapons_held,
)
from .rolls import (
    BONUS,
    CRITICAL,
    DESTINY,
    HIT,
    POOLS,
    PRICES,
    WALKED,
    PoolRoll,
    Rolled,
    Scale,
    Weapon,
    count_of,
    counted,
    criticals,
    dice_of,
    forced_roll,
    luck_of,
    mega,
    minimum_of,
    roll_of,
    roll_pool,
    scored,
    without,
)
from .sheet import (
    CONDITIONS,
    PROTECTION,
    evasion_of,
    is_thrown_away,
    modes_of,
)
from .wounds import DEATH, hearts

# What the target can do


def interrupted_record(outcome: Interrupted) -> Mapping[str, Any]:
    """An attack or another action that was answered, as the record holds it."""
    lost = outcome.deed if outcome.lost else None
    toll = getattr(lost, "toll", DamageResult(0))
    return {
        "success": outcome.success,
        "total": outcome.total,
        "criticals": outcome.criticals,
        "deed": None if outcome.lost else outcome.deed,
        "tolls": tuple(one.toll._replace(spent=one.repaid) for one in outcome.others if one is not None),
        "lost": outcome.lost,
        "reaction": toll.reaction,
        "repaid": getattr(lost, "repaid", ()),
        "bought": toll.bought,
        "spent": toll.spent,
    }


REACTIONS = Reactions("actions", "POOL-14", rolls=("attack",), keeps=(SUPPORTED,), record=interrupted_record)
"""POOL-13, POOL-14: a kept action is a reaction, once to each action of others; one in a one-off (a reading)."""
Units = tuple[int, ...]
"""A number for each kind of protection."""
Dial = tuple[tuple[float, float], float, float]
"""The dial laid round the target of a throw: where its middle is, and how far east and north its 12 points."""
NONE: Units = (0,) * len(PROTECTION)


class DefenceSetup(NamedTuple):
    """What the dice of the target depend on; what it cannot do is None or 0."""

    who: str
    units: Units
    """Protection by kind (POOL-24)."""
    usable: int
    """How many of the units are used at most."""
    piercing: int
    demonic: bool
    """Whether the hits are of demonic origin."""
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
        rolls = {name: getattr(self, name) for name in ("dodge", "parry", "resist")}
        left = {name: roll and roll._replace(luck=without(roll.luck, used)) for name, roll in rolls.items()}
        return self._replace(**left)

    @property
    def after_reaction(self) -> DefenceSetup:
        """What still matters once the target has reacted."""
        return self._replace(cover=0, shield=0, dodge=None, parry=None, buys=())


def defence_setup(scene: Scene, intent: Intent, before: tuple[Setup, ...]) -> Setup:
    """What stands between the hits and the target, and as `carried` the scene that it holds for; nothing does against
    an object (POOL-40). Refused where `--react` names what the target cannot do."""
    using: Attacking | None = before[0].carried
    if using is None:
        return Setup(None)
    target, weapon = scene.fighters[intent.target], using.weapon
    who, name, force = target.name, using.name, wounds_per_hit(intent, using)
    pierces = Modifiers("piercing", "POOL-25").add(name, weapon["piercing"], source=f"weapons.{name}")
    setup = shielded_by(scene, intent, target, weapon)._replace(
        each=max(0, force.total), purpose=using.purpose, buys=buying(scene, intent)
    )
    shelter = Modifiers("cover", "POOL-22").shelter(scene, intent, who, f"{setup.cover}+")
    lines = [force, pierces, shelter]
    skills, cause = RESISTED.get(using.purpose, ((), ""))
    if forced := [forced_roll(scene, who, "resist", skill, cause) for skill in skills]:
        resist, more = max(forced, key=lambda pair: pair[0].dice)
        setup, lines = setup._replace(resist=resist), [*lines, *more]
    barred = {one: unable_to(scene, intent, target, using.mode, one, setup.buys) for one in DEFENCES}
    wanted = intent.get("react", "none")
    if wanted in barred and barred[wanted][0]:
        refuse(intent, *barred[wanted], "let it be: --react none", code="cannot_react")
    # In the target's own turn an action can still follow the walk.
    walked = int(bool(target.marks.get(WALKED)) and who not in scene.acting)
    if not barred["dodge"][0] or wanted == "dodge":
        dice = Modifiers("dodge dice", "POOL-27", who)
        dice.base("evasion", evasion_of(target), "POOL-2", "evasion")
        dice.add("shocked", -target.level("shocked"), "POOL-38", "condition")
        minimum = minimum_of(target, "dodge", "dodge", against=who).add("walking", walked, "POOL-12")
        setup = setup._replace(dodge=roll_of(scene, who, dice, Scale(minimum.total)))
        lines += (dice, minimum)
    if not barred["parry"][0]:
        with_, potential = parries_with(scene, intent, target) or ("", 0)
        dice = dice_of(target, "parry", "hand-to-hand", against=who)
        dice.add(with_, potential, "POOL-3", f"weapons.{with_}")
        minimum = minimum_of(target, "parry", "hand-to-hand", against=who).add("walking", walked, "POOL-12")
        minimum.add("off hand", int(is_off_hand(target, with_)), "POOL-34", with_)
        setup = setup._replace(parry=roll_of(scene, who, dice, Scale(minimum.total, CRITICAL)))
        lines += (dice, minimum)
    if not barred["shield"][0]:
        setup = setup._replace(shield=shield_of(target))
    return Setup(setup, Modifiers.lines_of(*lines), carried=scene)


COVERS = ("4+", "5+", "6+")
"""POOL-22: the levels of cover; none of them helps against a foe who has come within 1 m (a reading)."""


def shielded_by(scene: Scene, intent: Intent, target: Fighter, weapon: Weapon) -> DefenceSetup:
    """What meets hits whatever the target does: cover (POOL-22), and protection, no more than is left (POOL-24)."""
    units = tuple(target.pools.get(f"protection:{kind}", 0) for kind in PROTECTION)
    usable = count_of(intent, "protection", "POOL-24", sum(units), 0, sum(units))
    found = scene.cover(target.name, intent.actor, 1, dict.fromkeys(COVERS, "none"))
    given = intent.get("cover") or found.level
    covers = [int(given[0])] if given != "none" else []
    if target.has("hunkered"):
        covers.append(6)
    if target.has("blocking") and scene.round >= target.marks.get(RAISED, 0) and shield_of(target):
        covers.append(shield_of(target))
    wounds_left, cover = hearts(target) if hearts(target) > 0 else DEATH, min(covers, default=0)
    return DefenceSetup(
        target.name, units, usable, weapon["piercing"], weapon["demonic"], 1, wounds_left, cover
    )


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
    asks = scene.asks(intent.target) and intent.get("react") in (None, "ask")
    if not asks or REACTIONS.left(scene, target) > 0:
        return ()
    luck = dict(luck_of(target))
    now = attacker.name in scene.acting
    can_steal = attacker.pools["actions"] > 0 if now else not all_stolen(attacker)
    ways = (BONUS, DESTINY) if can_steal and attacker.side != target.side else (BONUS,)
    return tuple(way for way in ways if luck.get(POOLS[way]))


def all_stolen(fighter: Fighter) -> bool:
    """POOL-15: whether no action of the next refresh is left to be stolen."""
    return fighter.marks.get(STOLEN, 0) >= actions_a_turn(fighter)


def theft(scene: Scene, victim: str) -> Charge:
    """POOL-15: an action of an opponent's goes, in its own turn of what it has, else of its next refresh."""
    if victim in scene.acting:
        return Charge(victim, (Cost("actions", rule="POOL-15"),))
    return Charge(victim, mark=STOLEN, rule="POOL-15")


def unable_to(
    scene: Scene, intent: Intent, target: Fighter, mode: str, reaction: str, buys: tuple[str, ...]
) -> tuple[str, str]:
    """Why the target cannot react so, and the rule; two empty words where it can."""
    who, (idle, idle_rule) = target.name, unable(CONDITIONS, target)
    dodges, parries, shields = (reaction == one for one in DEFENCES)
    reasons = (
        (who in intent.get("unaware", ()), f"{who} does not perceive the attack", "POOL-14"),
        (idle, f"{who} is {idle}", idle_rule),
        (REACTIONS.left(scene, target) < 1 and not buys, f"{who} has no action left", "POOL-14"),
        (shields and not shield_of(target), f"{who} holds no shield", "POOL-23"),
        (not shields and mode != "melee", f"only a blow can be answered with {reaction}", "POOL-18"),
        (parries and target.has("stuck"), f"the weapon of {who} is stuck", "POOL-24"),
        (dodges and intent.get("behind"), f"{who} cannot dodge what comes from behind", "POOL-27"),
        (parries and not parries_with(scene, intent, target), f"{who} has no melee weapon ready", "POOL-28"),
    )
    return next(((why, rule) for holds, why, rule in reasons if holds), ("", ""))


def parries_with(scene: Scene, intent: Intent, target: Fighter) -> tuple[str, int] | None:
    """POOL-28: the melee weapon in hand (one-off: or not), else what the GM allows; with its dice."""
    weapons, held = target.sheet["weapons"], weapons_held(target)
    at_hand = [one for one in (held if scene.open else weapons) if not is_thrown_away(target, one)]
    ready = [one for one in at_hand if "melee" in modes_of(weapons[one])]
    named = intent.get("react_weapon")
    if named and named not in ready:
        return None if named in weapons else (named, 0)
    name = named or next((one for one in held if one in ready), "")
    return (name, weapons[name]["damage_potential"]) if name else None


# What the target does


class ReactionResult(NamedTuple):
    """What the target's reaction leaves of the hits, of which it stops the worst (a reading)."""

    normal: int
    critical: int
    cover: int
    """The cover against them, 0 for none (POOL-22)."""
    spent: tuple[str, ...] = ()
    """What went into its roll (POOL-7)."""
    reaction: str = ""
    bought: str = ""
    """The die that bought the action for it (POOL-15)."""


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

    @property
    def worn(self) -> int:
        """How many units of protection are used up (POOL-24)."""
        return sum(self.used)


def react(table: RuleTable, setup: DefenceSetup | None, rolled: Rolled[Graded]) -> ReactionResult | None:
    """POOL-14: the reaction that the target chooses by what is announced of the hits; None where there are none, and of
    an object."""
    hits = rolled.found
    if not setup or not hits.count:
        return None
    able = [name for name in DEFENCES if getattr(setup, name)]
    ways = {f"{name}-{die}" if die else name: (name, die) for name in able for die in setup.buys or ("",)}
    wears, counts = "protection", "wounds" if setup.purpose == WOUNDS else "harm"
    options = [Alternative("none", priced, (setup, hits, "none"), wears=wears, counts=counts)]
    for option, (name, die) in ways.items():
        args, pays = (setup.after((die,) if die else ()), hits, name), PRICES.get(die, "action")
        options.append(
            Alternative(option, priced, args, 1, deliberate=bool(die), pays=pays, wears=wears, counts=counts)
        )
    taken = table.choose(setup.who, tuple(options))
    setup, hits, way = taken.args
    name, die = ways.get(taken.name, ("", ""))
    faced: ReactionResult = table.ask(WAYS[way], setup, hits)
    return faced._replace(reaction=name, bought=die)


def priced(table: RuleTable, setup: DefenceSetup, hits: Graded, way: str) -> DamageResult:
    """What hits come to if the target reacts in this way."""
    return table.ask(inflicted, setup.after_reaction, hits.without(HIT), table.ask(WAYS[way], setup, hits))


def borne(table: RuleTable, setup: DefenceSetup, hits: Graded) -> ReactionResult:
    """Nothing is done about it."""
    return ReactionResult(hits.of(HIT), criticals(hits), setup.cover)


def dodged(table: RuleTable, setup: DefenceSetup, hits: Graded) -> ReactionResult:
    """POOL-27: evasion, harder by every hit; one success and none of them counts."""
    assert setup.dodge is not None
    scale = Scale(setup.dodge.scale.minimum + hits.count)
    found, used = table.ask(roll_pool, "dodge", setup.dodge._replace(scale=scale), counted)
    faced = ReactionResult(0, 0, 0) if found else borne(table, setup, hits)
    return faced._replace(spent=used)


def parried(table: RuleTable, setup: DefenceSetup, hits: Graded) -> ReactionResult:
    """POOL-28: each success stops a hit; critical ones stop critical hits first, and nothing else does."""
    assert setup.parry is not None
    parry, used = table.ask(roll_pool, "parry", setup.parry, scored)
    worst = min(criticals(parry), criticals(hits))
    others = min(hits.of(HIT), parry.count - worst)
    table.result(stopped=worst + others, left=hits.count - worst - others)
    normal = table.plus(hits.of(HIT), "parry", -others, "POOL-28")
    left = table.plus(criticals(hits), "parry", -worst, "POOL-28")
    return ReactionResult(normal, left, setup.cover, spent=used)


def shielded(table: RuleTable, setup: DefenceSetup, hits: Graded) -> ReactionResult:
    """POOL-23: the shield is cover against this one attack; of several the best counts (POOL-22)."""
    return borne(table, setup, hits)._replace(cover=min(setup.shield, setup.cover or setup.shield))


WAYS = {"none": borne, "dodge": dodged, "parry": parried, "shield": shielded}
"""What can be done about hits, by the name of the reaction."""


def inflicted(table: RuleTable, setup: DefenceSetup, critical: Graded, faced: ReactionResult) -> DamageResult:
    """POOL-37: what hits come to, as `endured`, where wounds beyond the last make no difference."""
    toll: DamageResult = table.ask(endured, setup._replace(most=0), critical, faced)
    if setup.purpose == WOUNDS and toll.harm > setup.most:
        toll = toll._replace(harm=table.plus(toll.harm, "limit", setup.most - toll.harm, "POOL-37"))
    return toll


def endured(table: RuleTable, setup: DefenceSetup, critical: Graded, faced: ReactionResult) -> DamageResult:
    """POOL-22: a cover die for each critical hit that is left, then for each normal one; then protection and wounds.

    `critical` are all critical hits of the roll. Wounds are not limited yet.
    """
    count, setup = faced.normal + faced.critical, setup.after(faced.spent)
    left = covered(table, setup.who, faced.cover, faced.critical, "critical hits")
    normal = covered(table, setup.who, faced.cover, faced.normal, "normal hits")
    hits = normal + left
    if faced.cover and count:
        table.result(stopped=count - hits, left=int(hits))
    if not hits:
        return DamageResult(0, spent=faced.spent)
    if setup.purpose == DISARM:
        found, used = resisted(table, setup, hits)
        return DamageResult(int(found < hits), True, spent=faced.spent + used)
    normal, left, toll = protect(setup, normal, left)
    count, pierced = normal + left, sum(toll.used) - sum(toll.worked)
    harm = table.plus(hits, "protection", count - hits - pierced, "POOL-24")
    harm = table.plus(harm, "piercing", pierced, "POOL-25")
    if setup.purpose == KNOCKOUT:
        found, used = resisted(table, setup, count) if toll.through else (0, ())
        harm = table.plus(harm, "resisted", -min(found, count), "POOL-31")
        return toll._replace(harm=harm, spent=faced.spent + used)
    harm = table.plus(harm, "wounds per hit", count * (setup.each - 1), "POOL-26")
    harm = table.plus(harm, "mega-critical", table.reveal(critical, left, mega) if left else 0, "POOL-17")
    return toll._replace(harm=harm, spent=faced.spent)


def covered(table: RuleTable, who: str, cover: int, count: int, what: str) -> int:
    """The hits that cover leaves: its dice do not explode, and count once (POOL-22)."""
    if not cover or not count:
        return count
    table.label("cover", who, f"{count}d6", part=what)
    found = table.times(count, covers, cover)
    table.result(target=cover, successes=found)
    return table.plus(count, "cover", -found, "POOL-22")


def covers(table: RuleTable, cover: int) -> int:
    """One cover die."""
    return int(table.die(6) >= cover)


def resisted(table: RuleTable, setup: DefenceSetup, needs: int) -> Rolled[int]:
    """The successes of resisting a knock-out or being disarmed (POOL-31, POOL-33)."""
    assert setup.resist is not None
    found = roll_pool(table, "resist", setup.resist, counted, needs)
    table.result(difficulty=needs)
    return found


SPENT_FIRST = (
    (PROTECTION.index("critical"), "critical", True),
    *((at, kind, False) for at, kind in enumerate(PROTECTION)),
)
"""POOL-24: units in the order in which they are spent, and whether on critical hits or on normal ones."""


def protect(setup: DefenceSetup, normal: int, critical: int) -> tuple[int, int, DamageResult]:
    """POOL-24: the hits left, normal and critical, and what the units did; POOL-25: the first ones stop nothing."""
    left, worked, spent, reflected = [*setup.units], [*NONE], 0, 0
    for at, kind, on_critical in SPENT_FIRST:
        while (critical if on_critical else normal) and left[at] and spent < setup.usable:
            left[at] -= 1
            spent += 1
            if spent <= setup.piercing:
                continue
            worked[at] += 1
            if on_critical:
                critical -= 1
            elif kind == "demonic" and setup.demonic:
                normal = max(0, normal - 3)
            else:
                normal -= 1
                reflected += kind == "reflecting"
    used = tuple(map(sub, setup.units, left))
    return normal, critical, DamageResult(0, True, normal + critical > 0, used, tuple(worked), reflected)
