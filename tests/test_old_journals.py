"""Journals that older programs wrote: they load, replay, come to the same, and verify but for rules that changed."""

from __future__ import annotations

import json
from pathlib import Path
from shutil import copy
from typing import Any

import pytest
from conftest import Player

from crisis_cli.engine.events import plain, revert_all
from crisis_cli.engine.journal import Crisis, folded_lines
from crisis_cli.systems import load

HERE = Path(__file__).parent / "journals"
SCENES: dict[str, Any] = json.loads((HERE / "scenes.json").read_text("utf-8"))
JOURNALS = sorted(HERE.glob("*.jsonl"))
CHANGED = {
    "2d20": {"2D20-7", "2D20-12", "2D20-24"},
    "3d6": {"3D6-14", "3D6-29"},
    "d100": {"D100-17", "D100-23"},
    "d6pool": {"POOL-7", "POOL-15"},
    "step": {"ALL-6", "STEP-13", "STEP-16", "STEP-22", "STEP-26", "STEP-28", "join"},
}
"""The rules of each system that have changed since the journals were written."""

NAMED = {
    "2d20-fight-3": {"2D20-12"},
    "2d20-rules": {"2D20-7"},
    "2d20-rules-2": {"2D20-24"},
    "3d6-rules": {"3D6-29"},
    "d100-rules": {"D100-17"},
    "d6pool-fight": {"POOL-7"},
    "d6pool-rules": {"POOL-7"},
    "step-rules": {"ALL-6", "STEP-13", "STEP-26"},
    "step-rules-2": {"STEP-22", "STEP-28"},
}
"""Those of them that verify must name in a journal."""

each = pytest.mark.parametrize("path", JOURNALS, ids=lambda path: path.stem)


def folded(path: Path) -> Crisis:
    """The crisis of a journal."""
    return folded_lines(path.read_text("utf-8").splitlines(), load)


def known(now: Any, then: Any) -> Any:
    """A value as far as an older program knew of it: without keys that it did not have."""
    return {key: known(now[key], part) for key, part in then.items()} if isinstance(then, dict) else now


def test_there_is_a_journal_of_every_system() -> None:
    kept = {path.stem for path in JOURNALS}
    assert kept == set(SCENES)
    assert kept >= {f"{name}-{kind}" for name in CHANGED for kind in ("fight", "rules")}


@each
def test_an_old_journal_comes_to_the_scene_it_came_to(path: Path) -> None:
    crisis, then = folded(path), SCENES[path.stem]
    now = plain(crisis.scene._asdict())
    now["fighters"] = {name: plain(one._asdict()) for name, one in crisis.scene.fighters.items()}
    assert now["fighters"].keys() == then["fighters"].keys()
    assert known(now, then) == then
    scene = crisis.scene
    for entry in reversed(crisis.done):
        scene = revert_all(scene, entry.events)
    assert scene == crisis.start


@each
def test_an_old_journal_is_replayed_and_explained(path: Path, crisis: Player) -> None:
    copy(path, crisis.here / "old.jsonl")
    shown = crisis.ok("replay old.jsonl --json")
    assert [record["number"] for record in shown.records] == [one.number for one in folded(path).done]
    explained = crisis.ok("replay old.jsonl --explain").out
    assert explained and "no longer incapacitated" not in explained, (
        "who is dying is out of action all the same"
    )


@each
def test_an_old_journal_verifies_but_for_rules_that_have_changed(path: Path, crisis: Player) -> None:
    copy(path, crisis.here / "old.jsonl")
    shown = crisis("verify old.jsonl --json")
    found = shown.record["differences"]
    named = {one.get("rule", "none") for one in found}
    assert NAMED.get(path.stem, set()) <= named <= CHANGED[path.stem.partition("-")[0]], found
    assert shown.record["verified"] is not bool(found) and shown.status == bool(found)


def test_a_changed_rule_is_named(crisis: Player) -> None:
    copy(HERE / "2d20-rules.jsonl", crisis.here / "old.jsonl")
    shown = crisis("verify old.jsonl")
    assert shown.status == 1
    assert shown.lines[0].startswith("entry 1 (line 2): 2D20-7 has changed since: the GM's side starts with")
    assert shown.lines[1] == "  side:opponents, ap: was 0 → 2, is 0 → 1"


def test_an_old_journal_goes_on(crisis: Player) -> None:
    copy(HERE / "d100-fight.jsonl", crisis.journal)
    crisis.ok("note still going")
    assert json.loads(crisis.journal.read_text("utf-8").splitlines()[-1])["seal"]
    assert crisis.ok("verify --json").record["verified"] is True


def test_a_number_edited_in_an_old_journal_is_found(crisis: Player) -> None:
    lines = (HERE / "3d6-fight.jsonl").read_text("utf-8").splitlines()
    entry = json.loads(lines[2])
    entry["modifiers"].append(["attack", "GODMODE", 30, "ALL-6", "", "", 0])
    entry["outcome"]["damage"] = 500
    lines[2] = json.dumps(entry)
    crisis.journal.write_text("\n".join(lines) + "\n", "utf-8")
    shown = crisis(f"verify {crisis.journal}")
    assert shown.status == 1
    assert "entry 2 (line 3): modifier +30 to attack: the current rules do not have it" in shown.lines
    assert any(one.startswith("entry 2 (line 3): outcome, damage: was 500, is ") for one in shown.lines)
