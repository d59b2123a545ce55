"""Which word of the command line is wanted, and what may stand there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import click

from ... import rulebooks
from ...desk import Desk
from ...systems import SYSTEMS, load
from ..character import SUBVERBS
from ..naming import with_names_joined
from ..options import heeds
from . import SHELLS, doings
from . import sources as from_
from .sources import LARGEST, Line, Offer, Source

TABLES: Mapping[str, Mapping[str, str]] = {"character": SUBVERBS}
"""The sub-verbs of verbs that have some, with a line of help each."""
INNER = ("odds",)
"""Verbs whose first word may be another verb with all its own words."""


def systems(line: Line) -> Iterator[Offer]:
    """The rule systems."""
    yield from (Offer(name, load(name).TITLE) for name in SYSTEMS)


def books(line: Line) -> Iterator[Offer]:
    """The rulebooks."""
    yield from (Offer(name, rulebooks.load(name).title) for name in rulebooks.names())


def topics(line: Line) -> Iterator[Offer]:
    """The topics of a rulebook, and the ids of its rules."""
    book = rulebooks.load(line.bare[0].lower())
    yield from (Offer(topic.name, topic.title) for topic in book.topics)
    yield from (Offer(rule.id.lower(), rule.title) for rule in book.rules())


def shells(line: Line) -> Iterator[Offer]:
    """The shells that there are scripts for."""
    yield from map(Offer, SHELLS)


def files(line: Line) -> Iterator[Offer]:
    """Any file."""
    yield Offer("", kind="file")


def folders(line: Line) -> Iterator[Offer]:
    """Any folder."""
    yield Offer("", kind="dir")


POSITIONS: Mapping[str, tuple[Source, ...]] = {
    "check": (doings.checked,),
    "act": (doings.acts,),
    "set": (from_.people, doings.settable, doings.setting),
    "auto": (from_.people, doings.hands),
    "join": (from_.newcomers,),
    "rules": (books, topics),
    "completion": (shells,),
    "character schema": (systems,),
    "character new": (),
}
"""The sources of a verb's bare words, the last for all that follow, where their names do not tell."""
BY_NAME: Mapping[str, Source] = {
    "who": from_.people,
    "name": from_.sheets,
    "names": from_.sheets,
    "journal": files,
    "number": from_.entries,
}
"""The source of a bare word by its name in the verb."""
OPTIONS: Mapping[str, tuple[Source, ...]] = {
    "vs": (from_.newcomers,),
    "check vs": (from_.everyone, from_.skills),
    "surprise": (from_.everyone,),
    "initiator": (from_.everyone,),
    "as": (from_.everyone,),
    "by": (from_.everyone,),
    "place": (from_.places,),
    "weapon": (from_.weapons,),
    "item": (from_.items,),
    "cover": (doings.covers,),
    "react": (doings.reactions,),
    "system": (systems,),
    "file": (files,),
    "characters": (folders,),
}
"""The sources of an option's values: one for each, by the option, or by verb and option."""


class Asked(NamedTuple):
    """What the words before the wanted one come to."""

    command: click.Command
    line: Line
    pending: click.Option | None = None
    """The option whose value is wanted."""
    nth: int = 0
    """Which of its values."""


def offers(
    group: click.Group, verbs: Mapping[str, str], desk: Desk, words: Sequence[str], begun: str
) -> list[Offer]:
    """What may stand where `begun` has been typed after `words`; nothing where the words lead nowhere."""
    asked = _read(group, desk, [*words[:1], *with_names_joined(desk, words[1:], LARGEST)])
    if asked is None:
        return []
    head, equals, rest = begun.partition("=")
    option = _options(asked.command).get(_bare(head)) if equals and begun.startswith("--") else None
    if option is not None:
        found = _fitting(_values(asked._replace(pending=option)), rest)
        return [one._replace(value=f"{head}={one.value}") for one in found if one.kind in ("plain", "open")]
    if asked.pending is not None:
        return _fitting(_values(asked), begun)
    if begun.startswith("-"):
        return _fitting(_unused(asked), begun)
    return _fitting(_words(asked, verbs), begun)


def _read(group: click.Group, desk: Desk, words: list[str]) -> Asked | None:
    """The verb, its bare words and its options; None where there is no such verb."""
    command: click.Command = group
    line = Line(desk, "", [], {})
    while words:
        word = words.pop(0)
        option = _options(command).get(_bare(word.partition("=")[0])) if word.startswith("-") else None
        if option is not None:
            given = [word.partition("=")[2]] if "=" in word else []
            wanted = 0 if option.is_flag or option.count else option.nargs
            while len(given) < wanted and words:
                given.append(words.pop(0))
            line.said = {**line.said, _name(option): [*line.said.get(_name(option), ()), *given]}
            if len(given) < wanted:
                return Asked(command, line, option, len(given))
            _heed(desk, _name(option), given)
        elif isinstance(command, click.Group):
            inner = command.get_command(click.Context(command), _bare(word))
            if inner is None:
                return None
            command = inner
            line.verb = f"{line.verb} {_bare(word)}".strip()
        elif line.verb in INNER and not line.bare and command.name in INNER:
            command = _behind(group, _bare(word))
            line.verb, line.bare = (_bare(word), []) if _bare(word) in _weighed() else (line.verb, [word])
        elif word != "--":
            line.bare.append(word)
    return Asked(command, line)


def _heed(desk: Desk, option: str, given: list[str]) -> None:
    """Where to look is said before what is looked for."""
    if option in ("file", "characters") and given:
        setattr(desk, option, given[0])


def _options(command: click.Command) -> dict[str, click.Option]:
    params = command.get_params(click.Context(command))
    found = [param for param in params if isinstance(param, click.Option) and not param.hidden]
    return {spelled: param for param in found for spelled in (*param.opts, *param.secondary_opts)}


def _bare(word: str) -> str:
    return word.replace("_", "-")


def _name(option: click.Option) -> str:
    return max(option.opts, key=len).lstrip("-")


def _unused(asked: Asked) -> Iterator[Offer]:
    """Options that have not been said; where it is plain which system is played, those of others left out."""
    known = asked.line.systems
    for spelled, option in _options(asked.command).items():
        name = _name(option)
        if len(known) == 1 and not heeds(known[0], name.replace("-", "_")):
            continue
        if spelled.startswith("--") and (option.multiple or name not in asked.line.said):
            yield Offer(spelled, option.help or "")


def _values(asked: Asked) -> Iterator[Offer]:
    option = asked.pending
    assert option is not None
    if isinstance(option.type, click.Choice):
        known = asked.line.systems
        own = {switch.name: switch.values for switch in known[0].SWITCHES} if len(known) == 1 else {}
        yield from map(Offer, own.get(_name(option)) or option.type.choices)
        return
    name = _name(option)
    sources = OPTIONS.get(f"{asked.line.verb} {name}") or OPTIONS.get(name, ())
    if asked.nth < len(sources):
        yield from sources[asked.nth](asked.line)


def _words(asked: Asked, verbs: Mapping[str, str]) -> Iterator[Offer]:
    command, line = asked.command, asked.line
    if isinstance(command, click.Group):
        table = TABLES.get(line.verb, verbs)
        yield from (Offer(name, about) for name, about in table.items())
        return
    if line.verb in INNER and not line.bare:
        yield from (Offer(name, verbs[name]) for name in _weighed() if name in verbs)
        return
    params = [param for param in command.params if isinstance(param, click.Argument)]
    if not params:
        yield from _unused(asked)
        return
    sources = POSITIONS.get(line.verb)
    if sources is None:
        at = params[min(len(line.bare), len(params) - 1)]
        full = len(line.bare) >= len(params) and params[-1].nargs != -1
        sources = (BY_NAME[at.name],) if at.name in BY_NAME and not full else ()
    elif line.verb != "set" and len(line.bare) >= len(params) and params[-1].nargs != -1:
        return
    if sources:
        yield from sources[min(len(line.bare), len(sources) - 1)](line)


def _behind(group: click.Group, word: str) -> click.Command:
    """The command that reads what follows `odds`: of a verb, or of an expression."""
    from .. import weigh

    found = group.get_command(click.Context(group), word) if word in _weighed() else weigh.command
    assert found is not None
    return found


def _weighed() -> tuple[str, ...]:
    """The verbs whose odds can be told."""
    from ..odds import ACTIONS

    return ACTIONS


def _fitting(found: Iterator[Offer], begun: str) -> list[Offer]:
    """Those that go on from what has been typed, in the player's own spelling of that, each once."""
    wanted, fit = _plain(begun), {}
    for one in found:
        if one.kind in ("file", "dir"):
            fit[one.kind] = one
        elif _plain(one.value).startswith(wanted) and one.value.isprintable():
            value = begun + one.value[len(begun) :]
            fit.setdefault(value, one._replace(value=value))
    return list(fit.values())


def _plain(word: str) -> str:
    """A word without what commands do not care about."""
    head = len(word) - len(word.lstrip("-"))
    return word[:head] + word[head:].casefold().replace("_", "-").replace(" ", "-")
