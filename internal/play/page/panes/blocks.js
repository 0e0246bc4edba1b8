// The picture of the strongly connected blocks of a program. Places, texts and lines are those of
// 'emsim plot blocks'; where the run is in them is marked.
import {arrows, listen} from "../state/keys.js";
import {page} from "../state/page.js";
import {count, el, get, near} from "../util.js";
import {svg, text} from "./svg.js";

const least = 1.45, most = 2.2; // pixels of a point as at first: letters of 11 to 17 pixels
const trim = 14; // of the margins, in points

/** @param {Emsim.Edge} e */
const way = e => `M${e.start} `
  + e.curve.map(bend => (bend.length === 2 ? "Q" : "C") + bend.join(" ")).join(" ");
/** @param {[number, number]} at @param {number} size */
const arrow = ([x, y], size) => `M${x},${y} l${-size / 2},${-size} h${size} z`;
/** @param {string} words */
const wide = words => words.length * 4.1 + 6;

/** pill writes words on the upper side of a box, so far from its right end.
 * @param {SVGGElement} g @param {string} words @param {number} right */
function pill(g, words, right) {
  const w = wide(words);
  g.replaceChildren(...words ? [
    svg("rect", {x: -right - w, y: -5.5, width: w, height: 11, rx: 5.5}),
    text(-right - w / 2, 2.7, words, {class: "pill"}),
  ] : []);
}

export class Blocks {
  place = get("blocks");
  /** @type {Emsim.Picture} */ picture = null;
  /** @type {Block[]} */ nodes = [];
  at = 0; // which of them keys speak of
  told = 0; // its line that the editor shows
  zoom = 1;
  current = -1; // the block that the opened PE is at
  shown = ""; // PE and block that were scrolled to
  opened = 0;
  /** @type {Map<Block, number[]>} */ running = new Map(); // PEs that execute a block

  /** line gets a line of the program that the user chose, and whether to go there.
   * @param {(n: number, go?: boolean) => void} line */
  constructor(line) {
    this.line = line;
    listen(this.place, "blocks", {
      go: key => this.act(n => this.go(n, ...arrows[key])),
      line: () => this.act(() => this.tell(this.told, true)),
      other: () => this.act(() => this.other(this.at)),
      zoom: key => this.act(() => {
        const by = key === "+" ? 1.2 : 1 / 1.2;
        this.zoom = key === "0" ? 1 : Math.max(0.4, Math.min(3, this.zoom * by));
        this.scale();
      }),
    });
    new ResizeObserver(() => { this.scale(); this.see(this.current); }).observe(this.place);
  }

  /** none says why there is no picture. @param {string} words */
  none(words) {
    this.picture = null;
    this.nodes = [];
    get("blocks-none").textContent = words;
    this.show();
  }

  show() {
    get("blocks-none").hidden = Boolean(this.picture);
    for (const e of [get("blocks-picture"), get("blocks-kinds")]) {
      e.toggleAttribute("hidden", !this.picture);
    }
  }

  /** draw shows the picture of a program. @param {Emsim.Picture} picture @param {string} name */
  draw(picture, name) {
    const top = get("blocks-picture");
    Object.assign(this, {picture, nodes: [], at: 0, told: 0, zoom: 1, current: -1, shown: "",
      running: new Map()});
    const {width, height, font_size: size} = picture;
    top.setAttribute("viewBox", `${trim} -2 ${width - 2 * trim} ${height}`);
    top.setAttribute("font-size", String(size));
    top.setAttribute("aria-label", `${name} in strongly connected blocks`);
    top.replaceChildren(...picture.panels.map(p => this.panel(p)));
    const sample = {class: "sample", viewBox: "0 0 26 8", "aria-hidden": "true"};
    get("blocks-kinds").replaceChildren(...picture.kinds.map(k => el("span", {},
      svg("svg", sample, svg("path", {class: `edge edge-${k.kind}`, d: "M0 4H26"})), k.words)),
    el("span", {}, picture.legend));
    this.show();
    this.scale();
    this.choose(0);
  }

  /** @param {Emsim.Panel} p */
  panel(p) {
    const at = `translate(${p.x} ${p.y})`;
    const g = svg("g", {role: "group", "aria-label": p.title, transform: at},
      svg("rect", {class: "panel", width: p.width, height: p.height}),
      text(8, 15, p.title, {class: "title"}));
    for (const e of p.edges) {
      const tip = svg("path", {class: "tip", d: arrow(e.tip, this.picture.arrow)});
      const edge = {class: `edge edge-${e.kind}`, "aria-hidden": "true"};
      g.append(svg("g", edge, svg("path", {d: way(e)}), tip));
    }
    const first = this.nodes.length;
    for (const b of p.boxes) g.append(this.box(p, b));
    for (const n of this.nodes.slice(first)) g.append(n.pills);
    for (const [i, b] of p.boxes.entries()) this.nodes[first + i].label = this.label(p, b, i);
    return g;
  }

  /** @param {Emsim.Panel} p @param {Emsim.Box} b */
  box(p, b) {
    const i = this.nodes.length, {x, y, width, height} = b, high = this.picture.line_space;
    const rows = b.texts.map(t => {
      const row = svg("g", {class: `row row-${t.role}`},
        t.line ? svg("rect", {x: 1, y: t.y - 1.2, width: width - 2, height: high}) : null,
        text(t.x, t.y + 7.2, t.shown, {class: t.role}));
      if (t.line) row.dataset.line = String(t.line);
      return row;
    });
    const kind = b.call ? "box call" : "box", transform = `translate(${x} ${y})`;
    const g = svg("g", {class: kind, role: "button", tabindex: -1, transform},
      svg("rect", {class: "frame", width, height, rx: b.call ? height / 2 : 2}));
    for (const row of rows) g.append(row, " "); // between words that are read aloud
    const pes = svg("g", {class: "pes"}), times = svg("g", {class: "times"});
    const right = `translate(${x + width - 4} ${y})`;
    const pills = svg("g", {"aria-hidden": "true", transform: right}, pes, times);
    pes.onclick = () => this.other(i);
    g.onclick = e => {
      this.choose(i, true);
      this.tell(Number(near(e, "[data-line]")?.dataset.line) || 0);
    };
    const middle = {x: x + width / 2, y: p.y + y + height / 2};
    this.nodes.push({g, box: b, panel: p, pes, times, pills, rows, ...middle});
    return g;
  }

  /** label is a box for screen readers. @param {Emsim.Panel} p @param {Emsim.Box} b
   * @param {number} i */
  label(p, b, i) {
    const kinds = (/** @type {string} */ k) => this.picture.kinds.find(x => x.kind === k).words;
    const on = p.edges.filter(e => e.from === i)
      .map(e => `${kinds(e.kind)}: ${p.boxes[e.to].name}`);
    const full = b.texts.filter(t => t.words !== t.shown).map(t => `in full: ${t.words}`);
    const words = [b.call ? "call of" : "block", ...b.texts.map(t => t.shown), ...full].join(" ");
    return `${words}${on.length ? `. From here: ${on.join("; ")}` : ""}`;
  }

  // scale gives the picture its size on the screen.
  scale() {
    const {clientWidth: room} = this.place;
    if (!this.picture || room === 0) return;
    const top = get("blocks-picture"), {width, height} = top.viewBox.baseVal;
    const fit = this.zoom * Math.max(least, Math.min(most, (room - 28) / width));
    top.setAttribute("width", String(width * fit));
    top.setAttribute("height", String(height * fit));
    for (const n of this.nodes) for (const [i, row] of n.rows.entries()) {
      const words = row.querySelector("text"), place = n.box.width - 2 * n.box.texts[i].x + 1;
      if (words.getComputedTextLength() <= place) continue;
      words.setAttribute("textLength", String(place)); // a font other than that of the widths
      words.setAttribute("lengthAdjust", "spacingAndGlyphs");
    }
  }

  /** choose makes a box the one that keys speak of. @param {number} i */
  choose(i, focus = false) {
    if (i !== this.at) this.told = 0;
    this.nodes[this.at]?.g.setAttribute("tabindex", "-1");
    this.at = i;
    this.nodes[i]?.g.setAttribute("tabindex", "0");
    if (focus) this.nodes[i]?.g.focus();
  }

  focus() { this.nodes[this.at]?.g.focus(); }

  /** tell shows a line of the chosen box in the editor: the given one, or its first. A call
   * has the line of the function that it calls. @param {number} line */
  tell(line, go = false) {
    const {box} = this.nodes[this.at];
    const called = box.call && this.picture.panels.find(p => p.name === box.name);
    if (called) this.see(this.nodes.findIndex(x => x.panel === called));
    this.told = line || called?.line || box.texts.find(t => t.line)?.line;
    if (this.told) this.line(this.told, go);
  }

  /** other opens a PE that executes a block: the one after that which is open. @param {number} i */
  other(i) {
    const list = this.running.get(this.nodes[i]) ?? [];
    if (list.length > 0) page.open(list.find(pe => pe > this.opened) ?? list[0]);
  }

  /** act does what a key says of the chosen box, if there is one.
   * @param {(n: Block) => void} does */
  act(does) {
    const n = this.nodes[this.at];
    return n ? does(n) : false;
  }

  /** go chooses the nearest box in a direction, and shows its line.
   * @param {Block} from @param {number} dx @param {number} dy */
  go(from, dx, dy) {
    const far = (/** @type {Block} */ n) => {
      const x = n.x - from.x, y = n.y - from.y;
      const along = x * dx + y * dy, beside = Math.abs(x * dy) + Math.abs(y * dx);
      return along <= 1 || dx && beside > along ? Infinity : along + 0.4 * beside;
    };
    const best = this.nodes.reduce((a, n) => (far(n) < far(a) ? n : a), from);
    if (best === from) return;
    this.choose(this.nodes.indexOf(best), true);
    this.tell(0);
  }

  /** see scrolls to a box that is out of sight. @param {number} i */
  see(i) {
    const n = this.nodes[i];
    if (!n) return;
    const box = n.g.getBoundingClientRect(), room = this.place.getBoundingClientRect();
    const inside = box.top >= room.top && box.bottom <= room.bottom
      && box.left >= room.left && box.right <= room.right;
    if (!inside) this.place.scrollBy(box.left + box.width / 2 - room.left - room.width / 2,
      box.top + box.height / 2 - room.top - room.height / 2);
  }

  /** mark shows what the PEs do: line is that of the opened PE, name the address of a PE.
   * @param {Emsim.Blocks} blocks
   * @param {{pe: number, line: number, name: (pe: number) => string}} machine */
  mark({list, opened, when}, {pe, line, name}) {
    if (!this.picture) return;
    const begun = new Map(list.map(b => [b.label, b]));
    this.opened = pe;
    this.running = new Map();
    let at = -1;
    for (const [i, n] of this.nodes.entries()) {
      const ran = n.box.begins.map(l => begun.get(l)).filter(Boolean);
      const pes = ran.flatMap(b => b.pes).sort((a, b) => a - b);
      const times = ran.reduce((sum, b) => sum + b.times, 0);
      const often = times ? `${count(times)}×` : "";
      const here = n.box.begins.includes(opened) ? when : "";
      if (here) at = i;
      for (const state of ["now", "next", "last"]) n.g.classList.toggle(state, here === state);
      for (const row of n.rows) {
        row.classList.toggle("runs", here === "now" && Number(row.dataset.line) === line);
      }
      this.running.set(n, pes);
      pill(n.times, often, 0);
      pill(n.pes, pes.length > 1 ? `${pes.length} PEs` : pes.map(name)[0] ?? "",
        times ? wide(often) + 3 : 0);
      const who = pes.length ? `; ${pes.map(name).join(" ")} execute it` : "";
      n.g.ariaLabel = n.label + (n.box.call ? "" : `. Begun ${count(times)} times${who}`);
      n.g.ariaCurrent = here ? "true" : null;
    }
    const key = `${pe} ${at}`;
    if (key !== this.shown) this.see(at);
    Object.assign(this, {shown: key, current: at});
  }

  /** cursor marks a line of the program in all blocks that run it. @param {number} line */
  cursor(line) {
    for (const n of this.nodes) {
      for (const row of n.rows) row.classList.toggle("line", Number(row.dataset.line) === line);
      n.g.classList.toggle("has-line", n.rows.some(r => r.classList.contains("line")));
    }
  }
}
