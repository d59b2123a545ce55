"""`crisis odds encounter`: how strong the sides of an encounter are before it begins."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import click

from ..completion import Source
from ..context import Context
from ..engine.ranking import Ranked, odds_table_for, ranked
from ..engine.scene import Scene
from ..play.opening import encounter_scene
from ..play.session import Session
from ..play.table import decision_policy
from ..render import data
from ..render.command_text import typed
from ..values import NamedTuple
from . import options, setup
from .odds import at_turn_of


class Strength(NamedTuple):
    """What a fighter can do in a turn."""

    name: str
    side: str
    line: str
    """Its best action, as it is typed; empty where it has none with odds."""
    success: float | None
    worth: float
    """How much of a foe it brings down in a turn, on average."""


@click.command("encounter")
@click.argument("name", metavar="NAME", shell_complete=Source("names.encounters"))
@click.argument("who", nargs=-1, metavar="[WHO]...", shell_complete=Source("names.fighters"))
@options.seed_option
@setup.encounters_option
@options.common_options
@click.pass_obj
def command(context: Context, /, name: str, who: tuple[str, ...], seed: int | None, as_json: bool) -> int:
    """Compare the sides of an encounter as it begins: what each fighter's best action does to a foe in a turn.

    The odds are exact; who stands where, cover and events are not counted. Where dice say how many there are, they are
    those of --seed.

    \b
    Example:
      crisis odds encounter bridge
    """
    file = context.desk.shelves.encounters().named(name)
    seed = context.environment.fresh_seed() if seed is None else seed
    system, scene = encounter_scene(context.desk, file, who, seed)
    fighters = {each: one._replace(at=None) for each, one in scene.fighters.items()}
    session = Session(system, scene._replace(fighters=fighters, field=None, order=(*fighters,), round=1))
    found = [_strength(context, session, each) for each in fighters]
    if as_json:
        context.output.print_json(
            {
                "v": data.VERSION,
                "action": "odds encounter",
                "name": file.title,
                "system": system.name,
                "fighters": [one._asdict() for one in found],
                "sides": _sides(session.scene, found),
            }
        )
        return 0
    context.output.say(*_lines(context, session.scene, found))
    return 0


def _strength(context: Context, session: Session, who: str) -> Strength:
    """What the best action of a fighter does in a turn of its own."""
    scene = at_turn_of(session, who).scene
    table = odds_table_for(decision_policy(context.desk, session))
    best: Ranked | None = None
    for one in ranked(session.system, scene, who, table):
        aimed = [scene.fighters[name].side for name in one.legal.intent.targets]
        if aimed and scene.fighters[who].side not in aimed and (best is None or one.worth > best.worth):
            best = one
    side = scene.fighters[who].side
    if best is None:
        return Strength(who, side, "", None, 0.0)
    return Strength(who, side, typed(scene, best.legal.intent), best.success, max(0.0, best.worth))


def _sides(scene: Scene, found: list[Strength]) -> Mapping[str, Any]:
    """For each side how many foes it brings down in a round, and in how many rounds all of them."""
    sides: dict[str, Any] = {}
    for side in dict.fromkeys(one.side for one in found):
        foes = sum(one.side != side for one in found)
        worth = sum(one.worth for one in found if one.side == side)
        sides[side] = {
            "fighters": len(found) - foes,
            "downs": round(worth, 4),
            "rounds": round(foes / worth, 1) if worth else None,
        }
    return sides


def _lines(context: Context, scene: Scene, found: list[Strength]) -> Iterator[str]:
    ink = context.output.ink
    wide = ink.widest(one.name for one in found)
    lines = ink.widest(one.line for one in found)
    for one in found:
        chance = "" if one.success is None else f"{100 * one.success:.0f} %"
        name, line = ink.padded(one.name, wide), ink.padded(one.line, lines)
        yield f"{name}  {line}  {chance:>5}  {100 * one.worth:3.0f} % of a foe a turn"
    yield ""
    for side, record in _sides(scene, found).items():
        rounds = f"all of them in about {record['rounds']:g} rounds" if record["rounds"] else "none of them"
        yield f"The {side} bring down {record['downs']:.2f} foes a round: {rounds}."
