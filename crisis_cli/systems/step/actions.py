"""Checks, the turn order, and the actions without an attack (STEP-6 to STEP-17)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import groupby
from typing import Any, NamedTuple

from ...engine.events import Event, change, shift
from ...engine.kinds import guess
from ...engine.record import Modifier
from ...engine.scene import Fighter, Intent, Scene, distance, slug
from ...engine.system import Action, Cost, Setup, nothing, refuse
from ...engine.turn_order import Ordered, grouped, lined_up, settled, tie
from ...errors import Refused
from ...rules.equipment import draw_action, each, reload_action
from ...rules.situational import circumstance
from .attack import AIM, OVERWATCH, skill_of
from .defence import COVER, pace, perception
from .rolls import DIFFICULTY, beats, extras, reached, roll, skilled, succeeds, total
from .sheet import ATTRIBUTES, SKILLS, idle, is_dead, is_dying, spelled

POSED = {"prone": "prone", "kneeling": "kneel"}
"""The actions that bring one into a posture."""
STEALTH = "stealth"
"""The mark of a sneaker's roll: what a search must reach (STEP-16)."""


def walk_stake(most: Callable[[Fighter], int], posture: str = "") -> Callable[[Scene, Intent], Setup]:
    """The stake of going on foot: so many tiles, in one posture."""

    def stake(scene: Scene, intent: Intent) -> Setup:
        fighter = scene.fighters[intent.actor]
        down = "prone" if fighter.has("prone") else "kneeling" if fighter.has("kneeling") else ""
        if down != posture:
            how = f"is {down}" if down else f"is not {posture}"
            on = {
                "prone": "crawl or rise",
                "kneeling": "crouch or rise",
                "": f"first: crisis act {POSED.get(posture)}",
            }
            refuse(intent, f"{fighter.name} {how} and cannot {intent.action}", "STEP-16", on[down])
        return Setup(_far(scene, intent, fighter, most(fighter)))

    return stake


def _far(scene: Scene, intent: Intent, fighter: Fighter, most: int) -> int:
    """How far it may go; refused where that is not as far as it wants to."""
    to = intent.get("to")
    if to is not None and fighter.at is not None and distance(fighter.at, to) > most:
        refuse(
            intent,
            f"{fighter.name} can go {most} tiles in one go; that is {distance(fighter.at, to)} tiles away",
            "STEP-16",
            hint="go part of the way, and on with the next AP",
        )
    return most


def go(scene: Scene, intent: Intent, most: Any, outcome: Any) -> Iterable[Event]:
    """The new position, where one is given; aim is lost (STEP-16)."""
    to = intent.get("to")
    if to is not None:
        yield from change(scene, intent.actor, "at", tuple(to), "STEP-16")
    yield from change(scene, intent.actor, f"mark:{AIM}", 0, "STEP-16")


def how_far(scene: Scene, intent: Intent, stake: Any, outcome: Any) -> Mapping[str, Any]:
    """The tiles gone, or how many there could be."""
    here, to = scene.fighters[intent.actor].at, intent.get("to")
    most = stake if isinstance(stake, int) else stake.most
    return {"tiles": distance(here, to)} if here and to else {"most": most}


class Sneak(NamedTuple):
    """What counts for a sneaker."""

    who: str
    sides: int
    bonus: int
    difficulty: int
    noticed: int
    """The highest Perception of those it hides from; 0: nobody is there."""
    most: int


class Sneaked(NamedTuple):
    """What sneaking came to."""

    success: bool
    total: int

    @property
    def word(self) -> str:
        """In one word."""
        return "unseen" if self.success else "seen"


def sneak_stake(scene: Scene, intent: Intent) -> Setup:
    """STEP-16: hidden only; stealth at 4 or better, above the Perception of every foe able to act."""
    fighter = scene.fighters[intent.actor]
    if not fighter.has("hidden"):
        refuse(
            intent,
            f"{fighter.name} is not hidden",
            "STEP-16",
            f"first: crisis act {slug(fighter.name)} hide",
        )
    most = _far(scene, intent, fighter, pace(fighter) // 2)
    sides, modifiers = skilled(fighter, "check", "stealth", "STEP-16")
    modifiers += circumstance(intent, "check")
    watching = [perception(scene, foe.name) for foe in scene.foes(fighter.name) if not idle(foe)[0]]
    noticed = max(watching, default=0)
    modifiers += [Modifier("difficulty", "base", DIFFICULTY, "STEP-16")]
    bonus = total(modifiers, "check")
    return Setup(Sneak(fighter.name, sides, bonus, DIFFICULTY, noticed, most), tuple(modifiers))


def sneak(table: Any, stake: Sneak) -> Sneaked:
    """A rule: the stealth roll; seen below 4, or where somebody's Perception is at or above it."""
    table.label("check", stake.who, f"d{stake.sides}")
    natural = table.ask(roll, stake.sides)
    reach = reached(natural, stake.bonus)
    unseen = succeeds(natural, stake.bonus, max(stake.difficulty, stake.noticed + 1))
    table.result(
        total=reach,
        target=max(stake.difficulty, stake.noticed + 1),
        success=unseen,
        **({} if natural else {"critical_failure": True}),
    )
    return Sneaked(unseen, reach)


def crept(scene: Scene, intent: Intent, stake: Sneak, outcome: Sneaked) -> Iterable[Event]:
    """Gone so far, still hidden or not; what a search must reach from now on (STEP-16)."""
    yield from go(scene, intent, stake.most, outcome)
    yield from change(scene, intent.actor, "condition:hidden", outcome.success, "STEP-16")
    yield from change(
        scene, intent.actor, f"mark:{STEALTH}", outcome.total if outcome.success else 0, "STEP-16"
    )


POSTURES = {
    ("", "kneel"): ("kneeling", 1),
    ("prone", "kneel"): ("kneeling", 1),
    ("", "prone"): ("prone", 2),
    ("kneeling", "prone"): ("prone", 1),
    ("kneeling", "rise"): ("", 1),
    ("prone", "rise"): ("", 2),
}
"""STEP-16: from a posture by an action to another, and the AP it takes."""


def posture_stake(scene: Scene, intent: Intent) -> Setup:
    """STEP-16: kneeling, lying down, rising; refused where it changes nothing."""
    fighter = scene.fighters[intent.actor]
    now = "prone" if fighter.has("prone") else "kneeling" if fighter.has("kneeling") else ""
    if (now, intent.action) not in POSTURES:
        refuse(intent, f"{fighter.name} is {now or 'standing'} already", "STEP-16", final=True)
    posture, ap = POSTURES[now, intent.action]
    return Setup(posture, (), (Cost("ap", ap, rule="STEP-16"),))


def pose(scene: Scene, intent: Intent, posture: str, outcome: Any) -> Iterable[Event]:
    """The one posture and not the other."""
    for one in ("prone", "kneeling"):
        yield from change(scene, intent.actor, f"condition:{one}", one == posture, "STEP-16")


def _walking(title: str, ap: int, most: Callable[[Fighter], int], posture: str = "") -> Action:
    return Action(
        title,
        "STEP-16",
        walk_stake(most, posture),
        go,
        costs=(Cost("ap", ap),),
        outputs=how_far,
        options=("to",),
    )


MOVES = {
    "move": _walking("Move up to Pace", 1, pace),
    "run": _walking("Run up to twice Pace", 2, lambda one: 2 * pace(one)),
    "crawl": _walking("Crawl a tile, prone", 1, lambda one: 1, "prone"),
    "crouch": _walking("Move up to half Pace, kneeling", 1, lambda one: pace(one) // 2, "kneeling"),
    "sneak": Action(
        "Move unseen up to half Pace",
        "STEP-16",
        sneak_stake,
        crept,
        sneak,
        costs=(Cost("ap", 1),),
        outputs=how_far,
        options=("to",),
    ),
    "kneel": Action("Kneel", "STEP-16", posture_stake, pose),
    "prone": Action("Lie down", "STEP-16", posture_stake, pose),
    "rise": Action("Stand up", "STEP-16", posture_stake, pose),
}


AID, HINDRANCE = 2, -2
"""STEP-10: what any helper's success gives, once; what every critical failure of a helper takes."""
SIGHT = ("search",)
"""Skills that need sight, beside attacks: cover lowers them (STEP-22)."""


class Helper(NamedTuple):
    """Someone who helps with a roll."""

    name: str
    sides: int
    bonus: int


class Checking(NamedTuple):
    """A check against a difficulty, or against another's roll."""

    who: str
    sides: int
    bonus: int
    difficulty: int
    crisis: bool
    """Whether there are extras (STEP-8)."""
    helpers: tuple[Helper, ...] = ()
    other: str = ""
    other_sides: int = 4
    other_bonus: int = 0
    finds: bool = False
    """A search for someone hidden: success reveals them (STEP-16)."""


class Checked(NamedTuple):
    """What a check came to."""

    success: bool
    total: int
    against: int
    extras: int = 0

    @property
    def word(self) -> str:
        """In one word."""
        return "success" if self.success else "failure"


def check_stake(scene: Scene, intent: Intent) -> Setup:
    """A check of a skill or an attribute (STEP-6), or a contest (STEP-9)."""
    fighter = scene.fighters[intent.actor]
    skill = known(fighter, intent.get("skill", ""))
    sides, modifiers = skilled(fighter, "check", skill)
    modifiers += circumstance(intent, "check") + assets(intent)
    helpers, aiding = aid(scene, intent, skill)
    other, other_skill = intent.get("vs") or ("", "")
    if not other:
        difficulty = intent.get("difficulty", DIFFICULTY)
        modifiers += [Modifier("difficulty", "difficulty", difficulty, "STEP-6")]
        stake = Checking(fighter.name, sides, total(modifiers, "check"), difficulty, scene.open, helpers)
        return Setup(stake, (*modifiers, *aiding))
    rival = scene.fighters[other]
    other_skill = known(rival, other_skill)
    finds = skill in SIGHT and other_skill == "stealth" and rival.has("hidden")
    if skill in SIGHT:
        modifiers += _cover(intent, rival)
    remembered = rival.marks.get(STEALTH, 0)
    if finds and remembered:
        modifiers += [Modifier("difficulty", f"{other}'s stealth", remembered, "STEP-16")]
        stake = Checking(
            fighter.name, sides, total(modifiers, "check"), remembered, scene.open, helpers, finds=True
        )
        return Setup(stake, (*modifiers, *aiding))
    rival_sides, resisting = skilled(rival, "resist", other_skill, "STEP-9")
    resisting = [one._replace(against=other) for one in resisting]
    stake = Checking(
        fighter.name,
        sides,
        total(modifiers, "check"),
        0,
        scene.open,
        helpers,
        other,
        rival_sides,
        total(resisting, "resist", other),
        finds,
    )
    return Setup(stake, (*modifiers, *aiding, *resisting))


def _cover(intent: Intent, rival: Fighter) -> list[Modifier]:
    """STEP-22: cover lowers every roll of the looker that needs sight; behind total cover nobody is seen."""
    level = rival.cover.get(intent.actor, "none")
    if level == "total":
        refuse(intent, f"{rival.name} is in total cover and cannot be seen", "STEP-22")
    worth = COVER.get(level, 0)
    return [Modifier("check", f"{level} cover", worth, "STEP-22", "cover")] if worth else []


def assets(intent: Intent) -> list[Modifier]:
    """STEP-7: +1 for each asset; that no two are of one kind is the player's word."""
    count = intent.get("assets", 0)
    if count < 0:
        refuse(intent, f"{count} assets are none", "STEP-7", final=True)
    return [Modifier("check", "assets", count, "STEP-7", "--assets")] if count else []


def aid(scene: Scene, intent: Intent, skill: str) -> tuple[tuple[Helper, ...], list[Modifier]]:
    """STEP-10: those who help, and what they add to their own rolls."""
    helpers, modifiers = [], []
    for name in intent.get("aid", ()):
        why, _ = idle(scene.fighters[name])
        if why or name == intent.actor:
            refuse(intent, f"{name} is {why or 'doing it'} and cannot help", "STEP-10", final=True)
        sides, found = skilled(scene.fighters[name], "aid", skill, "STEP-10")
        found = [one._replace(against=name) for one in found]
        modifiers += found
        helpers.append(Helper(name, sides, total(found, "aid", name)))
    return tuple(helpers), modifiers


def helped(table: Any, helpers: tuple[Helper, ...]) -> int:
    """A rule, STEP-10: what the helpers' rolls are worth to the one they help, theirs thrown first."""
    won, worth = False, 0
    for one in helpers:
        success, critical = table.ask(help_of, one)
        won = won or success
        worth += HINDRANCE * critical
    return worth + (AID if won else 0)


def help_of(table: Any, one: Helper) -> tuple[bool, bool]:
    """A rule, STEP-10: whether a helper succeeds, and whether that is a critical failure."""
    table.label("aid", one.name, f"d{one.sides}")
    natural = table.ask(roll, one.sides)
    success = succeeds(natural, one.bonus, DIFFICULTY)
    table.result(total=reached(natural, one.bonus), target=DIFFICULTY, success=success, **failed(natural))
    return success, not natural


def failed(natural: int) -> dict[str, Any]:
    """What a record says of a critical failure (STEP-5)."""
    return {} if natural else {"critical_failure": True}


def known(fighter: Fighter, skill: str) -> str:
    """A skill or an attribute in the spelling of the rules; Refused where the fighter has no such thing."""
    skill = spelled(skill)
    names = (*ATTRIBUTES, *SKILLS, *fighter.sheet["skills"])
    if skill not in names:
        raise Refused(
            f"{fighter.name} has no skill or attribute called {skill!r} (STEP-2){guess(skill, names)}",
            hint=f"there are: {', '.join(dict.fromkeys(names))}",
            rule="STEP-2",
        )
    return skill


def check(table: Any, stake: Checking) -> Checked:
    """STEP-6: the die, the modifiers and what helpers are worth, at or above the difficulty; or STEP-9."""
    worth = table.ask(helped, stake.helpers) if stake.helpers else 0
    added = {"added": worth} if worth else {}
    table.label("check", stake.who, f"d{stake.sides}")
    natural, bonus = table.ask(roll, stake.sides), stake.bonus + worth
    reach = reached(natural, bonus)
    if stake.other:
        table.result(total=reach, **added, **failed(natural))
        table.label("resist", stake.other, f"d{stake.other_sides}")
        theirs = table.ask(roll, stake.other_sides)
        resisted = reached(theirs, stake.other_bonus)
        table.result(total=resisted, **failed(theirs))
        # STEP-9: a tie goes to the active side.
        return _checked(stake, beats((natural, bonus), (theirs, stake.other_bonus)) >= 0, reach, resisted)
    success = succeeds(natural, bonus, stake.difficulty)
    table.result(total=reach, target=stake.difficulty, success=success, **added, **failed(natural))
    return _checked(stake, success, reach, stake.difficulty)


def _checked(stake: Checking, success: bool, reach: int, against: int) -> Checked:
    return Checked(success, reach, against, extras(reach) if success and stake.crisis else 0)


def noticed(scene: Scene, intent: Intent, stake: Checking, checked: Checked) -> Iterable[Event]:
    """STEP-16: a search that succeeds reveals whoever hides."""
    if stake.finds and checked.success:
        rival = intent.get("vs")[0]
        yield from change(scene, rival, "condition:hidden", False, "STEP-16")
        yield from change(scene, rival, f"mark:{STEALTH}", 0, "STEP-16")


CHECK = Action(
    "Roll a skill or an attribute",
    "STEP-6",
    check_stake,
    noticed,
    check,
    window="any",
    options=("difficulty", "vs", "assets", "aid"),
    candidates=lambda scene, who: (),
)


GAIN = 4
"""STEP-15: AP at the start of each own turn."""
TIES = 24
"""How often a tie is rolled again before the order of naming settles it."""


class Runner(NamedTuple):
    """What counts for one fighter's place in the turn order."""

    name: str
    sides: int
    bonus: int
    player: bool


def initiative_stake(scene: Scene, intent: Intent) -> Setup:
    """STEP-11: everyone's mind die and bonus; those who share a roll (STEP-13) are one."""
    modifiers: list[Modifier] = []
    runners = []
    for number, name in enumerate(grouped(scene, intent)):
        fighter = scene.fighters[name]
        sides, found = skilled(fighter, "initiative", "mind", "STEP-11")
        found += circumstance(intent, "initiative") if number == 0 else []
        modifiers += [one._replace(against=name) for one in found]
        runners.append(Runner(name, sides, total(found, "initiative"), fighter.player))
    return Setup((tuple(runners), tuple(intent.get("order", ()))), tuple(modifiers))


def initiative(table: Any, stake: tuple[tuple[Runner, ...], tuple[str, ...]]) -> Ordered:
    """STEP-11: everyone rolls mind, highest first; STEP-12: ties by side, by agreement, or by a new roll."""
    runners, agreed = stake
    scores = {runner.name: _rolled(table, runner) for runner in runners}
    placed = sorted(runners, key=lambda one: (-scores[one.name], not one.player))
    order: list[str] = []
    for (_, opponents), tied in groupby(placed, key=lambda one: (-scores[one.name], not one.player)):
        order += table.ask(settled, _rolled, tuple(tied), () if opponents else agreed, TIES)
    return Ordered(tuple(order), tuple((name, scores[name]) for name in order))


def _rolled(table: Any, runner: Runner, tied: tuple[str, ...] = ()) -> int:
    """STEP-5: a critical failure counts as 1 before modifiers here (a reading)."""
    table.label("initiative", runner.name, f"d{runner.sides}", **tie(tied))
    natural = table.ask(roll, runner.sides)
    score = reached(natural, runner.bonus)
    table.result(total=score, **({} if natural else {"critical_failure": True}))
    return score


def line_up(scene: Scene, intent: Intent, stake: Any, outcome: Ordered) -> Iterable[Event]:
    """The turn order; a player who comes in goes ahead of an opponent with as much (STEP-12)."""

    def ahead(new: str, other: str) -> bool:
        return scene.fighters[new].player and not scene.fighters[other].player

    return lined_up(scene, intent, outcome, "STEP-11", ahead)


INIT = Action(
    "Roll for the turn order",
    "STEP-11",
    initiative_stake,
    line_up,
    initiative,
    window="table",
    targets="many",
)


def no_stake(scene: Scene, intent: Intent) -> Setup:
    """Nothing to look at beforehand."""
    return Setup(None)


def begin(scene: Scene, intent: Intent, stake: Any, outcome: Any) -> Iterable[Event]:
    """STEP-15: 4 AP, also in an extra turn (STEP-14); STEP-32: the dying take a wound; overwatch is over."""
    fighter = scene.fighters[intent.actor]
    if is_dead(fighter):
        return
    if is_dying(fighter):
        yield from shift(scene, fighter.name, "health", -1, "STEP-32")
    if not fighter.has("stunned"):
        yield from shift(scene, fighter.name, "ap", GAIN, "STEP-15")
    yield from change(scene, fighter.name, f"mark:{OVERWATCH}", 0, "STEP-16")


PHASES = {
    "start-turn": Action("AP, and what dying takes", "STEP-15", no_stake, begin, nothing, window="table")
}


DRAW = {"light-weapons": 0, "heavy-weapons": 2}
"""STEP-16: AP of draw_action by the weapon's skill; 1 for the rest."""


def _to_draw(name: str, weapon: Mapping[str, Any]) -> tuple[Cost, ...]:
    """STEP-16: AP by the skill that the weapon is used with."""
    return (Cost("ap", DRAW.get(skill_of(weapon), 1), rule="STEP-16"),)


def _magazine(name: str, weapon: Mapping[str, Any]) -> tuple[Cost, ...]:
    """STEP-16: a magazine, where they are counted."""
    return (Cost(f"magazines:{name}", 1, rule="STEP-16"),) if "magazines" in weapon else ()


def use_stake(scene: Scene, intent: Intent) -> Setup:
    """STEP-16: a thing with uses left; what it does is the player's word."""
    fighter = scene.fighters[intent.actor]
    things = fighter.sheet["items"]
    name = intent.get("item") or (next(iter(things)) if len(things) == 1 else "")
    if name not in things:
        carried = ", ".join(things) or "nothing"
        refuse(
            intent,
            f"{fighter.name} must say what to use",
            "STEP-16",
            f"{fighter.name} carries {carried}",
            final=True,
        )
    uses = (Cost(f"uses:{name}", rule="STEP-16"),) if "uses" in things[name] else ()
    return Setup(name, (), uses, name)


def unchanged(scene: Scene, intent: Intent, stake: Any, outcome: Any) -> Iterable[Event]:
    """Nothing beside what it costs."""
    return ()


def hide_stake(scene: Scene, intent: Intent) -> Setup:
    """STEP-16: not hidden yet; that nobody looks is the player's word."""
    if scene.fighters[intent.actor].has("hidden"):
        refuse(intent, f"{intent.actor} is hidden already", "STEP-16")
    return Setup(None)


def hide(scene: Scene, intent: Intent, stake: Any, outcome: Any) -> Iterable[Event]:
    """Hidden until it attacks or is noticed."""
    yield from change(scene, intent.actor, "condition:hidden", True, "STEP-16")
    yield from change(scene, intent.actor, f"mark:{STEALTH}", 0, "STEP-16")


def take_aim(scene: Scene, intent: Intent, stake: Any, outcome: Any) -> Iterable[Event]:
    """+1 on the next ranged attack, on top of any aim before."""
    aim = scene.fighters[intent.actor].marks.get(AIM, 0)
    return change(scene, intent.actor, f"mark:{AIM}", aim + 1, "STEP-16")


def watch_stake(scene: Scene, intent: Intent) -> Setup:
    """STEP-16: overwatch is for a crisis, where there are others' turns."""
    if not scene.open:
        refuse(intent, "overwatch needs others' turns", "STEP-16", "open a crisis: crisis init WHO… --open")
    return Setup(None)


def watch(scene: Scene, intent: Intent, stake: Any, outcome: Any) -> Iterable[Event]:
    """The AP are kept for attacks in others' turns."""
    return change(scene, intent.actor, f"mark:{OVERWATCH}", 1, "STEP-16")


ACTS = {
    "draw": draw_action("STEP-16", price=_to_draw),
    "reload": reload_action(
        "STEP-16",
        (Cost("ap", 2, "reload"),),
        loads="rounds",
        title="Fill a weapon from a magazine",
        price=_magazine,
    ),
    "use-item": Action(
        "Use a thing carried",
        "STEP-16",
        use_stake,
        unchanged,
        costs=(Cost("ap", 2, "ap"),),
        gear="items",
        candidates=each("use-item", "items", "item"),
        options=("item",),
    ),
    "hide": Action("Hide where nobody looks", "STEP-16", hide_stake, hide, costs=(Cost("ap", 3),), ai=False),
    "take-aim": Action("Aim: +1 on the next shot", "STEP-16", no_stake, take_aim, costs=(Cost("ap", 2),)),
    "overwatch": Action(
        "End the turn, and attack in others' turns", "STEP-16", watch_stake, watch, ends_turn=True
    ),
}
