// The dock of time: the clock, the time lines, marks above them, and what every PE does.
import {count} from "../draw/pen.js";
import {clockAt, drawStrip, drawTime, grain, reach, seen} from "../draw/timeline.js";
import {key, listen, sides} from "../state/keys.js";
import {page} from "../state/page.js";
import {all, brush, clockOf, el, get} from "../util.js";

const pull = 20; // pixels above a time line, to open the strip of every PE [chosen]
const patience = 700; // milliseconds between two questions about an unfinished run [chosen]

const at = (/** @type {MouseEvent} */ e) =>
  clockAt(e.offsetX, /** @type {Element} */ (e.currentTarget).clientWidth);

/** clockPane shows the clock in the dock and in the prompt of the console. A run ends with its
 * result: what follows has no number. @type {Emsim.Pane} */
export const clockPane = {
  show({frame, pe, now, length}) {
    const {runs} = page.versus, two = new Set(runs.map(r => r.length)).size > 1;
    const whole = two ? runs.map(r => `${count(r.length)} (${r.name})`).join(", ") : count(length);
    const rest = !length ? "" : now > length ? " the end, then rest" : ` of ${whole}`;
    const shown = count(Math.min(now, length || now));
    get("clock").replaceChildren(
      el("small", {}, "clock "), el("b", {}, shown), el("small", {}, rest));
    get("prompt").textContent = `(${clockOf(frame)} ${page.run.machine.address(pe)})`;
  },
  leave() {
    get("clock").replaceChildren();
    get("prompt").textContent = ">";
  },
};

export class Timeline {
  /** @type {Emsim.Ahead} */ whole = null; // the whole run, as far as it is found

  /** @param {HTMLCanvasElement} canvas @param {Run} run */
  constructor(canvas, run) {
    this.canvas = canvas;
    this.run = run;
    canvas.addEventListener("pointerdown", e => canvas.setPointerCapture(e.pointerId));
    for (const on of ["pointerdown", "pointermove"]) canvas.addEventListener(on, event => {
      const e = /** @type {PointerEvent} */ (event);
      if (!(e.buttons & 1)) return;
      page.motion.travel(at(e));
      if (e.offsetY < -pull) page.strip.show(true);
    });
    canvas.addEventListener("dblclick", () => this.zoom(0));
    canvas.addEventListener("wheel", e => {
      e.preventDefault();
      this.zoom(e.deltaY < 0 ? 1.25 : 0.8);
    }, {passive: false});
    const by = (/** @type {number} */ clocks) => (/** @type {string} */ name) => {
      const way = name.endsWith("Right") ? clocks : -clocks;
      page.motion.travel(Math.max(0, page.versus.now + way));
    };
    listen(canvas, "timeline", "On the time line", [
      key("step", sides, "one clock; with Shift ten", by(1)),
      key("ten", "Shift+ArrowLeft Shift+ArrowRight", "ten clocks", by(10)),
      key("zoom", "+ - 0", "nearer, farther, all",
        name => this.zoom({"+": 1.5, "-": 1 / 1.5}[name] ?? 0)),
    ]);
    new ResizeObserver(() => this.draw()).observe(canvas);
  }

  /** zoom shows a shorter or longer part around the play head; 0: all. @param {number} by */
  zoom(by) {
    const now = Math.min(1, this.clock / seen.end), {from, to, end} = seen;
    const wide = by ? Math.min(1, Math.max(20 / end, (to - from) / by)) : 1;
    const place = Math.max(0, Math.min(1, reach(this.clock)));
    seen.from = Math.max(0, Math.min(1 - wide, now - place * wide));
    seen.to = seen.from + wide;
    page.versus.draw();
  }

  // show shows where the run is.
  show() {
    const {canvas, run: {length}} = this, {now} = page.versus;
    const ariaValueText = length && now > length ? "after the end" : `clock ${now}`;
    Object.assign(canvas, {ariaValueMax: seen.end, ariaValueNow: now, ariaValueText});
    this.draw();
  }

  get clock() { return this.run.stale ? 0 : this.run.frame.clock; }

  get end() { return seen.end; }

  // timed is what the picture shows; its name only where there are two.
  get timed() {
    const {whole, clock, run: {length, net, name}} = this;
    return {whole, clock, length, pes: net?.next.length ?? 0, name: page.versus?.on ? name : ""};
  }

  clear() {
    this.whole = null;
    Object.assign(seen, {from: 0, to: 1}, !page.versus?.on && {end: 1});
    this.draw();
  }

  draw() { drawTime(brush(this.canvas), this.timed); }
}

// Strip shows every PE over the whole run. It opens by its button, its key, or a pull from the time
// line upwards.
export class Strip {
  canvas = get("strip");
  /** @type {Emsim.Strip} */ known = null;
  /** @type {Emsim.Ahead} */ of = null; // what is known of
  /** @type {Run} */ run = null; // that is shown
  asked = 0;
  /** @type {OffscreenCanvas} of a long run a pixel stands for several clocks */ pixels = null;

  constructor() {
    this.canvas.onclick = e => {
      const {length} = page.run.net.next;
      const row = Math.floor(e.offsetY / this.canvas.clientHeight * length);
      const pe = Math.max(0, Math.min(length - 1, row));
      page.motion.travel(at(e)).then(() => page.inspect.choose(pe));
    };
    new ResizeObserver(() => this.draw()).observe(this.canvas);
  }

  /** show opens or closes it. @param {boolean} open */
  show(open) {
    this.canvas.hidden = !open;
    get("strip-open").ariaExpanded = String(open);
    this.draw();
  }

  // learn asks what the PEs have done, if more is known of the run than before.
  async learn() {
    const {whole} = page.run.timeline;
    if (!whole || whole === this.of) return;
    if (!whole.ended && performance.now() - this.asked < patience) return;
    Object.assign(this, {of: whole, asked: performance.now()});
    const known = await page.ask("strip");
    if (!known || page.run.timeline.whole !== whole && whole.ended) return;
    this.known = known;
    this.draw(true);
  }

  // draw draws it; anew where colours have changed, or what is known.
  draw(anew = false) {
    if (this.canvas.hidden || page.run.stale) return;
    const {timeline, net} = page.run, pen = brush(this.canvas);
    if (!timeline.whole || this.run !== page.run) { // another run
      Object.assign(this, {pixels: null, known: null, of: null, run: page.run});
    }
    this.learn();
    if (anew && this.known) this.pixels = grain(pen, this.known.states);
    drawStrip(pen, {...timeline.timed, groups: net.groups}, this.pixels, this.known?.clocks);
  }
}

/** short is what stands at a flag: of a text the part that says what happened.
 * @param {Emsim.Mark} m */
const short = ({kind, text = ""}) => ({
  spill: text.split(",")[0], fault: text.split(":")[0], stop: text.split(" (")[0],
  part: "A ≠ B", end: "result", own: "your mark",
})[kind];

// Marks are clocks worth going to. The engine finds spills, faults and stops; others are the user's
// own. At the end of the time line stands the result.
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
    if (m) page.motion.travel(m.clock);
  }

  // go goes to a mark: of the end to the result, of a spill to the packet that was spilled.
  async go(/** @type {Emsim.Mark} */ {clock, kind}) {
    if (kind === "end") {
      await page.motion.once("continue");
      return page.inspect.show("result");
    }
    await page.motion.travel(clock);
    const pe = page.run.frame.mib.findIndex(Boolean);
    if (kind !== "spill" || pe < 0) return;
    await page.inspect.choose(pe);
    const spilled = (await page.ask("pe", pe))?.last;
    if (spilled) await page.inspect.follow(spilled);
  }

  // draw shows the marks, of two at the same clock one. They stay as they are until one changes: a
  // click that has begun on a flag may go on.
  draw() {
    const {length} = page.versus, list = this.all;
    if (length && !page.run.stale) list.push({clock: length, kind: "end", text: "the result"});
    const shown = [...new Map(list.map(m => [`${m.kind} ${m.clock}`, m])).values()]
      .map(m => ({...m, at: 100 * reach(m.clock)}))
      .filter(m => m.at >= 0 && m.at <= 100);
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
