"""`ansatz predict` gives the outputs that the run itself has saved for the same rows, and so does NumPy from the file.

python3 predict_again.py PROGRAM OUTPUTS_MD (numpy; exit status 77 without it). The recipe is taken out of docs/outputs.md.
"""
import csv
import re
import subprocess
import sys
import tempfile
from pathlib import Path

try:
    import numpy as np
except ImportError:
    sys.exit(77)

PROGRAM, DOCUMENT = sys.argv[1:3]
FAILURES = []


def check(right, what):
    if not right:
        FAILURES.append(what)
        print("wrong:", what)


def ansatz(folder, *arguments, status=0, says=()):
    done = subprocess.run([PROGRAM, *arguments], cwd=folder, capture_output=True, text=True)
    words = " ".join(arguments)
    check(done.returncode == status, f"{words}: exit status {done.returncode}, not {status}: {done.stderr}")
    for text in says:
        check(text in done.stderr, f"{words}: says '{done.stderr.strip()}' instead of '{text}'")


def run(folder, name, text):
    (folder / f"{name}.yaml").write_text(text + "save: {images: false}\nreport: false\n")
    ansatz(folder, "run", f"{name}.yaml", "--quiet")


def same_as_saved(folder, name, model, inputs):
    ansatz(folder, "predict", f"runs/{name}", "--model", model, "--inputs", inputs, "--out", "got.npy")
    got, want = np.load(folder / "got.npy"), np.load(folder / f"runs/{name}/predictions/{model}.test.npy")
    check(got.dtype == want.dtype and got.shape == want.shape and (got == want).all(),
          f"{name}, {model}, {inputs}: differs by {np.abs(got - want).max() if got.shape == want.shape else got.shape}")


MACHINES = """kernel_machines:
  - {label: laplace, kernel: laplace, bandwidth: 3, bandwidth_mode: adaptive, ridge: 0.01}
  - {label: gauss, kernel: gaussian, bandwidth: 3, ridge: 0.01, metric: rfm}
  - {label: general, kernel: generalized_laplace, bandwidth: 3, exponent: 0.7, ridge: 0.01}
  - {label: m32, kernel: matern32, bandwidth: 3, ridge: 0.01}
  - {label: m52, kernel: matern52, bandwidth: 3, ridge: 0.01, metric: network}
  - {label: rq, kernel: rational_quadratic, bandwidth: 3, exponent: 2, ridge: 0.01}
  - {label: lpq, kernel: lpq_laplace, bandwidth: 3, norm: 1.5, exponent: 1.2, ridge: 0.01, metric: rfm}
  - {label: product, kernel: product_laplace, bandwidth: 9, ridge: 0.01}
  - {label: nngp, kernel: nngp, depth: 2, ridge: 0.01, metric: rfm}
  - {label: ntk, kernel: ntk, depth: 3, ridge: 0.01}
  - {label: poly, kernel: polynomial, degree: 3, scale: 0.1, ridge: 0.01}
"""
LABELS = re.findall(r"label: (\w+)", MACHINES)
ALL_KERNELS = ("standardize", "full")
NETWORK = "network: {hidden_layers: [16, 8], epochs: 3, batch_size: 16, activation: tanh, bias: true}\n"


def arrays(folder, rng):
    for name, (n, d) in {"x": (60, 4), "t": (25, 4), "wide": (30, 50), "twide": (11, 50)}.items():
        np.save(folder / f"{name}.npy", rng.normal(3, 5, size=(n, d)))
    for name, x in {"y": "x", "ty": "t", "ywide": "wide", "tywide": "twide"}.items():
        values = np.load(folder / f"{x}.npy")
        np.save(folder / f"{name}.npy", np.stack([values[:, 0] * values[:, 1], np.abs(values[:, 2])], axis=1))

    def data(train, targets, test, test_targets, more=""):
        return (f"dataset: {{name: arrays, train_inputs: {train}.npy, train_targets: {targets}.npy, test_inputs: "
                f"{test}.npy, test_targets: {test_targets}.npy{more}}}\n")

    for precision in ("float32", "float64"):
        for normalize in ("none", "unit_norm", "standardize", "min_max"):
            for matrix in ("full", "diagonal"):
                name = f"{precision}_{normalize}_{matrix}"
                run(folder, name, f"experiment: feature_comparison\nprecision: {precision}\n"
                    + data("x", "y", "t", "ty", f", normalize: {normalize}") + NETWORK
                    + f"rfm: {{kernel: laplace, bandwidth: 5, iterations: 2, feature_matrix: {matrix}}}\n"
                    + (MACHINES if (normalize, matrix) == ALL_KERNELS else ""))
                for model in ["network", "rfm"] + (LABELS if (normalize, matrix) == ALL_KERNELS else []):
                    same_as_saved(folder, name, model, "t.npy")
    # d > n: M lies over the centres; iteration 0: M is the identity.
    for name, rfm in {"sample_space": "iterations: 2, report_iteration: last, gradient_form: sample_space",
                      "identity": "iterations: 0"}.items():
        run(folder, name, "experiment: feature_comparison\n" + data("wide", "ywide", "twide", "tywide")
            + f"rfm: {{kernel: laplace, bandwidth: 30, {rfm}}}\n")
        same_as_saved(folder, name, "rfm", "twide.npy")
    says = (Path(folder) / "runs/sample_space/models/rfm.safetensors").read_bytes()
    check(b"factors over centers" in says, "sample_space: M should lie over the centres")


def table(folder, rng):
    colors, rows = ["red", "green", "blue, dark"], []
    for i in range(90):
        a, b = rng.normal(size=2)
        color = colors[int(rng.integers(3))]
        rows.append({"a": "" if i % 11 == 5 else f"{a:.6g}", "color": "NA" if i % 13 == 7 else color, "b": f"{b:.6g}",
                     "label": "up" if b + (color == "red") > 0.5 else "down", "y": f"{a * b + (color == 'red'):.6g}"})

    def write(name, these, names):
        with open(folder / name, "w", newline="") as out:
            writer = csv.DictWriter(out, names, extrasaction="ignore")
            writer.writeheader()
            writer.writerows(these)

    write("train.csv", rows[:60], ["a", "color", "b", "label", "y"])
    write("test.csv", rows[60:], ["a", "color", "b", "label", "y"])
    write("new.csv", rows[60:], ["b", "color", "a"])
    for name, keys in {"classes": "target: label, ignore_columns: [y], task: classification",
                       "codes": "target: label, ignore_columns: [y], task: classification, class_coding: prevalence",
                       "numbers": "target: y, ignore_columns: [label]"}.items():
        run(folder, name, "experiment: feature_comparison\n"
            f"dataset: {{name: csv, path: train.csv, test_path: test.csv, missing: mean, normalize: standardize, {keys}}}\n"
            + NETWORK + "rfm: {kernel: laplace, bandwidth: 3, iterations: 1, feature_matrix: blocks}\n")
        for model in ("rfm", "network"):
            for inputs in ("test.csv", "new.csv"):
                same_as_saved(folder, name, model, inputs)
        ansatz(folder, "predict", f"runs/{name}", "--model", "rfm", "--inputs", "new.csv", "--out", "got.csv")
        saved = np.load(folder / f"runs/{name}/predictions/rfm.test.npy")
        with open(folder / "got.csv", newline="") as got:
            lines = list(csv.reader(got))
        header = {"classes": ["class", "down", "up"], "codes": ["class", "output 0"], "numbers": ["y"]}[name]
        check(lines[0] == header, f"{name}: the header is {lines[0]}")
        first = 1 if name != "numbers" else 0
        written = np.array([line[first:] for line in lines[1:]], dtype=np.float32)
        check((written == saved).all(), f"{name}: other outputs as text")
        if name == "classes":
            check([line[0] for line in lines[1:]] == [["down", "up"][k] for k in saved.argmax(axis=1)], "classes by name")
    ask = ["predict", "runs/classes", "--model"]
    inputs = ["--inputs", "new.csv", "--out", "got.npy"]
    ansatz(folder, *ask, "rmf", *inputs, status=2, says=["no model", "did you mean rfm?"])
    ansatz(folder, *ask, "rfm", "--inputs", "new.csv", "--out", "got.txt", status=2, says=[".npy or .csv"])
    (folder / "odd.csv").write_text("b,color,a\n1,purple,2\n")
    (folder / "few.csv").write_text("b,a\n1,2\n")
    ansatz(folder, *ask, "rfm", "--inputs", "odd.csv", "--out", "got.npy", status=3, says=["purple", "does not occur"])
    ansatz(folder, *ask, "rfm", "--inputs", "few.csv", "--out", "got.npy", status=3, says=['no column "color"'])
    ansatz(folder, *ask, "rfm", "--inputs", "none.csv", "--out", "got.npy", status=3)


def large(folder, rng):
    """Centres that are read again by the config."""
    np.save(folder / "big.npy", rng.normal(size=(2000, 4200)).astype(np.float32))
    np.save(folder / "ybig.npy", rng.normal(size=2000))
    np.save(folder / "tbig.npy", rng.normal(size=(20, 4200)).astype(np.float32))
    np.save(folder / "tybig.npy", rng.normal(size=20))
    run(folder, "big", "experiment: feature_comparison\nseed: 7\ndataset: {name: arrays, train_inputs: big.npy, train_targets: "
        "ybig.npy, test_inputs: tbig.npy, test_targets: tybig.npy, normalize: standardize, validation_fraction: 0}\n"
        "kernel_machines: [{label: k, kernel: laplace, bandwidth: 100, ridge: 1}]\n")
    check((folder / "runs/big/models/k.safetensors").stat().st_size < 1e6, "the centres should not be written")
    same_as_saved(folder, "big", "k", "tbig.npy")
    np.save(folder / "big.npy", np.load(folder / "big.npy") + 1)
    ansatz(folder, "predict", "runs/big", "--model", "k", "--inputs", "tbig.npy", "--out", "got.npy", status=3,
           says=["the data have changed"])


def states(folder):
    ask = ["--model", "rfm", "--inputs", "t.npy", "--out", "got.npy"]
    np.save(folder / "t3.npy", np.load(folder / "t.npy")[:, :3])
    gap = np.load(folder / "t.npy")
    gap[2, 1] = np.nan
    np.save(folder / "gap.npy", gap)
    name = "runs/float32_none_full"
    ansatz(folder, "predict", name, "--model", "rfm", "--inputs", "t3.npy", "--out", "got.npy", status=3,
           says=["is 25 x 3; the model takes n x 4"])
    ansatz(folder, "predict", name, "--model", "rfm", "--inputs", "gap.npy", "--out", "got.npy", status=3,
           says=["row 2, column 1 (counted from 0) is nan"])
    ansatz(folder, "predict", "runs/nothing", *ask, status=3, says=["manifest.json"])
    (folder / "none.yaml").write_text((folder / "identity.yaml").read_text().replace("save: {", "save: {models: false, "))
    ansatz(folder, "run", "none.yaml", "--quiet")
    done = folder / "runs/none"
    ansatz(folder, "predict", "runs/none", *ask, status=2, says=["has kept no models", "save.models: true"])
    manifest = done / "manifest.json"
    manifest.write_text(manifest.read_text().replace('"status": "finished"', '"status": "interrupted"'))
    ansatz(folder, "predict", "runs/none", *ask, status=2, says=["is not finished (interrupted)"])
    model = folder / name / "models/rfm.safetensors"
    damaged = bytearray(model.read_bytes())
    damaged[-3] ^= 64
    model.write_bytes(bytes(damaged))
    ansatz(folder, "predict", name, *ask, status=3, says=["its checksum is wrong"])


def recipe(folder):
    """The lines of docs/outputs.md on the file of an RFM, on rows that are standardised."""
    text = Path(DOCUMENT).read_text()
    code = next(block for block in re.findall(r"```python\n(.*?)```", text, re.S) if "safetensors" in block)
    for name in ("float64_standardize_full", "float64_standardize_diagonal"):
        names = {"path": str(folder / f"runs/{name}/models/rfm.safetensors"), "x": np.load(folder / "t.npy")}
        exec(code, names)  # leaves `outputs`
        want = np.load(folder / f"runs/{name}/predictions/rfm.test.npy")
        error = np.abs(names["outputs"] - want).max() / np.abs(want).max()
        check(error < 1e-9, f"the recipe differs by {error} ({name})")


with tempfile.TemporaryDirectory() as scratch:
    place, random = Path(scratch), np.random.default_rng(3)
    arrays(place, random)
    recipe(place)
    table(place, random)
    large(place, random)
    states(place)
print("all as saved" if not FAILURES else f"{len(FAILURES)} differ")
sys.exit(1 if FAILURES else 0)
