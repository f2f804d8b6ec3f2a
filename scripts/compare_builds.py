#!/usr/bin/env python3
"""Runs every config, shrunk to seconds, with two builds of the program and says where their numbers differ.

usage: compare_builds.py BEFORE AFTER [CONFIG...]      BEFORE, AFTER: programs (build/ansatz of two checkouts)
                                                      CONFIG: files below configs/ without ending (small/grokking); default: all
Numbers are those of metrics.json and history.csv (seconds, host, versions, the words of `conventions`, `description`, captions and
warnings, and keys that only one build writes left out) and all arrays below matrices/ and predictions/, to the byte; not a matrix that
one build saves whole and the other as its factors. Exits with 1 if a number differs.
A config whose data are missing is left out and named. Data sets are looked for as by the program (ANSATZ_DATA).
"""
import csv
import io
import json
import os
import random
import re
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NOT_COMPARED = {"timings", "environment", "config", "conventions", "description", "caption", "warnings", "seconds", "kernel_seconds", "solve_seconds",
                "data_digest"}

NETWORK = "network: {hidden_layers: [24, 24], epochs: 3, evaluate_every: 1}\n"
IMAGES = "dataset: {train_size: 240, test_size: 100}\n" + NETWORK
FACES = "dataset: {image_height: 12, image_width: 12, train_limit: 160}\n" + NETWORK
TARGET = "dataset: {train_size: 120, test_size: 80}\nnetwork: {hidden_layers: [24], epochs: 6, evaluate_every: 2}\n"
DEPTHS = "repeats: 2\ndepth_amplification: {depths: [1, 2]}\ndataset: {train_size: 120, validation_size: 60, test_size: 80}\n" \
         "network: {hidden_layers: [24], epochs: 4, evaluate_every: 2}\n"
LAYERS = "network: {hidden_layers: [16, 16, 16], optimizer: {name: %s}, epochs: 3, gradient_samples: 50, snapshots: 3}"
LAYERS_PARTS = "dataset: {train_size: 200, test_size: 80}\nparts:\n" + "".join(
    f"  - {{name: {name}, {LAYERS % optimizer}}}\n" for name, optimizer in
    [("sgd", "sgd, learning_rate: 0.1"), ("adam", "adam, learning_rate: 1.0e-3")])

# What takes a config, by the end of its name, to seconds. An empty list of expected findings: parts are left out here.
SHRUNK = {
    "quickstart": IMAGES, "mnist": IMAGES, "cifar10": IMAGES, "byo": NETWORK, "tabular": NETWORK,
    "large_kernel": "dataset: {validation_size: 40}\n",
    "large_tree": "dataset: {validation_size: 40}\nrfm_tree: {leaf_size: 60, split_rows: 100}\n",
    "low_rank_gaussian_x1x2": TARGET, "low_rank_he": TARGET, "low_rank_x1x2": TARGET,
    "low_rank_piecewise": TARGET.replace("test_size", "validation_size: 60, test_size"),
    "celeba_features": "celeba_features: {attributes: [Eyeglasses, Smiling], control: [Eyeglasses, Smiling]}\n" + FACES,
    "lottery_tickets": "lottery_tickets: {attributes: [Eyeglasses, Smiling]}\ndataset: {image_height: 12, image_width: 12, train_limit: 160}\n",
    "spurious_features": FACES.replace("12", "32"),
    "depth_amplification": DEPTHS, "depth_amplification_x1x2": DEPTHS,
    "depth_amplification_digits": DEPTHS.replace("validation_size: 60, ", ""),
    "depth_amplification_svhn": DEPTHS.replace("validation_size: 60, ", ""),
    "grokking": "dataset: {class_sizes: [60, 15], test_size: 60}\nparts: [{name: star}]\n" + NETWORK,
    "simplicity_bias": IMAGES, "svhn": IMAGES, "nfa_over_training": LAYERS_PARTS,
    "low_rank": "parts:\n"
                "  - {name: x1x2, dataset: {name: low_rank, target: x1x2, dimension: 8, train_size: 120, test_size: 80},\n"
                "     network: {hidden_layers: [24], epochs: 4}}\n"
                "  - {name: piecewise, dataset: {name: low_rank, target: piecewise, dimension: 8, train_size: 120, test_size: 80},\n"
                "     network: {hidden_layers: [24], epochs: 4}}\n",
    "width_sweep": "repeats: 1\nsweep: {network.hidden_layers: [[8], [16]]}\n" + TARGET,
    "theory": "theory: {points: 200, trials: 2, widths: [16, 32, 64], samples: 5, steps: 3,\n"
              "         sample_complexity: {sizes: [50, 100], dimensions: [4, 8], repeats: 2}}\n",
}


def shrink(config):
    """The shrinking of a config, that of its namesake where it has none (svhn_authors: svhn)."""
    name = config.name
    text = SHRUNK.get(name) or SHRUNK.get(name.removesuffix("_authors"), "")
    return text + ("findings: {differs: shrunk, expected: []}\n" if len(config.parts) > 1 and name != "width_sweep" else "")


def write_npy(path, kind, shape, values):
    header = str({"descr": "<" + kind, "fortran_order": False, "shape": shape})
    header += " " * (-(len(header) + 11) % 64) + "\n"
    data = struct.pack(f"<{len(values)}{'f' if kind == 'f4' else 'q'}", *values)
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + data)


def write_data(folder):
    """The arrays of byo.yaml, large_kernel.yaml and large_tree.yaml, the table of tabular.yaml."""
    draw = random.Random(0)
    for part, rows in [("train", 200), ("test", 80)]:
        x = [draw.random() for _ in range(rows * 784)]
        write_npy(folder / f"{part}_inputs.npy", "f4", (rows, 784), x)
        write_npy(folder / f"{part}_targets.npy", "i8", (rows,), [int(4 * x[i * 784]) for i in range(rows)])
    with open(folder / "table.csv", "w", newline="") as file:
        table = csv.writer(file)
        table.writerow(["age", "height", "town", "colour", "label"])
        for _ in range(200):
            age, town = draw.randrange(20, 80), draw.choice(["north", "south", "east"])
            table.writerow([age, draw.gauss(1.7, 0.1), town, draw.choice(["red", "blue"]), "yes" if age > 50 or town == "east" else "no"])


def flatten(value, prefix=""):
    if isinstance(value, dict):
        for key, entry in value.items():
            if key not in NOT_COMPARED and not key.endswith("seconds"):
                yield from flatten(entry, f"{prefix}.{key}")
    elif isinstance(value, list):
        for i, entry in enumerate(value):
            yield from flatten(entry, f"{prefix}[{i}]")
    else:
        yield prefix, value


def history(path):
    rows = list(csv.reader(io.StringIO(path.read_text())))
    kept = [i for i, name in enumerate(rows[0]) if name != "seconds"]
    return {rows[0][i]: [row[i] for row in rows[1:]] for i in kept}


def matrix(path):
    """The name without what says in which form the matrix is saved."""
    return re.sub(r"(\.[FC])?\.npy$", "", str(path))


def differences(before, after):
    """What differs between two run directories, one line each."""
    found = []
    names = lambda run: {p.relative_to(run) for p in run.rglob("*") if p.is_file()}
    compared = lambda p: p.suffix == ".npy" or p.name in ("metrics.json", "history.csv")
    both = sorted(p for p in names(before) & names(after) if compared(p))
    known = {matrix(p) for p in names(before)} & {matrix(p) for p in names(after)}
    found += [f"only one build writes {p}" for p in sorted(names(before) ^ names(after)) if compared(p) and matrix(p) not in known]
    for path in both:
        if path.name == "metrics.json":
            a, b = (dict(flatten(json.loads((run / path).read_text()))) for run in (before, after))
            keys = [key for key in a if key in b and a[key] != b[key]]
            found += [f"{path}{key}: {a[key]} became {b[key]}" for key in keys[:5]]
            found += [f"{path}{key} is gone" for key in [key for key in a if key not in b][:5]]
        elif path.name == "history.csv":
            a, b = history(before / path), history(after / path)
            found += [f"{path}: {name} differs" for name in a if name in b and a[name] != b[name]]
            found += [f"{path}: {name} is gone" for name in a if name not in b]
        elif (before / path).read_bytes() != (after / path).read_bytes():
            found.append(f"{path} differs")
    return found


def run(program, config, out):
    command = [program, "sweep" if "\nsweep:" in config.read_text() else "run", config, "--out", out, "--quiet", "--threads", "1", "--set", "report=false"]
    return subprocess.run([str(part) for part in command], capture_output=True, text=True, cwd=config.parent)


def compare(programs, config, folder):
    """None where data are missing, otherwise the differences."""
    shrunk = folder / f"{'-'.join(config.parts)}.yaml"
    shrunk.write_text(f"include: {ROOT / 'configs' / config}.yaml\n" + shrink(config))
    runs = []
    for name, program in zip(("before", "after"), programs):
        out = folder / name / config
        result = run(program, shrunk, out)
        if result.returncode == 3 and "--out" not in result.stderr and not out.exists():
            return None
        if result.returncode != 0:
            return [f"the build {name} ends with {result.returncode}: {result.stderr.strip()}"]
        runs.append(out)
    return differences(*runs)


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    programs = [Path(a).resolve() for a in sys.argv[1:3]]
    configs = [Path(a) for a in sys.argv[3:]] or [p.relative_to(ROOT / "configs").with_suffix("")
                                                 for p in sorted((ROOT / "configs").rglob("*.yaml")) if p.parent.name != "targets"]
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    failed = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_data(folder)
        for config in configs:
            found = compare(programs, config, folder)
            failed += bool(found)
            print(f"{config}: " + ("left out, its data are missing" if found is None else "equal" if not found else "DIFFERS"), flush=True)
            for line in found or []:
                print(f"  {line}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
