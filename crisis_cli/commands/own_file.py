"""New files of the player's own: tables, encounters."""

from __future__ import annotations

from ..errors import FileError
from ..sheets.files import create
from ..sheets.store import Store


def create_own(store: Store, stem: str, content: str) -> str:
    """Write a new file into the first folder of a store; its path for messages. FileError if it exists."""
    path = store.folders[0].path / f"{stem}.toml"
    shown = store.display_path(path)
    if path.exists():
        raise FileError(
            f"{shown} exists already", hint=f"give the new {store.kind} another name", code="exists"
        )
    create(path, content, shown, f"{store.kind}s", "use another folder")
    return shown
