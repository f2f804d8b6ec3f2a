#!/usr/bin/env python3
"""The UCI protocol in plain NumPy: what configs/uci_small.yaml is checked and timed against, by hand.

usage: uci_plain.py UCI121_FOLDER [MAX_ROWS] [float32|float64]

Laplace kernel exp(-|x - z|_M / 10), absolute ridge, an RFM of up to 5 updates with a full or a diagonal M; rows of unit length or not; everything chosen on
the tuning split, where a cell must be better than those before it; each of the four folds fitted anew. Nothing is shared between cells.
"""
import sys
import time
from pathlib import Path

import numpy as np

BANDWIDTH, RIDGES, UPDATES = 10.0, [10, 1, 0.1, 0.01, 0.001], 5


def facts_of(file):
    return dict(line.replace(" ", "").split("=") for line in file.read_text().splitlines() if line.count("=") == 1)


def read(folder):
    name = folder.name
    facts = facts_of(folder / f"{name}.txt")
    rows = np.loadtxt(folder / facts["fich1"], skiprows=1)
    labels = rows[:, -1].astype(int)
    lists = lambda file: [np.array(line.split(), int) for line in (folder / file).read_text().splitlines() if line.split()]
    return rows[:, 1:-1], np.eye(int(facts["n_clases"]))[labels], lists("conxuntos.dat"), lists("conxuntos_kfold.dat")


def distances(X, Z, M):
    XM = X * M if M.ndim == 1 else X @ M
    ZM = Z * M if M.ndim == 1 else Z @ M
    squared = (XM * X).sum(1)[:, None] + (ZM * Z).sum(1)[None, :] - 2 * XM @ Z.T
    return np.sqrt(np.maximum(squared, 0))


def agop(X, alpha, K, D, M, diagonal):
    with np.errstate(divide="ignore"):
        weights = np.where(D < 1e-10, 0, K / (BANDWIDTH * np.maximum(D, 1e-10)))
    gram = np.zeros((X.shape[1], X.shape[1]), X.dtype)
    for c in range(alpha.shape[1]):
        G = weights @ (alpha[:, c, None] * X) - (weights @ alpha[:, c])[:, None] * X
        G = G * M if M.ndim == 1 else G @ M
        gram += G.T @ G / len(X)
    return np.diag(gram).copy() if diagonal else gram


def accuracy(prediction, Y):
    return np.mean(prediction.argmax(1) == Y.argmax(1))


def rfm(X, Y, Z, ridge, diagonal, updates, M=None):
    """Predictions at Z and M, before each update and after the last."""
    M = np.ones(X.shape[1], X.dtype) if M is None else M
    if not diagonal and M.ndim == 1:
        M = np.diag(M)
    for t in range(updates + 1):
        D = distances(X, X, M)
        K = np.exp(-D / BANDWIDTH)
        alpha = np.linalg.solve(K + ridge * np.eye(len(X), dtype=X.dtype), Y)
        yield np.exp(-distances(Z, X, M) / BANDWIDTH) @ alpha, M
        if t < updates:
            M = agop(X, alpha, K, D, M, diagonal)


def search(X, Y, fit, select, kinds, updates):
    best = (-1.0,)
    for ridge in RIDGES:
        for unit in (True, False):
            S = X / np.maximum(np.linalg.norm(X, axis=1, keepdims=True), 1e-30) if unit else X
            for diagonal in kinds:
                for t, (prediction, M) in enumerate(rfm(S[fit], Y[fit], S[select], ridge, diagonal, updates)):
                    score = accuracy(prediction, Y[select])
                    if score > best[0]:
                        best = (score, ridge, S, diagonal, t, M)
    return best[1:]


def run(folder, dtype):
    X, Y, (fit, select), folds = read(folder)
    X, Y = X.astype(dtype), Y.astype(dtype)
    scores = {"Laplace": [], "clean": [], "authors": []}
    ridge, S, _, _, _ = search(X, Y, fit, select, [True], 0)
    chosen = search(X, Y, fit, select, [False, True], UPDATES)
    for train, test in zip(folds[::2], folds[1::2]):
        scores["Laplace"].append(accuracy(next(rfm(S[train], Y[train], S[test], ridge, True, 0))[0], Y[test]))
        r, T, diagonal, updates, M = chosen
        scores["clean"].append(accuracy(list(rfm(T[train], Y[train], T[test], r, diagonal, updates))[-1][0], Y[test]))
        scores["authors"].append(accuracy(next(rfm(T[train], Y[train], T[test], r, diagonal, 0, M))[0], Y[test]))
    return {name: 100 * np.mean(values) for name, values in scores.items()}


def sets_of(root, max_rows):
    for folder in sorted(root.iterdir()):
        text = folder / f"{folder.name}.txt"
        if text.is_file():
            facts = facts_of(text)
            if facts.get("n_arquivos") == "1" and int(facts["n_patrons1"]) <= max_rows:
                yield folder


def main():
    root, max_rows = Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1500
    dtype = np.dtype(sys.argv[3] if len(sys.argv) > 3 else "float64")
    start, results = time.time(), []
    for folder in sets_of(root, max_rows):
        results.append(run(folder, dtype))
        print(folder.name, " ".join(f"{name} {value:.2f}" for name, value in results[-1].items()), flush=True)
    means = {name: np.mean([r[name] for r in results]) for name in results[0]}
    print(f"{len(results)} sets in {time.time() - start:.1f} s:", " ".join(f"{name} {value:.3f}" for name, value in means.items()))


if __name__ == "__main__":
    main()
