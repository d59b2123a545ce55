"""The actions without an attack (D100-13 to D100-15): going, sneaking, grabbing, draw_action, loading."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from ...engine.events import Event, change
from ...engine.scene import Intent, Scene, distance, slug
from ...engine.system import Action, Setup, refuse
from ...rules.equipment import draw_action, reload_action
from ...rules.situational import circumstance, standing
from .actions import SMALL, no_stake, whole
from .checks import asked, edge_of, no_effects, rated, rolled, succeeds, total
from .conditions import idle, next_own_turn

WALK = 2
"""D100-14: metres of a Small Action."""
RUN, RUN_SHARE = 5, 10
"""D100-14: metres of an Action, and the part of dexterity that is added."""
REACH = 2
"""Arm's length, in metres: for blows, treatment, and being noticed (D100-15, a reading)."""


def walk_stake(scene: Scene, intent: Intent) -> Setup:
    """D100-14: two metres, in any direction; what is not used is not kept."""
    return _going(scene, intent, WALK)


def run_stake(scene: Scene, intent: Intent) -> Setup:
    """D100-14: five metres and a tenth of dexterity, straight on."""
    return _going(
        scene, intent, RUN + scene.fighters[intent.actor].sheet["ratings"]["dexterity"] // RUN_SHARE
    )


def _going(scene: Scene, intent: Intent, metres: int) -> Setup:
    fighter, to = scene.fighters[intent.actor], intent.get("to")
    most = max(0, metres + total(standing(fighter, "move", "move"), "move"))
    if to is not None and fighter.at is not None and distance(fighter.at, to) > most:
        refuse(
            intent,
            f"{fighter.name} can {intent.action} {most} m in one go; that is {distance(fighter.at, to)} m away",
            "D100-14",
            hint="go part of the way"
            + (f", or run: crisis act {slug(fighter.name)} run --to X,Y" if most == WALK else ""),
        )
    return Setup(most)


def go(scene: Scene, intent: Intent, most: int, outcome: Any) -> Iterable[Event]:
    """The new position, where one is given."""
    to = intent.get("to")
    return () if to is None else change(scene, intent.actor, "at", tuple(to), "D100-14")


def how_far(scene: Scene, intent: Intent, most: int, outcome: Any) -> Mapping[str, Any]:
    """The metres gone, or how many there could be."""
    here, to = scene.fighters[intent.actor].at, intent.get("to")
    return {"metres": distance(here, to)} if here and to else {"most": most}


class Watch(NamedTuple):
    """An opponent who could notice."""

    who: str
    target: int
    near: bool
    """Within arm's length."""


class Sneak(NamedTuple):
    """All that the dice of sneaking need to know."""

    who: str
    target: int
    edge: int
    watching: tuple[Watch, ...]


class Sneaked(NamedTuple):
    """What sneaking came to: success is not being noticed."""

    success: bool
    total: int

    @property
    def word(self) -> str:
        """In one word."""
        return "unnoticed" if self.success else "noticed"


def sneak_stake(scene: Scene, intent: Intent) -> Setup:
    """D100-15: dexterity; those who could notice are the opponents able to act, or those of them who are named."""
    fighter = scene.fighters[intent.actor]
    edge, edges = edge_of(intent, "sneak")
    modifiers = (
        rated(fighter, "sneak", "dexterity") + asked(intent, "sneak") + circumstance(intent, "sneak") + edges
    )
    mine = total(modifiers, "sneak")
    watching = []
    for foe in scene.foes(fighter.name):
        if idle(foe)[0] or (intent.targets and foe.name not in intent.targets):
            continue
        against = [one._replace(against=foe.name) for one in rated(foe, "notice", "perception")]
        modifiers += against
        apart = scene.distance(fighter.name, foe.name)
        watching.append(Watch(foe.name, total(against, "notice"), apart is not None and apart <= REACH))
    return Setup(Sneak(fighter.name, mine, edge, tuple(watching)), tuple(modifiers))


def sneak(table: Any, stake: Sneak) -> Sneaked:
    """D100-15: if the check fails, each opponent checks perception; one at arm's length once more either way.
    Any success and it is noticed (a reading)."""
    success, face = rolled(table, "sneak", stake.who, stake.target, stake.edge)
    return Sneaked(not table.ask(noticed, stake.watching, success), face)


def noticed(table: Any, watching: tuple[Watch, ...], hidden: bool) -> bool:
    """A rule: whether any of these notices."""
    seen = False
    for one in watching[:1]:
        checks = (not hidden) + one.near
        if checks:
            seen = table.ask(succeeds, "notice", one.who, one.target)
        if checks > 1:
            seen = table.ask(succeeds, "notice", one.who, one.target) or seen
        # The others check as well, whatever this one sees.
        seen = table.ask(noticed, watching[1:], hidden) or seen
    return seen


def sneaks(scene: Scene, intent: Intent, stake: Sneak, outcome: Sneaked) -> Iterator[Event]:
    """D100-15: sneaking until the next own turn, unless noticed."""
    end = next_own_turn(scene, intent.actor) if outcome.success else None
    yield from change(scene, intent.actor, "condition:sneaking", outcome.success, "D100-15")
    yield from change(scene, intent.actor, "until:sneaking", end, "D100-15")


def _small(title: str) -> Action:
    return Action(title, "D100-13", no_stake, no_effects, costs=SMALL)


ACTS = {
    "walk": Action("Walk, 2 m", "D100-14", walk_stake, go, costs=SMALL, outputs=how_far, options=("to",)),
    "run": whole(Action("Run straight on", "D100-14", run_stake, go, outputs=how_far, options=("to",))),
    "sneak": Action(
        "Sneak until the next own turn",
        "D100-15",
        sneak_stake,
        sneaks,
        sneak,
        costs=SMALL,
        targets="any",
        options=("assist", "obstacle", "plus", "minus"),
    ),
    "grab": _small("Grab something in reach"),
    "push": _small("Push a button, or anything as quick"),
    "draw": draw_action("D100-13", SMALL),
    "reload": whole(reload_action("D100-13", (), loads="shots")),
}
