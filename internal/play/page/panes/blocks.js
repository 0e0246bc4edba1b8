// The picture of the strongly connected blocks of a program. Places, texts and lines are those of 'emsim plot blocks';
// where the run is in them is marked.
import {listen} from "../state/keys.js";
import {count, el, get, near} from "../util.js";

const least = 1.45, most = 2.2; // pixels of a point when all is as at first: letters of 11 to 17 pixels
const trim = 14; // of the margins, in points

/**
 * svg makes an element of a picture.
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} name
 * @param {Record<string, string | number>} attributes
 * @param {(Node | null)[]} children
 * @returns {SVGElementTagNameMap[K]}
 */
export function svg(name, attributes = {}, ...children) {
  const e = /** @type {SVGElementTagNameMap[K]} */ (document.createElementNS(get("blocks-picture").namespaceURI, name));
  for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, String(value));
  e.append(...children.filter(Boolean));
  return e;
}

/** @param {Emsim.Edge} e */
const way = e => `M${e.start} ` + e.curve.map(bend => (bend.length === 2 ? "Q" : "C") + bend.join(" ")).join(" ");
/** @param {[number, number]} at @param {number} size */
const arrow = ([x, y], size) => `M${x},${y} l${-size / 2},${-size} h${size} z`;

/**
 * A box of the picture: its elements, and where its middle is.
 * @typedef {{g: SVGGElement, box: Emsim.Box, panel: Emsim.Panel, pes: SVGGElement, times: SVGGElement, pills: SVGGElement, rows: SVGGElement[], x: number, y: number, label?: string}} Block
 */

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

  /**
   * line gets a line of the program that the user chose, and whether to go there; open a PE.
   * @param {{line: (n: number, go?: boolean) => void, open: (pe: number) => Promise<void>}} tell
   */
  constructor({line, open}) {
    this.line = line;
    this.open = open;
    listen(this.place, "blocks", {
      go: key => this.act(n => this.go(n, {ArrowRight: 1, ArrowLeft: -1}[key] ?? 0, {ArrowDown: 1, ArrowUp: -1}[key] ?? 0)),
      line: () => this.act(() => this.tell(this.told, true)),
      other: () => this.act(() => this.other(this.at)),
      zoom: key => this.act(() => {
        this.zoom = key === "0" ? 1 : Math.max(0.4, Math.min(3, this.zoom * (key === "+" ? 1.2 : 1 / 1.2)));
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
    for (const e of [get("blocks-picture"), get("blocks-kinds")]) e.toggleAttribute("hidden", !this.picture);
  }

  /** draw shows the picture of a program; again, if there is more of it.
   * @param {Emsim.Picture} picture @param {string} name */
  draw(picture, name, again = false) {
    const focus = this.place.contains(document.activeElement);
    Object.assign(this, {picture, nodes: [], told: 0, current: -1, shown: "", running: new Map()}, !again && {at: 0, zoom: 1});
    const top = get("blocks-picture");
    top.setAttribute("viewBox", `${trim} -2 ${picture.width - 2 * trim} ${picture.height}`);
    top.setAttribute("font-size", String(picture.font_size));
    top.setAttribute("aria-label", `${name} in strongly connected blocks`);
    top.replaceChildren(...picture.panels.map(p => this.panel(p)));
    get("blocks-kinds").replaceChildren(...picture.kinds.map(k => el("span", {}, svg("svg", {class: "sample", viewBox: "0 0 26 8", "aria-hidden": "true"}, svg("path", {class: `edge edge-${k.kind}`, d: "M0 4H26"})), k.words)),
      el("span", {}, picture.legend));
    this.show();
    this.scale();
    this.choose(Math.min(this.at, this.nodes.length - 1), again && focus);
  }

  /** @param {Emsim.Panel} p */
  panel(p) {
    const g = svg("g", {role: "group", "aria-label": p.title, transform: `translate(${p.x} ${p.y})`},
      svg("rect", {class: "panel", width: p.width, height: p.height}), this.text(p.title, 8, 15, "title"));
    for (const e of p.edges) g.append(svg("g", {class: `edge edge-${e.kind}`, "aria-hidden": "true"}, svg("path", {d: way(e)}), svg("path", {class: "tip", d: arrow(e.tip, this.picture.arrow)}), e.packets ? this.text(count(e.packets), e.tip[0] - 4, e.tip[1] - 3, "packets") : null));
    const first = this.nodes.length;
    for (const b of p.boxes) g.append(this.box(p, b));
    for (const n of this.nodes.slice(first)) g.append(n.pills);
    for (const [i, b] of p.boxes.entries()) this.nodes[first + i].label = this.label(p, b, i);
    return g;
  }

  /** @param {string} words @param {number} x @param {number} y @param {string} name */
  text(words, x, y, name) {
    const t = svg("text", {x, y, class: name});
    t.textContent = words;
    return t;
  }

  /** @param {Emsim.Panel} p @param {Emsim.Box} b */
  box(p, b) {
    const i = this.nodes.length, rows = b.texts.map(t => {
      const row = svg("g", {class: `row row-${t.role}`}, t.line ? svg("rect", {x: 1, y: t.y - 1.2, width: b.width - 2, height: this.picture.line_space}) : null, this.text(t.shown, t.x, t.y + 7.2, t.role));
      if (t.line) row.dataset.line = String(t.line);
      return row;
    });
    const g = svg("g", {class: b.call ? "box call" : "box", role: "button", tabindex: -1, transform: `translate(${b.x} ${b.y})`},
      svg("rect", {class: "frame", width: b.width, height: b.height, rx: b.call ? b.height / 2 : 2}));
    for (const row of rows) g.append(row, " "); // between words that are read aloud
    const pes = svg("g", {class: "pes"}), times = svg("g", {class: "times"});
    const pills = svg("g", {"aria-hidden": "true", transform: `translate(${b.x + b.width - 4} ${b.y})`}, pes, times);
    pes.onclick = () => this.other(i);
    g.onclick = e => {
      this.choose(i, true);
      this.tell(Number(near(e, "[data-line]")?.dataset.line) || 0);
      get("editor").scrollIntoView({block: "nearest"}); // in a narrow window it is above
    };
    this.nodes.push({g, box: b, panel: p, pes, times, pills, rows, x: b.x + b.width / 2, y: p.y + b.y + b.height / 2});
    return g;
  }

  /** label is a box for screen readers. @param {Emsim.Panel} p @param {Emsim.Box} b @param {number} i */
  label(p, b, i) {
    const on = p.edges.filter(e => e.from === i).map(e => `${e.packets ? `${count(e.packets)} packets` : this.picture.kinds.find(k => k.kind === e.kind).words}: ${p.boxes[e.to].name}`);
    const what = `${b.name === "host" ? "the" : b.call ? "call of" : "block"} ${[...b.texts.map(t => t.shown), ...b.texts.filter(t => t.words !== t.shown).map(t => `in full: ${t.words}`)].join(" ")}`;
    return `${what}${on.length ? `. From here: ${on.join("; ")}` : ""}`;
  }

  // scale gives the picture its size on the screen.
  scale() {
    if (!this.picture || this.place.clientWidth === 0) return;
    const top = get("blocks-picture"), {width, height} = top.viewBox.baseVal;
    const fit = this.zoom * Math.max(least, Math.min(most, (this.place.clientWidth - 20) / width));
    top.setAttribute("width", String(width * fit));
    top.setAttribute("height", String(height * fit));
    for (const n of this.nodes) for (const [i, row] of n.rows.entries()) { // a font other than that of the widths
      const text = row.querySelector("text"), room = n.box.width - 2 * n.box.texts[i].x + 1;
      if (text.getComputedTextLength() > room) for (const [key, value] of [["textLength", room], ["lengthAdjust", "spacingAndGlyphs"]]) text.setAttribute(String(key), String(value));
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

  /** other opens a PE that executes a block: the one behind that which is open. @param {number} i */
  other(i) {
    const list = this.running.get(this.nodes[i]) ?? [];
    if (list.length > 0) this.open(list.find(pe => pe > this.opened) ?? list[0]);
  }

  /** act does what a key says of the chosen box, if there is one. @param {(n: Block) => void} does */
  act(does) {
    const n = this.nodes[this.at];
    return n ? does(n) : false;
  }

  /** go chooses the nearest box in a direction, and shows its line.
   * @param {Block} from @param {number} dx @param {number} dy */
  go(from, dx, dy) {
    const far = (/** @type {Block} */ n) => {
      const along = (n.x - from.x) * dx + (n.y - from.y) * dy, beside = Math.abs((n.x - from.x) * dy) + Math.abs((n.y - from.y) * dx);
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
    if (box.top >= room.top && box.bottom <= room.bottom && box.left >= room.left && box.right <= room.right) return;
    this.place.scrollBy(box.left + box.width / 2 - room.left - room.width / 2, box.top + box.height / 2 - room.top - room.height / 2);
  }

  /**
   * mark shows what the PEs do: line is that of the opened PE, name the address of a PE.
   * @param {Emsim.Blocks} blocks
   * @param {{pe: number, line: number, name: (pe: number) => string}} machine
   */
  mark({list, opened, when}, {pe, line, name}) {
    if (!this.picture) return;
    const begun = new Map(list.map(b => [b.label, b]));
    this.opened = pe;
    this.running = new Map();
    let at = -1;
    for (const [i, n] of this.nodes.entries()) {
      const ran = n.box.begins.map(l => begun.get(l)).filter(Boolean), pes = ran.flatMap(b => b.pes).sort((a, b) => a - b), times = ran.reduce((sum, b) => sum + b.times, 0);
      const here = n.box.begins.includes(opened) ? when : "";
      if (here) at = i;
      for (const state of ["now", "next", "last"]) n.g.classList.toggle(state, here === state);
      for (const row of n.rows) row.classList.toggle("runs", here === "now" && Number(row.dataset.line) === line);
      this.running.set(n, pes);
      this.pill(n.times, times ? `${count(times)}×` : "", 0);
      this.pill(n.pes, pes.length > 1 ? `${pes.length} PEs` : pes.length ? name(pes[0]) : "", times ? this.wide(`${count(times)}×`) + 3 : 0);
      n.g.setAttribute("aria-label", n.label + (n.box.call ? "" : `. Begun ${count(times)} times${pes.length ? `; ${pes.map(name).join(" ")} execute it` : ""}`));
      if (here) n.g.setAttribute("aria-current", "true");
      else n.g.removeAttribute("aria-current");
    }
    const key = `${pe} ${at}`;
    if (key !== this.shown) this.see(at);
    Object.assign(this, {shown: key, current: at});
  }

  /** @param {string} words */
  wide(words) { return words.length * 4.1 + 6; }

  /** pill writes words on the upper side of a box, so far from its right end.
   * @param {SVGGElement} g @param {string} words @param {number} right */
  pill(g, words, right) {
    if (!words) return g.replaceChildren();
    const w = this.wide(words);
    g.replaceChildren(svg("rect", {x: -right - w, y: -5.5, width: w, height: 11, rx: 5.5}), this.text(words, -right - w / 2, 2.7, "pill"));
  }

  /** cursor marks a line of the program in all blocks that run it. @param {number} line */
  cursor(line) {
    for (const n of this.nodes) {
      for (const row of n.rows) row.classList.toggle("line", Number(row.dataset.line) === line);
      n.g.classList.toggle("has-line", n.rows.some(r => r.classList.contains("line")));
    }
  }
}
