"""What the GM sets, whatever the rules say: the words read into values."""

from __future__ import annotations

from typing import Any

from ..engine.scene import Intent
from ..errors import Usage
from ..random_tables.oracle import MOST_TENSION
from ..sheets.find_fighters import find_name
from ..sheets.names import fighter_names, match_name
from ..values import NamedTuple
from .attacking import Planned
from .desk import Desk
from .naming import find_item
from .placing import parse_position
from .session import Session

ON_OFF = {"on": True, "true": True, "yes": True, "off": False, "false": False, "no": False}


class Setting(NamedTuple):
    """What the GM sets, in words."""

    who: str
    """A fighter or a side; `order`, `terrain` or `tension`; or a counter or a deck of the system."""
    what: str
    """What is set of the fighter or the side; the first word of the value for an order or the tension, and the place
    for terrain."""
    value: tuple[str, ...]
    why: str = ""


def planned(desk: Desk, setting: Setting, session: Session | None = None) -> Planned:
    """What is set as an intent, in the session in use if none is given; between fights that is the tension alone.

    Usage where a word does not fit; Refused where no crisis is open.
    """
    session = session or desk.require_session_in_use()
    word, is_story = setting.who.lower(), session.crisis is not None and session.crisis.is_story
    if is_story and word != "tension":
        raise desk.journals.no_crisis_error()
    is_fighter = not is_story and bool(match_name(setting.who, fighter_names(session.scene)).names)
    read = _of_fighter if is_fighter else READERS.get(word, _of_fighter)
    if not is_fighter and word in (*session.system.counters, *session.system.decks):
        read = _of_scene
    intent = read(session, setting)
    return Planned(session, intent.plus(why=setting.why) if setting.why else intent)


def _of_fighter(session: Session, setting: Setting) -> Intent:
    """The intent of setting something of a fighter or a side."""
    who, what, scene = setting.who, setting.what, session.scene
    sides = {fighter.side for fighter in scene.fighters.values()}
    is_side = who in sides and not match_name(who, fighter_names(scene)).is_whole
    if not setting.value:
        raise Usage("missing argument: VALUE", hint=f"crisis set {who} {what} VALUE", code="missing_argument")
    name = who if is_side else find_name(scene, who)
    what = what if what in session.system.pools else what.replace("_", "-")
    what, value = _parse_setting(session, name, what, " ".join(setting.value))
    return Intent("set", "", (name,), {"what": what, "value": value})


def _order(session: Session, setting: Setting) -> Intent:
    """The intent of setting the turn order."""
    names = " ".join((setting.what, *setting.value)).replace(",", " ")
    first = [find_name(session.scene, word) for word in names.split()]
    twice = next((name for name in first if first.count(name) > 1), "")
    if twice:
        raise Usage(
            f"{twice} stands in the order twice", hint="crisis set order ada,jack,drone", code="bad_value"
        )
    return Intent("set", "", (), {"what": "order", "value": first})


def _terrain(session: Session, setting: Setting) -> Intent:
    """The intent of putting something at a place of the map."""
    name = " ".join(setting.value)
    if not name:
        hint = f"crisis set terrain {setting.what} NAME"
        raise Usage("missing argument: NAME", hint=hint, code="missing_argument")
    x, y = parse_position(setting.what)
    return Intent("set", "", (), {"what": f"terrain:{x:g},{y:g}", "value": name})


def _tension(session: Session, setting: Setting) -> Intent:
    """The intent of setting the tension, on which the twists of the oracle depend."""
    value = _number(
        "tension", " ".join((setting.what, *setting.value)), f"a whole number from 0 to {MOST_TENSION}"
    )
    if not 0 <= value <= MOST_TENSION:
        raise Usage(f"tension is from 0 to {MOST_TENSION}, not {value}", code="bad_value")
    return Intent("tension", "", (), {"value": value})


def _of_scene(session: Session, setting: Setting) -> Intent:
    """The intent of setting a counter of the scene, or of shuffling all cards into a deck."""
    name, value = setting.who.lower(), " ".join((setting.what, *setting.value))
    if name in session.system.counters:
        return Intent("set", "", (), {"what": f"counter:{name}", "value": _number(name, value)})
    if value.lower() != "shuffled":
        raise Usage(f"a deck can only be shuffled, not {value!r}", hint=f"crisis set {name} shuffled")
    return Intent("set", "", (), {"what": f"deck:{name}", "value": "shuffled"})


READERS = {"order": _order, "terrain": _terrain, "tension": _tension}
"""How what is set is read, by the word that stands where a fighter is named."""


def _parse_setting(session: Session, who: str, what: str, word: str) -> tuple[str, Any]:
    """The property and the value to set, as events write them; Usage if the value does not fit."""
    kind, _, name = what.partition(":")
    scene = session.scene
    if kind == "condition":
        return f"condition:{name.lower()}", _parse_level(what, word)
    if kind == "mark":
        of, _, about = name.partition(":")
        key = f":{find_name(scene, about)}" if about else ""
        return f"mark:{of.lower()}{key}", _number(what, word)
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
