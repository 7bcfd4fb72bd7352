#!/usr/bin/env python3
"""The mesh commands of the program pliant: exit codes, messages, files.

Usage: mesh_commands.py PROGRAM BUNNY.obj
"""

import json
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

PROGRAM, BUNNY = sys.argv[1:3]
CUBE = """v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1
f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n"""
failures = 0


def run(*arguments):
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, timeout=120, check=False)


def check(condition, what, result=None):
    global failures
    if not condition:
        failures += 1
        print("FAILED:", what)
        if result is not None:
            print(f"  exit {result.returncode}\n  stdout: {result.stdout}\n  stderr: {result.stderr}")


def expect(result, code, out="", error=""):
    check(result.returncode == code and out in result.stdout and error in result.stderr,
          f"exit {code}, stdout with {out!r}, stderr with {error!r}", result)


def info(folder):
    cube = folder / "cube.obj"
    expect(run("mesh-info", cube), 0, "8 vertices, 12 triangles")
    result = run("mesh-info", cube, "--json")
    expect(result, 0)
    facts = json.loads(result.stdout)
    check(facts["closed"] and abs(facts["volume"] - 1) < 1e-9, "the cube is closed and has volume 1", result)

    broken = folder / "broken.obj"
    broken.write_text("v 0 0 0\nv 1 0 0\nf 1 2 3\n")
    expect(run("mesh-info", broken), 2, error=f"pliant: error: {broken}:3: vertex 3 does not exist: there are 2\n")
    expect(run("mesh-info", folder / "none.obj"), 2, error="No such file")
    expect(run("mesh-info", folder), 2, error="the extension must be .obj, .ply or .stl")
    expect(run("mesh-info"), 2, error="FILE is required")
    expect(run("mesh-info", "--help"), 0, "Example: pliant mesh-info")


def tetrahedralize(folder):
    cube, out = folder / "cube.obj", folder / "cube.msh"
    before = set(folder.iterdir())
    expect(run("tetrahedralize", "--help"), 0, "Example: pliant tetrahedralize")
    expect(run("tetrahedralize", cube), 2, error="--output is required")
    expect(run("tetrahedralize", cube, "-o", folder / "cube.stl"), 2, error="the extension must be .msh")
    expect(run("tetrahedralize", cube, "-o", folder / "no" / "cube.msh"), 2, error="there is no directory")
    expect(run("tetrahedralize", cube, "-o", out, "--method", "magic"), 2, error="magic")
    expect(run("tetrahedralize", cube, "-o", out, "--edge-length", -1), 2, error="edge-length")
    expect(run("tetrahedralize", cube, "-o", out, "--edge-length", 1, "--resolution", 5), 2, error="excludes")
    expect(run("tetrahedralize", folder / "broken.obj", "-o", out), 2, error="broken.obj:3:")
    flat = folder / "flat.obj"
    flat.write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    expect(run("tetrahedralize", flat, "-o", out), 2, error="flat.obj")
    flat.unlink()
    check(set(folder.iterdir()) == before, "bad input leaves no file")

    report = folder / "report.json"
    result = run("tetrahedralize", cube, "-o", out, "--resolution", 6, "--report", report)
    expect(result, 0, "dihedral angles")
    facts = json.loads(report.read_text())
    quality = facts["quality"]
    check(abs(quality["volume"] - 1) < 0.05 and quality["inverted"] == 0, "the cube is filled", result)
    check(facts["surface"]["closed"] is True, "the report holds that of the surface", result)
    same = run("mesh-info", out, "--json")
    check(json.loads(same.stdout) == quality, "mesh-info tells the same of the file", same)

    old = out.read_bytes()
    expect(run("tetrahedralize", cube, "-o", out, "--resolution", 3), 2, error="exists already (--force replaces it)")
    check(out.read_bytes() == old, "a file that exists stays")
    result = run("tetrahedralize", cube, "-o", out, "--resolution", 3, "--force", "--quiet")
    expect(result, 0)
    check(result.stdout == "" and result.stderr == "", "--quiet prints nothing", result)
    check(out.read_bytes() != old, "--force replaces it")
    expect(run("tetrahedralize", cube, "-o", folder / "pair.ele", "--resolution", 3), 0)
    check((folder / "pair.node").exists(), ".node stands beside .ele")
    expect(run("mesh-info", folder / "pair.node"), 0, "tetrahedra")
    (folder / "pair.ele").unlink()
    expect(run("tetrahedralize", cube, "-o", folder / "pair.ele"), 2, error="pair.node: exists already")


def interrupt(folder):
    out = folder / "large.msh"
    process = subprocess.Popen([PROGRAM, "tetrahedralize", BUNNY, "-o", str(out), "--resolution", "200"],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    time.sleep(1)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=120)
    check(process.returncode == 1 and "stopped, nothing is written" in errors,
          f"Ctrl-C stops: exit {process.returncode}, {errors}")
    check(not out.exists() and not list(folder.glob("*.partial")), "Ctrl-C leaves no file")


with tempfile.TemporaryDirectory() as name:
    directory = pathlib.Path(name)
    (directory / "cube.obj").write_text(CUBE)
    info(directory)
    tetrahedralize(directory)
    interrupt(directory)
print("FAILED" if failures else "passed")
sys.exit(failures > 0)
