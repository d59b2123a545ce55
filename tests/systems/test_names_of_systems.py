"""What belongs to one system is named in its folder alone: its actions, its rules and its sentences."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import crisis_cli
from crisis_cli.engine.core_actions import CORE_ACTIONS
from crisis_cli.engine.system import System
from crisis_cli.systems import every
from crisis_cli.verbs import VERBS

PACKAGE = Path(crisis_cli.__file__).parent
RULE = re.compile(r"(3D6|STEP|D100|2D20|POOL)-\d+")
SHARED = {
    "rules/equipment.py": {"ammo", "draw", "reload", "uses"},
    "rules/ready_action.py": {"ready"},
    "rules/treatment.py": {"uses"},
}
"""Rows and pools that rulebooks take from the shared mechanics."""
OTHERWISE = {
    "ai/doctrine.py": {"aim"},
    "ai/goals.py": {"reach"},
    "api.py": {"do", "draw"},
    "commands/character/files.py": {"broken"},
    "commands/system/check.py": {"actions"},
    "play/encounter_words.py": {"reach"},
    "play/perform.py": {"moved"},
    "play/journals.py": {"moved"},
    "conformance/casebook.py": {"do"},
    "dice/scripted.py": {"ready", "rest"},
    "engine/encounter.py": {"ammo", "reach"},
    "engine/encounter_events.py": {"reach"},
    "engine/encounter_schema.py": {"ammo", "reach"},
    "engine/field.py": {"move"},
    "engine/goals.py": {"reach"},
    "engine/read_field.py": {"move"},
    "engine/responses.py": {"reach"},
    "engine/system_check.py": {"actions"},
    "render/goals.py": {"reach"},
    "render/terrain.py": {"move", "reach"},
    "notation/ast.py": {"rerolls", "test"},
    "notation/modifiers.py": {"rerolls"},
    "notation/spellings.py": {"rerolls", "test"},
    "render/action_list.py": {"command"},
    "render/loot.py": {"ammo"},
    "render/roll_json.py": {"dropped"},
    "render/ranking.py": {"command"},
    "repl/play.py": {"hide"},
    "protocol/program.py": {"hide", "moved"},
    "protocol/json_lines.py": {"do"},
    "protocol/mcp.py": {"do"},
    "rules/ready_action.py": {"reach"},
    "sheets/encounter_check.py": {"ammo", "reach"},
    "sheets/encounter_store.py": {"ammo"},
    "sheets/event_check.py": {"reach"},
    "sheets/files.py": {"moved"},
    "render/simulation.py": {"uses"},
    "simulation/fight.py": {"uses"},
    "simulation/tally.py": {"draw"},
    "story/page.py": {"aim"},
    "story/recap.py": {"wounds"},
    "verbs.py": {"run"},
    "commands/run.py": {"run"},
}
"""Keys, attributes and words that mean something else."""
SPOKEN = {"play/advice.py", "repl/plain_words.py"}
"""Map words of newcomers to actions, each offered only where the system has it."""
STATES = {"dead", "dying", "down"}
"""How a fighter can be out of the fight in every system (ALL-5)."""


@cache
def texts() -> dict[str, list[str]]:
    """The text constants of every file outside the systems, by its path; docstrings left out."""
    return {
        str(path.relative_to(PACKAGE)): list(constants(ast.parse(path.read_text("utf-8"))))
        for path in sorted(PACKAGE.rglob("*.py"))
        if path.relative_to(PACKAGE).parts[0] != "systems"
    }


def constants(tree: ast.Module) -> Iterator[str]:
    """The text constants of a file that are no docstrings."""
    docs = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs:
            yield node.value


def own_names(system: System) -> set[str]:
    """The names that a rulebook gives: its actions beside the verbs, its pools, conditions and marks."""
    actions = set(system.actions) - set(CORE_ACTIONS) - set(VERBS)
    shared = {name for name in system.marks if name in ("bought", "paid", "readied", "reacted")}
    own = {*system.pools, *system.side_pools, *system.conditions, *system.marks} - shared - STATES
    return actions | own


def sentences(system: System) -> set[str]:
    """The sentences of its actions and conditions."""
    says = [row.says.sentences for row in system.actions.values()]
    found = {one for said in says for one in ([said] if isinstance(said, str) else said.values())}
    for condition in system.conditions.values():
        found |= {condition.begins, condition.ends}
    return found - {""}


@pytest.mark.parametrize("system", every(), ids=lambda system: system.name)
def test_no_name_of_a_system_stands_outside_its_folder(system: System) -> None:
    names = own_names(system)
    found = [
        (file, text)
        for file, listed in texts().items()
        for text in listed
        if file not in SPOKEN
        and text.partition(":")[0] in names - SHARED.get(file, set()) - OTHERWISE.get(file, set())
        and " " not in text
    ]
    assert not found


def test_no_sentence_of_a_system_stands_outside_its_folder() -> None:
    """But for those that several systems have, on the pages of shared rows."""
    said = Counter(sentence for system in every() for sentence in sentences(system))
    found = [(file, text) for file, listed in texts().items() for text in listed if text in said]
    assert not [(file, text) for file, text in found if not file.startswith("rules/") or said[text] < 2]


def test_no_rule_of_a_system_stands_outside_its_folder() -> None:
    assert not [(file, text) for file, listed in texts().items() for text in listed if RULE.fullmatch(text)]
