// A scene that uses every key there is; a test makes sure of it.
#pragma once

#include <string_view>

namespace pliant::test {

inline constexpr std::string_view full_scene = R"json({
  "about": "Everything at once",
  "frames": 30,
  "solver": {
    "quasistatic": true, "time_step": 0.02, "substeps": 4, "iterations": 3, "gravity": [0, -5, 0.5],
    "wind": [1, 0, 0], "air_density": 1.2, "air_drag": 1, "air_friction": 0.1, "gusts": 0.3, "gust_seconds": 2,
    "turbulence": 0.2, "eddy_size": 0.5, "wind_seed": 3, "damping": 0.01, "drag": 0.02, "keep_momentum": false,
    "correction_speed": 7, "settling": 3, "levels": "off", "contact_quality": "off",
    "report_contacts": true
  },
  "materials": [
    {
      "name": "stuff",
      "soft": {"density": 900, "edges": {"compliance": 2e-05, "damping": 0.01, "stiffness": 0.9}, "volumes": {"compliance": 1e-07}},
      "cloth": {"area_density": 0.3, "stretch": {"compliance": 1e-06}, "bending": {"compliance": 0.02}, "seam": {"compliance": 1e-05}, "sewing_seconds": 0.2},
      "rope": {"linear_density": 0.2, "stretch": {"damping": 0.001}, "bending": 0.01, "twisting": 0.008, "curl": 0.5, "rest_curvature": 0.2, "twist": 0.5},
      "particles": {"mass": 2, "link": {"compliance": 1e-05}},
      "hair": {"linear_density": 0.0002, "bending": 2e-07, "twisting": 1e-07}
    }
  ],
  "bodies": [
    {
      "name": "box", "material": "stuff",
      "soft": {"box": {"size": [0.5, 0.4, 0.3], "cells": [3, 2, 2]}, "tetrahedralize": {"method": "delaunay", "edge_length": 0.1, "resolution": 5}, "density": 800, "edges": {"damping": 0.03}},
      "position": [0, 2, 0], "velocity": [0.1, 0, 0], "radius": 0.01,
      "contact": {"bodies": false, "self": true, "friction": 0.3, "restitution": 0.1, "thickness": 0.02, "group": "boxes", "ignores": ["boxes"]},
      "rotation": [0, 0, 1, 2], "scale": [1, 2, 1],
      "color": [1, 0.5, 0], "pins": [{"corner": [1, 1, 1]}, {"nearest": [0, 3, 0]}]
    },
    {"name": "ball", "soft": {"ball": {"radius": 0.2, "layers": 2}, "energy": "neo_hookean", "young_modulus": 200000, "poisson_ratio": 0.45, "damping": 0.001}, "position": [1, 2, 0]},
    {"name": "drum", "soft": {"cylinder": {"radius": 0.2, "height": 0.5, "rings": 2, "rows": 3}}, "position": [2, 2, 0]},
    {"name": "pill", "soft": {"capsule": {"radius": 0.2, "height": 0.5, "rings": 2, "rows": 3}, "preset": "rubber"}, "position": [3, 2, 0]},
    {"name": "ring", "soft": {"torus": {"major_radius": 0.4, "minor_radius": 0.1, "rings": 2, "segments": 12}}, "position": [4, 2, 0]},
    {"name": "bunny", "soft": {"file": "assets/bunny.obj", "tetrahedralize": {"resolution": 4}}, "position": [5, 2, 0], "scale": [0.1, 0.1, 0.1]},
    {"name": "one", "soft": {"mesh": {"positions": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], "tetrahedra": [[0, 1, 2, 3]]}}, "position": [6, 2, 0]},
    {"name": "sheet", "material": "stuff", "cloth": {"sheet": {"width": 2, "depth": 1.5, "columns": 4, "rows": 3}}, "position": [0, 4, 0], "pins": [{"indices": [0, 4]}, {"region": {"low": [-2, 3, 0.7], "high": [2, 5, 1]}}]},
    {"name": "tube", "cloth": {"tube": {"radius": 0.3, "height": 0.8, "segments": 8, "rows": 4}, "fabric": "wool", "bending": {"model": "dihedral", "warp": 2e-05, "weft": 1e-05, "rest_angle": 0.1, "damping": 0.002, "stiffness": 0.5}, "membrane": {"warp": 900, "weft": 600, "shear": 50, "poisson_ratio": 0.1, "damping": 0.001}, "weave": "twill", "strain_limit": 0.2, "warp_direction": [0.1, 1, 0.2]}, "position": [3, 4, 0]},
    {"name": "balloon", "cloth": {"sphere": {"radius": 0.3, "frequency": 3}}, "position": [4, 4, 0]},
    {
      "name": "bag",
      "cloth": {"panels": {"edge_length": 0.2, "pieces": [{"name": "one", "outline": [[0, 0], [1, 0], [1, 1], [0, 1]], "position": [0, 0, 0.2], "rotation": [0, 1, 0, 2]}, {"name": "other", "outline": [[0, 0], [1, 0], [1, 1]], "warp": [1, 0]}], "seams": [{"a": {"panel": "one", "from": 0, "to": 1}, "b": {"panel": "other", "from": 2, "to": 1, "backward": true}}]}},
      "position": [7, 4, 0]
    },
    {"name": "triangle", "cloth": {"mesh": {"positions": [[0, 0, 0], [1, 0, 0], [0, 0, 1]], "triangles": [[0, 1, 2]]}}, "position": [5, 4, 0]},
    {"name": "line", "material": "stuff", "rope": {"line": {"from": [0, 0.5, 0], "to": [1, 0, 0.5], "links": 5}}, "position": [0, 6, 0]},
    {"name": "screw", "rope": {"helix": {"radius": 0.1, "height": 0.5, "turns": 2, "links": 20}, "radius": 0.002, "young_modulus": 1e+09, "shear_modulus": 4e+08}, "position": [2, 6, 0]},
    {"name": "path", "rope": {"points": [[0, 0, 0], [1, 0, 0], [1, 1, 0]]}, "position": [4, 6, 0]},
    {
      "name": "dust", "material": "stuff",
      "particles": {"points": [[0, 0, 0], [1, 0, 0], [0, 1, 0]], "masses": [1, 2, 3], "links": [{"a": 0, "b": 1, "rest_length": 0.9}, {"a": 1, "b": 2}], "triangles": [[0, 1, 2]], "radii": [0.01, 0.02, 0.01]},
      "position": [0, 8, 0]
    },
    {"particles": {"line": {"links": 3}}, "position": [3, 8, 0]},
    {"name": "sand", "particles": {"grains": {"size": [0.1, 0.1, 0.2], "spacing": 0.06, "jitter": 0.2, "seed": 3}, "mass": 0.01}, "position": [9, 8, 0], "radius": 0.02},
    {"name": "tuft", "hair": {"disc": {"radius": 0.05}, "strands": 8, "points": 6, "length": 0.1, "clump": 0.5, "seed": 2}, "position": [5, 8, 0], "pins": [{"roots": {}}]},
    {"name": "head", "material": "stuff", "hair": {"sphere": {"radius": 0.05, "coverage": 0.4}, "strands": 8, "points": 12, "length": 0.1, "curl": {"radius": 0.005, "pitch": 0.05}}, "position": [6, 8, 0]},
    {"name": "fur", "hair": {"file": "assets/bunny.obj", "strands": 8, "points": 4}, "position": [7, 8, 0], "scale": [0.1, 0.1, 0.1]},
    {"name": "ribbon", "rope": {"line": {"links": 4}, "bending": 0.01, "edge_bending": 0.5, "side": [0, 1, 0]}, "position": [9, 6, 0]},
    {"name": "braced", "rope": {"line": {"links": 4}, "bending_model": "links", "second_neighbours": {"compliance": 0.001}}, "position": [13, 6, 0]},
    {"name": "sprung", "rope": {"line": {"links": 4}, "bending": 0.01, "bending_model": "angles"}, "position": [15, 6, 0]},
    {"name": "ruler", "rope": {"line": {"links": 4}, "young_modulus": 1e+09, "width": 0.02, "thickness": 0.001}, "position": [11, 6, 0]},
    {"name": "down", "hair": {"on": "sheet", "strands": 8, "points": 4}}
  ],
  "skeletons": [
    {"name": "neck", "joints": [{"name": "base", "position": [6, 7.8, 0]}, {"name": "top", "parent": "base", "position": [6, 7.9, 0], "motion": [{"time": 0.1, "rotation": [0, 0, 1, 1]}]}]},
    {"name": "arm", "file": "assets/arm.glb", "animation": "bend", "position": [0, 0, 9]}
  ],
  "attachments": [
    {"body": "line", "indices": [0], "to_point": [0, 6.5, 0], "elasticity": {"compliance": 1e-05}, "motion": [{"time": 0.1, "offset": [0, 0.1, 0]}]},
    {"body": "sheet", "indices": [7, 8], "to_place": {}},
    {"body": "line", "indices": [5], "to_particles": {"body": "screw", "corner": [0, 1, 0]}},
    {"body": "line", "indices": [3], "to_collider": 3},
    {"body": "dust", "indices": [2], "to_point": [0, 9.5, 0], "rest_length": 0.4},
    {"body": "ruler", "indices": [0], "to_place": {}, "clamp": true},
    {"body": "head", "roots": {}, "to_skeleton": {"skeleton": "neck", "blend": 0.1}}
  ],
  "rings": [{"body": "dust", "indices": [0], "on": "path"}],
  "colliders": [
    {"plane": {"point": [0, 0.1, 0], "normal": [0, 2, 0]}, "friction": 0.3, "restitution": 0.1},
    {"sphere": {"center": [0, 1, 0], "radius": 0.2}, "motion": [{"time": 0.1, "offset": [0, 0.1, 0]}, {"time": 0.2, "rotation": [0, 0, 1, 1]}]},
    {"box": {"center": [3, 1, 0], "half_extents": [0.2, 0.1, 0.2], "rotation": [0, 1, 0, 1]}},
    {"capsule": {"a": [4, 1, -1], "b": [4, 1.5, 1], "radius": 0.2}, "motion": [{"time": 0.1, "rotation": [0, 1, 0, 1]}]},
    {"cylinder": {"a": [5, 1, -1], "b": [5, 1.5, 1], "radius": 0.2}, "surface_velocity": [1, 0, 0]},
    {"cone": {"a": [6, 1, -1], "b": [6, 1.5, 1], "radius": 0.2, "tip_radius": 0.1}},
    {"torus": {"center": [7, 1, 0], "axis": [0, 1, 1], "major_radius": 0.4, "minor_radius": 0.1}},
    {"mesh": {"poses": ["assets/hand_0.obj", "assets/hand_1.obj"], "poses_per_second": 5, "scale": 0.5, "position": [8, 1, 0], "rotation": [0, 1, 0, 1]}},
    {"mesh": {"positions": [[0, 0, 0], [1, 0, 0], [0, 0, 1]], "triangles": [[0, 1, 2]], "thickness": 0.01, "position": [9, 1, 0]}},
    {"mesh": {"file": "assets/bunny.obj", "scale": 0.1, "position": [10, 1, 0]}},
    {"height_field": {"columns": 2, "rows": 2, "spacing": 0.5, "heights": [0, 0.1, 0.2, 0.1, 0, 0.2, 0.1, 0.2, 0.3], "position": [11, 1, 0]}},
    {"sphere": {"center": [0, 5, 0], "radius": 100}, "inverted": true},
    {"sphere": {"center": [6, 8, 0], "radius": 0.04}, "on_joint": {"skeleton": "neck", "joint": "top"}}
  ],
  "events": [
    {"time": 0.1, "squash": {"body": "ball", "height": 2, "seconds": 0.05}},
    {"time": 0.1, "translate": {"body": "drum", "offset": [0, 0.5, 0]}},
    {"time": 0.1, "grab": {"hand": "left", "point": [4, 4, 0]}},
    {"time": 0.2, "drag": {"hand": "left", "to": [4, 5, 0], "seconds": 0.1}},
    {"time": 0.3, "release": {"hand": "left"}},
    {"time": 0.1, "pin": {"body": "pill", "corner": [0, 1, 0]}},
    {"time": 0.2, "unpin": {"body": "sheet", "indices": [0]}},
    {"time": 0.2, "solver": {"seconds": 0.1, "gravity": [0, -1, 0]}},
    {"time": 0.2, "elasticity": {"body": "box", "part": "edges", "seconds": 0.1, "compliance": 0.001, "stiffness": 0.5}},
    {"time": 0.3, "material": {"body": "ball", "preset": "rubber", "seconds": 0.1, "young_modulus": 100000, "poisson_ratio": 0.3, "damping": 0.01}}
  ],
  "camera": {"position": [3, 5, 12], "target": [3, 4, 0], "field_of_view": 50},
  "light": {"direction": [0, 1, 0.2]},
  "compare": ["solver/substeps=2,4"],
  "expect": [
    {"volume_ratio": {"low": 0.1, "high": 10}},
    {"inverted": 1000, "when": "always"},
    {"crossings": 100000},
    {"constraint_error": 100},
    {"energy_rise": 1e+06},
    {"speed": 1000},
    {"height": {"body": "box", "low": 0, "high": 10}},
    {"center": {"body": "box", "near": [0, 2, 0], "within": 5}},
    {"spin": {"body": "box", "low": 0.001, "high": 100}},
    {"stretch": {"body": "box", "at_most": 100}},
    {"state_hash": "0123456789abcdef"}
  ]
})json";

}  // namespace pliant::test
