#!/usr/bin/env python3
"""Meshes travel between meshio and pliant, both ways, and stay the same.

Usage: check_meshes.py PROGRAM    (PROGRAM: pliant_convert_mesh IN OUT)
"""

import pathlib
import subprocess
import sys
import tempfile

import meshio
import numpy as np

PROGRAM = sys.argv[1]
random = np.random.default_rng(1)
points = random.normal(size=(60, 3)).astype(np.float32)
triangles = np.array([random.choice(60, 3, replace=False) for _ in range(90)])
tetrahedra = np.array([random.choice(60, 4, replace=False) for _ in range(80)])
edges = points[tetrahedra[:, 1:]].astype(float) - points[tetrahedra[:, :1]].astype(float)
inverted = np.linalg.det(edges) < 0
tetrahedra[inverted] = tetrahedra[inverted][:, [0, 1, 3, 2]]


def convert(source, target):
    subprocess.run([PROGRAM, source, target], check=True, timeout=60)


def corners(mesh, kind):
    """The coordinates of all corners, which do not depend on how vertices are numbered."""
    return np.asarray(mesh.points, np.float32)[np.vstack([c.data for c in mesh.cells if c.type == kind])]


def check(folder, kind, cells, source_name, target_name, **options):
    source, target = folder / source_name, folder / ("ours_" + target_name)
    meshio.write(source, meshio.Mesh(points.astype(float) if options.pop("double", False) else points, [(kind, cells)]),
                 **options)
    convert(source, target)
    found = corners(meshio.read(target), kind)
    assert np.array_equal(found, points[cells]), f"{source_name} → {target_name} differs"
    print(f"{source_name} {options} → {target_name}: the same")


with tempfile.TemporaryDirectory() as name:
    directory = pathlib.Path(name)
    for target in ("a.obj", "a.ply", "a.stl"):
        check(directory, "triangle", triangles, "a.obj", target)
        check(directory, "triangle", triangles, "a.ply", target, binary=False)
        check(directory, "triangle", triangles, "a.ply", target, binary=True)
        check(directory, "triangle", triangles, "a.ply", target, binary=True, double=True)
        check(directory, "triangle", triangles, "a.stl", target, binary=True)
    for target in ("a.msh", "a.vtu", "a.node"):
        check(directory, "tetra", tetrahedra, "a.msh", target, file_format="gmsh22", binary=False)
        check(directory, "tetra", tetrahedra, "a.msh", target, file_format="gmsh", binary=False)
        check(directory, "tetra", tetrahedra, "a.node", target)
        check(directory, "tetra", tetrahedra, "a.vtu", target, binary=False)
        for compression in (None, "zlib"):
            check(directory, "tetra", tetrahedra, "a.vtu", target, binary=True, compression=compression)
print("passed")
