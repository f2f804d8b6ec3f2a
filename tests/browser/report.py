#!/usr/bin/env python3
"""Reports as a browser shows and prints them. Makes small runs with the program and looks at their pages in Debian's
chromium: in light and dark, in windows of 1280 and 390 pixels, and on paper.

usage: report.py PROGRAM [--keep FOLDER]     with --keep, the runs, pictures of the pages and their PDFs stay there
Exit status: 0 well; 1 something a reader would mind, each on a line; 77 no chromium here.
"""

import base64
import hashlib
import os
import random
import re
import shutil
import struct
import subprocess
import sys
import tempfile

import devtools

HERE = os.path.dirname(os.path.abspath(__file__))
WIDTHS = {1280: 900, 390: 844}
SMALLEST = 8  # CSS pixels that text is high on a screen
PAPER = (8.27, 11.69, 15 / 25.4)  # inches: A4 and the margins that the pages state
SMALLEST_ON_PAPER = 5.5
MOST = 20  # complaints about a page

MODELS = """
seed: 1
network: {hidden_layers: [24], epochs: 4, batch_size: 16, optimizer: {name: sgd, learning_rate: 0.2}}
rfm: {kernel: laplace, bandwidth: 5, ridge: 1.0e-3, iterations: 2}
kernel_machines:
  - {label: laplace, kernel: laplace, bandwidth: 5, ridge: 1.0e-3}
  - {label: ntk2, kernel: ntk, depth: 2, ridge: 1.0e-3}
"""


def write_npy(path, kind, shape, values):
    header = f"{{'descr': '<{kind[0]}', 'fortran_order': False, 'shape': ({', '.join(map(str, shape))},), }}"
    header += " " * (63 - (len(header) + 10) % 64) + "\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
        file.write(struct.pack(f"<{len(values)}{kind[1]}", *values))


def make_images(folder):
    """Three classes of 3 x 6 x 6 pictures: a bright spot, noise around it."""
    draw, dimension = random.Random(1), 108
    for part, count in (("train", 90), ("test", 30)):
        labels = [i % 3 for i in range(count)]
        pixels = []
        for label in labels:
            row = [draw.gauss(0, 0.3) for _ in range(dimension)]
            row[36 * label + 14 + label] += 2
            pixels += row
        write_npy(f"{folder}/{part}.npy", ("f4", "f"), (count, dimension), pixels)
        write_npy(f"{folder}/{part}_labels.npy", ("i8", "q"), (count,), labels)
    return """experiment: feature_comparison
dataset: {name: arrays, train_inputs: train.npy, train_targets: train_labels.npy, test_inputs: test.npy,
          test_targets: test_labels.npy, task: classification, image_shape: [3, 6, 6], validation_fraction: 0.2}
""" + MODELS


def make_table(folder):
    draw = random.Random(2)
    names = ["income", "age", "a_rather_long_name_of_a_measured_quantity", "household size", "x5", "x6"]
    with open(f"{folder}/table.csv", "w") as file:
        file.write(",".join(names) + ",price\n")
        for _ in range(120):
            row = [draw.gauss(0, 1) for _ in names]
            file.write(",".join(f"{v:.4f}" for v in row + [row[0] * row[2] + 0.1 * draw.gauss(0, 1)]) + "\n")
    return """experiment: feature_comparison
dataset: {name: csv, path: table.csv, task: regression, target: price, test_fraction: 0.25, validation_fraction: 0.2, normalize: standardize}
""" + MODELS


def run(program, folder, *arguments):
    result = subprocess.run([program, *arguments], cwd=folder, capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(f"ansatz {' '.join(arguments)}: exit status {result.returncode}\n{result.stderr}")


def make_pages(program, folder):
    """Path of every page, by what it is."""
    for name, text in (("images", make_images(folder)), ("table", make_table(folder))):
        with open(f"{folder}/{name}.yaml", "w") as file:
            file.write(text)
        run(program, folder, "run", name + ".yaml", "--out", name, "--quiet")
    run(program, folder, "run", "table.yaml", "--out", "repeats", "--set", "repeats=2", "--quiet")
    run(program, folder, "run", os.path.join(HERE, "parts.yaml"), "--out", "parts", "--quiet")
    run(program, folder, "report", "images", "table", "--out", "both.html")
    pages = {name: f"{folder}/{name}/report.html" for name in ("images", "table", "repeats", "parts")}
    return {**pages, "both": f"{folder}/both.html"}


def script_is_allowed(page):
    """The page's policy names the hash of the page's script: no browser is needed to see it."""
    with open(page) as file:
        html = file.read()
    script = re.search(r"<script>(.*?)</script>", html, re.S).group(1)
    right = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    if f"'sha256-{right}'" not in html:
        return [f"kContentPolicy (viz/page/page_style.cpp) is to name the script as it is now: 'sha256-{right}'"]
    return []


def what_happened(browser, url):
    """Errors on the console, and whatever the page asked for beside itself."""
    complaints = []
    for event in browser.events:
        method, parameters = event["method"], event["params"]
        if method == "Runtime.exceptionThrown":
            complaints.append("script: " + parameters["exceptionDetails"]["text"])
        elif method == "Log.entryAdded" and parameters["entry"]["level"] in ("error", "warning"):
            complaints.append("console: " + parameters["entry"]["text"])
        elif method == "Runtime.consoleAPICalled":
            complaints.append("console: " + parameters["type"])
        elif method == "Network.requestWillBeSent":
            asked = parameters["request"]["url"]
            if asked != url and not asked.startswith("data:"):
                complaints.append("asks for " + asked[:100])
    return complaints


def measured(browser, kind, smallest, page_height=0):
    with open(os.path.join(HERE, "measure.js")) as file:
        script = file.read()
    options = f'{{kind: "{kind}", smallest: {smallest}, pageHeight: {page_height}}}'
    return browser.evaluate(f"({script.rstrip()})({options})")


def keep_picture(browser, path):
    size = browser.call("Page.getLayoutMetrics")["cssContentSize"]
    clip = {"x": 0, "y": 0, "width": size["width"], "height": min(size["height"], 16000), "scale": 1}
    data = browser.call("Page.captureScreenshot", clip=clip, captureBeyondViewport=True)["data"]
    with open(path, "wb") as file:
        file.write(base64.b64decode(data))


def look_at_screen(browser, url, keep):
    complaints = []
    for scheme in ("light", "dark"):
        for width, height in WIDTHS.items():
            browser.open(url, width, height, scheme)
            if keep:
                keep_picture(browser, f"{keep}-{width}-{scheme}.png")
            browser.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
            found = measured(browser, "screen", SMALLEST) + what_happened(browser, url)
            complaints += [f"{scheme}, {width} px: {text}" for text in found]
    with open(os.path.join(HERE, "sorting.js")) as file:
        complaints += browser.evaluate(file.read())
    return complaints


def words_missing_in(pdf, browser):
    """Words of tables, figures and captions that the PDF does not have; None without poppler."""
    if not shutil.which("pdftotext"):
        return None
    printed = subprocess.run(["pdftotext", "-layout", pdf, "-"], capture_output=True, text=True, check=True).stdout
    joined = re.sub(r"\s", "", printed)
    words = browser.evaluate("""[...document.querySelectorAll('th, td, figcaption, .drawing text, h1, h2, dt, summary')]
        .flatMap(e => e.textContent.trim().split(/\\s+/)).filter(w => /^[\\x21-\\x7e]+$/.test(w) && w.length < 16)""")
    return sorted({word for word in words if word not in joined})


def look_at_paper(browser, url, pdf):
    """As it would be printed: first the page laid out for paper, then the PDF itself."""
    width, height, margin = PAPER
    inner = round((width - 2 * margin) * 96), round((height - 2 * margin) * 96)
    browser.open(url, *inner, "dark")
    browser.call("Emulation.setEmulatedMedia", media="print",
                 features=[{"name": "prefers-color-scheme", "value": "dark"}])
    complaints = ["on paper: " + text for text in measured(browser, "paper", SMALLEST_ON_PAPER, inner[1])]
    data = browser.call("Page.printToPDF", paperWidth=width, paperHeight=height, printBackground=True,
                        preferCSSPageSize=True)["data"]
    with open(pdf, "wb") as file:
        file.write(base64.b64decode(data))
    missing = words_missing_in(pdf, browser)
    if missing:
        complaints.append("the PDF lacks: " + ", ".join(missing))
    return complaints


def main(program, folder, keep):
    pages = make_pages(program, folder)
    chromium = devtools.find_chromium()
    complaints = [text for page in pages.values() for text in script_is_allowed(page)][:1]
    if complaints or not chromium:
        print("\n".join(complaints) or "skipped: there is no chromium here (Debian: apt-get install chromium)")
        return 1 if complaints else 77
    if not shutil.which("pdftotext"):
        print("there is no pdftotext here (Debian: poppler-utils): the words of the PDFs are not looked for")
    browser = devtools.Browser(chromium)
    try:
        for name, path in pages.items():
            url = "file://" + os.path.realpath(path)
            found = look_at_screen(browser, url, f"{folder}/{name}" if keep else None)
            found += look_at_paper(browser, url, f"{folder}/{name}.pdf")
            complaints += [f"{name}: {text}" for text in list(dict.fromkeys(found))[:MOST]]
    finally:
        browser.close()
    print("\n".join(complaints) or f"{len(pages)} pages are well")
    return 1 if complaints else 0


if __name__ == "__main__":
    if len(sys.argv) == 4 and sys.argv[2] == "--keep":
        os.makedirs(sys.argv[3], exist_ok=True)
        sys.exit(main(os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[3]), True))
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory(prefix="ansatz-report-") as scratch:
        sys.exit(main(os.path.abspath(sys.argv[1]), scratch, False))
