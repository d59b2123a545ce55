"""No setup and no outcome of a rulebook has a field that only odds read, or that only odds fill.

What makes odds quick is declared on the rows of actions, in `odds=ExactOdds(...)`. So a field belongs to the rules if
functions that are in use without those declarations read it, or record it in an outcome, and fill it where it has a
default. Functions are followed by their names. And the casebooks must fill it: a field that always holds its default
when dice are rolled is for something else.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple, TypeGuard

import pytest
from conftest import replace

from crisis_cli import systems
from crisis_cli.conformance import casebook
from crisis_cli.rules import Action, Changes, Intent, Setup
from crisis_cli.systems import SYSTEMS

BOOKS = {
    **{path.parent.name: path.parent for path in Path(systems.__file__).parent.glob("*/rulebook.py")},
    "d20": Path(__file__).parents[2] / "examples/d20/crisis_d20",
    "wilds": Path(__file__).parents[2] / "examples/wilds/crisis_wilds",
}


class Code(NamedTuple):
    """A function, a method or a statement: what it names, reads and fills."""

    names: frozenset[str]
    reads: frozenset[str]
    fills: frozenset[str]
    whole: frozenset[str]
    """Named tuples that are read whole: parameters that it takes apart, and outcomes, which are recorded."""


class RecordFields(NamedTuple):
    """The fields of a named tuple, and those of them that have a default."""

    fields: tuple[str, ...]
    defaults: frozenset[str]


def is_record(node: ast.stmt) -> bool:
    """Whether a statement declares a named tuple."""
    return isinstance(node, ast.ClassDef) and "NamedTuple" in {getattr(base, "id", "") for base in node.bases}


def records_of(body: list[ast.stmt]) -> dict[str, RecordFields]:
    """The named tuples of a rulebook."""
    found = {}
    for node in body:
        if isinstance(node, ast.ClassDef) and is_record(node):
            lines = [one for one in node.body if isinstance(one, ast.AnnAssign)]
            names = {
                one.target.id: one.value is not None for one in lines if isinstance(one.target, ast.Name)
            }
            found[node.name] = RecordFields(tuple(names), frozenset(name for name in names if names[name]))
    return found


class WithoutOdds(ast.NodeTransformer):
    """Takes out of a rulebook what its rows declare for odds."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        node.keywords = [one for one in node.keywords if one.arg != "odds"]
        return self.generic_visit(node)


def code_of(node: ast.AST, records: dict[str, RecordFields]) -> Code:
    """What a piece of code names, reads, fills and unpacks."""
    parts = list(ast.walk(node))
    names = {one.id for one in parts if isinstance(one, ast.Name)}
    reads = {one.attr for one in parts if isinstance(one, ast.Attribute) and isinstance(one.ctx, ast.Load)}
    # `getattr`, and what a sentence of a rulebook or an output is called.
    reads |= {one.value for one in parts if isinstance(one, ast.Constant) and isinstance(one.value, str)}
    fills = set[str]()
    for call in parts:
        if isinstance(call, ast.Call):
            given = {one.arg for one in call.keywords}
            fills |= {name for name in given if name}
            made = records.get(getattr(call.func, "id", ""))
            if made:
                is_open = any(isinstance(one, ast.Starred) for one in call.args) or None in given
                fills |= {*(made.fields if is_open else made.fields[: len(call.args)])}
    return Code(frozenset(names | reads), frozenset(reads), frozenset(fills), frozenset(read_whole(node)))


def read_whole(node: ast.AST) -> Iterator[str]:
    """The types of the parameters that a function takes apart and, if it is a rule, of what it gives."""
    if not isinstance(node, ast.FunctionDef):
        return
    types = {one.arg: one.annotation for one in node.args.args if one.annotation}
    read = [types[one.value.id] for one in ast.walk(node) if takes_apart(one) and one.value.id in types]
    if "table" in types and node.returns:
        read.append(node.returns)
    yield from (one.id for kind in read for one in ast.walk(kind) if isinstance(one, ast.Name))


def takes_apart(node: ast.AST) -> TypeGuard[Any]:
    """Whether a statement gives the parts of a variable names of their own."""
    return (
        isinstance(node, ast.Assign)
        and isinstance(node.targets[0], ast.Tuple)
        and isinstance(node.value, ast.Name)
    )


def in_use(body: list[ast.stmt], records: dict[str, RecordFields]) -> Iterator[Code]:
    """All code of a rulebook that is reached from what stands outside of its functions."""
    named: dict[str, list[Code]] = {}
    waiting = list[Code]()
    for node in body:
        if isinstance(node, ast.ClassDef):
            for one in node.body:
                if isinstance(one, ast.FunctionDef):
                    named.setdefault(one.name, []).append(code_of(one, records))
        elif isinstance(node, ast.FunctionDef):
            named.setdefault(node.name, []).append(code_of(node, records))
        elif not isinstance(node, (ast.Import, ast.ImportFrom)):
            waiting.append(code_of(node, records))
    while waiting:
        code = waiting.pop()
        yield code
        for name in code.names & {*named}:
            waiting += named.pop(name)


def for_odds_alone(source: str) -> list[str]:
    """The fields of a rulebook that nothing but odds reads or fills."""
    body = WithoutOdds().visit(ast.parse(source)).body
    records = records_of(body)
    codes = list(in_use(body, records))
    reads = set[str]().union(*(code.reads for code in codes))
    fills = set[str]().union(*(code.fills for code in codes))
    whole = set[str]().union(*(code.whole for code in codes))
    return [
        f"{name}.{field}"
        for name, record in records.items()
        for field in record.fields
        if (field not in reads and name not in whole) or (field in record.defaults and field not in fills)
    ]


def source_of(folder: Path) -> str:
    """All files of a rulebook."""
    lines = "\n".join(path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.py")))
    return lines.replace("from __future__ import annotations\n", "")


@pytest.mark.parametrize("book", sorted(BOOKS))
def test_no_field_is_for_odds_alone(book: str) -> None:
    source = source_of(BOOKS[book])
    assert records_of(ast.parse(source).body), "there are setups and outcomes"
    assert for_odds_alone(source) == []


SELDOM_FILLED = {
    "d100": "InitiativeSetup.agreed",
    "2d20": "HitResult.injured",
    "step": "Hurt.worse Hurt.helped",
    "d6pool": """PoolRoll.luck DefenceSetup.buys StartResult.spent RoundResult.spent ReactionResult.spent
        DamageResult.spent DamageResult.bought AttackResult.repaid FinishResult.repaid HealResult.repaid
        RestResult.repaid""",
}
"""Fields that no case fills: where a player is asked, where those who tie have agreed, by care in a rest."""


def defaults_changed(value: Any, book: str, changed: dict[str, bool]) -> None:
    """Note which fields of a book's named tuples, this one's and those in it, do not hold their defaults."""
    if not isinstance(value, tuple):
        return
    if f".{book}." in f".{type(value).__module__}.":
        for field, default in getattr(value, "_field_defaults", {}).items():
            name = f"{type(value).__name__}.{field}"
            changed[name] = changed.get(name, False) or getattr(value, field) != default
    for part in value:
        defaults_changed(part, book, changed)


@pytest.mark.parametrize("name", tuple(systems.SYSTEMS))
def test_every_field_is_filled_where_dice_are_rolled(name: str) -> None:
    system, changed = systems.load(name), dict[str, bool]()

    def noted(row: Action) -> Action:
        def effects(changes: Changes, intent: Intent, setup: Setup, outcome: Any) -> None:
            values = (
                setup.dice,
                setup.carried,
                outcome,
                *row.outputs(changes.before, intent, setup, outcome).values(),
            )
            defaults_changed(
                (*values, *(tuple(one) for one in values if isinstance(one, list))), SYSTEMS[name], changed
            )
            row.effects(changes, intent, setup, outcome)

        return row._replace(effects=effects)

    rows = {
        part: {word: noted(row) for word, row in getattr(system, part).items()}
        for part in ("actions", "phases")
    }
    tried = replace(system, **rows)
    for case in (book := casebook.books()[name])["case"]:
        casebook.run(tried, book, case)
    assert {field for field in changed if not changed[field]} == {*SELDOM_FILLED.get(name, "").split()}


BOOK = """
class AttackSetup(NamedTuple):
    dice: int
    said: str
    brief: bool = False

class AttackResult(NamedTuple):
    success: bool
    harm: int

def attack(table: RuleTable, setup: AttackSetup) -> AttackResult:
    harm = 0 if setup.brief else table.die(setup.dice)
    return AttackResult(True, harm)

def part(table, setup, who, lives):
    return attack(table, setup._replace(brief=bool(setup.said)))

def effects(changes, intent, setup, outcome):
    changes.adjust(intent.target, "life", -outcome.harm)

ROW = Action("Attack", "A-1", lambda scene, intent: AttackSetup(6, ""), effects, attack{odds})
"""


def test_fields_that_only_odds_read_or_fill_are_found() -> None:
    odds = ", odds=ExactOdds(part=part)"
    assert for_odds_alone(BOOK.replace("{odds}", odds)) == ["AttackSetup.said", "AttackSetup.brief"]
    assert for_odds_alone(BOOK.replace("{odds}", ", other=part")) == []
