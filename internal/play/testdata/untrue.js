// What the pictures of the machines, the lens and the legend show otherwise than the frame of the
// run says: a PE that has not the colour of its state, a PE or a count that is missing.
(() => {
  const problems = [], root = getComputedStyle(document.documentElement);
  const inks = {R: "runs", M: "matches", S: "spills", W: "waits", o: "partner", ".": "idle", "!": "failed"};
  const rgb = colour => { const pen = new OffscreenCanvas(1, 1).getContext("2d"); pen.fillStyle = colour; return pen.fillStyle.match(/[\da-f]{2}/g).map(x => parseInt(x, 16)); };
  const known = Object.fromEntries(Object.entries(inks).map(([letter, ink]) => [letter, rgb(root.getPropertyValue("--" + ink).trim())]));
  for (const {machine: m, frame, name} of emsim.pair.filter(r => r.frame && r.machine.canvas.checkVisibility())) {
    const c = m.canvas, dpr = devicePixelRatio, pen = new OffscreenCanvas(c.width, c.height).getContext("2d", {willReadFrequently: true});
    pen.drawImage(c, 0, 0);
    const {data} = pen.getImageData(0, 0, c.width, c.height);
    // The letter whose colour most of a place has.
    const most = ({x, y, w, h}) => {
      const seen = {};
      for (let b = Math.ceil(y * dpr); b < Math.floor((y + h) * dpr); b++) for (let a = Math.ceil(x * dpr); a < Math.floor((x + w) * dpr); a++) {
        const at = (b * c.width + a) * 4;
        for (const [letter, k] of Object.entries(known)) if (k.every((v, i) => Math.abs(v - data[at + i]) < 3)) seen[letter] = (seen[letter] ?? 0) + 1;
      }
      return Object.entries(seen).sort((one, other) => other[1] - one[1])[0]?.[0];
    };
    const check = (i, spot, where) => {
      if (spot.x < 0 || spot.y < 0 || spot.x + spot.w > c.clientWidth || spot.y + spot.h > c.clientHeight) problems.push(`${name}: ${m.address(i)} leaves ${where}`);
      const got = most(spot);
      if (got !== frame.state[i]) problems.push(`${name}: ${m.address(i)} is ${frame.state[i]}, and ${got} ${where}`);
    };
    const {x, y, w, tall} = m.lens ?? {}, {members} = m.net, each = (w - 44) / members, groups = new Set();
    for (let a = x + 40; a < x + w - each / 2; a += each) for (let row = 0; row < 8; row++) {
      const spot = {x: a - 2, y: y + 30 + row * tall, w: each - 12, h: tall - 6}, {pe} = m.under({offsetX: spot.x + spot.w / 2, offsetY: spot.y + spot.h / 2});
      if (pe === undefined) { problems.push(`${name}: no PE in row ${row} of the lens`); continue; }
      groups.add(Math.floor(pe / members));
      check(pe, spot, "in the lens");
    }
    // The mark of the opened PE and the frame of the lens may cover small neighbours.
    const covered = i => {
      const s = m.spot(i), o = m.spot(m.pe), group = Math.floor(i / members), below = Math.max(...groups) + 1;
      return m.opened && i !== m.pe && Math.abs(s.x - o.x) < s.w + 6 && Math.abs(s.y - o.y) < s.h + 6
        || s.h < 4 && (group === below || group === below - 9);
    };
    for (let i = 0; i < frame.state.length; i++) if (!covered(i)) check(i, m.spot(i), "in the picture");
    if (m.lens && (groups.size !== 8 || !groups.has(Math.floor(m.near / members)))) problems.push(`${name}: the lens shows groups ${[...groups]}, not that of ${m.address(m.near)}`);
  }
  for (const e of document.querySelectorAll("#legend-colours [data-state]")) {
    const n = [...emsim.run.frame.state].filter(x => x === e.dataset.state).length;
    if (!e.hidden && e.firstElementChild.textContent !== String(n)) problems.push(`the legend counts ${e.textContent}, not ${n}`);
  }
  return problems.slice(0, 6);
})()
