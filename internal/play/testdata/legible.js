// What cannot be read of the page as it is shown now with other fonts: words on a canvas that
// leave it, cover each other or are smaller than 11 pixels, and texts of the page that are cut off.
(async (font, mono) => {
  const root = document.documentElement, pen = CanvasRenderingContext2D.prototype, {clearRect, fillText} = pen, problems = new Set(), drawn = new Map();
  // Of each canvas the words, with a box around them in pixels of the page, since it was cleared.
  pen.clearRect = function (...place) {
    drawn.set(this.canvas, []);
    clearRect.apply(this, place);
  };
  pen.fillText = function (words, x, y, most = Infinity) {
    const t = this.measureText(words), fit = Math.min(1, most / t.width), m = this.getTransform().scale(1 / devicePixelRatio);
    const at = (dx, dy) => new DOMPoint(x + dx * fit, y + dy).matrixTransform(m), a = at(-t.actualBoundingBoxLeft, -t.actualBoundingBoxAscent), b = at(t.actualBoundingBoxRight, t.actualBoundingBoxDescent);
    if (words.trim()) drawn.get(this.canvas)?.push({words, a, b, size: parseFloat(this.font.match(/[\d.]+px/)[0]) * m.a * devicePixelRatio});
    fillText.call(this, words, x, y, ...(most < Infinity ? [most] : [])); // no words fit into an infinite width
  };
  const again = async () => {
    emsim.dress(root.dataset.theme);
    await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
  };
  if (font) root.style.setProperty("--font", font);
  if (mono) root.style.setProperty("--mono", mono);
  await again();
  for (const [canvas, list] of drawn) {
    const {clientWidth: w, clientHeight: h} = canvas, say = (x, what) => problems.add(`#${canvas.id}: ${x.words}: ${what}`);
    if (!canvas.checkVisibility()) continue;
    for (const [i, x] of list.entries()) {
      if (x.size < 10.9) say(x, `${x.size.toFixed(1)} pixels`);
      if (x.a.x < -1 || x.a.y < -1 || x.b.x > w + 1 || x.b.y > h + 1) say(x, `leaves the canvas of ${w} x ${h} at ${[x.a.x, x.a.y, x.b.x, x.b.y].map(Math.round)}`);
      for (const y of list.slice(i + 1)) if (Math.min(x.b.x, y.b.x) - Math.max(x.a.x, y.a.x) > 1 && Math.min(x.b.y, y.b.y) - Math.max(x.a.y, y.a.y) > 1) say(x, `covers ${y.words}`);
    }
  }
  for (const e of document.querySelectorAll("button, label, h1, h2, h3, output, .legend span, #here b, dt, th")) {
    if (!e.checkVisibility() || !e.getClientRects().length || e.closest("#marks, #files, .hide") || e.id === "chip") continue;
    if (e.scrollWidth > e.clientWidth + 1 && e.clientWidth > 0) problems.add(`${e.id || e.textContent}: ${e.scrollWidth} pixels wide, room for ${e.clientWidth}`);
    const r = e.getBoundingClientRect(), scrolls = e.closest("#companion, #lesson-text, #calls, #log, #task, dialog, main");
    if (!scrolls && (r.left < -1 || r.right > innerWidth + 1 || r.top < -1 || r.bottom > innerHeight + 1)) problems.add(`${e.id || e.textContent}: outside of the window`);
  }
  if (root.scrollWidth > innerWidth) problems.add(`the page is ${root.scrollWidth} pixels wide, the window ${innerWidth}`);
  root.removeAttribute("style");
  await again();
  Object.assign(pen, {clearRect, fillText});
  return [...problems];
})
