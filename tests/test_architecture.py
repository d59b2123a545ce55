"""The house stands as CONTRIBUTING draws it: imports run one way, rules touch nothing outside."""

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "crisis_cli"
MAY_IMPORT = {
    "errors": set(),
    "dice": {"errors"},
    "notation": {"dice", "errors"},
    "engine": {"notation", "dice", "errors"},
    "rules": {"engine", "dice", "errors"},
    "systems": {"rules", "engine", "dice", "errors"},
    "sheets": {"systems", "engine", "notation", "errors"},
    "ai": {"sheets", "systems", "engine", "dice", "errors"},
    "render": {"systems", "engine", "notation", "dice", "errors"},
    "asking": {"dice"},
    "signals": set(),
    "environment": {"signals", "render", "errors"},
    "completion": {"context", "environment", "rulebooks", "sheets", "render", "systems", "engine", "errors"},
    "lazy_group": set(),
    "context": {
        "asking",
        "environment",
        "sheets",
        "ai",
        "render",
        "systems",
        "engine",
        "notation",
        "dice",
        "errors",
    },
}
"""A room, and the rooms it may import; the front rooms, which are not listed, may import any."""
OUTSIDE = {
    "os",
    "io",
    "time",
    "datetime",
    "pathlib",
    "random",
    "secrets",
    "socket",
    "subprocess",
    "tempfile",
    "click",
}
"""What the rules and the table never touch."""
FRONT = {"cli", "commands", "repl", "__main__", "fast_path"}


def files():
    return sorted(PACKAGE.rglob("*.py"))


def room_of(path):
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imports(path):
    """(module, whether it is only for the type checker) of every import, relative ones resolved to a room."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    typing_only = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
        for inner in ast.walk(node)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            yield resolved(path, node), id(node) in typing_only
        elif isinstance(node, ast.Import):
            for name in node.names:
                yield (name.name, ""), id(node) in typing_only


def resolved(path, node):
    if not node.level:
        return node.module or "", ""
    package = path.relative_to(PACKAGE.parent).parts[: -node.level]
    inside = (*package, *(node.module.split(".") if node.module else ()))
    return ".".join(inside), inside[1] if len(inside) > 1 else node.names[0].name


@pytest.mark.parametrize("path", files(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_run_one_way(path):
    room = room_of(path)
    allowed = MAY_IMPORT.get(room)
    for (module, target), typing_only in imports(path):
        if target and allowed is not None and not typing_only:
            assert target in {*allowed, room, "__version__"}, f"{room} imports {module}"
        if target in FRONT and room not in FRONT:
            assert typing_only, f"{room} imports {module}"


@pytest.mark.parametrize("room", ["dice", "notation", "engine", "rules", "systems"])
def test_rules_touch_no_files_clock_terminal_or_global_dice(room):
    for path in sorted((PACKAGE / room).rglob("*.py")):
        for (module, target), typing_only in imports(path):
            assert target or typing_only or module.split(".")[0] not in OUTSIDE, (
                f"{path.name} imports {module}"
            )


def test_no_file_outside_systems_names_a_system():
    from crisis_cli.systems import SYSTEMS

    said = []
    for path in files():
        if room_of(path) in ("systems", "rulebooks"):
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, (ast.ImportFrom, ast.Import)):
                names = [getattr(node, "module", None) or "", *(name.name for name in node.names)]
                said += [(path.name, name) for name in names if name.split(".")[-1] in SYSTEMS.values()]
            if isinstance(node, ast.Constant) and node.value in SYSTEMS:
                said.append((path.name, node.value))
    assert not said


def test_prompt_toolkit_lives_in_the_repl_alone():
    users = [
        path for path in files() for (module, _), _ in imports(path) if module.startswith("prompt_toolkit")
    ]
    assert all(room_of(path) == "repl" for path in users)
