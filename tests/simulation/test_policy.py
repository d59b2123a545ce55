"""The plain policy in written scenes: what it chooses there, by the words of its docstring."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from simulations import DUELS, FightWords, opened

from crisis_cli.ai.resources import with_full_turn
from crisis_cli.engine.scene import Intent, Scene
from crisis_cli.simulation.fight import EngineCourse


class WrittenScene(NamedTuple):
    """A scene of policy_scenes.toml, which says what the keys are."""

    system: str
    players: str
    foes: str
    turn: str
    decides: str
    why: str
    state: Mapping[str, Mapping[str, Any]] = {}
    differs: str = ""


SCENES = [
    WrittenScene(system, **scene)
    for system, scenes in tomllib.loads(
        Path(__file__).with_name("policy_scenes.toml").read_text("utf-8")
    ).items()
    for scene in scenes
]
COUNTED = Counter(written.system for written in SCENES)


@cache
def course_of(fight: FightWords) -> EngineCourse:
    """The course of a fight whose policy keeps what it has weighed, as in a simulation."""
    return EngineCourse(opened(fight))


def begun(written: WrittenScene) -> tuple[EngineCourse, Scene]:
    """The course of the fight of a scene, and that scene."""
    course = course_of(FightWords(written.system, written.players, written.foes))
    scene = course.start.scene
    scene = with_full_turn(course.system, scene, written.turn, fresh=True)
    fighters = dict(scene.fighters)
    for name, changes in written.state.items():
        state = dict(changes)
        fighter = fighters[name].with_pools(state.pop("pools", {}))
        conditions = dict.fromkeys(state.pop("conditions", ()), True)
        for field in ("at", "held"):
            if field in state:
                state[field] = tuple(state[field])
        fighters[name] = fighter._replace(conditions=conditions, **state)
    assert set(fighters) == set(scene.fighters), "a state is that of a fighter of the scene"
    return course, scene._replace(fighters=fighters, order=tuple(fighters), round=1)


def said(intent: Intent) -> str:
    """An action as the scenes write it."""
    options = (f"{key}={value}" for key, value in intent.options.items())
    return " ".join((intent.action, *intent.targets, *options))


@pytest.mark.parametrize(
    "written",
    [
        pytest.param(
            written,
            id=f"{written.system}: {written.decides}",
            marks=pytest.mark.xfail(reason=written.differs, strict=True) if written.differs else (),
        )
        for written in SCENES
    ],
)
def test_the_policy_chooses_what_its_words_say(written: WrittenScene) -> None:
    course, course.scene = begun(written)
    assert said(course._decision(written.turn)) == written.decides, written.why


def test_there_are_a_dozen_scenes_of_every_system() -> None:
    assert COUNTED.keys() == DUELS.keys() and min(COUNTED.values()) >= 12
