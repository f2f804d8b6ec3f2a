// What a reader of the page would mind, as a list of sentences. Put into the page by report.py, and an expression.
(({kind, smallest, pageHeight}) => {
  const complaints = [];
  const name = e => {
    const text = (e.getAttribute?.("aria-label") || e.textContent || "").trim().replace(/\s+/g, " ").slice(0, 40);
    return `<${e.localName}> "${text}"`;
  };
  const window_width = document.documentElement.clientWidth;
  const all = [...document.body.querySelectorAll("*")].filter(e => !["script", "style", "title"].includes(e.localName));
  const visible = e => e.checkVisibility() && e.getClientRects().length > 0;
  const scrolls = e => ["auto", "scroll", "hidden"].includes(getComputedStyle(e).overflowX);
  const within_scroller = e => { for (e = e.parentElement; e && e !== document.body; e = e.parentElement) if (scrolls(e)) return true; return false; };

  const width = () => {
    const whole = document.documentElement.scrollWidth;
    if (whole > window_width) complaints.push(`the page is ${whole} px wide in a window of ${window_width}`);
    for (const e of all) {
      if (!visible(e) || e.closest("svg svg") || within_scroller(e)) continue;
      const {left, right} = e.getBoundingClientRect();
      if (right > window_width + 1 || left < -1) complaints.push(`${name(e)} reaches from ${left} to ${right} px in a window of ${window_width}`);
    }
  };

  // Contrast as WCAG 2 defines it.
  const channel = c => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  const luminance = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
  const rgba = color => { const [r, g, b, a = 1] = color.match(/[\d.]+/g).map(Number); return [r, g, b, a]; };
  const contrast = (a, b) => { const [x, y] = [luminance(a), luminance(b)].sort((p, q) => q - p); return (x + 0.05) / (y + 0.05); };
  const ground_of = e => {
    const drawing = e.closest("svg.drawing");
    if (drawing) return rgba(getComputedStyle(drawing.querySelector("rect")).fill);
    for (; e; e = e.parentElement) { const c = rgba(getComputedStyle(e).backgroundColor); if (c[3] > 0) return c; }
    return [255, 255, 255, 1];
  };
  const texts = () => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), list = [];
    while (walker.nextNode()) {
      const e = walker.currentNode.parentElement;
      if (walker.currentNode.data.trim() && !["script", "style", "title"].includes(e.localName) && visible(e)) list.push(e);
    }
    return list;
  };
  const reading = () => {
    for (const e of texts()) {
      const style = getComputedStyle(e), svg = e.localName === "text";
      const ratio = contrast(rgba(svg ? style.fill : style.color), ground_of(e));
      if (ratio < 4.5) complaints.push(`${name(e)} has a contrast of ${ratio.toFixed(2)}`);
      const scale = svg ? Math.hypot(e.getScreenCTM().a, e.getScreenCTM().b) : 1;
      const size = parseFloat(style.fontSize) * scale;
      if (size < smallest) complaints.push(`${name(e)} is ${size.toFixed(1)} px high`);
    }
  };

  const pictures = () => {
    for (const image of document.images) {
      if (!image.complete || image.naturalWidth === 0) complaints.push(`${name(image)}: a picture that is not shown`);
      if (!image.alt) complaints.push("a picture without words");
    }
    for (const drawing of document.querySelectorAll("svg.drawing")) if (!drawing.getAttribute("aria-label")) complaints.push("a drawing without words");
    for (const figure of document.querySelectorAll("figure")) if (!figure.querySelector("figcaption").textContent.trim()) complaints.push(`${name(figure)} has no caption`);
  };

  const paper = () => {
    for (const e of all) if (!visible(e) && e.localName !== "button" && e.textContent.trim() && !e.closest("svg")) complaints.push(`${name(e)} is not on paper`);
    for (const e of document.querySelectorAll(".scroll, .wide, pre")) {
      if (e.scrollWidth > e.clientWidth + 1) complaints.push(`${name(e)} is cut off on paper: ${e.scrollWidth} px in ${e.clientWidth}`);
    }
    for (const e of document.querySelectorAll("figure")) {
      const {height} = e.getBoundingClientRect();
      if (height > pageHeight) complaints.push(`${name(e)} is ${height} px high, a page ${pageHeight}`);
    }
  };

  if (kind === "screen") { width(); reading(); pictures(); } else { width(); paper(); reading(); }
  return complaints;
})
