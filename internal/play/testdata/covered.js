// The numbers of groups that strokes of spilled packets cover.
(() => {
  const {machine} = emsim.run, pen = CanvasRenderingContext2D.prototype, {fillRect, fillText} = pen, strokes = [], words = [];
  const spills = getComputedStyle(document.documentElement).getPropertyValue("--spills").trim();
  pen.fillRect = function (x, y, w, h) { if (this.fillStyle === spills) strokes.push([x, y, x + w, y + h]); fillRect.call(this, x, y, w, h); };
  pen.fillText = function (text, x, y, ...rest) {
    const t = this.measureText(text);
    if (/^\d+$/.test(text)) words.push([text, x - t.actualBoundingBoxLeft, y - t.actualBoundingBoxAscent, x + t.actualBoundingBoxRight, y + t.actualBoundingBoxDescent]);
    fillText.call(this, text, x, y, ...rest);
  };
  machine.draw();
  Object.assign(pen, {fillRect, fillText});
  return [strokes.length === 0 && "nothing is spilled", ...words.filter(([, a, b, c, d]) => strokes.some(([e, f, g, h]) => a < g && e < c && b < h && f < d)).map(([text]) => text)].filter(Boolean);
})()
