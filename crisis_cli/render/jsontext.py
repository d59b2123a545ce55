"""JSON written without the `json` library, because the fast path must start fast."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..errors import CrisisError

VERSION = 1
"""The version of the JSON output; raised when a key changes its meaning."""
WORDS = {True: "true", False: "false", None: "null"}
SHORT = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def dumped(value: Any) -> str:
    """A value as one line of JSON without anything that a terminal would obey; ValueError for what JSON lacks."""
    if isinstance(value, str):
        return quoted(value)
    if value is None or isinstance(value, bool):
        return WORDS[value]
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        if value - value != 0:
            raise ValueError(f"JSON has no {value}")
        return repr(value)
    if isinstance(value, (list, tuple)):
        return f"[{', '.join([dumped(part) for part in value])}]"
    if isinstance(value, dict):
        return f"{{{', '.join([f'{quoted(str(key))}: {dumped(part)}' for key, part in value.items()])}}}"
    raise ValueError(f"JSON has no {type(value).__name__}")


def warning_line(message: str, code: str, as_json: bool) -> str:
    """A warning for stderr: a line of text, or one JSON object."""
    if not as_json:
        return f"warning: {message}"
    return dumped({"v": VERSION, "warning": {"code": code, "message": message}})


def error_record(refusal: CrisisError) -> dict[str, Any]:
    """An error as crisis-json(5) describes it."""
    error: dict[str, Any] = {"code": refusal.code, "message": refusal.message, "hint": refusal.hint}
    if refusal.rule:
        error["rule"] = refusal.rule
    about = {key: value for key, value in refusal.about.items() if key != "final"}
    return {"v": VERSION, "error": {**error, **about}}


def plain_error(refusal: CrisisError, as_json: bool) -> str:
    """An error as text without colours, its hint on a line of its own, or as one line of JSON."""
    if as_json:
        return dumped(error_record(refusal)) + "\n"
    return f"error: {refusal.message}\n" + (f"hint: {refusal.hint}\n" if refusal.hint else "")


def quoted(text: str) -> str:
    """A string as JSON has it."""
    if text.isprintable() and '"' not in text and "\\" not in text:
        return f'"{text}"'
    return (
        '"'
        + "".join(SHORT.get(sign) or (sign if sign.isprintable() else escape(sign)) for sign in text)
        + '"'
    )


def escape(sign: str) -> str:
    """A character as JSON escapes it."""
    code = ord(sign)
    if code < 0x10000:
        return f"\\u{code:04x}"
    code -= 0x10000
    return f"\\u{0xD800 + (code >> 10):04x}\\u{0xDC00 + (code & 0x3FF):04x}"
