"""Action Points: the pool of a side, and what a fighter can still buy from it (2D20-5 to 2D20-7, 2D20-11)."""

from __future__ import annotations

from collections.abc import Iterable

from ...engine.cost import BOUGHT
from ...engine.events import SIDE, Event
from ...engine.record import Modifier
from ...engine.scene import Intent, Scene
from ...engine.sides import left
from ...engine.system import Conversion, Cost, Pool, Start, refuse
from ...rules.ready_action import is_readied

COMMANDED = "commanded"
"""The mark of whoever is told to take a Major action, now (2D20-11)."""
PLAYERS = "players"
"""The side of the player's fighters, unless their sheets name a team (ALL-3)."""
AP_MOST = 6
"""2D20-7: what the players' side can keep."""
MAJOR, MINOR = (Cost("major", rule="2D20-11"),), (Cost("minor", rule="2D20-11"),)
PRICE = {"major": 2, "minor": 1}
"""2D20-11: AP of one more action of a kind, once a turn."""
DICE = (0, 1, 3, 6)
"""2D20-6: AP of none, one, two and three more d20."""
POOLS = {
    "hp": Pool("HP", "2D20-2"),
    "max_hp": Pool("highest HP", "2D20-21", usual=True),
    "luck": Pool("Luck", "2D20-8"),
    "major": Pool("Major actions", "2D20-11", lasting=False, spent=True, renewed=True,
                  made_of=Conversion("ap", takes=PRICE["major"], once=True)),
    "minor": Pool("Minor actions", "2D20-11", lasting=False, spent=True, renewed=True,
                  made_of=Conversion("ap", takes=PRICE["minor"], once=True)),
    "ammo": Pool("rounds", "2D20-21", gear="weapons", board="{left} in the {thing}"),
    "uses": Pool("uses", "2D20-11", gear="items"),
}  # fmt: skip
SIDE_POOLS = {"ap": Pool("AP", "2D20-7", lasting=False)}


def side(scene: Scene, name: str) -> Start:
    """2D20-7: players begin with nothing and keep 6; a side run by the GM begins with one for each player
    character, by the sheets, and has no limit (so does any third side, a reading)."""
    # The players' side keeps its limit when all of its fighters are handed over to play themselves.
    if name == PLAYERS or any(one.player for one in scene.fighters.values() if one.side == name):
        return Start({"ap": 0}, {"ap": (0, AP_MOST)})
    characters = sum(one.sheet["player"] and not one.gone for one in scene.fighters.values())
    return Start({"ap": characters}, {"ap": (0, None)})


def is_bought(scene: Scene, intent: Intent, kind: str = "major") -> bool:
    """2D20-11: whether the action of this kind is one more, bought with AP; out of turn none needs to be."""
    fighter = scene.fighters[intent.actor]
    if (
        not scene.open
        or fighter.pools[kind]
        or (fighter.name not in scene.acting and released(scene, intent))
    ):
        return False
    return not fighter.marks.get(f"{BOUGHT}:{kind}") and left(scene, fighter.side, "ap") >= PRICE[kind]


def released(scene: Scene, intent: Intent) -> bool:
    """2D20-11: whether a Major action may be done out of turn: made ready, or commanded."""
    return is_readied(scene, intent) or bool(scene.fighters[intent.actor].marks.get(COMMANDED))


def purse(scene: Scene, intent: Intent, kind: str, dice: int = 0) -> int:
    """The AP that the actor's side has left when bought actions and bought dice are paid."""
    have = left(scene, scene.fighters[intent.actor].side, "ap") - DICE[dice]
    have -= PRICE[kind] if kind and is_bought(scene, intent, kind) else 0
    return max(0, have - (PRICE["minor"] if _aims_more(scene, intent, have) else 0))


def _aims_more(scene: Scene, intent: Intent, have: int) -> bool:
    """2D20-11: whether taking aim with an attack takes a Minor action more, which is bought."""
    fighter = scene.fighters[intent.actor]
    lacks = intent.get("aim", 0) - fighter.pools["minor"] if scene.open else 0
    return lacks == 1 and not fighter.marks.get(f"{BOUGHT}:minor") and have >= PRICE["minor"]


def dice_bought(intent: Intent) -> tuple[int, tuple[Cost, ...]]:
    """2D20-6: the d20 bought before rolling, and what they cost."""
    dice = intent.get("buy", 0)
    if not 0 <= dice < len(DICE):
        refuse(intent, f"up to three more d20 can be bought, not {dice}", "2D20-6", "--buy 3", final=True)
    return dice, (Cost("ap", DICE[dice], rule="2D20-6"),) if dice else ()


def dearer(scene: Scene, intent: Intent) -> list[Modifier]:
    """2D20-11: tests of a bought Major action are harder."""
    if not is_bought(scene, intent):
        return []
    return [Modifier("difficulty", "bought action", 1, "2D20-11", f"{PRICE['major']} AP")]


def in_purse(scene: Scene, who: str, now: int, rule: str) -> Iterable[Event]:
    """The side's AP brought to a number, what is above the limit lost (2D20-7)."""
    own = scene.fighters[who].side
    most = side(scene, own).limits["ap"][1]
    # Told even where it comes to what there was: the costs have taken something from it.
    return (Event(SIDE + own, "ap", left(scene, own, "ap"), now if most is None else min(now, most), rule),)
