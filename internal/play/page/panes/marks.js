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
  /** @type {Map<string, HTMLElement>} */ buttons = new Map();
  clock = 0;
  end = 1;

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
    page.keep.changed();
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
    const spilled = (await page.ask("pe", pe))?.last;
    if (spilled) await page.follow(spilled);
  }

  /** button is that of a mark: the same one as long as the mark is seen.
   * @param {Emsim.Mark} m */
  button(m) {
    const key = `${m.kind} ${m.clock}`;
    if (!this.buttons.has(key)) {
      this.buttons.set(key, el("button", {className: `flag flag-${m.kind}`}));
    }
    return this.buttons.get(key);
  }

  draw() {
    const {left, right} = margins, {clientWidth: width} = this.place, {length} = page.versus ?? {};
    const at = (/** @type {number} */ clock) =>
      left + reach(clock / this.end) * (width - left - right);
    const list = this.all.filter(m => m.clock <= this.end && at(m.clock) >= left
      && at(m.clock) <= width);
    if (length && !page.stale) list.push({clock: length, kind: "end", text: "the result"});
    const marks = new Map(list.map(m => [`${m.kind} ${m.clock}`, m])), shown = [...marks.values()];
    for (const [key, b] of this.buttons) {
      if (marks.has(key)) continue;
      b.remove();
      this.buttons.delete(key);
    }
    let free = 0; // where the last label ends
    for (const [i, m] of shown.entries()) {
      const x = Math.min(width - 9, at(m.clock)), words = short(m), told = m.text || words;
      const b = this.button(m);
      b.title = `clock ${count(m.clock)}: ${told}`;
      b.ariaLabel = `go to clock ${m.clock}: ${told}`;
      b.onclick = () => this.go(m);
      b.style.left = `${x}px`;
      // A label stands at its flag if there is room before the next flag.
      const long = words.length * 6.6 + 12, after = shown[i + 1] ? at(shown[i + 1].clock) : width;
      const label = x + long <= after ? "after" : x - long >= free ? "before" : "";
      free = label === "after" ? x + long : label ? x + 8 : Math.max(free, x + 8);
      const old = b.firstElementChild; // it stays, as a click that has begun on it may go on
      if (label !== (old?.className ?? "") || old && old.textContent !== words) {
        b.replaceChildren(...label ? [el("span", {className: label}, words)] : []);
      }
      // A button that is moved loses the focus.
      const there = this.place.children[i];
      if (there !== b) this.place.insertBefore(b, there ?? null);
    }
  }
}
