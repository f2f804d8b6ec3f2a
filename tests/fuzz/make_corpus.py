#!/usr/bin/env python3
"""Writes the seed corpora: for each reader small files that it reads, and some that it refuses, one for each turn its code can take.
tests/fuzz/fuzz_<reader>.cpp says what an input is. Needs matio's library (libmatio) for the .mat files.
usage: tests/fuzz/make_corpus.py [FOLDER]    default: tests/fuzz/corpus
"""
import ctypes
import ctypes.util
import gzip
import pathlib
import struct
import sys
import tempfile

FOLDER = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent / "corpus")


def seed(reader, name, content):
    folder = FOLDER / reader
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())


def packed(content):
    return gzip.compress(content, mtime=0)


def npy():
    def file(descr, fortran, shape, values, version=1):
        header = f"{{'descr': {descr}, 'fortran_order': {fortran}, 'shape': {shape}, }}\n".encode()
        length = struct.pack("<H" if version == 1 else "<I", len(header))
        return b"\x93NUMPY" + bytes([version, 0]) + length + header + values

    formats = {"b1": "?", "u1": "B", "i1": "b", "u2": "H", "i2": "h", "u4": "I", "i4": "i", "u8": "Q", "i8": "q", "f2": "e", "f4": "f",
               "f8": "d"}
    for name, code in formats.items():
        for order in "<>":
            seed("npy", name + {"<": "_little", ">": "_big"}[order], file(f"'{order}{name}'", False, (2, 3), struct.pack(f"{order}6{code}", *range(6))))
    doubles = struct.pack("<24d", *range(24))
    seed("npy", "fortran_4d", file("'<f8'", True, (2, 3, 2, 2), doubles))
    seed("npy", "fortran_1d", file("'<f8'", True, (3,), doubles[:24]))
    seed("npy", "c_3d", file("'<f8'", False, (2, 3, 4), doubles))
    seed("npy", "number", file("'<f8'", False, (), doubles[:8]))
    seed("npy", "empty", file("'<f8'", False, (0, 3), b""))
    seed("npy", "version_2", file("'<f8'", False, (2, 2), doubles[:32], 2))
    seed("npy", "version_3", file("'=f8'", False, "(2L, 2L)", doubles[:32], 3))
    seed("npy", "five_dimensions", file("'<f8'", False, (1, 1, 1, 1, 1), doubles[:8]))
    seed("npy", "overflow", file("'<f8'", False, (2**62, 2**62), doubles[:8]))
    seed("npy", "overflow_empty", file("'<f8'", False, (0, 2**62, 2**62), b""))
    seed("npy", "text", file("'<U4'", False, (2,), doubles[:32]))
    seed("npy", "objects", file("'|O'", False, (2,), doubles[:32]))
    seed("npy", "structured", file("[('a', '<f4')]", False, (2,), doubles[:8]))
    seed("npy", "cut_short", file("'<f8'", False, (2, 3), doubles[:40]))
    seed("npy", "nan", file("'<f8'", False, (3,), struct.pack("<3d", float("nan"), float("inf"), -0.0)))


def text():
    rows = b"ham\tOk \"lar... \nspam\tFREE entry call now\nham\tok you\nspam\tcall \xc3\xbcber free\n"
    seed("text", "tabs", b"\0" + rows)
    seed("text", "gzipped", b"\0" + packed(rows))
    seed("text", "commas_and_quotes", b"\x01" + b"a,\"one, \"\"two\"\"\"\nb,\"three\nfour\"\na,two\nb,four\n")
    seed("text", "header", b"\x42" + b"id\tlabel\ttext\n1\ta\tone two\n2\tb\tthree\n")
    seed("text", "characters", b"\x9c" + rows.replace(b"\n", b"\r\n"))
    seed("text", "latin1", b"\0" + b"a\tcaf\xe9\nb\tth\xe9\n")


def csv():
    # options: 1 classification; missing: 0 error, 2 drop, 4 mean; 8 tab, 16 semicolon; 32 categorical c; 64 ignore i; 128 test file
    numbers = b"a,b,y\n1,2,0.5\n-3e2,+4.5,1\n.5,7,2\n"
    seed("csv", "numbers", b"\0" + numbers)
    seed("csv", "gzipped", b"\0" + packed(numbers))
    seed("csv", "gzip_cut_short", b"\0" + packed(numbers)[:-6])
    seed("csv", "mark_and_crlf", b"\0\xef\xbb\xbf" + numbers.replace(b"\n", b"\r\n"))
    seed("csv", "old_mac", b"\0" + numbers.replace(b"\n", b"\r"))
    seed("csv", "utf16", b"\0\xff\xfe" + numbers.decode().encode("utf-16-le"))
    seed("csv", "classes", b"\x01" + b"a,color,y\n1,red,cat\n2,blue,dog\n3,\"light \"\"green\"\"\",cat\n")
    seed("csv", "quoted_lines", b"\0" + b"\"a\nb\",\"c,d\",y\n\"1\" , 2 ,3\n\n  \n4,5,6")
    seed("csv", "never_closed", b"\0" + b"a,y\n\"1,2\n")
    seed("csv", "after_quote", b"\0" + b"a,y\n\"1\"x,2\n")
    seed("csv", "missing_refused", b"\0" + b"a,y\n1,2\nNA,3\n")
    seed("csv", "missing_dropped", b"\x02" + b"a,y\n1,2\nn/a,3\n4,?\n5,6\n")
    seed("csv", "missing_mean", b"\x04" + b"a,c,y\n1,u,2\n,v,3\nNaN,,4\nnull,u,5\n")
    seed("csv", "tab", b"\x08" + numbers.replace(b",", b"\t"))
    seed("csv", "semicolon", b"\x10" + b"a;y\n1;2\n3;4\n")
    seed("csv", "decimal_comma", b"\x10" + b"a;y\n1,5;2\n3,25;4\n")
    seed("csv", "listed", b"\xe1" + b"c,i,a,y\n1,first,2,0\n2,second,3,1\n1,third,4,0\n")
    seed("csv", "ragged", b"\0" + b"a,b,y\n1,2,3\n4,5\n")
    seed("csv", "infinite", b"\0" + b"a,y\n1,2\n1e999,3\ninf,4\n1e-999,5\n")
    seed("csv", "odd_cells", b"\x04" + b"a,b,y\n12%,\xe2\x88\x925,1\n#N/A,-,2\n.,None,3\n1e3,0x10,4\n")
    seed("csv", "long_integers", b"\x21" + b"c,a,y\n123456789012345678,1,9007199254740993\n123456789012345679,2,9007199254740992\n")
    seed("csv", "twice", b"\0" + b"a,a,y\n1,2,3\n")
    seed("csv", "header_only", b"\0" + b"a,y\n")
    seed("csv", "empty", b"\0")


def idx():
    def file(magic, shape, content):
        return struct.pack(f">{1 + len(shape)}I", magic, *shape) + content

    def pair(options, labels, images):
        return bytes([options, len(labels)]) + labels + images

    labels, images = file(2049, [2], b"\x01\x00"), file(2051, [2, 2, 3], bytes(range(12)))
    for options in range(8):  # 1 gzips the labels, 2 the images, 4 names MNIST's ten classes
        seed("idx", f"pair_{options}", pair(options, labels, images))
    seed("idx", "packed_files", pair(0, packed(labels), packed(images)))
    seed("idx", "packed_cut_short", pair(0, packed(labels), packed(images)[:-5]))
    seed("idx", "packed_damaged", pair(0, labels, packed(images)[:-8] + bytes(8)))
    seed("idx", "cut_short", pair(0, labels, images[:-1]))
    seed("idx", "too_long", pair(0, labels + b"\0", images))
    seed("idx", "unequal", pair(0, file(2049, [1], b"\x01"), images))
    seed("idx", "label_11", pair(4, file(2049, [2], b"\x0b\x00"), images))
    seed("idx", "no_pixels", pair(0, labels, file(2051, [2, 0, 3], b"")))
    seed("idx", "no_rows", pair(0, file(2049, [0], b""), file(2051, [0, 2, 3], b"")))
    seed("idx", "huge", pair(0, labels, file(2051, [2, 2**32 - 1, 2**32 - 1], b"")))
    seed("idx", "huge_packed", pair(2, labels, file(2051, [2**32 - 1, 2**32 - 1, 1], b"")))
    seed("idx", "empty", pair(0, b"", b""))


def cifar():
    def batch(names, records, extra=0):
        length = records * 3073 + extra
        return struct.pack("<BH", len(names), length) + names

    names = b"a b c d e f g h i j\n"
    seed("cifar", "one", batch(b"", 1) + b"\x03\xff\x7f")
    seed("cifar", "named", batch(names, 3) + b"\x09" + bytes(range(10)))
    seed("cifar", "few_names", batch(b"a b", 1) + b"\0")
    seed("cifar", "label_10", batch(b"", 2) + b"\x0a")
    seed("cifar", "cut_short", batch(b"", 1, -1) + b"\0")
    seed("cifar", "empty", batch(b"", 0))


def stl10():
    def files(names, labels, images, extra=0):
        length = (images * 3 * 96 * 96 + extra).to_bytes(3, "little")
        return bytes([len(names), len(labels)]) + length + names + labels

    names = b"a b c d e f g h i j\n"
    seed("stl10", "one", files(b"", b"\x01", 1) + b"\x00\x80\xff")
    seed("stl10", "named", files(names, b"\x01\x0a", 2) + bytes(range(11)))
    seed("stl10", "few_names", files(b"a b", b"\x01", 1))
    seed("stl10", "label_0", files(b"", b"\x00", 1))
    seed("stl10", "label_11", files(b"", b"\x0b", 1))
    seed("stl10", "unequal", files(b"", b"\x01\x02", 1))
    seed("stl10", "cut_short", files(b"", b"\x01", 1, -1))
    seed("stl10", "empty", files(b"", b"", 0))


UINT8, UINT16, INT32, SINGLE, DOUBLE = (9, 2), (11, 4), (12, 5), (7, 7), (6, 9)  # matio_classes and matio_types


def mat():
    library = ctypes.CDLL(ctypes.util.find_library("matio") or "libmatio.so.11")
    for name in "Mat_CreateVer", "Mat_VarCreate":
        getattr(library, name).restype = ctypes.c_void_p

    def file(version, arrays, compression):
        with tempfile.TemporaryDirectory() as folder:
            path = f"{folder}/a.mat"
            mat_file = ctypes.c_void_p(library.Mat_CreateVer(path.encode(), b"MATLAB 5.0 MAT-file", version))
            for name, (kind, stored), code, shape, values in arrays:
                dims = (ctypes.c_size_t * len(shape))(*shape)
                content = ctypes.create_string_buffer(struct.pack(f"<{len(values)}{code}", *values))
                array = ctypes.c_void_p(library.Mat_VarCreate(name.encode(), kind, stored, len(shape), dims, content, 0))
                library.Mat_VarWrite(mat_file, array, compression)
                library.Mat_VarFree(array)
            library.Mat_Close(mat_file)
            return pathlib.Path(path).read_bytes()

    pixels = ("X", UINT8, "B", (2, 2, 3, 2), range(24))
    labels = ("y", UINT8, "B", (2, 1), (1, 10))
    contents = {"svhn": [pixels, labels], "labels_first": [labels, pixels], "double_labels": [pixels, ("y", DOUBLE, "d", (2, 1), (1, 10))],
                "half": [pixels, ("y", DOUBLE, "d", (2, 1), (1, 0.5))], "wide": [pixels, ("y", UINT16, "H", (2, 1), (1, 10))],
                "integers": [("X", INT32, "i", (2, 1), (1, 10)), ("y", SINGLE, "f", (2, 1), (1, 10))], "no_labels": [pixels],
                "other_name": [("Xy", UINT8, "B", (2, 1), (1, 2)), labels]}
    for name, arrays in contents.items():
        plain, zipped = file(0x0100, arrays, 0), file(0x0100, arrays, 1)
        seed("mat5", name, b"\0" + plain)
        seed("mat5", name + "_zipped", b"\0" + zipped)
        seed("mat73", name, file(0x0200, arrays, 0))
    one_array = file(0x0100, [pixels], 0)
    seed("mat5", "packed_whole", b"\x01" + one_array)  # the target zips what follows the header
    seed("mat5", "cut_short", b"\0" + one_array[:-8])
    seed("mat5", "big_endian", b"\0" + one_array[:124] + b"\x01\x00MI" + one_array[128:])
    seed("mat73", "svhn_zipped", file(0x0200, contents["svhn"], 1))
    seed("mat73", "cut_short", file(0x0200, contents["svhn"], 0)[:-500])


def config():
    whole = """# a comment
include: base.yaml
seed: 3
quiet: true
name: "a run"
scale: 1e-3
ridge: 0.5
share: .25
least: 2
powers: [0.5, 1, 2]
names: [a, 'b c', "d\\n"]
mood: wild
samples: all
path: data/x.npy
weights: [~/w1.npy, ./w2.npy]
network:
  hidden_layers: [16, 1e2]
  optimizer: {epochs: 3}
kernel_machines:
  - {label: one, kernel: laplace}
  - label: two
    kernel: ntk
"""
    seed("config", "whole", whole)
    seed("config", "override", whole + "\0kernel_machines.0.kernel=gaussian")
    seed("config", "override_new", "seed: 1\0network.optimizer.epochs=7")
    seed("config", "override_list", "seed: 1\0powers=[1, 2]")
    seed("config", "unknown_key", "sed: 1\nnetwork: {optimizer: {epoch: 2}}\n")
    seed("config", "wrong_type", "seed: 1.5\n")
    seed("config", "out_of_range", "ridge: -1\n")
    seed("config", "twice", "seed: 1\nseed: 2\n")
    seed("config", "anchors", "network: &n {hidden_layers: [1]}\nkernel_machines: [{label: &l one}, {label: *l}]\n")
    seed("config", "growing_aliases", "a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\nd: [*c, *c]\n")
    seed("config", "nested", "powers: " + "[" * 40 + "]" * 40)
    seed("config", "deep_lines", "".join(" " * i + f"k{i}:\n" for i in range(40)))
    seed("config", "two_documents", "seed: 1\n---\nseed: 2\n")
    seed("config", "includes_itself", "include: a.yaml\n")
    seed("config", "includes", "include: [base.yaml, none.yaml]\n")
    seed("config", "block_text", "name: |\n  two\n  lines\npath: >-\n  folded\n  text\n")
    seed("config", "tags", "name: !!str 3\nseed: !!int 3\nscale: !mine 2\n")
    seed("config", "numbers", "seed: 1e4\nscale: -.5e+2\nleast: 0x10\nridge: .inf\nshare: 9007199254740993\n")
    seed("config", "odd_text", 'name: "\\u00e9\\x01\\0"\nnames: ["~", "null", "1", "- a", "a: b", "#"]\n')
    seed("config", "syntax", "a: [1, 2\nb: }\n")
    seed("config", "scalar", "just text\n")
    seed("config", "empty", "")


def run_json():
    solve = '{"method": "cholesky", "jitter": 0.0, "relative_residual": 1e-8, "iterations": 3, "preconditioner_rank": 2, "stopped": "tolerance"}'
    metrics = '{"accuracy": 0.5, "mse": 0.25, "r2": null}'
    timing = ('{"kernel_seconds": 0.1, "solve_seconds": 0.2, "solve_flops": 1e9, "iteration": 0, "seconds": 0.5, "agop_seconds": 0.1, '
              '"agop_flops": 1e8, "solve_history": [[0.1, 0.5, null], [0.2, 1e-8, 0.3]]}')
    state = (f'{{"iteration": 0, "train": {metrics}, "validation": {metrics}, "test": {metrics}, "bandwidth": 10.0, "solve": {solve}, '
             f'"gradients": {{"form": "gram", "points": 10}}, "timing": {timing}}}')
    seed("run_json", "value", "\x03" + state)
    commit = '{"format": "ansatz state 1", "value": %s, "arrays": {}, "crc32": "00000000"}' % state
    seed("run_json", "state", "\0" + commit)
    for name, text in {"empty_object": "{}", "array": "[]", "null": "null", "number": "1e400", "not_json": "{", "nothing": "",
                       "wrong_types": state.replace("0.1", '"0.1"').replace("10", "-1e300"), "bytes": '{"\\ud800": "\xff"}',
                       "nested": "[" * 100 + "]" * 100, "huge_integer": '{"iteration": 123456789012345678901234567890, "exit_status": 1e300}'}.items():
        seed("run_json", "value_" + name, "\x03" + text)
        seed("run_json", "state_" + name, "\0" + text)
        seed("run_json", "manifest_" + name, "\x01" + text)
    manifest = '{"status": "%s", "start": "2024-01-01T00:00:00Z", "resumed": ["2024-01-02T00:00:00Z"], "version": "1", "exit_status": %s}'
    for status, code in {"running": "null", "finished": "0", "failed": "5", "interrupted": "130", "odd": '"0"', "real": "0.5"}.items():
        seed("run_json", "manifest_" + status, "\x01" + manifest % (status, code))
    seed("run_json", "manifest_resumed_wrong", "\x01" + '{"status": "running", "resumed": "once", "start": 3}')
    seed("run_json", "history", "\x02model,step\nrfm,0,,,1,0\nnetwork,1\ncut sho")
    seed("run_json", "history_empty", "\x02")


def arff():
    head = ("@relation toy\n@attribute x numeric\n@attribute 'two words' real % metres\n@attribute c {red, 'light blue', \"a,b\"}\n"
            "@attribute i string\n@attribute y {0, 1}\n@data\n")
    rows = "1,2.5,red,first,0\n-3e2, 4 ,'light blue','it\\'s',1\n\n% between\n5,6,\"a,b\",\"third\",1\n7,8,red,x,0\n"
    table = (head + rows).encode()
    seed("arff", "nominal", b"\x20" + table)
    seed("arff", "named_target", b"\x28" + table)
    seed("arff", "regression", b"\x21" + table)
    seed("arff", "listed", b"\x30" + table)
    seed("arff", "gzipped", b"\x20" + packed(table))
    seed("arff", "gzip_cut_short", b"\x20" + packed(table)[:-6])
    seed("arff", "mark_and_crlf", b"\x20\xef\xbb\xbf" + table.replace(b"\n", b"\r\n"))
    seed("arff", "old_mac", b"\x20" + table.replace(b"\n", b"\r"))
    seed("arff", "missing_refused", b"\x20" + table.replace(b"2.5", b"?"))
    seed("arff", "missing_dropped", b"\x24" + table.replace(b"2.5", b"?").replace(b"red", b"?", 1))
    seed("arff", "numeric_target", b"\0@RELATION r\n@ATTRIBUTE a INTEGER [0, 9]\n@ATTRIBUTE b NUMERIC\n@DATA\n1,2\n3,4\n")
    for name, text in {"sparse": head + "{0 1, 4 1}\n", "weights": head + "1,2,red,a,0,{5}\n", "undeclared": head + "1,2,green,a,0\n",
                       "word": head + "one,2,red,a,0\n", "ragged": head + "1,2\n", "empty_cell": head + "1,,red,a,0\n",
                       "never_closed": head + "1,2,'red,a,0\n", "after_quote": head + "1,2,'red'x,a,0\n", "no_data": "@relation r\n",
                       "open_list": "@attribute c {a, b\n@data\n", "relational": "@attribute b relational\n", "no_attribute": "@data\n1\n",
                       "unknown_type": "@attribute b number\n", "twice": "@attribute b real\n@attribute b real\n@data\n1,2\n",
                       "text": "a,b\n1,2\n", "empty": ""}.items():
        seed("arff", name, "\0" + text)


def published_results():
    table = ("problema a_R  b_weka\tmin\tmax\tmean\tstd\nabalone 66.1 --\t66.1\t66.1\t66.1\t0.0\nzoo 100.0 0.0\t0.0\t100.0\t50.0\t70.7\n"
             "-------\nmean 83.1 0.0\nstd 24.0 0.0\n")
    seed("published_results", "table", table)
    seed("published_results", "gzipped", packed(table.encode()))
    seed("published_results", "crlf", table.replace("\n", "\r\n"))
    for name, text in {"no_rule": table.split("---")[0], "ragged": table.replace(" --", ""), "no_percentage": table.replace("66.1", "661"),
                       "twice": table.replace("zoo", "abalone"), "no_summaries": table.replace("\tstd\n", "\n"), "header_only": table.split("\n")[0],
                       "after_rule": table + "median 1 2\n", "empty": ""}.items():
        seed("published_results", name, text)


def uci():
    description = ("n_entradas= 2\nn_clases= 3\nn_arquivos= 1\nfich1= a.dat\nn_patrons1= 6\nn_patrons_entrena= 3\nn_patrons_valida= 3\n"
                   "n_conxuntos= 1\n")
    data = "\tf1\tf2\tclase\n1\t0\t0\t0\n2\t1\t-0.5\t1\n3\t2\t-1\t2\n4\t3\t-1.5\t0\n5\t4\t-2\t1\n6\t5\t-2.5\t2\n"
    tuning, folds = "5 0 1 \n4 2 3 \n", "0 1 2 3 \n4 5 \n2 3 4 5 \n0 1 \n0 1 4 5 \n2 3 \n1 2 3 4 \n5 0 \n"

    def case(name, description=description, data=data, tuning=tuning, folds=folds):
        parts = [part if isinstance(part, bytes) else part.encode() for part in (description, data, tuning, folds)]
        seed("uci", name, b"".join(struct.pack("<H", len(part)) for part in parts[:3]) + b"".join(parts))

    case("one_file")
    case("two_files", description.replace("arquivos= 1", "arquivos= 2") + "fich2= b.dat\nn_patrons2= 6\n", folds="")
    case("packed", *(packed(part.encode()) for part in (description, data, tuning, folds)))
    case("crlf", *(part.replace("\n", "\r\n") for part in (description, data, tuning, folds)))
    case("other_halves", tuning="5 0 1 4\n2 3\n")
    case("cut_short", data=packed(data.encode())[:-6])
    case("row_missing", data=data[:-len("6\t5\t-2.5\t2\n")])
    case("not_finite", data=data.replace("-0.5", "nan"))
    case("class_too_large", data=data.replace("-2.5\t2", "-2.5\t3"))
    case("ragged", data=data.replace("-0.5\t", ""))
    case("row_too_large", folds=folds.replace("4 5 \n", "4 6 \n", 1))
    case("row_twice", folds=folds.replace("4 5 \n", "4 4 \n", 1))
    case("row_in_both", folds=folds.replace("4 5 \n", "4 3 \n", 1))
    case("fold_cut_short", folds=folds.replace("5 0 \n", "5 \n"))
    case("half_cut_short", tuning="5 0 \n4 2 3 \n")
    case("key_missing", description.replace("n_clases= 3\n", ""))
    case("key_twice", description + "n_clases= 3\n")
    case("no_number", description.replace("entradas= 2", "entradas= two"))
    case("no_key", description + "just text\n")
    case("empty", "", "", "", "")


for write in npy, text, csv, idx, cifar, stl10, mat, config, run_json, arff, published_results, uci:
    write()
