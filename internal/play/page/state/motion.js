// What moves the clock: single commands, a run at a speed, a way to a clock, and how they end.
import {el, get} from "../util.js";

/** @type {[string, number][]} of clocks a second */
const speeds = [
  ["2 clocks/s", 2], ["8 clocks/s", 8], ["20 clocks/s", 20], ["100 clocks/s", 100],
  ["1,000 clocks/s", 1000], ["at once", Infinity],
];

/** @param {number} ms */
export const pause = ms => new Promise(r => setTimeout(r, ms));

export class Motion {
  /** @type {object} */ token = null; // of the run that goes on
  /** @type {number} */ wish = null; // where to travel next

  /**
   * lead executes a command and shows where it led; look brings up to date what is asked for
   * separately; controls says what can be done now.
   * @param {Emsim.Page} page
   * @param {import("../engine.js").Engine} engine
   * @param {import("../panes/versus.js").Versus} versus
   * @param {{lead: (line: string, quiet?: boolean) => Promise<Emsim.Moved>, look: () => Promise<void>,
   *   controls: () => void}} acts
   */
  constructor(page, engine, versus, {lead, look, controls}) {
    this.page = page;
    this.engine = engine;
    this.versus = versus;
    this.lead = lead;
    this.look = look;
    this.controls = controls;
    get("speed").append(...speeds.map(([name]) => el("option", {}, name)));
    get("speed").selectedIndex = 2;
  }

  // run goes on at the chosen speed until the end, a stop, or a pause.
  async run() {
    const {page, versus} = this;
    if (page.running) return this.stop();
    if (page.stale || versus.ended) return;
    page.running = true;
    this.controls();
    const token = (this.token = {});
    try {
      for (let last = performance.now(), seen = last; this.token === token; ) {
        const speed = speeds[get("speed").selectedIndex][1];
        if (speed === Infinity) { await this.lead("continue"); break; }
        const x = await this.lead(`step ${Math.max(1, Math.round(speed / 20))}`);
        if (!x || x.error || x.hits.length > 0 || versus.ended) break;
        if (speed <= 20 || performance.now() - seen > 500) {
          await this.look();
          seen = performance.now();
        }
        const next = last + Math.max(50, 1000 / speed);
        await pause(Math.max(0, next - performance.now()));
        last = Math.max(next, performance.now() - 200);
      }
    } finally {
      if (this.token === token) this.token = null;
      page.running = false;
      this.controls();
      await this.look();
    }
  }

  // stop ends whatever is under way.
  async stop() {
    this.token = null;
    this.engine.cancel();
    while (this.page.running) await pause(5);
    await this.engine.last;
  }

  // settle ends motions, and waits until the page is at rest.
  async settle() {
    this.wish = this.versus.seeking = null;
    await this.stop();
    while (this.page.travelling || this.engine.busy) await pause(5);
  }

  /** once executes a command; the console tells of it if it is to be loud.
   * @param {string} line */
  async once(line, quiet = true) {
    const {page} = this;
    if (quiet && page.running || page.stale) return;
    page.running = true;
    this.controls();
    try {
      return await this.lead(line, quiet);
    } finally {
      page.running = false;
      await this.look();
    }
  }

  /** travel goes to a clock; of several wishes the last one counts. @param {number} clock */
  async travel(clock) {
    const {page, versus} = this;
    this.wish = clock;
    if (page.travelling || page.stale) return;
    page.travelling = true;
    while (this.wish !== null) {
      const to = this.wish;
      this.wish = null;
      if (to !== versus.now) await this.lead(`goto ${to}`);
    }
    page.travelling = false;
    await this.look();
  }
}
