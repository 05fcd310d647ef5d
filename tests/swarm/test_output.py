"""Whole files only: the old content or the new, never a part."""

from __future__ import annotations

import pytest

from swarm.errors import BadInput
from swarm.output import check_writable, whole_file, whole_folder


def test_a_failed_write_leaves_the_old_file_and_no_litter(tmp_path) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "result.json"
    path.write_text("old")

    def fail() -> None:
        with whole_file(path) as file:
            file.write(b"half")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert path.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["result.json"]


def test_a_folder_is_replaced_whole(tmp_path) -> None:  # type: ignore[no-untyped-def]
    out = tmp_path / "out"
    out.mkdir()
    (out / "stale").write_text("old")
    with whole_folder(out) as staging:
        (staging / "new").write_text("new")
        assert (out / "stale").exists()
    assert [p.name for p in out.iterdir()] == ["new"]
    assert [p.name for p in tmp_path.iterdir()] == ["out"]


def test_a_failed_folder_leaves_the_old_one(tmp_path) -> None:  # type: ignore[no-untyped-def]
    out = tmp_path / "out"
    out.mkdir()
    (out / "old").write_text("old")

    def fail() -> None:
        with whole_folder(out) as staging:
            (staging / "new").write_text("half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fail()
    assert [p.name for p in out.iterdir()] == ["old"]
    assert [p.name for p in tmp_path.iterdir()] == ["out"]


def test_files_get_ordinary_permissions(tmp_path) -> None:  # type: ignore[no-untyped-def]
    plain, whole = tmp_path / "plain", tmp_path / "whole"
    plain.write_text("")
    with whole_file(whole) as file:
        file.write(b"")
    assert whole.stat().st_mode == plain.stat().st_mode


def test_the_working_folder_is_never_replaced(tmp_path, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BadInput, match="replaced whole"):
        check_writable(tmp_path, "--out", folder=True)
    (tmp_path / "file").write_text("")
    with pytest.raises(BadInput, match="is not a folder"):
        check_writable(tmp_path / "file" / "below", "--out", folder=True)
