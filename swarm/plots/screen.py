"""A window of matplotlib's on the screen, by whichever of its interactive backends works here."""

from __future__ import annotations

import importlib
import os
import sys
from typing import Any

import matplotlib

from swarm.errors import BadInput

BACKENDS = ("QtAgg", "TkAgg", "GTK4Agg", "GTK3Agg", "WxAgg", "MacOSX")  # each can show a part of a picture again


def check_screen(where: str = "--gui") -> str:
    """The backend that a window is opened with.

    Raises:
        BadInput: One line saying why there is none.
    """
    if sys.platform.startswith("linux"):
        named = [name for name in ("DISPLAY", "WAYLAND_DISPLAY") if os.environ.get(name)]
        if not named:
            raise BadInput(f"{where}: there is no display to open a window on ($DISPLAY is not set)")
        if not _answers():
            display = os.environ[named[0]]
            raise BadInput(f"{where}: no window can be opened on display {display}: nothing answers there")
    for name in BACKENDS:
        try:
            importlib.import_module(f"matplotlib.backends.backend_{name.lower()}")
        except (ImportError, ValueError, AttributeError):
            continue
        return name
    raise BadInput(f"{where}: matplotlib has no toolkit for windows here; `pip install PyQt6`, or Python with tkinter")


def _answers() -> bool:
    """Whether a display can be connected to; Qt would end the process where none can."""
    internal: Any = importlib.import_module("matplotlib._c_internal_utils")
    return bool(getattr(internal, "display_is_valid", lambda: True)())


def open_window(page: Any, title: str) -> Any:
    """Show a figure in a window of its own, without pyplot, whose figures belong to the user.

    Args:
        page: The figure; its canvas becomes the window's.
        title: Of the window.

    Returns:
        Matplotlib's manager of the window.

    Raises:
        BadInput: No window can be opened.
    """
    name = check_screen()
    module: Any = importlib.import_module(f"matplotlib.backends.backend_{name.lower()}")
    with matplotlib.rc_context({"toolbar": "None"}):
        try:
            manager = module.FigureCanvas.new_manager(page, _number())
            manager.set_window_title(title)
            manager.show()
        except Exception as error:  # every toolkit has errors of its own
            raise BadInput(
                f"--gui: {name} opened no window: {str(error).splitlines()[0] if str(error) else error!r}"
            ) from None
    return manager


_opened = 0


def _number() -> int:
    """A number that no window of pyplot's has: they count from 1."""
    global _opened
    _opened += 1
    return -_opened
