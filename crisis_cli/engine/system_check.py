"""What is wrong with a rulebook, found when it is made: names that nobody declares, functions that cannot be called."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeAlias

from ..errors import BrokenSystem, place_of
from ..values import NamedTuple
from .arity import takes
from .changes import undeclared
from .conditions import MOMENTS, Condition
from .kinds import Absent, MapOf
from .schema import Field, Section
from .setup import Cost
from .wording import Mark

System: TypeAlias = Any
"""A rulebook. Its module imports this one, so that neither its class nor those of its rows can be imported here."""
Action: TypeAlias = Any
Pool: TypeAlias = Any
TARGETS = ("none", "one", "many", "any", "ally", "patient")
WINDOWS = ("turn", "any", "table")
LIFETIMES = ("action", "turn", "next turn", "round", "crisis")
OPTION_KINDS = ("flag", "whole", "text", "choice", "thing", "names", "answers")
NAMES_OF_SET = ("order", "terrain", "tension")
"""What `crisis set` sets in every system beside fighters and sides."""
SHARED_OPTIONS = {
    *("at", "behind", "cover", "deed", "difficulty", "enemies", "item", "mod_damage"),
    *("penetrable", "range", "thing", "to", "vs", "weapon"),
}
"""Options of the command line that rows of every system may name, beside the system's own."""
OF_EVERY_ACTION = ("mod", "force", "why")
"""Options of every action, which no row names."""
VALUES_OF_OPTIONS = {
    "difficulty": "System(difficulty=...)",
    "range": "Space(range=...)",
    "cover": "Space(cover=...)",
}
"""Shared options that a system has only if it says their values, and where it says them."""
GAPS = {
    *("actor", "target", "whose", "gear", "skill", "deed", "doctrine", "title", "question", "likely"),
    *("value", "who", "what", "name"),
}
"""The gaps of the sentence of an action."""
GAPS_OF_ROWS = ("actor", "target", "whose", "gear", "skill", "deed")
"""Those that are filled for actions of fighters; others only where the command line has such an option."""
READIED = "readied"


class SystemProblem(NamedTuple):
    """One thing that is wrong with a rulebook."""

    said: str
    """The clause for it, with what to write."""
    words: tuple[str, ...] = ()
    """Words of the source, each inside what the one before names, by which its line is found."""
    place: str = ""
    """File and line, to stand before the clause, where they are known without the source."""


def refuse_broken(system: System) -> None:
    """Raise BrokenSystem, with all of its problems, if a rulebook has any."""
    wrong: list[SystemProblem] = []
    try:
        wrong += problems(system)
    except Exception:
        # Values of another type are a better reason than what they lead to.
        refuse_mistyped(system, wrong)
        raise
    if wrong:
        refuse_mistyped(system, wrong)
        _refuse(system, wrong)


def refuse_mistyped(system: System, also: Iterable[SystemProblem] = ()) -> None:
    """Raise BrokenSystem if values of a rulebook are not of the types that its classes declare; with what else is wrong
    with it."""
    from .declared_types import mistyped

    # Of the parts of one value, the first that is wrong.
    found = {one.path: one for one in reversed([*mistyped(system)])}
    typed = [
        SystemProblem(f"{_subject(path)} {said}", (*path, str(value)), where)
        for path, said, value, where in reversed(found.values())
    ]
    # What is said of a value for other reasons says more, unless it is about its letters.
    other = list(also)
    typed = [one for one in typed if not any(_is_about(each.words, one.words) for each in other)]
    known = {one.words[:3] for one in typed}
    if typed:
        _refuse(system, [*typed, *(one for one in other if one.words[:3] not in known)])


def _is_about(words: tuple[str, ...], path: tuple[str, ...]) -> bool:
    """Whether the words of a problem name the value at the end of a path, the last of which is the value."""
    return {*words} <= {*path} and (len(words) > 2 or words == path[:-1])


def _refuse(system: System, wrong: list[SystemProblem]) -> None:
    error = BrokenSystem("")
    error.mistakes = tuple([(f"{system.name}: {said}", words, where) for said, words, where in wrong])
    error.tell([f"{where}{said}" for said, _, where in error.mistakes])
    raise error


NOUNS = {"actions": "action", "phases": "phase", "pools": "pool", "conditions": "condition", "marks": "mark"}
"""What the values in the tables of a system are called."""


def _subject(path: tuple[str, ...]) -> str:
    """What a clause is about, by the fields and keys that lead to it: `action 'attack': costs`."""
    table, *inside = path
    return (
        f"{NOUNS[table]} {inside[0]!r}: {'.'.join(inside[1:])}"
        if table in NOUNS and inside
        else ".".join(path)
    )


def problems(system: System) -> Iterator[SystemProblem]:
    """What is wrong with a rulebook; nothing where it can be played."""
    if not system.name or system.name != system.name.strip().lower():
        yield SystemProblem(f"its name {system.name!r} is not a word in lower case", ("name",))
    if not system.title:
        yield SystemProblem("it has no title", ("title",))
    if "init" not in system.actions:
        yield SystemProblem("it has no action 'init', which decides the turn order", ("actions",))
    rows = [(f"action {name!r}", "actions", name, row) for name, row in system.actions.items()]
    rows += [(f"phase {name}", "phases", name, row) for name, row in system.phases.items()]
    for what, table, name, row in rows:
        for problem in _wrong_with_action(system, row):
            words = (table, name, *problem.words)
            yield SystemProblem(f"{what} {problem.said}", words, problem.place)
    for said in _unknown("phase", system.phases, MOMENTS):
        yield SystemProblem(said, ("phases",))
    for table, pools in (("pools", system.pools), ("side_pools", system.side_pools)):
        for name, pool in pools.items():
            for problem in _wrong_with_pool(system, pool):
                yield SystemProblem(f"pool {name!r} {problem.said}", (table, name, *problem.words))
    if system.rest.action and system.rest.action not in system.actions:
        yield SystemProblem(f"rest is {system.rest.action!r}, which is no action of {system.name}", ("rest",))
    for name in system.simultaneous - set(system.pools):
        yield SystemProblem(f"simultaneous names {name!r}, which is no pool of {system.name}", (name,))
    yield from _wrong_with_functions(
        "it has",
        (
            ("start", system.start, ("sheet",)),
            ("side_start", system.side_start, ("scene", "side")),
            ("consequences", system.consequences, ("changes", "name")),
        ),
    )
    for name, mark in system.marks.items():
        for problem in _wrong_with_mark(mark):
            yield SystemProblem(f"mark {name!r} {problem.said}", ("marks", name, *problem.words))
    if system.reactions is not None and system.reactions.mark not in system.marks:
        said = f"its reactions have the mark {system.reactions.mark!r}, which is not among its marks"
        yield SystemProblem(said, ("reactions",))
    for name, condition in system.conditions.items():
        for problem in _wrong_with_condition(system, condition):
            words = ("conditions", name, *problem.words)
            yield SystemProblem(f"condition {name!r} {problem.said}", words, problem.place)
    for key, output in system.says.outputs.items():
        for text in [output.says] if isinstance(output.says, str) else output.says.values():
            for said in _wrong_gap(text, {"value": ""}):
                yield SystemProblem(f"output {key!r} {said}: write {{value}}", (key, text))
    for label, roll in system.says.rolls.items():
        for said in _wrong_gap(roll.title, {"who": "", "cause": ""}):
            yield SystemProblem(f"roll {label!r} {said}: write {{who}} or {{cause}}", (label, roll.title))
    yield from _wrong_with_scene(system)
    for said in _wrong_with_state(system):
        yield SystemProblem(said, ("sheet",))
    for said in _wrong_with_options(system):
        yield SystemProblem(said, ("command_options",))


def _wrong_with_scene(system: System) -> Iterator[SystemProblem]:
    """Where counters and decks have one name, or decks are not as they should be."""
    for name in system.counters:
        if name in NAMES_OF_SET or name in system.decks or not name.replace("-", "").isalnum():
            yield SystemProblem(f"counter {name!r} needs another name", ("counters", name))
    for name, cards in system.decks.items():
        if name in NAMES_OF_SET:
            yield SystemProblem(f"deck {name!r} needs another name", ("decks", name))
        if not cards or len({card.casefold() for card in cards}) < len(cards):
            said = f"deck {name!r} has {'a card twice' if cards else 'no cards'}"
            yield SystemProblem(said, ("decks", name))
        for card in filter(str.isdigit, cards):
            said = f"deck {name!r} has a card {card!r}, which is a number: cards have names"
            yield SystemProblem(said, ("decks", name, card))


def _wrong_with_action(system: System, row: Action) -> Iterator[SystemProblem]:
    if not row.title:
        yield SystemProblem("has no title")
    if not row.rule_id and row.window != "table":
        yield SystemProblem(f"has no rule: write the id of one, such as {system.name.upper()}-1")
    yield from _wrong_with_functions(
        "has",
        (
            ("setup", row.setup, ("scene", "intent")),
            ("rule", row.rule, ("table", "dice")),
            ("effects", row.effects, ("changes", "intent", "setup", "outcome")),
            ("upgrades", row.ai.upgrades, ("scene", "intent")),
            ("outputs", row.outputs, ("scene", "intent", "setup", "outcome")),
            ("choices", row.choices, ("scene", "intent", "setup", "outcome")),
            ("effect_key", row.odds.effect_key, ("outcome",)),
            ("unasked", row.odds.unasked, ("scene", "dice")),
            *([("part", row.odds.part, ("table", "dice", "who", "lives"))] if row.odds.part else ()),
            ("targets", row.odds.targets, ("dice",)),
            *([("candidates", row.ai.candidates, ("scene", "who"))] if row.ai.candidates else ()),
            *(("requires", one, ("scene", "intent")) for one in row.requires),
        ),
    )
    for table, costs in (("costs", row.costs), ("out", row.out.costs or ())):
        if isinstance(costs, Cost) or not all(isinstance(one, Cost) for one in costs):
            said = "has costs that are no tuple of Cost: write costs=(Cost(...),), with the comma"
            yield SystemProblem(said, (table,))
            continue
        for cost in costs:
            for said in _wrong_with_cost(system, row, cost):
                yield SystemProblem(said, (table, cost.pool))
    known = _kinds_of_weapons(system)
    for kind in row.ai.kinds if known else ():
        if kind not in known:
            said = f"suggests attacks with weapons of the kind {kind!r}, which no sheet has: write one of"
            yield SystemProblem(f"{said} {', '.join(known)}", ("ai", kind))
    if row.targets not in TARGETS:
        said = f"has targets {row.targets!r}, not one of {', '.join(TARGETS)}"
        yield SystemProblem(said, ("targets",))
    if row.window not in WINDOWS:
        yield SystemProblem(f"has window {row.window!r}, not one of {', '.join(WINDOWS)}", ("window",))
    for listed in row.gear.split():
        if listed not in system.sheet.fields:
            tables = [name for name, field in system.sheet.fields.items() if _lists_things(field)]
            way = f"write one of {', '.join(tables)}, or add" if tables else "add"
            said = f"takes its gear from {listed!r}, which no sheet of {system.name} has"
            yield SystemProblem(f"{said}: {way} it to the fields of sheet(...)", ("gear", listed))
    for name in row.sets:
        if name not in system.conditions:
            said = undeclared(f"condition of {system.name}", "conditions", name, system.conditions)
            yield SystemProblem(f"sets a condition: {said}", ("sets", name))
    marks = [("builds", name) for name in row.builds]
    if row.out.ready_rule:
        marks.append(("out", READIED))
    for table, name in marks:
        if name.partition(":")[0] not in system.marks:
            said = undeclared(f"mark of {system.name}", "marks", name, system.marks)
            yield SystemProblem(f"builds a mark: {said}", (table, name))
    sentences = row.says.sentences
    for text in [sentences] if isinstance(sentences, str) else sentences.values():
        for said in _wrong_gap(text, dict.fromkeys({*GAPS_OF_ROWS, *GAPS.intersection(row.options)}, "")):
            yield SystemProblem(f"{said}: write {{actor}}, {{target}}, {{gear}} or {{skill}}", ("says", text))
    own = {name for option in system.command_options for name in (option.name, option.key)}
    kinds = {"difficulty": system.difficulty, "range": system.space.range, "cover": system.space.cover}
    for name in row.options:
        option = f"--{name.replace('_', '-')}"
        if name in OF_EVERY_ACTION:
            yield SystemProblem(f"takes {option}, which every action has: leave it out", ("options", name))
        elif name not in SHARED_OPTIONS | own:
            said = f"takes {option}, which is no option of {system.name}: add it to command_options"
            yield SystemProblem(f"{said} of System(...)", ("options", name))
        elif name not in own and isinstance(kinds.get(name), Absent):
            said = f"takes {option}, and no value of it is known: write {VALUES_OF_OPTIONS[name]}"
            yield SystemProblem(said, ("options", name))


def _kinds_of_weapons(system: System) -> tuple[str, ...]:
    """The kinds of weapons that sheets may have; none where they are free."""
    weapons = system.sheet.fields.get("weapons")
    if weapons is None or not _lists_things(weapons):
        return ()
    fields = weapons.kind.kind.fields
    kind = fields.get("kind") or fields.get("type")
    return tuple(getattr(kind.kind, "words", ())) if kind else ()


def _lists_things(field: Field) -> bool:
    """Whether a field of a sheet is a table of things, such as weapons."""
    return isinstance(field.kind, MapOf) and isinstance(field.kind.kind, Section)


def _wrong_with_cost(system: System, row: Action, cost: Cost) -> Iterator[str]:
    pool = cost.pool.partition(":")[0]
    pools = (*system.pools, *system.side_pools)
    if pool not in pools:
        way = f"write one of {', '.join(pools)}, or add it to pools of System(...)"
        yield f"costs {cost.pool!r}, which is no pool of {system.name}: {way}"
    if cost.gear and not row.gear:
        yield f"has a cost that its gear may change ({cost.gear!r}), and no gear"


def _wrong_with_functions(
    lead: str, functions: Iterable[tuple[str, Any, tuple[str, ...]]]
) -> Iterator[SystemProblem]:
    """What is no function, or takes another number of arguments than it is called with; `lead` begins the clause."""
    for name, function, parameters in functions:
        wanted = f"write a function ({', '.join(parameters)})"
        if not callable(function):
            yield SystemProblem(f"{lead} no function as its {name}: {wanted}", (name,))
        elif not takes(function, len(parameters)):
            count = f"{len(parameters)} argument{'s' if len(parameters) > 1 else ''}"
            said = f"{lead} a function as its {name} that does not take {count}: {wanted}"
            yield SystemProblem(said, (name,), place_of(function))


def require_function(title: str, name: str, function: Any, *parameters: str) -> None:
    """Raise BrokenSystem where what makes a row of this title is no function, or does not take the parameters."""
    for problem in _wrong_with_functions(f"{title!r} has", [(name, function, parameters)]):
        error = BrokenSystem(f"{problem.place}{problem.said}")
        error.mistakes = ((problem.said, problem.words, problem.place),)
        raise error


def _wrong_gap(text: str, gaps: Mapping[str, object]) -> Iterator[str]:
    """What is wrong with the gaps of a text, which are filled with values of these names."""
    try:
        text.format(**gaps)
    except KeyError as error:
        yield f"says {text!r}, and nothing fills {{{error.args[0]}}}"
    except (ValueError, IndexError, AttributeError) as error:
        yield f"says {text!r}, which cannot be filled ({error})"


def _wrong_with_mark(mark: Mark) -> Iterator[SystemProblem]:
    if mark.scope not in LIFETIMES:
        yield SystemProblem(f"lasts {mark.scope!r}, not one of {', '.join(LIFETIMES)}", (mark.scope,))
    for said in _wrong_gap(mark.board, {"count": 1, "what": "", "parts": ("",) * 9}):
        yield SystemProblem(f"{said}: write {{count}}, {{what}} or {{parts[0]}}", (mark.board,))


def _wrong_with_condition(system: System, condition: Condition) -> Iterator[SystemProblem]:
    for word, named in (("title", condition.title), ("rule", condition.rule)):
        if not named:
            yield SystemProblem(f"has no {word}")
    for text in (condition.begins, condition.ends):
        for said in _wrong_gap(text, {"who": "", "name": ""}):
            yield SystemProblem(f"{said}: write {{who}}", (text,))
    for table, names in (("brings", condition.brings), ("clears", condition.clears)):
        for name in names if isinstance(names, tuple) else ():
            if name not in system.conditions:
                said = undeclared(f"condition of {system.name}", "conditions", name, system.conditions)
                yield SystemProblem(f"{table} a condition: {said}", (table, name))
    functions: list[tuple[str, Any, tuple[str, ...]]] = [("until", condition.until, ("scene", "who"))]
    if condition.when is not None:
        functions.append(("when", condition.when, ("fighter",)))
    yield from _wrong_with_functions("has", functions)


def _wrong_with_pool(system: System, pool: Pool) -> Iterator[SystemProblem]:
    if not pool.label:
        yield SystemProblem("has no label", ("label",))
    for said in _wrong_gap(pool.board, {"left": 1, "thing": ""}):
        yield SystemProblem(f"{said}: write {{left}} or {{thing}}", ("board",))
    source = pool.made_of
    if source is not None and source.pool not in system.pools and source.pool not in system.side_pools:
        yield SystemProblem(f"is made of {source.pool!r}, which is no pool of {system.name}", ("made_of",))
    if source is not None and (source.takes < 1 or source.gives < 1):
        yield SystemProblem(f"is made of {source.takes} {source.pool} for {source.gives}", ("made_of",))
    if pool.a_turn is not None and not callable(pool.a_turn):
        yield SystemProblem(f"gains {pool.a_turn!r} a turn, which is no function of a fighter", ("a_turn",))
    if pool.gear and pool.gear not in system.sheet.fields:
        yield SystemProblem(
            f"belongs to things under {pool.gear!r}, which no sheet of {system.name} has", ("gear",)
        )
    if pool.refill and pool.refill not in system.actions:
        yield SystemProblem(
            f"is filled again by {pool.refill!r}, which is no action of {system.name}", ("refill",)
        )


def _wrong_with_state(system: System) -> Iterator[str]:
    """Where sheets cannot keep what lasts after a crisis, or keep what the system does not have."""
    state = system.sheet.fields["state"].kind if "state" in system.sheet.fields else None
    if not isinstance(state, Section):
        yield "its sheets have no [state], where they keep what a crisis has changed"
        return
    for name, pool in system.pools.items():
        if pool.lasting and name not in state.fields:
            yield f"pool {name!r} lasts after a crisis, and [state] of a sheet cannot hold it"
    conditions = _words(state.fields["conditions"].kind) if "conditions" in state.fields else ()
    for name, condition in system.conditions.items():
        if condition.lasting and name not in conditions:
            yield f"condition {name!r} lasts after a crisis, and [state] of a sheet cannot hold it"
    for name in conditions:
        if name not in system.conditions:
            yield f"[state] of a sheet holds {name!r}, which is no condition of {system.name}"


def _words(kind: Any) -> tuple[str, ...]:
    """The names that the conditions of a sheet can be."""
    levels = getattr(kind, "table", None)
    return tuple(getattr(levels, "words", ()))


def _wrong_with_options(system: System) -> Iterator[str]:
    for option in system.command_options:
        if option.kind not in OPTION_KINDS:
            yield f"option --{option.name} is of kind {option.kind!r}, not one of {', '.join(OPTION_KINDS)}"
        if option.kind == "choice" and not option.values:
            yield f"option --{option.name} is a choice without values"
        if option.instead and option.instead not in system.actions:
            yield f"option --{option.name} stands for {option.instead!r}, which is no action of {system.name}"


def _unknown(what: str, given: Mapping[str, object], known: Iterable[str]) -> Iterator[str]:
    for name in given:
        if name not in known:
            yield f"{what} {name!r} is not one of {', '.join(known)}"
