"""Other Major and Minor actions, and the rows of all actions (2D20-11)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ...rules import (
    Changes,
    Fighter,
    Intent,
    Modifiers,
    Opponents,
    Says,
    Scene,
    Setup,
    draw_action,
    in_crisis,
    ready_action,
    refuse,
)
from . import sheet
from .checks import (
    CHECK,
    COMMANDING,
    MAJOR,
    MINOR,
    OF_TESTS,
    CheckResult,
    after_check,
    bought,
    check_effects,
    check_setup,
    first_attack,
    has_arm,
    major_action,
    major_test,
    minor_action,
    named_skill,
    persistent,
    skill_setup,
    test_effects,
)
from .damage import ATTACK, THROW
from .healing import HEAL, TAKE_CHEM
from .sheet import ASSISTS, COMMANDED, DEFENDING, THROWN
from .turns import INIT, MOVE, SPRINT, STAND_UP


def rally_setup(scene: Scene, intent: Intent) -> Setup:
    """2D20-11: end + survival, or what the GM allows, at difficulty 0."""
    tries = named_skill(scene, intent, intent.get("skill", "survival"))
    hard = bought(scene, intent, Modifiers("difficulty", "2D20-11").base("rally", 0))
    return check_setup(scene, intent, "check", tries, hard)


def defend_setup(scene: Scene, intent: Intent) -> Setup:
    """2D20-11: agi + athletics against the own defense, a first defend included."""
    fighter, wanted = scene.fighters[intent.actor], intent.get("ap_spend", 0)
    if wanted not in (0, 2):
        what = f"2 AP give one more defense, not {wanted}"
        refuse(intent, what, "2D20-11", "--ap-spend 2", final=True, code="bad_value")
    hard = Modifiers("difficulty", "2D20-11").base("own defense", sheet.derived(fighter.sheet)["defense"])
    hard = bought(scene, intent, hard.add("defending", fighter.marks.get(DEFENDING, 0)))
    return check_setup(scene, intent, "check", ("agi", "athletics"), hard, wanted)


def defend_effects(changes: Changes, intent: Intent, setup: Setup, result: CheckResult) -> None:
    """2D20-11: defense +1 until the next own turn, and for 2 AP, all or none, one more, once (readings)."""
    spent = setup.dice.spent(result.total) // 2 * 2 if result.success else 0
    after_check(changes, setup.dice, result.total, result.luck, spent)
    if result.success:
        before = changes.before.fighters[intent.actor].marks.get(DEFENDING, 0)
        changes.mark(intent.actor, DEFENDING, max(before, 1 + bool(spent)))


def defend_outputs(scene: Scene, intent: Intent, setup: Setup, result: CheckResult) -> Mapping[str, object]:
    """2D20-11: `spent`, the AP spent on it, and `wanted`, those wanted where they are more."""
    spent = setup.dice.spent(result.total) // 2 * 2
    return {"spent": spent, **setup.dice.missing(True, spent)} if result.success else {}


def attends(scene: Scene, intent: Intent) -> None:
    """2D20-11: refuse to assist or command an ally who cannot act."""
    if why := sheet.idle(scene.fighters[intent.target]):
        refuse(intent, f"{intent.target} is {why} and cannot act", "2D20-11", code="condition_forbids")


def is_npc(fighter: Fighter) -> bool:
    """2D20-11: not a player character, by the sheet, even if the player decides for it now."""
    return not (fighter.player and fighter.sheet["player"])


def is_commanded(scene: Scene, intent: Intent) -> None:
    """2D20-11: refuse to command a player character."""
    if not is_npc(scene.fighters[intent.target]):
        what = f"{intent.target} is a player character; allied NPCs can be commanded"
        refuse(intent, what, "2D20-11", code="wrong_target")


def assist(changes: Changes, intent: Intent, setup: Setup, outcome: None) -> None:
    """2D20-11: a d20 for the ally's next test, until the next own turn, and for nobody helped before."""
    changes.clear_marks(intent.actor, "2D20-11", ASSISTS)
    changes.mark(intent.actor, f"{ASSISTS}:{intent.target}", key="+".join(setup.dice))


def assist_candidates(scene: Scene, who: str) -> Iterator[Intent]:
    """Help with a shot, for the others of a fighter's side who can act."""
    for ally in scene.of_side(scene.fighters[who].side):
        if ally.name != who and not sheet.idle(ally):
            yield Intent("assist", who, (ally.name,), {"skill": "small-guns"})


def command(changes: Changes, intent: Intent, setup: Setup, outcome: None) -> None:
    """2D20-11: the NPC takes one Major action, at once (a reading), and the commander assists with it."""
    changes.mark(intent.target, COMMANDED)
    assist(changes, intent, setup, outcome)


def in_hands(fighter: Fighter, drawn: str) -> tuple[str, ...]:
    """2D20-11, 2D20-22: what a fighter holds once something is drawn: a weapon first, and as much as the hands can."""
    hands = sum(not fighter.has(f"injured-{arm}") for arm in sheet.ARMS)
    rest = tuple(thing for thing in fighter.held if thing != drawn)[: max(1, hands) - 1]
    return (drawn, *rest) if drawn in fighter.sheet["weapons"] else (*rest, drawn)


LATER = in_crisis("2D20-11")
TRIES = "{actor} tries {skill}"
ACTIONS = {
    "check": CHECK,
    "init": INIT,
    "attack": ATTACK,
    "throw": THROW,
    "heal": HEAL,
    "first-aid": HEAL._replace(ai=Opponents(lambda scene, who: ())),
    "test": major_test(
        "Test any other skill, or end what one suffers", skill_setup, test_effects, TRIES
    )._replace(
        options=(*OF_TESTS, "difficulty"),
        ai=Opponents(lambda scene, who: (Intent("test", who),) * bool(persistent(scene.fighters[who]))),
    ),
    "rally": major_test("Earn AP for the side", rally_setup, check_effects, "{actor} rallies the others"),
    "defend": major_test(
        "Be harder to hit", defend_setup, defend_effects, "{actor} takes care not to be hit"
    )._replace(outputs=defend_outputs, options=("buy", "luck", "ap-spend")),
    "assist": major_action(
        "Help with an ally's next test",
        lambda scene, intent: Setup(named_skill(scene, intent, intent.get("skill", ""))),
        assist,
        "{actor} means to help {target}",
    )._replace(
        requires=(attends, LATER),
        ai=Opponents(assist_candidates),
        targets="ally",
        options=("attribute", "skill"),
    ),
    "command": major_action(
        "Have an allied NPC take a Major action",
        lambda scene, intent: Setup(COMMANDING[scene.fighters[intent.target].sheet["kind"]]),
        command,
        "{actor} tells {target} what to do",
    )._replace(
        requires=(is_commanded, attends, LATER),
        outputs=lambda scene, intent, setup, outcome: {"suggestion": "obey"},
        ai=Opponents.treating("command", is_npc),
        targets="ally",
    ),
    "ready": ready_action(
        "Hold a Major action until a trigger",
        "2D20-11",
        ("attack", "throw", "heal", "assist", "command", "sprint", "test", "rally", "defend"),
        MAJOR,
        says="{actor} gets ready to {deed}",
    ),
    "move": MOVE,
    "sprint": SPRINT,
    "stand-up": STAND_UP,
    "aim": minor_action(
        "Take aim: one d20 of the first attack again",
        requires=(first_attack,),
        effects=lambda changes, intent, setup, outcome: changes.mark(intent.actor, sheet.AIM),
        says=Says("{actor} takes aim"),
    ),
    "draw": draw_action(
        "2D20-11", MINOR, "{actor} draws the {gear}", gear="weapons items", holds=in_hands, thrown=THROWN
    )._replace(title="Draw something, and put something away", requires=(has_arm,), options=("away",)),
    "interact": minor_action("Open a door, push a button", says=Says("{actor} sees to something")),
    "take-chem": TAKE_CHEM,
}
