// The colours of amounts, in PEs and on maps, on which words have too little contrast.
(() => {
  const pen = new OffscreenCanvas(1, 1).getContext("2d", {willReadFrequently: true});
  const bright = colour => {
    pen.fillStyle = colour;
    pen.fillRect(0, 0, 1, 1);
    const [r, g, b] = [...pen.getImageData(0, 0, 1, 1).data].map(x => x / 255).map(x => x <= 0.03928 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
  };
  const low = (what, under, ink) => {
    const [a, c] = [bright(under), bright(ink)].sort((x, y) => y - x);
    return a / c < 4.5 ? [what + ": " + (a / c).toFixed(2)] : [];
  };
  const inked = colour => getComputedStyle(document.documentElement).getPropertyValue("--" + colour).trim() || colour;
  const m = emsim.run.machine;
  const amounts = Array.from({length: 101}, (_, n) => {
    m.scaleOf = {list: [n], most: 100};
    const [under, ink] = m.fill(0);
    return low("amount " + n, under, inked(ink));
  });
  const maps = [...document.querySelectorAll("#ends figure text[fill]")].flatMap(e => {
    const under = e.previousElementSibling;
    return under?.localName === "rect" && e.getAttribute("fill").startsWith("light-dark") || e.getAttribute("fill").match(/ink|paper/)
      ? low(e.textContent, getComputedStyle(under).fill, getComputedStyle(e).fill) : [];
  });
  return [...amounts.flat(), ...maps];
})()
