#!/usr/bin/env python3
"""Writes the seeds of fuzz_pickle, fuzz_safetensors and fuzz_script, from the checkpoints that the tests read.
usage: tests/fuzz/make_checkpoint_corpus.py [FOLDER]    default: tests/fuzz/corpus
"""
import pathlib
import struct
import sys
import zipfile

HERE = pathlib.Path(__file__).parent
FIXTURES = HERE.parent / "nets" / "fixtures"
VERDICT_FILE = HERE.parent / "core" / "fixtures" / "safetensors_verdicts.bin"
FOLDER = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else HERE / "corpus"
VERDICTS = 60  # of the 400, every one with its header alone too


def seed(reader, name, option, content):
    folder = FOLDER / reader
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(bytes([option]) + content)


def pickles():
    for path in sorted(FIXTURES.glob("*.pt")):
        if not zipfile.is_zipfile(path):
            continue
        with zipfile.ZipFile(path) as archive:
            pickle = next(name for name in archive.namelist() if name.endswith("/data.pkl"))
            seed("pickle", path.stem, 0, archive.read(pickle))
    seed("pickle", "hostile_class", 0, (FIXTURES / "hostile.pkl").read_bytes())
    for name in ["plain_dict", "views", "script"]:  # with and without a directory in 64 bits
        seed("pickle", name + "_zip", 1, (FIXTURES / (name + ".pt")).read_bytes())


def scripts():
    (FOLDER / "script").mkdir(parents=True, exist_ok=True)
    for path in sorted(path for way in ["script", "trace", "frozen"] for path in FIXTURES.glob(f"{way}_*.pt")):
        with zipfile.ZipFile(path) as archive:
            code = [archive.read(name) for name in sorted(archive.namelist()) if name.endswith(".py")]
        (FOLDER / "script" / path.stem).write_bytes(b"".join(code).replace(b"Named", b"Net"))


def safetensors():
    for path in sorted(FIXTURES.glob("*.safetensors")):
        seed("safetensors", path.stem, 0, path.read_bytes())
    records, at, kept = VERDICT_FILE.read_bytes(), 0, 0
    while at < len(records) and kept < VERDICTS:
        verdict, size = chr(records[at]), struct.unpack_from("<H", records, at + 1)[0]
        content = records[at + 3 : at + 3 + size]
        at += 3 + size
        header = struct.unpack("<Q", content[:8])[0] if size > 8 else size
        if header + 8 > size:
            continue
        seed("safetensors", f"verdict_{verdict}{kept:02}", kept % 2, content if kept % 2 == 0 else
             struct.pack("<H", size - 8 - header) + content[8 : 8 + header])
        kept += 1


pickles()
scripts()
safetensors()
