// Marks on the time line: clocks worth going to. The engine finds spills, faults and
// stops; others are the user's own. At its end stands the result.
import {margins, reach} from "../draw/timeline.js";
import {page} from "../state/page.js";
import {count, el} from "../util.js";

/** short is what stands at a flag: of a text the part that says what happened.
 * @param {Emsim.Mark} m */
function short({kind, text}) {
  switch (kind) {
    case "spill": return text.split(",")[0];
    case "fault": return text.split(":")[0];
    case "stop": return text.replace(/ \(.*$/, "");
    case "part": return "A ≠ B";
    case "end": return "result";
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

  /** @param {HTMLElement} place */
  constructor(place) {
    this.place = place;
    new ResizeObserver(() => this.draw()).observe(place);
  }

  get all() {
    const list = [...this.found, ...this.own, ...(this.parted ? [this.parted] : [])];
    return list.sort((a, b) => a.clock - b.clock);
  }

  reset() {
    Object.assign(this, {found: [], own: [], parted: null});
    this.draw();
  }

  /** show places the marks on so many clocks. @param {number} span @param {number} clock */
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
    const list = this.all.filter(x => by * (x.clock - this.clock) > 0);
    const m = by > 0 ? list[0] : list.at(-1);
    if (m) page.travel(m.clock);
  }

  /** go goes to a mark: of the end to the result, of a spill to the packet that was spilled.
   * @param {Emsim.Mark} m */
  async go({clock, kind}) {
    if (kind === "end") {
      await page.once("continue");
      return page.show("result");
    }
    await page.travel(clock);
    const pe = page.frame.mib.findIndex(Boolean);
    if (kind !== "spill" || pe < 0) return;
    await page.inspect.choose(pe);
    const spilled = (await page.ask("pe", pe))?.queues.mib.at(-1);
    if (spilled) await page.follow(spilled.id);
  }

  draw() {
    const {left, right} = margins, {clientWidth: width} = this.place, {length} = page.versus ?? {};
    const at = (/** @type {number} */ clock) =>
      left + reach(clock / this.end) * (width - left - right);
    const list = this.all.filter(m => m.clock <= this.end && at(m.clock) >= left
      && at(m.clock) <= width);
    if (length) list.push({clock: length, kind: "end", text: "the result"});
    const key = JSON.stringify([width, this.end, reach(0), reach(1), list]);
    if (key === this.drawn) return;
    this.drawn = key;
    let free = 0; // where the last label ends
    this.place.replaceChildren(...list.map((m, i) => {
      const x = Math.min(width - 9, at(m.clock)), words = short(m), told = m.text || words;
      const b = el("button", {
        className: `flag flag-${m.kind}`, title: `clock ${count(m.clock)}: ${told}`,
        onclick: () => this.go(m), "aria-label": `go to clock ${m.clock}: ${told}`,
      });
      b.style.left = `${x}px`;
      // A label stands at its flag if there is room before the next flag.
      const long = words.length * 6.6 + 12, after = list[i + 1] ? at(list[i + 1].clock) : width;
      if (x + long <= after) {
        b.append(el("span", {}, words));
        free = x + long;
      } else if (x - long >= free) {
        b.append(el("span", {className: "before"}, words));
        free = x + 8;
      } else free = Math.max(free, x + 8);
      return b;
    }));
  }
}
