// Marks on the time line: clocks worth going to. The engine finds spills, faults and
// stops; others are the user's own.
import {margins} from "../draw/timeline.js";
import {count, el, get} from "../util.js";

/** short is what stands at a flag: of a text the part that says what happened. @param {Emsim.Mark} m */
function short({kind, text}) {
  switch (kind) {
    case "spill": return text.split(",")[0];
    case "fault": return text.split(":")[0];
    case "stop": return text.replace(/ \(.*$/, "");
    case "part": return "A ≠ B";
  }
  return "your mark";
}

export class Marks {
  /** @type {Emsim.Mark[]} */ found = [];
  /** @type {Emsim.Mark[]} */ own = [];
  /** @type {Emsim.Mark} */ parted = null; // where two runs part
  clock = 0;
  end = 1;
  drawn = "";

  /** go travels to a clock. @param {HTMLElement} place @param {(clock: number) => void} go */
  constructor(place, go) {
    this.place = place;
    this.go = go;
    new ResizeObserver(() => this.draw()).observe(place);
  }

  get all() { return [...this.found, ...this.own, ...(this.parted ? [this.parted] : [])].sort((a, b) => a.clock - b.clock); }

  reset() {
    this.found = [];
    this.own = [];
    this.parted = null;
    this.draw();
  }

  /** show places the marks on so many clocks.
   * @param {number} span @param {number} clock */
  show(span, clock) {
    Object.assign(this, {clock, end: span});
    this.draw();
  }

  // toggle makes a mark at this clock, or takes it away.
  toggle() {
    const rest = this.own.filter(m => m.clock !== this.clock);
    this.own = rest.length < this.own.length ? rest : [...rest, {clock: this.clock, kind: "own"}];
    this.draw();
  }

  /** next goes to the next mark, or (-1) to the one before. @param {number} by */
  next(by) {
    const list = this.all.filter(x => by * (x.clock - this.clock) > 0), m = by > 0 ? list[0] : list.at(-1);
    if (m) this.go(m.clock);
    return Boolean(m);
  }

  draw() {
    const {left, right} = margins, width = this.place.clientWidth, wide = width - left - right, list = this.all.filter(m => m.clock <= this.end);
    const mine = this.own.some(m => m.clock === this.clock);
    get("mark").setAttribute("aria-pressed", String(mine));
    const key = JSON.stringify([width, this.end, list]);
    if (key === this.drawn) return;
    this.drawn = key;
    let free = 0; // where the last label ends
    this.place.replaceChildren(...list.map((m, i) => {
      const x = Math.min(width - 9, left + m.clock / this.end * wide), words = short(m);
      const b = el("button", {
        className: `flag flag-${m.kind}`, title: `clock ${count(m.clock)}: ${m.text || words}`, onclick: () => this.go(m.clock),
        "aria-label": `go to clock ${m.clock}: ${m.text || words}`,
      });
      b.style.left = `${x}px`;
      // A label stands at its flag if there is room before the next flag.
      const long = words.length * 6.6 + 12, after = list[i + 1] ? left + list[i + 1].clock / this.end * wide : width;
      if (x + long <= after) {
        b.append(el("span", {}, words));
        free = x + long;
      } else if (x - long >= free) {
        b.append(el("span", {className: "before"}, words));
        free = x + 8;
      } else free = Math.max(free, x + 8);
      return b;
    }));
    if (list.length === 0) this.place.append(el("small", {className: "none"}, "no marks yet: x marks this clock"));
  }
}
