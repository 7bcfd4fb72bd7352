#!/usr/bin/env python3
"""Reads what pliant_write_sequences wrote with other people's readers and compares it with its JSON.

Usage: check_sequences.py PROGRAM [DIRECTORY]    (DIRECTORY is kept; without it a temporary one is used)
OBJ, PLY and VTU are read by meshio; PLY edges, PC2 and GLB by their specifications, with numpy.
"""

import json
import pathlib
import struct
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

import meshio
import numpy as np

SCENES = ["jelly", "drape", "rope", "mixture"]
PARTS = {"jelly": ["jelly"], "drape": ["cloth"], "rope": ["rope"], "mixture": ["a_b_c", "A_B_C_2", "_t_"]}


def load(directory, scene):
    """Frames of parts, each a dictionary of arrays."""
    frames = json.loads((directory / f"{scene}.json").read_text())
    for frame in frames:
        for part in frame["meshes"]:
            for name in ("positions", "velocities", "normals"):
                part[name] = np.array(part[name], np.float32).reshape(-1, 3)
            for name, corners in (("triangles", 3), ("lines", 2), ("tetrahedra", 4)):
                part[name] = np.array(part[name], np.int64).reshape(-1, corners)
    return frames


def surface(part):
    """The part as surface formats hold it: without vertices that belong to no triangle."""
    if len(part["triangles"]) == 0:
        return part
    used = np.unique(part["triangles"])
    number = np.full(len(part["positions"]), -1)
    number[used] = np.arange(len(used))
    result = dict(part, triangles=number[part["triangles"]])
    for name in ("positions", "velocities", "normals"):
        if len(part[name]):
            result[name] = part[name][used]
    return result


def joined(parts, kind):
    """Elements of all parts, counting vertices over all of them."""
    first, lists = 0, []
    for part in parts:
        lists.append(part[kind] + first)
        first += len(part["positions"])
    return np.concatenate(lists)


def joined_vectors(parts, name):
    return np.concatenate([part[name] if len(part[name]) else np.zeros_like(part["positions"]) for part in parts])


def equal(what, found, expected, tolerance=0.0):
    found, expected = np.asarray(found), np.asarray(expected)
    if found.shape != expected.shape:
        sys.exit(f"{what}: shape {found.shape}, expected {expected.shape}")
    if found.size and not np.max(np.abs(found.astype(np.float64) - expected)) <= tolerance:
        sys.exit(f"{what}: differs by up to {np.max(np.abs(found.astype(np.float64) - expected))}")


def cells(mesh, kind):
    blocks = [block.data for block in mesh.cells if block.type == kind]
    return np.concatenate(blocks) if blocks else np.zeros((0, {"vertex": 1, "line": 2, "triangle": 3, "tetra": 4}[kind]))


def check_obj(file, parts):
    parts = [surface(part) for part in parts]
    text = file.read_text()
    # meshio takes texture coordinates only if there is one for each vertex.
    if text.count("\nvt ") not in (0, text.count("\nv ")):
        check_obj_corners(file, text, parts)
    elif any(len(part["triangles"]) for part in parts):
        mesh = meshio.read(file)
        equal(f"{file}: points", mesh.points.astype(np.float32), joined_vectors(parts, "positions"))
        equal(f"{file}: triangles", cells(mesh, "triangle"), joined(parts, "triangles"))
    lines = [[int(n) - 1 for n in line.split()[1:]] for line in text.splitlines() if line.startswith("l ")]
    segments = [pair for strip in lines for pair in zip(strip, strip[1:])]
    shown = [dict(part, lines=part["lines"] if not len(part["triangles"]) else part["lines"][:0]) for part in parts]
    equal(f"{file}: lines", np.array(segments, np.int64).reshape(-1, 2), joined(shown, "lines"))


def check_obj_corners(file, text, parts):
    """Positions, texture coordinates and normals at the corners of the first part's triangles."""
    rows = [line.split() for line in text.splitlines()]
    vectors = {key: np.array([row[1:] for row in rows if row[0] == key], np.float32) for key in ("v", "vt", "vn")}
    corners = np.array([[corner.split("/") for corner in row[1:]] for row in rows if row[0] == "f"], int) - 1
    part = parts[0]
    equal(f"{file}: points", vectors["v"], joined_vectors(parts, "positions"))
    equal(f"{file}: triangles", corners[..., 0], part["triangles"])
    equal(f"{file}: texture coordinates", vectors["vt"][corners[..., 1]], part["uv"])
    equal(f"{file}: normals", vectors["vn"][corners[..., 2]], part["normals"][part["triangles"]])


def check_ply(file, parts):
    parts = [surface(part) for part in parts]
    content = file.read_bytes()
    header, body = content.split(b"end_header\n", 1)
    names = [line.split()[2].decode() for line in header.splitlines() if line.startswith(b"property float")]
    vertices = np.frombuffer(body, [(n, "<f4") for n in names] + [("body", "<i4")], sum(len(p["positions"]) for p in parts))
    columns = {"positions": "xyz", "velocities": ["vx", "vy", "vz"], "normals": ["nx", "ny", "nz"]}
    for name, components in columns.items():
        if any(len(part[name]) for part in parts):
            equal(f"{file}: {name}", np.stack([vertices[c] for c in components], 1), joined_vectors(parts, name))
    edges = joined(parts, "lines")
    if len(edges):
        equal(f"{file}: edges", np.frombuffer(body[-8 * len(edges):], "<i4").reshape(-1, 2), edges)
    else:
        mesh = meshio.read(file)
        equal(f"{file}: points", mesh.points, joined_vectors(parts, "positions"))
        equal(f"{file}: triangles", cells(mesh, "triangle"), joined(parts, "triangles"))
        equal(f"{file}: vx", mesh.point_data["vx"], joined_vectors(parts, "velocities")[:, 0])


def check_vtu(file, parts):
    mesh = meshio.read(file)
    equal(f"{file}: points", mesh.points, joined_vectors(parts, "positions"))
    equal(f"{file}: velocity", mesh.point_data["velocity"], joined_vectors(parts, "velocities"))
    if len(parts[0]["tetrahedra"]):
        equal(f"{file}: tetrahedra", cells(mesh, "tetra"), joined(parts, "tetrahedra"))
        return
    equal(f"{file}: triangles", cells(mesh, "triangle"), joined(parts, "triangles"))
    equal(f"{file}: lines", cells(mesh, "line"), joined(parts, "lines"))
    if "heat" in mesh.point_data:
        equal(f"{file}: heat", mesh.point_data["heat"][:4], [1, 2, 3, 4])
        equal(f"{file}: loose", cells(mesh, "vertex").ravel(), [8, 9, 10])
        equal(f"{file}: pair", mesh.cell_data["pair"][0], [[1, 2], [3, 4]])
        if not np.isnan(mesh.point_data["heat"][4:]).all():
            sys.exit(f"{file}: heat where there is none")


def check_pvd(file, frames):
    sets = ElementTree.parse(file).getroot().findall("Collection/DataSet")
    equal(f"{file}: times", [float(s.get("timestep")) for s in sets], [frame["time"] for frame in frames])
    for data_set in sets:
        if not (file.parent / data_set.get("file")).is_file():
            sys.exit(f"{file}: there is no {data_set.get('file')}")


def check_pc2(file, parts):
    content = file.read_bytes()
    head, version, points, start, rate, samples = struct.unpack("<12siiffi", content[:32])
    expected = np.stack([part["positions"] for part in parts])
    equal(f"{file}: header", [version, points, start, rate, samples], [1, expected.shape[1], 0, 1, len(parts)])
    if head != b"POINTCACHE2\0":
        sys.exit(f"{file}: begins with {head}")
    equal(f"{file}: samples", np.frombuffer(content[32:], "<f4").reshape(samples, points, 3), expected)
    mesh = [line.split()[1:] for line in file.with_suffix(".obj").read_text().splitlines() if line.startswith("v ")]
    equal(f"{file}: mesh", np.array(mesh, np.float32), expected[0])


class Glb:
    def __init__(self, file):
        content = file.read_bytes()
        magic, version, length, json_length, kind = struct.unpack("<4sIII4s", content[:20])
        assert (magic, version, length, kind) == (b"glTF", 2, len(content), b"JSON"), file
        self.json = json.loads(content[20:20 + json_length])
        self.buffer = content[20 + json_length + 8:]

    def accessor(self, index):
        accessor = self.json["accessors"][index]
        view = self.json["bufferViews"][accessor["bufferView"]]
        kind = {5126: "<f4", 5125: "<u4"}[accessor["componentType"]]
        width = {"SCALAR": 1, "VEC2": 2, "VEC3": 3}[accessor["type"]]
        start = view["byteOffset"] + accessor["byteOffset"]
        return np.frombuffer(self.buffer, kind, accessor["count"] * width, start).reshape(-1, width)

    def corners(self, primitive, time, name):
        """The attribute at the corners of the primitive at a moment of the animation."""
        sampler = self.json["animations"][0]["samplers"][0]
        times = self.accessor(sampler["input"]).ravel()
        weights = self.accessor(sampler["output"]).reshape(len(times), -1)
        now = [np.interp(time, times, weights[:, i]) for i in range(weights.shape[1])]
        values = self.accessor(primitive["attributes"][name]).astype(np.float64)
        for weight, target in zip(now, primitive["targets"]):
            values = values + weight * self.accessor(target[name])
        return values[self.accessor(primitive["indices"]).ravel()]


def check_glb(file, frames):
    glb = Glb(file)
    for frame in frames:
        for part, mesh in zip(map(surface, frame["meshes"]), glb.json["meshes"]):
            primitive = mesh["primitives"][0]
            kind = {4: "triangles", 1: "lines", 0: "points"}[primitive["mode"]]
            indices = part[kind].ravel() if kind != "points" else np.arange(len(part["positions"]))
            time = frame["time"] - frames[0]["time"]
            largest = max(1.0, np.max(np.abs(part["positions"])))
            found = glb.corners(primitive, time, "POSITION")
            equal(f"{file}: {kind} at {time} s", found, part["positions"][indices], 4e-7 * largest)
            if len(part["normals"]):
                found = glb.corners(primitive, time, "NORMAL")
                equal(f"{file}: normals at {time} s", found, part["normals"][indices], 4e-7)
                uv = glb.accessor(primitive["attributes"]["TEXCOORD_0"])[glb.accessor(primitive["indices"]).ravel()]
                equal(f"{file}: texture coordinates", uv, np.array(part["uv"]).reshape(-1, 2))


def check(directory):
    for scene in SCENES:
        frames = load(directory, scene)
        for i, frame in enumerate(frames):
            check_obj(directory / f"{scene}_{i:04}.obj", frame["meshes"])
            check_ply(directory / f"{scene}_{i:04}.ply", frame["meshes"])
            check_vtu(directory / f"{scene}_{i:04}.vtu", frame["meshes"])
        check_pvd(directory / f"{scene}.pvd", frames)
        check_glb(directory / f"{scene}.glb", frames)
        for i, name in enumerate(PARTS[scene]):
            check_pc2(directory / f"{scene}_{name}.pc2", [surface(frame["meshes"][i]) for frame in frames])
        print(f"{scene}: {len(frames)} frames are as they were written")


def main():
    program = sys.argv[1]
    with tempfile.TemporaryDirectory() as temporary:
        directory = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else temporary)
        subprocess.run([program, directory], check=True)
        check(directory)


if __name__ == "__main__":
    main()
