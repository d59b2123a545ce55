"""How fighters behave over many fights: nothing that a player would call absurd.

`CRISIS_FIGHTS=1000 pytest -m long tests/ai/test_conduct.py` looks at a thousand fights.
"""

from __future__ import annotations

import os
from collections import Counter

import pytest
from bouts import DOCTRINES, SAMPLE, Bout, by_doctrine, fought, met, roster

from crisis_cli.systems import SYSTEMS, load

FIGHTS = -(-int(os.environ.get("CRISIS_FIGHTS", "150")) // (len(SYSTEMS) * len(DOCTRINES)))
"""Fights of each doctrine in each system, where all are looked at."""
RUNNING = 3
"""Turns in which nobody treats itself one after the other."""


def put_away(bout: Bout, who: str) -> Counter[str]:
    """What a fighter drew and put away again unused, by how often."""
    found: Counter[str] = Counter()
    unused: set[str] = set()
    for entry in bout.entries:
        if entry.intent.actor != who:
            continue
        unused -= {str(entry.intent.get(key)) for key in ("weapon", "item")}
        for event in entry.events:
            if event.who == who and event.what == "held":
                was, now = set(event.was or ()), set(event.now or ())
                found.update(unused & (was - now))
                unused = (unused & now) | (now - was)
    return found


def treated(bout: Bout, who: str) -> list[bool]:
    """For each turn of a fighter whether it treated itself though it could have attacked."""
    turns, now = [], False
    for entry in bout.entries:
        if entry.intent.actor != who:
            continue
        why = entry.intent.get("reason") or {}
        could_attack = any("attack" in one["plan"] for one in why.get("plans", ()))
        now = now or (why.get("key") == "treats" and who in entry.intent.targets and could_attack)
        if entry.intent.action == "next":
            turns.append(now)
            now = False
    return turns


def conducted(name: str, doctrine: str, fights: int) -> None:
    """So many fights of a doctrine in a system, near and far, in each of which everybody behaves."""
    system, sheets = load(name), roster(name)
    for seed in range(fights):
        pair = [sheets[(seed + at) % len(sheets)] for at in range(2)]
        start = met(system, pair, (doctrine, "careful"), (1, 10)[seed % 2])
        bout = fought(system, start, seed, by_doctrine(system), rounds=30)
        for who in bout.start.fighters:
            assert max(put_away(bout, who).values(), default=0) < 2, f"{who}\n{bout.story}"
            turns = treated(bout, who)
            runs = [turns[at : at + RUNNING] for at in range(len(turns) - RUNNING + 1)]
            assert [True] * RUNNING not in runs, f"{who}\n{bout.story}"


@pytest.mark.slow
@pytest.mark.parametrize(("name", "doctrine"), SAMPLE)
def test_a_sample_of_fighters_behaves(name: str, doctrine: str) -> None:
    conducted(name, doctrine, 1)


@pytest.mark.long
@pytest.mark.parametrize("doctrine", DOCTRINES)
@pytest.mark.parametrize("name", tuple(SYSTEMS))
def test_nobody_draws_in_vain_twice_or_only_treats_itself(name: str, doctrine: str) -> None:
    conducted(name, doctrine, FIGHTS)
