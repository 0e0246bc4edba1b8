// Marks on the time line: clocks worth going to. The engine finds spills, faults and
// stops; others are the user's own. At its end stands the result.
import {reach} from "../draw/timeline.js";
import {page} from "../state/page.js";
import {all, count, el, get} from "../util.js";

/** short is what stands at a flag: of a text the part that says what happened.
 * @param {Emsim.Mark} m */
const short = ({kind, text = ""}) => ({
  spill: text.split(",")[0], fault: text.split(":")[0], stop: text.split(" (")[0],
  part: "A ≠ B", end: "result", own: "your mark",
})[kind];

export class Marks {
  place = get("marks");
  drawn = ""; // what is shown, in words

  get all() {
    const {run: {found, own}, versus: {both, parting}} = page, list = [...found, ...own];
    if (both && parting?.at) {
      list.push({clock: parting.clock, kind: "part", text: `A ≠ B: ${parting.at}`});
    }
    return list.sort((a, b) => a.clock - b.clock);
  }

  // toggle makes a mark at this clock, or takes it away.
  toggle() {
    const {run, versus: {now: clock}} = page, rest = run.own.filter(m => m.clock !== clock);
    run.own = rest.length < run.own.length ? rest : [...rest, {clock, kind: "own"}];
    page.keep.changed();
    this.draw();
  }

  /** next goes to the next mark, or (-1) to the one before. @param {number} by */
  next(by) {
    if (page.running || page.run.stale) return;
    const list = this.all.filter(x => by * (x.clock - page.versus.now) > 0);
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
    const pe = page.run.frame.mib.findIndex(Boolean);
    if (kind !== "spill" || pe < 0) return;
    await page.inspect.choose(pe);
    const spilled = (await page.ask("pe", pe))?.last;
    if (spilled) await page.follow(spilled);
  }

  // draw shows the marks, of two at the same clock one. They stay as they are until one changes: a
  // click that has begun on a flag may go on.
  draw() {
    const {length} = page.versus, list = this.all;
    if (length && !page.run.stale) list.push({clock: length, kind: "end", text: "the result"});
    const shown = [...new Map(list.map(m => [`${m.kind} ${m.clock}`, m])).values()]
      .map(m => ({...m, at: 100 * reach(m.clock)}))
      .filter(({at}) => at >= 0 && at <= 100);
    const drawn = JSON.stringify(shown), {title} = /** @type {any} */ (document.activeElement);
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    this.place.replaceChildren(...shown.map((m, i) => {
      const words = short(m), told = m.text || words, next = shown[i + 1];
      const b = el("button", {className: `flag flag-${m.kind}`, onclick: () => this.go(m),
        title: `clock ${count(m.clock)}: ${told}`, ariaLabel: `go to clock ${m.clock}: ${told}`,
      }, el("span", {}, words));
      b.style.left = `${m.at}%`;
      // Words that have no room before the next flag are not seen.
      if (m.kind !== "end") b.style.maxWidth = `${(next?.at ?? 100) - m.at}%`;
      return b;
    }));
    all(".flag", this.place).find(b => b.title === title)?.focus();
  }
}
