"""The command `crisis`, also as `python -m crisis_cli`."""

# The plain module below `signal`, which would load `enum`.
import _signal  # type: ignore[import-not-found]

if _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler:
    # Until a command begins its work Ctrl-C ends the process: there is nothing to clear up or to report.
    _signal.signal(_signal.SIGINT, _signal.SIG_DFL)

from .fast_path import main

if __name__ == "__main__":
    main()
