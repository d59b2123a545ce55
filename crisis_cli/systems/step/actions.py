"""The rows of the actions."""

from __future__ import annotations

from ...rules import (
    Action,
    Opponents,
    Says,
    draw_action,
    in_crisis,
    lacks,
    out_of_sight,
    reload_action,
    unable,
    use_action,
)
from .attacks import can_aim, draw_price, magazine
from .checks import AIM, CHECK, OVERWATCH, STEALTH, check, pace
from .damage import ATTACK, EXECUTE, THROW
from .healing import HEAL, NATURAL
from .movement import (
    KNEEL,
    KNEELING,
    PRONE,
    SNEAK,
    UPRIGHT,
    ap,
    half_pace,
    marking,
    sneak_effects,
    sneak_setup,
    walk,
)
from .sheet import (
    CONDITIONS,
    SPACE,
)
from .turns import INIT

# The rows

USE_SAYS = {"": "{actor} uses the {gear} on {target}", "self": "{actor} uses the {gear}"}
UNSEEN = out_of_sight(SPACE.beside, "STEP-16", lambda foe: bool(unable(CONDITIONS, foe)[0]))
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
    "sneak": SNEAK._replace(
        setup=sneak_setup,
        rule=check,
        effects=sneak_effects,
        says=SNEAK.says._replace(words=("unseen", "seen")),
    ),
    "kneel": KNEEL,
    "prone": KNEEL._replace(title="Lie down", says=Says("{actor} lies down")),
    "rise": KNEEL._replace(title="Stand up", says=Says("{actor} gets up")),
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
        ai=Opponents(considered=False),
        says=Says("{actor} hides"),
    ),
    "take-aim": Action(
        "Aim: next shot +1",
        "STEP-16",
        costs=ap(2),
        requires=(can_aim,),
        builds=(AIM,),
        says=Says("{actor} aims"),
    ),
    "overwatch": Action(
        "End the turn, and attack in others' turns",
        "STEP-16",
        effects=marking(OVERWATCH, 1),
        ends_turn=True,
        requires=(in_crisis("STEP-16"),),
        says=Says("{actor} keeps watch, ready to fire"),
    ),
}
