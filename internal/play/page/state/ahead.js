// The whole run, found in small steps while the page does something else, so that the time
// line is whole before anybody has gone there.
const patience = 30; // milliseconds of a step, which everything else waits for [chosen]

export class Ahead {
  /** @type {[object, object]} of the two runs, as long as they are gone through */ tokens = [null, null];

  /**
   * found gets what is known of a run so far.
   * @param {import("../engine.js").Engine} engine
   * @param {(whole: Emsim.Ahead, side: number) => void} found
   */
  constructor(engine, found) {
    this.engine = engine;
    this.found = found;
  }

  /** end leaves a run. @param {number} side */
  end(side) { this.tokens[side] = null; }

  /** begin goes through a run. @param {number} side */
  async begin(side) {
    const token = (this.tokens[side] = {});
    for (let clocks = 200, failed = 0; this.tokens[side] === token && failed < 20;) {
      const from = performance.now(), whole = await this.engine.call("ahead", Math.round(clocks), side).catch(() => /** @type {Emsim.Ahead} */ (null));
      if (this.tokens[side] !== token) return;
      failed = whole ? 0 : failed + 1; // somebody has ended whatever was under way
      if (whole) this.found(whole, side);
      if (whole?.ended) return;
      clocks = Math.max(50, Math.min(50_000, clocks * Math.min(2, patience / (performance.now() - from))));
      await new Promise(next => setTimeout(next, whole ? 0 : 50));
    }
  }
}
