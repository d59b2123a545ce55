"""Major actions, and those that are about others: assist, command, ready (2D20-11)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ...engine.events import Event, change
from ...engine.scene import Fighter, Intent, Scene
from ...engine.system import Action, Setup, refuse
from ...rules.ready_action import ready, set_off
from .conditions import idle
from .pools import COMMANDED, MAJOR, released
from .rolls import ASSISTS, skill_named

COMMANDING = {"person": ("cha", "speech"), "animal": ("cha", "survival"), "robot": ("int", "science")}
"""2D20-11: what a commander assists with."""
READY_ABLE = ("attack", "throw", "heal", "assist", "command", "sprint", "test", "rally", "defend")
"""2D20-11: Major actions that can wait."""


def major(row: Action) -> Action:
    """A Major action, which can be made ready, and commanded (2D20-11)."""

    def effects(scene: Scene, intent: Intent, stake: Any, outcome: Any) -> Iterator[Event]:
        yield from row.effects(scene, intent, stake, outcome)
        yield from spent(scene, intent)

    return row._replace(costs=MAJOR, effects=effects, out_of_turn=released, out_costs=())


def spent(scene: Scene, intent: Intent) -> Iterator[Event]:
    """Out of turn a Major action is done once."""
    yield from set_off(scene, intent, "2D20-11")
    if intent.actor not in scene.acting:
        yield from obeyed(scene, intent.actor)


def obeyed(scene: Scene, npc: str) -> Iterator[Event]:
    """2D20-11: a command is over, and so is the help that came with it, used or not."""
    if scene.fighters[npc].marks.get(COMMANDED):
        yield from change(scene, npc, f"mark:{COMMANDED}", 0, "2D20-11")
        for name, one in scene.fighters.items():
            for mark in one.marks:
                if mark in (f"{ASSISTS}:{npc}:{'+'.join(tries)}" for tries in COMMANDING.values()):
                    yield from change(scene, name, f"mark:{mark}", 0, "2D20-11")


def assist_stake(scene: Scene, intent: Intent) -> Setup:
    """2D20-11: a named ally, and a fitting skill, said or usual."""
    ally = scene.fighters[intent.target]
    if ally.side != scene.fighters[intent.actor].side:
        refuse(intent, f"{ally.name} is no ally of {intent.actor}", "2D20-11")
    if idle(ally)[0]:
        refuse(intent, f"{ally.name} is {idle(ally)[0]} and will test nothing", "2D20-11")
    if not scene.open:
        refuse(
            intent, "to assist is for later, in a crisis", "2D20-11", "crisis init WHO… --open", final=True
        )
    return Setup(skill_named(scene.fighters[intent.actor], intent, intent.get("skill", "")))


def assist(scene: Scene, intent: Intent, tries: tuple[str, str], outcome: Any) -> Iterable[Event]:
    """2D20-11: a d20 for the ally's next test, until the next own turn."""
    return assisting(scene, intent.actor, intent.target, tries)


def assisting(scene: Scene, who: str, ally: str, tries: tuple[str, str]) -> Iterator[Event]:
    """One helps another with attribute + skill; whoever was helped before is not any more."""
    for mark in scene.fighters[who].marks:
        if mark.startswith(ASSISTS + ":"):
            yield from change(scene, who, f"mark:{mark}", 0, "2D20-11")
    yield from change(scene, who, f"mark:{ASSISTS}:{ally}:{'+'.join(tries)}", 1, "2D20-11")


def _allies(scene: Scene, who: str) -> list[str]:
    side = scene.of_side(scene.fighters[who].side)
    return [one.name for one in side if one.name != who and not idle(one)[0]]


def _assists(scene: Scene, who: str) -> Iterator[Intent]:
    return (Intent("assist", who, (ally,), {"skill": "small-guns"}) for ally in _allies(scene, who))


def is_npc(fighter: Fighter) -> bool:
    """2D20-11: no player character, by the sheet, whoever decides for it now."""
    return not (fighter.player and fighter.sheet["player"])


def command_stake(scene: Scene, intent: Intent) -> Setup:
    """2D20-11: an allied NPC, who can act."""
    npc = scene.fighters[intent.target]
    if npc.side != scene.fighters[intent.actor].side or not is_npc(npc):
        ally = npc.side == scene.fighters[intent.actor].side
        what = "a player character" if ally else f"no ally of {intent.actor}"
        refuse(intent, f"{npc.name} is {what}; allied NPCs can be commanded", "2D20-11")
    if idle(npc)[0]:
        refuse(intent, f"{npc.name} is {idle(npc)[0]} and obeys nobody", "2D20-11")
    if not scene.open:
        refuse(intent, "to command is for a crisis", "2D20-11", "crisis init WHO… --open", final=True)
    return Setup(COMMANDING[npc.sheet["kind"]])


def command(scene: Scene, intent: Intent, tries: tuple[str, str], outcome: Any) -> Iterator[Event]:
    """2D20-11: the NPC takes one Major action, at once (a reading), and the commander assists with it."""
    yield from change(scene, intent.target, f"mark:{COMMANDED}", 1, "2D20-11")
    yield from assisting(scene, intent.actor, intent.target, tries)


def _commands(scene: Scene, who: str) -> Iterator[Intent]:
    npcs = (ally for ally in _allies(scene, who) if is_npc(scene.fighters[ally]))
    return (Intent("command", who, (npc,)) for npc in npcs)


ALLIES = {
    "assist": major(
        Action(
            "Help with an ally's next test",
            "2D20-11",
            assist_stake,
            assist,
            candidates=_assists,
            targets="ally",
            options=("attribute", "skill"),
        )
    ),
    "command": major(
        Action(
            "Have an allied NPC take a Major action",
            "2D20-11",
            command_stake,
            command,
            outputs=lambda scene, intent, stake, outcome: {"suggestion": "obey"},
            candidates=_commands,
            targets="ally",
        )
    ),
    "ready": ready("Have a Major action wait for what may happen", "2D20-11", READY_ABLE, MAJOR),
}
