"use strict";
// The time line of every PE: states of all columns, two bits each, drawn on a
// canvas between the columns from and to. A column is run.per clocks; where the
// code below counts clocks without more words, it counts columns.
(() => {
  const holder = document.getElementById("timeline-data");
  // Folded parts are printed too.
  addEventListener("beforeprint", () => document.querySelectorAll("details").forEach(d => { d.open = true; }));
  if (!holder) return;
  const data = JSON.parse(holder.textContent);
  const get = id => document.getElementById("timeline-" + id);
  const canvas = get("canvas"), ctx = canvas.getContext("2d"), read = get("read");
  const colour = name => getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();
  const shades = () => data.states.map((_, i) => {
    const hex = colour("s" + i);
    return [1, 3, 5].map(at => parseInt(hex.slice(at, at + 2), 16));
  });
  let colours = shades();
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { colours = shades(); draw(); });
  const left = 52, top = 22, fewest = 8; // pixels of the axes; clocks of the deepest zoom
  let run, cells, from, to;

  function unpack(r) {
    const bytes = Uint8Array.from(atob(r.data), c => c.charCodeAt(0));
    const stride = Math.ceil(r.clocks / 4), out = new Uint8Array(r.clocks * r.pes.length);
    for (let pe = 0; pe < r.pes.length; pe++)
      for (let t = 0; t < r.clocks; t++)
        out[pe * r.clocks + t] = bytes[pe * stride + (t >> 2)] >> (t & 3) * 2 & 3;
    return out;
  }

  function choose(i) {
    run = data.runs[i];
    cells = unpack(run);
    show(0, run.clocks);
  }

  // show moves the window and draws it.
  function show(a, b) {
    const span = Math.min(run.clocks, Math.max(fewest, b - a));
    from = Math.min(Math.max(0, a), run.clocks - span);
    to = from + span;
    get("from").value = Math.round(from * run.per) + run.first;
    get("to").value = Math.min(run.length, Math.round(to * run.per)) + run.first;
    draw();
  }
  const zoom = (factor, at) => show(at - (at - from) * factor, at + (to - at) * factor);
  const shift = part => show(from + part * (to - from), to + part * (to - from));
  const middle = () => (from + to) / 2;

  // count returns the clocks a..b-1 of a PE by state.
  function count(pe, a, b) {
    const n = [0, 0, 0, 0];
    for (let t = a; t < b; t++) n[cells[pe * run.clocks + t]]++;
    return n;
  }

  function draw() {
    const dpr = devicePixelRatio || 1, width = canvas.clientWidth;
    const row = Math.max(3, Math.min(14, Math.floor(640 / run.pes.length)));
    canvas.style.height = top + row * run.pes.length + 2 + "px";
    canvas.width = Math.round(width * dpr);
    canvas.height = Math.round((top + row * run.pes.length + 2) * dpr);
    ctx.setTransform(1, 0, 0, 1, 0, 0);
    ctx.fillStyle = colour("paper");
    ctx.fillRect(0, 0, canvas.width, canvas.height);
    const columns = Math.max(1, Math.round((width - left) * dpr)), high = Math.max(1, Math.round(row * dpr) - 1);
    const img = ctx.createImageData(columns, high);
    for (let pe = 0; pe < run.pes.length; pe++) {
      for (let x = 0; x < columns; x++) {
        const a = Math.min(run.clocks - 1, Math.floor(from + (to - from) * x / columns));
        const b = Math.max(a + 1, Math.min(run.clocks, Math.floor(from + (to - from) * (x + 1) / columns)));
        const n = count(pe, a, b);
        for (let c = 0; c < 3; c++) {
          let sum = 0;
          for (let s = 0; s < 4; s++) sum += n[s] * colours[s][c];
          img.data[4 * x + c] = sum / (b - a);
        }
        img.data[4 * x + 3] = 255;
      }
      for (let y = 1; y < high; y++) img.data.copyWithin(4 * columns * y, 0, 4 * columns);
      ctx.putImageData(img, Math.round(left * dpr), Math.round((top + row * pe) * dpr));
    }
    axes(dpr, width, row);
  }

  function axes(dpr, width, row) {
    ctx.setTransform(dpr, 0, 0, dpr, 0, 0);
    ctx.fillStyle = ctx.strokeStyle = colour("ink");
    ctx.font = "11px " + getComputedStyle(document.body).fontFamily;
    ctx.textBaseline = "middle";
    ctx.textAlign = "right";
    const every = Math.ceil(13 / row);
    run.pes.forEach((name, i) => { if (i % every === 0) ctx.fillText(name, left - 5, top + row * (i + 0.5)); });
    ctx.textAlign = "center";
    const a = from * run.per + run.first, b = to * run.per + run.first; // in clocks
    const rough = (b - a) / Math.max(1, (width - left) / 90), power = 10 ** Math.floor(Math.log10(rough));
    const step = Math.max(1, [1, 2, 5, 10].map(f => f * power).find(s => s >= rough));
    for (let t = Math.ceil(a / step) * step; t <= b; t += step) {
      const x = left + (width - left) * (t - a) / (b - a);
      ctx.fillText(t.toLocaleString("en"), Math.min(Math.max(x, left + 14), width - 20), top / 2 - 2);
      ctx.fillRect(x, top - 5, 1, 5);
    }
  }

  // at returns the clock and the PE under a mouse event.
  function at(e) {
    const box = canvas.getBoundingClientRect(), row = (canvas.clientHeight - top - 2) / run.pes.length;
    return {
      clock: from + (to - from) * (e.clientX - box.left - left) / (box.width - left),
      pe: Math.floor((e.clientY - box.top - top) / row),
    };
  }

  function tell(e) {
    const p = at(e);
    if (p.pe < 0 || p.pe >= run.pes.length || p.clock < from || p.clock >= to) { read.textContent = ""; return; }
    const per = (to - from) / (canvas.clientWidth - left), a = Math.floor(p.clock);
    const b = Math.min(run.clocks, Math.max(a + 1, Math.floor(p.clock + per))), n = count(p.pe, a, b);
    const said = b - a === 1 ? data.states[n.indexOf(1)]
      : data.states.map((s, i) => `${s} ${(100 * n[i] / (b - a)).toFixed(0)} %`).filter((_, i) => n[i]).join(", ");
    const begin = a * run.per + run.first, end = Math.min(b * run.per, run.length) + run.first;
    const when = end - begin === 1 ? `clock ${begin}` : `clocks ${begin} to ${end - 1}`;
    read.textContent = `PE ${run.pes[p.pe]}, ${when} (${(begin * data.clockNS / 1000).toFixed(2)} µs): ${said}`;
  }

  let drag = null;
  canvas.addEventListener("pointerdown", e => {
    drag = { x: e.clientX, from, to };
    canvas.setPointerCapture(e.pointerId);
    canvas.focus();
  });
  canvas.addEventListener("pointermove", e => {
    if (drag) {
      const d = (drag.x - e.clientX) / (canvas.clientWidth - left) * (drag.to - drag.from);
      show(drag.from + d, drag.to + d);
    }
    tell(e);
  });
  for (const end of ["pointerup", "pointercancel"]) canvas.addEventListener(end, () => { drag = null; });
  canvas.addEventListener("wheel", e => {
    if (document.activeElement !== canvas) return; // the page scrolls until the picture was clicked
    e.preventDefault();
    zoom(e.deltaY > 0 ? 1.25 : 0.8, at(e).clock);
  }, { passive: false });
  canvas.addEventListener("dblclick", e => zoom(0.5, at(e).clock));
  const keys = {
    "+": () => zoom(0.5, middle()), "=": () => zoom(0.5, middle()), "-": () => zoom(2, middle()),
    ArrowLeft: () => shift(-0.25), ArrowRight: () => shift(0.25), Home: () => show(0, run.clocks),
  };
  canvas.addEventListener("keydown", e => {
    if (keys[e.key] && !e.ctrlKey && !e.metaKey && !e.altKey) { e.preventDefault(); keys[e.key](); }
  });
  get("in").addEventListener("click", keys["+"]);
  get("out").addEventListener("click", keys["-"]);
  get("left").addEventListener("click", keys.ArrowLeft);
  get("right").addEventListener("click", keys.ArrowRight);
  get("all").addEventListener("click", keys.Home);
  get("run").addEventListener("change", e => choose(+e.target.value));
  for (const id of ["from", "to"]) get(id).addEventListener("change", () => {
    const a = (get("from").value - run.first) / run.per, b = (get("to").value - run.first) / run.per;
    if (b > a) show(a, b); else show(from, to);
  });
  addEventListener("resize", draw);
  choose(0);
})();
