// How far the packets on links are drawn from the curves of these links, in pixels.
emsim.run.machine.spots.filter(([,, p]) => p.in < 2 && p.left > 0).map(([x, y, p]) => {
  const m = emsim.run.machine, [x0, y0, x1, y1, x2, y2, x3, y3] = m.link(m.from[p.pe][p.in], p.in);
  return Math.min(...Array.from({length: 401}, (_, i) => {
    const t = i / 400, s = 1 - t, at = (a, b, c, d) => s ** 3 * a + 3 * s * s * t * b + 3 * s * t * t * c + t ** 3 * d;
    return Math.hypot(at(x0, x1, x2, x3) - x, at(y0, y1, y2, y3) - y);
  }));
})
