#!/usr/bin/env python3
"""Runs a page of the documentation: its ```yaml and ```python blocks become the files that their first line names, and
every line of its ```sh blocks must end with 0. A line that needs PyTorch, where there is none, is replaced by a file
with a network of the same layout (stand_in_network.py).
usage: run_page.py PAGE.md PROGRAM SOURCE_DIR"""
import pathlib
import re
import subprocess
import sys
import tempfile


def blocks(text):
    """[(language, content)], in the order of the page."""
    return re.findall(r"^```(\w+)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def save(folder, content):
    name = re.match(r"# (\S+)\n", content)
    if not name:
        sys.exit("a block of a file must begin with its name as a comment:\n" + content)
    (folder / name[1]).write_text(content)


def has_torch():
    return subprocess.run([sys.executable, "-c", "import torch"], capture_output=True).returncode == 0


def commands(content):
    return [line for line in content.replace("\\\n", " ").splitlines() if line.strip() and not line.startswith("#")]


def run(command, folder, stand_in):
    if command.startswith("python3 train") and not has_torch():
        command = f"python3 {stand_in}"
    result = subprocess.run(["bash", "-c", command], cwd=folder, capture_output=True, text=True)
    print(f"$ {command}\n{result.stdout}{result.stderr}")
    if result.returncode != 0:
        sys.exit(f"exit code {result.returncode}: {command}")


def main():
    page, program, source = (pathlib.Path(argument).resolve() for argument in sys.argv[1:4])
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "build").mkdir()
        (folder / "build/ansatz").symlink_to(program)
        (folder / "scripts").symlink_to(source / "scripts")
        ran = 0
        for language, content in blocks(page.read_text()):
            if language in ("yaml", "python"):
                save(folder, content)
            elif language == "sh":
                for command in commands(content):
                    run(command, folder, source / "tests/docs/stand_in_network.py")
                    ran += 1
        for file in re.findall(r"leaves `([^`]+)`", page.read_text()):
            if not (folder / file).is_file() or (folder / file).stat().st_size == 0:
                sys.exit(f"{file}, which the page promises, is not there")
        if ran < 5:
            sys.exit(f"only {ran} commands were found in {page}")


main()
