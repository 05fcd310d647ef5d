"""Options that several commands share, and how their values are read."""

from __future__ import annotations

import argparse
import re
from typing import Any

from swarm.errors import BadInput
from swarm.schema import read_toml_text

MOST_SEEDS = 100_000


def seeds(text: str) -> range:
    """`K` is 0 ... K - 1, `A:B` is A ... B - 1."""
    try:
        first, _, last = text.rpartition(":")
        found = range(int(first or 0), int(last))
    except ValueError:
        raise argparse.ArgumentTypeError(f"expected K or A:B, got {text!r}") from None
    if found.stop <= found.start or found.start < 0 or found.stop > 2**63:
        raise argparse.ArgumentTypeError(f"expected at least one seed, all 0 or more, got {text!r}")
    if found.stop - found.start > MOST_SEEDS:
        raise argparse.ArgumentTypeError(f"expected at most {MOST_SEEDS:,} seeds, got {text!r}")
    return found


def whole(text: str) -> int:
    """A whole number from 1."""
    return _whole(text, 1)


def seed(text: str) -> int:
    """A whole number from 0."""
    return _whole(text, 0)


def _whole(text: str, lowest: int) -> int:
    try:
        number = int(text)
    except ValueError:
        number = lowest - 1
    if not lowest <= number < 2**63:
        most = " to 2^63 - 1" if number >= 2**63 else ""
        raise argparse.ArgumentTypeError(f"expected a whole number from {lowest}{most}, got {text!r}")
    return number


def positive(text: str) -> float:
    """A number above 0."""
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0.0 < number < float("inf"):
        raise argparse.ArgumentTypeError(f"expected a number above 0, got {text!r}")
    return number


def settings(pairs: list[str]) -> dict[str, Any]:
    """`key=value` pairs as a table of dotted key paths; values are TOML, and a bare word is text.

    Raises:
        BadInput: No `=`, an empty key, or a value that is neither.
    """
    found: dict[str, Any] = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        key = key.strip()
        if not equals or not key or not all(key.split(".")):
            raise BadInput(f"--set {pair}: expected key=value, such as swarm.count=7")
        try:
            found[key] = read_toml_text(f"value = {value}")["value"]
        except BadInput as fault:
            if re.fullmatch(r"[\w.:/-]+", value):
                found[key] = value
            else:
                raise BadInput(f"--set {pair}: the value is not TOML: {fault}") from None
    return found


def add_set(parser: argparse.ArgumentParser) -> None:
    """`--set key=value`, any number of times."""
    parser.add_argument(
        "--set", action="append", default=[], metavar="KEY=VALUE",
        help="another value for any key of the mission or its world, e.g. swarm.count=7 (repeatable)",
    )  # fmt: skip
