// A run of the page: what the engine has of it, its machine and its time line. The page has one, or
// two that are compared, A and B; it shows and changes the chosen one, page.run.
import {Timeline} from "../draw/timeline.js";
import {Machine} from "../panes/machine.js";
import {get} from "../util.js";
import {page} from "./page.js";

const patience = 30; // milliseconds of a step ahead, which everything else waits for [chosen]

export class Run {
  /** @type {Emsim.Setup} */ setup; // that was built
  /** @type {Emsim.Opened} */ answer; // the engine's, to the setup
  /** @type {Emsim.Network} */ net;
  /** @type {Emsim.Frame} */ frame;
  /** @type {boolean} */ stale; // what is shown is of another program than the editor's
  /** @type {number} */ opened; // PE
  /** @type {string} */ packet; // that is followed
  /** @type {Emsim.Mark[]} */ found; // marks, by the engine
  /** @type {Emsim.Mark[]} */ own; // marks, by the user
  /** @type {Stop[]} */ stops;
  /** @type {Map<string, Source>} */ files; // of its program, by name
  /** @type {string} */ open; // of these the one in the editor
  /** @type {string[]} */ labels; // of the program when it was right last
  /** @type {object} */ way; // as long as the run is gone through ahead of the page

  /** @param {"A" | "B"} name */
  constructor(name) {
    this.name = name;
    this.side = name === "A" ? 0 : 1; // of the engine's two
    const choose = () => page.versus.choose(this);
    this.machine = new Machine(get(`machine-${name}`), this, {
      opened: pe => choose().then(() => page.inspect.choose(pe)),
      packet: p => choose().then(() => page.follow(p.id)),
    });
    this.timeline = new Timeline(get(`series-${name}`), this);
    this.clear();
  }

  // clear leaves nothing of the run.
  clear() {
    this.setup = this.answer = this.net = this.frame = null;
    this.opened = this.packet = this.open = this.way = null;
    this.stale = true;
    Object.assign(this, {found: [], own: [], stops: [], labels: [], files: new Map()});
    this.timeline.clear();
  }

  /** ask asks the engine about this run. @type {Emsim.Ask} */
  ask(name, argument) { return page.ask(name, argument, this); }

  /** take takes where a command has led. @param {Emsim.Moved} moved */
  take(moved) {
    if (moved) Object.assign(this, {frame: moved.frame, found: moved.marks});
  }

  /** bring takes the run to a clock, or to its end. @param {number} to */
  async bring(to) {
    const {clock, ended} = this.frame;
    if (to === clock || to > clock && ended) return;
    this.take(await this.ask("do", to === Infinity ? "continue" : `goto ${to}`));
  }

  // length is that up to its result; 0 as long as it is not known.
  get length() { return this.stale ? 0 : this.timeline.whole?.length || this.frame.length || 0; }

  // ahead goes through the whole run in small steps while the page does something else, so that
  // the time line is whole before anybody has gone there.
  async ahead() {
    const way = (this.way = {});
    for (let clocks = 200, failed = 0; this.way === way && failed < 20;) {
      const from = performance.now();
      const whole = await page.engine.call("ahead", Math.round(clocks), this.side)
        // somebody has ended whatever was under way
        .catch(() => /** @type {Emsim.Ahead} */ (null));
      if (this.way !== way) return;
      failed = whole ? 0 : failed + 1;
      if (whole) this.timeline.whole = whole;
      page.draw();
      if (whole?.ended) return;
      clocks *= Math.min(2, patience / (performance.now() - from));
      clocks = Math.max(50, Math.min(50_000, clocks));
      await new Promise(next => setTimeout(next, whole ? 0 : 50));
    }
  }
}
