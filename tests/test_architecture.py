"""Imports run one way and never in a circle, those for the type checker included; rules touch nothing outside."""

import ast
import re
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "crisis_cli"
CONTRIBUTING = PACKAGE.parent / "CONTRIBUTING.md"
CORE = {"columns", "engine", "random_tables", "notation", "dice", "errors", "values"}
BACK = {"sheets", "ai", "render", "rulebooks", "systems", *CORE}
FRONT = {
    "aliases",
    "click_errors",
    "completion",
    "configuration",
    "context",
    "environment",
    "expressions",
    "lazy_group",
    "output",
    "play",
    "signals",
    "verbs",
    *BACK,
}
MAY_IMPORT = {
    "columns": set(),
    "errors": {"columns"},
    "field_docs": set(),
    "values": {"field_docs"},
    "signals": set(),
    "click_errors": {"engine", "errors"},
    "lazy_group": {"engine", "errors", "render"},
    "verbs": set(),
    "aliases": {"configuration", "play", "systems", "verbs", "engine", "errors"},
    "cache_file": set(),
    "configuration": {"cache_file", "sheets", "systems", "render", "engine", "errors", "values"},
    "dice": {"errors"},
    "notation": {"columns", "dice", "errors"},
    "random_tables": {"notation", "dice", "errors", "values"},
    "engine": {"columns", "random_tables", "notation", "dice", "errors", "values"},
    "rules": CORE,
    "systems": {"cache_file", "rules", *CORE},
    "rulebooks": {"systems", "engine", "errors", "values"},
    "sheets": {"systems", *CORE},
    "ai": {"sheets", "systems", *CORE},
    "simulation": {"signals", "ai", "sheets", "systems", *CORE},
    "render": {"simulation", "ai", "rulebooks", "systems", *CORE},
    "story": {"ai", "render", "sheets", "systems", "verbs", *CORE},
    "questions": {"columns", "dice", "engine"},
    "expressions": {"render", "notation", "dice", "errors"},
    "environment": {"configuration", "signals", "render", "errors", "values"},
    "output": {"environment", "engine", "render", "errors", "values"},
    "play": {
        "simulation",
        "story",
        "signals",
        "verbs",
        "rulebooks",
        "render",
        "ai",
        "rules",
        "sheets",
        "systems",
        *CORE,
    },
    "context": {"play", "output", "environment", "render", "errors", "values"},
    "api": {"play", "sheets", "render", "notation", "dice", "errors", "values"},
    "protocol": {"api", "play", "story", "render", "ai", "sheets", "systems", *CORE},
    "completion": {
        *(
            "context",
            "configuration",
            "output",
            "play",
            "environment",
            "rulebooks",
            "story",
            "sheets",
            "render",
            "systems",
        ),
        *CORE,
    },
    "installation": {
        "aliases",
        "dice",
        "cache_file",
        "configuration",
        "context",
        "play",
        "sheets",
        "systems",
        "errors",
        "values",
    },
    "preview": {"context", "play", "dice", "engine", "errors", "values"},
    "commands": {
        "cli",
        "conformance",
        "installation",
        "preview",
        "protocol",
        "simulation",
        "questions",
        "story",
        *FRONT,
    },
    "cli": {"cache_file", "environment", "preview", *FRONT},
    "repl": {"cli", "preview", "protocol", "commands", "story", *FRONT},
    "manual": {"cli", "commands", "field_docs", "rules", *FRONT},
    "conformance": {"simulation", "ai", "rulebooks", "sheets", "render", "systems", *CORE},
    "fast_path": {
        "cli",
        "repl",
        "context",
        "configuration",
        "environment",
        "expressions",
        "render",
        "notation",
        "dice",
        "errors",
    },
    "__main__": {"fast_path"},
}
"""Each package and top-level module, and those that it may import; type-only and late imports count."""
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
OF_PRESENTERS = {
    *("click", "prompt_toolkit", "print", "input", "sys.stdin", "sys.stdout", "sys.stderr"),
    *("os.environ", "os.getenv"),
}
"""What play and the protocol never use: they are told what they work with, and give back what came of it."""
PRESENTERS = ("commands", "repl", "protocol", "play")
OF_OPTIONS = {"given", "intent", "kwargs", "options", "params", "settings", "stories", "words"}
"""What mappings are called that hold the options of a command line or of an intent."""
MOST_LOOKED_UP = 40
FINDS_PLUGINS = PACKAGE / "systems" / "plugins.py"
"""The only page of theirs that looks at files: what packages are installed."""


def files():
    return sorted(PACKAGE.rglob("*.py"))


def room_of(path):
    """The package below `crisis_cli` that a file is in, or the top-level module that it is."""
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


@cache
def modules():
    """Every module by its dotted name."""
    found = {}
    for path in files():
        parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


@cache
def nodes(path):
    """The imports and constants in a file."""
    wanted = (ast.Import, ast.ImportFrom, ast.Constant)
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return [node for node in ast.walk(tree) if isinstance(node, wanted)]


@cache
def imports(path):
    """The dotted names that a file imports, relative ones resolved: modules of ours where they are that."""
    found = []
    for node in nodes(path):
        if isinstance(node, ast.Import):
            found += (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            package = path.relative_to(PACKAGE.parent).parts[: -node.level] if node.level else ()
            base = ".".join((*package, *filter(None, [node.module])))
            inner = (f"{base}.{name.name}" for name in node.names)
            found += (name if name in modules() else base for name in inner)
    return found


@cache
def ours(path):
    """The modules of ours that a file imports, itself left out."""
    own = next(name for name, where in modules().items() if where == path)
    return {name for name in imports(path) if name in modules()} - {own}


def circle(arrows):
    """A circle among arrows from a name to those it imports; None where there is none."""
    try:
        TopologicalSorter(arrows).prepare()
    except CycleError as found:
        return found.args[1]
    return None


def test_imports_run_one_way():
    wrong = [
        f"{path.relative_to(PACKAGE)} imports {name}"
        for path in files()
        for name in ours(path) - {"crisis_cli"}
        if name.split(".")[1] not in {room_of(path), *MAY_IMPORT.get(room_of(path), ())}
    ]
    assert not wrong


def test_every_package_has_its_place_and_none_imports_itself_by_way_of_another():
    assert {room_of(path) for path in files()} == {*MAY_IMPORT, "__init__"}
    assert circle(MAY_IMPORT) is None


def test_contributing_says_of_every_package_what_its_docstring_says():
    rows = re.findall(r"^\| `(\w+)(?:/|\.py)` \| (.*) \|$", CONTRIBUTING.read_text("utf-8"), re.M)
    assert {name: words for name, words in rows if name in MAY_IMPORT} == {
        name: said_of(name) for name in MAY_IMPORT if name != "__main__"
    }


def said_of(name):
    """The first paragraph of the docstring of a package or a top-level module, in one line."""
    package = PACKAGE / name / "__init__.py"
    path = package if package.exists() else PACKAGE / f"{name}.py"
    return ast.get_docstring(ast.parse(path.read_text("utf-8"))).split("\n\n")[0].replace("\n", " ")


def test_no_modules_import_each_other_in_a_circle():
    """Neither when they run nor for the type checker alone."""
    assert circle({name: ours(path) for name, path in modules().items()}) is None


@pytest.mark.parametrize("room", ["dice", "notation", "engine", "rules", "systems"])
def test_rules_touch_no_files_clock_terminal_or_global_dice(room):
    paths = {*(PACKAGE / room).rglob("*.py")} - {FINDS_PLUGINS}
    assert paths
    wrong = [(path.name, name) for path in paths for name in imports(path) if name.split(".")[0] in OUTSIDE]
    assert not wrong


def test_a_rulebook_imports_the_rules_and_nothing_else_of_the_program():
    paths = [*(PACKAGE / "systems").glob("*/*.py")]
    assert len(paths) > 10
    wrong = []
    for path in paths:
        own = f"crisis_cli.systems.{path.parent.name}"
        known = (f"{own}.", "crisis_cli.rules")
        allowed = {own, "crisis_cli.errors"}
        wrong += [(path, name) for name in ours(path) - allowed if not name.startswith(known)]
    assert not wrong


def test_no_file_outside_systems_names_a_system():
    from crisis_cli.systems import SYSTEMS

    said = []
    for path in files():
        if room_of(path) in ("systems", "rulebooks"):
            continue
        for node in nodes(path):
            if isinstance(node, (ast.ImportFrom, ast.Import)):
                names = [getattr(node, "module", None) or "", *(name.name for name in node.names)]
                said += [(path.name, name) for name in names if name.split(".")[-1] in SYSTEMS.values()]
            if isinstance(node, ast.Constant) and node.value in SYSTEMS:
                said.append((path.name, node.value))
    assert not said


def test_one_class_name_has_one_meaning():
    """Rulebooks import nothing of each other: two of them may use one name, which then stands nowhere else."""
    homes = {}
    for path in files():
        place = path.relative_to(PACKAGE).parts[:2]
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ClassDef):
                homes.setdefault(node.name, []).append((place if place[0] == "systems" else None, path.name))
    wrong = {}
    for name, places in homes.items():
        rulebooks = [rulebook for rulebook, _ in places]
        if len(places) > 1 and (None in rulebooks or len(set(rulebooks)) < len(rulebooks)):
            wrong[name] = [file for _, file in places]
    assert not wrong


def test_options_are_parameters_and_seldom_looked_up_by_their_names():
    """What the words of a command line say is typed; what is looked up in a mapping by a literal key is counted."""
    looked_up = []
    for path in (path for room in PRESENTERS for path in (PACKAGE / room).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            match node:
                case ast.Subscript(mapping, ast.Constant(str())):
                    pass
                case ast.Call(ast.Attribute(mapping, "get" | "pop"), [ast.Constant(str()), *_]):
                    pass
                case _:
                    continue
            if ast.unparse(mapping).split(".")[-1] in OF_OPTIONS:
                looked_up.append((path.name, ast.unparse(node)))
    assert len(looked_up) <= MOST_LOOKED_UP, looked_up


def test_prompt_toolkit_lives_in_the_repl_alone():
    users = [path for path in files() for name in imports(path) if name.startswith("prompt_toolkit")]
    assert all(room_of(path) == "repl" for path in users)


@pytest.mark.parametrize("room", ["play", "protocol"])
def test_play_uses_no_terminal_no_stream_of_the_process_and_no_environment(room):
    for path in sorted((PACKAGE / room).rglob("*.py")):
        used = {name.split(".")[0] for name in imports(path)}
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, (ast.Name, ast.Attribute)):
                used.add(ast.unparse(node))
            if isinstance(node, ast.ImportFrom) and not node.level:
                used |= {f"{node.module}.{name.name}" for name in node.names}
        assert not used & OF_PRESENTERS, path.name
