// What is wrong with the page as it is shown now, a line each: text that is cut off,
// too small or too pale, controls outside of the window, a picture without room.
(() => {
  const problems = new Set(), pen = new OffscreenCanvas(1, 1).getContext("2d", {willReadFrequently: true});
  const name = e => e.id ? `#${e.id}` : `${e.tagName.toLowerCase()}${e.className ? "." + (e.className.baseVal ?? e.className) : ""} “${(e.textContent ?? "").trim().slice(0, 30)}”`;
  const say = (e, what) => problems.add(`${name(e)}: ${what}`);
  const rgba = c => {
    pen.clearRect(0, 0, 1, 1);
    pen.fillStyle = c;
    pen.fillRect(0, 0, 1, 1);
    return [...pen.getImageData(0, 0, 1, 1).data].map((v, i) => (i === 3 ? v / 255 : v));
  };
  const over = ([r, g, b, a], [x, y, z]) => [r * a + x * (1 - a), g * a + y * (1 - a), b * a + z * (1 - a), 1];
  const light = c => c.slice(0, 3).map(v => v / 255).map(v => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)).reduce((s, v, i) => s + v * [0.2126, 0.7152, 0.0722][i], 0);
  const contrast = (a, b) => { const [x, y] = [light(a), light(b)].sort((p, q) => q - p); return (x + 0.05) / (y + 0.05); };
  const up = e => e.parentElement ?? e.getRootNode().host;
  const paper = rgba(getComputedStyle(document.documentElement).getPropertyValue("--paper"));
  const ground = e => {
    const layers = [];
    for (; e; e = up(e)) {
      const c = rgba(getComputedStyle(e).backgroundColor);
      if (c[3] > 0) layers.push(c);
      if (c[3] === 1) break;
    }
    return layers.reduceRight((below, c) => over(c, below), paper);
  };
  const modal = document.querySelector("dialog[open]");
  const within = (e, selector) => { for (; e; e = up(e)) if (e.matches?.(selector)) return true; return false; };
  // The ground of a text in a picture is the nearest shape before it, its size is as scaled.
  const drawn = e => { for (let g = e.parentElement; g && g.tagName === "g"; g = g.parentElement) { const r = g.querySelector(":scope > rect"), c = r && getComputedStyle(r).fill; if (c && c !== "none") return rgba(c); } };
  const scaled = e => (e.getScreenCTM ? e.getScreenCTM().a : 1);
  const seen = e => e.checkVisibility({visibilityProperty: true}) && !within(e, "[aria-hidden=true], .hide, :disabled, option, .cm-announced") && (!modal || modal.contains(e)) && e.getClientRects().length > 0;

  const texts = root => {
    const walk = document.createTreeWalker(root, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
    for (let n = walk.nextNode(); n; n = walk.nextNode()) {
      if (n.shadowRoot) texts(n.shadowRoot);
      if (n.nodeType !== Node.TEXT_NODE || !n.data.trim() || !seen(n.parentElement) || ["SCRIPT", "STYLE"].includes(n.parentElement.tagName)) continue;
      const e = n.parentElement, style = getComputedStyle(e), size = parseFloat(style.fontSize) * scaled(e), bold = Number(style.fontWeight) >= 600;
      const back = drawn(e) ?? ground(e), c = contrast(over(rgba(style.color), back), back), need = size >= 24 || bold && size >= 18.6 ? 3 : 4.5;
      if (c < need) say(e, `contrast ${c.toFixed(2)}, at least ${need} is needed`);
      if (size < 11) say(e, `letters of ${size.toFixed(1)} pixels`);
    }
  };
  texts(document.body);

  for (const e of document.querySelectorAll("button, select, input, label, h1, h2, h3, output, .bar, header, #legend, #legend > span, .tabs > *")) {
    if (!seen(e)) continue;
    const r = e.getBoundingClientRect(), scrolls = within(e, "#right, #lesson-text, #bottom [role=tabpanel], dialog, #files, #marks");
    if (!scrolls && (r.left < -0.5 || r.top < -0.5 || r.right > innerWidth + 0.5 || r.bottom > innerHeight + 0.5)) say(e, "outside of the window");
    if (e.id !== "files" && e.tagName !== "INPUT" && !within(e, "#marks") && e.scrollWidth > e.clientWidth + 1 && e.clientWidth > 0) say(e, `${e.scrollWidth} pixels wide, room for ${e.clientWidth}`);
  }
  for (const id of ["args", "goal-what"]) {
    const e = document.getElementById(id);
    if (e.scrollWidth > e.clientWidth + 1) say(e, "its value is cut off");
  }
  const root = document.documentElement, view = document.getElementById("view").getBoundingClientRect();
  if (root.scrollWidth > innerWidth || root.scrollHeight > innerHeight) say(root, `the page of ${root.scrollWidth} x ${root.scrollHeight} scrolls`);
  if (view.height < 0.36 * innerHeight || view.width < 0.4 * innerWidth) say(document.getElementById("view"), `the machine has only ${view.width} x ${view.height} pixels`);
  if (modal) {
    const r = modal.getBoundingClientRect();
    if (r.top < 0 || r.bottom > innerHeight || r.right > innerWidth || modal.scrollWidth > modal.clientWidth + 1) say(modal, "does not fit");
  }
  // The picture's own letters.
  const value = n => rgba(getComputedStyle(root).getPropertyValue("--" + n));
  for (const [ink, back] of ["runs", "matches", "spills", "waits", "partner", "idle", "failed", "rust"].map(n => ["on-" + n, n]).concat([["faint", "paper"]])) {
    const c = contrast(value(ink), value(back));
    if (c < 4.5) problems.add(`--${ink} on --${back}: contrast ${c.toFixed(2)}`);
  }
  for (const n of ["link", "edge", "dot", "wait", "rust", "s0", "s1"]) {
    const c = contrast(value(n), paper);
    if (c < 1.9) problems.add(`--${n} on the paper: contrast ${c.toFixed(2)}`);
  }
  return [...problems];
})()
