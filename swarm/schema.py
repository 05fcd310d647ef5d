"""TOML tables to typed objects, with one line for every fault instead of an exception at the first."""

from __future__ import annotations

import dataclasses
import difflib
import inspect
import stat
import sys
import typing
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from swarm.errors import BadInput

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

T = TypeVar("T")

LARGEST_NUMBER = 1e15  # in any unit; beyond it is a slip of the keyboard, and squares of squares overflow
LARGEST_FILE = 1_000_000  # bytes; a mission or world is a page of text, anything larger is a mistake


def read_toml(path: Path | str) -> dict[str, Any]:
    """Read one TOML file.

    Args:
        path: The file.

    Returns:
        Its top-level table.

    Raises:
        BadInput: No such file, a directory, larger than 1 MB (refused unread), not UTF-8 or not TOML (says where).
    """
    path = Path(path)
    try:
        if path.is_dir():
            raise BadInput(f"{path}: expected a TOML file, got a directory")
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            raise BadInput(f"{path}: expected a TOML file, got something that is no file")
        size = status.st_size
        if size > LARGEST_FILE:
            raise BadInput(f"{path}: expected at most {LARGEST_FILE:,} bytes, got {size:,}")
        with path.open("rb") as file:
            content = file.read(LARGEST_FILE + 1)
    except FileNotFoundError:
        raise BadInput(f"{path}: no such file") from None
    except OSError as error:
        raise BadInput(f"{path}: cannot be read: {error.strerror}") from None
    if len(content) > LARGEST_FILE:
        raise BadInput(f"{path}: expected at most {LARGEST_FILE:,} bytes")
    try:
        return read_toml_text(content.decode())
    except UnicodeDecodeError as error:
        raise BadInput(f"{path}: not a TOML file: byte {error.start} is not UTF-8") from None
    except BadInput as error:
        raise BadInput(f"{path}: not a TOML file: {error}") from None


def read_toml_text(text: str) -> dict[str, Any]:
    """Parse TOML.

    Raises:
        BadInput: What is wrong, with line and column.
    """
    try:
        table: dict[str, Any] = tomllib.loads(text)
        return table
    except tomllib.TOMLDecodeError as error:
        raise BadInput(str(error)) from None
    except ValueError as error:  # a whole number of thousands of digits
        raise BadInput(str(error).split(";")[0]) from None
    except RecursionError:
        raise BadInput("nested too deeply") from None


def nearest(name: object, allowed: Iterable[str]) -> str:
    """' (did you mean "order"?)' when one of `allowed` is close to `name`, else ''."""
    close = difflib.get_close_matches(str(name), list(allowed), n=1, cutoff=0.6)
    return f' (did you mean "{close[0]}"?)' if close else ""


def choose(name: object, allowed: Iterable[str], where: str, faults: list[str]) -> bool:
    """Note a fault unless `name` is one of `allowed`; say which are, and the nearest."""
    names = list(allowed)
    if isinstance(name, str) and name in names:
        return True
    listed = ", ".join(names) if len(names) <= 12 else f"one of {len(names)} names"
    faults.append(f"{where}: expected {listed}, got {show(name)}{nearest(name, names)}")
    return False


def show(value: object) -> str:
    """A value as it would stand in the file, cut to a length that fits a line."""
    text = f'"{value}"' if isinstance(value, str) else repr(value)
    if isinstance(value, bool):
        text = str(value).lower()
    text = " ".join(text.split())
    return text if len(text) <= 60 else text[:57] + "..."


@dataclasses.dataclass(frozen=True)
class _Key:
    name: str
    type: Any
    required: bool


@cache
def _keys(cls: type) -> dict[str, _Key]:
    hints = typing.get_type_hints(cls, include_extras=True)
    if issubclass(cls, msgspec.Struct):
        return {f.encode_name: _Key(f.name, hints[f.name], f.required) for f in msgspec.structs.fields(cls)}
    missing = dataclasses.MISSING
    return {
        f.name: _Key(f.name, hints[f.name], f.default is missing and f.default_factory is missing)
        for f in dataclasses.fields(cls)  # type: ignore[arg-type]
        if f.init
    }


def _table_class(annotation: Any) -> type | None:
    """The dataclass or Struct behind `X`, `X | None` and `Annotated[X, ...]`; None for a plain value."""
    if typing.get_origin(annotation) is typing.Annotated:
        return _table_class(typing.get_args(annotation)[0])
    options = [a for a in typing.get_args(annotation) if a is not type(None)] or [annotation]
    if len(options) != 1 or typing.get_origin(annotation) in (list, tuple, dict):
        return None
    cls = options[0]
    if inspect.isclass(cls) and (issubclass(cls, msgspec.Struct) or dataclasses.is_dataclass(cls)):
        return cls
    return None


def _row_class(annotation: Any) -> type | None:
    """The dataclass X behind `tuple[X, ...]`, a list of tables."""
    inner = typing.get_args(annotation)
    return _table_class(inner[0]) if typing.get_origin(annotation) is tuple and inner[1:] == (...,) else None


def _build_rows(cls: type, rows: object, place: str, faults: list[str]) -> tuple[Any, ...]:
    if not isinstance(rows, list):
        faults.append(f"{place}: expected a list of tables, got {show(rows)}")
        return ()
    return tuple(build(cls, row, f"{place}[{k}]", faults) for k, row in enumerate(rows))


def build(cls: type[T], table: object, where: str, faults: list[str]) -> T | None:
    """Turn a table into an instance of a dataclass or msgspec Struct.

    Args:
        cls: The class; constraints are `Annotated[float, msgspec.Meta(gt=0)]`.
        table: What the file holds.
        where: Prefix of every message, such as "mission.toml: swarm".
        faults: Gets one line for each unknown key, missing key, wrong type and impossible value.

    Returns:
        The instance, or None when a fault was noted.
    """
    if not isinstance(table, Mapping):
        faults.append(f"{where}: expected a table, got {show(table)}")
        return None
    found = len(faults)
    keys = _keys(cls)  # type: ignore[arg-type]
    values: dict[str, Any] = {}
    dot = "." if where.split(": ")[-1:] != [""] and ": " in where else ": "
    for name, value in table.items():
        place = f"{where}{dot}{name}"
        if name not in keys:
            faults.append(f"{place}: unknown key{nearest(name, keys)}; allowed: {', '.join(keys)}")
            continue
        key = keys[name]
        nested = _table_class(key.type)
        if nested is not None:
            values[key.name] = build(nested, value, place, faults)
            continue
        row = _row_class(key.type)
        if row is not None:
            values[key.name] = _build_rows(row, value, place, faults)
            continue
        try:
            values[key.name] = msgspec.convert(value, key.type, strict=True)
        except (msgspec.ValidationError, TypeError, ValueError) as error:
            literals = _literals(key.type) if "enum value" in str(error) else []
            expected = f"expected {', '.join(literals)}" if literals else _plain(str(error))
            faults.append(f"{place}: {expected}, got {show(value)}{nearest(value, literals)}")
            continue
        _finite(values[key.name], place, faults)
    faults.extend(f"{where}{dot}{name}: missing" for name, key in keys.items() if key.required and name not in table)
    if len(faults) > found:
        return None
    try:
        return cls(**values)
    except BadInput as error:  # a check of the class itself
        faults.extend(f"{where}{dot}{fault}" for fault in error.faults)
        return None


def _literals(annotation: Any) -> list[str]:
    """The words that `Literal` types within an annotation allow."""
    if typing.get_origin(annotation) is typing.Literal:
        return [str(word) for word in typing.get_args(annotation)]
    return [word for part in typing.get_args(annotation) for word in _literals(part)]


def _plain(message: str) -> str:
    """msgspec's words without its own path, and with 'expected' first as everywhere else."""
    message = message.split(" - at `")[0]
    message = message.replace(" | null`", "`")
    for typed, said in (
        ("`float`", "a number"),
        ("`int`", "a whole number"),
        ("`str`", "text"),
        ("`bool`", "true or false"),
        ("`array`", "a list"),
        ("`object`", "a table"),
        ("`null`", "nothing"),
    ):
        message = message.replace(typed, said)
    message = message.split(", got")[0]
    return message[:1].lower() + message[1:]


def _finite(value: object, place: str, faults: list[str]) -> None:
    if isinstance(value, float) and not abs(value) <= LARGEST_NUMBER:
        expected = "a finite number" if value - value != 0.0 else f"a number up to {LARGEST_NUMBER:g}"
        faults.append(f"{place}: expected {expected}, got {value}")
    elif isinstance(value, (list, tuple)):
        for part in value:
            before = len(faults)
            _finite(part, place, faults)
            if len(faults) > before:
                return
