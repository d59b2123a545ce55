"""Build the documentation site: `python docs/build.py` writes its pages into build/pages and the site into build/site.

The pages are made from what the program already has: the README, the manual, a fight of each system, the changelog.
`python docs/build.py --pages` stops before the site, and needs nothing but crisis itself.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FIGHTS = {
    "3d6": "play lift --auto --seed 7",
    "step": "play well --auto --seed 7",
    "d100": "play clinic --auto --seed 7",
    "2d20": "play station --auto --seed 1",
    "d6pool": "play chapel --auto --seed 7",
}
"""The command of a whole fight, by system; its output stands on the page of the system's rules."""


def main() -> None:
    """Write the pages, then build the site, unless `--pages` stops before it."""
    write_pages(ROOT / "build" / "pages")
    if "--pages" not in sys.argv[1:]:
        build_site(ROOT)


def write_pages(folder: Path) -> None:
    """Write all pages of the site as Markdown into a folder, which is emptied first."""
    from crisis_cli.manual.markdown import linked

    shutil.rmtree(folder, ignore_errors=True)
    manual = folder / "manual"
    subprocess.run(
        [sys.executable, "-m", "crisis_cli.manual", "--markdown", manual],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    shutil.copytree(
        ROOT / "pictures", folder / "pictures", ignore=shutil.ignore_patterns("*.py", "__pycache__")
    )
    for source, name in {"README.md": "index.md", "CHANGELOG.md": "changes.md"}.items():
        text = linked((ROOT / source).read_text(encoding="utf-8"), "manual/")
        (folder / name).write_text(text, encoding="utf-8", newline="\n")
    for system, command in FIGHTS.items():
        page = manual / f"crisis-rules-{system}.7.md"
        fight = f"## A fight\n\n```console\n$ crisis {command}\n{_printed(command)}```\n"
        text = page.read_text(encoding="utf-8").replace("## See also", f"{fight}\n## See also")
        page.write_text(text, encoding="utf-8", newline="\n")


def build_site(folder: Path) -> None:
    """Build the site of a folder that has mkdocs.yml and the pages."""
    subprocess.run([sys.executable, "-m", "zensical", "build", "--clean", "--strict"], cwd=folder, check=True)
    for page in (folder / "build" / "site").rglob("*.html"):
        # The script lets browsers search that show a page without a server; it would be loaded from elsewhere.
        text = re.sub(r'<script src="https://unpkg[^>]*></script>', "", page.read_text(encoding="utf-8"))
        page.write_text(text, encoding="utf-8", newline="\n")


def _printed(command: str) -> str:
    """What a command of crisis prints in an empty folder, as anybody's crisis prints it there."""
    with tempfile.TemporaryDirectory() as folder:
        kept = {name: value for name, value in os.environ.items() if not name.startswith("CRISIS_")}
        environment = {**kept, "CRISIS_DATA": folder, "CRISIS_CONFIG": folder, "CRISIS_NO_PLUGINS": "1"}
        done = subprocess.run(
            [sys.executable, "-m", "crisis_cli", *shlex.split(command)],
            cwd=folder,
            env=environment,
            capture_output=True,
            encoding="utf-8",
            check=True,
        )
    return done.stdout


if __name__ == "__main__":
    main()
