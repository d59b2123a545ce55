"""Tabletop combat from the command line, and from Python: `import crisis_cli as crisis`."""

__version__ = "0.2.0"


def __getattr__(name: str) -> object:
    """A name of the Python interface, loaded when it is first used; the command line starts without it."""
    if name == "__all__" or not name.startswith("_"):
        from importlib import import_module

        api = import_module(f"{__name__}.api")
        if name == "__all__" or name in api.__all__:
            return getattr(api, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    """The names of the Python interface, for those who look for them."""
    from importlib import import_module

    return ["__version__", *import_module(f"{__name__}.api").__all__]
