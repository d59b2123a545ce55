"""Other Major and Minor actions, and the rows of all actions (2D20-11)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from ...rules import (
    ATTACK_SAYS,
    Action,
    Changes,
    ExactOdds,
    Fighter,
    Intent,
    Modifiers,
    Opponents,
    OutOfTurn,
    Says,
    Scene,
    Setup,
    check_action,
    draw_action,
    has,
    in_crisis,
    in_hand,
    ready_action,
    refuse,
    slug,
    unable,
    use_action,
)
from . import sheet
from .attacks import attack_setup
from .checks import (
    COMMANDING,
    MAJOR,
    MINOR,
    CheckResult,
    CheckSetup,
    after_check,
    ap_spent,
    bought,
    check,
    check_effects,
    check_setup,
    end_command,
    first_attack,
    is_released,
    missing_ap,
    named_skill,
    persistent,
    skill_setup,
    test_effects,
)
from .damage import attack, attack_effects, attack_outputs, attack_part, attack_upgrades, unasked
from .healing import aid, aid_candidates, aid_effects, aid_outputs, aid_setup, aid_upgrades, has_arm
from .movement import (
    has_not_moved,
    in_one_zone,
    mark_moved,
    move_candidates,
    move_effects,
    move_outputs,
    move_setup,
    slowed,
)
from .sheet import (
    ASSISTS,
    CLOSE,
    COMMANDED,
    CONDITIONS,
    DEFENDING,
    GUNS,
    THROWN,
)
from .turns import begin_turn, dying_setup, end_turn, lasting, lasting_setup


def rally_setup(scene: Scene, intent: Intent) -> Setup:
    """2D20-11: end + survival, or what the GM allows, at difficulty 0."""
    hard = Modifiers("difficulty", "2D20-11").base("rally", 0)
    tries = named_skill(scene, intent, intent.get("skill", "survival"))
    return check_setup(scene, intent, "check", tries, bought(scene, intent, hard))


def defend_setup(scene: Scene, intent: Intent) -> Setup:
    """2D20-11: agi + athletics against the own defense, a first defend included."""
    wanted = intent.get("ap_spend", 0)
    if wanted not in (0, 2):
        what = f"2 AP give one more defense, not {wanted}"
        refuse(intent, what, "2D20-11", "--ap-spend 2", final=True, code="bad_value")
    own = sheet.derived(scene.fighters[intent.actor].sheet)["defense"]
    hard = Modifiers("difficulty", "2D20-11").base("own defense", own)
    hard.add("defending", scene.fighters[intent.actor].marks.get(DEFENDING, 0))
    return check_setup(scene, intent, "check", ("agi", "athletics"), bought(scene, intent, hard), wanted)


def defend_spends(test: CheckSetup, result: CheckResult) -> int:
    """2D20-11: the AP spent on defending better: all that are wanted, or none."""
    return test.wanted if result.success and ap_spent(test, result.total) == test.wanted else 0


def defend_effects(changes: Changes, intent: Intent, setup: Setup, result: CheckResult) -> None:
    """2D20-11: defense +1 until the next own turn, and for 2 AP one more, once (readings)."""
    spent = defend_spends(setup.dice, result)
    after_check(changes, setup.dice, result.total, result.luck, spent)
    if result.success:
        before = changes.before.fighters[intent.actor].marks.get(DEFENDING, 0)
        changes.mark(intent.actor, DEFENDING, max(before, 1 + bool(spent)), "2D20-11")


def defend_outputs(scene: Scene, intent: Intent, setup: Setup, result: CheckResult) -> Mapping[str, object]:
    """2D20-11: `spent`, the AP spent on it, and `wanted`, those wanted where they are more."""
    spent = defend_spends(setup.dice, result)
    return {"spent": spent, **missing_ap(setup.dice, True, spent)} if result.success else {}


def attends(scene: Scene, intent: Intent) -> None:
    """2D20-11: refuse to assist or command an ally who cannot act."""
    if why := unable(CONDITIONS, scene.fighters[intent.target])[0]:
        refuse(intent, f"{intent.target} is {why} and cannot act", "2D20-11", code="condition_forbids")


def is_commanded(scene: Scene, intent: Intent) -> None:
    """2D20-11: refuse to command a player character."""
    if not is_npc(scene.fighters[intent.target]):
        what = f"{intent.target} is a player character; allied NPCs can be commanded"
        refuse(intent, what, "2D20-11", code="wrong_target")


def assist(changes: Changes, intent: Intent, setup: Setup, outcome: None) -> None:
    """2D20-11: a d20 for the ally's next test, until the next own turn, and for nobody helped before."""
    changes.clear_marks(intent.actor, "2D20-11", ASSISTS)
    changes.mark(intent.actor, f"{ASSISTS}:{intent.target}", 1, "2D20-11", key="+".join(setup.dice))


def command(changes: Changes, intent: Intent, setup: Setup, outcome: None) -> None:
    """2D20-11: the NPC takes one Major action, at once (a reading), and the commander assists with it."""
    changes.mark(intent.target, COMMANDED, 1, "2D20-11")
    assist(changes, intent, setup, outcome)


def able_allies(scene: Scene, who: str) -> list[Fighter]:
    """The others of a fighter's side who can act."""
    side = scene.of_side(scene.fighters[who].side)
    return [one for one in side if one.name != who and not unable(sheet.CONDITIONS, one)[0]]


def is_npc(fighter: Fighter) -> bool:
    """2D20-11: not a player character, by the sheet, even if the player decides for it now."""
    return not (fighter.player and fighter.sheet["player"])


def in_hands(fighter: Fighter, drawn: str) -> tuple[str, ...]:
    """2D20-11, 2D20-22: what a fighter holds once something is drawn: a weapon first, and as much as the hands can."""
    hands = sum(not fighter.has(f"injured-{arm}") for arm in sheet.ARMS)
    rest = tuple(one for one in fighter.held if one != drawn)[: max(1, hands) - 1]
    return (drawn, *rest) if drawn in fighter.sheet["weapons"] else (*rest, drawn)


def chem_setup(scene: Scene, intent: Intent) -> Setup:
    """2D20-11: an item in hand, for oneself or a willing one; carried are the HP it heals."""
    fighter, patient = scene.fighters[intent.actor], scene.fighters[intent.patient]
    held = next((one for one in fighter.held if one in fighter.sheet["items"]), None)
    setup = CHEM.setup(scene, intent.plus(item=intent.get("item") or held))
    in_hand(scene, intent, setup.gear, "2D20-11")
    if patient.side != fighter.side:
        refuse(intent, f"{patient.name} is no friend, and not willing", "2D20-11", code="wrong_target")
    heals = fighter.sheet["items"][setup.gear]["heals"]
    if heals and (patient.has("dying") or patient.has("dead")):
        state = "dead" if patient.has("dead") else "dying"
        hint = "" if patient.has("dead") else f"crisis act {slug(fighter.name)} heal {slug(patient.name)}"
        what = f"{patient.name} is {state}, and the {setup.gear} cannot help"
        refuse(intent, what, "2D20-23", hint, code="condition_forbids")
    return setup._replace(carried=heals)


def take_chem(changes: Changes, intent: Intent, setup: Setup, outcome: None) -> None:
    """2D20-11: HP as the sheet says, and the unconscious wake; the dying need first aid (2D20-23)."""
    patient = changes.before.fighters[intent.patient]
    if 0 < patient.pools["hp"] < patient.pools["max_hp"] and setup.carried:
        healed = changes.number("2D20-11").add(setup.gear, setup.carried)
        changes.adjust(patient.name, "hp", healed, "2D20-11")
        changes.set(
            patient.name, "hp", min(changes.pool(patient.name, "hp"), patient.pools["max_hp"]), "2D20-2"
        )
        changes.end(patient.name, "unconscious", "2D20-27")


# The rows

OF_TESTS = ("buy", "luck", "attribute", "skill")
TRIES = "{actor} tries {skill}"
LATER = in_crisis("2D20-11")
of_test = partial(Says, words=("success", "failure"), counts="successes")
"""The sentence of an action with a test; odds tell how many successes."""
minor_action = partial(Action, rule_id="2D20-11", costs=MINOR)
major_action = partial(
    Action,
    rule_id="2D20-11",
    costs=MAJOR,
    out=OutOfTurn(is_released, costs=(), effects=end_command, ready_rule="2D20-11"),
)
"""A row of a Major action: it can be made ready, and commanded (2D20-11)."""
major_test = partial(major_action, rule=check, options=OF_TESTS)
FIRES, THROWS = ATTACK_SAYS["ranged"], ATTACK_SAYS["thrown"]
THROW = major_action(
    "Throw a weapon or an object",
    rule_id="2D20-28",
    setup=attack_setup,
    effects=attack_effects,
    rule=attack,
    says=Says({"": THROWS, "bare": "{actor} throws something at {target}"}, ("hit", "miss"), "successes"),
    gear="weapons",
    ai=Opponents.attacking("throw", *THROWN, upgrades=attack_upgrades),
    options=(
        *("weapon", "range", "cover", "mod_damage", "location", "ap-dice", "aim", "reach", "complication"),
        *("buy", "luck", "at"),
    ),
    targets="many",
    requires=(has_arm,),
    outputs=attack_outputs,
    odds=ExactOdds(
        targets=lambda setup: (one.name for one in setup[1].targets), part=attack_part, unasked=unasked
    ),
)
ATTACK = THROW._replace(
    title="Attack with the weapon in hand",
    rule_id="2D20-13",
    ai=Opponents.attacking("attack", *CLOSE, *GUNS, bare_hands=True, upgrades=attack_upgrades),
    options=(*THROW.options, "extra-rounds"),
    says=THROW.says._replace(
        sentences={
            **ATTACK_SAYS,
            **dict.fromkeys(GUNS, FIRES),
            **dict.fromkeys(THROWN, THROWS),
            "": "{actor} attacks {target} with the {gear}",
            "bare": "{actor} attacks {target}",
        }
    ),
)
HEAL = major_action(
    "Give first aid",
    rule_id="2D20-27",
    setup=aid_setup,
    effects=aid_effects,
    rule=aid,
    says=Says(
        {"": "{actor} treats {target}", "self": "{actor} treats their own wounds"},
        ("healed", "failure"),
        "successes",
    ),
    outputs=aid_outputs,
    ai=Opponents(aid_candidates, aid_upgrades),
    targets="patient",
    requires=(has_arm, in_one_zone),
    options=("buy", "luck", "treat", "stabilise", "heal-hp", "ap-spend"),
)
CHECK = check_action(
    "Test a skill",
    "2D20-4",
    skill_setup,
    check,
    ("difficulty", "buy", "luck", "attribute"),
    check_effects,
    "successes",
)
CHEM_SAYS = {"": "{actor} gives {target} the {gear}", "self": "{actor} takes the {gear}"}
CHEM = use_action("take-chem", "Give a chem, to oneself or another", "2D20-11", MINOR, CHEM_SAYS)
ACTIONS = {
    "heal": HEAL,
    "first-aid": HEAL._replace(ai=Opponents(lambda scene, who: ())),
    "test": major_test(
        "Test any other skill, or end what one suffers",
        setup=skill_setup,
        effects=test_effects,
        options=(*OF_TESTS, "difficulty"),
        ai=Opponents(lambda scene, who: (Intent("test", who),) * bool(persistent(scene.fighters[who]))),
        says=of_test(TRIES),
    ),
    "rally": major_test(
        "Earn AP for the side",
        setup=rally_setup,
        effects=check_effects,
        says=of_test("{actor} rallies the others"),
    ),
    "defend": major_test(
        "Be harder to hit",
        setup=defend_setup,
        effects=defend_effects,
        outputs=defend_outputs,
        options=("buy", "luck", "ap-spend"),
        says=of_test("{actor} takes care not to be hit"),
    ),
    "assist": major_action(
        "Help with an ally's next test",
        setup=lambda scene, intent: Setup(named_skill(scene, intent, intent.get("skill", ""))),
        effects=assist,
        requires=(attends, LATER),
        ai=Opponents(
            lambda scene, who: (
                Intent("assist", who, (one.name,), {"skill": "small-guns"}) for one in able_allies(scene, who)
            )
        ),
        targets="ally",
        options=("attribute", "skill"),
        says=Says("{actor} means to help {target}"),
    ),
    "command": major_action(
        "Have an allied NPC take a Major action",
        setup=lambda scene, intent: Setup(COMMANDING[scene.fighters[intent.target].sheet["kind"]]),
        effects=command,
        requires=(is_commanded, attends, LATER),
        outputs=lambda scene, intent, setup, outcome: {"suggestion": "obey"},
        ai=Opponents.treating("command", is_npc),
        targets="ally",
        says=Says("{actor} tells {target} what to do"),
    ),
    "ready": ready_action(
        "Hold a Major action until a trigger",
        "2D20-11",
        ("attack", "throw", "heal", "assist", "command", "sprint", "test", "rally", "defend"),
        MAJOR,
        says="{actor} gets ready to {deed}",
    ),
    "move": Action(
        "Move a zone; prone or limping a Major action",
        "2D20-11",
        move_setup,
        move_effects,
        out=OutOfTurn(
            allowed=lambda scene, intent: (
                bool(slowed(scene.fighters[intent.actor])) and is_released(scene, intent)
            ),
            effects=end_command,
        ),
        outputs=move_outputs,
        ai=Opponents(partial(move_candidates, "move")),
        requires=(has_not_moved,),
        options=("to", "prone"),
        says=Says("{actor} moves"),
    ),
    "sprint": major_action(
        "Move up to two zones",
        setup=move_setup,
        effects=move_effects,
        outputs=move_outputs,
        ai=Opponents(partial(move_candidates, "sprint")),
        requires=(has_not_moved,),
        options=("to", "prone"),
        says=Says("{actor} sprints"),
    ),
    "stand-up": minor_action(
        "Stand up",
        rule_id="2D20-12",
        effects=mark_moved,
        requires=(has("prone", "2D20-12"), has_not_moved),
        sets={"prone": False},
        out=OutOfTurn(effects=end_command),
        says=Says("{actor} gets up"),
    ),
    "aim": minor_action(
        "Take aim: one d20 of the first attack again",
        requires=(first_attack,),
        effects=lambda changes, intent, setup, outcome: changes.mark(intent.actor, sheet.AIM, 1, "2D20-11"),
        says=Says("{actor} takes aim"),
    ),
    "draw": draw_action(
        "2D20-11", MINOR, "{actor} draws the {gear}", gear="weapons items", holds=in_hands, thrown=THROWN
    )._replace(title="Draw something, and put something away", requires=(has_arm,), options=("away",)),
    "interact": minor_action("Open a door, push a button", says=Says("{actor} sees to something")),
    "take-chem": CHEM._replace(
        setup=chem_setup,
        effects=take_chem,
        ai=Opponents.using("take-chem"),
        targets="patient",
        requires=(in_one_zone,),
    ),
}
PHASES = {
    "start-turn": Action(
        "A Major and a Minor action; the dying hold on",
        "2D20-11",
        dying_setup,
        begin_turn,
        lambda table, test: test and table.ask(check, test),
        says=of_test(),
        window="table",
    ),
    "end-turn": Action("What goes on hurting", "2D20-22", lasting_setup, end_turn, lasting, window="table"),
}
