"""Moving and sneaking, and the rows of all actions (D100-13 to D100-15)."""

from __future__ import annotations

from ...rules import (
    Action,
    Changes,
    Fighter,
    Intent,
    Modifiers,
    RuleTable,
    Says,
    Scene,
    Setup,
    draw_action,
    move_action,
    ready_action,
    reload_action,
)
from .attacks import ATTACK, REACH, THROW
from .checks import CHECK, HELP, CheckResult, all_asked, rated, rolled, succeeds
from .healing import HEAL
from .turns import FULL, INIT, SMALL, full_action, is_down, next_own_turn

# Moving and sneaking


def walk_pace(fighter: Fighter) -> int:
    """D100-14: metres of a walk, in any direction: 2; what is not used is not kept."""
    return max(0, Modifiers("move", "D100-14").base("walk", 2).situational(fighter, "move").total)


def run_pace(fighter: Fighter) -> int:
    """D100-14: metres of a run, straight on: 5 and a tenth of dexterity."""
    found = Modifiers("move", "D100-14").base("run", 5)
    found.add("dexterity", fighter.sheet["ratings"]["dexterity"] // 10)
    return max(0, found.situational(fighter, "move").total)


Watcher = tuple[str, int, bool]
"""An opponent who could notice: the name, what to stay at or under, and whether it is within arm's length."""


def sneak_setup(scene: Scene, intent: Intent) -> Setup:
    """D100-15: dexterity; those who could notice are the opponents able to act, or those of them who are named."""
    mine = all_asked(rated(scene.fighters[intent.actor], "sneak", "dexterity"), intent)
    rolls = [mine]
    watching: list[Watcher] = []
    for foe in scene.foes(intent.actor):
        if not is_down(foe) and (not intent.targets or foe.name in intent.targets):
            found = rated(foe, "notice", "perception", foe.name)
            distance = scene.distance(intent.actor, foe.name)
            watching.append((foe.name, found.total, distance is not None and distance <= REACH))
            rolls.append(found)
    return Setup((intent.actor, mine.total, mine.net_advantage, tuple(watching)), Modifiers.lines_of(*rolls))


def sneak(table: RuleTable, setup: tuple[str, int, int, tuple[Watcher, ...]]) -> CheckResult:
    """D100-15: if the check fails, each opponent checks perception; one at arm's length once more either way.
    Success is not being noticed; any success of theirs and it is (a reading)."""
    who, target, advantage, watching = setup
    success, face = rolled(table, "sneak", who, target, advantage)
    return CheckResult(not table.ask(noticed, watching, success), face)


def noticed(table: RuleTable, watching: tuple[Watcher, ...], hidden: bool) -> bool:
    """A rule: whether any of these notices."""
    if not watching:
        return False
    (who, target, near), seen = watching[0], False
    for _ in range((not hidden) + near):
        seen = table.ask(succeeds, "notice", who, target) or seen
    # The others check as well, whatever this one sees.
    return table.ask(noticed, watching[1:], hidden) or seen


def hide(changes: Changes, intent: Intent, setup: Setup, result: CheckResult) -> None:
    """D100-15: sneaking until the next own turn, unless noticed."""
    until = next_own_turn(changes.scene, intent.actor) if result.success else None
    changes.begin(intent.actor, "sneaking", "D100-15", result.success, until)


ON = "go part of the way, or run: crisis act {who} run --to X,Y"
READYABLE = ("attack", "throw", "reload", "run", "heal")
"""D100-11: what takes an Action."""
ACTIONS = {
    "check": CHECK,
    "init": INIT,
    "attack": ATTACK,
    "throw": THROW,
    "heal": full_action(HEAL),
    "walk": move_action("Walk, 2 m", "D100-14", walk_pace, SMALL, "{actor} walks", hint=ON),
    "run": full_action(
        move_action("Run straight on", "D100-14", run_pace, FULL, "{actor} runs", length=Scene.straight)
    ),
    "sneak": Action(
        "Sneak until the next own turn",
        "D100-15",
        sneak_setup,
        hide,
        sneak,
        costs=SMALL,
        targets="any",
        says=Says("{actor} sneaks along", ("unnoticed", "noticed")),
        options=HELP,
    ),
    "grab": Action("Grab something in reach", "D100-13", costs=SMALL, says=Says("{actor} grabs something")),
    "push": Action(
        "Push a button, or anything as quick", "D100-13", costs=SMALL, says=Says("{actor} pushes something")
    ),
    "draw": draw_action("D100-13", SMALL, "{actor} draws the {gear}"),
    "reload": full_action(reload_action("D100-13", FULL, loads="shots", says="{actor} reloads the {gear}")),
    "ready": ready_action(
        "Ready an action, for a Small Action to set off",
        "D100-11",
        READYABLE,
        FULL,
        # Until the end of the next own turn, after the one that is on.
        lasts=2,
        says="{actor} gets ready to {deed}",
    ),
}
