"""The rows of pliant validate hold, but for known misses; those neither get worse nor pass unnoticed.

Usage: validate.py PLIANT [--all] [--write]
  --all    every row; else the quick ones
  --write  instead of checking, writes known_misses.json anew (with --all: it holds the misses of every row)
"""
import json
import pathlib
import subprocess
import sys

KNOWN = pathlib.Path(__file__).resolve().parent / "known_misses.json"
WORSE = 1.02  # results are the same bits everywhere, but for the compiler's sine

pliant, options = sys.argv[1], sys.argv[2:]
quick = [] if "--all" in options else ["--quick"]
result = subprocess.run([pliant, "validate", "--json", "--quiet", *quick], capture_output=True, encoding="utf-8")
if result.returncode not in (0, 1) or result.stderr:
    sys.exit(f"validate ended with {result.returncode}: {result.stderr}")
rows = json.loads(result.stdout)["rows"]
for row in rows:
    row["error"] = float("inf") if row["error"] is None else row["error"]  # JSON has no such number
# Of a body that has burst the error says nothing: null.
misses = {row["id"]: None if row["inverted"] else row["error"] for row in rows if not row["pass"]}

if "--write" in options:
    KNOWN.write_text(json.dumps({name: error and float(f"{error:.4g}") for name, error in misses.items()}, indent=1,
                                ensure_ascii=False) + "\n", encoding="utf-8")
    sys.exit()

known = json.loads(KNOWN.read_text(encoding="utf-8"))
complaints = [] if len({row["id"] for row in rows}) == len(rows) else ["two rows have one name"]
for row in rows:
    name, error = row["id"], row["error"]
    if name not in known:
        if not row["pass"]:
            complaints.append(f"{name}: misses, error {error:.4g}, allowed {row['allowed']:.4g}")
    elif row["pass"]:
        complaints.append(f"{name}: passes now; take it off {KNOWN.name} (--all --write)")
    elif known[name] is not None and (row["inverted"] or not error <= WORSE * known[name]):
        complaints.append(f"{name}: error {error:.4g}, {row['inverted']} inverted, was {known[name]:.4g}")
if not quick:
    names = {row["id"] for row in rows}
    complaints += [f"{name}: there is no such row" for name in known if name not in names]
print("\n".join(complaints) or f"{len(rows)} rows, {len(misses)} of them known misses")
sys.exit(1 if complaints or not rows else 0)
