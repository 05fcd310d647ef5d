"""Whole files only: everything is written under a temporary name, flushed and renamed."""

from __future__ import annotations

import ctypes
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from swarm.errors import BadInput


def real(path: Path) -> Path:
    """Where a path leads; a link that leads to itself is left as it is."""
    return Path(os.path.realpath(path))


@contextmanager
def whole_file(path: Path) -> Iterator[IO[bytes]]:
    """Open a file for writing bytes; it takes its name only once it is complete and on disk.

    Args:
        path: The final name.

    Raises:
        BadInput: The folder does not exist or cannot be written to.
    """
    if path.exists() and not path.is_file():  # a device or pipe, such as /dev/stdout: there is nothing to replace
        with path.open("wb") as file:
            yield file
        return
    path = real(path)
    try:
        descriptor, temporary = tempfile.mkstemp(prefix=f".{path.name[:50]}.", dir=path.parent)
    except OSError as error:
        raise BadInput(f"{path}: cannot be written: {error.strerror}") from None
    try:
        with os.fdopen(descriptor, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, 0o666 & ~_mask())
        os.replace(temporary, path)
    except OSError as error:
        Path(temporary).unlink(missing_ok=True)
        raise BadInput(f"{path}: cannot be written: {error.strerror}") from None
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def write_text(path: Path, text: str) -> None:
    """Write a text file whole."""
    with whole_file(path) as file:
        file.write(text.encode())


def check_writable(path: Path, what: str, folder: bool = False, keep: Sequence[Path] = ()) -> None:
    """Refuse early, before anything runs, where a file or folder cannot be written.

    Args:
        path: What is to be written.
        what: The option that named it.
        folder: Whether it is a folder, which is replaced whole and whose parents are made.
        keep: Folders and files that must not be in it, beside the working folder and the home folder.

    Raises:
        BadInput: One line saying why.
    """
    try:
        path = real(path)
        if path.is_symlink():
            raise BadInput(f"{what}: {path} cannot be written: a link that leads to itself")
        parent = path.parent
        while folder and not parent.exists():
            parent = parent.parent
        if not parent.is_dir():
            raise BadInput(f"{what}: {path} cannot be written: {parent} is not a folder")
        if not os.access(parent, os.W_OK | os.X_OK):
            raise BadInput(f"{what}: {path} cannot be written: no permission in {parent}")
        if len(os.fsencode(path.name)) > 200:
            raise BadInput(f"{what}: expected a name of at most 200 bytes, got {len(os.fsencode(path.name))}")
        if not folder and path.is_dir():
            raise BadInput(f"{what}: expected a file, {path} is a folder")
        if folder and path.exists() and not path.is_dir():
            raise BadInput(f"{what}: expected a folder, {path} is a file")
        if folder and path.is_dir() and (_holds(path, keep) or (path / ".git").exists()):
            raise BadInput(f"{what}: {path} would be replaced whole; name a folder of its own")
    except OSError as error:
        raise BadInput(f"{what}: {path} cannot be written: {error.strerror}") from None


def _holds(folder: Path, keep: Sequence[Path]) -> bool:
    """Whether a folder is, or is above, one that must stay."""
    stays = [Path.cwd(), Path.home(), *keep]
    return any(folder == place or folder in place.parents for place in (real(p) for p in stays))


@contextmanager
def whole_folder(path: Path) -> Iterator[Path]:
    """A folder to fill; it replaces an existing one only once it is complete.

    Args:
        path: The final name.

    Raises:
        BadInput: It cannot be written.
    """
    path = real(path)
    mounted = os.path.ismount(path)  # such as a container's volume: it can be emptied and filled, but not renamed
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        staging = Path(tempfile.mkdtemp(prefix=f".{path.name[:50]}.", dir=path if mounted else path.parent))
    except OSError as error:
        raise BadInput(f"--out: {path} cannot be written: {error.strerror}") from None
    try:
        yield staging
        os.chmod(staging, 0o777 & ~_mask())
        if mounted:
            _refill(path, staging)
        elif not path.exists():
            os.replace(staging, path)
        elif _exchange(staging, path):
            shutil.rmtree(staging)
        else:
            old = Path(tempfile.mkdtemp(prefix=f".{path.name[:50]}.old.", dir=path.parent))
            os.replace(path, old)
            os.replace(staging, path)
            shutil.rmtree(old)
    except BaseException:
        shutil.rmtree(staging, ignore_errors=True)
        raise


def _refill(path: Path, staging: Path) -> None:
    """Put the content of a folder inside `path` in place of everything else there."""
    for entry in path.iterdir():
        if entry != staging:
            shutil.rmtree(entry) if entry.is_dir() and not entry.is_symlink() else entry.unlink()
    for entry in staging.iterdir():
        os.replace(entry, path / entry.name)
    staging.rmdir()


def _exchange(one: Path, other: Path) -> bool:
    """Let two folders change names in one step, where the system can (renameat2 of Linux); else do nothing."""
    if not sys.platform.startswith("linux"):
        return False
    try:
        rename = ctypes.CDLL(None, use_errno=True).renameat2
    except (OSError, AttributeError):
        return False
    here, swap = -100, 2  # AT_FDCWD, RENAME_EXCHANGE
    return bool(rename(here, os.fsencode(one), here, os.fsencode(other), swap) == 0)


def _mask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
