"""Mesh files written byte for byte alike everywhere: coordinates in tenths of a millimetre, no date and no author."""

from __future__ import annotations

import json
import struct

import numpy as np

from swarm.state import Floats
from swarm.worlds.modelling.form import Form


def encoded(form: Form, suffix: str) -> bytes:
    """A form as the content of a file of one kind.

    Args:
        form: z is up, in m.
        suffix: obj, stl, ply, glb or dae. A glb is turned so that y is up, as its standard has it: a roll of 90 degrees
            stands it on its feet again.
    """
    return {"obj": _obj, "stl": _stl, "ply": _ply, "glb": _glb, "dae": _dae}[suffix](_rounded(form))


def _rounded(form: Form) -> Form:
    return Form(form.vertices.round(4) + 0.0, form.faces)  # no negative zeros


def _numbers(values: Floats) -> str:
    return " ".join(f"{value:.4f}".rstrip("0").rstrip(".") for value in values.ravel().tolist())


def _obj(form: Form) -> bytes:
    lines = [f"v {_numbers(vertex)}" for vertex in form.vertices]
    lines += ["f " + " ".join(str(corner + 1) for corner in face) for face in form.faces.tolist()]
    return ("\n".join(lines) + "\n").encode()


def _stl(form: Form) -> bytes:
    records = np.zeros(len(form.faces), np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("more", "<u2")]))
    records["corners"] = form.vertices[form.faces]  # normals are left to the reader, who has the corners
    return b"".ljust(80, b" ") + struct.pack("<I", len(records)) + records.tobytes()


def _ply(form: Form) -> bytes:
    header = [
        *("ply", "format binary_little_endian 1.0", f"element vertex {len(form.vertices)}"),
        *(f"property float {axis}" for axis in "xyz"),
        *(f"element face {len(form.faces)}", "property list uchar int vertex_indices", "end_header"),
    ]
    records = np.zeros(len(form.faces), np.dtype([("count", "u1"), ("corners", "<i4", 3)]))
    records["count"], records["corners"] = 3, form.faces
    return ("\n".join(header) + "\n").encode() + form.vertices.astype("<f4").tobytes() + records.tobytes()


def _glb(form: Form) -> bytes:
    places = (form.vertices[:, [0, 2, 1]] * (1.0, 1.0, -1.0) + 0.0).astype("<f4")
    corners = form.faces.astype("<u2" if len(places) < 65_536 else "<u4")
    indices = corners.tobytes().ljust(-(-corners.nbytes // 4) * 4, b"\0")
    tree = {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 1}, "indices": 0}]}],
        "accessors": [
            {
                "bufferView": 0,
                "componentType": 5123 if corners.itemsize == 2 else 5125,
                "count": corners.size,
                "type": "SCALAR",
            },
            {
                "bufferView": 1,
                "componentType": 5126,
                "count": len(places),
                "type": "VEC3",
                "min": places.min(axis=0).tolist(),
                "max": places.max(axis=0).tolist(),
            },
        ],
        "bufferViews": [
            {"buffer": 0, "byteOffset": 0, "byteLength": corners.nbytes, "target": 34963},
            {"buffer": 0, "byteOffset": len(indices), "byteLength": places.nbytes, "target": 34962},
        ],
        "buffers": [{"byteLength": len(indices) + places.nbytes}],
    }
    text = json.dumps(tree, separators=(",", ":")).encode()
    text = text.ljust(-(-len(text) // 4) * 4, b" ")
    content = indices + places.tobytes()
    whole = 12 + 8 + len(text) + 8 + len(content)
    head = struct.pack("<4sIIII", b"glTF", 2, whole, len(text), 0x4E4F534A)
    return head + text + struct.pack("<II", len(content), 0x004E4942) + content


def _dae(form: Form) -> bytes:
    corners = " ".join(map(str, form.faces.ravel().tolist()))
    count = len(form.vertices)
    return f"""<?xml version="1.0" encoding="utf-8"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><created>2000-01-01T00:00:00Z</created><modified>2000-01-01T00:00:00Z</modified>
<unit name="meter" meter="1"/><up_axis>Z_UP</up_axis></asset>
<library_geometries><geometry id="form" name="form"><mesh>
<source id="places"><float_array id="numbers" count="{3 * count}">{_numbers(form.vertices)}</float_array>
<technique_common><accessor source="#numbers" count="{count}" stride="3">
<param name="X" type="float"/><param name="Y" type="float"/><param name="Z" type="float"/>
</accessor></technique_common></source>
<vertices id="corners"><input semantic="POSITION" source="#places"/></vertices>
<triangles count="{len(form.faces)}"><input semantic="VERTEX" source="#corners" offset="0"/>
<p>{corners}</p></triangles>
</mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="scene"><node id="node"><instance_geometry url="#form"/></node></visual_scene>
</library_visual_scenes>
<scene><instance_visual_scene url="#scene"/></scene>
</COLLADA>
""".encode()
