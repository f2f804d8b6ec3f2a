#!/usr/bin/env python3
"""Writes docs/results*.md from the metrics.json of finished runs, and copies their figures beside it.

usage: write_results.py [--program ANSATZ] PRESET PAGE RUN...     (called by scripts/reproduce)
RUN is .../PRESET/EXPERIMENT, or .../PRESET-CORE/EXPERIMENT of the same experiment with OpenBLAS's kernels for another processor. Sections of
experiments that are not among RUN stay as they are. What was found stays in <PAGE without .md>/findings.json, from which the page is made, and
docs/results.md's table of the paper's claims (scripts/claims.csv) from those of all pages. scripts/notes.md has paragraphs on what still differs.
With a program, findings are judged by what configs/PRESET/EXPERIMENT.yaml expects of them today, not when the run was made.
"""
import argparse
import csv
import fnmatch
import json
import re
import shutil
import subprocess
import sys
from datetime import datetime
from pathlib import Path

SIZES = {"small": "results", "subset": "results-subset", "paper": "results-paper"}
PRESETS = {**SIZES, "kernels": "results-kernels"}
TITLES = {**{size: f"The paper's experiments, {size} size" for size in SIZES}, "kernels": "Networks through kernels"}


def number(finding, key):
    value = finding.get(key)
    if value is None:
        return "–"
    text = f"{value:.2f}" if finding.get("unit") == "%" else f"{value:.4g}"
    return text + (" " + finding["unit"] if finding.get("unit") else "")


def value(finding):
    return number(finding, "value") + (" ± " + number(finding, "standard_error") if "standard_error" in finding else "")


def bound(finding, key):
    low, high = (finding.get(key, {}).get(side) for side in ("at_least", "at_most"))
    return ", ".join(([f"≥ {low:g}"] if low is not None else []) + ([f"≤ {high:g}"] if high is not None else []))


def with_size(sentence, at_this_size):
    """What goes for the paper's sentence, and beside it what goes for the weaker bound of this size."""
    return (sentence or "–") + (f"; at this size {at_this_size}" if at_this_size else "")


def expected(finding):
    return with_size(bound(finding, "bound"), bound(finding, "bound_at_this_size"))


def marked(verdict):
    return f"**{verdict}**" if verdict == "differs" else verdict


def verdict(finding):
    return with_size(marked(finding.get("verdict", "")), marked(finding.get("verdict_at_this_size", "")))


def counted(verdicts):
    """"5 of 9 hold, 1 differs, 3 unclear", by the bounds of the paper's sentences."""
    if not verdicts:
        return "none is judged"
    rest = [f"{verdicts.count(v)} {v}" for v in ("differs", "unclear") if v in verdicts]
    return ", ".join([f"{verdicts.count('holds')} of {len(verdicts)} hold"] + rest)


def verdicts_of(findings):
    return [f["verdict"] for f in findings if "verdict" in f]


def cell(text):
    return text.replace("|", "\\|")


def threads_of(experiment):
    return f"{experiment['threads']} thread{'s' if experiment['threads'] != 1 else ''}"


def span(values):
    return f"{min(values)}" if min(values) == max(values) else f"{min(values)} to {max(values)}"


def sizes(run, metrics):
    """What the parts were trained on, one clause a data set and dimension; or how many sets of which sizes."""
    if "benchmark" in metrics:
        sets = [s for s in metrics["benchmark"]["sets"] if s["results"]]
        return f"{len(sets)} sets, {span([s['rows'] for s in sets])} rows, d = {span([s['dimension'] for s in sets])}"
    found = {}
    for folder in [run / "parts" / part for part in metrics.get("parts", [])] or [run]:
        data = json.loads((folder / "metrics.json").read_text()).get("data")
        if data:
            found.setdefault((data["name"], data["dimension"]), []).append((data["train_size"], data["test_size"]))
    return "; ".join(f"{name}: {span([s[0] for s in counts])} training, {span([s[1] for s in counts])} test samples, d = {dimension}"
                     for (name, dimension), counts in found.items())


def clean_manifest(run):
    """A run's manifest; refuses one of a revision that nobody can get back."""
    manifest = json.loads((run / "manifest.json").read_text())
    if "dirty" in manifest["git_revision"] or "unknown" in manifest["git_revision"]:
        sys.exit(f"write_results.py: {run} was made with uncommitted changes ({manifest['git_revision']}); nothing is written. "
                 "Commit, delete the run and make it again")
    return manifest


def seconds(manifest):
    start, end = (datetime.fromisoformat(manifest[key].replace("Z", "+00:00")) for key in ("start", "end"))
    return round((end - start).total_seconds())


def benchmark_of(run, metrics):
    """What the page keeps of a benchmark besides: when its sets were done, and the sentences and tables of results.md (not its first line, the folder)."""
    if "benchmark" not in metrics:
        return {}
    parts = [json.loads(file.read_text()) for file in sorted(run.glob("parts/*/manifest.json"))]
    parts = [part for part in parts if "end" in part]  # a set that was ended has none
    texts = re.split(r"^## (.+)$", (run / "results.md").read_text(encoding="utf-8"), flags=re.M)
    return {"seconds": seconds({"start": min(p["start"] for p in parts), "end": max(p["end"] for p in parts)}), "resumed": False,
            "part_revisions": sorted({p["git_revision"] for p in parts}), "headline": texts[0].split("\n", 1)[1].strip(),
            "tables": [{"title": title, "text": text.strip()} for title, text in zip(texts[1::2], texts[2::2])]}


def scored(numbers):
    """Scores on test rows among the names of numbers, {model: name}: accuracy where there is any, else R²."""
    for score in "accuracy", "r2":
        found = {m[1]: m[0] for m in (re.fullmatch(rf"models\.(.+)\.test\.{score}", n) for n in numbers) if m}
        if found:
            return found
    return {}


def with_spread(spread, name):
    share = 100 if name.endswith("accuracy") else 1
    return f"{share * spread['mean']:.{2 if share == 100 else 4}f} ± {share * spread['sd']:.{2 if share == 100 else 4}f}"


def table_text(head, rows):
    return "\n".join("| " + " | ".join(row) + " |" for row in [head, ["---"] * len(head)] + rows)


def called(value):
    """A whole section among a sweep's values by the file that it names, else by its name; others as they are."""
    path, name = re.search(r"path: ([^,}]+)", value), re.search(r"name: ([^,}]+)", value)
    if not value.startswith("{") or not (path or name):
        return value
    return Path(path[1]).stem if path else name[1]


def sweep_tables(metrics):
    """What the page keeps of a sweep: each cell's scores on its test rows, by cell and model."""
    sweep = metrics.get("sweep")
    if not sweep:
        return {}
    models = scored(sweep["numbers"])
    keys = [key for axis in sweep["axes"] for key in axis["keys"]]
    rows = [[cell(called(c["values"][key])) for key in keys] + [with_spread(c["numbers"][name], name) for name in models.values()]
            for c in sweep["cells"] if c["runs"][0]["status"] == "done"]
    unit = "accuracy (%)" if next(iter(models.values())).endswith("accuracy") else "R²"
    return {"command": "sweep", "headline": "", "tables": [{"title": f"Test {unit}, mean ± standard deviation over {len(sweep['cells'][0]['runs'])} seeds",
                                                            "text": table_text(keys + list(models), rows)}]}


def comparison_tables(metrics, first):
    """What the page keeps of network and RFM with repeats: scores, and the features with the largest diagonal entries in the first of them."""
    models = scored(metrics.get("summary", {}))
    if not models or metrics.get("experiment") != "feature_comparison":
        return {}
    rows = [[model, with_spread(metrics["summary"][name], name)] for model, name in models.items()]
    unit = "test accuracy (%)" if next(iter(models.values())).endswith("accuracy") else "test R²"
    tables = [{"title": f"Mean ± standard deviation over {metrics['repeats']} seeds", "text": table_text(["model", unit], rows)}]
    top = first.get("top_features")
    if top:
        ranked = [[name] + [", ".join(f["name"] for f in sorted(top["by_feature"], key=lambda f: f["ranks"][i])[:8])]
                  for i, name in enumerate(top["matrices"])]
        tables.append({"title": "Largest diagonal entries, of the inputs that lead in both", "text": table_text(["feature matrix", "inputs"], ranked)})
    return {"headline": "", "tables": tables}


def figures_of(run, metrics):
    """Those that a run's record names; of network and RFM on named inputs the bars of their diagonals."""
    named = [{"file": "top_features", "title": "Largest diagonal entries", "caption": "Largest diagonal entries of W₁ᵀW₁ and M, first seed."}]
    bars = named if metrics.get("top_features") and (run / "images/top_features.png").exists() else []
    return metrics.get("figures", []) + bars


def kernels_of(manifest):
    """"Haswell" of "OpenBLAS 0.3.21 ..., core Haswell, OpenMP"."""
    named = [part.strip()[5:] for part in manifest.get("blas", "").split(",") if part.strip().startswith("core ")]
    return named[0] if named else manifest.get("blas", "unknown")


def copy_figures(page, name, shown, figures):
    """The figures that show no samples of the data set, as the page names them."""
    pictures = page.parent / page.stem
    kept = []
    for figure in figures:
        if figure.get("shows_data"):  # such samples stay in the run's own report
            continue
        target = pictures / f"{name}.{figure['file']}.png"
        shutil.copyfile(shown / "images" / f"{figure['file']}.png", target)
        kept.append({"file": target.name, "title": figure["title"], "caption": figure["caption"]})
    for old in pictures.glob(f"{name}.*.png"):
        if old.name not in [figure["file"] for figure in kept]:
            old.unlink()
    return kept


def findings_of(program, preset, run):
    """A run's findings, judged by its config as it is now if there is a program to do it."""
    found = json.loads((run / "metrics.json").read_text()).get("findings", {"list": []})
    if not program or not found["list"]:
        return found
    config = Path(__file__).resolve().parent.parent / f"configs/{preset}/{run.name}.yaml"
    judged = subprocess.run([program, "judge-again", config, run], capture_output=True, text=True)
    if judged.returncode != 0:
        sys.exit(f"write_results.py: {run} is not judged: {judged.stderr.strip()}")
    return json.loads(judged.stdout)


def taken(page, run, findings):
    """What the page keeps of a run."""
    metrics, manifest = json.loads((run / "metrics.json").read_text()), clean_manifest(run)
    repeats = metrics.get("repeats")
    shown, of = (run / "repeat-1", json.loads((run / "repeat-1/metrics.json").read_text())) if repeats else (run, metrics)
    return {"revision": manifest["git_revision"], "seconds": seconds(manifest), "resumed": bool(manifest.get("resumed")),
            "threads": manifest["threads"], "cpu": manifest.get("host", {}).get("cpu", ""), "kernels": kernels_of(manifest),
            "about": sizes(shown, of), "repeats": repeats or 1, "differs": findings.get("differs", ""),
            "findings": findings["list"], "figures": copy_figures(page, run.name, shown, figures_of(shown, of)), **benchmark_of(run, of), **sweep_tables(metrics),
            **comparison_tables(metrics, of)}


def second_machine(experiment):
    """How far the numbers came out with another processor's kernels: the largest change in standard errors, and verdicts that change."""
    second = experiment.get("second")
    if not second:
        return ""
    others = {f["name"]: f for f in second["findings"]}
    moved, changed, judged = (0, ""), [], 0
    for f in experiment["findings"]:
        other = others.get(f["name"])
        if other is None or "verdict" not in f:
            continue
        judged += 1
        error, a, b = f.get("standard_error"), f.get("value"), other.get("value")
        if error and a is not None and b is not None and abs(a - b) / error > moved[0]:
            moved = (abs(a - b) / error, f"{f['meaning']}: {number(f, 'value')} and {number(other, 'value')}")
        if other.get("verdict") != f["verdict"]:
            changed.append(f"{f['meaning']} ({f['verdict']}, there {other.get('verdict')})")
    text = f"A second machine ({second['kernels']} kernels, revision {second['revision']}): "
    text += f"of {judged} verdicts " + ("none changes" if not changed else f"{len(changed)} change{'s' if len(changed) == 1 else ''}: " + "; ".join(changed))
    return text + (f". Largest change, {moved[0]:.1f} standard errors: {moved[1]}." if moved[1] else ". No number changes.")


def notes_on(preset, name):
    """What scripts/notes.md says of an experiment at a size: what was tried where it still differs, and the likely reason."""
    text = (Path(__file__).parent / "notes.md").read_text(encoding="utf-8")
    parts = re.split(r"^## (.+)$", text, flags=re.M)
    return next((body.strip() for title, body in zip(parts[1::2], parts[2::2]) if title.strip() == f"{preset}/{name}"), "")


def long_table(table):
    """Set by set, and folded up."""
    return table["text"].count("\n|") > 25


def revision_of(experiment):
    others = [r for r in experiment.get("part_revisions", []) if r != experiment["revision"]]
    return experiment["revision"] + (f" (sets done by {', '.join(others)})" if others else "")


def tables_of(experiment, long):
    lines = []
    for table in experiment.get("tables", []):
        if long_table(table) != long:
            continue
        lines += ([f"<details><summary>{table['title']}</summary>", "", table["text"], "", "</details>", ""] if long else
                  [f"### {table['title']}", table["text"], ""])
    return lines


def section(preset, page, name, experiment):
    repeats = experiment["repeats"]
    about = experiment["about"] + (f", {repeats} seeds (means; pictures of the first)" if repeats > 1 else "")
    resumed = " (resumed: the last stretch only)" if experiment["resumed"] else ""
    found = f"Findings: {counted(verdicts_of(experiment['findings']))}." if experiment["findings"] else ""
    lines = [f"## {name}", f"`build/ansatz {experiment.get('command', 'run')} configs/{preset}/{name}.yaml`: {experiment['seconds']} s{resumed}, {threads_of(experiment)}, "
             f"revision {revision_of(experiment)}. {about + '. ' if about else ''}{found}", ""]
    if experiment["differs"]:
        lines += [f"Differs from the paper: {experiment['differs']}.", ""]
    if notes := notes_on(preset, name):
        lines += [notes, ""]
    if experiment.get("second"):
        lines += [cell(second_machine(experiment)), ""]
    if experiment.get("headline"):
        lines += [experiment["headline"], ""]
    lines += tables_of(experiment, long=False)
    if experiment["findings"]:
        lines += ["| finding | paper | here | expected | verdict |", "|---|---|---|---|---|"]
    for f in experiment["findings"]:
        source = f" ({f['source']})" if "source" in f else ""
        lines.append(f"| {cell(f['meaning'])} | {number(f, 'paper')}{cell(source)} | {value(f)} | {expected(f)} | {verdict(f)} |")
    lines.append("")
    lines += tables_of(experiment, long=True)
    for figure in experiment["figures"]:
        lines += [f"![{figure['title']}]({page.stem}/{figure['file']})", "", f"*{figure['caption']}*", ""]
    return "\n".join(lines)


def kept_findings(page):
    file = page.parent / page.stem / "findings.json"
    return json.loads(file.read_text()) if file.exists() else {}


def judged(experiments, claim):
    """The verdicts on a claim on one page: "holds", or how many of several findings do; empty where it is not judged there."""
    verdicts = []
    for pattern in claim["findings"].split():
        experiment, finding = pattern.split(":")
        for f in experiments.get(experiment, {}).get("findings", []):
            if fnmatch.fnmatchcase(f["name"], finding) and "verdict" in f:
                verdicts.append(f["verdict"])
    if not verdicts:
        return ""
    return marked(verdicts[0]) if len(set(verdicts)) == 1 else counted(verdicts)


def claims_table(folder, claims):
    """A row a claim of the paper: where it stands, where it is judged, and what came out at each size."""
    pages = {preset: kept_findings(folder / f"{stem}.md") for preset, stem in SIZES.items()}
    lines = ["## The paper's claims", "", "| paper | claim | judged in | small | subset | paper size |", "|---|---|---|---|---|---|"]
    for claim in claims:
        found = [judged(pages[preset], claim) or "–" for preset in SIZES]
        where = ", ".join(dict.fromkeys(pattern.split(":")[0] for pattern in claim["findings"].split())) or claim["why_not"]
        lines.append(f"| {cell(claim['paper'])} | {cell(claim['claim'])} | {cell(where)} | " + " | ".join(found) + " |")
    return "\n".join(lines) + "\n"


def benchmarks_elsewhere(folder):
    """The summaries of the benchmarks on the other pages, each with where the rest of it stands."""
    lines = []
    for preset, stem in SIZES.items():
        if preset == "small":
            continue
        for name, experiment in sorted(kept_findings(folder / f"{stem}.md").items()):
            for table in experiment.get("tables", []):
                if re.search(r"^\| method \| source \|", table["text"], flags=re.M):  # the summary, of one task
                    lines += [f"### {name}, {preset} size: {table['title']}", f"{experiment['about']}; [set by set, and against the paper's "
                              f"sentences]({stem}.md#{name}).", "", table["text"], ""]
    return "\n".join(["## Benchmarks", ""] + lines) if lines else ""


def minutes_of(experiments):
    text = f"{round(sum(e['seconds'] for e in experiments) / 60)} minutes"
    return "more than " + text if any(e["resumed"] for e in experiments) else text


def page_text(preset, page, experiments, claims):
    machines = sorted({f"{e['cpu']}, {e['kernels']} kernels of OpenBLAS, {threads_of(e)}" for e in experiments.values()})
    text = (f"# {TITLES[preset]}\n\nWritten by `scripts/reproduce {preset}`; every number is in the run's "
            "`metrics.json`. ± is one standard error: over seeds, of an accuracy by its number of test rows, or over the sets of a benchmark. \"Expected\" is the bound that the "
            "paper's sentence states and, where the size forces one, a weaker bound beside it. A finding holds, or differs, if it keeps two standard "
            f"errors from the bound; it is unclear between, or where a single run cannot tell. Made on: {'; '.join(machines)}; "
            f"all of it took {minutes_of(experiments.values())}.\n\n")
    for name, experiment in sorted(experiments.items()):
        found = counted(verdicts_of(experiment["findings"])) if experiment["findings"] else "scores"
        text += f"- [{name}](#{name}): {found}, {experiment['seconds']} s\n"
    if claims:
        text += "\n" + claims_table(page.parent, claims) + "\n" + benchmarks_elsewhere(page.parent)
    return text + "\n" + "\n".join(section(preset, page, name, e).rstrip() + "\n" for name, e in sorted(experiments.items()))


def main():
    parser = argparse.ArgumentParser(usage="write_results.py [--program ANSATZ] PRESET PAGE RUN...")
    parser.add_argument("--program")
    parser.add_argument("preset")
    parser.add_argument("page", type=Path)
    parser.add_argument("runs", type=Path, nargs="*")
    arguments = parser.parse_args()
    program, preset, page, runs = arguments.program, arguments.preset, arguments.page, arguments.runs
    for run in runs:
        clean_manifest(run)
    (page.parent / page.stem).mkdir(parents=True, exist_ok=True)
    experiments = kept_findings(page)
    for run in runs:
        if run.parent.name == preset:
            experiments[run.name] = {**taken(page, run, findings_of(program, preset, run)), "second": experiments.get(run.name, {}).get("second")}
        elif run.name in experiments:
            manifest = clean_manifest(run)
            experiments[run.name]["second"] = {"kernels": kernels_of(manifest), "revision": manifest["git_revision"],
                                               "findings": findings_of(program, preset, run)["list"]}
        else:
            sys.exit(f"write_results.py: {run} is a second machine's, but {page} has no {run.name} of the first")
    (page.parent / page.stem / "findings.json").write_text(json.dumps(experiments, indent=1, ensure_ascii=False) + "\n")
    write_page(preset, page)
    small = page.parent / f"{PRESETS['small']}.md"
    if preset != "small" and small.exists():  # its tables of claims and of benchmarks are of all pages
        write_page("small", small)


def write_page(preset, page):
    page.write_text(page_text(preset, page, kept_findings(page), read_claims() if preset == "small" else []))
    print(f"written: {page}")


def read_claims():
    with open(Path(__file__).parent / "claims.csv", newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


if __name__ == "__main__":
    main()
