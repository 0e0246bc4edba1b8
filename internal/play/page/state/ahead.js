// The whole run, found in small steps while the page does something else, so that the time
// line is whole before anybody has gone there.
import {page} from "./page.js";

const patience = 30; // milliseconds of a step, which everything else waits for [chosen]

export class Ahead {
  /** @type {[object, object]} of the two runs, as long as they are gone through */
  tokens = [null, null];

  /** found gets what is known of a run so far.
   * @param {(whole: Emsim.Ahead, side: number) => void} found */
  constructor(found) { this.found = found; }

  /** end leaves a run. @param {number} side */
  end(side) { this.tokens[side] = null; }

  /** begin goes through a run. @param {number} side */
  async begin(side) {
    const token = (this.tokens[side] = {});
    for (let clocks = 200, failed = 0; this.tokens[side] === token && failed < 20;) {
      const from = performance.now();
      const whole = await page.engine.call("ahead", Math.round(clocks), side)
        // somebody has ended whatever was under way
        .catch(() => /** @type {Emsim.Ahead} */ (null));
      if (this.tokens[side] !== token) return;
      failed = whole ? 0 : failed + 1;
      if (whole) this.found(whole, side);
      if (whole?.ended) return;
      clocks *= Math.min(2, patience / (performance.now() - from));
      clocks = Math.max(50, Math.min(50_000, clocks));
      await new Promise(next => setTimeout(next, whole ? 0 : 50));
    }
  }
}
