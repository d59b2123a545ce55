"""Candidates that are names: sheets, fighters, their weapons, items and skills, journal entries, rules."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

import click

from .. import systems as registry
from ..context import Context
from ..engine.scene import GEAR_OPTIONS, UNARMED, Fighter, Scene
from ..engine.system import System
from ..errors import CrisisError
from ..random_tables.table import RandomTable
from ..sheets.files import file_stem
from ..sheets.find_fighters import find_name, is_present
from ..sheets.store import value_in
from .line import Candidates, CommandLine, candidate


def sheets(line: CommandLine) -> Candidates:
    """All sheets, by their file names without `.toml`."""
    yield from _sheets(line.context)


def archetypes(line: CommandLine) -> Candidates:
    """The archetypes and the sheets of all systems, or of the one given with --system."""
    from ..sheets.archetypes import archetypes as paths

    given = [name for name in line.option("system") if name in registry.names()]
    owners: dict[str, list[str]] = {}
    for system in given or registry.names():
        for path in paths(system):
            owners.setdefault(file_stem(path), []).append(system)
    yield from (candidate(name, f"an archetype of {', '.join(systems)}") for name, systems in owners.items())
    yield from _sheets(line.context, registry.load(given[0]) if given else None)


def roles(line: CommandLine) -> Candidates:
    """The roles of foes, of the system given with --system or else of all."""
    from ..sheets.foes import foes_of

    given = [name for name in line.option("system") if name in registry.names()]
    found: dict[str, str] = {}
    for system in given or registry.names():
        with suppress(CrisisError):
            for name, role in foes_of(registry.load(system)).roles.items():
                found.setdefault(name, role.about)
    yield from (candidate(name, about) for name, about in found.items())


def _sheets(context: Context, system: System | None = None) -> Candidates:
    seen: set[str] = set()
    for folder, path in context.desk.shelves.sheets().all():
        name = file_stem(path).casefold()
        if name not in seen and (system is None or value_in(path, "system") == system.name):
            seen.add(name)
            yield candidate(name, folder.name)


def all_fighters(line: CommandLine) -> Candidates:
    """The fighters of the open crisis; without one, the sheets of the system of the first fighter named."""
    if line.scene is None:
        yield from _sheets(line.context, line.system)
        return
    for one in line.scene.fighters.values():
        if not one.gone:
            yield candidate(typed_name(line.scene, one.name), _summary(one))


def fighters(line: CommandLine) -> Candidates:
    """Fighters who are not on the line yet."""
    there = _named_fighters(line)
    yield from (one for one in all_fighters(line) if one.value not in there)


def who_plays(line: CommandLine) -> Candidates:
    """Encounters as the first word, and fighters: of the system of the encounter that is named, if one is."""
    if line.scene is not None:
        yield from fighters(line)
        return
    files = line.context.desk.shelves.encounters()
    named = [*line.option("encounter"), *line.arguments[:1]]
    if named and files.is_one(named[0]):
        try:
            system = files.read(named[0]).system
        except CrisisError:
            return
        there = _named_fighters(line)
        yield from (one for one in _sheets(line.context, system) if one.value not in there)
        return
    yield from fighters(line)
    if not named:
        yield from encounters(line)


def joining_fighters(line: CommandLine) -> Candidates:
    """Fighters who could join: those who have left, and the sheets of the system."""
    if line.scene:
        yield from (
            candidate(typed_name(line.scene, one.name), "back")
            for one in line.scene.fighters.values()
            if one.gone
        )
    there = _named_fighters(line)
    yield from (one for one in _sheets(line.context, line.system) if one.value not in there)


def _named_fighters(line: CommandLine) -> set[str]:
    """All fighters on the line already, spelled as candidates are."""
    words = {word.casefold().replace(" ", "-") for word in (*line.words, *line.arguments)}
    here = filter(None, map(line.fighter, line.arguments)) if line.scene else ()
    return words | {typed_name(line.scene, one.name) for one in here if line.scene}


def _summary(one: Fighter) -> str:
    return ", ".join([one.side, *(name for name, level in one.conditions.items() if level)])


def typed_name(scene: Scene, name: str) -> str:
    """A fighter's name as a player types it: in lower case without spaces, if that is unambiguous."""
    word = name.casefold().replace(" ", "-")
    return word if is_present(scene, word) and find_name(scene, word) == name else name


def entries_and_journals(line: CommandLine) -> Candidates:
    """The numbers of the entries in force, then files: journals of other crises."""
    if not line.begun or line.begun.isdecimal():
        yield from entry_numbers(line)
    if line.begun:
        yield candidate(line.begun, type="file")


def entry_numbers(line: CommandLine) -> Candidates:
    """The numbers of the entries in force, latest first."""
    from ..render.style import Ink
    from ..render.text import headline

    if line.crisis and line.system:
        for entry in reversed(line.crisis.done):
            head = headline(entry, line.crisis.scene, line.system, Ink())
            yield candidate(str(entry.number), head or "the next turn")


def positions(line: CommandLine) -> Candidates:
    """`NAME=` for every fighter."""
    yield from (candidate(f"{one.value}=", "X,Y", "nospace") for one in all_fighters(line))


def weapons(line: CommandLine) -> Candidates:
    """The weapons of the fighter who acts."""
    yield from carried_items(line, GEAR_OPTIONS["weapon"])
    yield candidate(UNARMED, "bare hands")
    for name in line.system.sheet_rules.unlisted_weapons if line.system else ():
        yield candidate(name, "anything at hand, to throw")


def items(line: CommandLine) -> Candidates:
    """The items of the fighter who acts."""
    yield from carried_items(line, GEAR_OPTIONS["item"])


def carried_items(line: CommandLine, listed: str) -> Candidates:
    """The items of the actor from one table of the sheet (`weapons`, `items`), with their values."""
    for name, thing in (line.actor.carried(listed) if line.actor else {}).items():
        about = ", ".join(
            f"{key} {part}" for key, part in thing.items() if isinstance(part, (int, str)) and part
        )
        yield candidate(name.replace(" ", "-"), about)


def skills(line: CommandLine) -> Candidates:
    """Skills and abilities of the fighter on the line or the actor, then all others of the system."""
    yield from _skills_of(line, next(filter(None, map(line.fighter, reversed(line.arguments))), line.actor))


def opposing_skill(line: CommandLine) -> Candidates:
    """The two values of `check --vs`: a fighter, then a skill of theirs."""
    if line.words[-1] == "--vs":
        yield from all_fighters(line)
    else:
        yield from _skills_of(line, line.fighter(line.words[-1]))


def _skills_of(line: CommandLine, one: Fighter | None) -> Candidates:
    tables = ("skills", "abilities", "attributes", "ratings")
    own = [name for table in tables if one for name in one.sheet.get(table, {})]
    listed = [name for system in line.systems for name in system.skills]
    yield from map(candidate, dict.fromkeys((*own, *listed)))


def systems(line: CommandLine) -> Candidates:
    """The rule systems."""
    yield from (candidate(name, registry.title(name)) for name in registry.names())


def importers(line: CommandLine) -> Candidates:
    """The importers of sheets."""
    from ..systems.importers import importers as known

    yield from (candidate(one.importer.name, one.importer.title) for one in known())


def rulebooks(line: CommandLine) -> Candidates:
    """The rulebooks; once a hyphen is typed, the ids of their rules."""
    from .. import rulebooks as books

    for book in books.readable(books.names(), lambda message: None):
        yield candidate(book.name, book.title)
        if "-" in line.begun:
            yield from (candidate(rule.id.lower(), rule.title) for rule in book.rules())


def topics(line: CommandLine) -> Candidates:
    """The topics of the rulebook named, and the ids of its rules."""
    from .. import rulebooks as books

    for book in books.readable([line.arguments[0].lower()], lambda message: None):
        yield from (candidate(topic.name, topic.title) for topic in book.topics)
        yield from (candidate(rule.id.lower(), rule.title) for rule in book.rules())


def tables(line: CommandLine) -> Candidates:
    """The random tables, with what they are for."""
    yield from (candidate(one.name, one.about) for one in _tables(line))


def encounters(line: CommandLine) -> Candidates:
    """The encounters, with the folder they are in."""
    for folder, path in line.context.desk.shelves.encounters().files():
        yield candidate(file_stem(path).casefold(), folder.name)


def decks(line: CommandLine) -> Candidates:
    """The random tables that are decks."""
    yield from (candidate(one.name, one.about) for one in _tables(line) if one.deck)


def questions(line: CommandLine) -> Candidates:
    """The questions that the oracle knows, then the fighters for those that are about one."""
    if line.arguments:
        if line.arguments[0] in ("morale", "target"):
            yield from all_fighters(line)
        return
    for name, about in QUESTIONS.items():
        yield candidate(name, about)
    yield from tables(line)


QUESTIONS = {
    "morale": "whether a fighter holds",
    "reinforcement": "whether help comes",
    "target": "the foe a fighter goes for",
    "event": "a small thing that happens",
    "terrain": "how the ground changes",
    "twist": "something unexpected",
}
"""The questions that the oracle knows."""


def likelihoods(line: CommandLine) -> Candidates:
    """The words for how likely yes is, with their percentage."""
    from ..random_tables.oracle import LIKELY

    yield from (candidate(word, f"{chance} %") for word, chance in LIKELY.items())


def _tables(line: CommandLine) -> Iterator[RandomTable]:
    store = line.context.desk.shelves.tables()
    for _, path in store.files():
        try:
            yield from store.of_file(path).values()
        except CrisisError:
            continue


def setting_keys(line: CommandLine) -> Candidates:
    """The keys of settings."""
    from ..configuration.keys import KEYS

    yield from (candidate(key.name, key.about.replace("`", "")) for key in KEYS)


def verbs(line: CommandLine) -> Candidates:
    """The verbs and the topics of help, or the sub-verbs of the verb named."""
    from ..render.prose import TOPICS

    ctx = line.ctx.find_root()
    command: click.Command | None = ctx.command
    for word in line.arguments:
        command = command.get_command(ctx, word) if isinstance(command, click.Group) else None
    if isinstance(command, click.Group):
        yield from command.shell_complete(ctx, line.begun)
    if not line.arguments:
        yield from (candidate(name, topic.about) for name, topic in TOPICS.items())
