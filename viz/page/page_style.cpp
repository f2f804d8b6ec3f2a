#include "viz/page/page_style.h"

namespace ansatz::viz {

const char* const kPageStyle = R"css(
:root { color-scheme: light dark; --ink: #1b1f24; --soft: #57606a; --line: #d8dee4; --paper: #ffffff; --card: #f6f8fa; --accent: #0b62a8; --good: #116329; --bad: #a40e26; }
@media screen and (prefers-color-scheme: dark) {
  :root { --ink: #e6e9ec; --soft: #9aa4ae; --line: #363d45; --paper: #15181c; --card: #1d2126; --accent: #6cb6f5; --good: #6fdd8b; --bad: #ff9c96; }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; overflow-wrap: break-word; }
main { max-width: 68rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
h1 { font-size: 1.7rem; line-height: 1.25; margin: 0 0 .25rem; overflow-wrap: anywhere; }
h2 { font-size: 1.2rem; margin: 2.5rem 0 .6rem; padding-bottom: .25rem; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
p { margin: .6rem 0; max-width: 46rem; }
sub, sup { line-height: 0; font-size: .75em; }
.soft { color: var(--soft); }
.headline { font-size: 1.1rem; background: var(--card); border-left: 4px solid var(--accent); padding: .8rem 1rem; margin: 1.2rem 0; max-width: none; }
.scroll, .wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: .92rem; font-variant-numeric: tabular-nums; margin: .6rem 0; }
th, td { padding: .35rem .8rem; border-bottom: 1px solid var(--line); text-align: right; white-space: nowrap; vertical-align: top; }
th { color: var(--soft); font-weight: 600; vertical-align: bottom; }
th:first-child, td:first-child { text-align: left; padding-left: 0; white-space: normal; min-width: 9rem; }
td.words, th.words { text-align: left; white-space: normal; min-width: 14rem; }
tr.strong td { font-weight: 700; }
tbody tr:hover { background: var(--card); }
th button { all: unset; cursor: pointer; color: inherit; font: inherit; }
th button:hover { color: var(--accent); }
th button:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
th[aria-sort="ascending"] button::after { content: " ▲"; font-size: .75em; }
th[aria-sort="descending"] button::after { content: " ▼"; font-size: .75em; }
figure { margin: 1rem 0 1.6rem; }
figure img { display: block; max-width: 100%; height: auto; background: #ffffff; padding: .5rem; border-radius: 4px; }
figure .wide > svg, figure .wide > .drawn { display: block; width: 100%; max-width: var(--width); min-width: calc(.9 * var(--width)); height: auto; }
figure img.still { display: none; }
@media print, (prefers-reduced-motion: reduce) { figure img.moving { display: none; } figure img.still { display: block; } }
.value:hover circle { fill-opacity: .35; }
figcaption { color: var(--soft); font-size: .9rem; margin-top: .45rem; max-width: 46rem; }
pre { background: var(--card); padding: .8rem 1rem; overflow-x: auto; font-size: .84rem; line-height: 1.45; border-radius: 4px; }
dl { display: grid; grid-template-columns: minmax(8rem, max-content) 1fr; gap: .25rem 1rem; font-size: .92rem; }
dt { color: var(--soft); overflow-wrap: anywhere; } dd { margin: 0; overflow-wrap: anywhere; }
.runs { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 46rem), 1fr)); gap: 1rem 2rem; }
.runs > * { min-width: 0; }
details > summary { cursor: pointer; color: var(--accent); margin: .4rem 0; }
@media (max-width: 40rem) {
  h1 { font-size: 1.4rem; }
  th:first-child, td:first-child { min-width: 7rem; }
  dl { grid-template-columns: 1fr; gap: 0; } dd { margin-bottom: .5rem; }
  th, td { padding: .3rem .4rem; } table { font-size: .82rem; }
}
@page { margin: 15mm; }
@media print {
  :root { color-scheme: light; }
  body { font-size: 10pt; }
  main { max-width: none; padding: 0; }
  h2 { margin-top: 1.6rem; } h1, h2, summary { break-after: avoid; }
  p, figcaption { max-width: none; orphans: 3; widows: 3; }
  details::details-content { content-visibility: visible; display: block; height: auto; }
  details > summary { list-style: none; font-weight: 600; color: var(--ink); }
  .scroll, .wide { overflow: visible; }
  table { font-size: 8.5pt; } tr, figure, .headline { break-inside: avoid; }
  th, td { padding: .25rem .45rem; white-space: normal; overflow-wrap: break-word; } td.words, th.words { min-width: 0; }
  figure .wide > svg, figure .wide > .drawn { min-width: 0; max-width: min(100%, var(--width)); max-height: 20cm; }
  pre { white-space: pre-wrap; overflow-wrap: anywhere; overflow: visible; }
  .runs { display: block; } body, pre, .headline { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
)css";

const char* const kPageScript = R"js(
(() => {
  const digits = "⁰¹²³⁴⁵⁶⁷⁸⁹";
  const exponent = t => [...t].map(c => c === "⁻" ? "-" : digits.indexOf(c)).join("");
  const number = t => parseFloat(t.trim().replace(/−/g, "-").replace(/^[≥≤~]\s*/, "")
    .replace(/×10([⁻⁰-⁹¹²³]+)/, (_, e) => "e" + exponent(e)).replace(/^(-?)10([⁻⁰-⁹¹²³]+)/, (_, s, e) => s + "1e" + exponent(e)));
  const order = (a, b, numeric) => numeric ? a - b : a.localeCompare(b);
  const sort = (table, column, direction) => {
    const rows = [...table.tBodies[0].rows];
    const texts = rows.map(r => r.cells[column].textContent.trim());
    const told = texts.filter(t => t && t !== "–");
    const numeric = told.every(t => !isNaN(number(t)));
    const key = i => numeric ? number(texts[i]) : texts[i];
    const empty = i => !texts[i] || texts[i] === "–";
    const indices = rows.map((_, i) => i).sort((i, j) =>
      empty(i) - empty(j) || (empty(i) ? 0 : direction * order(key(i), key(j), numeric)) || rows[i].dataset.row - rows[j].dataset.row);
    table.tBodies[0].append(...indices.map(i => rows[i]));
  };
  for (const table of document.querySelectorAll("table")) {
    const rows = [...table.tBodies[0].rows];
    if (rows.length < 3) continue;
    rows.forEach((r, i) => r.dataset.row = i);
    [...table.tHead.rows[0].cells].forEach((head, column) => {
      if (!head.textContent.trim()) return;
      const button = document.createElement("button");
      button.type = "button";
      button.title = "sort by this column";
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => {
        const next = {ascending: "", descending: "ascending"}[head.getAttribute("aria-sort")] ?? "descending";
        for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
        if (next) {
          head.setAttribute("aria-sort", next);
          sort(table, column, next === "descending" ? -1 : 1);
        } else {
          table.tBodies[0].append(...rows);
        }
      });
    });
  }
  addEventListener("beforeprint", () => {
    for (const folded of document.querySelectorAll("details:not([open])")) { folded.open = true; folded.dataset.folded = ""; }
  });
  addEventListener("afterprint", () => {
    for (const unfolded of document.querySelectorAll("details[data-folded]")) { unfolded.open = false; delete unfolded.dataset.folded; }
  });
})();
)js";

const char* const kContentPolicy =
    "default-src 'none'; img-src data:; style-src 'unsafe-inline'; "
    "script-src 'sha256-nQ+tZ8r8dleadL0wk1qW7xhVKCQfpr7TGnuaSf/xAV4='";

}  // namespace ansatz::viz
