"""`crisis set`."""

from __future__ import annotations

from typing import Any

import click

from ..completion import Source
from ..context import Context
from ..engine.scene import Intent
from ..errors import Usage
from ..play.attacking import Planned
from ..play.naming import find_item
from ..play.placing import parse_position
from ..play.session import Session
from ..random_tables.oracle import MOST_TENSION
from ..sheets.find_fighters import find_name
from ..sheets.names import fighter_names, match_name
from . import options
from .acting import ActingOnNames

ON_OFF = {"on": True, "true": True, "yes": True, "off": False, "false": False, "no": False}


@click.command("set", cls=ActingOnNames, context_settings={"ignore_unknown_options": True})
@click.argument("who", metavar="WHO", shell_complete=Source("names.fighters"))
@click.argument("what", metavar="WHAT", shell_complete=Source("actions.set_properties"))
@click.argument("value", nargs=-1, metavar="VALUE", shell_complete=Source("actions.set_values"))
@click.option("--why", type=options.TextLine(), metavar="TEXT", help="Record this reason in the log.")
@click.option("--dry-run", is_flag=True, help="Show the result; change nothing.")
@options.quiet_option
@options.common_options
def command(
    context: Context, /, run: options.Run, who: str, what: str, value: tuple[str, ...], why: str | None
) -> Planned:
    """GM override: set WHAT of WHO to VALUE, whatever the rules say.

    WHAT is a pool, `at`, `held`, `condition:NAME`, or `cover:NAME` (WHO hides from NAME). crisis set order A,B sets
    the turn order; those not named follow as they stood. crisis set tension N sets the tension of the oracle;
    crisis set terrain X,Y NAME puts something else on the map, named as in its legend, or `open`.

    \b
    Examples:
      crisis set drone health 10
      crisis set jack at 3,4
      crisis set jack condition:prone on
      crisis set jack cover:drone heavy
      crisis set order jack,drone
      crisis set terrain 7,2 open-door
    """
    between = None if context.desk.journals.active() else context.desk.campaigns.story_session()
    if between is not None and who.lower() == "tension":
        return _set_tension(context, between, " ".join((what, *value)), why)
    context.desk.journals.require()
    session = context.desk.open_session()
    scene = session.scene
    is_side = who in _sides(session) and not match_name(who, fighter_names(scene)).is_whole
    if _is_order(session, who):
        return _set_order(context, session, " ".join((what, *value)), why)
    if who.lower() == "terrain" and not match_name(who, fighter_names(scene)).names:
        return _set_terrain(context, session, what, " ".join(value), why)
    if who.lower() == "tension" and not match_name(who, fighter_names(scene)).names:
        return _set_tension(context, session, " ".join((what, *value)), why)
    if not value:
        raise Usage("missing argument: VALUE", hint=f"crisis set {who} {what} VALUE", code="missing_argument")
    name = who if is_side else find_name(scene, who)
    what = what if what in session.system.pools else what.replace("_", "-")
    what, read = _parse_setting(session, name, what, " ".join(value))
    values = {"what": what, "value": read} | ({"why": why} if why else {})
    return Planned(session, Intent("set", "", (name,), values))


def _is_order(session: Session, who: str) -> bool:
    """Whether the word means the turn order, and no fighter."""
    return who.lower() == "order" and not match_name(who, fighter_names(session.scene)).names


def _set_order(context: Context, session: Session, names: str, why: str | None) -> Planned:
    """The turn order that the GM sets."""
    first = [find_name(session.scene, word) for word in names.replace(",", " ").split()]
    twice = next((name for name in first if first.count(name) > 1), "")
    if twice:
        raise Usage(
            f"{twice} stands in the order twice", hint="crisis set order ada,jack,drone", code="bad_value"
        )
    values = {"what": "order", "value": first} | ({"why": why} if why else {})
    return Planned(session, Intent("set", "", (), values))


def _set_terrain(context: Context, session: Session, where: str, name: str, why: str | None) -> Planned:
    """What the GM puts at a place of the map."""
    if not name:
        hint = f"crisis set terrain {where} NAME"
        raise Usage("missing argument: NAME", hint=hint, code="missing_argument")
    x, y = parse_position(where)
    values = {"what": f"terrain:{x:g},{y:g}", "value": name} | ({"why": why} if why else {})
    return Planned(session, Intent("set", "", (), values))


def _set_tension(context: Context, session: Session, word: str, why: str | None) -> Planned:
    """The tension that the GM sets, on which the twists of the oracle depend."""
    value = _number("tension", word, f"a whole number from 0 to {MOST_TENSION}")
    if not 0 <= value <= MOST_TENSION:
        raise Usage(f"tension is from 0 to {MOST_TENSION}, not {value}", code="bad_value")
    values = {"value": value} | ({"why": why} if why else {})
    return Planned(session, Intent("tension", "", (), values))


def _sides(session: Session) -> set[str]:
    return {one.side for one in session.scene.fighters.values()}


def _parse_setting(session: Session, who: str, what: str, word: str) -> tuple[str, Any]:
    """The property and the value to set, as events write them; Usage if the value does not fit."""
    kind, _, name = what.partition(":")
    scene = session.scene
    if kind == "condition":
        return f"condition:{name.lower()}", _parse_level(what, word)
    if kind == "cover":
        return f"cover:{find_name(scene, name)}", word.lower()
    if what == "yielded" and word.lower() in ON_OFF:
        return what, ON_OFF[word.lower()]
    if what == "at":
        return what, None if word.lower() == "none" else list(parse_position(word))
    if what == "held":
        things = [] if word.lower() in ("none", "nothing") else word.split(",")
        return what, [find_item(session, who, session.system.carried, one) for one in things]
    if session.system.is_of_thing(what):
        listed = session.system.pools[kind].gear
        return f"{kind}:{find_item(session, who, listed, name)}", _number(what, word)
    return what.lower(), _number(what, word)


def _parse_level(what: str, word: str) -> bool | int:
    """Whether a condition is on, or its level; Usage if the word says neither."""
    return ON_OFF[word.lower()] if word.lower() in ON_OFF else _number(what, word, "on, off or a level")


def _number(what: str, word: str, wanted: str = "a whole number") -> int:
    sign, digits = (word[0], word[1:]) if word[:1] in ("-", "+", "−") else ("", word)
    if not (digits.isascii() and digits.isdigit() and len(digits) < 10):
        raise Usage(f"{what} takes {wanted}, not {word!r}", code="bad_value")
    return -int(digits) if sign in ("-", "−") else int(digits)
