"""Fighters who join an open crisis: new ones from sheets, and those who had left."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..engine.events import record_of
from ..engine.scene import Intent, Scene
from ..errors import Refused
from ..sheets.find_fighters import sheet_word
from ..sheets.names import fighter_names, fold_case, match_name
from ..sheets.store import copies
from .attacking import Planned
from .desk import Desk
from .opening import joining_fighters
from .placing import Place, beside_their_side, with_positions
from .session import Session
from .wording import intent_options


def joining(
    desk: Desk,
    session: Session,
    who: tuple[str, ...],
    vs: tuple[str, ...] = (),
    *,
    places: Sequence[Place] = (),
    is_group: bool = False,
    options: Mapping[str, Any] | None = None,
) -> Planned:
    """The intent of fighters who join: `who` on the side of their sheets, or with `vs` as players and opponents.

    Refused where somebody is here already, or a sheet is of another system.
    """
    back = [name for name in (departed(session, word) for word in who) if name]
    names = tuple(word for word in who if not departed(session, word))
    new = joining_fighters(desk, session, names, vs) if names or vs else []
    present = {fold_case(name) for name in session.scene.fighters}
    taken = [one for one in new if fold_case(one.name) in present]
    if taken:
        raise Refused(
            f"{taken[0].name} is here already",
            hint=f"to add another with a number: {sheet_word(taken[0])}:1",
            code="here_already",
        )
    with_them = Scene(session.system.name, {one.name: one for one in new}, open=True)
    placed = beside_their_side(session, with_positions(with_them, places).fighters.values())
    records = [record_of(one) for one in placed]
    records += [{"name": name} for name in back]
    values = intent_options(options or {}, session, "join")
    extra = {"fighters": records, **({"group": True} if is_group else {})}
    joined = tuple(record["name"] for record in records)
    return Planned(session, Intent("join", "", joined, {**values, **extra}))


def departed(session: Session, word: str) -> str:
    """The name of the departed fighter that a word means; empty if it means a present fighter or a sheet."""
    scene = session.scene
    match = match_name(word, fighter_names(scene))
    if not match.is_whole and session.store and session.store.has(copies(word)[0]):
        return ""
    gone = [name for name in match.names if scene.fighters[name].gone]
    return gone[0] if len(gone) == len(match.names) == 1 else ""
