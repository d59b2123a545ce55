"""The words of an action made an intent: its options read as the system in play has them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from .. import systems
from ..engine.kinds import Absent, Fault, Kind
from ..engine.scene import GEAR_OPTIONS, Intent
from ..engine.system import System
from ..engine.validate import row_of
from ..errors import Refused, Usage
from .naming import find_item
from .session import Session


def option_kinds(system: System) -> dict[str, Kind]:
    """The types of range, cover and difficulty in this system, by option name."""
    return {"range": system.space.range, "cover": system.space.cover, "difficulty": system.difficulty}


SOME_ACTIONS_ONLY = ("penetrable", "enemies", "behind", "react")
"""Common options that some systems have no use for: none of their actions takes them, or has reactions."""


def accepts(system: System, name: str) -> bool:
    """Whether a system accepts an option: its own, or one that every system has."""
    return has_option(system, name) or not (
        name in option_kinds(system)
        or name in SOME_ACTIONS_ONLY
        or any(option.key == name for one in systems.names() for option in systems.command_options(one))
    )


def has_option(system: System, name: str) -> bool:
    """Whether a system has this option, one that not all systems have."""
    if name in option_kinds(system):
        return not isinstance(option_kinds(system)[name], Absent)
    if name == "react":
        return any(row.reactions for row in system.actions.values())
    if name in SOME_ACTIONS_ONLY:
        return any(name in row.options for row in system.actions.values())
    return any(option.key == name for option in system.command_options)


def fighters_in_options(given: Mapping[str, Any]) -> list[str]:
    """The fighters that options name beside the words of the command."""
    names = {
        option.key: None
        for one in systems.names()
        for option in systems.command_options(one)
        if option.kind in ("names", "answers")
    }
    words = (word.partition("=")[0].strip() for name in names for word in _words(given.get(name) or ""))
    return list(dict.fromkeys(filter(None, words)))


def parse_assignments(option: str, word: str) -> list[tuple[str, str]]:
    """The pairs (fighter, action) in a text `WHO=ACTION,…`; Usage if it has another form."""
    pairs = [one.partition("=") for one in word.split(",")]
    if not all(who.strip() and action.strip() for who, _, action in pairs):
        raise Usage(f"--{option} takes WHO=ACTION, and several with commas, not {word!r}", code="bad_value")
    return [(who.strip(), action.strip().lower().replace("_", "-")) for who, _, action in pairs]


def intent_options(options: Mapping[str, Any], session: Session, action: str) -> dict[str, Any]:
    """The options of an intent, by key, from those of the command; Usage if the system does not accept one.

    Ranges, cover and difficulties are parsed as the system does.
    """
    system = session.system
    own = {option.key: option for option in system.command_options}
    values: dict[str, Any] = {}
    for name, value in options.items():
        if value is None or value is False:
            continue
        _require_option(name, system)
        if name in own and own[name].values and value not in own[name].values:
            allowed = ", ".join(own[name].values)
            raise Usage(
                f"--{own[name].name} in {system.name} is one of {allowed}, not {value!r}", code="bad_value"
            )
        values[name] = value
    for name, kind in option_kinds(system).items():
        if name in values:
            require_heed(system, action, name, name)
            values[name] = _parse(f"--{name}", values[name], kind)
    if "react" in values:
        _require_reaction(values["react"], system)
    return values


def require_heed(system: System, action: str, name: str, key: str) -> None:
    """Raise Usage, naming the actions that take the option, if an action of the system ignores it."""
    row = system.actions.get(action)
    if row is None or {name, key} & {*row.options}:
        return
    able = [other for other, one in system.actions.items() if {name, key} & {*one.options}]
    raise Usage(
        f"{action} in {system.name} takes no --{name}",
        hint=f"actions with it: {', '.join(able)}",
        code="unheeded_option",
    )


def _require_reaction(word: str, system: System) -> None:
    """Raise Usage if no system has a reaction of that name; the action refuses one of another system."""
    from ..engine.validate import UNREACTIVE

    if word in UNREACTIVE or any(word in row.reactions for row in system.actions.values()):
        return
    rows = (row for one in systems.every() for row in one.actions.values())
    known = list(dict.fromkeys(reaction for row in rows for reaction in row.reactions))
    if word not in known:
        none, *others = UNREACTIVE
        raise Usage(f"--react is one of {', '.join((none, *known, *others))}, not {word!r}", code="bad_value")


def _require_option(name: str, system: System) -> None:
    """Raise Usage, naming the systems that have the option, if `system` does not have it."""
    if not accepts(system, name):
        owners = [other.name for other in systems.every() if has_option(other, name)]
        raise other_systems_option(f"--{name.replace('_', '-')}", owners, system.name)


def other_systems_option(option: str, owners: Sequence[str], system: str) -> Usage:
    """The error for an option that other systems have."""
    from ..render.messages import listed

    return Usage(
        f"{option} belongs to {listed(owners)}; this is {system}",
        hint="leave it out",
        code="other_systems_option",
    )


def _parse(option: str, said: object, kind: Kind) -> Any:
    word = str(said)
    faults: list[Fault] = []
    number = word.lstrip("+-")
    value: Any = int(word) if number.isascii() and number.isdigit() and len(number) < 10 else word
    read = kind.read(value, (), faults)
    if faults:
        raise Usage(f"{option} {faults[0].message}", code="bad_value")
    return read


def build_intent(
    session: Session, action: str, actor: str, targets: list[str], options: Mapping[str, Any]
) -> Intent:
    """The intent of a command, its things found on the actor's sheet."""
    from ..sheets.find_fighters import find_name

    values = intent_options(options, session, action)
    for option in session.system.command_options:
        key = option.key
        if key in values and option.kind == "names":
            values[key] = [find_name(session.scene, word) for word in _words(values[key])]
        if key in values and option.kind == "thing" and actor:
            values[key] = find_item(session, actor, session.system.carried, values[key])
        if key in values and option.kind == "answers":
            pairs = parse_assignments(option.name, values[key])
            values[key] = [[find_name(session.scene, who), doing] for who, doing in pairs]
        if key in values and option.instead:
            action = option.instead
    if "at" in values and "at" not in row_of(session.system, action).options:
        rule = row_of(session.system, action).rule_id
        raise Refused(
            f"{action} in {session.system.name} targets fighters, not a position ({rule})",
            hint=f"crisis {action} {actor} TARGET",
            rule=rule,
            code="no_position",
        )
    for key, tables in GEAR_OPTIONS.items():
        if key in values and actor:
            values[key] = find_item(session, actor, tables, values[key])
    return Intent(action, actor, tuple(targets), values)


def _words(value: str | Iterable[str]) -> Iterable[str]:
    """The names in a text with commas, or in the list of a program."""
    return value.split(",") if isinstance(value, str) else value
