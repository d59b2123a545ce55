"""Minor and Major actions beside attacks and first aid: skills, movement, gear, helping others (2D20-11, 2D20-12)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from ...rules import (
    Action,
    Changes,
    Cost,
    Fighter,
    Intent,
    Scene,
    Setup,
    in_hand,
    is_readied,
    item_candidates,
    lines_of,
    ready_action,
    refuse,
    unable,
)
from .attack import AIM, ATTACKED, DEFENDING, REACH, zones, zones_between
from .checks import (
    ASSISTS,
    COMMANDED,
    COMMANDING,
    MAJOR,
    MINOR,
    USUAL,
    CheckResult,
    after_check,
    ap_earned,
    ap_left,
    check,
    check_effects,
    check_setup,
    command_used,
    difficulty_of,
    is_commanded,
    major_action,
    named_skill,
    of_major,
)
from .damage import BURNING, end_persistent
from .sheet import ARMS, CONDITIONS, LEGS, derived, injuries

DIFFICULTY = 1
"""2D20-5: where none is named (a reading)."""
BETTER = 2
"""2D20-11: AP of one more when defending."""
HANDS = 2
READY_ABLE = ("attack", "throw", "heal", "assist", "command", "sprint", "test", "rally", "defend")
"""2D20-11: Major actions that can wait."""
MOVED = "moved"
"""The mark of a fighter that has moved this turn (2D20-11)."""
FAR = {"move": 1, "sprint": 2}
"""2D20-11: zones."""

# Tests


def skill_setup(scene: Scene, intent: Intent) -> Setup:
    """2D20-4: a test of any skill against a difficulty, at any time."""
    if intent.get("vs"):
        what = "there are no contests here: a test has a difficulty"
        refuse(intent, what, "2D20-5", "--difficulty N", final=True)
    tries = named_skill(scene.fighters[intent.actor], intent, intent.get("skill", ""))
    hard = difficulty_of(intent.get("difficulty", DIFFICULTY), "difficulty", "2D20-5")
    test, lines, costs = check_setup(scene, intent, "check", tries, hard)
    return Setup(test, lines_of(*lines), costs)


def test_setup(scene: Scene, intent: Intent) -> Setup:
    """2D20-11: a Major action's test; of someone with persistent damage, without a difficulty, to end it (2D20-24)."""
    fighter = scene.fighters[intent.actor]
    burning = persistent(fighter) if intent.get("difficulty") is None else 0
    said = intent.get("skill") or (f"{intent.get('attribute', 'end')}+survival" if burning else "")
    if not said:
        refuse(intent, f"{fighter.name} tests what?", "2D20-11", "crisis act test --skill SKILL", final=True)
    tries = named_skill(fighter, intent, said)
    hard = difficulty_of(intent.get("difficulty", DIFFICULTY), "difficulty", "2D20-5")
    if burning:
        hard = difficulty_of(burning, "persistent damage", "2D20-24")
    test, lines, costs = check_setup(scene, intent, "check", tries, of_major(scene, intent, hard))
    return Setup(test, lines_of(*lines), costs)


def persistent(fighter: Fighter) -> int:
    """2D20-24: the difficulty of ending the persistent damage of a fighter; 0 without any."""
    marked = [level for mark, level in fighter.marks.items() if mark.startswith(f"{BURNING}:")]
    return max(marked, default=int(fighter.conditions.get("persistent", 0)))


def test_effects(changes: Changes, intent: Intent, setup: Setup, result: CheckResult) -> None:
    """AP, Luck and help; persistent damage ends with success against it (2D20-24)."""
    after_check(changes, setup.dice, result)
    fighter = changes.before.fighters[intent.actor]
    if result.success and intent.get("difficulty") is None and persistent(fighter):
        end_persistent(changes, fighter)


def test_candidates(scene: Scene, who: str) -> Iterator[Intent]:
    """The one test that is worth a Major action by itself: to end persistent damage."""
    if persistent(scene.fighters[who]):
        yield Intent("test", who)


def rally_setup(scene: Scene, intent: Intent) -> Setup:
    """2D20-11: end + survival, or what the GM allows, at difficulty 0."""
    skill = intent.get("skill", "survival")
    attribute = intent.get("attribute") or ("end" if skill == "survival" else "")
    word = f"{attribute}+{skill}" if attribute else skill
    tries = named_skill(scene.fighters[intent.actor], intent, word)
    hard = of_major(scene, intent, difficulty_of(0, "rally", "2D20-11"))
    test, lines, costs = check_setup(scene, intent, "check", tries, hard)
    return Setup(test, lines_of(*lines), costs)


def defend_setup(scene: Scene, intent: Intent) -> Setup:
    """2D20-11: agi + athletics against the own defense; known is the AP left to spend on it."""
    spend = intent.get("ap_spend", 0)
    if spend not in (0, BETTER):
        what = f"{BETTER} AP give one more, not {spend}"
        refuse(intent, what, "2D20-11", f"--ap-spend {BETTER}", final=True)
    own = derived(scene.fighters[intent.actor].sheet, "defense")
    hard = of_major(scene, intent, difficulty_of(own, "own defense", "2D20-11"))
    test, lines, costs = check_setup(scene, intent, "check", ("agi", "athletics"), hard)
    return Setup(test, lines_of(*lines), costs, known=ap_left(scene, intent, test.dice - USUAL))


def defend_spends(intent: Intent, setup: Setup, result: CheckResult) -> int:
    """2D20-11: the AP spent on defending better: as asked, if they are there with those just earned."""
    asked = result.success and intent.get("ap_spend", 0) == BETTER
    return BETTER if asked and setup.known + ap_earned(setup.dice, result) >= BETTER else 0


def defend_effects(changes: Changes, intent: Intent, setup: Setup, result: CheckResult) -> None:
    """2D20-11: defense +1 until the next own turn, and for 2 AP one more, once (readings)."""
    spent = defend_spends(intent, setup, result)
    after_check(changes, setup.dice, result, spent)
    if result.success:
        before = changes.before.fighters[intent.actor].marks.get(DEFENDING, 0)
        changes.mark(intent.actor, DEFENDING, max(before, 1 + bool(spent)), "2D20-11")


def defend_outputs(scene: Scene, intent: Intent, setup: Setup, result: CheckResult) -> Mapping[str, object]:
    """2D20-11: `spent`, the AP spent on it, and `wanted`, those wanted where they are more."""
    if not result.success:
        return {}
    spent, wanted = defend_spends(intent, setup, result), intent.get("ap_spend", 0)
    return {"spent": spent} | ({"wanted": wanted} if spent < wanted else {})


# Helping others


def is_ally(scene: Scene, intent: Intent) -> bool:
    """Whether the target is on the actor's side."""
    return scene.fighters[intent.target].side == scene.fighters[intent.actor].side


def assist_setup(scene: Scene, intent: Intent) -> Setup:
    """2D20-11: a named ally, and a fitting skill, said or usual."""
    ally = scene.fighters[intent.target]
    if not is_ally(scene, intent):
        refuse(intent, f"{ally.name} is no ally of {intent.actor}", "2D20-11")
    if why := unable(CONDITIONS, ally)[0]:
        refuse(intent, f"{ally.name} is {why} and will test nothing", "2D20-11")
    if not scene.open:
        what = "to assist is for later, in a crisis"
        refuse(intent, what, "2D20-11", "crisis init WHO… --open", final=True)
    return Setup(named_skill(scene.fighters[intent.actor], intent, intent.get("skill", "")))


def assist(changes: Changes, intent: Intent, setup: Setup, outcome: None) -> None:
    """2D20-11: a d20 for the ally's next test, until the next own turn; who was helped before is not any more."""
    for mark in changes.before.fighters[intent.actor].marks:
        if mark.startswith(f"{ASSISTS}:"):
            changes.mark(intent.actor, mark, 0, "2D20-11")
    changes.mark(intent.actor, f"{ASSISTS}:{intent.target}", 1, "2D20-11", key="+".join(setup.dice))


def able_allies(scene: Scene, who: str) -> list[Fighter]:
    """The others of a fighter's side who can act."""
    side = scene.of_side(scene.fighters[who].side)
    return [one for one in side if one.name != who and not unable(CONDITIONS, one)[0]]


def is_npc(fighter: Fighter) -> bool:
    """2D20-11: no player character, by the sheet, whoever decides for it now."""
    return not (fighter.player and fighter.sheet["player"])


def command_setup(scene: Scene, intent: Intent) -> Setup:
    """2D20-11: an allied NPC who can act, and what the commander assists with."""
    npc = scene.fighters[intent.target]
    if not is_ally(scene, intent) or not is_npc(npc):
        what = "a player character" if is_ally(scene, intent) else f"no ally of {intent.actor}"
        refuse(intent, f"{npc.name} is {what}; allied NPCs can be commanded", "2D20-11")
    if why := unable(CONDITIONS, npc)[0]:
        refuse(intent, f"{npc.name} is {why} and obeys nobody", "2D20-11")
    if not scene.open:
        refuse(intent, "to command is for a crisis", "2D20-11", "crisis init WHO… --open", final=True)
    return Setup(COMMANDING[npc.sheet["kind"]])


def command(changes: Changes, intent: Intent, setup: Setup, outcome: None) -> None:
    """2D20-11: the NPC takes one Major action, at once (a reading), and the commander assists with it."""
    changes.mark(intent.target, COMMANDED, 1, "2D20-11")
    assist(changes, intent, setup, outcome)


# Minor actions


def aim_setup(scene: Scene, intent: Intent) -> Setup:
    """2D20-11: for the first attack of the turn, once."""
    marks = scene.fighters[intent.actor].marks
    if marks.get(ATTACKED) or marks.get(AIM):
        what = "has attacked this turn already" if marks.get(ATTACKED) else "has taken aim already"
        refuse(intent, f"{intent.actor} {what}", "2D20-11", "aim is for the first attack of a turn")
    return Setup(None)


def draw_setup(scene: Scene, intent: Intent) -> Setup:
    """2D20-11: something carried that is not in hand; known is how many hands can hold things (2D20-22)."""
    fighter = scene.fighters[intent.actor]
    things = (*fighter.sheet["weapons"], *fighter.sheet["items"])
    name = intent.get("thing") or (things[0] if len(things) == 1 else "")
    others = [one for one in things if one not in fighter.held]
    hint = f"to draw: {', '.join(others)}" if others else ""
    if name not in things:
        refuse(intent, f"{fighter.name} must say what to draw", "2D20-11", hint, final=True)
    if name in fighter.held:
        refuse(intent, f"{fighter.name} has the {name} in hand already", "2D20-11", hint)
    hands = HANDS - sum(fighter.has(f"injured-{arm}") for arm in ARMS)
    if not hands:
        refuse(intent, f"{fighter.name} has no arm left to hold it", "2D20-22")
    return Setup(name, gear=name, known=max(1, hands))


def draw(changes: Changes, intent: Intent, setup: Setup, outcome: None) -> None:
    """A weapon comes first in hand, ready for use; what the hands cannot hold is put away."""
    fighter, name = changes.fighter(intent.actor), setup.gear
    rest = tuple(one for one in fighter.held if one != name)[: setup.known - 1]
    first = name in fighter.sheet["weapons"]
    changes.hold(fighter.name, (name, *rest) if first else (*rest, name), "2D20-11")


def draw_candidates(scene: Scene, who: str) -> Iterator[Intent]:
    """Everything on the sheet."""
    sheet = scene.fighters[who].sheet
    return (Intent("draw", who, (), {"thing": name}) for name in (*sheet["weapons"], *sheet["items"]))


def chem_setup(scene: Scene, intent: Intent) -> Setup:
    """2D20-11: an item in hand, for oneself or a willing one in the same zone; dice are the HP it heals."""
    fighter = scene.fighters[intent.actor]
    patient = scene.fighters[intent.target or intent.actor]
    things = fighter.sheet["items"]
    held = [one for one in fighter.held if one in things]
    name = intent.get("item") or (held or [*things, ""])[0]
    if name not in things:
        carried = f"{fighter.name} carries {', '.join(things) or 'nothing'}"
        refuse(intent, f"{fighter.name} must say what to take", "2D20-11", carried, final=True)
    in_hand(scene, intent, name, "2D20-11")
    if patient.side != fighter.side:
        refuse(intent, f"{patient.name} is no friend, and not willing", "2D20-11")
    if zones_between(scene, fighter.name, patient.name):
        refuse(intent, f"{patient.name} is in another zone", "2D20-11", "go there: crisis act move --to X,Y")
    uses = (Cost(f"uses:{name}", rule="2D20-11"),) if "uses" in things[name] else ()
    return Setup(things[name]["heals"], (), uses, name)


def take_chem(changes: Changes, intent: Intent, setup: Setup, outcome: None) -> None:
    """2D20-11: HP as the sheet says, and the unconscious wake; the dying need first aid (2D20-23)."""
    patient = changes.fighter(intent.target or intent.actor)
    before = patient.pools["hp"]
    if setup.dice and before:
        hp = min(before + setup.dice, patient.pools["max_hp"])
        changes.set(patient.name, "hp", hp, "2D20-11")
        if hp > before:
            changes.end(patient.name, "unconscious", "2D20-27")


# Movement


def move_setup(scene: Scene, intent: Intent) -> Setup:
    """2D20-11, 2D20-12: one movement a turn; crawling and limping one zone are Major actions."""
    fighter, to = scene.fighters[intent.actor], intent.get("to")
    not_moved(scene, intent)
    slow, sprints = slowed(fighter), intent.action == "sprint"
    if slow and sprints:
        prone = slow == "prone"
        way = "stand up first: crisis act stand-up" if prone else "crisis act move"
        refuse(intent, f"{fighter.name} is {slow} and cannot sprint", "2D20-12" if prone else "2D20-22", way)
    most = FAR[intent.action]
    if to is not None and fighter.at is not None and zones(fighter.at, to) > most:
        far = f"{fighter.name} can {intent.action} {most} zone{'s' * (most > 1)}"
        refuse(intent, f"{far}; that is {zones(fighter.at, to)} away", "2D20-11", "go part of the way")
    released = is_readied(scene, intent) or is_commanded(scene, intent)
    free = sprints or (scene.open and fighter.name not in scene.acting and released)
    costs: tuple[Cost, ...] = () if free else MAJOR if slow else MINOR
    return Setup(most, costs=costs)


def slowed(fighter: Fighter) -> str:
    """2D20-12, 2D20-22: what makes moving a Major action; empty where nothing does."""
    return "prone" if fighter.has("prone") else "hurt in the leg" if injuries(fighter, *LEGS) else ""


def not_moved(scene: Scene, intent: Intent) -> None:
    """2D20-11: refuse a second movement action in a turn."""
    if scene.fighters[intent.actor].marks.get(MOVED):
        what = f"{intent.actor} has moved this turn already"
        refuse(intent, what, "2D20-11", "end the turn: crisis next")


def move_effects(changes: Changes, intent: Intent, setup: Setup, outcome: None) -> None:
    """2D20-11, 2D20-12: the new place, and lying down there; who leaves a zone is in nobody's reach (2D20-15)."""
    scene, who, to = changes.before, intent.actor, intent.get("to")
    fighter = scene.fighters[who]
    if to is not None:
        changes.move(who, to, "2D20-11")
    if to is None or fighter.at is None or zones(fighter.at, to):
        for mark in fighter.marks:
            kind, _, other = mark.partition(":")
            if kind == REACH:
                changes.mark(who, mark, 0, "2D20-15")
                if other in scene.fighters:
                    changes.mark(other, REACH, 0, "2D20-15", key=who)
    if intent.get("prone"):
        changes.begin(who, "prone", "2D20-12")
    mark_moved(changes, intent, setup, outcome)


def stand_setup(scene: Scene, intent: Intent) -> Setup:
    """2D20-11, 2D20-12: up from the ground, instead of moving."""
    if not scene.fighters[intent.actor].has("prone"):
        refuse(intent, f"{intent.actor} is not prone", "2D20-12", final=True)
    not_moved(scene, intent)
    return Setup(None)


def mark_moved(changes: Changes, intent: Intent, setup: Setup, outcome: None) -> None:
    """2D20-11: no more movement this turn."""
    if changes.before.open and intent.actor in changes.before.acting:
        changes.mark(intent.actor, MOVED, 1, "2D20-11")


def move_outputs(scene: Scene, intent: Intent, setup: Setup, outcome: None) -> Mapping[str, object]:
    """`zones` gone, or `most`, how many there could be."""
    here, to = scene.fighters[intent.actor].at, intent.get("to")
    return {"zones": zones(here, to)} if here and to else {"most": setup.dice}


def move_candidates(action: str) -> Callable[[Scene, str], Iterator[Intent]]:
    """Towards the nearest foe and away from it, if positions are known; else anywhere."""

    def candidates(scene: Scene, who: str) -> Iterator[Intent]:
        here = scene.fighters[who].at
        spots = [foe.at for foe in scene.foes(who) if foe.at is not None and not foe.has("dead")]
        if here is None or not spots:
            yield Intent(action, who)
            return
        spot = min(spots, key=lambda one: zones(here, one))
        far = min(FAR[action], zones(here, spot))
        if far:
            to = [max(b, a - far) if b < a else min(b, a + far) for a, b in zip(here, spot, strict=True)]
            yield Intent(action, who, (), {"to": to})
        yield Intent(action, who, (), {"to": [here[0] - 1, here[1]]})

    return candidates


OF_TESTS = ("buy", "luck", "attribute", "skill")
TRIES = "{actor} tries {skill}"
ACTIONS = {
    "test": major_action(
        "Test any other skill, or end what one suffers",
        "2D20-11",
        test_setup,
        test_effects,
        check,
        options=(*OF_TESTS, "difficulty"),
        candidates=test_candidates,
        says=TRIES,
    ),
    "rally": major_action(
        "Earn AP for the side",
        "2D20-11",
        rally_setup,
        check_effects,
        check,
        options=OF_TESTS,
        says="{actor} rallies the others",
    ),
    "defend": major_action(
        "Be harder to hit",
        "2D20-11",
        defend_setup,
        defend_effects,
        check,
        outputs=defend_outputs,
        options=("buy", "luck", "ap-spend"),
        says="{actor} takes care not to be hit",
    ),
    "assist": major_action(
        "Help with an ally's next test",
        "2D20-11",
        assist_setup,
        assist,
        candidates=lambda scene, who: (
            Intent("assist", who, (one.name,), {"skill": "small-guns"}) for one in able_allies(scene, who)
        ),
        targets="ally",
        options=("attribute", "skill"),
        says="{actor} means to help {target}",
    ),
    "command": major_action(
        "Have an allied NPC take a Major action",
        "2D20-11",
        command_setup,
        command,
        outputs=lambda scene, intent, setup, outcome: {"suggestion": "obey"},
        candidates=lambda scene, who: (
            Intent("command", who, (one.name,)) for one in able_allies(scene, who) if is_npc(one)
        ),
        targets="ally",
        says="{actor} tells {target} what to do",
    ),
    "ready": ready_action(
        "Have a Major action wait for what may happen",
        "2D20-11",
        READY_ABLE,
        MAJOR,
        says="{actor} makes ready to {deed}",
    ),
    "move": Action(
        "Move a zone; prone or limping a Major action",
        "2D20-11",
        move_setup,
        move_effects,
        out_of_turn=lambda scene, intent: (
            bool(slowed(scene.fighters[intent.actor]))
            and (is_readied(scene, intent) or is_commanded(scene, intent))
        ),
        out_effects=command_used,
        outputs=move_outputs,
        candidates=move_candidates("move"),
        options=("to", "prone"),
        says="{actor} moves",
    ),
    "sprint": major_action(
        "Move up to two zones",
        "2D20-11",
        move_setup,
        move_effects,
        outputs=move_outputs,
        candidates=move_candidates("sprint"),
        options=("to", "prone"),
        says="{actor} sprints",
    ),
    "stand-up": Action(
        "Stand up",
        "2D20-12",
        stand_setup,
        mark_moved,
        costs=MINOR,
        sets={"prone": False},
        out_effects=command_used,
        says="{actor} gets up",
    ),
    "aim": Action(
        "Take aim: one d20 of the first attack again",
        "2D20-11",
        aim_setup,
        lambda changes, intent, setup, outcome: changes.mark(intent.actor, AIM, 1, "2D20-11"),
        costs=MINOR,
        says="{actor} takes aim",
    ),
    "draw": Action(
        "Draw something, and put something away",
        "2D20-11",
        draw_setup,
        draw,
        costs=MINOR,
        gear="weapons items",
        candidates=draw_candidates,
        says="{actor} draws the {gear}",
    ),
    "interact": Action(
        "Open a door, push a button", "2D20-11", costs=MINOR, says="{actor} sees to something"
    ),
    "take-chem": Action(
        "Give a chem, to oneself or another",
        "2D20-11",
        chem_setup,
        take_chem,
        costs=MINOR,
        gear="items",
        candidates=item_candidates("take-chem"),
        targets="patient",
        options=("item",),
        says={"": "{actor} gives {target} the {gear}", "self": "{actor} takes the {gear}"},
    ),
}
CHECK = Action(
    "Test a skill",
    "2D20-4",
    skill_setup,
    check_effects,
    check,
    window="any",
    options=("difficulty", "buy", "luck", "attribute"),
    candidates=lambda scene, who: (),
    says=TRIES,
)
