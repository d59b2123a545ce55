"""The keys of config.toml and of .crisis.toml: from this table all that is known of them is made."""

from __future__ import annotations

from ..values import NamedTuple

WORD, NUMBER, FLAG, COMMAND, FOLDER, SYSTEM, THEME, ALIASES = (
    *("word", "number", "true or false", "command line", "folder", "system", "theme", "table of commands"),
)
"""The kinds of values."""
USER, SHARED, OF_FOLDER = ("user",), ("user", "folder"), ("folder",)
"""Whose file may have a key: the player's, a folder's, or both."""


class SettingKey(NamedTuple):
    """A key: what its values are, what is stronger than it, and who may set it."""

    name: str
    kind: str
    about: str
    """What the key sets, in a sentence."""
    example: str
    """A value, as TOML has it."""
    words: tuple[str, ...] = ()
    """The words that are values."""
    bounds: tuple[int, int] = (0, 0)
    """The least and the greatest number."""
    variables: tuple[str, ...] = ()
    """The environment variables that hold above it, the strongest first."""
    files: tuple[str, ...] = USER
    usual: str = ""
    """The value where nobody sets one; empty for none."""

    @property
    def range(self) -> str:
        """What an environment variable may say, in a few words."""
        return "a whole number from 1" if self.kind == NUMBER else " or ".join(self.words)

    @property
    def values(self) -> str:
        """What may be written, in a few words."""
        if self.kind == NUMBER:
            return f"{self.bounds[0]} to {self.bounds[1]}"
        if self.kind == THEME:
            return f"{', '.join(self.words)}, or a table of SGR numbers"
        return ", ".join(self.words) or self.kind


# fmt: off
KEYS = (
    SettingKey("system", SYSTEM, "The rule system of `character new` and `rules` where none is named; never that of "
               "a sheet.", '"3d6"', files=SHARED),
    SettingKey("color", WORD, "Whether a terminal has colour: `always` whatever it supports. Only `--color` "
               "colours a pipe.", '"never"', ("auto", "always", "never"),
               variables=("NO_COLOR", "FORCE_COLOR"), usual="auto"),
    SettingKey("theme", THEME, "The colours at a terminal, for a dark or a light screen, or your own: `[theme]` with "
               'a line such as `red = "91"` for each style.', '"light"', ("auto", "dark", "light"), usual="auto"),
    SettingKey("width", NUMBER, "The columns that a terminal is taken to have.", "100", bounds=(40, 200),
               variables=("COLUMNS",)),
    SettingKey("ascii", FLAG, "Whether a terminal is shown ASCII alone.", "true", ("true", "false"), usual="false"),
    SettingKey("keys", WORD, "The keys that edit a line at the prompt.", '"vi"', ("emacs", "vi"),
               variables=("CRISIS_KEYS",), usual="emacs"),
    SettingKey("editor", COMMAND, "The editor of `config edit`.", '"nano"', variables=("VISUAL", "EDITOR"),
               usual="vi"),
    SettingKey("questions", WORD, "What you are asked in the middle of actions, in fights that you begin with "
               "`crisis play` at a terminal.", '"all"', ("few", "all", "none"), usual="few"),
    SettingKey("campaign", FOLDER, "The campaign in use.", '"~/ruins"', variables=("CRISIS_CAMPAIGN",)),
    SettingKey("characters", FOLDER, "Where sheets are looked for first.", '"~/sheets"',
               variables=("CRISIS_CHARACTERS",), files=SHARED),
    SettingKey("tables", FOLDER, "Where random tables are looked for first.", '"~/tables"',
               variables=("CRISIS_TABLES",), files=SHARED),
    SettingKey("encounters", FOLDER, "Where encounters are looked for first.", '"~/encounters"',
               variables=("CRISIS_ENCOUNTERS",), files=SHARED),
    SettingKey("doctrines", FOLDER, "Where doctrines are looked for first.", '"~/doctrines"',
               variables=("CRISIS_DOCTRINES",)),
    SettingKey("apart", NUMBER, "How far apart the sides begin, as with `--apart`; fights of the folder say so in "
               "their first entry.", "12", bounds=(0, 1_000), files=OF_FOLDER),
    SettingKey("aliases", ALIASES, "Words of your own for beginnings of commands: `[aliases]` with a line such as "
               '`snipe = "attack --weapon rifle"` for each.', ""),
)
# fmt: on
"""All keys, in the order in which they are shown."""
