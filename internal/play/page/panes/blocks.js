// The picture of the strongly connected blocks of a program, which the engine draws; where the run
// is in them is marked.
import {count} from "../draw/pen.js";
import {arrows, everyArrow, key, listen} from "../state/keys.js";
import {page} from "../state/page.js";
import {all, get, near} from "../util.js";

/** wide is the width of words. @param {string} words */
const wide = words => words.length * 4.1 + 6;

/** pill writes numbers on the upper side of a box, so far from its right end.
 * @param {Element} g @param {string} words @param {number} right */
function pill(g, words, right) {
  const w = wide(words);
  g.innerHTML = words && `<rect x="${-right - w}" y="-5.5" width="${w}" height="11" rx="5.5"/>`
    + `<text x="${-right - w / 2}" y="2.7" class="pill">${words}</text>`;
}

export class Blocks {
  place = get("blocks");
  /** @type {Block[]} */ nodes = [];
  at = 0; // which of them keys speak of
  told = 0; // its line that the editor shows
  zoom = 1;
  current = -1; // the block that the opened PE is at
  shown = ""; // PE and block that were scrolled to
  /** @type {Map<Block, number[]>} */ running = new Map(); // PEs that execute a block

  constructor() {
    listen(this.place, "blocks", "In the blocks", [
      key("go", everyArrow, "another block", k => this.act(n => this.go(n, ...arrows[k]))),
      key("line", "Enter", "to its line", () => this.act(() => this.tell(this.told, true))),
      key("other", "p", "opens a PE that executes it", () => this.act(() => this.other(this.at))),
      key("zoom", "+ - 0", "nearer, farther, as at first", k => this.act(() => {
        const by = k === "+" ? 1.2 : 1 / 1.2;
        this.zoom = k === "0" ? 1 : Math.max(0.4, Math.min(3, this.zoom * by));
        this.scale();
      })),
    ]);
    new ResizeObserver(() => this.see(this.current)).observe(this.place);
  }

  /** none says why there is no picture. @param {string} words */
  none(words) {
    this.nodes = [];
    get("blocks-none").textContent = words;
    get("blocks-picture").innerHTML = get("blocks-kinds").innerHTML = "";
  }

  /** draw shows the picture of a program. @param {Emsim.Graph} graph */
  draw(graph) {
    this.none("");
    get("blocks-picture").outerHTML = graph.svg;
    get("blocks-kinds").innerHTML = graph.kinds;
    const top = get("blocks-picture"), pills = all(".pills", top);
    this.nodes = all(".box", top).map((g, i) => {
      const box = graph.boxes[i], rows = all(".row", g), [pes, times] = pills[i].children;
      /** @type {HTMLElement} */ (pes).onclick = () => this.other(i);
      g.onclick = e => {
        this.choose(i, true);
        this.tell(Number(near(e, "[data-line]")?.dataset.line) || 0);
      };
      return {g, box, rows, pes, times};
    });
    Object.assign(this, {at: 0, told: 0, zoom: 1, current: -1, shown: "", running: new Map()});
    this.scale();
    this.choose(0);
  }

  // scale gives the picture its size on the screen, and its words their room.
  scale() {
    const top = get("blocks-picture");
    top.style.setProperty("--wide", String(top.viewBox.baseVal.width));
    top.style.setProperty("--zoom", String(this.zoom));
    for (const words of /** @type {any} */ (all("[data-room]", top))) {
      const {room: place} = words.dataset;
      if (words.getComputedTextLength() <= Number(place)) continue;
      words.setAttribute("textLength", place); // a font other than that of the widths
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
    if (box.function >= 0) this.see(box.function);
    this.told = line || box.line;
    if (this.told) page.editor.to(page.run.setup.main, this.told);
    if (this.told && go) page.editor.visit();
  }

  /** other opens a PE that executes a block: the one after that which is open. @param {number} i */
  other(i) {
    const list = this.running.get(this.nodes[i]) ?? [];
    if (list.length > 0) page.inspect.open(list.find(pe => pe > (page.run.opened ?? 0)) ?? list[0]);
  }

  // act does what a key says of the chosen box, if there is one.
  act(/** @type {(n: Block) => void} */ does) {
    const n = this.nodes[this.at];
    return n ? does(n) : false;
  }

  /** go chooses the nearest box in a direction, and shows its line.
   * @param {Block} from @param {number} dx @param {number} dy */
  go(from, dx, dy) {
    const far = (/** @type {Block} */ n) => {
      const x = n.box.x - from.box.x, y = n.box.y - from.box.y;
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
    if (!inside) n.g.scrollIntoView({block: "center", inline: "center"});
  }

  /** mark shows what the PEs do: line is that of the opened PE, name the address of a PE.
   * @param {Emsim.Blocks} blocks
   * @param {{pe: number, line: number, name: (pe: number) => string}} machine */
  mark({list, opened, when}, {pe, line, name}) {
    const begun = new Map(list.map(b => [b.label, b]));
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
      n.g.ariaLabel = n.box.label + (n.box.call ? "" : `. Begun ${count(times)} times${who}`);
      n.g.ariaCurrent = here ? "true" : null;
    }
    const shown = `${pe} ${at}`;
    if (shown !== this.shown) this.see(at);
    Object.assign(this, {shown, current: at});
  }

  /** cursor marks a line of the program in all blocks that run it. @param {number} line */
  cursor(line) {
    for (const n of this.nodes) {
      for (const row of n.rows) row.classList.toggle("line", Number(row.dataset.line) === line);
      n.g.classList.toggle("has-line", n.rows.some(r => r.classList.contains("line")));
    }
  }
}
