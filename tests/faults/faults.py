#!/usr/bin/env python3
"""What a run leaves behind when it is hit: writes that fail, signals, a second process in the same directory.

    faults.py PROGRAM SHIM            a sample (seconds to minutes; CTest runs it so)
    faults.py PROGRAM SHIM --long     every write that a run makes, 100 signals, 10 races (an hour or more)
    faults.py PROGRAM SHIM --long --only writes|signals|races [--every N] [--signals N]

SHIM is the library made of failing_writes.c. Whatever happens, every file must be whole, errors must be one line with a
documented exit code, and `--resume` must give the files of an unbroken run byte for byte, timings apart.
"""
import argparse
import errno
import json
import os
import pathlib
import random
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time

PARTS = """
experiment: low_rank
threads: 1
report: false
dataset: {name: low_rank, target: x1x2, dimension: 6, train_size: 60, validation_size: 20, test_size: 20}
network: {hidden_layers: [16], optimizer: {name: adam, learning_rate: 1.0e-3}, batch_size: 10, epochs: 12, snapshots: 3}
rfm: {kernel: laplace, ridge: 1.0e-3, iterations: 2}
kernel_machines: [{label: laplace}]
save: {images: false, feature_matrices: all}
parts:
  - {name: first}
  - {name: second, dataset: {name: low_rank, target: x1x2, dimension: 5, train_size: 60, validation_size: 20, test_size: 20}}
"""
REPEATS = """
experiment: feature_comparison
threads: 1
repeats: 2
report: false
dataset: {name: low_rank, target: x1x2, dimension: 6, train_size: 60, validation_size: 20, test_size: 20}
network: {hidden_layers: [16], batch_size: 10, epochs: 12, snapshots: 3}
rfm: {kernel: laplace, ridge: 1.0e-3, iterations: 2}
save: {images: false, feature_matrices: all}
"""
CONFIGS = {"parts": PARTS, "repeats": REPEATS}
EXIT_CODES = (2, 3, 130)
LONGER = 600  # seconds: a run that takes so long hangs


def without_timings(path, data):
    """The bytes of a file that equal runs have in common; None for a file that tells of the run itself."""
    if path.name == "manifest.json":
        return None
    if path.name == "metrics.json":
        value = json.loads(data)
        value.pop("timings", None)
        return json.dumps(value).encode()
    if path.name == "history.csv":
        return b"\n".join(line.rsplit(b",", 1)[0] for line in data.splitlines())
    return data


def contents(run):
    files = {str(p.relative_to(run)): without_timings(p, p.read_bytes()) for p in run.rglob("*") if p.is_file()}
    return {name: data for name, data in files.items() if data is not None}


def half_written(run, temporary_files_too):
    """Files of a run directory that are not whole."""
    bad = []
    for path in run.rglob("*"):
        if not path.is_file():
            continue
        data = path.read_bytes()
        try:
            if path.suffix == ".tmp":
                assert not temporary_files_too
            elif path.suffix == ".json":
                json.loads(data)
            elif path.suffix == ".npy":
                length = struct.unpack("<H", data[8:10])[0]
                header = eval(data[10:10 + length])  # a literal dictionary, as NumPy writes it
                count = 1
                for n in header["shape"]:
                    count *= n
                assert len(data) == 10 + length + count * int(header["descr"][2:])
            elif path.suffix == ".safetensors" or path.name == "network.train":
                length = struct.unpack("<Q", data[:8])[0]
                header = json.loads(data[8:8 + length])
                ends = [t["data_offsets"][1] for name, t in header.items() if name != "__metadata__"]
                assert len(data) == 8 + length + max(ends, default=0)
        except (AssertionError, ValueError, struct.error, SyntaxError):
            bad.append(str(path))
    return bad


class Bench:
    def __init__(self, program, shim, folder):
        self.program, self.shim, self.folder = program, shim, folder
        self.expected, self.calls, self.seconds, self.failures, self.counts = {}, {}, {}, [], {}
        for name, text in CONFIGS.items():
            (folder / f"{name}.yaml").write_text(text)

    def start(self, config, out, resume=False, faults=None):
        environment = dict(os.environ, OMP_WAIT_POLICY="passive")
        if faults is not None:
            environment.update(LD_PRELOAD=self.shim, FAULT_FOLDER=str(out), **faults)
        command = [self.program, "run", str(self.folder / f"{config}.yaml"), "--out", str(out), "--quiet"]
        return subprocess.Popen(command + ["--resume"] * resume, env=environment, stdout=subprocess.DEVNULL,
                                stderr=subprocess.PIPE, text=True)

    def run(self, *args, **kwargs):
        process = self.start(*args, **kwargs)
        _, err = process.communicate(timeout=LONGER)
        return process.returncode, err

    def count(self, what):
        self.counts[what] = self.counts.get(what, 0) + 1

    def check(self, holds, what, case):
        if not holds:
            self.failures.append(f"{case}: {what}")
            print(f"FAILED {case}: {what}", flush=True)
        return holds

    def check_error(self, code, err, case):
        lines = [line for line in err.splitlines() if line.startswith("ansatz: ")]
        self.check(code in EXIT_CODES and len(lines) == 1, f"exit code {code}, said {err!r}", case)

    def prepare(self):
        for config in CONFIGS:
            out = self.folder / f"whole-{config}"
            counted = self.folder / "count"
            begin = time.monotonic()
            code, err = self.run(config, out, faults={"FAULT_COUNT": str(counted)})
            self.seconds[config] = time.monotonic() - begin
            if code != 0:
                sys.exit(f"the unbroken run of {config} failed: {err}")
            self.calls[config] = int(counted.read_text())
            self.expected[config] = contents(out)
            print(f"{config}: {len(self.expected[config])} files, {self.calls[config]} calls that write, "
                  f"{self.seconds[config]:.1f} s", flush=True)

    def finish(self, config, out, case):
        """Resumes until done, then compares with the unbroken run and clears the folder away."""
        code, err = self.run(config, out, resume=True)
        if self.check(code == 0, f"--resume: exit code {code}, said {err!r}", case):
            found, expected = contents(out), self.expected[config]
            differ = sorted(n for n in found.keys() | expected.keys() if found.get(n) != expected.get(n))
            self.check(not differ, f"other files than in an unbroken run: {differ}", case)
        shutil.rmtree(out)

    def failing_write(self, config, k, error, lasting):
        case = f"{config}: call {k} {errno.errorcode[error]}{' and all later ones' if lasting else ''}"
        out = self.folder / "hit"
        faults = {"FAULT_AT": str(k), "FAULT_ERRNO": str(error)}
        if lasting:
            faults["FAULT_LASTING"] = "1"
        code, err = self.run(config, out, faults=faults)
        self.count("refused" if code else "went on")
        if code != 0:
            self.check_error(code, err, case)
        self.check(not half_written(out, True), f"half-written: {half_written(out, True)}", case)
        self.finish(config, out, case)

    def writes(self, every):
        for config in CONFIGS:
            for k in range(1, self.calls[config] + 1, every):
                self.failing_write(config, k, errno.ENOSPC, True)
                self.failing_write(config, k, errno.EIO, False)

    def signals(self, count, rng):
        for i in range(count):
            config = rng.choice(list(CONFIGS))
            out = self.folder / "hit"
            hits = []
            for _ in range(rng.choice((1, 1, 2))):  # what was resumed is hit, too
                which = rng.choice((signal.SIGTERM, signal.SIGKILL, signal.SIGHUP, signal.SIGUSR1))
                # What a kill left, and a process that was stopped before it had looked, stays for the next.
                left = set(half_written(out, True))
                process = self.start(config, out, resume=bool(hits))
                moment = rng.uniform(0, self.seconds[config])
                hits.append(f"{which.name} after {moment:.2f} s")
                case = f"{config}: " + ", ".join(hits)
                try:
                    _, err = process.communicate(timeout=moment)
                except subprocess.TimeoutExpired:
                    process.send_signal(which)
                    _, err = process.communicate(timeout=LONGER)
                code = process.returncode
                self.count(which.name + (" killed" if code < 0 else " saved" if code == 130 else " came too late"))
                if code > 0:
                    self.check_error(code, err, case)
                self.check(code in (0, 130, -which), f"exit code {code}", case)
                if out.exists():
                    half = [path for path in half_written(out, code > 0) if path not in left or not path.endswith(".tmp")]
                    self.check(not half, f"half-written: {half}", case)
            self.finish(config, out, case) if out.exists() else None

    def races(self, count, rng):
        for i in range(count):
            config = rng.choice(list(CONFIGS))
            out, case = self.folder / "hit", f"{config}: race {i}"
            first = self.start(config, out, resume=True)
            time.sleep(rng.uniform(0, self.seconds[config]))
            second = self.start(config, out, resume=True)
            ends = [(p.communicate(timeout=LONGER)[1], p.returncode) for p in (first, second)]
            for err, code in ends:
                self.count("race: " + ("done" if code == 0 else "refused"))
                self.check(code == 0 or (code == 2 and "another process" in err), f"exit code {code}, {err!r}", case)
            self.check(any(code == 0 for _, code in ends), f"none was done: {ends}", case)
            self.finish(config, out, case)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("shim")
    parser.add_argument("--long", action="store_true")
    parser.add_argument("--only", choices=("writes", "signals", "races"))
    parser.add_argument("--every", type=int, default=1, help="of the calls that write, with --long")
    parser.add_argument("--signals", type=int, default=100, help="how many, with --long")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    rng = random.Random(arguments.seed)
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(os.path.abspath(arguments.program), os.path.abspath(arguments.shim), pathlib.Path(folder))
        bench.prepare()
        if arguments.only in (None, "writes"):
            bench.writes(arguments.every if arguments.long else max(bench.calls.values()) // 3)
        if arguments.only in (None, "signals"):
            bench.signals(arguments.signals if arguments.long else 4, rng)
        if arguments.only in (None, "races"):
            bench.races(10 if arguments.long else 1, rng)
    for what, count in sorted(bench.counts.items()):
        print(f"{count:6} {what}")
    print(f"{len(bench.failures)} failures")
    return 1 if bench.failures else 0


if __name__ == "__main__":
    sys.exit(main())
