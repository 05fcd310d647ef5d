"""Files become typed objects; every fault is one line that names the place, what was found and what is allowed."""

from __future__ import annotations

import dataclasses
from typing import Annotated

import pytest
from msgspec import Meta

import swarm
from swarm.errors import BadInput
from swarm.schema import build, read_toml


@dataclasses.dataclass(frozen=True)
class Inner:
    size: Annotated[float, Meta(gt=0)] = 1.0


@dataclasses.dataclass(frozen=True)
class Outer:
    count: Annotated[int, Meta(ge=1)]
    inner: Inner = dataclasses.field(default_factory=Inner)
    places: tuple[tuple[float, ...], ...] = ()


def faults_of(table: object) -> list[str]:
    faults: list[str] = []
    assert build(Outer, table, "f.toml", faults) is None
    return faults


def test_good_table_becomes_an_object_with_defaults() -> None:
    faults: list[str] = []
    assert build(Outer, {"count": 2, "inner": {"size": 3}}, "f.toml", faults) == Outer(2, Inner(3.0))
    assert faults == []


def test_every_fault_has_a_line_of_its_own() -> None:
    found = faults_of({"count": 0, "iner": 1, "inner": {"size": -1.0, "sise": 2}, "places": [[1.0], ["x"]]})
    assert len(found) == 5
    assert all(line.startswith("f.toml: ") and "\n" not in line for line in found)
    assert any('iner: unknown key (did you mean "inner"?)' in line for line in found)
    assert any("inner.size: expected a number > 0.0, got -1.0" in line for line in found)


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_numbers_must_be_finite(value: float) -> None:
    assert len(faults_of({"count": 1, "inner": {"size": value}})) == 1
    assert len(faults_of({"count": 1, "places": [[0.0, value]]})) == 1


def test_missing_key_is_named() -> None:
    assert faults_of({}) == ["f.toml: count: missing"]


@pytest.mark.parametrize("table", [3, [], "text", None])
def test_a_table_is_expected(table: object) -> None:
    assert len(faults_of(table)) == 1


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"a = ", "end of document"),
        (b"\xff\xfe", "UTF-8"),
        (b"[a]\n[a]\n", "line 2"),
        (b"x" * 1_000_001, "at most 1,000,000"),
    ],
)
def test_what_is_not_toml_is_refused_in_one_line(tmp_path, content: bytes, said: str) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "f.toml"
    path.write_bytes(content)
    with pytest.raises(BadInput) as caught:
        read_toml(path)
    assert len(caught.value.faults) == 1
    assert said in str(caught.value)
    assert str(path) in str(caught.value)


def test_a_directory_and_a_missing_file_are_refused(tmp_path) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(BadInput, match="directory"):
        read_toml(tmp_path)
    with pytest.raises(BadInput, match="no such file"):
        read_toml(tmp_path / "none.toml")


@pytest.mark.parametrize("value", [1e16, -1e200])
def test_a_number_beyond_all_measure_is_refused(value: float) -> None:
    with pytest.raises(BadInput, match=r"world.bounds|swarm.spawn.heading: expected a number up to 1e\+15, got"):
        swarm.load_mission("vicsek", {"swarm.spawn.heading": value})
