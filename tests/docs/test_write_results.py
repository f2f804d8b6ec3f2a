#!/usr/bin/env python3
"""What scripts/write_results.py makes of finished runs: pages, verdicts, the table of claims, a second machine, and what it refuses.

usage: test_write_results.py SCRIPTS     (the folder scripts/)
"""
import csv
import fnmatch
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

SCRIPTS = Path(sys.argv[1])
EMPTY_PICTURE = b"\x89PNG\r\n"


def finding(name, value, error=None, verdict=None, **more):
    one = {"name": name, "meaning": f"what {name} means", "value": value, **more}
    if error is not None:
        one["standard_error"] = error
    if verdict:
        one.update(verdict=verdict, bound={"at_least": 0.8})
    return one


def write_run(folder, findings, revision="0123abcd", core="Prescott", figures=("shown",)):
    (folder / "images").mkdir(parents=True, exist_ok=True)
    listed = [{"file": name, "title": name, "caption": f"caption of {name}"} for name in figures]
    listed.append({"file": "people", "title": "people", "caption": "", "shows_data": True})
    for figure in listed:
        (folder / "images" / f"{figure['file']}.png").write_bytes(EMPTY_PICTURE)
    (folder / "metrics.json").write_text(json.dumps({
        "data": {"name": "tiny", "dimension": 3, "train_size": 5, "test_size": 4},
        "findings": {"differs": "fewer rows", "list": findings}, "figures": listed}))
    (folder / "manifest.json").write_text(json.dumps({
        "git_revision": revision, "start": "2026-01-01T00:00:00Z", "end": "2026-01-01T00:01:40Z", "threads": 2,
        "blas": f"OpenBLAS 0.3.21, core {core}, OpenMP", "host": {"cpu": "a processor"}}))
    return folder


def write_page(*arguments):
    return subprocess.run([sys.executable, SCRIPTS / "write_results.py", *arguments], capture_output=True, text=True)


def check(holds, words):
    if not holds:
        sys.exit(f"write_results.py: {words}")


def test_pages(folder):
    page = folder / "results.md"
    svhn = write_run(folder / "small/svhn", [
        finding("a", 0.9, 0.01, "holds"), finding("b", 0.7, 0.01, "differs", verdict_at_this_size="holds", bound_at_this_size={"at_least": 0.6}),
        finding("c", 0.8, 0.1, "unclear"), finding("d", None)])
    low_rank = write_run(folder / "small/low_rank", [finding("e", 1.0, 0.0, "holds")])
    done = write_page("small", page, svhn, low_rank)
    check(done.returncode == 0, done.stderr)
    text = page.read_text()
    for words in ("- [svhn](#svhn): 1 of 3 hold, 1 differs, 1 unclear, 100 s", "- [low_rank](#low_rank): 1 of 1 hold, 100 s",
                  "revision 0123abcd", "| what b means | – | 0.7 ± 0.01 | ≥ 0.8; at this size ≥ 0.6 | **differs**; at this size holds |",
                  "| what d means | – | – | – | – |", "Differs from the paper: fewer rows.", "tiny: 5 training, 4 test samples, d = 3",
                  "a processor, Prescott kernels of OpenBLAS, 2 threads; all of it took 3 minutes.", "![shown](results/svhn.shown.png)", "## The paper's claims"):
        check(words in text, f"the page lacks: {words}\n{text}")
    check(not (folder / "results/svhn.people.png").exists(), "a picture of people was copied")

    # Made again without its figure: the old picture goes, the other section stays.
    check(write_page("small", page, write_run(svhn, [finding("a", 0.9, 0.01, "holds")], figures=("new",))).returncode == 0, "second time")
    check(not (folder / "results/svhn.shown.png").exists() and (folder / "results/svhn.new.png").exists(), "pictures of an earlier run")
    check("[low_rank](#low_rank): 1 of 1 hold" in page.read_text(), "the section of a run that was not made again is gone")


def write_benchmark(folder, parts_revision):
    run = write_run(folder, [finding("gap.a.b", 1.0, 0.1, "holds")], figures=("ranks",))
    metrics = json.loads((run / "metrics.json").read_text())
    del metrics["data"]
    metrics["benchmark"] = {"sets": [{"rows": 10, "dimension": 3, "results": [{}]}, {"rows": 90, "dimension": 4, "results": [{}]},
                                     {"rows": 5, "dimension": 5, "results": []}]}
    (run / "metrics.json").write_text(json.dumps(metrics))
    rows = "\n".join(f"| set {i} | {i} |" for i in range(30))
    (run / "results.md").write_text("# /somebody/s/folder\n\nA is the best.\n\n## Classification\n\n| method | source | sets |\n|---|---|---:|\n"
                                    f"| A | here | 2 |\n\na note\n\n## Accuracy on each set\n\n| set | n |\n|---|---:|\n{rows}\n")
    for name, start, end in (("a", "00:00:00", "00:00:30"), ("b", "00:00:10", "00:02:00")):
        (run / "parts" / name).mkdir(parents=True)
        (run / "parts" / name / "manifest.json").write_text(json.dumps(
            {"git_revision": parts_revision, "start": f"2025-12-31T{start}Z", "end": f"2025-12-31T{end}Z"}))
    return run


def test_sweep_and_comparison(folder):
    """Runs without findings: the scores of a sweep's cells, and those of network and RFM over the seeds with the inputs that lead."""
    page = folder / "results-kernels.md"
    sweep, words = write_run(folder / "kernels/width", []), write_run(folder / "kernels/words", [], figures=())
    numbers = {"models.network.test.accuracy": {"mean": 0.875, "sd": 0.01}, "models.rfm.test.accuracy": {"mean": 0.9, "sd": 0.02}}
    record = {"axes": [{"keys": ["dataset"], "values": []}], "numbers": list(numbers), "cells": [
        {"values": {"dataset": value}, "runs": [{"status": status}] * 3, "numbers": numbers}
        for value, status in [("{name: mnist, train_size: 5}", "done"), ("{name: csv, path: $ANSATZ_DATA/t/magic.csv}", "done"), ("5", "failed")]]}
    (sweep / "metrics.json").write_text(json.dumps({"sweep": record, "figures": []}))
    (words / "repeat-1/images").mkdir(parents=True)
    (words / "repeat-1/images/top_features.png").write_bytes(EMPTY_PICTURE)
    (words / "metrics.json").write_text(json.dumps({"experiment": "feature_comparison", "repeats": 3, "summary": numbers}))
    top = {"matrices": ["network.nfm", "rfm.M1"], "by_feature": [{"name": "call", "ranks": [2, 1]}, {"name": "txt", "ranks": [1, 3]}]}
    (words / "repeat-1/metrics.json").write_text(json.dumps({
        "data": {"name": "texts", "dimension": 3, "train_size": 5, "test_size": 4}, "top_features": top}))
    done = write_page("kernels", page, sweep, words)
    check(done.returncode == 0, done.stderr)
    text = page.read_text()
    for part in ("`build/ansatz sweep configs/kernels/width.yaml`", "over 3 seeds", "| dataset | network | rfm |", "| mnist | 87.50 ± 1.00 | 90.00 ± 2.00 |",
                 "| magic | 87.50 ± 1.00", "- [width](#width): scores, 100 s", "| network | 87.50 ± 1.00 |", "| network.nfm | txt, call |",
                 "| rfm.M1 | call, txt |", "results-kernels/words.top_features.png"):
        check(part in text, f"{part} is not on the page:\n{text}")
    check("| 5 |" not in text and "| finding |" not in text, "a failed cell, or an empty table of findings, is on the page")


def test_benchmark(folder):
    small, paper = folder / "results.md", folder / "results-paper.md"
    write_page("small", small, write_run(folder / "small/svhn", [finding("a", 0.9, 0.01, "holds")]))
    check("## Benchmarks" not in small.read_text(), "benchmarks where there is none")
    done = write_page("paper", paper, write_benchmark(folder / "paper/uci", "4567cdef"))
    check(done.returncode == 0, done.stderr)
    text = paper.read_text()
    for words in ("- [uci](#uci): 1 of 1 hold, 120 s", "revision 0123abcd (sets done by 4567cdef). 2 sets, 10 to 90 rows, d = 3 to 4.", "A is the best.",
                  "### Classification\n| method", "<details><summary>Accuracy on each set</summary>", "| set 29 | 29 |",
                  "![ranks](results-paper/uci.ranks.png)"):
        check(words in text, f"the page of a benchmark lacks: {words}\n{text}")
    check("somebody" not in text + (folder / "results-paper/findings.json").read_text(), "the folder of the collection is on the page")
    check(text.index("### Classification") < text.index("| finding |") < text.index("<details>"), "tables in another order")
    text = small.read_text()  # written again, without runs of its own
    for words in ("### uci, paper size: Classification", "(results-paper.md#uci)", "| A | here | 2 |", "- [svhn](#svhn)"):
        check(words in text, f"docs/results.md lacks: {words}\n{text}")
    check("set 29" not in text, "set by set on docs/results.md")


def test_second_machine(folder):
    page = folder / "results.md"
    write_page("small", page, write_run(folder / "small/svhn", [finding("a", 0.9, 0.01, "holds"), finding("b", 0.5, 0.01, "differs")]))
    second = write_run(folder / "small-Haswell/svhn", [finding("a", 0.82, 0.02, "unclear"), finding("b", 0.51, 0.01, "differs")], core="Haswell")
    done = write_page("small", page, second)
    check(done.returncode == 0, done.stderr)
    text = page.read_text()
    check("of 2 verdicts 1 changes: what a means (holds, there unclear)" in text and "8.0 standard errors: what a means: 0.9 and 0.82" in text, text)
    check("| what a means | – | 0.9 ± 0.01" in text, "the first machine's numbers have been replaced")
    alone = write_page("small", page, write_run(folder / "small-Haswell/theory", []))
    check(alone.returncode != 0 and "no theory of the first" in alone.stderr, "a second machine's run without a first")


def test_judged_by_todays_config(folder):
    page, program = folder / "results.md", folder / "ansatz"
    run = write_run(folder / "small/svhn", [finding("a", 0.9, 0.01, "holds")])
    program.write_text(f"#!{sys.executable}\nimport json, sys\n"
                       "assert sys.argv[1] == 'judge-again' and sys.argv[2].endswith('configs/small/svhn.yaml'), sys.argv\n"
                       "found = json.load(open(sys.argv[3] + '/metrics.json'))['findings']\n"
                       "found['list'][0].update(verdict='differs', bound={'at_least': 0.99})\n"
                       "print(json.dumps({**found, 'differs': 'words of today'}))\n")
    program.chmod(0o755)
    done = write_page("--program", program, "small", page, run)
    check(done.returncode == 0, done.stderr)
    for words in ("Differs from the paper: words of today.", "| what a means | – | 0.9 ± 0.01 | ≥ 0.99 | **differs** |"):
        check(words in page.read_text(), f"the page lacks: {words}\n{page.read_text()}")
    program.write_text("#!/bin/sh\necho 'ansatz: no such config' >&2\nexit 2\n")
    refused = write_page("--program", program, "small", page, run)
    check(refused.returncode != 0 and "no such config" in refused.stderr, "a run that was not judged")


def expected_names():
    """Per experiment, the names of the findings that its configs expect something of."""
    names = {}
    for config in SCRIPTS.parent.glob("configs/*/*.yaml"):
        names.setdefault(config.stem, set()).update(re.findall(r"- \{name: ([\w.*]+)", config.read_text(encoding="utf-8")))
    return names


def test_claims_are_judged(_):
    names = expected_names()
    for claim in csv.DictReader((SCRIPTS / "claims.csv").read_text(encoding="utf-8").splitlines()):
        for pattern in claim["findings"].split():
            experiment, finding = pattern.split(":")
            check(fnmatch.filter(names.get(experiment, ()), finding), f"no config of {experiment} expects anything of {finding}: {claim['claim']}")


def test_claims(folder):
    claims = list(csv.DictReader((SCRIPTS / "claims.csv").read_text(encoding="utf-8").splitlines()))
    check(len(claims) >= 50, "the paper has more claims")
    for claim in claims:
        check(claim["paper"] and claim["claim"], f"a row without its claim: {claim}")
        check(bool(claim["findings"]) != bool(claim["why_not"]), f"judged, or a reason why not: {claim}")
    judged = next(c for c in claims if c["findings"])
    experiment, name = judged["findings"].split()[0].split(":")
    name = name.replace("*", "x").replace("[", "").replace("]", "")
    write_page("paper", folder / "results-paper.md", write_run(folder / f"paper/{experiment}", [finding(name, 0.1, 0.01, "differs")]))
    write_page("small", folder / "results.md", write_run(folder / f"small/{experiment}", [finding(name, 0.9, 0.01, "holds")]))
    row = next(line for line in (folder / "results.md").read_text().splitlines() if judged["claim"] in line)
    check(row.endswith("| holds | – | **differs** |"), row)
    check("The paper's claims" not in (folder / "results-paper.md").read_text(), "the table of claims is on one page")


def test_notes(folder):
    text = (SCRIPTS / "notes.md").read_text(encoding="utf-8")
    titles = re.findall(r"^## (.+)$", text, flags=re.M)
    check(len(set(titles)) == len(titles), "a section of notes.md stands there twice")
    for title in titles:
        check((SCRIPTS.parent / f"configs/{title}.yaml").exists(), f"notes.md has a section on no config: {title}")
        preset, name = title.split("/")
        page = folder / "page.md"
        check(write_page(preset, page, write_run(folder / title, [])).returncode == 0, title)
        first = text.split(f"## {title}\n", 1)[1].strip().splitlines()[0]
        check(first in page.read_text(), f"the page lacks its note: {first}")


def test_what_does_not_hold_has_a_note(_):
    titles = re.findall(r"^## (.+)$", (SCRIPTS / "notes.md").read_text(encoding="utf-8"), flags=re.M)
    for preset, stem in (("small", "results"), ("subset", "results-subset"), ("paper", "results-paper")):
        kept = json.loads((SCRIPTS.parent / f"docs/{stem}/findings.json").read_text(encoding="utf-8"))
        for name, experiment in kept.items():
            open_ones = [f["name"] for f in experiment.get("findings", []) if f.get("verdict") in ("differs", "unclear")]
            check(not open_ones or f"{preset}/{name}" in titles,
                  f"notes.md says nothing of {preset}/{name}, where these differ or are unclear: {', '.join(open_ones)}")


def test_refusals(folder):
    page = folder / "results.md"
    done = write_page("small", page, write_run(folder / "small/svhn", [], revision="0123abcd-dirty"))
    check(done.returncode != 0 and "uncommitted changes" in done.stderr and not page.exists(), "a dirty revision was written")


def main():
    for test in (test_pages, test_sweep_and_comparison, test_benchmark, test_second_machine, test_judged_by_todays_config, test_claims, test_claims_are_judged, test_notes,
                 test_what_does_not_hold_has_a_note, test_refusals):
        with tempfile.TemporaryDirectory() as folder:
            test(Path(folder))


if __name__ == "__main__":
    main()
