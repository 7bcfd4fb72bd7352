"""Inside Blender: vertices at several frames against the JSON of pliant_write_sequences.

blender --background --factory-startup --python-exit-code 1 --python check_blender.py -- DIRECTORY
"""

import json
import pathlib
import sys

import bpy
import numpy

numpy.bool = bool  # Debian's glTF importer uses this name, which Debian's numpy no longer has

PARTS = {"jelly": ["jelly"], "drape": ["cloth"], "rope": ["rope"]}


def surface_positions(part):
    used = sorted({corner for triangle in part["triangles"] for corner in triangle})
    return [part["positions"][i] for i in used] if used else part["positions"]


def y_up(vertex):
    """From Blender's world, where z is up."""
    return (vertex[0], vertex[2], -vertex[1])


def compare(what, found, expected, tolerance=2e-6):
    if len(found) != len(expected):
        raise SystemExit(f"{what}: {len(found)} vertices, expected {len(expected)}")
    largest = max(abs(a - b) for v, w in zip(found, expected) for a, b in zip(v, w))
    if not largest <= tolerance:
        raise SystemExit(f"{what}: differs by up to {largest}")


def evaluated(item, frame):
    bpy.context.scene.frame_set(int(frame), subframe=frame - int(frame))
    shown = item.evaluated_get(bpy.context.evaluated_depsgraph_get())
    return [y_up(shown.matrix_world @ vertex.co) for vertex in shown.data.vertices]


def clear():
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.context.scene.render.fps = 60


def imported(importer, file):
    clear()
    importer(filepath=str(file))
    return [item for item in bpy.context.scene.objects if item.type == "MESH"]


def check_point_cache(directory, scene, name, frames):
    file = directory / f"{scene}_{name}.obj"
    [item] = imported(bpy.ops.wm.obj_import, file)
    cache = item.modifiers.new("cache", "MESH_CACHE")
    cache.cache_format = "PC2"
    cache.filepath = str(file.with_suffix(".pc2"))
    cache.frame_start = 0
    for i, frame in enumerate(frames):
        compare(f"{file} at {i}", evaluated(item, i), surface_positions(frame["meshes"][0]))


def check_gltf(directory, scene, frames):
    file = directory / f"{scene}.glb"
    [item] = imported(bpy.ops.import_scene.gltf, file)
    for i, frame in enumerate(frames):
        found = evaluated(item, (frame["time"] - frames[0]["time"]) * 60)
        expected = surface_positions(frame["meshes"][0])
        # The importer joins or reorders nothing here, but between key frames it rounds times.
        compare(f"{file} at {i}", found, expected, 1e-4)


def check_usd(directory, scene, frames):
    if not getattr(bpy.app.build_options, "usd", False):
        return "not built into this Blender"
    file = directory / f"{scene}.usda"
    items = imported(bpy.ops.wm.usd_import, file)
    if not items:
        return "curves, not compared"
    for frame in frames:
        compare(f"{file} at {frame['time']}", evaluated(items[0], frame["time"] * 60),
                surface_positions(frame["meshes"][0]))
    return "ok"


def main():
    directory = pathlib.Path(sys.argv[sys.argv.index("--") + 1])
    for scene, [name] in PARTS.items():
        frames = json.loads((directory / f"{scene}.json").read_text())
        check_point_cache(directory, scene, name, frames)
        check_gltf(directory, scene, frames)
        print(f"{scene}: PC2 ok, glTF ok, USD {check_usd(directory, scene, frames)}")


main()
