"""What the map forbids: an attack without a line of sight, a move to where no way leads (ALL-4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .field import BattleMap, Place, said, spelled, standing_at
from .scene import Intent, Scene, slug
from .system import Action, refuse
from .wording import is_plural

if TYPE_CHECKING:
    from collections.abc import Iterator

RULE = "ALL-4"


def check_field(scene: Scene, field: BattleMap, intent: Intent, row: Action) -> None:
    """Refuse what the terrain between the actor and its targets, or its destination, does not allow."""
    here = scene.fighters[intent.actor].at if intent.actor else None
    if here is None:
        return
    if "range" in row.options:
        for who, there in _aimed_at(scene, intent):
            _check_sight(field, intent, here, who, there)
    to = intent.get("to")
    if to is not None and "to" in row.options and field.way(here, to) is None:
        stops = field.at(to).stops_move
        what = (
            f"there {_is(field, to)} {standing_at(field, to)}" if stops else f"no way leads to {spelled(to)}"
        )
        refuse(intent, what, RULE, "what can be reached: crisis map --reach", code="no_way", at=[*to])


def _aimed_at(scene: Scene, intent: Intent) -> Iterator[tuple[str, Place]]:
    """The names and places of all that an action is aimed at; no name for a place."""
    if (place := intent.get("at")) is not None:
        yield "", (place[0], place[1])
        return
    for name in intent.targets:
        there = scene.fighters[name].at
        if there is not None and name != intent.actor:
            yield name, there


def _check_sight(field: BattleMap, intent: Intent, here: Place, who: str, there: Place) -> None:
    stop = field.obstacle(here, there)
    if stop is None:
        return
    what = f"{blocked_by(field, stop)} in the way"
    message = f"{who or spelled(there)} is out of sight: {what}"
    hint = f"what {intent.actor} sees: crisis map --sight {slug(intent.actor)}; to override: --force"
    about, at = said(field.at(stop)), [*stop]
    refuse(intent, message, RULE, hint, code="no_sight", target=who or None, terrain=about, at=at)


def refuse_bend(scene: Scene, intent: Intent, most: int, rule: str) -> None:
    """Refuse a straight move of at most so far to a place that something on the map stands before."""
    fighter, field, to = scene.fighters[intent.actor], scene.field, intent.get("to")
    here = fighter.at
    stop = field.barrier(here, to) if field is not None and here is not None else None
    if field is None or here is None or stop is None:
        return
    gaps = {place: scene.straight(here, place) for place in field.line(here, to)}
    clear = [place for place, gap in gaps.items() if gap is not None and gap <= most]
    hint = f"run up to it: --to {spelled(clear[-1])}" if clear else "what can be reached: crisis map --reach"
    what = f"{fighter.name} goes straight on, and {blocked_by(field, stop)} in the way"
    refuse(intent, what, rule, hint, code="bent_way", at=[*stop])


def blocked_by(field: BattleMap, place: Place) -> str:
    """What stands at a place, as the beginning of a sentence: `a wall at 4,2 is`."""
    return f"{standing_at(field, place)} {_is(field, place)}"


def _is(field: BattleMap, place: Place) -> str:
    return "are" if is_plural(said(field.at(place))) else "is"
