#!/usr/bin/env python3
"""The program on a terminal: what it prints fits windows of 80 and 60 columns, one that is made narrower too, and Ctrl-C
leaves a line with the command to go on.

usage: terminal.py PROGRAM
Exit status: 0 well; 1 something a reader would mind, each on a line.
"""

import fcntl
import os
import pty
import random
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import termios
import struct
import time
import unicodedata

CONFIG = """
experiment: feature_comparison
seed: 1
dataset: {name: csv, path: table.csv, task: regression, target: price, test_fraction: 0.25, validation_fraction: 0.2}
network: {hidden_layers: [64, 64], epochs: EPOCHS, batch_size: 8, optimizer: {name: sgd, learning_rate: 0.01}}
rfm: {kernel: laplace, bandwidth: 5, ridge: 1.0e-3, iterations: 2}
kernel_machines:
  - {label: a kernel with quite a long label, kernel: generalized_laplace, bandwidth: 5, exponent: 1.2, ridge: 1.0e-3}
  - {label: ntk2, kernel: ntk, depth: 2, ridge: 1.0e-3}
save: {images: false}
report: false
"""


class Screen:
    """What a terminal would show: lines, of which the last is written over after a carriage return."""

    def __init__(self, columns):
        self.columns, self.lines, self.at, self.rewrites, self.too_wide = columns, [""], 0, 0, []

    def put(self, text):
        i = 0
        while i < len(text):
            c = text[i]
            i += 1
            if c == "\x1b":  # only sequences that end in a letter are used
                end = next(j for j in range(i + 1, len(text)) if text[j].isalpha())
                if text[end] == "K":
                    self.lines[-1] = self.lines[-1][: self.at]
                i = end + 1
            elif c == "\r":
                self.rewrites += self.at > 0 and text[i: i + 1] != "\n"
                self.at = 0
            elif c == "\n":
                self._end_line()
            elif not unicodedata.combining(c):
                self.lines[-1] = self.lines[-1][: self.at] + c + self.lines[-1][self.at + 1:]
                self.at += 1
                if self.at == self.columns + 1:
                    self.too_wide.append(len(self.lines) - 1)

    def _end_line(self):
        self.lines.append("")
        self.at = 0

    def complaints(self):
        """Lines that a terminal had to break, but for those that are one long word behind an indent."""
        wide = [self.lines[i] for i in self.too_wide]
        return [f"{self.columns} columns: {line!r}" for line in wide if " " in line.strip()]


class Terminal:
    def __init__(self, command, folder, columns):
        self.screen = Screen(columns)
        self.master, slave = pty.openpty()
        self.resize(columns)
        environment = {**os.environ, "TERM": "xterm", "LC_ALL": "C.UTF-8"}
        self.process = subprocess.Popen(command, cwd=folder, env=environment, stdin=slave, stdout=slave, stderr=slave,
                                        start_new_session=True,
                                        preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))
        os.close(slave)
        self.rest = b""

    def resize(self, columns):
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        self.screen.columns = columns

    def read(self, seconds):
        """What comes within that time; False at the end."""
        ready, _, _ = select.select([self.master], [], [], seconds)
        if not ready:
            return True
        try:
            data = os.read(self.master, 65536)
        except OSError:  # Linux's end of file
            data = b""
        self.rest += data
        text = self.rest.decode("utf-8", "ignore")
        if self.rest.endswith(text.encode()[-1:]):
            self.screen.put(text)
            self.rest = b""
        return bool(data)

    def read_until(self, condition, seconds=60):
        until = time.monotonic() + seconds
        while not condition(self.screen):
            if not self.read(1) or time.monotonic() > until:
                return False
        return True

    def finish(self, seconds=120):
        self.read_until(lambda screen: False, seconds)
        try:
            status = self.process.wait(10)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            status = self.process.wait()
        os.close(self.master)
        return status


def write_config(folder, name, epochs):
    with open(f"{folder}/{name}", "w") as file:
        file.write(CONFIG.replace("EPOCHS", str(epochs)))


def make_files(folder):
    draw = random.Random(3)
    with open(f"{folder}/table.csv", "w") as file:
        file.write("income,age,price\n")
        for _ in range(160):
            a, b = draw.gauss(0, 1), draw.gauss(0, 1)
            file.write(f"{a:.4f},{b:.4f},{a * b:.4f}\n")
    write_config(folder, "short.yaml", 600)
    write_config(folder, "long.yaml", 1000000)


def shows_progress(screen):
    return screen.rewrites >= 3


def everything_fits(program, folder):
    complaints = []
    for columns in (80, 60):
        out = f"r{columns}"
        commands = [["run", "short.yaml", "--out", out], ["plan", "short.yaml"], ["list", "kernels"], ["data", "mnist"],
                    ["compare", out, out]]
        for command in commands:
            terminal = Terminal([program] + command, folder, columns)
            status = terminal.finish()
            screen = "\n".join(terminal.screen.lines)
            if status != 0:
                complaints.append(f"{command}: exit status {status}\n{screen}")
            complaints += [f"{command[0]}: {text}" for text in terminal.screen.complaints()]
            if command[0] == "run":
                for line in ("network: 600 epochs in", "rfm, iteration 2", "feature matrices"):
                    if line not in screen:
                        complaints.append(f"{columns} columns: there is no {line!r} in\n{screen}")
    return complaints


def narrower_window(program, folder):
    """From the moment that the window is narrower, lines fit it."""
    terminal = Terminal([program, "run", "long.yaml", "--out", "narrower"], folder, 100)
    if not terminal.read_until(shows_progress):
        return ["no line of progress is rewritten"]
    while terminal.read(0) and select.select([terminal.master], [], [], 0)[0]:
        pass
    terminal.resize(60)
    before = terminal.screen.rewrites
    terminal.read_until(lambda screen: screen.rewrites > before + 3)
    terminal.process.send_signal(signal.SIGTERM)
    terminal.finish()
    return ["made narrower: " + text for text in terminal.screen.complaints() if "go on with" not in text]


def interrupted(program, folder):
    """Ctrl-C ends with a line of its own, whose command goes on to the end."""
    shutil.copy(f"{folder}/long.yaml", f"{folder}/cut off.yaml")
    terminal = Terminal([program, "run", "cut off.yaml", "--out", "cut off"], folder, 80)
    if not terminal.read_until(shows_progress):
        return ["no line of progress is rewritten"]
    os.write(terminal.master, b"\x03")
    status = terminal.finish()
    shown = [line for line in terminal.screen.lines if line.strip()]
    said, complaints = "ansatz: interrupted; go on with: ", []
    if status != 130:
        complaints.append(f"Ctrl-C: exit status {status}")
    if not shown or not shown[-1].startswith(said):
        return complaints + ["Ctrl-C: the last line is " + repr(shown[-1:])]
    # Cut short, so that going on comes to an end soon.
    with open(f"{folder}/cut off/config.yaml") as file:
        config = file.read()
    command = shown[-1][len(said):]
    again = Terminal(["/bin/sh", "-c", command], folder, 80)
    if not again.read_until(shows_progress):
        complaints.append(f"`{command}` does not go on: {again.screen.lines}")
    os.write(again.master, b"\x03")
    again.finish()
    with open(f"{folder}/cut off/config.yaml") as file:
        if file.read() != config:
            complaints.append(f"`{command}` went on with another config")
    return complaints


def main(program):
    with tempfile.TemporaryDirectory(prefix="ansatz-terminal-") as folder:
        make_files(folder)
        complaints = [text for test in (everything_fits, narrower_window, interrupted) for text in test(program, folder)]
    print("\n".join(complaints) or "what the program prints is well")
    return 1 if complaints else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(os.path.abspath(sys.argv[1])))
