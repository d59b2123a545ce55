"""`python -m crisis_cli.manual DIR`: write every page, and take away those there are no longer."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from ..systems.plugins import OFF


def main(folder: Path) -> None:
    """Write the pages into a folder; installed plug-ins are left out of them."""
    os.environ[OFF] = "1"
    from .pages import pages

    made = pages()
    for name, text in made.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
    for path in folder.rglob("crisis*.[157]"):
        if path.relative_to(folder).as_posix() not in made:
            path.unlink()
    print(f"{len(made)} pages in {folder}")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("python -m crisis_cli.manual DIR")
    main(Path(sys.argv[1]))
