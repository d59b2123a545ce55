"""Which name a typed word means: whole or begun, in one word or in several."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from ..engine.scene import Fighter, Scene
from ..engine.turn_order import sheet_of

Names = Mapping[str, Sequence[str]]
"""Each name with everything its owner is called, most weighty first: `{"Drone 1": ("Drone 1", "drone", "Drone")}`."""
OPTION = "-"
"""What options begin with; no name does."""
SEPARATORS = ":,="
"""What stands between a name and other things in one word: `cover:drone`, `jack,drone`, `drone=3,4`."""
SPACING = " -_"
"""What stands between the words of a name."""


class Found(NamedTuple):
    """The names that a typed word fits equally well."""

    names: tuple[str, ...] = ()
    whole: bool = False
    """Whether the word is the whole name, and not only the beginning of one."""


def folded(name: str) -> str:
    """A name as it is compared: in small letters, and an accent the same whether it is a sign of its own or not."""
    if not name.isascii():
        from unicodedata import normalize

        name = normalize("NFC", name)
    return name.casefold()


@lru_cache(10_000)
def run_together(name: str) -> str:
    """A name as it is compared where spaces and hyphens do not matter: `drone1` for `Drone 1`."""
    return "".join(sign for sign in folded(name) if sign not in SPACING + ":")


SPELLINGS: tuple[Callable[[str], str], ...] = (str, folded, run_together)
"""How names are compared, the strictest first."""


def fighters(scene: Scene) -> Names:
    """The fighters of a scene: each goes by its name, its sheet's file, and the name that copies of a sheet share."""
    return {name: (name, _stem(one), sheet_of(name)) for name, one in scene.fighters.items()}


def called(things: Iterable[str]) -> Names:
    """Things that go by nothing but their names."""
    return {thing: (thing,) for thing in things}


def _stem(one: Fighter) -> str:
    return one.file.replace("\\", "/").rpartition("/")[2].rpartition(".")[0]


def found(word: str, names: Names) -> Found:
    """The names that a word fits best: an exact name before another spelling, a whole name before a beginning."""
    if not run_together(word):
        return Found()
    for weight in range(max(map(len, names.values()), default=0)):
        for spelling in SPELLINGS:
            wanted = spelling(word)
            fit = tuple(
                name
                for name, said in names.items()
                if len(said) > weight and spelling(said[weight]) == wanted
            )
            if fit:
                return Found(fit, whole=True)
    return Found(tuple(name for name, said in names.items() if any(_begins(word, one) for one in said)))


def _begins(word: str, name: str) -> bool:
    """Whether each part of a word begins the part of a name in its place; numbers are never cut short."""
    typed, parts = _parts(word), _parts(name)
    return len(typed) <= len(parts) and all(
        part == begun if begun.isdigit() else part.startswith(begun)
        for begun, part in zip(typed, parts, strict=False)
    )


@lru_cache(10_000)
def _parts(name: str) -> tuple[str, ...]:
    return tuple("".join(" " if sign in SPACING else sign for sign in folded(name)).split())


def joined(words: Sequence[str], names: Names) -> list[str]:
    """The words of a command line, those that spell one name between them as one: `attack`, `drone 1`.

    Words that are whole names by themselves stay apart.
    """
    longest = max((len(_parts(one)) for said in names.values() for one in said), default=1)
    result: list[str] = []
    at = 0
    while at < len(words):
        many = next(
            (many for many in range(longest, 1, -1) if _is_one(words[at : at + many], many, names)), 1
        )
        result.append(" ".join(words[at : at + many]))
        at += many
    return result


def _is_one(words: Sequence[str], many: int, names: Names) -> bool:
    """Whether so many words spell one name between them, apart from what a separator sets off at either end."""
    if len(words) < many or any(word.startswith(OPTION) for word in words[1:]):
        return False
    first, last = _after_separator(words[0]), _before_separator(words[-1])
    inner = [first, *words[1:-1], last]
    if first.startswith(OPTION) or any(not one or set(one) & set(SEPARATORS) for one in inner):
        return False
    alone = [found(one, names) for one in inner]
    if all(one.whole for one in alone):
        return False
    word = " ".join(inner)
    hit = found(word, names)
    # Read part by part: `drone 1 2` is not Drone 12.
    fits = any(_begins(word, one) for name in hit.names for one in names[name])
    return fits and (hit.whole or not alone[0].whole)


def _after_separator(word: str) -> str:
    return word[1 + max(word.rfind(sign) for sign in SEPARATORS) :]


def _before_separator(word: str) -> str:
    return word[: min((at for sign in SEPARATORS if (at := word.find(sign)) >= 0), default=len(word))]
