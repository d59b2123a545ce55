"""What a fighter does: checks, the turn order, movement, attacks and their damage, healing (STEP-3 to STEP-37)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from ...rules import (
    ATTACK_SAYS,
    Action,
    Alternative,
    Amount,
    Changes,
    Cost,
    End,
    Fighter,
    Intent,
    Modifiers,
    NamedTuple,
    RuleTable,
    Runner,
    Scene,
    Setup,
    attack_candidates,
    check_action,
    distance,
    draw_action,
    has,
    in_crisis,
    increments,
    initiative_action,
    known_word,
    lacks,
    landed,
    lines_of,
    move_action,
    noticed,
    out_of_sight,
    refuse,
    reload_action,
    slug,
    tie,
    unable,
    use_action,
    weapon_in_use,
)
from ...rules.movement import no_farther
from ...rules.treatment import aid_in_use, heal_action
from . import sheet
from .options import CARE
from .sheet import (
    CONDITIONS,
    LOWEST,
    TREATED,
    TURN_AP,
    UNIT,
    Weapon,
    die_of,
    is_area,
    is_dead,
    is_dying,
    spelled,
)

AIM, OVERWATCH, STEALTH = "aim", "overwatch", "stealth"
"""Marks: +1 each on the next ranged attack; attacks in others' turns; the roll that a search must reach (STEP-16)."""
COVER = {"none": 0, "light": -2, "heavy": -4}
"""STEP-22: on every roll that needs sight; behind total cover nobody can be hit or seen."""

# Rolls

DIFFICULTY = 4
"""STEP-6: where nothing else is said."""
CRITICAL_FAILURE = -1_000_000
"""STEP-5: what a roll of two ones reaches, whatever is added: less than any other."""


class DieAndBonus(NamedTuple):
    """Whose die is rolled, its sides, and all that is added to it."""

    who: str
    sides: int
    bonus: int = 0


def skilled(fighter: Fighter, roll: str, skill: str, rule: str, against: str = "") -> Modifiers:
    """All that a fighter adds to a roll; the drunk have 2 less where speed or balance counts (STEP-17)."""
    sides, step = die_of(fighter.sheet, skill)
    found = Modifiers(roll, rule, against).add(skill, step, "STEP-1", f"d{sides}+{step}")
    found.situational(fighter, skill, roll)
    balance = roll == "attack" or skill in ("athletics", "stealth", "operate")
    for condition, worth in (("drunk", -2 if balance else -1), ("exhausted", -2), ("fatigued", -1)):
        found.add(condition, worth * fighter.has(condition), "STEP-17", "condition")
    return found


def dice_of(fighter: Fighter, skill: str, added: Modifiers) -> DieAndBonus:
    """The die of a skill, and what these modifiers add to it."""
    return DieAndBonus(fighter.name, die_of(fighter.sheet, skill)[0], added.total)


def roll(table: RuleTable, sides: int) -> int:
    """STEP-5: one die, exploding on its highest face; 0 for a critical failure: only a first face of 1 implodes, and
    the second face never explodes (both are readings)."""
    value: int = table.exploding(1, sides, int)
    return 0 if value == 1 and table.die(sides) == 1 else value


def face_words(dice: str, faces: Sequence[int]) -> Sequence[int | str]:
    """STEP-5: the second face of an implosion does not count: `[1 (6)]`."""
    implodes = dice.startswith("d") and len(faces) == 2 and faces[0] == 1
    return (faces[0], f"({faces[1]})") if implodes else faces


def reach(natural: int, bonus: int) -> int:
    """STEP-5, STEP-6, STEP-9: what a roll reaches; a critical failure less than all but another (a reading)."""
    return natural + bonus if natural else CRITICAL_FAILURE


def rolled(
    table: RuleTable,
    what: str,
    dice: DieAndBonus,
    difficulty: int | None = None,
    added: int = 0,
    /,
    **about: object,
) -> tuple[int, int]:
    """STEP-5, STEP-6: a labelled roll, noted against a difficulty: what it reaches, and its total, in which a
    critical failure counts as 1 before modifiers (a reading). `added` is what helpers are worth."""
    table.label(what, dice.who, f"d{dice.sides}", **about)
    natural, bonus = table.ask(roll, dice.sides), dice.bonus + added
    reached, total = reach(natural, bonus), max(1, natural) + bonus
    success = None if difficulty is None else reached >= difficulty
    failed = None if natural else True
    table.result(
        total=total, target=difficulty, success=success, added=added or None, critical_failure=failed
    )
    return reached, total


def extras(total: int) -> int:
    """STEP-8: a quarter of a success's total, less one."""
    return max(0, total // 4 - 1)


def born(table: RuleTable, raw: Mapping[str, Any]) -> dict[str, int]:
    """STEP-3: Health is 20 and one body roll that explodes and does not implode; nothing where it is given."""
    if "health" in raw:
        return {}
    sides, step = sheet.split(sheet.Die().read(raw.get("attributes", {}).get("body", "d4"), (), []))
    table.label("health", str(raw.get("name", "")), f"d{sides}")
    return {"health": 20 + step + table.exploding(1, sides, int)}


# Values that follow from the sheet

MOST_AROUND = 4
"""STEP-3: so many further enemies, or allies, count."""


def pace(fighter: Fighter) -> int:
    """STEP-3: tiles of a move; half of it slowed (STEP-17)."""
    own = fighter.sheet.get("pace", sum(die_of(fighter.sheet, "body")) // 2)
    whole = max(0, Modifiers("pace", "STEP-3").base("pace", own).situational(fighter, "pace").total)
    return whole // 2 if fighter.has("slowed") else whole


def perception(scene: Scene, who: str) -> int:
    """STEP-3: half of mind, 1, and 1 for each ally within 10 tiles who can notice."""
    fighter = scene.fighters[who]
    own = fighter.sheet.get("perception", sum(die_of(fighter.sheet, "mind")) // 2 + 1)
    allies = [one for one in scene.of_side(fighter.side) if one.name != who]
    found = Modifiers("perception", "STEP-3").base("perception", own).situational(fighter, "perception")
    return found.total + min(MOST_AROUND, able_within(scene, allies, who, 10))


def able_within(scene: Scene, fighters: list[Fighter], who: str, reach: int) -> int:
    """How many of the fighters can act, and are known to be no more than `reach` tiles away."""
    tiles = (scene.distance(one.name, who) for one in fighters if not unable(CONDITIONS, one)[0])
    return sum(one is not None and one <= reach for one in tiles)


# Checks


class CheckSetup(NamedTuple):
    """A check against a difficulty, or against another's roll."""

    dice: DieAndBonus
    difficulty: int
    crisis: bool = False
    """Whether there are extras (STEP-8)."""
    helpers: tuple[DieAndBonus, ...] = ()
    rival: DieAndBonus | None = None


class CheckResult(NamedTuple):
    """What a check came to."""

    success: bool
    total: int
    against: int
    extras: int = 0


def check_setup(scene: Scene, intent: Intent) -> Setup:
    """A check of a skill or an attribute (STEP-6), or a contest (STEP-9), which may find a hidden rival (STEP-16)."""
    fighter = scene.fighters[intent.actor]
    skill = known_skill(fighter, intent.get("skill", ""))
    mine = skilled(fighter, "check", skill, "STEP-6").asked(intent)
    # That no two assets are of one kind is the player's word.
    mine.add("assets", intent.get("assets", 0), "STEP-7", "--assets")
    helpers, lines = helpers_of(scene, intent, skill)
    other, other_skill = intent.get("vs") or ("", "")
    goal, rival_dice, hidden = Modifiers("difficulty", "STEP-6"), None, False
    if not other:
        goal.base("difficulty", intent.get("difficulty", DIFFICULTY))
    else:
        rival = scene.fighters[other]
        other_skill = known_skill(rival, other_skill)
        if skill == "search":
            hidden = other_skill == "stealth" and rival.has("hidden")
            level, source, _ = scene.cover_between(other, intent.actor)
            mine.cover(intent, other, COVER, level, "STEP-22", source)
        if hidden and rival.marks.get(STEALTH):
            goal.add(f"{other}'s stealth", rival.marks[STEALTH], "STEP-16")
        else:
            lines.append(skilled(rival, "resist", other_skill, "STEP-9", other))
            rival_dice = dice_of(rival, other_skill, lines[-1])
    dice = CheckSetup(dice_of(fighter, skill, mine), goal.total, scene.open, helpers, rival_dice)
    return Setup(dice, lines_of(mine, goal, *lines), known=other if hidden else "")


def known_skill(fighter: Fighter, word: str) -> str:
    """A skill or an attribute as the rules spell it; Refused where the fighter has no such thing."""
    known = (*sheet.ATTRIBUTES, *sheet.SKILLS, *fighter.sheet["skills"])
    return known_word(fighter, word.strip(), known, "skill or attribute", "STEP-2")


def helpers_of(scene: Scene, intent: Intent, skill: str) -> tuple[tuple[DieAndBonus, ...], list[Modifiers]]:
    """STEP-10: the rolls of the helpers, and what they add to them."""
    helpers, aid = [], []
    for name in intent.get("aid", ()):
        fighter = scene.fighters[name]
        why, _ = unable(CONDITIONS, fighter)
        if why or name == intent.actor:
            message = f"{name} is {why or 'doing it'} and cannot help"
            refuse(intent, message, "STEP-10", final=True, code="condition_forbids")
        aid.append(skilled(fighter, "aid", skill, "STEP-10", name))
        helpers.append(dice_of(fighter, skill, aid[-1]))
    return tuple(helpers), aid


def help_with(table: RuleTable, helpers: tuple[DieAndBonus, ...]) -> int:
    """STEP-10: 2 if any helper succeeds, and −2 for each critical failure; they roll first."""
    rolls = [table.ask(help_roll, one) for one in helpers]
    return 2 * any(success for success, _ in rolls) - 2 * sum(critical for _, critical in rolls)


def help_roll(table: RuleTable, one: DieAndBonus) -> tuple[bool, bool]:
    """STEP-10: whether a helper succeeds, and whether that is a critical failure."""
    reached, _ = rolled(table, "aid", one, DIFFICULTY)
    return reached >= DIFFICULTY, reached == CRITICAL_FAILURE


def check(table: RuleTable, setup: CheckSetup) -> CheckResult:
    """STEP-6: the die, the modifiers and the help, at or above the difficulty; STEP-9: a tie goes to the actor."""
    added, against = table.ask(help_with, setup.helpers), setup.difficulty
    if setup.rival:
        reached, total = rolled(table, "check", setup.dice, None, added)
        resisted, against = rolled(table, "resist", setup.rival, against=setup.dice.who)
        success = reached >= resisted
    else:
        reached, total = rolled(table, "check", setup.dice, against, added)
        success = reached >= against
    return CheckResult(success, total, against, extras(total) if success and setup.crisis else 0)


def reveal_found(changes: Changes, intent: Intent, setup: Setup, result: CheckResult) -> None:
    """STEP-16: a search that succeeds reveals the hidden fighter."""
    if setup.known and result.success:
        changes.end(setup.known, "hidden", "STEP-16")
        changes.mark(setup.known, STEALTH, 0, "STEP-16")


CHECK = check_action(
    "Roll a skill or an attribute", "STEP-6", check_setup, check, ("difficulty", "vs", "assets", "aid")
)._replace(effects=reveal_found)

# The turn order, and what a turn begins with


def runner(fighter: Fighter) -> tuple[Runner, Modifiers]:
    """STEP-11: the mind die and its bonus; STEP-12: players go first among equals, and may agree on their order."""
    found = skilled(fighter, "initiative", "mind", "STEP-11")
    dice = dice_of(fighter, "mind", found)
    return Runner(fighter.name, dice.bonus, (not fighter.player,), dice.sides, fighter.player), found


def score(table: RuleTable, one: Runner, tied_with: tuple[str, ...] = ()) -> int:
    """STEP-11; STEP-5: a critical failure counts as 1 before modifiers here (a reading)."""
    return rolled(table, "initiative", DieAndBonus(one.name, one.dice, one.bonus), **tie(tied_with))[1]


# STEP-12, STEP-13: a player who comes in goes ahead of an opponent with as much; copies may share a roll.
INIT = initiative_action(
    "STEP-11", runner, score, times=24, ahead=lambda new, other: new.player and not other.player
)


def start_turn(changes: Changes, intent: Intent, setup: Setup, outcome: Any) -> None:
    """STEP-15: 4 AP, also in an extra turn (STEP-14); STEP-32: the dying take a wound; overwatch is over."""
    fighter = changes.fighter(intent.actor)
    if is_dead(fighter):
        return
    if is_dying(fighter):
        changes.adjust(fighter.name, "health", changes.number("STEP-32").add("dying", -1), "STEP-32")
    if not (fighter.has("stunned") or is_dead(changes.fighter(fighter.name))):
        changes.adjust(fighter.name, "ap", changes.number("STEP-15").add("renewed", TURN_AP), "STEP-15")
    changes.mark(fighter.name, OVERWATCH, 0, "STEP-16")


PHASES = {"start-turn": Action("AP, and what dying takes", "STEP-15", effects=start_turn, window="table")}

# Movement and postures

PART = "go part of the way, and on with the next AP"


def ap(amount: int, gear: str = "") -> tuple[Cost, ...]:
    """STEP-16: so many AP, or as many as this key of the thing in use says."""
    return (Cost("ap", amount, gear, rule="STEP-16"),)


def marking(mark: str, value: int = 0) -> Callable[..., None]:
    """Effects of setting a mark of the actor, or clearing it (STEP-16)."""
    return lambda changes, intent, *_: changes.mark(intent.actor, mark, value, "STEP-16")


def half_pace(fighter: Fighter) -> int:
    """STEP-16: tiles of a move at a crouch, or unseen."""
    return pace(fighter) // 2


HIDDEN = has("hidden", "STEP-16", hint="first: crisis act {who} hide")
KNEELING = has("kneeling", "STEP-16", hint="first: crisis act kneel")
PRONE = has("prone", "STEP-16", hint="first: crisis act prone")
UPRIGHT = (
    lacks("prone", "STEP-16", "{who} is prone and cannot {action}", hint="crawl or rise"),
    lacks("kneeling", "STEP-16", "{who} is kneeling and cannot {action}", hint="crouch or rise"),
)
Requirement = Callable[[Scene, Intent], None]


def walk(title: str, most: Callable[[Fighter], int], cost: int, says: str, *requires: Requirement) -> Action:
    """The row of a way of going up to `most` tiles, which loses the aim."""
    also = marking(AIM)
    return move_action(
        title, "STEP-16", most, ap(cost), says, unit=UNIT, hint=PART, requires=requires, also=also
    )


def sneak_setup(scene: Scene, intent: Intent) -> Setup:
    """STEP-16: stealth at 4 or better, above the Perception of every foe able to act."""
    fighter = scene.fighters[intent.actor]
    most = half_pace(fighter)
    no_farther(scene, intent, most, "STEP-16", UNIT.name, PART)
    mine = skilled(fighter, "check", "stealth", "STEP-16").asked(intent)
    goal = Modifiers("difficulty", "STEP-16").base("base", DIFFICULTY)
    watching = (foe for foe in scene.foes(fighter.name) if not unable(CONDITIONS, foe)[0])
    unnoticed = max(goal.total, *(perception(scene, foe.name) + 1 for foe in watching), 0)
    return Setup(CheckSetup(dice_of(fighter, "stealth", mine), unnoticed), lines_of(mine, goal), known=most)


def sneak_effects(changes: Changes, intent: Intent, setup: Setup, result: CheckResult) -> None:
    """STEP-16: gone so far, still hidden or not, and what a search must reach from now on."""
    if (to := intent.get("to")) is not None:
        changes.move(intent.actor, to, "STEP-16")
    changes.mark(intent.actor, AIM, 0, "STEP-16")
    changes.begin(intent.actor, "hidden", "STEP-16", result.success)
    changes.mark(intent.actor, STEALTH, result.total if result.success else 0, "STEP-16")


POSTURE_COSTS = {
    ("", "kneel"): ("kneeling", 1),
    ("prone", "kneel"): ("kneeling", 1),
    ("", "prone"): ("prone", 2),
    ("kneeling", "prone"): ("prone", 1),
    ("kneeling", "rise"): ("", 1),
    ("prone", "rise"): ("", 2),
}
"""STEP-16: from a posture by an action to another, and the AP it takes."""


def posture_setup(scene: Scene, intent: Intent) -> Setup:
    """STEP-16: kneeling, lying down, rising; refused where it changes nothing."""
    fighter = scene.fighters[intent.actor]
    now = next((one for one in ("prone", "kneeling") if fighter.has(one)), "")
    if (now, intent.action) not in POSTURE_COSTS:
        message = f"{intent.actor} is {now or 'standing'} already"
        refuse(intent, message, "STEP-16", final=True, code="condition_forbids")
    then, amount = POSTURE_COSTS[now, intent.action]
    return Setup(then, costs=ap(amount))


def take_posture(changes: Changes, intent: Intent, setup: Setup, outcome: Any) -> None:
    """STEP-17: the one posture and not the other."""
    for one in ("prone", "kneeling"):
        changes.begin(intent.actor, one, "STEP-16", one == setup.dice)


KNEEL = Action("Kneel", "STEP-16", posture_setup, take_posture, says="{actor} kneels")

# Weapons in hand, hiding, aiming, overwatch


def draw_price(name: str, weapon: Weapon) -> tuple[Cost, ...]:
    """STEP-16: AP of drawing a weapon, by its skill."""
    return ap({"light-weapons": 0, "heavy-weapons": 2}.get(sheet.weapon_skill(weapon), 1))


def magazine(name: str, weapon: Weapon) -> tuple[Cost, ...]:
    """STEP-16: a magazine, where they are counted."""
    return (Cost(f"magazines:{name}", 1, rule="STEP-16"),) if "magazines" in weapon else ()


def can_aim(scene: Scene, intent: Intent) -> None:
    """STEP-16: nothing is aimed without a weapon in hand that is not for melee."""
    held, weapons = scene.fighters[intent.actor].held, scene.fighters[intent.actor].sheet["weapons"]
    if all(weapons[one]["kind"] == "melee" for one in held if one in weapons):
        message, hint = f"{intent.actor} has nothing in hand to aim", "draw a weapon to shoot or throw"
        refuse(intent, message, "STEP-16", hint, code="not_in_hand")


# What an attack is about

TRIED, GOT_AWAY = 1, 2


class TargetState(NamedTuple):
    """How a target is, as far as an attack can change it; its pools know the parts of what they change by."""

    health: int
    nonlethal: int
    durability: int
    great: bool = False
    """A hit of 13 wounds or more has struck (STEP-32)."""
    spared: bool = False
    """The last hit would have killed, and did not (STEP-33)."""
    marked: bool = False
    """A hit has got through, and inflicts what the weapon inflicts (STEP-30)."""
    dodged: int = 0
    """`TRIED` after a dodge (STEP-26), `GOT_AWAY` where it took the dodger a tile away."""
    wounded: bool = False
    """A lethal wound was dealt (STEP-36: a stable fighter is so no longer)."""


States = tuple[TargetState, ...]
"""How the targets are before or after an attack, in their order."""


class TargetSetup(NamedTuple):
    """A fighter that an attack can hurt, as far as the dice must know."""

    name: str
    state: TargetState
    dr: int = 0
    """Against the type of this damage (STEP-29)."""
    away: tuple[tuple[int, ...], ...] = ()
    """For each shot at an area, tiles from its centre: aimed well, then for each direction of a miss (STEP-27)."""
    dodges: int = 0
    """Which of the shots it can dodge: the first with a mark near enough (STEP-26)."""
    resists: DieAndBonus | None = None
    """The roll of a dodge (STEP-26), or the body roll of the survivor of an execution (STEP-16); None for neither."""

    def wounds(self, state: TargetState) -> int:
        """The wounds, lethal and not, that lead to another state."""
        return self.state.health - state.health + state.nonlethal - self.state.nonlethal


class DamageSetup(NamedTuple):
    """What every hit of an attack does."""

    who: str
    dice: Amount
    """Dice, and everything added."""
    extras: int = 1
    """What each extra adds: 1, doubled for an execution, 0 in an area (STEP-24, STEP-28)."""
    piercing: int = 0
    spare: bool | None = False
    """Whether to knock out in place of killing; None: the attacker's player is asked (STEP-33)."""
    most: int = 9999
    """More damage than this makes no difference to anyone."""


class Shot(NamedTuple):
    """One attack roll."""

    target: str
    """The fighter it is aimed at; empty for a place."""
    dice: DieAndBonus
    difficulty: int
    number: int = 0
    """Its place among the shots of the action, from 1; 0 where it is the only one."""
    keep: bool = True
    """Whether its success and its total are asked for afterwards."""

    @property
    def about(self) -> dict[str, object]:
        """What tells its rolls from those of other shots."""
        return {"against": self.target, "shot": self.number} if self.number else {}


class Area(NamedTuple):
    """Where an area attack reaches, and where a miss can land."""

    radius: int
    thins: bool
    """Explosive: a die fewer for each tile from the centre (STEP-25)."""
    landings: tuple[int, ...]
    """Where it goes off by the die of a miss, a d8 or with hexes a d6, 0 being its mark (STEP-27): the directions
    themselves or, for the odds of one target, of those that are equally far from it the first."""
    spots: tuple[tuple[float, float] | None, ...]
    """The places of the landings, None where they are not known."""
    off: int
    """Tiles by which a miss misses (STEP-27)."""


class AttackSetup(NamedTuple):
    """What the dice of an attack depend on."""

    damage: DamageSetup
    shots: tuple[Shot, ...]
    targets: tuple[TargetSetup, ...]
    """Empty for the odds of the attack rolls by themselves."""
    burst: bool = False
    areas: tuple[Area, ...] = ()
    """For each shot the area that it strikes; empty for a weapon without."""

    def at(self, shot: Shot) -> int:
        """Which of the targets a shot is aimed at."""
        return [one.name for one in self.targets].index(shot.target)


class AttackResult(NamedTuple):
    """What an attack came to."""

    success: bool
    total: int | None
    """Of the attack roll, where there is only one."""
    hits: int
    landing: int
    """Where the last shot at an area went off: 0 at its mark, else the direction of its miss (STEP-27)."""
    tolls: States
    landings: tuple[int, ...] = ()
    """The landings of all shots at areas, where they are asked for."""

    def then(self, success: bool, total: int, states: States) -> AttackResult:
        """The result with that of one more attack roll."""
        return self._replace(
            success=self.success or success, total=total, hits=self.hits + success, tolls=states
        )

    def at(self, landing: int, keep: bool) -> AttackResult:
        """The result with the landing of one more shot at an area."""
        return self._replace(landing=landing, landings=(*self.landings, landing) if keep else ())


Progress = tuple[int, AttackResult]
"""How many attack rolls have been made, and what they came to."""

# What an attack roll must reach

MELEE = 1
"""STEP-3: melee range, in tiles."""
PARRY_LEAST = 2
"""STEP-3; also the Parry of the helpless (a reading of STEP-17)."""
PASSED = {"total": "none"}
"""STEP-22: total cover does not help against a foe who has come beside (a reading)."""
COVER_LEVELS = ("none", "light", "heavy", "total")
POSTURES = {"kneeling": (2, "light", 1), "prone": (4, "heavy", 2)}
"""STEP-17: what is added to melee attacks on a fighter in it, its cover against all others, and on its own shots."""


def parry(scene: Scene, intent: Intent, target: Fighter, against: str = "") -> Modifiers:
    """STEP-3, STEP-20: the numbers that make up the Parry of a target."""
    found = Modifiers("difficulty", "STEP-3", against)
    if target.has("helpless"):
        return found.add("helpless", PARRY_LEAST, "STEP-17", "condition")
    if "parry" in target.sheet:
        found.add("parry", target.sheet["parry"], source="sheet")
    else:
        found.add("melee", sum(die_of(target.sheet, "melee")), source="skill")
        weapons = target.sheet["weapons"]
        armed = any(weapons[one]["kind"] == "melee" for one in target.held if one in weapons)
        found.add("no melee weapon in hand", 0 if armed else -2)
    found.situational(target, "parry")
    if (around := intent.get("enemies")) is None:
        others = [foe for foe in scene.foes(target.name) if foe.name != intent.actor]
        around = 1 + able_within(scene, others, target.name, MELEE)
    further = min(MOST_AROUND, max(1, around) - 1)
    found.add(f"{further + 1} enemies around", -further, source="melee range")
    return found.at_least(PARRY_LEAST, "never below 2")


def derived(fighter: Fighter) -> dict[str, int]:
    """STEP-3: Pace, Parry against one enemy, and Perception without allies near."""
    alone = Scene(sheet.NAME, {fighter.name: fighter})
    attacked = Intent("attack", fighter.name, (fighter.name,), {"enemies": 1})
    return {
        "pace": pace(fighter),
        "parry": parry(alone, attacked, fighter).total,
        "perception": perception(alone, fighter.name),
    }


def cover(scene: Scene, intent: Intent, target: Fighter, kind: str) -> tuple[str, str]:
    """STEP-22: the best cover of a target from the actor (only the best counts), and its source; `kind` is that of the
    weapon: projectiles go through penetrable cover, posture covers against all but melee."""
    level, source, thin = intent.get("cover"), "--cover", False
    if level is None:
        level, source, thin = scene.cover(target.name, intent.actor, UNIT.beside, PASSED)
    if (thin or intent.get("penetrable")) and kind in ("ranged", "heavy") and level != "none":
        level, source = COVER_LEVELS[COVER_LEVELS.index(level) - 1], f"{source}, penetrable"
    if kind != "melee" and not intent.get("behind"):
        for posture, (_, behind, _) in POSTURES.items():
            if target.has(posture) and COVER_LEVELS.index(behind) > COVER_LEVELS.index(level):
                level, source = behind, f"{posture}, facing the attacker"
    return level, source


def tiles_to(scene: Scene, intent: Intent, target: Fighter | None) -> int | None:
    """Tiles to the target, or to the place aimed at: as said, else between the positions (ALL-4)."""
    said, place, here = intent.get("range"), intent.get("at"), scene.fighters[intent.actor].at
    if said is not None:
        return int(said)
    if place is not None:
        return None if here is None else distance(here, place)
    return scene.distance(intent.actor, target.name) if target else None


def modifiers_at(
    scene: Scene, intent: Intent, target: Fighter | None, name: str, weapon: Weapon, against: str
) -> Modifiers:
    """What cover, posture and distance do to an attack roll at a target or, for None, at a place (STEP-17, STEP-22);
    Refused behind total cover, out of reach (STEP-3) and out of range (STEP-19)."""
    found, tiles = Modifiers("attack", "STEP-22", against), tiles_to(scene, intent, target)
    if target:
        level, source = cover(scene, intent, target, weapon["kind"])
        found.cover(intent, target.name, COVER, level, "STEP-22", source)
        for posture, (easier, _, _) in POSTURES.items() if weapon["kind"] == "melee" else ():
            found.add(f"{posture} target", easier * target.has(posture), "STEP-17")
    far = f"{target.name if target else 'the place'} is {tiles} tiles away"
    goal = f"toward {slug(target.name)}" if target else "--to X,Y"
    closer = f"move closer: crisis act {slug(intent.actor)} move {goal}"
    if weapon["kind"] == "melee":
        if tiles is not None and tiles > MELEE:
            refuse(
                intent, f"{far}; melee reaches {MELEE}", "STEP-3", closer, code="out_of_reach", first="move"
            )
        return found
    beyond = increments(tiles, weapon.get("range"))
    if beyond >= 10:
        far += f"; the {name} reaches {10 * weapon['range']}"
        refuse(intent, far, "STEP-19", closer, code="out_of_reach")
    return found.add("range", -beyond, "STEP-19", f"{tiles} tiles at {weapon.get('range')} an increment")


# Before the dice

NO_DODGE = "leave the dodge out: --react none"


def attack_setup(scene: Scene, intent: Intent) -> Setup:
    """STEP-18: an attack with the weapon in hand; STEP-23: a throw; STEP-16: an execution."""
    fighter, executing = scene.fighters[intent.actor], intent.action == "execute"
    name, weapon = weapon_in_use(scene, intent, "STEP-16", sheet.UNARMED, throws="STEP-23")
    if executing and is_area(weapon):
        message = f"the {name} strikes an area and executes nobody"
        refuse(intent, message, "STEP-16", final=True, code="wrong_item")
    aims = aims_of(scene, intent, name, weapon)
    names = tuple(dict.fromkeys(aims))
    always = skilled(fighter, "attack", sheet.weapon_skill(weapon), "STEP-18")
    always.add("hit", weapon["hit"], source=f"weapons.{name}")
    for posture, (_, _, steadier) in POSTURES.items() if weapon["kind"] != "melee" else ():
        always.add(posture, steadier * fighter.has(posture), "STEP-17", "condition")
    lines, numbers = [always], {}
    for one in names:
        target, against = scene.fighters.get(one), one if len(names) > 1 else ""
        at_it = modifiers_at(scene, intent, target, name, weapon, against)
        if target and weapon["kind"] == "melee" and not is_area(weapon):
            goal = parry(scene, intent, target, against)
        else:
            goal = Modifiers("difficulty", "STEP-19", against).base("base", DIFFICULTY)
        lines += [at_it, goal]
        numbers[one] = always.total + at_it.total, goal.total
    hit, found = damage_setup(scene, intent, name, weapon, aims, executing)
    areas: tuple[Area, ...] = ()
    if is_area(weapon):
        marks = {one: area_of(scene, intent, weapon, hit.dice, one) for one in names}
        areas = tuple(marks[one] for one in aims)
        targets, resists = in_reach(scene, intent, weapon, name, aims, marks)
    else:
        targets, resists = tuple(target_setup(scene.fighters[one], weapon["type"]) for one in names), []
    if executing:
        target = scene.fighters[intent.target]
        resists = [skilled(target, "resist", "body", "STEP-16")]
        targets = (targets[0]._replace(resists=dice_of(target, "body", resists[0])),)
    shots, own = shots_at(fighter, intent, weapon, aims, numbers)
    burst = "burst" in weapon["tags"] and len(shots) > 1
    dice = AttackSetup(hit, shots, targets, burst, areas)
    ap = weapon["ap"] + (len(shots) - 1) * weapon["rof_ap"]
    costs = [Cost("ap", ap, rule="STEP-21" if len(shots) > 1 else "STEP-16")]
    if "capacity" in weapon:
        costs.append(Cost(f"ammo:{name}", len(shots), rule="STEP-21"))
    shown = lines_of(*lines, *own, found, *resists)
    odds = per_target(dice)
    whole = odds[1][1] if len(targets) == 1 else None
    return Setup(dice, shown, tuple(costs), name, odds, weapon, whole)


def aims_of(scene: Scene, intent: Intent, name: str, weapon: Weapon) -> list[str]:
    """STEP-21: the target of each attack roll, empty for a place; spare shots go to the last. Refused for the dead
    (STEP-32), for a place where a target is needed, and for too few or too many shots. Only an area may have fewer
    shots than targets: `in_reach` refuses those that it does not reach."""
    area, burst, rof = is_area(weapon), "burst" in weapon["tags"], weapon["rof"]
    targets = [""] if intent.get("at") is not None else list(intent.targets)
    if intent.get("at") is not None and not area:
        message = f"the {name} needs a target, not a place"
        refuse(intent, message, "STEP-25", "areas are aimed at places", final=True, code="wrong_target")
    if intent.get("react") == "dodge" and not area:
        message = "only attacks on an area can be dodged"
        refuse(intent, message, "STEP-26", NO_DODGE, final=True, code="cannot_react")
    most = rof if burst and len(targets) > 1 else min(rof, len(targets)) if area else len(targets)
    shots: int = intent.get("shots", most)
    # Who is named again is to be attacked again; who is named once may stand in a blast.
    again = any(one in targets[:at] for at, one in enumerate(targets) if at >= shots)
    wanted = len(targets) if again else shots
    if (not area and shots < len(targets)) or shots < wanted <= rof:
        message, hint = f"{shots} shots are too few for {', '.join(targets)}", "at least one for each target"
        refuse(intent, message, "STEP-21", hint, final=True, code="wrong_shots")
    if not 1 <= wanted <= rof:
        message = f"the {name} attacks {rof} times in one action, not {wanted}"
        refuse(intent, message, "STEP-21", code="wrong_shots")
    if burst and shots not in (1, rof):
        message = f"the {name} fires 1 shot or a burst of {rof}"
        refuse(intent, message, "STEP-21", f"give --shots {rof}", code="wrong_shots")
    for one in () if area else targets:
        if is_dead(scene.fighters[one]):
            refuse(intent, f"{one} is dead already", "STEP-32", code="already_dead")
    return targets[:shots] + targets[-1:] * (shots - len(targets))


def shots_at(
    fighter: Fighter, intent: Intent, weapon: Weapon, aims: list[str], numbers: Mapping[str, tuple[int, int]]
) -> tuple[tuple[Shot, ...], list[Modifiers]]:
    """The attack rolls, each further one harder than the one before (STEP-21), and the modifiers of each alone: aim
    and the modifier of the command count for the first (STEP-16, ALL-6). `numbers`: bonus and difficulty by target."""
    sides, _ = die_of(fighter.sheet, sheet.weapon_skill(weapon))
    shots, found = [], []
    for number, aim in enumerate(aims, start=1):
        shown = number if len(aims) > 1 else 0
        own = Modifiers("attack", "STEP-21", aim if len(numbers) > 1 else "", shown)
        own.add(f"shot {number}", -weapon["rof_penalty"] * (number - 1), source="rate of fire")
        if number == 1:
            aiming = fighter.marks.get(AIM, 0) if weapon["kind"] != "melee" else 0
            own.add("aim", aiming, "STEP-16", "take-aim").asked(intent)
        bonus, difficulty = numbers[aim]
        shots.append(Shot(aim, DieAndBonus(fighter.name, sides, bonus + own.total), difficulty, shown))
        found.append(own)
    return tuple(shots), found


def damage_setup(
    scene: Scene, intent: Intent, name: str, weapon: Weapon, aims: list[str], executing: bool
) -> tuple[DamageSetup, Modifiers]:
    """STEP-28: what a hit does, and what is added to its dice. Doublings add up, and multiply only what the weapon has:
    an execution, and a close-range weapon that has all its targets within the first increment."""
    fighter, tags = scene.fighters[intent.actor], weapon["tags"]
    tiles = [tiles_to(scene, intent, scene.fighters.get(one)) for one in aims]
    far = is_area(weapon) or any(increments(one, weapon.get("range")) for one in tiles)
    base = sheet.damage_dice(weapon["damage"], die_of(fighter.sheet, "body")) or Amount()
    times = 1 + executing + ("close-range" in tags and not far)
    longer = len(aims) == 1 and "long-range" in tags and base.many > 0
    found = Modifiers("damage", "STEP-28").add("weapon", base.plus * times, source=f"weapons.{name}")
    plus = found.situational(fighter, "damage").asked(intent, "mod_damage").total
    dice = Amount(base.many * times + longer, base.sides, plus)
    extras = 0 if is_area(weapon) else 1 + executing
    asks = scene.asks(intent.actor) and not executing and "spare" not in intent.options
    spare = None if asks else bool(intent.get("spare"))
    return DamageSetup(intent.actor, dice, extras, weapon["piercing"], spare), found


def target_setup(fighter: Fighter, kind: str) -> TargetSetup:
    """A fighter as the target of damage of one type."""
    pools = fighter.pools
    state = TargetState(pools["health"], pools["nonlethal"], pools["durability"])
    return TargetSetup(fighter.name, state, fighter.sheet["armour"]["dr"].get(kind, 0))


def per_target(setup: AttackSetup) -> tuple[tuple[str, AttackSetup], ...]:
    """For the odds: the attack rolls by themselves, and for each target those that can hurt it."""
    hits = setup._replace(targets=(), areas=(), damage=DamageSetup(setup.damage.who, Amount(), 0))
    return (("", hits), *((one.name, alone(setup, one)) for one in setup.targets))


def alone(setup: AttackSetup, target: TargetSetup) -> AttackSetup:
    """The attack for the odds of one target: totals and numbers of shots do not count, nor which way a miss goes, nor
    damage beyond what makes a difference."""
    areas, away = [], []
    for area, tiles in zip(setup.areas, target.away, strict=bool(setup.areas)):
        away.append(tuple(min(one, area.radius + 1) for one in tiles))
        areas.append(area._replace(landings=tuple(away[-1].index(one) for one in away[-1])))
    mine = (one for one in setup.shots if areas or one.target == target.name)
    shots = (one._replace(target=target.name, number=0, keep=False) for one in mine)
    most = max(max(one.state.health - LOWEST, GREAT) + one.dr for one in setup.targets)
    return setup._replace(
        damage=setup.damage._replace(most=most), shots=tuple(shots), targets=(target,), areas=tuple(areas)
    )


# Areas, before the dice

DODGED = "dodged"
"""The mark of a fighter who has used the dodge of this round (STEP-26)."""


def area_of(scene: Scene, intent: Intent, weapon: Weapon, dice: Amount, aim: str) -> Area:
    """STEP-25, STEP-27: how far the blast of a shot reaches, and where it goes off: at its mark or in some direction.
    `aim` is the fighter aimed at; empty for a place."""
    place, ways = intent.get("at"), 6 if intent.get("hex") else 8
    target = scene.fighters.get(aim)
    off = increments(tiles_to(scene, intent, target), weapon.get("range")) + 1
    mark, here = target.at if target else place, scene.fighters[intent.actor].at
    misses = (landed(here, mark, way, off, ways) for way in range(1, ways + 1))
    spots = (tuple(mark) if mark else None, *misses)
    radius = weapon.get("area", max(0, dice.many - 1))
    return Area(radius, "explosive" in weapon["tags"], tuple(range(ways + 1)), spots, off)


def in_reach(
    scene: Scene, intent: Intent, weapon: Weapon, name: str, aims: list[str], marks: Mapping[str, Area]
) -> tuple[tuple[TargetSetup, ...], list[Modifiers]]:
    """Everyone that these shots can hurt, in the order of the sheets, and the modifiers of their dodges. Refused where
    somebody who is named gets no shot and is not within the radius of any (STEP-21, STEP-25)."""
    targets: list[TargetSetup] = []
    dodges: list[Modifiers] = []
    reasons: dict[str, tuple[str, str]] = {}
    reached = {*aims}
    for who, fighter in scene.fighters.items():
        if fighter.gone or is_dead(fighter):
            continue
        tiles = {aim: tiles_from(scene, intent, fighter, area, aim, aims) for aim, area in marks.items()}
        if all(min(tiles[aim]) > area.radius for aim, area in marks.items()):
            continue
        near = [number for number, aim in enumerate(aims) if tiles[aim][0] <= marks[aim].radius]
        reached |= {who} if near else set()
        away = tuple(tiles[aim] for aim in aims)
        target = target_setup(fighter, weapon["type"])._replace(away=away, dodges=near[0] if near else 0)
        reasons[who] = why, _ = no_dodge(scene, intent, fighter, bool(near))
        if not why or (intent.get("react") == "dodge" and intent.get("force")):
            dodges.append(skilled(fighter, "dodge", "athletics", "STEP-26", who))
            target = target._replace(resists=dice_of(fighter, "athletics", dodges[-1]))
        targets.append(target)
    for who in intent.targets:
        if who not in reached:
            at = " and ".join(aim or "the place" for aim in marks)
            far = f"{who} is out of reach: the {name} goes off at {at} and reaches {marks[aims[0]].radius} tiles"
            refuse(intent, far, "STEP-25", f"leave {slug(who)} out", code="out_of_reach")
    concerned = [reasons[who] for who in intent.targets if who in reasons] or list(reasons.values())
    if intent.get("react") == "dodge" and all(why for why, _ in concerned):
        why, rule = concerned[0] if concerned else ("nobody in reach can dodge", "STEP-26")
        refuse(intent, why, rule, NO_DODGE, code="cannot_react")
    return tuple(targets), dodges


def tiles_from(
    scene: Scene, intent: Intent, fighter: Fighter, area: Area, aim: str, aims: list[str]
) -> tuple[int, ...]:
    """Tiles between a fighter and each place where a shot can go off; beyond the radius behind what stops sight on a
    map (STEP-25). Where places are not known, those who are named without a shot of their own stand where the last
    shot is aimed; a blast that scatters is so many tiles from them, and hits nobody else (STEP-27)."""
    out_of_reach = area.radius + 1
    own_mark = fighter.name if fighter.name in aims else aims[-1] if fighter.name in intent.targets else None
    tiles = []
    for landing, spot in enumerate(area.spots):
        if spot is not None and fighter.at is not None:
            is_open = scene.field is None or scene.field.sees(spot, fighter.at)
            tiles.append(distance(spot, fighter.at) if is_open else out_of_reach)
        else:
            tiles.append(out_of_reach if own_mark != aim else area.off if landing else 0)
    return tuple(tiles)


def no_dodge(scene: Scene, intent: Intent, fighter: Fighter, reached: bool) -> tuple[str, str]:
    """STEP-26: why a fighter may not dodge this attack, and the rule; two empty words where it may: inside the radius
    round the mark, and not the attacker (both are readings)."""
    unfit, rule = unable(CONDITIONS, fighter)
    reasons = (
        (fighter.name == intent.actor, "is the attacker and cannot dodge", "STEP-26"),
        (not reached, "is not within the radius", "STEP-26"),
        (unfit, f"is {unfit} and cannot dodge", rule),
        (fighter.has("helpless"), "is helpless and cannot dodge", "STEP-17"),
        (scene.open and fighter.marks.get(DODGED), "has used this round's dodge", "STEP-26"),
    )
    return next(((f"{fighter.name} {why}", by) for holds, why, by in reasons if holds), ("", ""))


# The dice of attacks


def attack(table: RuleTable, setup: AttackSetup) -> AttackResult:
    """STEP-18: every attack roll, and the damage of every hit; dodges are declared before (STEP-26)."""
    if setup.areas:
        if len(setup.targets) > 1:
            together = f"what an area does to {len(setup.targets)} targets together takes too many branches"
            table.refuse_odds(together, "ask about each of them")
        targets = tuple(declare_dodge(table, setup, one) for one in setup.targets)
        setup = setup._replace(targets=targets)
    return table.ask(roll_attack, setup)


def roll_attack(table: RuleTable, setup: AttackSetup) -> AttackResult:
    """STEP-18, STEP-21: an attack with all dodges declared."""
    result = AttackResult(False, 0, 0, 0, tuple(one.state for one in setup.targets))
    if setup.burst and setup.targets:
        return fire_burst(table, setup, result.tolls)
    one_attack = go_off if setup.areas else shoot
    _, result = table.chain(len(setup.shots), one_attack, (0, result), setup)
    if setup.targets and setup.targets[0].resists and not setup.areas:
        spares = bool(setup.damage.spare)
        result = result._replace(tolls=(table.ask(survive, setup.targets[0], result.tolls[0], spares),))
    return result if len(setup.shots) == 1 else result._replace(total=None)


def shoot(table: RuleTable, progress: Progress, setup: AttackSetup) -> Progress:
    """The next shot, and the damage of a hit."""
    fired, before = progress
    shot, states = setup.shots[fired], before.tolls
    success, total, harm = table.ask(shot_damage, shot, setup.damage)
    if success and states:
        states = strike(table, setup, states, setup.at(shot), harm)
    return fired + 1, before.then(success and shot.keep, total, states)


def strike(table: RuleTable, setup: AttackSetup, states: States, at: int, harm: int) -> States:
    """The states of the targets after a hit on one of them."""
    return (*states[:at], wound(table, setup.targets[at], states[at], harm, setup.damage), *states[at + 1 :])


def shot_damage(table: RuleTable, shot: Shot, setup: DamageSetup) -> tuple[bool, int, int]:
    """STEP-18, STEP-28: an attack roll and the damage of a hit: whether it hits, its total where it is asked for, and
    the damage."""
    success, total, earned = table.ask(attack_roll, shot, setup)
    target = shot.target if shot.number else ""
    return success, total, table.ask(damage_of, setup, 1, earned, target, shot.number) if success else 0


def attack_roll(table: RuleTable, shot: Shot, setup: DamageSetup) -> tuple[bool, int, int]:
    """STEP-6, STEP-18: the attack die and the bonus against the difficulty: whether it hits, its total where that is
    asked for, and its extras (STEP-8)."""
    reached, total = rolled(table, "attack", shot.dice, shot.difficulty, **shot.about)
    success = reached >= shot.difficulty
    earned = extras(total) if success and setup.extras else 0
    table.result(extras=earned or None)
    return success, total if shot.keep and not shot.number else 0, earned


def fire_burst(table: RuleTable, setup: AttackSetup, states: States) -> AttackResult:
    """STEP-21: all attack dice first, then damage hit by hit, summed on each target before armour."""
    _, got = table.chain(len(setup.shots), fire, (0, ((0, 0),) * len(states)), setup)
    for at, (hits, earned) in enumerate(got):
        if hits:
            harm = table.ask(damage_of, setup.damage, hits, earned, setup.targets[at].name)
            states = strike(table, setup, states, at, harm)
    hits = sum(hits for hits, _ in got)
    return AttackResult(hits > 0, None, hits, 0, states)


def fire(
    table: RuleTable, state: tuple[int, tuple[tuple[int, int], ...]], setup: AttackSetup
) -> tuple[int, tuple[tuple[int, int], ...]]:
    """The next attack roll of a burst; the state: how many were made, and for each target the hits and extras."""
    fired, got = state
    at = setup.at(setup.shots[fired])
    success, _, earned = table.ask(attack_roll, setup.shots[fired], setup.damage)
    now = got[at][0] + success, min(got[at][1] + earned, setup.damage.most)
    return fired + 1, (*got[:at], now, *got[at + 1 :])


def survive(table: RuleTable, target: TargetSetup, state: TargetState, spares: bool) -> TargetState:
    """STEP-16: a target that survives an execution needs a body roll at or above its wounds, or dies (a reading);
    STEP-33: unless the attacker spares it."""
    wounds = target.wounds(state)
    if not wounds or state.health <= LOWEST or target.resists is None:
        return state
    reached, _ = rolled(table, "resist", target.resists, wounds, cause="the execution")
    if reached >= wounds or state.spared:
        return state
    health = table.plus(state.health, "executed", LOWEST - state.health, "STEP-16")
    if spares:
        health = spared_health(table, target.state, health)
    return state._replace(health=health, spared=spares, wounded=True)


# The dice of areas


def declare_dodge(table: RuleTable, setup: AttackSetup, target: TargetSetup) -> TargetSetup:
    """STEP-26: a target with its dodge, or without it, as it is declared before the attack is rolled."""
    if target.resists is None:
        return target
    ways = {"none": target._replace(resists=None), "dodge": target}
    alternatives = (
        Alternative(name, expected_wounds, (alone(setup, one),), counts="wounds")
        for name, one in ways.items()
    )
    return ways[table.choose(target.name, tuple(alternatives)).name]


def expected_wounds(table: RuleTable, setup: AttackSetup) -> int:
    """STEP-26: the wounds that an attack on an area brings its only target; what a dodge is weighed by."""
    (target,) = setup.targets
    (state,) = table.ask(roll_attack, setup).tolls
    return target.wounds(state)


def go_off(table: RuleTable, progress: Progress, setup: AttackSetup) -> Progress:
    """The next attack on an area: its roll, and what becomes of the targets, the nearest first. Each target dodges the
    first that is aimed near it (STEP-26). Where a dodger ends up counts when all have gone off (a reading)."""
    (fired, before), targets, hit = progress, setup.targets, setup.damage
    shot, area, states = setup.shots[fired], setup.areas[fired], before.tolls
    dodgers = tuple(one.resists for one in targets if one.resists and one.dodges == fired)
    success, total, landing, escaped = table.ask(area_roll, shot, area, dodgers)
    tiles = [one.away[fired][landing] + (one.name in escaped) for one in targets]
    for at in sorted(range(len(targets)), key=tiles.__getitem__):
        target, state = targets[at], states[at]
        if target.resists and target.dodges == fired:
            state = state._replace(dodged=GOT_AWAY if target.name in escaped else TRIED)
        if target.away[fired][landing] <= area.radius < tiles[at]:
            state = graze(table, state, "dodged")
        elif tiles[at] <= area.radius:
            # STEP-25: one die fewer for each tile, at least one.
            fewer = min(tiles[at], hit.dice.many - 1) if area.thins and hit.dice.many else 0
            thinned = hit._replace(dice=hit.dice._replace(many=hit.dice.many - fewer)) if fewer else hit
            state = wound(table, target, state, table.ask(damage, thinned, target.name, shot.number), hit)
        states = (*states[:at], state, *states[at + 1 :])
    return fired + 1, before.then(success, total, states).at(landing, shot.keep)


def area_roll(
    table: RuleTable, shot: Shot, area: Area, dodgers: tuple[DieAndBonus, ...]
) -> tuple[bool, int, int, tuple[str, ...]]:
    """STEP-23, STEP-26, STEP-27: whether the attack hits, its total, its landing, and the dodgers who got away."""
    reached, total = rolled(table, "attack", shot.dice, shot.difficulty, **shot.about)
    success = reached >= shot.difficulty
    escaped = tuple(one.who for one in dodgers if table.ask(dodge, one, reached, total))
    landing = 0 if success else table.ask(scatter, shot.dice.who, area)
    shown = total if shot.keep and not shot.number else 0
    return success and shot.keep, shown, landing, escaped


def dodge(table: RuleTable, dodger: DieAndBonus, attack_reached: int, attack_total: int) -> bool:
    """STEP-26: whether athletics is strictly higher than the attack (a reading)."""
    table.label("dodge", dodger.who, f"d{dodger.sides}")
    natural = table.ask(roll, dodger.sides)
    got_away = reach(natural, dodger.bonus) > attack_reached
    total, critical = max(1, natural) + dodger.bonus, None if natural else True
    table.result(total=total, target=attack_total, success=got_away, critical_failure=critical)
    return got_away


def scatter(table: RuleTable, who: str, area: Area) -> int:
    """STEP-27: where a miss goes off, by its direction: 1 straight back to the thrower."""
    sides = len(area.landings) - 1
    table.label("scatter", who, f"d{sides}")
    direction: int = table.die(sides)
    spot = area.spots[direction]
    table.result(total=direction, at=list(spot) if spot else None)
    return area.landings[direction]


# The dice of damage

GREAT = 13
"""STEP-32: wounds of one hit that incapacitate by themselves."""


def damage(table: RuleTable, setup: DamageSetup, target: str = "", number: int = 0) -> int:
    """STEP-28: the weapon's damage before extras and armour, which may be 0 or less; noted as that against `target`, by
    the shot of this `number`."""
    dice = setup.dice
    if not dice.many:
        return min(dice.plus, setup.most)
    table.label("damage", setup.who, dice.dice, against=target, shot=number or "")
    harm = table.ask(roll_damage, dice)
    table.result(total=harm)
    return min(harm, setup.most)


def roll_damage(table: RuleTable, dice: Amount) -> int:
    """STEP-28: dice that explode and never implode (a reading), and the flat part."""
    return table.exploding(dice.many, dice.sides, int) + dice.plus


def damage_of(
    table: RuleTable, setup: DamageSetup, hits: int, extras: int, target: str = "", number: int = 0
) -> int:
    """STEP-21, STEP-28: the damage of so many hits together; their extras are noted with the first of them."""
    harm, added = table.ask(roll_hits, setup, hits, target, number), extras * setup.extras
    if added and setup.dice.many:
        table.add_to(hits, added)
    return min(table.plus(harm, "extra", added, "STEP-28"), setup.most)


def roll_hits(table: RuleTable, setup: DamageSetup, hits: int, target: str, number: int) -> int:
    """STEP-21: the damage of so many hits, without extras."""
    harm: int = table.times(hits, damage, setup, target, number)
    return min(harm, setup.most)


def wound(
    table: RuleTable, target: TargetSetup, state: TargetState, harm: int, setup: DamageSetup
) -> TargetState:
    """The target after one hit of so much damage, extras included (STEP-29 to STEP-33)."""
    if state.health <= LOWEST:
        return state
    dr = target.dr if state.durability > 0 else 0
    blocked = min(max(harm, 0), dr)
    worn = table.plus(state.durability, "blocked", -blocked, "STEP-29")
    worn = table.plus(worn, "limit", max(0, -worn), "STEP-29")
    through = table.plus(harm, "armour", -dr, "STEP-29")
    through = table.plus(through, "piercing", min(setup.piercing, dr), "STEP-29")
    if harm <= 0 or through <= 0:
        return graze(table, state._replace(durability=worn), "stopped" if harm > 0 else "no damage")
    # Not a difference: that would lose the parts.
    health = state.health + -through
    spared = health <= LOWEST and knocks_out(table, setup, target.name)
    if spared:
        health = spared_health(table, state, health)
    health = table.plus(health, "limit", max(0, LOWEST - health), "STEP-32")
    great = state.great or through >= GREAT
    return TargetState(health, state.nonlethal, worn, great, spared, True, state.dodged, True)


def spared_health(table: RuleTable, before: TargetState, health: int) -> int:
    """STEP-33: the Health of a spared target stops at 0, or where it was below that before the attack."""
    return table.plus(health, "spared", min(0, before.health) - health, "STEP-33")


def knocks_out(table: RuleTable, setup: DamageSetup, target: str) -> bool:
    """STEP-33: whether a target that would die is spared; its attacker's player decides where nothing is said."""
    if setup.spare is not None or target == setup.who:
        return bool(setup.spare)
    kill = Alternative("kill", no_harm, gains=f"{target} dies")
    spare = Alternative("spare", no_harm, gains=f"{target} is knocked out", willed=True)
    return table.choose(setup.who, (kill, spare)).name == "spare"


def no_harm(table: RuleTable) -> int:
    """What either choice of the attacker costs the attacker."""
    return 0


def graze(table: RuleTable, state: TargetState, why: str) -> TargetState:
    """STEP-30: a hit that comes to nothing, or a dodge out of the blast: one non-lethal wound, and nothing else."""
    if state.health <= LOWEST:
        return state
    return state._replace(nonlethal=table.plus(state.nonlethal, why, 1, "STEP-30"))


# After the dice


def attack_effects(changes: Changes, intent: Intent, setup: Setup, result: AttackResult) -> None:
    """What an attack changes: its targets, where dodgers stand, and the attacker (STEP-16, STEP-26 to STEP-33)."""
    weapon, dice = setup.known, setup.dice
    changes.end(intent.actor, "hidden", "STEP-16")
    if weapon["kind"] != "melee":
        changes.mark(intent.actor, AIM, 0, "STEP-16")
    # The odds of the attack rolls by themselves have no targets.
    for target, state in zip(dice.targets, result.tolls, strict=False):
        suffer(changes, target.name, state, weapon["inflicts"])
        if state.dodged:
            changes.mark(target.name, DODGED, 1, "STEP-26")
        if state.dodged == GOT_AWAY:
            # For odds every blast is taken to go off at its mark.
            landed_at = result.landings[target.dodges] if result.landings else 0
            step_away(changes, intent, target.name, dice.areas[target.dodges].spots[landed_at])
    if weapon["kind"] == "thrown" and not changes.pool(intent.actor, f"ammo:{setup.gear}"):
        changes.drop(intent.actor, setup.gear, "STEP-23")


def suffer(changes: Changes, name: str, state: TargetState, inflicts: Iterable[str]) -> None:
    """What an attack changes for a target: pools, and the conditions that a hit brings (STEP-29 to STEP-33)."""
    rule = "STEP-33" if state.spared else "STEP-32"
    for pool, by_rule in (("health", rule), ("nonlethal", "STEP-30"), ("durability", "STEP-29")):
        if change := getattr(state, pool) + -changes.pool(name, pool):
            changes.adjust(name, pool, changes.number("STEP-28").from_dice("damage", change), by_rule)
    if state.spared:
        changes.begin(name, "stable", "STEP-33")
    elif state.wounded:
        changes.end(name, "stable", "STEP-36")
    if state.health <= LOWEST:
        return
    for condition in inflicts if state.marked else ():
        until = CONDITIONS[condition].until(changes.scene, name)
        changes.begin(name, condition, "STEP-30", until=until)
    if state.spared:
        for condition in ("incapacitated", "helpless"):
            changes.begin(name, condition, "STEP-33", until=out_of_action(changes))
    elif state.great:
        changes.begin(name, "incapacitated", "STEP-32", until=TREATED)


def out_of_action(changes: Changes) -> End:
    """STEP-33, STEP-36: the end of the ten rounds that a spared or a stabilised fighter is down."""
    return ("end-round", changes.scene.round + 10)


def step_away(changes: Changes, intent: Intent, name: str, spot: tuple[float, float] | None) -> None:
    """STEP-26: a dodger goes one tile, in the direction that leads straightest away from where it went off, if nothing
    stands there; from the very centre away from the attacker, and where that is no direction either, north."""
    at, here = changes.fighter(name).at, changes.fighter(intent.actor).at
    if at is None or spot is None:
        return
    origin = next((one for one in (spot, here or at) if tuple(one) != tuple(at)), (at[0], at[1] - 1))
    ways, field = 6 if intent.get("hex") else 8, changes.scene.field
    to = landed(origin, at, ways // 2 + 1, 1, ways)
    if to is not None and (field is None or not field.at(to).stops_move):
        changes.move(name, to, "STEP-26")


def landing(scene: Scene, intent: Intent, setup: Setup, result: AttackResult) -> Mapping[str, Any]:
    """STEP-27: `off` tiles from its mark an area attack goes off, and `at` [x, y] where positions are known; of several
    shots the last."""
    if not setup.dice.areas:
        return {}
    area = setup.dice.areas[-1]
    spot = area.spots[result.landing]
    place: dict[str, Any] = {"at": spot} if spot else {}
    return place | ({"off": area.off, "unit": "tiles"} if result.landing else {})


def candidates(action: str, *kinds: str) -> Callable[[Scene, str], Iterator[Intent]]:
    """An attack on every foe with every weapon of these kinds in hand, with one shot and with all it has."""
    offered = attack_candidates(action, *kinds, bare_hands=action == "attack")

    def found(scene: Scene, who: str) -> Iterator[Intent]:
        for intent in offered(scene, who):
            yield intent
            rof = scene.fighters[who].sheet["weapons"].get(intent.get("weapon"), sheet.UNARMED)["rof"]
            if rof > 1:
                yield intent.plus(shots=rof)

    return found


LOOK = "look for them: crisis check search --vs {who} stealth, or move beside them"
ATTACK = Action(
    "Attack with the weapon in hand",
    "STEP-18",
    attack_setup,
    attack_effects,
    attack,
    gear="weapons",
    candidates=candidates("attack", "melee", "ranged", "heavy"),
    options=("weapon", "range", "cover", "penetrable", "enemies", "behind", "mod_damage", "shots", "at"),
    targets="many",
    requires=(noticed("hidden", UNIT.beside, "STEP-16", LOOK),),
    words=("hit", "miss"),
    outputs=landing,
    reactions=("dodge",),
    # STEP-16: overwatch lets one attack in others' turns.
    out_of_turn=lambda scene, intent: OVERWATCH in scene.fighters[intent.actor].marks,
    effect_key=lambda result: result._replace(total=None, hits=0, landing=0, landings=()),
    says={**ATTACK_SAYS, "heavy": ATTACK_SAYS["ranged"]},
)
THROW = ATTACK._replace(
    title="Throw a weapon",
    rule_id="STEP-23",
    candidates=candidates("throw", "thrown"),
    says=ATTACK_SAYS["thrown"],
)
EXECUTE = ATTACK._replace(
    title="Kill someone helpless",
    rule_id="STEP-16",
    candidates=lambda scene, who: (
        Intent("execute", who, (foe.name,)) for foe in scene.foes(who) if foe.has("helpless")
    ),
    options=("weapon", "range", "cover", "penetrable", "behind", "mod_damage", "spare"),
    targets="one",
    requires=(
        *ATTACK.requires,
        lacks("dead", "STEP-32", "{who} is dead already", of="target", code="already_dead"),
        has("helpless", "STEP-16", of="target", hint="change it: crisis set {who} condition:helpless on"),
    ),
    reactions=(),
    out_of_turn=lambda scene, intent: False,
    says={
        "": "{actor} tries to kill {target} with the {gear}",
        "unarmed": "{actor} tries to kill {target} with bare hands",
    },
)
# Treatment

MEDICINE = "medicine"


class TreatmentSetup(NamedTuple):
    """What the dice of a treatment depend on."""

    dice: DieAndBonus
    each: int
    """Wounds healed by success, and by each extra: 1, or 2 non-lethal ones (STEP-35); 0: the dying are stabilised."""
    helpers: tuple[DieAndBonus, ...] = ()


class TreatmentResult(NamedTuple):
    """What a treatment came to."""

    success: bool
    total: int
    healed: int
    """Wounds, before the pools' bounds."""
    stabilised: bool
    word: str


def treatment_setup(scene: Scene, intent: Intent) -> Setup:
    """STEP-34: medicine at 4; refused where there is nothing to treat, or the patient is out of reach."""
    fighter, patient = scene.fighters[intent.actor], scene.fighters[intent.patient]
    only_nonlethal = patient.pools["health"] >= patient.full("health")
    can_be_treated(scene, intent, patient, unhurt=only_nonlethal)
    unfit = "the {item} is no help to medicine"
    item, costs = aid_in_use(
        intent, fighter, lambda one: spelled(one.get("asset", "")) == MEDICINE, "STEP-34", unfit
    )
    if intent.get("assets") is not None and not intent.get("item"):
        item, costs = "", ()
    found = skilled(fighter, "heal", MEDICINE, "STEP-34").asked(intent)
    found.add("treating oneself", -2 * (patient.name == fighter.name))
    count = intent.get("assets", 1 if item else 0)
    found.add("assets" if count else "no aids", count - 1 if count else -2, source=item or "--assets")
    helpers, aid = helpers_of(scene, intent, MEDICINE)
    each = 2 if intent.get("nonlethal", only_nonlethal) else 0 if is_dying(patient) else 1
    dice = TreatmentSetup(dice_of(fighter, MEDICINE, found), each, helpers)
    return Setup(dice, lines_of(found, *aid), costs, item)


def can_be_treated(scene: Scene, intent: Intent, patient: Fighter, *, unhurt: bool) -> None:
    """Refuse the treatment of the dead, of old wounds, out of reach (1 tile, a reading), and of no wounds; `unhurt`: of
    no lethal ones."""
    if is_dead(patient):
        refuse(intent, f"{patient.name} is dead", "STEP-34", final=True, code="already_dead")
    if intent.get("old"):
        hint = f"crisis heal {slug(patient.name)} --natural --days 1"
        old = "wounds older than an hour only heal naturally"
        refuse(intent, old, "STEP-34", hint, code="condition_forbids")
    tiles = scene.distance(intent.actor, patient.name)
    if tiles is not None and tiles > 1:
        far = f"{patient.name} is {tiles} tiles away; treating reaches 1"
        refuse(intent, far, "STEP-16", f"first: move beside {slug(patient.name)}", code="out_of_reach")
    taken, whole = patient.pools["nonlethal"], ""
    if intent.get("nonlethal") and not taken:
        whole = f"{patient.name} has no non-lethal wounds"
    elif unhurt and not taken and TREATED not in patient.ends.values():
        whole = f"{patient.name} has no wounds to treat"
    if whole:
        refuse(intent, whole, "STEP-34", final=True, code="condition_forbids")


def treat(table: RuleTable, setup: TreatmentSetup) -> TreatmentResult:
    """STEP-34 to STEP-36: the roll, and what it heals."""
    reached, total = rolled(table, "heal", setup.dice, DIFFICULTY, table.ask(help_with, setup.helpers))
    success = reached >= DIFFICULTY
    more = extras(total) if success else 0
    table.result(extras=more or None)
    word = "failure" if not success else "healed" if setup.each else "stabilised"
    return TreatmentResult(success, total, setup.each * (1 + more) * success, word == "stabilised", word)


def heal(changes: Changes, intent: Intent, setup: Setup, result: TreatmentResult) -> None:
    """STEP-35, STEP-36: wounds fewer, or stable; what lasted until treated is over (STEP-32)."""
    if not result.success:
        return
    patient = changes.fighter(intent.patient)
    if result.stabilised:
        changes.begin(patient.name, "stable", "STEP-36")
        changes.begin(patient.name, "incapacitated", "STEP-36", until=out_of_action(changes))
        return
    each = setup.dice.each
    pool, sign = ("nonlethal", -1) if each == 2 else ("health", 1)
    number = changes.number("STEP-35").add("treated", sign * each)
    changes.adjust(patient.name, pool, number.add("extra", sign * (result.healed - each)), "STEP-35")
    for condition, end in patient.ends.items():
        if tuple(end) == TREATED:
            changes.end(patient.name, condition, "STEP-32")


TREATING = ("item", "assets", "nonlethal", "old", "aid")
HEAL = heal_action("Treat wounds", "STEP-34", treatment_setup, heal, treat, ap(2), TREATING)

# What time heals


class Hurt(NamedTuple):
    """The wounds of a patient who rests, at the start of a day."""

    health: int
    nonlethal: int
    worse: bool = False
    """A critical failure has opened a stable patient's wound, or felled a patient: dying (a reading)."""
    helped: bool = False
    """A body roll has healed a non-lethal wound."""


class RestSetup(NamedTuple):
    """What the dice of natural healing depend on."""

    dice: DieAndBonus
    days: int
    hurt: Hurt
    most: int
    """Full Health."""


class RestResult(NamedTuple):
    """What the time came to."""

    success: bool | None
    """Whether the body rolls have healed more than they have wounded."""
    health: int
    nonlethal: int
    worse: bool


def rest_setup(scene: Scene, intent: Intent) -> Setup:
    """STEP-37: days and hours, outside a crisis; by default one day, which is 24 hours too (a reading)."""
    patient = scene.fighters[intent.patient]
    hours, days = intent.get("hours", 0), intent.get("days", 0 if intent.get("hours") else 1)
    if max(hours, days) > 1000:
        refuse(intent, "at most 1000 hours or days pass at once", "STEP-37", final=True, code="bad_value")
    if scene.open:
        hint = "end this one first: crisis end"
        refuse(intent, "wounds heal naturally between crises", "STEP-37", hint, code="open")
    if is_dead(patient):
        refuse(intent, f"{patient.name} is dead", "STEP-37", final=True, code="already_dead")
    if is_dying(patient):
        hint = f"stabilise them first: crisis heal WHO {slug(patient.name)}"
        refuse(intent, f"{patient.name} is dying", "STEP-37", hint, final=True, code="condition_forbids")
    care = intent.get("care", "none")
    found = skilled(patient, "heal", "body", "STEP-37").asked(intent).add(f"care: {care}", CARE[care])
    found.add("rough travel", -2 * bool(intent.get("rough")))
    found.add("poor conditions", -2 * bool(intent.get("poor")))
    hurt = Hurt(patient.pools["health"], patient.pools["nonlethal"])
    dice = RestSetup(dice_of(patient, "body", found), days, hurt, patient.full("health"))
    return Setup(dice, tuple(found), known=hours)


def rest(table: RuleTable, setup: RestSetup) -> RestResult:
    """STEP-37: a body roll for each day that begins with wounds, lethal or not."""
    hurt = table.chain(setup.days, day, setup.hurt, setup)
    healed = hurt.health > setup.hurt.health or (hurt.helped and hurt.health == setup.hurt.health)
    return RestResult(healed if setup.days else None, hurt.health, hurt.nonlethal, hurt.worse)


def day(table: RuleTable, hurt: Hurt, setup: RestSetup) -> Hurt:
    """STEP-37: one day, in which non-lethal wounds heal by the hour too; a patient who is whole, dying or dead does not
    roll. Only who has no lethal wound heals a non-lethal one by the roll (a reading)."""
    health, nonlethal, worse, helped = hurt
    is_whole = health >= setup.most and not nonlethal
    if not (is_whole or worse or health <= LOWEST):
        reached, _ = rolled(table, "heal", setup.dice, DIFFICULTY)
        if reached == CRITICAL_FAILURE:
            health, worse = health - 1, health <= 1
        elif reached >= DIFFICULTY and health < setup.most:
            health += 1
        elif reached >= DIFFICULTY:
            nonlethal, helped = nonlethal - 1, True
    return Hurt(health, max(0, nonlethal - 24), worse, helped)


def recover(changes: Changes, intent: Intent, setup: Setup, result: RestResult) -> None:
    """STEP-37: the wounds that the days leave; in the hours beyond them a non-lethal wound less for each."""
    who, before = setup.dice.dice.who, setup.dice.hurt
    for pool in ("health", "nonlethal"):
        change = changes.number("STEP-37").add("rest", getattr(result, pool) - getattr(before, pool))
        changes.adjust(who, pool, change, "STEP-37")
    changes.adjust(who, "nonlethal", changes.number("STEP-37").add("hours", -setup.known), "STEP-37")
    if result.worse:
        changes.end(who, "stable", "STEP-36")


NATURAL = Action(
    "Let time heal",
    "STEP-37",
    rest_setup,
    recover,
    rest,
    words=("rested", "rested"),
    window="table",
    targets="patient",
    options=("natural", "hours", "days", "care", "rough", "poor"),
    says="{target} rests",
)

# The rows

USE_SAYS = {"": "{actor} uses the {gear} on {target}", "self": "{actor} uses the {gear}"}
UNSEEN = out_of_sight(UNIT.beside, "STEP-16", lambda foe: bool(unable(CONDITIONS, foe)[0]))
ACTIONS = {
    "check": CHECK,
    "init": INIT,
    "attack": ATTACK,
    "throw": THROW,
    "execute": EXECUTE,
    "heal": HEAL,
    "natural-healing": NATURAL,
    "move": walk("Move up to Pace", pace, 1, "{actor} moves", *UPRIGHT),
    "run": walk("Run up to twice Pace", lambda one: 2 * pace(one), 2, "{actor} runs", *UPRIGHT),
    "crawl": walk("Crawl a tile, prone", lambda one: 1, 1, "{actor} crawls", PRONE),
    "crouch": walk("Move up to half Pace, kneeling", half_pace, 1, "{actor} moves at a crouch", KNEELING),
    "sneak": walk("Move unseen up to half Pace", half_pace, 1, "{actor} sneaks along", HIDDEN)._replace(
        setup=sneak_setup, rule=check, effects=sneak_effects, words=("unseen", "seen")
    ),
    "kneel": KNEEL,
    "prone": KNEEL._replace(title="Lie down", says="{actor} lies down"),
    "rise": KNEEL._replace(title="Stand up", says="{actor} gets up"),
    "draw": draw_action("STEP-16", says="{actor} draws the {gear}", price=draw_price),
    "reload": reload_action(
        "STEP-16",
        ap(2, "reload"),
        loads="rounds",
        title="Fill a weapon from a magazine",
        says="{actor} reloads the {gear}",
        price=magazine,
    ),
    "use-item": use_action("use-item", "Use a thing carried", "STEP-16", ap(2, "ap"), USE_SAYS),
    "hide": Action(
        "Hide where nobody looks",
        "STEP-16",
        effects=marking(STEALTH),
        costs=ap(3),
        requires=(lacks("hidden", "STEP-16"), UNSEEN),
        sets={"hidden": True},
        options=("cover",),
        ai=False,
        says="{actor} hides",
    ),
    "take-aim": Action(
        "Aim: next shot +1", "STEP-16", costs=ap(2), requires=(can_aim,), builds=(AIM,), says="{actor} aims"
    ),
    "overwatch": Action(
        "End the turn, and attack in others' turns",
        "STEP-16",
        effects=marking(OVERWATCH, 1),
        ends_turn=True,
        requires=(in_crisis("STEP-16"),),
        says="{actor} keeps watch, ready to fire",
    ),
}
