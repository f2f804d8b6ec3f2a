// Presses every table head three times; says what does not end up in order, or does not come back.
(() => {
  const complaints = [], sup = "⁰¹²³⁴⁵⁶⁷⁸⁹";
  const value = t => Number(t.replace(/−/g, "-").replace(/[%°\s]/g, "")
    .replace(/×?10([⁻⁰-⁹¹²³]+)/, (all, e) => (all[0] === "×" ? "" : "1") + "e" + [...e].map(c => c === "⁻" ? "-" : sup.indexOf(c)).join("")));
  let pressed = 0;
  for (const table of document.querySelectorAll("table")) {
    const texts = column => [...table.tBodies[0].rows].map(r => r.cells[column].textContent.trim());
    [...table.tHead.rows[0].cells].forEach((head, column) => {
      const button = head.querySelector("button");
      if (!button) return;
      const before = texts(column).join("\n"), numbers = () => texts(column).filter(t => t && t !== "–").map(value);
      const numeric = numbers().every(n => !Number.isNaN(n));
      for (const sign of [-1, 1]) {
        button.click();
        ++pressed;
        const list = numbers();
        if (numeric && list.some((v, i) => i > 0 && sign * (v - list[i - 1]) < 0)) complaints.push(`"${head.textContent}" is not in order: ${list}`);
      }
      button.click();
      if (texts(column).join("\n") !== before) complaints.push(`"${head.textContent}": the order of the page does not come back`);
    });
  }
  if (pressed === 0) complaints.push("there is no table to sort");
  return complaints;
})()
