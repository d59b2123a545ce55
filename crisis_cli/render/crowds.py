"""Names of several fighters in few words: `Looters 1, 2 and 4`, `all three looters`, `2 looters`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ..engine.scene import Scene
from ..engine.sides import standing
from ..engine.system import System
from .messages import listed
from .reasons import in_words
from .style import GLUE

IRREGULAR = {"is": "are", "has": "have"}
"""The plural of verbs in which more changes than the ending."""


def plural_verb(phrase: str) -> str:
    """What a fighter does, said of several: `close in on Ada` for `closes in on Ada`."""
    verb, space, rest = phrase.partition(" ")
    if verb in IRREGULAR:
        verb = IRREGULAR[verb]
    elif verb.endswith(("shes", "ches", "sses", "xes", "oes")):
        verb = verb[:-2]
    elif verb.endswith("ies") and len(verb) > len("dies"):
        verb = f"{verb[:-3]}y"
    else:
        verb = verb.removesuffix("s")
    return f"{verb}{space}{rest}"


def plural(name: str) -> str:
    """The name of one of several copies, said of several of them: `Looters`, `Witches`."""
    return name + ("es" if name.endswith(("s", "x", "ch", "sh")) else "s")


def uncapitalized(words: str) -> str:
    """The words with a small first letter, unless the first word is all capitals."""
    first = words.partition(" ")[0]
    return words if len(first) > 1 and first.isupper() else words[:1].lower() + words[1:]


def copies(names: Iterable[str], scene: Scene) -> dict[str, list[str]]:
    """Names by what stands before the number, where the fight knows several copies; by the whole name otherwise."""
    bare = [_bare(name) for name in scene.fighters]
    found: dict[str, list[str]] = {}
    for name in names:
        base = _bare(name)
        found.setdefault(base if base and bare.count(base) > 1 else name, []).append(name)
    return found


def _bare(name: str) -> str:
    """The name of a copy without its number; empty for a name without one."""
    base, _, number = name.rpartition(" ")
    return base if number.isdigit() else ""


def together(names: Sequence[str], scene: Scene, system: System) -> str:
    """The names as the subject of a sentence; `all three looters` where they are all of a side who stand."""
    parts = []
    for base, some in copies(names, scene).items():
        if len(some) == 1:
            parts.append(some[0])
        elif sorted(some) in map(sorted, standing(system, scene).values()):
            how_many = "both" if len(some) == 2 else f"all {in_words(len(some))}"
            parts.append(f"{how_many} {uncapitalized(plural(base))}")
        else:
            numbers = sorted((name.removeprefix(base).strip() for name in some), key=int)
            parts.append(f"{plural(base)} {listed(numbers)}")
    return listed(parts)


def counted_copies(names: Sequence[str], hurt: Mapping[str, str], scene: Scene) -> list[str]:
    """Who stands on one side: each by name with what is left of a life that is hurt, unhurt copies by their number.

    No line is to be broken within a part.
    """
    unhurt = copies((name for name in names if not hurt.get(name)), scene)
    said = {
        some[0]: f"{len(some)} {uncapitalized(plural(base))}" if some[1:] else some[0]
        for base, some in unhurt.items()
    }
    said |= {name: f"{name} {life}" for name, life in hurt.items() if life}
    return [said[name].replace(" ", GLUE) for name in names if name in said]
