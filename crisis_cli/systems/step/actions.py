"""Rolls, checks, the turn order, the actions without an attack, and healing (STEP-3, STEP-5 to STEP-17, STEP-34 to
STEP-37)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ...rules import (
    Action,
    Changes,
    Cost,
    Fighter,
    Intent,
    Modifiers,
    NamedTuple,
    RuleTable,
    Runner,
    Scene,
    Setup,
    check_action,
    draw_action,
    has,
    in_crisis,
    initiative_action,
    known_word,
    lacks,
    lines_of,
    move_action,
    out_of_sight,
    refuse,
    reload_action,
    slug,
    tie,
    unable,
    use_action,
)
from ...rules.movement import no_farther
from ...rules.treatment import aid_in_use, heal_action
from . import sheet
from .options import CARE
from .sheet import CONDITIONS, LOWEST, TREATED, UNIT, Weapon, die_of, is_dead, is_dying, spelled

AIM, OVERWATCH, STEALTH = "aim", "overwatch", "stealth"
"""Marks: +1 each on the next ranged attack; attacks in others' turns; the roll that a search must reach (STEP-16)."""
COVER = {"none": 0, "light": -2, "heavy": -4}
"""STEP-22: on every roll that needs sight; behind total cover nobody can be hit or seen."""

# Rolls

DIFFICULTY = 4
"""STEP-6: where nothing else is said."""
CRITICAL_FAILURE = -1_000_000
"""STEP-5: what a roll of two ones reaches, whatever is added: less than any other."""


class Dice(NamedTuple):
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


def dice_of(fighter: Fighter, skill: str, added: Modifiers) -> Dice:
    """The die of a skill, and what these modifiers add to it."""
    return Dice(fighter.name, die_of(fighter.sheet, skill)[0], added.total)


def roll(table: RuleTable, sides: int) -> int:
    """STEP-5: one die, exploding on its highest face; 0 for a critical failure: only a first face of 1 implodes, and
    the second face never explodes (both are readings)."""
    value: int = table.exploding(1, sides, int)
    return 0 if value == 1 and table.die(sides) == 1 else value


def reach(natural: int, bonus: int) -> int:
    """STEP-5, STEP-6, STEP-9: what a roll reaches; a critical failure less than all but another (a reading)."""
    return natural + bonus if natural else CRITICAL_FAILURE


def rolled(
    table: RuleTable, what: str, dice: Dice, difficulty: int | None = None, added: int = 0, /, **about: object
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

    dice: Dice
    difficulty: int
    crisis: bool = False
    """Whether there are extras (STEP-8)."""
    helpers: tuple[Dice, ...] = ()
    rival: Dice | None = None


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
            mine.cover(intent, other, COVER, rival.cover.get(intent.actor, "none"), "STEP-22", "cover")
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


def helpers_of(scene: Scene, intent: Intent, skill: str) -> tuple[tuple[Dice, ...], list[Modifiers]]:
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


def help_with(table: RuleTable, helpers: tuple[Dice, ...]) -> int:
    """STEP-10: 2 if any helper succeeds, and −2 for each critical failure; they roll first."""
    rolls = [table.ask(help_roll, one) for one in helpers]
    return 2 * any(success for success, _ in rolls) - 2 * sum(critical for _, critical in rolls)


def help_roll(table: RuleTable, one: Dice) -> tuple[bool, bool]:
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
    return rolled(table, "initiative", Dice(one.name, one.dice, one.bonus), **tie(tied_with))[1]


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
    if not fighter.has("stunned"):
        changes.adjust(fighter.name, "ap", 4, "STEP-15")
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


# Treatment

MEDICINE = "medicine"


class TreatmentSetup(NamedTuple):
    """What the dice of a treatment depend on."""

    dice: Dice
    each: int
    """Wounds healed by success, and by each extra: 1, or 2 non-lethal ones (STEP-35); 0: the dying are stabilised."""
    helpers: tuple[Dice, ...] = ()


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
    each = 2 if intent.get("nonlethal", only_nonlethal) else 1
    if is_dying(patient) and not intent.get("nonlethal"):
        each = 0
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
        refuse(intent, far, "STEP-16", code="out_of_reach")
    taken, whole = patient.pools["nonlethal"], ""
    if intent.get("nonlethal") and not taken:
        whole = f"{patient.name} has no non-lethal wounds"
    elif unhurt and not taken and TREATED not in patient.ends.values():
        whole = f"{patient.name} has no wounds to treat"
    if whole:
        refuse(intent, whole, "STEP-34", final=True, code="condition_forbids")


def treat(table: RuleTable, setup: TreatmentSetup) -> TreatmentResult:
    """STEP-34 to STEP-36: the roll, and what it heals."""
    added = table.ask(help_with, setup.helpers)
    reached, total = rolled(table, "heal", setup.dice, DIFFICULTY, added)
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
        until = ("end-round", changes.scene.round + 10)
        changes.begin(patient.name, "stable", "STEP-36")
        changes.begin(patient.name, "incapacitated", "STEP-36", until=until)
        return
    each = setup.dice.each
    pool, sign = ("nonlethal", -1) if each == 2 else ("health", 1)
    number = changes.number("STEP-35").add("treated", sign * each)
    changes.adjust(patient.name, pool, number.add("extra", sign * (result.healed - each)), "STEP-35")
    for condition, end in patient.ends.items():
        if tuple(end) == TREATED:
            changes.end(patient.name, condition, "STEP-32")


HEAL = heal_action(
    "Treat wounds",
    "STEP-34",
    treatment_setup,
    heal,
    treat,
    ap(2),
    ("item", "assets", "nonlethal", "old", "aid"),
)

# What time heals


class RestSetup(NamedTuple):
    """What the dice of natural healing depend on."""

    dice: Dice
    days: int
    health: int
    most: int


class RestResult(NamedTuple):
    """What the time came to."""

    success: bool | None
    health: int
    worse: bool
    """A critical failure has opened a stable patient's wound, or felled a patient: dying (a reading)."""


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
    dice = RestSetup(dice_of(patient, "body", found), days, patient.pools["health"], patient.full("health"))
    return Setup(dice, tuple(found), known=hours + 24 * days)


def rest(table: RuleTable, setup: RestSetup) -> RestResult:
    """STEP-37: a body roll for each day that begins with wounds."""
    health, worse = table.chain(setup.days, day, (setup.health, False), setup)
    return RestResult(health > setup.health if setup.days else None, health, worse)


def day(table: RuleTable, state: tuple[int, bool], setup: RestSetup) -> tuple[int, bool]:
    """STEP-37: one day; a patient who is whole, dying or dead does not roll."""
    health, worse = state
    if health >= setup.most or worse or health <= LOWEST:
        return state
    reached, _ = rolled(table, "heal", setup.dice, DIFFICULTY)
    if reached == CRITICAL_FAILURE:
        return health - 1, health <= 1
    return health + (reached >= DIFFICULTY), False


def recover(changes: Changes, intent: Intent, setup: Setup, result: RestResult) -> None:
    """STEP-37: Health as the days leave it; a non-lethal wound less for each hour."""
    who, before = setup.dice.dice.who, setup.dice.health
    healed = changes.number("STEP-37").add("rest", result.health - before)
    changes.adjust(who, "health", healed, "STEP-37")
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
        "Aim: +1 on the next shot", "STEP-16", costs=ap(2), builds=(AIM,), says="{actor} takes aim"
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
