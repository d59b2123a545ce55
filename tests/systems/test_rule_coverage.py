"""Every rule is named by a case or a test, and every rule that is named exists."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from crisis_cli import systems
from crisis_cli.conformance.casebook import books
from crisis_cli.engine.kinds import Either, ListOf, MapOf
from crisis_cli.engine.schema import Field, Section
from crisis_cli.engine.system import System

TESTS = Path(__file__).parents[1]
RULE = re.compile(r"\b[A-Z0-9]*[A-Z][A-Z0-9]*-\d+\b")


def numbered(prefix: str, last: int) -> frozenset[str]:
    """The ids PREFIX-1 to PREFIX-LAST."""
    return frozenset(f"{prefix}-{number}" for number in range(1, last + 1))


SHARED = numbered("ALL", 7)
RULES = {
    "3d6": numbered("3D6", 30),
    "step": numbered("STEP", 37),
    "d100": numbered("D100", 29),
    "2d20": numbered("2D20", 33),
    "d6pool": numbered("POOL", 41),
}
"""The rules of each rulebook, beside those that all share."""


def tables(kind: Any) -> Iterator[Field]:
    """All fields under a kind of value on a sheet."""
    if isinstance(kind, Section):
        for field in kind.fields.values():
            yield field
            yield from tables(field.kind)
        yield from tables(kind.rest)
    elif isinstance(kind, (MapOf, ListOf)):
        yield from tables(kind.kind)
    elif isinstance(kind, Either):
        yield from tables(kind.plain)
        yield from tables(kind.table)


def declared(system: System) -> frozenset[str]:
    """The rule ids that stand in the tables of a page."""
    rows = (*system.actions.values(), *system.phases.values())
    found = {row.rule_id for row in rows}
    found |= {cost.rule for row in rows for cost in row.costs}
    found |= {pool.rule for pool in (*system.pools.values(), *system.side_pools.values())}
    found |= {condition.rule for condition in system.conditions.values()}
    found |= {option.rule for option in system.command_options}
    found |= {field.rule for field in tables(system.sheet)}
    return frozenset(found - {""})


def in_cases(name: str) -> frozenset[str]:
    """The rule ids that the cases of a system pin."""
    return frozenset(rule for case in books()[name]["case"] for rule in case["rules"])


def in_tests() -> frozenset[str]:
    """The rule ids that tests in Python name."""
    paths = [path for path in TESTS.rglob("test_*.py") if path != Path(__file__)]
    return frozenset(RULE.findall("\n".join(path.read_text("utf-8") for path in paths)))


def missing(rules: frozenset[str], found: frozenset[str]) -> list[str]:
    """The rules not found, in the order of their numbers."""
    return sorted(rules - found, key=lambda rule: int(rule.rpartition("-")[2]))


@pytest.mark.parametrize("name", tuple(systems.SYSTEMS))
def test_every_rule_of_the_rulebook_is_pinned(name: str) -> None:
    assert not missing(RULES[name] | SHARED, in_cases(name) | in_tests())


@pytest.mark.parametrize("name", tuple(systems.SYSTEMS))
def test_every_rule_that_the_page_declares_is_pinned(name: str) -> None:
    rules = declared(systems.load(name))
    assert rules
    assert not missing(rules, in_cases(name) | in_tests())


@pytest.mark.parametrize("name", tuple(systems.SYSTEMS))
def test_page_and_cases_name_only_rules_that_exist(name: str) -> None:
    named: Mapping[str, frozenset[str]] = {
        "page": declared(systems.load(name)),
        "cases": in_cases(name),
    }
    for where, rules in named.items():
        assert not missing(rules, RULES[name] | SHARED), where
