"""Attacks, throws and damage; what turns begin and end with: dying, bleeding, persistent damage (2D20-11 to 2D20-25,
2D20-28)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from ...rules import (
    ATTACK_SAYS,
    READIED,
    Action,
    Alternative,
    Changes,
    Cost,
    Fighter,
    Intent,
    Modifiers,
    NamedTuple,
    RuleTable,
    Scene,
    Setup,
    attack_candidates,
    in_hand,
    lines_of,
    refuse,
    slug,
    unable,
)
from . import actions, sheet
from .actions import CheckResult, CheckSetup, check
from .options import PLACES
from .sheet import AIM, ATTACKED, BANDS, BROKEN, BURNING, CLOSE, GUNS, REACH, THROWN, Weapon, zones_between

OBJECT: Weapon = {"type": "throwing", "damage": 1, "damage_type": "physical", "effects": []}
"""2D20-28: anything at hand, thrown (a reading)."""
BARE = {"unarmed": sheet.UNARMED, "object": OBJECT}
"""What needs no weapon in hand."""
AP_DICE = 3
"""2D20-19: AP that can be turned into damage dice."""
LUCKY = 3
"""2D20-8: combat dice that a Luck point re-rolls."""
WHERE = (2, 8, 11, 14, 17, 20)
"""2D20-17: the highest face of the d20 for each location, in the order of PLACES."""


NUMBERS = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
"""Answers to how many rounds or AP to spend on a hit."""
Sum = tuple[tuple[str, int], ...]
"""What adds up to damage, by name: `("damage", 6), ("armour", -2)`."""
RULES = {
    **dict.fromkeys(("cover", "resistance", "radiation resistance"), "2D20-20"),
    **dict.fromkeys(("breaking", "piercing", "half by spread", "radioactive"), "2D20-24"),
    "highest HP": "2D20-21",
}
"""The rule of each part of damage but the dice themselves."""


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
    sums: tuple[tuple[str, Sum], ...] = ()
    """What each pool loses; empty where only the state is asked for, and in what is recorded."""


class TargetSetup(NamedTuple):
    """What the dice of a hit must know about its target."""

    name: str
    unhurt: DamageResult
    resist: tuple[int, ...]
    """By location, against the damage of this attack, without what is broken."""
    radiation: tuple[int, ...]
    """By location, the resistance to radiation."""
    cover: int = 0
    """Cover dice."""
    prone: bool = False
    """Cover dice that show nothing are rolled again (2D20-12)."""
    against: str = ""
    """Its name where there are several: the record says which one each roll is against."""


class Damage(NamedTuple):
    """The damage of a hit before the dice, on any target."""

    who: str
    dice: int
    plus: int = 0
    kind: str = "physical"
    effects: tuple[tuple[str, int], ...] = ()
    """By effect: 1, or the number of piercing."""
    hp_only: bool = False
    """For odds, which ask only for HP and its maximum."""

    def has(self, effect: str) -> int:
        """The number of an effect; 0 where the weapon does not have it."""
        return dict(self.effects).get(effect, 0)


class HitsSetup(NamedTuple):
    """What the dice of the hits of an attack depend on."""

    damage: Damage
    targets: tuple[TargetSetup | None, ...]
    """The first target, then the others; None for one whose dice are left out, for odds."""
    called: int = -1
    """The location that is called for, by its place in PLACES."""
    extra: int = 0
    """Rounds fired beside the first, each a die of the hit."""
    left: int = 0
    """Rounds left for further targets of a burst."""
    more: int = 0
    """Dice that can be bought after a hit, each for one of what it `pays`."""
    pays: str = ""
    """What pays them: AP, or rounds with how many are left."""
    near: tuple[TargetSetup, ...] = ()
    """Further targets of a burst that can be chosen."""


AttackSetup = tuple[CheckSetup, HitsSetup]
"""What the dice of an attack depend on."""


class AttackResult(NamedTuple):
    """What an attack came to."""

    success: bool
    total: int
    complications: int
    luck: int
    spent: int
    """AP spent on damage dice."""
    rounds: int
    tolls: tuple[DamageResult | None, ...]
    """The targets afterwards, in their order, then those `chosen`."""
    bought: int = 0
    """Rounds among them that the player put into the hit when asked."""
    chosen: tuple[str, ...] = ()
    """Further targets of a burst that the player chose when asked."""
    sums: tuple[tuple[tuple[str, Sum], ...], ...] = ()
    """What the pools of each target lose."""


def weapon_of(scene: Scene, intent: Intent) -> tuple[str, Weapon]:
    """The weapon of an attack or what is thrown, by name and sheet entry: as asked for, else in hand, else any."""
    fighter, throws = scene.fighters[intent.actor], intent.action == "throw"
    weapons: Mapping[str, Weapon] = fighter.sheet["weapons"]
    able = [one for one in fighter.held if one in weapons]
    if throws:
        able = [one for one in (*able, *weapons) if weapons[one]["type"] in THROWN]
    name = intent.get("weapon") or (able[0] if able else "object" if throws else "unarmed")
    if throws and name == "unarmed":
        refuse(intent, "bare hands cannot be thrown", "2D20-28", final=True, code="wrong_item")
    if name in BARE:
        return name, BARE[name]
    weapon = weapons[name]
    if throws and weapon["type"] not in THROWN:
        # A blade thrown is as sharp as ever; a gun is an object like any other.
        return name, {**weapon, "type": "throwing"} if weapon["type"] in CLOSE else {**OBJECT, "ammo": None}
    return name, weapon


def rounds_left(scene: Scene, intent: Intent, name: str, weapon: Weapon) -> int:
    """2D20-21: the rounds left in the actor's weapon; 99 where it counts none."""
    return scene.fighters[intent.actor].pools.get(f"ammo:{name}", 99) if weapon.get("ammo") else 99


def targets_of(scene: Scene, intent: Intent, name: str, weapon: Weapon) -> list[Fighter]:
    """Everyone that the attack may hit: those named, in that order, and with a blast all others in the zone."""
    named, blast = [scene.fighters[one] for one in intent.targets], "blast" in weapon["effects"]
    # A burst reaches others close to the first, a blast a zone; close is one zone (2D20-15).
    spot = intent.get("at") or (named[0].at if named else None)
    for one in named:
        if one.has("dead"):
            refuse(intent, f"{one.name} is dead already", "2D20-23", code="already_dead")
        if spot is not None and one.at is not None and sheet.zones(spot, one.at):
            what, rule = f"{one.name} is not in the zone that is struck", "2D20-28" if blast else "2D20-24"
            refuse(intent, what, rule, "name those who are there", code="out_of_reach")
    if not blast and intent.get("at") is not None:
        what, hint = f"the {name} needs a target, not a place", "a blast is aimed at a place"
        refuse(intent, what, "2D20-28", hint, final=True, code="wrong_target")
    if not blast and len(named) > 1 and "burst" not in weapon["effects"]:
        what, hint = f"the {name} strikes one target, not {len(named)}", "burst and blast reach more"
        refuse(intent, what, "2D20-24", hint, final=True, code="wrong_targets")
    if not blast or spot is None:
        return named
    return named + [
        one
        for one in scene.fighters.values()
        if one not in named and one.at is not None and not sheet.zones(spot, one.at)
        if not one.gone and not one.has("dead") and one.cover.get(intent.actor) != "total"
    ]


def attack_distance(scene: Scene, intent: Intent) -> int | None:
    """The zones to what is attacked: as the command says, else between the positions (ALL-4)."""
    if intent.get("range") is not None:
        return int(intent.get("range"))
    here, there = scene.fighters[intent.actor].at, intent.get("at") or scene.fighters[intent.target].at
    return None if here is None or there is None else sheet.zones(here, there)


def in_reach(scene: Scene, intent: Intent) -> list[str]:
    """2D20-15: the enemies in the attacker's reach, by earlier attacks or as the command says (a reading)."""
    who = intent.actor
    known = [name for name in scene.fighters[who].marks_of(REACH) if name in scene.fighters]
    near = {*intent.get("reach", ()), *(name for name in known if not zones_between(scene, who, name))}
    return [foe.name for foe in scene.foes(who) if foe.name in near and not unable(sheet.CONDITIONS, foe)[0]]


def attack_difficulty(scene: Scene, intent: Intent, name: str, weapon: Weapon) -> Modifiers:
    """2D20-12, 2D20-13, 2D20-15, 2D20-28: the difficulty of an attack but for what lies with the attacker."""
    hard = Modifiers("difficulty", "2D20-13")
    distance, close = attack_distance(scene, intent), weapon["type"] in CLOSE
    blast = "blast" in weapon["effects"]
    target = scene.fighters[intent.target] if intent.target and intent.get("at") is None else None
    if close and distance:
        away = f"{intent.target} is {distance} zone{'s' * (distance > 1)} away"
        hint = f"go there: crisis act {slug(intent.actor)} move --to X,Y"
        refuse(intent, f"{away}; hand to hand takes the same zone", "2D20-15", hint, code="out_of_reach")
    if blast:
        hard.add("a whole zone", 2, "2D20-28", f"weapons.{name}")
    elif target is not None:
        hard.base("defense", sheet.derived(target.sheet)["defense"], source="sheet")
        hard.add("defending", target.marks.get(sheet.DEFENDING, 0), "2D20-11", target.name)
    if intent.get("location"):
        hard.add(intent.get("location"), 1, source="--location")
    ideal = BANDS.index(weapon.get("range", "close"))
    band = 0 if close else ideal if distance is None else min(distance, len(BANDS) - 1)
    if not close:
        hard.add(f"{BANDS[band]} range", abs(band - ideal), "2D20-15", f"best at {BANDS[ideal]}")
        for near in in_reach(scene, intent)[:1]:
            source = "--reach" if intent.get("reach") else "hand to hand"
            hard.add(f"{near} in reach", 2, "2D20-15", source)
    if target is not None and not blast and target.has("prone"):
        foe = target.side != scene.fighters[intent.actor].side
        hard.add("prone", (1 if band else -1) * foe, "2D20-12", target.name)
    return hard


def attack_setup(scene: Scene, intent: Intent) -> Setup:
    """2D20-13 to 2D20-20, 2D20-28: an attack or a throw. Dice are the test and the hits; known are the weapon, and
    whether it leaves the hand."""
    name, weapon = weapon_of(scene, intent)
    if name not in BARE:
        in_hand(scene, intent, name, "2D20-11")
    fighter, kind = scene.fighters[intent.actor], weapon["type"]
    struck = targets_of(scene, intent, name, weapon)
    hard = actions.bought(scene, intent, attack_difficulty(scene, intent, name, weapon))
    skill, wanted = sheet.TESTED[kind], intent.get("ap_dice", 0)
    tested = actions.check_setup(scene, intent, "attack", skill, hard, wanted)
    refuse_options(scene, intent, name, weapon)
    aims, extra, place = intent.get("aim", 0), intent.get("extra_rounds", 0), intent.get("location")
    aimed = Modifiers("attack", "2D20-11")
    again = 1 if aims or (fighter.marks.get(AIM) and not fighter.marks.get(ATTACKED)) else 0
    if again:
        aimed.base("aim: one d20 again", 0, source="aim")
    plus = Modifiers("damage", "2D20-19").situational(fighter, "damage").asked(intent, "mod_damage")
    bonus = sheet.derived(fighter.sheet)["melee_bonus"] if kind in CLOSE else 0
    parts = (word.partition(" ") for word in weapon["effects"])
    effects = tuple((effect, int(number or 1)) for effect, _, number in parts)
    dice = weapon["damage"] + bonus + extra
    damage = Damage(intent.actor, dice, plus.total, weapon["damage_type"], effects)
    targets = tuple(target_setup(scene, intent, one, damage.kind, len(struck) > 1) for one in struck)
    left = max(0, rounds_left(scene, intent, name, weapon) - 1 - extra)
    hits = HitsSetup(damage, targets, PLACES.index(place) if place else -1, extra, left)
    hits = asked_after_hit(scene, intent, weapon, hits)
    test = tested.dice._replace(again=again, against=targets[0].against if targets else "")
    aiming = (Cost("minor", aims, rule="2D20-11"),) if aims else ()
    loaded = (Cost(f"ammo:{name}", rule="2D20-21"),) if weapon.get("ammo") else ()
    thrown = intent.action == "throw" or kind in THROWN
    leaves = thrown and name in fighter.held and fighter.pools.get(f"ammo:{name}", 1) <= 1
    lines = (*tested.modifiers, *lines_of(aimed, plus))
    costs = (*aiming, *loaded, *tested.costs)
    return Setup((test, hits), lines, costs, name, one_target_each(test, hits), (weapon, leaves))


def asked_after_hit(scene: Scene, intent: Intent, weapon: Weapon, hits: HitsSetup) -> HitsSetup:
    """2D20-16, 2D20-19, 2D20-24: the hits with what is chosen after a hit, where the command does not say it."""
    guns = weapon["type"] in GUNS
    given = intent.get("extra_rounds" if guns else "ap_dice") is not None
    if given or not scene.open or not hits.targets:
        return hits
    most = min(weapon.get("fire_rate", 0), hits.left) if guns else AP_DICE
    rounds = f"of {hits.left} rounds" if weapon.get("ammo") else "rounds"
    hits = hits._replace(more=most, pays=rounds if guns else "AP")
    if "burst" in weapon["effects"] and len(hits.targets) == 1 and hits.left:
        near = near_foes(scene, intent)
        hits = hits._replace(
            near=tuple(target_setup(scene, intent, one, hits.damage.kind, True) for one in near)
        )
    return hits


def refuse_options(scene: Scene, intent: Intent, name: str, weapon: Weapon) -> None:
    """Refuse what the options ask of a weapon that cannot do it (2D20-11, 2D20-19, 2D20-21, 2D20-28)."""
    kind, rate, left = weapon["type"], weapon.get("fire_rate", 0), rounds_left(scene, intent, name, weapon)
    extra, dice = intent.get("extra_rounds", 0), intent.get("ap_dice", 0)
    if intent.get("aim"):
        actions.first_attack(scene, intent)
    if extra and kind not in GUNS:
        what, hint = f"the {name} fires no extra rounds", "leave --extra-rounds out"
        refuse(intent, what, "2D20-19", hint, final=True, code="unheeded_option")
    if extra > rate:
        what, hint = f"the {name} fires 0 to {rate} extra rounds, not {extra}", f"--extra-rounds {rate}"
        refuse(intent, what, "2D20-19", hint, code="bad_value")
    if dice and kind in GUNS:
        what = "AP buy damage dice hand to hand and for what is thrown"
        refuse(intent, what, "2D20-19", "guns: --extra-rounds N", code="unheeded_option")
    if dice > AP_DICE:
        what = f"0 to {AP_DICE} AP can be spent on damage dice, not {dice}"
        refuse(intent, what, "2D20-19", f"--ap-dice {AP_DICE}", final=True, code="bad_value")
    if intent.get("location") and "blast" in weapon["effects"]:
        hint = "leave --location out"
        refuse(intent, "a blast cannot be called", "2D20-28", hint, final=True, code="unheeded_option")
    if 1 + extra > left > 0:
        what = f"the {name} of {intent.actor} has {left} rounds left; so many extra rounds take {1 + extra}"
        about = {"pool": f"ammo:{name}", "has": left, "needs": 1 + extra}
        refuse(intent, what, "2D20-21", f"--extra-rounds {left - 1}", code="cannot_pay", **about)


def target_setup(scene: Scene, intent: Intent, target: Fighter, kind: str, several: bool) -> TargetSetup:
    """A fighter as a target, one of several or alone, of damage of one type; Refused behind total cover (2D20-20)."""
    cover = intent.get("cover") or scene.cover(target.name, intent.actor, 0, {"total": "none"})
    if cover == "total":
        what = f"{target.name} is in total cover"
        refuse(intent, what, "2D20-20", "get round it, or wait", code="total_cover")
    dice = sheet.cover_dice_of("heavy" if cover == "total" else cover)
    resist = tuple(sheet.resist_left(target, kind, place) for place in PLACES)
    radiation = tuple(sheet.resistance(target.sheet, place, "radiation") for place in PLACES)
    unhurt, against = DamageResult(target.pools["hp"], target.pools["max_hp"]), target.name if several else ""
    return TargetSetup(target.name, unhurt, resist, radiation, dice, target.has("prone"), against)


def one_target_each(test: CheckSetup, hits: HitsSetup) -> tuple[tuple[str, AttackSetup], ...]:
    """For odds: the attack without any target's dice, and for each target the attack on that one alone."""
    nobody: tuple[TargetSetup | None, ...] = (None,) * len(hits.targets)
    hits = hits._replace(more=0, near=())
    found = [("", (test, hits._replace(targets=nobody)))]
    hits = hits._replace(damage=hits.damage._replace(hp_only=True))
    for at, target in enumerate(hits.targets):
        if target:
            alone = (*nobody[:at], target, *nobody[at + 1 :])
            found.append((target.name, (test, hits._replace(targets=alone))))
    return tuple(found)


# The dice


def attack(table: RuleTable, setup: AttackSetup) -> AttackResult:
    """2D20-16: the test and every hit; a miss costs one round, and what adds dice is chosen after a hit (readings)."""
    test, hits = setup
    several = sum(map(bool, hits.targets))
    if several > 1:
        what = f"what one attack does to {several} targets together takes too many branches"
        table.refuse_odds(what, "ask about each of them")
    tested = table.ask(check, test)
    total, odd = (0, 0) if hits.damage.hp_only else (tested.total, tested.complications)
    if not tested.success:
        unhurt = tuple(one and one.unhurt for one in hits.targets)
        return AttackResult(False, total, odd, tested.luck, 0, 1, unhurt)
    spent, extra = actions.ap_spent(test, tested.total), 0
    luck, asks = (max(0, points - tested.luck) for points in (test.luck, test.asks))
    if hits.more:
        have = (
            actions.ap_spent(test._replace(wanted=AP_DICE), tested.total) if hits.pays == "AP" else hits.left
        )
        more = more_dice(table, hits, hits.damage.dice + spent, min(hits.more, have))
        spent, extra = (more, 0) if hits.pays == "AP" else (spent, more)
        hits = hits._replace(extra=hits.extra + extra, left=hits.left - extra)
    dice = hits.damage.dice + spent + extra
    used, rounds, chosen, states = table.ask(roll_hits, hits, dice, luck, asks)
    tolls = tuple(one and one._replace(sums=()) for one in states)
    sums = tuple(one.sums if one else () for one in states)
    return AttackResult(True, total, odd, tested.luck + used, spent, rounds, tolls, extra, chosen, sums)


def more_dice(table: RuleTable, hits: HitsSetup, dice: int, most: int) -> int:
    """2D20-16, 2D20-19: how many more dice are bought for the hit, chosen by what so many would do."""
    first = hits.targets[0]
    if not first or not first.unhurt.hp:
        return 0
    alone = hits._replace(damage=hits.damage._replace(hp_only=True), targets=(first,), near=(), more=0)
    bought = "AP for damage" if hits.pays == "AP" else "extra rounds"
    asks = f"How many {bought}? Each adds a combat die to the {dice} of the hit."
    options = tuple(
        brings_down(
            NUMBERS[more], first, hp_after_hit, (alone, dice + more), more, hits.pays, asks * (not more)
        )
        for more in range(most + 1)
    )
    return table.choose(hits.damage.who, options).cost


def brings_down(
    name: str,
    target: TargetSetup,
    rule: Callable[..., int],
    args: tuple[object, ...],
    cost: int,
    pays: str,
    asks: str = "",
) -> Alternative:
    """A way to bring a target down: `rule` gives the HP that are left."""
    spends, gains = pays if cost else "", f"bring {target.name} down"
    return Alternative(name, rule, args, cost, spends, gains, leaves="HP left", asks=asks)


def hp_after_hit(table: RuleTable, hits: HitsSetup, dice: int) -> int:
    """The HP that hits with so many dice leave their first target."""
    first = table.ask(roll_hits, hits, dice, 0, 0)[3][0]
    return first.hp if first else 0


def roll_hits(
    table: RuleTable, hits: HitsSetup, dice: int, luck: int, asks: int
) -> tuple[int, int, tuple[str, ...], tuple[DamageResult | None, ...]]:
    """2D20-17 to 2D20-24, 2D20-28: the location of the first hit, the damage, cover; then further hits as named. Gives
    the Luck used, the rounds fired, the further targets chosen, and all targets."""
    damage, targets, at = hits.damage, hits.targets, hits.called
    first = targets[0] if targets else None
    if first and at < 0:
        at = table.ask(hit_location, first.name, first.against)
    bursts = damage.has("burst") and len(targets) > 1
    if not any(targets) and not luck and not bursts:
        # Nobody asks what the dice would show.
        return 0, 1 + hits.extra, (), tuple(one and one.unhurt for one in targets)
    rolled, effects, used = table.ask(combat_dice, damage, dice, luck, asks, first.against if first else "")
    others = min(effects, len(targets) - 1, hits.left) if bursts else 0
    # Further hits of a burst bring no hits of their own (a reading).
    chained = ("burst", "spread", "persistent")
    further = damage._replace(effects=tuple(one for one in damage.effects if one[0] not in chained))
    blast = damage.has("blast")
    states = [one and one.unhurt for one in targets]
    for number, target in enumerate(targets[: None if blast else 1 + others]):
        state = states[number]
        if target and state:
            where, each = (-1, damage if blast else further) if number else (at, damage)
            state = table.ask(hit, state, target, each, rolled, effects, where)
            if not number and effects and damage.has("spread"):
                state = table.chain(effects, hit, state, target, damage, rolled // 2, 0, -1, "half by spread")
            states[number] = state
    chosen = further_targets(table, hits, further, rolled, effects) if hits.near else ()
    states += [table.ask(hit, one.unhurt, one, further, rolled, effects, -1) for one in chosen]
    if damage.hp_only:
        states = [one and DamageResult(one.hp, one.highest) for one in states]
    rounds = 1 + hits.extra + others + len(chosen)
    return used, rounds, tuple(one.name for one in chosen), tuple(states)


def further_targets(
    table: RuleTable, hits: HitsSetup, damage: Damage, rolled: int, effects: int
) -> tuple[TargetSetup, ...]:
    """2D20-24: the further targets of a burst, one for each Effect and round, as they are chosen."""
    chosen: tuple[TargetSetup, ...] = ()
    quick = damage._replace(hp_only=True)
    while len(chosen) < min(effects, hits.left, len(hits.near)):
        left = {slug(one.name): one for one in hits.near if one not in chosen}
        asks = "At whom does the burst go on? Each further target takes a round, and the same damage."
        unhurt = (max(one.unhurt.hp for one in left.values()),)
        options = [Alternative("none", unchanged, unhurt, asks=asks)]
        for name, one in left.items():
            options.append(brings_down(name, one, hp_after, (one, quick, rolled, effects), 1, "round"))
        taken = table.choose(damage.who, tuple(options))
        if not taken.cost:
            break
        chosen += (left[taken.name],)
    return chosen


def unchanged(table: RuleTable, hp: int) -> int:
    """The HP of a fighter who is not hit."""
    return hp


def hp_after(table: RuleTable, target: TargetSetup, damage: Damage, rolled: int, effects: int) -> int:
    """The HP that a further hit of a burst leaves a target."""
    return table.ask(hit, target.unhurt, target, damage, rolled, effects, -1).hp


def combat_die(table: RuleTable) -> tuple[int, int, int]:
    """2D20-18: damage, Effects, and whether the die shows neither."""
    face = table.die(6)
    return ((1, 0, 0), (2, 0, 0), (0, 0, 1), (0, 0, 1), (1, 1, 0), (1, 1, 0))[face - 1]


def is_empty(face: int) -> bool:
    """2D20-18: whether a combat die shows nothing."""
    return face in (3, 4)


def combat_dice(
    table: RuleTable,
    damage: Damage,
    dice: int,
    luck: int = 0,
    asks: int = 0,
    against: str = "",
    cause: str = "",
) -> tuple[int, int, int]:
    """2D20-18, 2D20-8: damage and Effects of so many combat dice, and the Luck used to roll empty ones again (`asks`:
    the Luck that the player is asked about)."""
    table.label("damage", damage.who, f"{dice}dC", against=against, cause=cause)
    shown, effects, empty = table.times(dice, combat_die, zero=(0, 0, 0))
    vicious = damage.has("vicious")
    # The new faces stand: each point is for dice that have been rolled once.
    again, some = 0, min(empty, LUCKY * luck)
    while True:
        if some:
            table.replace(some, is_empty)
            more, new, _ = table.times(some, combat_die, zero=(0, 0, 0))
            shown, effects, again = shown + more, effects + new, again + some
        total = max(0, shown + damage.plus + effects * vicious)
        table.result(total=total, effects=effects, rerolled=again or None)
        some = min(LUCKY, empty - again)
        may = some and again < LUCKY * asks
        if not may or not actions.uses_luck(table, damage.who, all_empty, dice=some, gains="more damage"):
            break
    table.part("damage", "vicious", effects * vicious, "2D20-24", against=against)
    return total, effects, -(-again // LUCKY)


def all_empty(table: RuleTable, dice: int) -> int:
    """1 where some combat dice add nothing at all, else 0."""
    return int(not table.times(dice, combat_die, zero=(0, 0, 0))[0])


def hit_location(table: RuleTable, who: str, against: str = "") -> int:
    """2D20-17: which location is hit, by its place in PLACES."""
    table.label("location", who, "d20", against=against)
    face = table.die(20)
    at = next(place for place, last in enumerate(WHERE) if face <= last)
    table.result(total=face, spot=PLACES[at])
    return at


def cover_dice(table: RuleTable, who: str, dice: int, prone: bool, against: str = "") -> int:
    """2D20-20: what cover takes off; Effects on its dice do not count (a reading)."""
    table.label("cover", who, f"{dice}dC", against=against)
    off, _, empty = table.times(dice, combat_die, zero=(0, 0, 0))
    again = empty if prone else 0
    if again:
        table.replace(again, is_empty)
    off += table.times(again, combat_die, zero=(0, 0, 0))[0] if again else 0
    table.result(total=off, rerolled=again or None)
    return off


def hit(
    table: RuleTable,
    state: DamageResult,
    target: TargetSetup,
    damage: Damage,
    rolled: int,
    effects: int,
    at: int,
    name: str = "damage",
) -> DamageResult:
    """2D20-20 to 2D20-24: a hit on a target in some state: location unless given, cover, resistance, the result.

    `name` is that of the part `rolled` in what the target loses.
    """
    if at < 0:
        at = table.ask(hit_location, target.name, target.against)
    place, resist, who = PLACES[at], target.resist[at], target.name
    cover = max(0, target.cover - state.uncovered)
    breaking = effects * damage.has("breaking")
    uncovers = min(cover, breaking)
    # Without cover, breaking takes the resistance of the location.
    broken = min(resist, state.broken[at] + breaking - uncovers)
    all_broken = (*state.broken[:at], broken, *state.broken[at + 1 :])
    state = state._replace(uncovered=state.uncovered + uncovers, broken=all_broken)
    table.part("cover dice", "breaking", -uncovers, "2D20-24", against=who)
    left = cover - uncovers
    off = table.ask(cover_dice, who, left, target.prone, target.against) if left else 0
    pierced = min(resist - broken, effects * damage.has("piercing"))
    table.part(f"{place} resistance", damage.kind, resist, "2D20-20", "resist", who)
    table.part(f"{place} resistance", "breaking", -broken, "2D20-24", against=who)
    table.part(f"{place} resistance", "piercing", -pierced, "2D20-24", against=who)
    lost = (
        (name, rolled),
        ("cover", -off),
        ("resistance", -resist),
        ("breaking", broken),
        ("piercing", pierced),
    )
    state = lose_hp(state, place, lost, damage.kind == "radiation")
    rays = effects * damage.has("radioactive")
    resisted = ("radiation resistance", -target.radiation[at])
    state = lose_hp(state, place, (("radioactive", rays), resisted), True, severe=False)
    if damage.hp_only:
        return state._replace(injured=(), sums=())
    burning = (effects, place) if effects and damage.has("persistent") else (0, "")
    stunned = state.stunned or bool(effects and damage.has("stun"))
    return state._replace(stunned=stunned, burning=max(state.burning, burning))


def lose_hp(state: DamageResult, place: str, parts: Sum, rays: bool, severe: bool = True) -> DamageResult:
    """2D20-21 to 2D20-23: what is left of damage comes off HP or (`rays`) the maximum, and injures."""
    lost = sum(value for _, value in parts)
    if lost <= 0:
        return state
    highest = max(0, state.highest - lost) if rays else state.highest
    hp = min(state.hp, highest) if rays else max(0, state.hp - lost)
    sums = (*state.sums, ("max_hp" if rays else "hp", tuple(part for part in parts if part[1])))
    if rays and hp < state.hp:
        sums += (("hp", (("highest HP", state.hp - hp),)),)
    # 5 from one hit injure (2D20-22). At HP 0 the location is injured, and again by any damage after that.
    new = [place] * ((severe and lost >= 5) + (not hp))
    return state._replace(hp=hp, highest=highest, injured=tuple(sorted((*state.injured, *new))), sums=sums)


# After the dice


def attack_effects(changes: Changes, intent: Intent, setup: Setup, result: AttackResult) -> None:
    """2D20-15 to 2D20-28: AP, Luck and help; the targets; rounds, aim, reach, and what was thrown."""
    (test, hits), (weapon, leaves), who, scene = setup.dice, setup.known, intent.actor, changes.before
    actions.after_check(changes, test, result.total, result.luck, result.spent)
    dice = hits.damage.dice + result.spent + result.bought
    targets = (*hits.targets, *(one for name in result.chosen for one in hits.near if one.name == name))
    for at, (target, after) in enumerate(zip(targets, result.tolls, strict=True)):
        if target and after and after != target.unhurt:
            apply_damage(changes, target, after._replace(sums=result.sums[at]), hits.damage, dice)
    if weapon.get("ammo"):
        pool = f"ammo:{setup.gear}"
        if result.complications and intent.get("complication") == "empty":
            changes.set(who, pool, 0, "2D20-25")
        else:
            changes.adjust(who, pool, 1 - result.rounds, "2D20-21")
    changes.mark(who, AIM, 0, "2D20-11")
    if scene.open:
        if who in scene.acting:
            changes.mark(who, ATTACKED, 1, "2D20-11")
        # Anyone attacked hand to hand, or said to be near, is in reach, and the other way round.
        for other in (*intent.get("reach", ()), *(intent.targets if weapon["type"] in CLOSE else ())):
            changes.mark(who, REACH, 1, "2D20-15", key=other)
            changes.mark(other, REACH, 1, "2D20-15", key=who)
    if leaves:
        changes.hold(who, (one for one in scene.fighters[who].held if one != setup.gear), "2D20-28")


def apply_damage(
    changes: Changes, target: TargetSetup, result: DamageResult, damage: Damage, dice: int
) -> None:
    """2D20-20 to 2D20-24: pools, injuries, and the effects of a hit with so many dice on its target."""
    name, fighter = target.name, changes.fighter(target.name)
    apply_wounds(changes, fighter, result, "2D20-21")
    if result.stunned:
        changes.begin(name, "stunned", "2D20-24", until=sheet.next_turn(changes.before, name))
    turns, place = result.burning
    if turns and turns >= int(fighter.conditions.get("persistent", 0)):
        actions.end_persistent(changes, name)
        changes.begin(name, "persistent", "2D20-24", turns)
        changes.mark(name, BURNING, turns, "2D20-24", key=f"{damage.kind}:{place}:{dice}")
    for place, gone in zip(PLACES, result.broken, strict=True):
        mark = f"{BROKEN}:{damage.kind}:{place}"
        changes.mark(name, mark, fighter.marks.get(mark, 0) + gone, "2D20-24")
    cover = fighter.cover.get(damage.who)
    if result.uncovered and cover and cover != "total":
        left = sheet.cover_of(max(0, sheet.cover_dice_of(cover) - result.uncovered))
        changes.put(name, f"cover:{damage.who}", None if left == "none" else left, "2D20-24")


def apply_wounds(changes: Changes, fighter: Fighter, result: DamageResult, rule: str) -> None:
    """2D20-21, 2D20-22: HP and its maximum, then new injuries and what each brings at once."""
    name = fighter.name
    for pool, rule_id, now in (("max_hp", "2D20-21", result.highest), ("hp", rule, result.hp)):
        lost = changes.number(rule_id)
        for part, value in (one for where, parts in result.sums if where == pool for one in parts):
            lost.from_dice(part, -value) if part == "damage" else lost.add(part, -value, RULES[part])
        changes.adjust(name, pool, lost, rule_id)
        changes.set(name, pool, now, rule_id)
    for place in dict.fromkeys(result.injured):
        level = sheet.injuries(fighter, place) + result.injured.count(place)
        changes.begin(name, f"injured-{place}", "2D20-22", level)
    if any(place in sheet.LEGS for place in result.injured):
        changes.begin(name, "prone", "2D20-22")
    if "head" in result.injured:
        changes.begin(name, "stunned", "2D20-22", until=sheet.next_turn(changes.before, name))
    arms = [arm for arm in sheet.ARMS if not fighter.has(f"injured-{arm}")]
    dropped = {hand for hand, arm in enumerate(arms) if arm in result.injured}
    if dropped:
        held = (item for hand, item in enumerate(fighter.held) if hand not in dropped)
        changes.hold(name, held, "2D20-22")


def attack_outputs(scene: Scene, intent: Intent, setup: Setup, result: AttackResult) -> Mapping[str, object]:
    """`surplus`: aiming that is not used; `suggestion`: what a complication may do (2D20-25); `wanted`: AP wanted and
    not there (2D20-19); `at`: the zone that is hit."""
    found: dict[str, object] = {}
    aims, place = intent.get("aim", 0), intent.get("at")
    if aims and aims + bool(scene.fighters[intent.actor].marks.get(AIM)) > 1:
        found["surplus"] = [["aim", "1 d20 an attack"]]
    if result.complications:
        found["suggestion"] = "empty" if setup.known[0].get("ammo") else "drop"
    if result.chosen:
        found["further"] = " and ".join(result.chosen)
    found |= actions.missing_ap(setup.dice[0], result.success, result.spent)
    return found if place is None else {**found, "at": list(place)}


def attack_upgrades(scene: Scene, intent: Intent) -> Iterator[Intent]:
    """2D20-6, 2D20-8, 2D20-13: dice, Luck, the location with least armour; the rest is chosen after a hit (2D20-16)."""
    yield from actions.check_upgrades(scene, intent)
    _, weapon = weapon_of(scene, intent)
    if "blast" not in weapon["effects"]:
        target = scene.fighters[intent.target].sheet
        worn = [sheet.resistance(target, place, weapon["damage_type"]) for place in PLACES]
        if min(worn) < max(worn):
            yield intent.plus(location=PLACES[worn.index(min(worn))])


def near_foes(scene: Scene, intent: Intent) -> list[Fighter]:
    """2D20-24: those whom a burst can hit beside its target, those who stand nearest to that one first."""
    apart = [
        (zones_between(scene, intent.target, foe.name) or 0, foe)
        for foe in scene.foes(intent.actor)
        if foe.name != intent.target and not unable(sheet.CONDITIONS, foe)[0]
        if foe.cover.get(intent.actor) != "total"
    ]
    return [foe for zones, foe in sorted(apart, key=lambda one: one[0]) if zones <= 1]


FIRES, THROWS = ATTACK_SAYS["ranged"], ATTACK_SAYS["thrown"]
THROW = actions.major_action(
    "Throw a weapon or an object",
    rule_id="2D20-28",
    setup=attack_setup,
    effects=attack_effects,
    rule=attack,
    words=("hit", "miss"),
    gear="weapons",
    candidates=attack_candidates("throw", *THROWN),
    upgrades=attack_upgrades,
    options=(
        *("weapon", "range", "cover", "mod_damage", "location", "ap-dice", "aim", "reach", "complication"),
        *("buy", "luck", "at"),
    ),
    targets="many",
    requires=(actions.has_arm,),
    outputs=attack_outputs,
    says={"": THROWS, "bare": "{actor} throws something at {target}"},
)
ATTACK = THROW._replace(
    title="Attack with the weapon in hand",
    rule_id="2D20-13",
    candidates=attack_candidates("attack", *CLOSE, *GUNS, bare_hands=True),
    options=(*THROW.options, "extra-rounds"),
    says={
        **ATTACK_SAYS,
        **dict.fromkeys(GUNS, FIRES),
        **dict.fromkeys(THROWN, THROWS),
        "": "{actor} attacks {target} with the {gear}",
        "bare": "{actor} attacks {target}",
    },
)


# Turns


def dying_setup(scene: Scene, intent: Intent) -> Setup:
    """2D20-23: end + survival against the number of injuries, for someone dying; nothing for others."""
    fighter = scene.fighters[intent.actor]
    if not sheet.is_dying(fighter):
        return Setup(None)
    hard = Modifiers("difficulty", "2D20-23").situational(fighter, "dying", "end", "survival", sign=-1)
    target, critical = sheet.target_number(fighter.sheet, "end", "survival")
    difficulty = max(0, sheet.injuries(fighter) + hard.total)
    _, asks = actions.luck_of(scene, intent)
    return Setup(CheckSetup("resist", fighter.name, target, critical, difficulty, asks=asks, cause="death"))


def begin_turn(changes: Changes, intent: Intent, setup: Setup, result: CheckResult | None) -> None:
    """2D20-11: a Major and a Minor action, none for the stunned (2D20-24); 2D20-23: failing is death."""
    fighter = changes.before.fighters[intent.actor]
    normal = not (fighter.has("stunned") or fighter.has("dead") or sheet.is_dying(fighter))
    for pool in ("major", "minor"):
        changes.set(fighter.name, pool, int(normal), "2D20-11")
    changes.clear_marks(fighter.name, "2D20-11", READIED, sheet.ASSISTS, sheet.DEFENDING)
    if result:
        actions.check_effects(changes, intent, setup, result)
        if not result.success:
            changes.begin(fighter.name, "dead", "2D20-23")


Wound = tuple[Damage, str, int, str]
"""Damage that comes again at the end of a turn, its location, the resistance there, and what causes it."""


def lasting_setup(scene: Scene, intent: Intent) -> Setup:
    """2D20-22, 2D20-24: bleeding, then persistent damage; none for the dead. Dice are the state, and the wounds."""
    fighter = scene.fighters[intent.actor]
    # Two combat dice of an injured torso, however often it is injured (a reading).
    bleeding = (Damage(fighter.name, 2), "torso", 0, "bleeding from the torso")
    wounds: list[Wound] = [bleeding] if sheet.injuries(fighter, "torso") else []
    for burning in fighter.marks_of(BURNING) if fighter.has("persistent") else ():
        kind, place, dice = burning.split(":")
        resist = sheet.resist_left(fighter, kind, place)
        wounds.append((Damage(fighter.name, int(dice), kind=kind), place, resist, "persistent damage"))
    state = DamageResult(fighter.pools["hp"], fighter.pools["max_hp"])
    return Setup((state, tuple(wounds)) if wounds and not fighter.has("dead") else None)


def lasting(table: RuleTable, setup: tuple[DamageResult, tuple[Wound, ...]] | None) -> DamageResult | None:
    """2D20-22, 2D20-24: the damage of each wound in its order, its Effects ignored."""
    state, wounds = setup or (None, ())
    for damage, place, resist, cause in wounds:
        rolled, _, _ = table.ask(combat_dice, damage, damage.dice, 0, 0, "", cause)
        table.part(f"{place} resistance", "resistance", resist, "2D20-20", "resist", damage.who)
        lost = (("damage", rolled), ("resistance", -resist))
        state = state and lose_hp(state, place, lost, damage.kind == "radiation")
    return state


def end_turn(changes: Changes, intent: Intent, setup: Setup, result: DamageResult | None) -> None:
    """2D20-24: persistent damage lasts a turn less; a command that was not obeyed is forgotten (2D20-11)."""
    name = intent.actor
    fighter = changes.before.fighters[name]
    for pool in ("major", "minor"):
        changes.set(name, pool, 0, "2D20-11")
    if result:
        apply_wounds(changes, fighter, result, "2D20-22")
    turns = int(fighter.conditions.get("persistent", 0))
    if turns > 1:
        changes.begin(name, "persistent", "2D20-24", turns - 1)
    elif turns:
        actions.end_persistent(changes, name)
    for other in changes.before.fighters:
        actions.end_command(changes, other)


PHASES = {
    "start-turn": actions.tested(
        "A Major and a Minor action; the dying hold on",
        "2D20-11",
        dying_setup,
        begin_turn,
        lambda table, test: test and table.ask(check, test),
        window="table",
    ),
    "end-turn": Action("What goes on hurting", "2D20-22", lasting_setup, end_turn, lasting, window="table"),
}
