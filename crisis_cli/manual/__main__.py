"""`python -m crisis_cli.manual [--markdown] DIR`: write every page, and delete pages that are no longer made."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from ..systems.plugins import OFF


def main(folder: Path, markdown: bool) -> None:
    """Write the pages into a folder, in mdoc(7) or as Markdown; installed plug-ins are left out of them."""
    os.environ[OFF] = "1"
    from . import pages

    made = pages.as_markdown() if markdown else pages.pages()
    for name, text in made.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
    for path in folder.rglob("crisis*.md" if markdown else "crisis*.[157]"):
        if path.relative_to(folder).as_posix() not in made:
            path.unlink()
    print(f"{len(made)} pages in {folder}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m crisis_cli.manual")
    parser.add_argument("--markdown", action="store_true", help="write Markdown instead of mdoc")
    parser.add_argument("folder", metavar="DIR", type=Path)
    arguments = parser.parse_args()
    main(arguments.folder, arguments.markdown)
