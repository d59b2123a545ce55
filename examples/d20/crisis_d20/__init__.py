"""`d20`: a fantasy fight with a twenty-sided die. A rulebook from outside crisis, and the example of crisis-system(7)."""

from __future__ import annotations

from crisis_cli.rules import (
    Action,
    CommandOption,
    Cost,
    ExactOdds,
    Intent,
    OneOf,
    Opponents,
    OutcomeText,
    OutputField,
    Rest,
    RollText,
    Says,
    Setup,
    SheetRules,
    Space,
    System,
    Texts,
    Whole,
    condition_action,
    draw_action,
    has,
    initiative_action,
    lacks,
)

from .attacks import attack, attack_setup, attacking, can_draw, struck, target_lives
from .checks import check, check_setup
from .conditions import CONDITIONS
from .healing import (
    aid_setup,
    can_rest,
    dose,
    heal_setup,
    rest,
    rest_setup,
    rested,
    restore,
    second_wind_setup,
    stabilise,
)
from .sheet import ABILITIES, BESIDE, COVER, MARKS, POOLS, SHEET, SKILLS, contradictions, start
from .spells import befell, cast, cast_at, every_spell, spell_setup
from .turns import (
    can_move,
    dash,
    escape_setup,
    escaped,
    initiative_of,
    move,
    move_setup,
    new_turn,
    score,
    turn_roll,
    turn_setup,
)

ACTION, BONUS = (Cost("action"),), (Cost("bonus"),)
ADVANTAGE_OPTIONS = ("advantage", "disadvantage")
ATTACK = Action(
    "Attack with the weapon in hand",
    "D20-7",
    attack_setup,
    struck,
    attack,
    gear="weapons",
    targets="one",
    requires=(target_lives,),
    ai=attacking("attack", "melee", "ranged"),
    odds=ExactOdds(lambda result: result._replace(total=0)),
    options=("weapon", "range", "cover", "mod_damage", *ADVANTAGE_OPTIONS),
    says=Says(
        {
            "": "{actor} attacks {target} with the {gear}",
            "ranged": "{actor} shoots at {target} with the {gear}",
            "thrown": "{actor} throws the {gear} at {target}",
            "unarmed": "{actor} goes for {target} with bare hands",
        }
    ),
)
ACTIONS = {
    "init": initiative_action("D20-10", initiative_of, score),
    "check": Action(
        "Roll an ability or a skill",
        "D20-5",
        check_setup,
        rule=check,
        window="any",
        ai=Opponents(lambda scene, who: ()),
        options=("difficulty", "vs", *ADVANTAGE_OPTIONS),
        says=Says("{actor} tries {skill}"),
    ),
    "attack": ATTACK,
    "throw": ATTACK._replace(title="Throw a weapon", ai=attacking("throw", "thrown")),
    "cast": Action(
        "Cast a spell",
        "D20-15",
        spell_setup,
        befell,
        cast,
        costs=ACTION,
        gear="spells",
        targets="many",
        ai=Opponents(every_spell),
        odds=ExactOdds(targets=lambda setup: (victim.name for victim in setup.victims), part=cast_at),
        options=("thing", "at", "range", "mod_damage"),
        says=Says("{actor} casts {gear} at {target}"),
    ),
    "heal": Action(
        "Use something that heals",
        "D20-18",
        heal_setup,
        restore,
        dose,
        costs=ACTION,
        gear="items",
        targets="patient",
        ai=Opponents.using("heal"),
        options=("item",),
        says=Says({"": "{actor} gives {target} the {gear}", "self": "{actor} uses the {gear}"}),
    ),
    "first-aid": Action(
        "Stabilise the dying",
        "D20-18",
        aid_setup,
        stabilise,
        check,
        costs=ACTION,
        targets="one",
        requires=(has("dying", "D20-18", of="target"),),
        ai=Opponents(
            lambda scene, who: (
                Intent("first-aid", who, (one.name,)) for one in scene.of_side(scene.fighters[who].side)
            )
        ),
        options=ADVANTAGE_OPTIONS,
        says=Says("{actor} tries to stabilise {target}"),
    ),
    "rest": Action(
        "Rest, for an hour or for a night",
        "D20-24",
        rest_setup,
        rested,
        rest,
        window="table",
        targets="patient",
        requires=(can_rest,),
        says=Says("{target} rests"),
    ),
    "second-wind": Action(
        "Take a second wind",
        "D20-18",
        second_wind_setup,
        restore,
        dose,
        costs=(*BONUS, Cost("second-wind")),
        says=Says("{actor} takes a second wind"),
    ),
    "draw": draw_action("D20-10", BONUS, says="{actor} draws the {gear}")._replace(requires=(can_draw,)),
    "move": Action(
        "Move",
        "D20-11",
        move_setup,
        move,
        requires=(can_move,),
        options=("to",),
        outputs=lambda scene, intent, setup, outcome: {"feet": setup.carried},
        says=Says("{actor} moves"),
    ),
    "dash": Action(
        "Dash: the speed once more",
        "D20-11",
        effects=dash,
        costs=ACTION,
        requires=(can_move,),
        says=Says("{actor} dashes"),
    ),
    "dodge": Action(
        "Dodge until the next turn",
        "D20-10",
        costs=ACTION,
        requires=(lacks("dodging", "D20-10"),),
        sets={"dodging": True},
        says=Says("{actor} dodges"),
    ),
    "stand-up": Action(
        "Stand up",
        "D20-11",
        lambda scene, intent: Setup(None, (), (Cost("movement", scene.fighters[intent.actor].sheet["speed"] // 2),)),
        requires=(has("prone", "D20-11"), can_move),
        sets={"prone": False},
        says=Says("{actor} gets up"),
    ),
    "drop-prone": condition_action("Drop prone", "D20-11", (), "{actor} drops to the ground", begins="prone"),
    "escape": Action(
        "Break free",
        "D20-17",
        escape_setup,
        escaped,
        check,
        costs=ACTION,
        options=ADVANTAGE_OPTIONS,
        says=Says("{actor} tries to break free"),
    ),
}
SYSTEM = System(
    name="d20",
    title="a twenty-sided die against armour class",
    sheet=SHEET,
    pools=POOLS,
    conditions=CONDITIONS,
    actions=ACTIONS,
    start=start,
    marks=MARKS,
    sheet_rules=SheetRules(
        check=contradictions, derived=lambda fighter: {"initiative bonus": initiative_of(fighter)[0].bonus}
    ),
    phases={"start-turn": Action("A new turn", "D20-10", turn_setup, new_turn, turn_roll, window="table")},
    says=Texts(
        outputs={
            "feet": OutputField("how far the actor moved, in feet"),
            "damage": OutputField("the damage by type, before saves and resistance"),
            "healed": OutputField("hit points restored"),
        },
        rolls={
            "death save": RollText("succeeds", "fails"),
            "save": RollText("saves", "does not save"),
            "recharge": RollText("is ready again", "is not ready", title="{who}'s {cause}"),
        },
        words={"rested": OutcomeText("time passes")},
    ),
    skills=(*ABILITIES, *SKILLS),
    command_options=(
        CommandOption(
            "advantage", "flag", ("attack", "throw", "check", "act"), "Roll two d20; the higher counts.", "D20-6"
        ),
        CommandOption(
            "disadvantage", "flag", ("attack", "throw", "check", "act"), "Roll two d20; the lower counts.", "D20-6"
        ),
        CommandOption(
            "stabilise", "flag", ("heal",), "Stabilise with medicine instead.", "D20-18", instead="first-aid"
        ),
    ),
    space=Space(
        unit="ft", moved="feet", metres=0.3, beside=BESIDE, square=5, range=Whole(0, 9999), cover=OneOf(tuple(COVER))
    ),
    difficulty=Whole(1, 40),
    rest=Rest("rest"),
    importers=("crisis_d20.srd:SRD",),
)
