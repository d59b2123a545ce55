"""The dice of attacks and damage, and what they change (2D20-16 to 2D20-25)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from ...rules import (
    ATTACK_SAYS,
    Alternative,
    Changes,
    ExactOdds,
    Fighter,
    Intent,
    Opponents,
    RuleTable,
    Says,
    Scene,
    Setup,
    slug,
)
from . import sheet
from .attacks import (
    AP_DICE,
    LUCKY,
    NUMBERS,
    RULES,
    TOO_HIGH,
    WHERE,
    AttackResult,
    AttackSetup,
    Damage,
    DamageResult,
    HitResult,
    HitsSetup,
    Loss,
    Luck,
    Sum,
    TargetSetup,
    attack_setup,
    weapon_of,
)
from .checks import after_check, check, check_upgrades, end_persistent, has_arm, major_action, uses_luck
from .options import PLACES
from .sheet import AIM, ATTACKED, BROKEN, BURNING, CLOSE, GUNS, REACH, THROWN

# The dice


def attack(table: RuleTable, setup: AttackSetup, who: str | None = None) -> AttackResult:
    """2D20-16: the test and every hit; a miss costs one round, and what adds dice is chosen after a hit (readings).

    Odds ask for the part of the target `who` alone, or under no name for all but the targets.
    """
    (test, hits), brief = setup, bool(who)
    if who is None and (several := len(hits.targets)) > 1:
        what = f"what one attack does to {several} targets together takes too many branches"
        table.refuse_odds(what, "ask about each of them")
    success, total, odd, used = table.ask(check, test)
    spent, extra, luck = test.spent(total), 0, (max(0, test.luck - used), max(0, test.asks - used))
    have = test._replace(wanted=AP_DICE).spent(total) if hits.pays == "AP" else hits.left
    if who is not None:
        # Complications matter where they empty the weapon.
        total, odd = 0 if who else total, odd * (not who and hits.empties)
    if not success:
        unhurt = tuple(HitResult() if who in (None, target.name) else None for target in hits.targets)
        return AttackResult(False, total, odd, used, 0, 1, unhurt)
    if hits.more:
        more = more_dice(table, hits, hits.damage.dice + spent, min(hits.more, have))
        spent, extra = (more, 0) if hits.pays == "AP" else (spent, more)
        hits = hits._replace(extra=hits.extra + extra, left=hits.left - extra)
    # What can be chosen depends on the HP, and so does what injures.
    hits, dice = hits if hits.near or brief else hits.settled, hits.damage.dice + spent + extra
    lucky, rounds, chosen, tolls = table.ask(roll_hits, hits, dice, luck, who, brief)
    return AttackResult(True, total, odd, used + lucky, spent, rounds, tolls, extra, chosen)


def attack_part(table: RuleTable, setup: AttackSetup, who: str, lives: bool) -> AttackResult:
    """The attack for the odds of one target, its HP alone with `lives`, or of nobody."""
    test, hits = setup
    return table.ask(attack, (test, hits.settled if lives or not who else hits), who)


def unasked(scene: Scene, setup: AttackSetup) -> AttackSetup:
    """An attack in which nobody chooses anything, on targets with the HP that they have."""
    test, hits = setup
    pools = ((target, scene.fighters[target.name].pools) for target in hits.targets)
    targets = tuple(target._replace(hp=(left["hp"], left["max_hp"])) for target, left in pools)
    return test._replace(ap=min(test.ap, test.wanted)), hits.settled._replace(targets=targets)


def more_dice(table: RuleTable, hits: HitsSetup, dice: int, most: int) -> int:
    """2D20-16, 2D20-19: how many more dice are bought for the hit, chosen by what so many would do."""
    first, pays = hits.targets[0], hits.pays
    if not (hp := first.hp) or not hp[0]:
        return 0
    alone = hits._replace(targets=(first,)).settled
    bought, costs = "AP for damage" if pays == "AP" else "extra rounds", enumerate(NUMBERS[:most], 1)
    asks = f"How many {bought}? Each adds a combat die to the {dice} of the hit."
    way = partial(Alternative, rule=hp_after_hit, gains=f"bring {first.name} down", leaves="HP left")
    options = [way("none", args=(alone, dice, hp), asks=asks)]
    options += [way(word, args=(alone, dice + cost, hp), cost=cost, spends=pays) for cost, word in costs]
    return table.choose(hits.damage.who, tuple(options)).cost


def hp_after_hit(table: RuleTable, hits: HitsSetup, dice: int, hp: tuple[int, int]) -> int:
    """The HP that hits with so many dice leave their first target, of `hp` and their maximum."""
    first = table.ask(roll_hits, hits, dice, (0, 0), None, True)[3][0]
    return after_hits(*hp, first).hp if first else 0


def roll_hits(
    table: RuleTable, hits: HitsSetup, dice: int, luck: Luck, who: str | None, brief: bool
) -> tuple[int, int, tuple[str, ...], tuple[HitResult | None, ...]]:
    """2D20-17 to 2D20-24, 2D20-28: the Luck used, the rounds fired, the further targets chosen, what each gets."""
    damage, at = hits.damage, hits.called
    targets = [target if who in (None, target.name) else None for target in hits.targets]
    first = targets[0] if targets else None
    if first and at < 0:
        at = table.ask(hit_location, first.name, first.against)
    bursts = damage.has("burst") and len(targets) > 1
    if not any(targets) and not luck[0] and not bursts:
        # Nobody asks what the dice would show.
        return 0, 1 + hits.extra, (), tuple(target and HitResult() for target in targets)
    rolled, effects, used = table.ask(combat_dice, damage, dice, luck, first.against if first else "")
    others = min(effects, len(targets) - 1, hits.left) if bursts else 0
    # Further hits of a burst bring no hits of their own (a reading).
    chained = ("burst", "spread", "persistent")
    further = damage._replace(effects=tuple(effect for effect in damage.effects if effect[0] not in chained))
    blast = damage.has("blast")
    tolls = [target and HitResult() for target in targets]
    for number, target in enumerate(targets[: None if blast else 1 + others]):
        toll = tolls[number]
        if target and toll:
            each = damage if blast or not number else further
            toll = table.ask(hit, toll, target, each, rolled, effects, -1 if number else at, brief)
            if not number and effects and damage.has("spread"):
                half = rolled // 2, 0, -1, brief, "half by spread"
                toll = table.chain(effects, hit, toll, target, damage, *half)
            tolls[number] = toll if target.hp or not brief else HitResult(toll.losses)
    chosen = further_targets(table, hits, further, rolled, effects) if hits.near else ()
    tolls += [table.ask(hit, HitResult(), target, further, rolled, effects, -1) for target in chosen]
    rounds = 1 + hits.extra + others + len(chosen)
    return used, rounds, tuple(target.name for target in chosen), tuple(tolls)


def further_targets(
    table: RuleTable, hits: HitsSetup, damage: Damage, rolled: int, effects: int
) -> tuple[TargetSetup, ...]:
    """2D20-24: the further targets of a burst, one for each Effect and round, as they are chosen."""
    chosen: tuple[TargetSetup, ...] = ()
    while len(chosen) < min(effects, hits.left, len(hits.near)):
        left = {slug(target.name): target for target in hits.near if target not in chosen}
        asks = "Who else does the burst hit? Each further target takes a round, and the same damage."
        unhurt = max(target.hp[0] for target in left.values() if target.hp)
        options = [Alternative("none", unchanged, (unhurt,), asks=asks, counts="HP left")]
        for name, target in left.items():
            args, gains = (target, damage, rolled, effects), f"bring {target.name} down"
            options.append(Alternative(name, hp_after, args, 1, "round", gains, leaves="HP left"))
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
    result = table.ask(hit, HitResult(), target._replace(hp=None), damage, rolled, effects, -1, True)
    return after_hits(*target.hp, result).hp if target.hp else 0


COUNTS = {3: "3=0", 4: "4=0", 5: "5=1E", 6: "6=1E"}
"""2D20-18: the faces of a combat die that are not what they show."""


def combat_die(table: RuleTable) -> tuple[int, int, int]:
    """2D20-18: damage, Effects, and whether the die shows neither."""
    face = table.die(6)
    return ((1, 0, 0), (2, 0, 0), (0, 0, 1), (0, 0, 1), (1, 1, 0), (1, 1, 0))[face - 1]


def face_words(dice: str, faces: Sequence[int]) -> Sequence[int | str]:
    """2D20-18: what faces of combat dice count, an E being an Effect: `[5=1E 2 3=0]`."""
    return [COUNTS.get(face, face) for face in faces] if "C" in dice else faces


def is_empty(face: int) -> bool:
    """2D20-18: whether a combat die shows nothing."""
    return face in (3, 4)


def combat_dice(
    table: RuleTable, damage: Damage, dice: int, luck: Luck = (0, 0), against: str = "", cause: str = ""
) -> tuple[int, int, int]:
    """2D20-18, 2D20-8: damage and Effects of so many combat dice, and the Luck used to roll empty ones again."""
    table.label("damage", damage.who, f"{dice}dC", against=against, cause=cause)
    shown, effects, empty = table.times(dice, combat_die, zero=(0, 0, 0))
    vicious = damage.has("vicious")
    # The new faces stand: each point is for dice that have been rolled once.
    again, some = 0, min(empty, LUCKY * luck[0])
    while True:
        if some:
            table.replace(some, is_empty)
            more, new, _ = table.times(some, combat_die, zero=(0, 0, 0))
            shown, effects, again = shown + more, effects + new, again + some
        total = max(0, shown + damage.plus + effects * vicious)
        table.result(total=total, effects=effects, rerolled=again or None)
        some = min(LUCKY, empty - again)
        may = some and again < LUCKY * luck[1]
        if not may or not uses_luck(table, damage.who, all_empty, some, gains="more damage"):
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
    if again := empty if prone else 0:
        table.replace(again, is_empty)
        off += table.times(again, combat_die, zero=(0, 0, 0))[0]
    table.result(total=off, rerolled=again or None)
    return off


def hit(
    table: RuleTable,
    before: HitResult,
    target: TargetSetup,
    damage: Damage,
    rolled: int,
    effects: int,
    at: int,
    brief: bool = False,
    name: str = "damage",
) -> HitResult:
    """2D20-20 to 2D20-24: a hit after what came `before`; `name` is that of the part `rolled` in what the target loses.

    In `brief` the result says only what becomes of the target, or of its HP where they are not known.
    """
    if at < 0:
        at = table.ask(hit_location, target.name, target.against)
    place, resist, who = PLACES[at], target.resist[at], target.name
    cover, breaking = max(0, target.cover - before.uncovered), effects * damage.has("breaking")
    uncovers = min(cover, breaking)
    # Without cover, breaking takes the resistance of the location.
    broken = min(resist, before.broken[at] + breaking - uncovers)
    table.part("cover dice", "breaking", -uncovers, "2D20-24", against=who)
    left = cover - uncovers
    off = table.ask(cover_dice, who, left, target.prone, target.against) if left else 0
    pierced = min(resist - broken, effects * damage.has("piercing"))
    table.part(f"{place} resistance", damage.kind, resist, "2D20-20", "resist", who)
    table.part(f"{place} resistance", "breaking", -broken, "2D20-24", against=who)
    table.part(f"{place} resistance", "piercing", -pierced, "2D20-24", against=who)
    resisted = (("resistance", -resist), ("breaking", broken), ("piercing", pierced))
    losses = lost(place, ((name, rolled), ("cover", -off), *resisted), damage.kind == "radiation")
    rays, lead = effects * damage.has("radioactive"), target.radiation[at]
    losses += lost(place, (("radioactive", rays), ("radiation resistance", -lead)), True, severe=False)
    losses, stunned, burning, injured = before.losses + losses, before.stunned, before.burning, before.injured
    if target.hp:
        injured = after_hits(*target.hp, before._replace(losses=losses)).injured
        losses = tuple(loss._replace(place="") for loss in losses)
    if effects and (target.hp or not brief):
        stunned = stunned or bool(damage.has("stun"))
        burning = max(burning, (effects, place)) if damage.has("persistent") else burning
    losses, uncovered = in_short(losses) if brief else losses, before.uncovered + uncovers
    all_broken = (*before.broken[:at], broken, *before.broken[at + 1 :])
    return HitResult(losses, all_broken, uncovered, stunned, burning, injured)


def lost(place: str, parts: Sum, rays: bool, severe: bool = True) -> tuple[Loss, ...]:
    """2D20-21: what is left of damage, if anything."""
    loss = Loss(place, tuple(part for part in parts if part[1]), rays, severe)
    return (loss,) if loss.total > 0 else ()


def in_short(losses: tuple[Loss, ...]) -> tuple[Loss, ...]:
    """Losses that cost as many HP, without locations and without what they add up from."""
    short: tuple[Loss, ...] = ()
    for loss in losses:
        alike = bool(short) and short[-1].rays == loss.rays
        total = loss.total + (short[-1].total if alike else 0)
        short = (*(short[:-1] if alike else short), Loss("", (("damage", total),), loss.rays))
    return short


def after_hits(hp: int, highest: int, hits: HitResult) -> DamageResult:
    """2D20-20 to 2D20-24: what hits make of somebody with so many HP: losses come off HP or the maximum, and injure."""
    injured, sums = [*hits.injured], list[tuple[str, Sum]]()
    for loss in hits.losses:
        total, was = loss.total, hp
        if loss.rays:
            highest = highest - total if highest >= total else 0
            hp = min(hp, highest)
        else:
            hp = hp - total if hp >= total else 0
        sums.append(("max_hp" if loss.rays else "hp", loss.parts))
        if loss.rays and hp < was:
            sums.append(("hp", ((TOO_HIGH, was - hp),)))
        # 5 from one hit injure (2D20-22). At HP 0 the location is injured, and again by any damage after that.
        injured += [loss.place] * (((loss.severe and total >= 5) + (not hp)) if loss.place else 0)
    _, broken, uncovered, stunned, burning, _ = hits
    return DamageResult(hp, highest, tuple(sorted(injured)), broken, uncovered, stunned, burning, tuple(sums))


# After the dice


def names_of(hits: HitsSetup, result: AttackResult) -> tuple[str, ...]:
    """The targets of an attack, then those that were chosen after the hit."""
    return (*(target.name for target in hits.targets), *result.chosen)


def attack_effects(changes: Changes, intent: Intent, setup: Setup, result: AttackResult) -> None:
    """2D20-5, 2D20-15 to 2D20-28: AP, Luck and help; the targets; rounds, aim, reach, and what was thrown."""
    (test, hits), (weapon, thrown), who, scene = setup.dice, setup.carried, intent.actor, changes.before
    after_check(changes, test, result.total, result.luck, result.spent)
    dice, ammo = hits.damage.dice + result.spent + result.bought, f"ammo:{setup.gear}"
    for name, toll in zip(names_of(hits, result), result.tolls, strict=True):
        if toll and toll != HitResult():
            before = changes.fighter(name)
            apply_damage(changes, name, toll, hits.damage, dice)
            if sheet.has_quality(weapon, "debilitating"):
                debilitate(changes, before)
    if weapon.get("ammo") and result.complications and hits.empties:
        changes.set(who, ammo, 0, "2D20-25")
    elif weapon.get("ammo"):
        changes.adjust(who, ammo, 1 - result.rounds, "2D20-21")
    changes.mark(who, AIM, 0, "2D20-11")
    if scene.open:
        if who in scene.acting:
            changes.mark(who, ATTACKED, 1, "2D20-11")
        # Anyone attacked hand to hand, or said to be near, is in reach, and the other way round.
        for other in (*intent.get("reach", ()), *(intent.targets if weapon["type"] in CLOSE else ())):
            changes.mark(who, REACH, 1, "2D20-15", key=other)
            changes.mark(other, REACH, 1, "2D20-15", key=who)
    if thrown and not (weapon.get("ammo") and changes.pool(who, ammo)):
        changes.drop(who, setup.gear, "2D20-28")


def apply_damage(changes: Changes, name: str, result: HitResult, damage: Damage, dice: int) -> None:
    """2D20-20 to 2D20-24: pools, injuries, and the effects of a hit with so many dice on its target."""
    fighter, scene = changes.fighter(name), changes.before
    apply_wounds(
        changes, fighter, after_hits(fighter.pools["hp"], fighter.pools["max_hp"], result), "2D20-21"
    )
    if result.stunned:
        changes.begin(name, "stunned", "2D20-24")
    turns, place = result.burning
    if turns and turns >= fighter.level("persistent"):
        end_persistent(changes, name)
        changes.begin(name, "persistent", "2D20-24", turns)
        changes.mark(name, BURNING, turns, "2D20-24", key=f"{damage.kind}:{place}:{dice}")
    for place, gone in zip(PLACES, result.broken, strict=True):
        if gone:
            mark = f"{BROKEN}:{damage.kind}:{place}"
            changes.mark(name, mark, fighter.marks.get(mark, 0) + gone, "2D20-24")
    if not result.uncovered or damage.who not in scene.fighters:
        return
    cover = scene.cover_between(name, damage.who).level
    if cover not in ("none", "total"):
        left = sheet.cover_of(max(0, sheet.cover_dice_of(cover) - result.uncovered))
        # On a map "none" is a level as well: nothing is left of what stands there.
        gone = left == "none" and scene.field is None
        changes.assign(name, f"cover:{damage.who}", None if gone else left, "2D20-24")


def debilitate(changes: Changes, before: Fighter) -> None:
    """2D20-32: the injuries that a fighter has beside those of `before` are hard to treat."""
    after = changes.fighter(before.name)
    for place in PLACES:
        if new := sheet.injuries(after, place) - sheet.injuries(before, place):
            hard = sheet.injuries_hard_to_treat(before, place) + new
            changes.begin(before.name, f"debilitated-{place}", "2D20-32", hard)


def apply_wounds(changes: Changes, fighter: Fighter, result: DamageResult, rule: str) -> None:
    """2D20-21, 2D20-22: HP and its maximum, then new injuries and what each brings at once."""
    name = fighter.name
    for pool, rule_id in (("max_hp", "2D20-21"), ("hp", rule)):
        lost = changes.number(rule_id)
        for part, value in (part for where, parts in result.sums if where == pool for part in parts):
            lost.from_dice(part, -value) if part == "damage" else lost.add(part, -value, RULES[part])
        if lost.total:
            changes.adjust(name, pool, lost)
    for place in dict.fromkeys(result.injured):
        level = sheet.injuries(fighter, place) + result.injured.count(place)
        changes.begin(name, f"injured-{place}", "2D20-22", level)
    if {*sheet.LEGS} & {*result.injured}:
        changes.begin(name, "prone", "2D20-22")
    if "head" in result.injured:
        changes.begin(name, "stunned", "2D20-22")
    if {*sheet.ARMS} & {*result.injured}:
        arms = [arm for arm in sheet.ARMS if not fighter.has(f"injured-{arm}")]
        dropped = {hand for hand, arm in enumerate(arms) if arm in result.injured}
        weapons = fighter.sheet["weapons"]
        held = (
            item
            for hand, item in enumerate(fighter.held)
            if hand not in dropped or sheet.has_quality(weapons.get(item, {}), "natural")
        )
        changes.hold(name, held, "2D20-22")


def attack_outputs(scene: Scene, intent: Intent, setup: Setup, result: AttackResult) -> Mapping[str, object]:
    """`surplus`: aiming that is not used; `suggestion`: what a complication may do (2D20-25); `wanted`: AP wanted and
    not there (2D20-19); `at`: the zone that is hit; `tolls`: the targets afterwards, `sums`: what their pools lose."""
    (test, hits), (weapon, _), after = setup.dice, setup.carried, list[DamageResult | None]()
    for name, toll in zip(names_of(hits, result), result.tolls, strict=True):
        pools = scene.fighters[name].pools
        after.append(toll and after_hits(pools["hp"], pools["max_hp"], toll))
    outputs: dict[str, object] = {
        "tolls": [toll and toll._replace(sums=()) for toll in after],
        "sums": [toll.sums if toll else () for toll in after] if result.success else [],
    }
    aims, place = intent.get("aim", 0), intent.get("at")
    if aims and aims + bool(scene.fighters[intent.actor].marks.get(AIM)) > 1:
        outputs["surplus"] = [["aim", "1 d20 an attack"]]
    if result.complications:
        outputs["suggestion"] = "empty" if weapon.get("ammo") else "drop"
    if result.chosen:
        outputs["further"] = " and ".join(result.chosen)
    outputs |= test.missing(result.success, result.spent)
    return outputs if place is None else {**outputs, "at": list(place)}


def attack_upgrades(scene: Scene, intent: Intent) -> Iterator[Intent]:
    """2D20-6, 2D20-8, 2D20-13: dice, Luck, the location with least armour; the rest is chosen after a hit (2D20-16)."""
    yield from check_upgrades(scene, intent)
    _, weapon = weapon_of(scene, intent)
    if "blast" not in weapon["effects"]:
        target = scene.fighters[intent.target].sheet
        worn = [sheet.resistance(target, place, weapon["damage_type"]) for place in PLACES]
        if min(worn) < max(worn):
            yield intent.plus(location=PLACES[worn.index(min(worn))])


def can_strike(scene: Scene, intent: Intent) -> None:
    """2D20-22, 2D20-33: refuse where both arms are injured, unless the weapon is a part of the body."""
    if not sheet.has_quality(weapon_of(scene, intent)[1], "natural"):
        has_arm(scene, intent)


OF_ATTACKS = ("weapon", "range", "cover", "mod_damage", "location", "ap-dice", "aim", "reach", "complication")
THROW_SAYS = {"": ATTACK_SAYS["thrown"], "bare": "{actor} throws something at {target}"}
THROW = major_action("Throw a weapon or an object", attack_setup, attack_effects, rule="2D20-28")._replace(
    rule=attack,
    says=Says(THROW_SAYS, ("hit", "miss"), "successes"),
    gear="weapons",
    ai=Opponents.attacking("throw", *THROWN, upgrades=attack_upgrades),
    options=(*OF_ATTACKS, "buy", "luck", "at"),
    targets="many",
    requires=(has_arm,),
    outputs=attack_outputs,
    odds=ExactOdds(
        targets=lambda setup: (target.name for target in setup[1].targets), part=attack_part, unasked=unasked
    ),
)
ATTACKS = "{actor} attacks {target}"
FIRES, THROWS = ATTACK_SAYS["ranged"], ATTACK_SAYS["thrown"]
SAYS = {**ATTACK_SAYS, **dict.fromkeys(GUNS, FIRES), **dict.fromkeys(THROWN, THROWS)}
ATTACK = THROW._replace(
    title="Attack with the weapon in hand",
    requires=(can_strike,),
    rule_id="2D20-13",
    ai=Opponents.attacking("attack", *CLOSE, *GUNS, bare_hands=True, upgrades=attack_upgrades),
    options=(*THROW.options, "extra-rounds"),
    says=THROW.says._replace(sentences={**SAYS, "": f"{ATTACKS} with the {{gear}}", "bare": ATTACKS}),
)
