// The texts of the page as it is shown now that are too small or too pale, a line each
// in problems, and what further tests of its looks need.
(() => {
  const problems = new Set(), pen = new OffscreenCanvas(1, 1).getContext("2d", {willReadFrequently: true});
  const name = e => e.id ? `#${e.id}` : `${e.tagName.toLowerCase()}${e.className ? "." + (e.className.baseVal ?? e.className) : ""} “${(e.textContent ?? "").trim().slice(0, 30)}”`;
  const say = (e, what) => problems.add(`${name(e)}: ${what}`);
  const known = new Map(), rgba = c => {
    if (known.has(c)) return known.get(c);
    pen.clearRect(0, 0, 1, 1);
    pen.fillStyle = c;
    pen.fillRect(0, 0, 1, 1);
    const values = [...pen.getImageData(0, 0, 1, 1).data].map((v, i) => (i === 3 ? v / 255 : v));
    known.set(c, values);
    return values;
  };
  const over = ([r, g, b, a], [x, y, z]) => [r * a + x * (1 - a), g * a + y * (1 - a), b * a + z * (1 - a), 1];
  const light = c => c.slice(0, 3).map(v => v / 255).map(v => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)).reduce((s, v, i) => s + v * [0.2126, 0.7152, 0.0722][i], 0);
  const contrast = (a, b) => { const [x, y] = [light(a), light(b)].sort((p, q) => q - p); return (x + 0.05) / (y + 0.05); };
  const up = e => e.parentElement ?? e.getRootNode().host;
  const paper = over(rgba(getComputedStyle(document.body).backgroundColor), [255, 255, 255]);
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
  return {problems, say, rgba, contrast, paper, modal, seen, within};
})()
