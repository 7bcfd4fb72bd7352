"""The program pliant from outside: results, exit codes, files, signals. Usage: commands.py PLIANT"""
import csv
import json
import os
import pathlib
import re
import signal
import shutil
import subprocess
import sys
import tempfile
import time

PLIANT = str(pathlib.Path(sys.argv[1]).resolve())
failures = []


def run(*arguments, cwd=None):
    return subprocess.run([PLIANT, *arguments], capture_output=True, text=True, cwd=cwd, timeout=120)


def check(condition, what, result=None):
    if condition:
        return
    failures.append(what)
    print("FAILED:", what)
    if result is not None:
        print("  code", result.returncode, "\n  stdout:", result.stdout, "\n  stderr:", result.stderr)


def expect_error(code, text, *arguments, cwd=None):
    result = run(*arguments, cwd=cwd)
    check(result.returncode == code and text in result.stderr, f"{' '.join(arguments)}: {text}", result)
    check("Traceback" not in result.stderr and result.stdout == "", f"{' '.join(arguments)}: silent stdout", result)


def scene(directory, text, name="s.json"):
    (directory / name).write_text(text)
    return name


FALLING = '{"about": "x", "bodies": [{"name": "p", "particles": {"points": [[0, 1, 0]]}}]%s}'


def test_softer_than_asked(work):
    """A body that is much softer than its material says, because it has no level, is warned of, with the substeps
    that carry it."""
    block = '{"bodies": [{"name": "block", "soft": {"box": {"cells": [8, 8, 8]}, "young_modulus": %s}}]}'
    check(run("check", scene(work, block % "1e5"), cwd=work).stderr == "", "a soft block is no matter")
    stiff = scene(work, block % "1e8")
    check(run("check", stiff, cwd=work).stderr == "", "its level carries a stiff one")
    alone = ("--set", "solver/levels=off")
    result = run("check", stiff, *alone, cwd=work)
    check(result.returncode == 0 and 'body "block" asks for 1e+08 Pa' in result.stderr, "without it, it is told", result)
    wanted = re.search(r"(\d+) substeps carry it", result.stderr)
    check(wanted, "how many substeps it wants", result)
    result = run("check", stiff, *alone, "--set", f"solver/substeps={wanted.group(1)}", cwd=work)
    check(result.stderr == "", "with so many it is carried", result)


def test_help(work):
    for command in ("run", "check", "scenes", "schema", "plot", "render", "info", "validate"):
        result = run(command, "--help")
        check(result.returncode == 0 and "Example: pliant" in result.stdout, f"{command} --help", result)
        check(command in run("--help").stdout, f"--help names {command}")


def test_bad_input(work):
    expect_error(2, 'there is no command "rnu"; did you mean "run"?', "rnu")
    expect_error(2, 'did you mean "jelly"?', "run", "jely")
    expect_error(2, "--frames: must be at least 1, got 0", "run", "jelly", "--frames", "0")
    expect_error(2, "--frames: must be at least 1, got -5", "run", "jelly", "--frames=-5")
    expect_error(2, "--frames", "run", "jelly", "--frames", "many")
    expect_error(2, '/solver/method: must be "xpbd" or "pbd", got "implicit"', "run", "jelly", "--solver", "implicit")
    expect_error(2, 'did you mean "substeps"?', "run", "jelly", "--set", "solver/substep=3")
    expect_error(2, "/solver/substeps: must be a whole number", "run", "jelly", "--set", "solver/substeps=x")
    expect_error(2, "with --set: /solver/substeps", "run", "jelly", "--set", "solver/substeps=x")
    expect_error(2, "--set frames: must be a path and a value", "run", "jelly", "--set", "frames")
    expect_error(2, "threads", "run", "jelly", "--threads", "-1")
    expect_error(2, "--nonsense", "run", "jelly", "--nonsense")
    expect_error(2, "SCENE", "run")
    expect_error(2, "no_such.csv", "plot", "no_such.csv")
    expect_error(2, "of c<N>, N must be in 3 … 4096", "run", "c2")
    expect_error(2, "so set all of it", "run", "jelly", "--set", "solver/gravity/1=-5")
    expect_error(2, "is larger than 256 MB", "check", "/dev/zero")
    name = scene(work, FALLING % ',\n  "compare": ["solver/iterationz=1,2"]')
    expect_error(2, 's.json:2:3: /compare: iterationz 1: /solver/iterationz: unknown key; did you mean "iterations"?',
                 "check", name, cwd=work)
    name = scene(work, '{\n  "bodeis": []\n}')
    expect_error(2, 's.json:2:3: /bodeis: unknown key; did you mean "bodies"?', "check", name, cwd=work)


def test_warnings(work):
    tall = scene(work, '{"bodies": [{"name": "tall", "soft": {"box": {"size": [1, 9, 1]}}}]}')
    result = run("check", tall, cwd=work)
    check(result.returncode == 0 and 'body "tall" is 9 m tall' in result.stderr, "a body that its weight crushes", result)
    stiff = run("check", tall, "--set", "bodies/0/soft/young_modulus=1e7", cwd=work)
    check(stiff.stderr == "", "a stiff one is not", stiff)
    result = run("check", "jelly", "--set", "solver/wind=[1, 0, 0]", cwd=work)
    check("solver/air_density is 0" in result.stderr, "wind without air", result)
    torn = scene(work, """{"bodies": [{"name": "cord", "rope": {"line": {"links": 20}}}], "attachments": [
        {"body": "cord", "indices": [0], "to_place": {}},
        {"body": "cord", "indices": [20], "to_place": {}, "motion": [{"time": 0}, {"time": 0.3, "offset": [5, 0, 0]}]}]}""")
    result = run("run", torn, "--frames", "30", cwd=work)
    check(result.returncode == 0 and 'body "cord" ends with a link' in result.stderr, "a rope that is pulled apart", result)
    held = run("run", "heavy_weights", "--frames", "30", cwd=work)
    check("ends with a link" not in held.stderr, "a rope that holds is not", held)
    points = scene(work, '{"bodies": [{"rope": {"points": [[0, 0, 0], [0, 0, 0], [1, 0, 0]]}}]}')
    expect_error(2, "/bodies/0/rope/points/1", "check", points, cwd=work)


def test_summary(work):
    result = run("run", "jelly", "--frames", "3", "--json", "--threads", "1", cwd=work)
    check(result.returncode == 0, "run jelly elsewhere", result)
    summary = json.loads(result.stdout)
    for key in ("frames", "particles", "constraints", "ms_per_frame", "energy", "volume_ratio", "inverted",
                "state_hash", "files"):
        check(key in summary, f"summary has {key}")
    check(summary["frames"] == 3 and summary["particles"] == 729, "summary counts", result)
    check(result.stderr == "", "nothing on stderr of a short run", result)
    again = json.loads(run("run", "jelly", "--frames", "3", "--json", "--threads", "2").stdout)
    check(again["state_hash"] == summary["state_hash"], "the same state at any number of threads")
    other = json.loads(run("run", "jelly", "--frames", "3", "--json", "--solver", "pbd").stdout)
    check(other["state_hash"] != summary["state_hash"], "--solver changes the run")
    (work / "jelly").mkdir()
    result = run("run", "--set", "/solver/substeps=3", "jelly", "--frames", "3", "--json", cwd=work)
    check(result.returncode == 0, "an option before the scene, and a directory of its name", result)
    check(json.loads(result.stdout)["state_hash"] != summary["state_hash"], "--set changes the run", result)
    with open("/dev/full", "w") as full:
        lost = subprocess.run([PLIANT, "run", "jelly", "--frames", "1"], stdout=full, stderr=subprocess.PIPE, text=True)
    check(lost.returncode == 1 and "standard output" in lost.stderr, "what cannot be said is an error", lost)
    words = run("run", "jelly", "--frames", "3")
    check(summary["state_hash"] in words.stdout and "\x1b" not in words.stdout + words.stderr, "plain words", words)
    cloth = run("run", "c10", "--frames", "2", "--json", "--set", "solver/substeps=3", cwd=work)
    check(cloth.returncode == 0 and json.loads(cloth.stdout)["particles"] == 100, "a benchmark's scene", cloth)
    expect_error(2, "only solver/", "run", "c10", "--set", "bodies/0/name=x", cwd=work)
    info = run("info", "--json")
    check("version" in json.loads(info.stdout), "info --json", info)


def test_scenes(work):
    listed = json.loads(run("scenes", "--json", cwd=work).stdout)
    check(len(listed) >= 12, "a dozen scenes")
    text = run("scenes").stdout
    for entry in listed:
        check(entry["about"] in text, f"scenes lists {entry['name']}")
        result = run("check", entry["name"], cwd=work)
        check(result.returncode == 0 and "fine" in result.stdout, f"check {entry['name']}", result)
    schema = json.loads(run("schema").stdout)
    try:
        import jsonschema
    except ImportError:
        return
    validator = jsonschema.Draft202012Validator(schema)
    validator.check_schema(schema)
    for entry in listed:
        lines = pathlib.Path(entry["file"]).read_text().splitlines()
        content = json.loads("\n".join(line.split("//")[0] for line in lines))
        errors = [error.message for error in validator.iter_errors(content)]
        check(errors == [], f"schema accepts {entry['name']}: {errors}")
        content["solver"] = {"substeps": 0}
        check(not validator.is_valid(content), "schema refuses substeps 0")


def test_expectations(work):
    good = scene(work, FALLING % ', "frames": 5, "expect": [{"height": {"body": "p", "high": 1}}]', "good.json")
    result = run("check", good, "--run", cwd=work)
    check(result.returncode == 0 and "1 expectations held in 5 frames" in result.stdout, "check --run", result)
    bad = scene(work, FALLING % ', "frames": 5, "expect": [{"height": {"body": "p", "low": 1}}]', "bad.json")
    result = run("check", bad, "--run", cwd=work)
    check(result.returncode == 1 and "/expect/0: height is" in result.stdout, "a failed expectation", result)
    result = run("check", bad, "--run", "--json", cwd=work)
    check(len(json.loads(result.stdout)["failures"]) == 1, "check --json", result)


def test_outputs(work):
    result = run("run", "jelly", "--frames", "4", "--out", "meshes", "--stats", "s.csv", "--json", cwd=work)
    check(result.returncode == 0, "run with outputs", result)
    files = json.loads(result.stdout)["files"]
    check(len(files) == 6 and all((work / file).is_file() for file in files), "a mesh a frame, and statistics", result)
    check(len((work / "s.csv").read_text().splitlines()) == 5, "a row a frame")
    expect_error(2, "meshes: is there already; --force writes over it", "run", "jelly", "--frames", "1", "--out", "meshes", cwd=work)
    expect_error(2, "s.csv: is there already", "run", "jelly", "--frames", "1", "--stats", "s.csv", cwd=work)
    result = run("run", "jelly", "--frames", "2", "--out", "meshes", "--stats", "s.csv", "--force", cwd=work)
    check(result.returncode == 0, "--force", result)
    check(len(list((work / "meshes").iterdir())) == 3, "files of the longer run are gone")
    expect_error(2, "format", "run", "jelly", "--frames", "1", "--out", "other", "--format", "max", cwd=work)
    result = run("run", "tower_of_boxes", "--frames", "20", "--contacts", "c.csv", cwd=work)
    check(result.returncode == 0 and "wrote c.csv" in result.stdout, "run with contacts", result)
    rows = list(csv.DictReader((work / "c.csv").open()))
    on_floor = [float(row["impulse_y_Ns"]) for row in rows if row["other"] == "collider 0"]
    check({row["phase"] for row in rows} >= {"began", "lasted"}, "phases of contacts")
    check(on_floor and all(push >= 0 for push in on_floor) and max(on_floor) > 0, "the floor pushes up")
    expect_error(2, "c.csv: is there already", "run", "jelly", "--frames", "1", "--contacts", "c.csv", cwd=work)
    expect_error(2, "--out a --format usda", "run", "jelly", "--frames", "1", "--out", "a.usda", cwd=work)
    expect_error(2, "at most 600 frames after the first, got 601", "run", "jelly", "--frames", "601", "--out", "other",
                 "--format", "glb", cwd=work)
    result = run("demo", "press", "--replay", "--frames", "100", "--out", "press.html", cwd=work)
    pane = page_model(work / "press.html")["panes"][0]
    poses = pane["colliders"][0]["poses"]
    check(len(poses) == 101 and poses[0]["center"][1] == 1.2 and poses[100]["center"][1] < 1.1, "the slab moves", result)
    check(abs(pane["items"][0]["color"][1] - 0.7) < 1e-6, "the ball has its colour", result)
    result = run("demo", "substeps", "--replay", "--frames", "2", "--out", "substeps.html", cwd=work)
    model = page_model(work / "substeps.html")
    check((model["columns"], model["rows"], len(model["panes"])) == (3, 2, 6), "runs side by side", result)
    check(model["panes"][4]["label"] == "method xpbd, substeps 5" and model["camera"]["eye"] == [0.7, 1.2, 3.1],
          "labels and the scene's camera", result)
    result = run("demo", "rope_bridge", "--replay", "--frames", "1", "--out", "bridge.html", cwd=work)
    tubes = [item for item in page_model(work / "bridge.html")["panes"][0]["items"] if item["kind"] == "tubes"]
    check([round(tube["radius"], 6) for tube in tubes] == [0.02, 0.02], "ropes are as thick as they are", result)
    expect_error(2, "there is no directory nowhere", "run", "jelly", "--stats", "nowhere/s.csv", cwd=work)
    expect_error(2, "meshes: is a directory", "run", "jelly", "--stats", "meshes", "--force", cwd=work)
    check(not (work / "other").exists(), "nothing was begun")
    for format in ("ply", "usda", "vtu", "pc2", "glb"):
        result = run("run", "jelly", "--frames", "2", "--out", format, "--format", format, cwd=work)
        check(result.returncode == 0 and any((work / format).iterdir()), f"--format {format}", result)
    result = run("plot", "s.csv", cwd=work)
    check(result.returncode == 0 and (work / "s.svg").read_text().startswith("<"), "plot", result)
    expect_error(2, "s.svg: is there already", "plot", "s.csv", cwd=work)
    expect_error(2, "must be called .svg or .png", "plot", "jelly", "-o", "s.jpg", cwd=work)
    expect_error(2, "there is no directory nowhere", "plot", "jelly", "-o", "nowhere/s.svg", cwd=work)
    (work / "file").write_text("")
    result = run("run", "jelly", "--frames", "1", "--out", "file/inside", cwd=work)
    check(result.returncode in (1, 2) and "file" in result.stderr, "a directory that cannot be made", result)
    if os.geteuid() != 0:
        (work / "locked").mkdir(mode=0o500)
        result = run("run", "jelly", "--frames", "1", "--out", "locked/inside", cwd=work)
        check(result.returncode in (1, 2) and "locked" in result.stderr, "a directory without permission", result)


def count_pictures(film):
    probe = subprocess.run(["ffprobe", "-v", "error", "-count_frames", "-select_streams", "v", "-show_entries",
                            "stream=nb_read_frames", "-of", "csv=p=0", str(film)], capture_output=True, text=True)
    return int(probe.stdout.strip() or -1)


def page_model(page):
    text = page.read_text()
    return json.loads(text.split('id="model">')[1].split("</script>")[0])


def test_pictures(work):
    result = run("render", "jelly", "--frames", "1", "-o", "jelly.png", "--size", "64x48", cwd=work)
    if result.returncode == 1 and ("OpenGL" in result.stderr or "EGL" in result.stderr):
        return  # a machine without a driver
    check(result.returncode == 0, "render", result)
    png = (work / "jelly.png").read_bytes()
    check(png[1:4] == b"PNG" and png[16:24] == bytes([0, 0, 0, 64, 0, 0, 0, 48]), "a PNG of the size asked for")
    expect_error(2, "jelly.png: is there already", "render", "jelly", "--out", "jelly.png", cwd=work)
    expect_error(2, "--show: must be bodies, strain, speed or contacts", "render", "jelly", "--out", "a.png", "--show", "x", cwd=work)
    expect_error(2, "--size: must be WIDTHxHEIGHT", "render", "jelly", "-o", "a.png", "--size", "640", cwd=work)
    result = run("render", "iterations", "--frames", "2", "-o", "six.png", "--size", "240x120", "--json", cwd=work)
    files = json.loads(result.stdout)["files"] if result.returncode == 0 else []
    check([pathlib.Path(f).name for f in files] == ["six_0001.png", "six_0002.png"], "runs side by side", result)
    forced = run("render", "iterations", "--frames", "2", "-o", "pbd.png", "--size", "240x120", "--solver", "pbd", cwd=work)
    check(forced.returncode == 0, "--solver beside a comparison", forced)
    check((work / "pbd_0002.png").read_bytes() == (work / "six_0002.png").read_bytes(), "what is compared comes first")
    expect_error(2, "six_0001.png: is there already", "render", "jelly", "--frames", "3", "-o", "six.png", cwd=work)
    result = run("render", "jelly", "--frames", "1", "-o", "six.PNG", "--size", "64X48", "--force", cwd=work)
    check(result.returncode == 0 and (work / "six.PNG").exists(), "capital letters", result)
    result = run("render", "jelly", "--frames", "3", "-o", "six.png", "--size", "64x48", "--force", cwd=work)
    result = run("render", "jelly", "--frames", "2", "-o", "six.png", "--size", "64x48", "--force", cwd=work)
    check(len(list(work.glob("six_*.png"))) == 2, "pictures of the longer film are gone", result)
    if shutil.which("ffmpeg") and shutil.which("ffprobe"):
        for options, pictures in (([], 70), (["--fps", "60"], 70), (["--fps", "20"], 23)):
            result = run("render", "c10", "--frames", "70", "-o", "c10.gif", "--size", "64x48", "--force", *options, cwd=work)
            check(result.returncode == 0 and count_pictures(work / "c10.gif") == pictures,
                  f"a GIF with {options} has {pictures} pictures", result)
        result = run("render", "cube_spins", "--frames", "600", "-o", "spins.gif", "--size", "48x32", cwd=work)
        check(result.returncode == 0 and count_pictures(work / "spins.gif") == 600, "600 frames, 600 pictures", result)
    expect_error(2, "no picture is due", "render", "jelly", "--frames", "10", "--fps", "0.5", "-o", "none.png", cwd=work)
    expect_error(2, "--fps: must be above 0", "render", "jelly", "--fps", "0", "-o", "none.png", cwd=work)
    expect_error(2, "an even width and height", "render", "jelly", "-o", "none.mp4", "--size", "333x217", cwd=work)
    check(not list(work.glob("none*")), "nothing is left")
    expect_error(2, "--compare: /compare/0: must be a path and values", "render", "jelly", "-o", "a.png",
                 "--compare", "solver/iterations", cwd=work)
    expect_error(2, "--compare: the time_step must be as in the scene", "render", "jelly", "-o", "a.png",
                 "--compare", "solver/time_step=0.01,0.02", cwd=work)
    expect_error(2, "/solver/iterations: must be", "render", "jelly", "-o", "a.png", "--compare",
                 "solver/iterations=1,none", cwd=work)
    expect_error(2, ".doc", "render", "jelly", "--out", "a.doc", "--frames", "1", cwd=work)


def test_demo(work):
    result = run("demo", "c10", "--replay", "--frames", "20", "--out", "c10.html", cwd=work)
    check(result.returncode == 0 and "100\n" in result.stdout and "21 frames in c10.html" in result.stdout, "demo", result)
    check("</html>" in (work / "c10.html").read_text(), "the page is whole")
    expect_error(2, "c10.html: is there already", "demo", "c10", "--out", "c10.html", cwd=work)
    expect_error(2, "there is no directory nowhere", "demo", "--out", "nowhere/demo.html", cwd=work)


def test_validate(work):
    words = run("validate", "--only", "fall", "--energy", "arap", "--energy", "springs", cwd=work)
    check(words.returncode == 0 and words.stdout.startswith("fall: time to the floor (s), √(2H/g)\n"), "validate", words)
    check("pass\n" in words.stdout and "MISS" not in words.stdout and "2 rows: 2 pass, 0 miss" in words.stdout,
          "a row for each energy, and a summary", words)
    result = run("validate", "--only", "fall", "--energy", "stvk", "--json", "--html", "fall.html", "--substeps", "5", cwd=work)
    summary = json.loads(result.stdout)
    row = summary["rows"][0]
    check((len(summary["rows"]), summary["passed"], summary["missed"], summary["interrupted"], summary["files"]) ==
          (1, 1, 0, False, ["fall.html"]), "validate --json", result)
    check((row["case"], row["energy"], row["substeps"], row["across"], row["pass"]) == ("fall", "stvk", 5, 4, True),
          "a row says what it is of", result)
    check(abs(row["expected"] - (2 / 9.81) ** 0.5) < 1e-9 and abs(row["measured"] / row["expected"] - 1) == row["error"]
          and row["error"] <= row["allowed"], "expected, measured, error, allowed", result)
    page = (work / "fall.html").read_text()
    check(page.startswith("<!DOCTYPE html>") and page.endswith("</html>\n") and page.count("<svg") == 1 and
          "theory</text>" in page and 'class="pass">pass<' in page and "http" not in page.replace("http://www.w3.org", ""),
          "a page with figures that needs no other file")
    few = run("validate", "--only", "bounce", "--energy", "arap", "--quick", "--substeps", "1", "--html", "few.html", cwd=work)
    check(few.returncode == 1 and "MISS\n" in few.stdout, "one substep is too few: code 1", few)
    check('class="miss">MISS<' in (work / "few.html").read_text(), "the page says so")
    expect_error(2, '--only: there is no "cantilver"; did you mean "cantilever"?', "validate", "--only", "cantilver")
    expect_error(2, '--energy: there is no "stvc"; did you mean "stvk"?', "validate", "--energy", "stvc")
    expect_error(2, "--energy: there is no \"dirichlet\"", "validate", "--energy", "dirichlet")
    expect_error(2, "--substeps: must be at least 1, got 0", "validate", "--substeps", "0")
    expect_error(2, "no row has all that is asked for", "validate", "--only", "stretch", "--energy", "springs")
    expect_error(2, "fall.html: is there already", "validate", "--html", "fall.html", cwd=work)
    expect_error(2, "there is no directory nowhere", "validate", "--html", "nowhere/a.html", cwd=work)
    process = subprocess.Popen([PLIANT, "validate", "--only", "cantilever", "--substeps", "100000", "--html", "i.html"],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=work)
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    check(process.returncode == 130 and "0 rows" in out, f"validate interrupted: {process.returncode} {out} {err}")


def test_interrupt(work):
    process = subprocess.Popen([PLIANT, "run", "jelly", "--frames", "1000000", "--out", "meshes", "--json"],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=work)
    deadline = time.time() + 60
    while time.time() < deadline and len(list(work.glob("meshes/*.obj"))) < 5:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    check(process.returncode == 130, f"interrupted: code {process.returncode} {err}")
    summary = json.loads(out)
    files = list(work.glob("meshes/*.obj"))
    check(summary["interrupted"] and len(files) == summary["frames"] + 1, "finished frames are kept")
    sizes = {file.read_text().count("\nv ") for file in files}
    check(len(sizes) == 1 and not list(work.glob("meshes/*.partial*")), "every kept file is whole")


def test_interrupt_of_a_long_frame(work):
    """Frames become endless after the tenth: Ctrl-C ends the one it is in, and keeps those before."""
    text = """{"bodies": [{"name": "b", "soft": {"box": {"size": [1, 1, 1], "cells": [8, 8, 8]}}}],
      "events": [{"time": 0.17, "solver": {"substeps": 100000, "iterations": 100000}}]}"""
    name = scene(work, text, "endless.json")
    process = subprocess.Popen([PLIANT, "run", name, "--out", "meshes", "--stats", "s.csv", "--json"],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=work)
    deadline = time.time() + 60
    while time.time() < deadline and len(list(work.glob("meshes/*.obj"))) < 11:
        time.sleep(0.05)
    time.sleep(0.3)
    check(process.poll() is None, "the frame is endless")
    sent = time.time()
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    check(time.time() - sent < 1, f"ended after {time.time() - sent:.2f} s")
    check(process.returncode == 130, f"interrupted in a frame: code {process.returncode} {err}")
    summary = json.loads(out)
    files = list(work.glob("meshes/*.obj"))
    check(summary["interrupted"] and summary["frames"] == 10 and len(files) == 11, f"ten frames are kept: {summary}")
    check(len((work / "s.csv").read_text().splitlines()) == 11, "a row for each finished frame")


for name, test in list(globals().items()):
    if name.startswith("test_"):
        with tempfile.TemporaryDirectory() as directory:
            test(pathlib.Path(directory))
print(f"{len(failures)} failures")
sys.exit(1 if failures else 0)
