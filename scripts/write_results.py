#!/usr/bin/env python3
"""Writes docs/results*.md from the metrics.json of finished runs, and copies their figures beside it.

usage: write_results.py PRESET PAGE RUN...     (called by scripts/reproduce)
Sections of experiments that are not among RUN stay as they stand on the page.
"""
import json
import re
import shutil
import sys
from datetime import datetime
from pathlib import Path


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


def counted(findings):
    """"5 of 9 hold, 1 differs, 3 unclear", by the bounds of the paper's sentences."""
    verdicts = [f["verdict"] for f in findings["list"] if "verdict" in f]
    if not verdicts:
        return "none is expected"
    rest = [f"{verdicts.count(v)} {v}" for v in ("differs", "unclear") if v in verdicts]
    return ", ".join([f"{verdicts.count('holds')} of {len(verdicts)} hold"] + rest)


def cell(text):
    return text.replace("|", "\\|")


def span(values):
    return f"{min(values)}" if min(values) == max(values) else f"{min(values)} to {max(values)}"


def sizes(run, metrics):
    """What the parts were trained on, one clause a data set and dimension."""
    found = {}
    for folder in [run / "parts" / part for part in metrics.get("parts", [])] or [run]:
        data = json.loads((folder / "metrics.json").read_text()).get("data")
        if data:
            found.setdefault((data["name"], data["dimension"]), []).append((data["train_size"], data["test_size"]))
    return "; ".join(f"{name}: {span([s[0] for s in counts])} training, {span([s[1] for s in counts])} test samples, d = {dimension}"
                     for (name, dimension), counts in found.items())


def seconds(run):
    manifest = json.loads((run / "manifest.json").read_text())
    start, end = (datetime.fromisoformat(manifest[key].replace("Z", "+00:00")) for key in ("start", "end"))
    return (end - start).total_seconds(), manifest


def section(preset, page, run):
    metrics = json.loads((run / "metrics.json").read_text())
    name = run.name
    seeds = f", {metrics['repeats']} seeds (means; pictures of the first)" if "repeats" in metrics else ""
    shown, of = (run / "repeat-1", json.loads((run / "repeat-1/metrics.json").read_text())) if seeds else (run, metrics)
    spent, manifest = seconds(run)
    resumed = " (resumed: the last stretch only)" if manifest.get("resumed") else ""
    findings = metrics["findings"]
    about = sizes(shown, of) + seeds
    lines = [f"## {name}", f"`build/ansatz run configs/{preset}/{name}.yaml`: {spent:.0f} s{resumed}, {manifest['threads']} threads, "
             f"revision {manifest['git_revision']}. {about + '. ' if about else ''}Findings: {counted(findings)}.", ""]
    if "differs" in findings:
        lines += [f"Differs from the paper: {findings['differs']}.", ""]
    lines += ["| finding | paper | here | expected | verdict |", "|---|---|---|---|---|"]
    for f in findings["list"]:
        source = f" ({f['source']})" if "source" in f else ""
        lines.append(f"| {cell(f['meaning'])} | {number(f, 'paper')}{cell(source)} | {value(f)} | {expected(f)} | {verdict(f)} |")
    lines.append("")
    pictures = page.parent / page.stem
    for figure in of.get("figures", []):
        if figure.get("shows_data"):  # samples of the data set stay in the run's own report
            continue
        pictures.mkdir(exist_ok=True)
        target = pictures / f"{name}.{figure['file']}.png"
        shutil.copyfile(shown / "images" / f"{figure['file']}.png", target)
        lines += [f"![{figure['title']}]({pictures.name}/{target.name})", "", f"*{figure['caption']}*", ""]
    return "\n".join(lines)


def existing_sections(page):
    if not page.exists():
        return {}
    parts = re.split(r"^## (.+)$", page.read_text(), flags=re.M)
    return {parts[i]: f"## {parts[i]}{parts[i + 1]}" for i in range(1, len(parts), 2)}


def main():
    preset, page, runs = sys.argv[1], Path(sys.argv[2]), [Path(a) for a in sys.argv[3:]]
    sections = existing_sections(page)
    sections.update({run.name: section(preset, page, run) for run in runs})
    head = (f"# The paper's experiments, {preset} size\n\nWritten by `scripts/reproduce {preset}`; every number is in the run's "
            "`metrics.json`. ± is one standard error, over seeds or of an accuracy by its number of test rows. \"Expected\" is the bound that the "
            "paper's sentence states, and, where the size forces one, a weaker bound beside it. A finding is unclear where the bound lies within "
            "two standard errors, or where a single run cannot tell.\n\n")
    for _, text in sorted(sections.items()):
        name, spent, held = re.match(r"## (\S+)\n.*?: (\d+) s.*?(?:Findings: |\. )(\d+ of \d+ [^.]*|none is expected)\.", text, re.S).groups()
        head += f"- [{name}](#{name}): {held}, {spent} s\n"
    page.write_text(head + "\n" + "\n".join(text.rstrip() + "\n" for _, text in sorted(sections.items())))
    print(f"written: {page}")


if __name__ == "__main__":
    main()
