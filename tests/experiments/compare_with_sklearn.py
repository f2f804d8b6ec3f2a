#!/usr/bin/env python3
"""Kernel ridge regression of the program against scikit-learn's KernelRidge on random small problems.

usage: compare_with_sklearn.py PROGRAM     exit status 77 without NumPy and scikit-learn (Debian: python3-sklearn)

gaussian is scikit-learn's rbf with gamma = 1 / (2 L^2), product_laplace its laplacian (of the 1-norm) with gamma = 1 / L,
polynomial its polynomial; matern32, matern52 and rational_quadratic are those of its Gaussian processes, and laplace and
generalized_laplace a function of its Euclidean distances, both as precomputed kernels.
"""
import subprocess
import sys
import tempfile
from pathlib import Path

try:
    import numpy as np
    from sklearn.gaussian_process.kernels import Matern, RationalQuadratic
    from sklearn.kernel_ridge import KernelRidge
    from sklearn.metrics.pairwise import euclidean_distances
except ImportError as error:
    print(f"skipped: {error} (Debian: python3-sklearn)")
    sys.exit(77)

DATASETS, MACHINES = 20, 10
TOLERANCE = {"float32": 2e-3, "float64": 1e-8}  # of the largest prediction
KERNELS = ["laplace", "gaussian", "generalized_laplace", "product_laplace", "matern32", "matern52", "rational_quadratic",
           "polynomial"]


def random_machine(rng, label):
    kernel = str(rng.choice(KERNELS))
    machine = {"label": label, "kernel": kernel, "ridge": float(10 ** rng.uniform(-3, 0))}
    if kernel == "polynomial":
        machine["ridge"] *= 10  # its entries are much larger than 1
        machine.update(degree=int(rng.integers(1, 5)), scale=float(rng.uniform(0.1, 1)), offset=float(rng.uniform(0, 2)))
        return machine
    machine["bandwidth"] = float(rng.uniform(1, 12))
    if kernel == "generalized_laplace":
        machine["exponent"] = float(rng.uniform(0.3, 1.8))
    if kernel == "rational_quadratic":
        machine["exponent"] = float(10 ** rng.uniform(-1, 2))
    return machine


def power_of_distance(machine, x):
    """exp(-(|a - x| / L)^exponent); exactly 1 for a row of x with itself."""
    def kernel(a):
        distances = euclidean_distances(a, x) / machine["bandwidth"]
        if a is x:
            np.fill_diagonal(distances, 0)
        return np.exp(-distances**machine.get("exponent", 1))
    return kernel


def reference(machine, x, y, test):
    kernel, ridge, bandwidth = machine["kernel"], machine["ridge"], machine.get("bandwidth")
    named = {"gaussian": lambda: dict(kernel="rbf", gamma=1 / (2 * bandwidth**2)),
             "product_laplace": lambda: dict(kernel="laplacian", gamma=1 / bandwidth),
             "polynomial": lambda: dict(kernel="polynomial", gamma=machine["scale"], coef0=machine["offset"],
                                        degree=machine["degree"])}
    if kernel in named:
        return KernelRidge(alpha=ridge, **named[kernel]()).fit(x, y).predict(test)
    formed = {"matern32": lambda: lambda a: Matern(length_scale=bandwidth, nu=1.5)(a, x),
              "matern52": lambda: lambda a: Matern(length_scale=bandwidth, nu=2.5)(a, x),
              "rational_quadratic":
                  lambda: lambda a: RationalQuadratic(length_scale=bandwidth, alpha=machine["exponent"])(a, x)}
    values = formed[kernel]() if kernel in formed else power_of_distance(machine, x)
    return KernelRidge(alpha=ridge, kernel="precomputed").fit(values(x), y).predict(values(test))


def yaml(machines, precision, scaling):
    lines = ["experiment: feature_comparison", f"precision: {precision}",
             "dataset: {name: arrays, task: regression, train_inputs: x.npy, train_targets: y.npy, test_inputs: t.npy, "
             f"test_targets: ty.npy, normalize: none, validation_fraction: 0, target_scaling: {scaling}}}", "kernel_machines:"]
    lines += ["  - {" + ", ".join(f"{key}: {value}" for key, value in machine.items()) + "}" for machine in machines]
    return "\n".join(lines + ["save: {predictions: true, images: false}", "report: false", ""])


def main():
    program, worst, failures = sys.argv[1], dict.fromkeys(TOLERANCE, 0.0), 0
    for seed in range(DATASETS):
        rng = np.random.default_rng(seed)
        rows, width, outputs = int(rng.integers(6, 80)), int(rng.integers(1, 12)), int(rng.integers(1, 4))
        # float32 numbers, so that both precisions read the same
        x, y, test = (rng.normal(size=(n, d)).astype(np.float32).astype(np.float64)
                      for n, d in ((rows, width), (rows, outputs), (15, width)))
        # Targets in a unit of their own, for which the program makes up, or near 0 and as they are.
        scaling = str(rng.choice(["none", "standardize"]))
        if scaling == "standardize":
            y = (y * rng.uniform(0.01, 200, outputs) + rng.uniform(-500, 500, outputs)).astype(np.float32).astype(np.float64)
        mean, sd = (y.mean(axis=0), y.std(axis=0)) if scaling == "standardize" else (0, 1)
        machines = [random_machine(rng, f"m{i}") for i in range(MACHINES)]
        with tempfile.TemporaryDirectory() as folder:
            for name, array in (("x", x), ("y", y), ("t", test), ("ty", np.zeros((15, outputs)))):
                np.save(Path(folder) / f"{name}.npy", array)
            for precision, tolerance in TOLERANCE.items():
                (Path(folder) / f"{precision}.yaml").write_text(yaml(machines, precision, scaling))
                done = subprocess.run([program, "run", f"{precision}.yaml", "--out", precision, "--quiet"], cwd=folder,
                                      capture_output=True, text=True)
                if done.returncode != 0:
                    sys.exit(f"data set {seed}, {precision}: exit status {done.returncode}: {done.stderr}")
                for machine in machines:
                    got = np.load(Path(folder) / precision / "predictions" / f"{machine['label']}.test.npy")
                    got = (got.reshape(15, -1) - mean) / sd
                    want = reference(machine, x, (y - mean) / sd, test).reshape(got.shape)
                    error = np.abs(got - want).max() / np.abs(want).max()
                    worst[precision] = max(worst[precision], error)
                    if not error < tolerance:
                        failures += 1
                        print(f"data set {seed} ({rows} x {width}, {outputs} outputs), {precision}, {machine}: "
                              f"predictions differ by {error:.2g}")
    print(f"{DATASETS * MACHINES} problems, largest difference:", ", ".join(f"{k} {v:.1e}" for k, v in worst.items()))
    sys.exit(1 if failures else 0)


main()
