#!/usr/bin/env python3
"""Writes what train.py of docs/your-own-data.md writes, without PyTorch and NumPy: a network of the same layout with random
weights as torch.save(model.state_dict(), ...) would, arrays of the same shapes, and the network's outputs."""
import collections
import io
import math
import pickle
import random
import struct
import sys
import types
import zipfile

WIDTHS = [13, 64, 64, 1]
ROWS = {"train": 700, "test": 200}


class Tensor:
    def __init__(self, key, shape):
        self.key, self.shape = key, shape

    def __reduce__(self):
        strides = (self.shape[1], 1) if len(self.shape) == 2 else (1,)
        return rebuild, (Storage(self), 0, self.shape, strides, False, collections.OrderedDict())


class Storage:
    def __init__(self, tensor):
        self.tensor = tensor


def rebuild(*_):
    raise NotImplementedError


class FloatStorage:
    pass


class Pickler(pickle.Pickler):
    def persistent_id(self, value):
        if not isinstance(value, Storage):
            return None
        return ("storage", FloatStorage, value.tensor.key, "cpu", math.prod(value.tensor.shape))


def pretend(function, module, name):
    """pickle writes a function or class as the place where it can be imported."""
    function.__module__, function.__qualname__ = module, name
    parts = module.split(".")
    for i in range(len(parts)):
        sys.modules.setdefault(".".join(parts[: i + 1]), types.ModuleType(parts[i]))
    setattr(sys.modules[module], name, function)


def save_network(file, layers):
    """layers: [(weight rows, biases)], under the names of an nn.Sequential with activations between."""
    state, values = collections.OrderedDict(), []
    for i, (weight, bias) in enumerate(layers):
        for suffix, shape, numbers in (
            ("weight", (len(weight), len(weight[0])), [w for row in weight for w in row]),
            ("bias", (len(bias),), bias),
        ):
            state[f"{2 * i}.{suffix}"] = Tensor(str(len(values)), shape)
            values.append(numbers)
    data = io.BytesIO()
    Pickler(data, protocol=2).dump(state)
    with zipfile.ZipFile(file, "w") as archive:  # stored, not compressed, as PyTorch does
        archive.writestr("network/data.pkl", data.getvalue())
        for key, numbers in enumerate(values):
            archive.writestr(f"network/data/{key}", struct.pack(f"<{len(numbers)}f", *numbers))
        archive.writestr("network/version", "3\n")


def save_array(file, rows):
    header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({len(rows)}, {len(rows[0])}), }}"
    header += " " * (63 - (len(header) + 10) % 64) + "\n"
    with open(file, "wb") as out:
        out.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
        for row in rows:
            out.write(struct.pack(f"<{len(row)}f", *row))


def outputs(layers, x):
    for i, (weight, bias) in enumerate(layers):
        x = [sum(w * v for w, v in zip(row, x)) + b for row, b in zip(weight, bias)]
        if i + 1 < len(layers):
            x = [max(0.0, v) for v in x]
    return x


def main():
    pretend(rebuild, "torch._utils", "_rebuild_tensor_v2")
    pretend(FloatStorage, "torch", "FloatStorage")
    draw = random.Random(0)
    for file in ("start.pt", "network.pt"):
        layers = []
        for k, m in zip(WIDTHS, WIDTHS[1:]):
            bound = 1 / math.sqrt(k)
            weight = [[draw.uniform(-bound, bound) for _ in range(k)] for _ in range(m)]
            layers.append((weight, [draw.uniform(-bound, bound) for _ in range(m)]))
        save_network(file, layers)
    for part, n in ROWS.items():
        x = [[draw.gauss(0, 1) for _ in range(WIDTHS[0])] for _ in range(n)]
        save_array(f"x_{part}.npy", x)
        save_array(f"y_{part}.npy", [[row[0] * row[1] + draw.gauss(0, 0.1)] for row in x])
    save_array("outputs.npy", [outputs(layers, row) for row in x])
    with open("names.txt", "w") as names:
        names.writelines(f"feature {i}\n" for i in range(WIDTHS[0]))


main()
