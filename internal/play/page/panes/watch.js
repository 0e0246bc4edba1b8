// The first sight of the page: the machine alone, at work, and two doors. Other pages show the
// machine alone, too.
import {Callouts} from "../draw/callouts.js";
import {pause} from "../state/motion.js";
import {calm, get} from "../util.js";

const busiest = 1400; // a clock of the first run at which most of 80 PEs have begun
const {classList} = document.documentElement;

// greets is whether the page is seen for the first time.
export const greets = () => classList.contains("first");

// lives is whether other pages show this one as a small view: the machine alone, at work.
export const lives = location.search === "?live";
classList.toggle("live", lives);

/** @returns {Emsim.Setup} */
export const first = () => (
  lives ? {main: "fib.s", args: ["10"], pes: 12} : {main: "fib.s", args: ["16"]});

export class Watch {
  /**
   * @param {Emsim.Page} page
   * @param {import("./machine.js").Machine} machine
   * @param {import("../state/motion.js").Motion} motion
   */
  constructor(page, machine, motion) {
    this.page = page;
    this.machine = machine;
    this.motion = motion;
  }

  /** welcome shows the first run at work. @param {(setup: Emsim.Setup) => Promise<any>} assemble */
  async welcome(assemble) {
    await assemble(first());
    if (lives) return;
    await this.motion.once(`goto ${busiest}`);
    get("doors").hidden = false;
    classList.add("first");
    this.machine.callouts = new Callouts();
    this.machine.draw();
  }

  // leave ends the first sight, and whatever is under way.
  async leave() {
    get("doors").hidden = true;
    classList.remove("first");
    this.machine.callouts = null;
    await this.motion.stop();
  }

  // live runs the program again and again, until somebody pauses it; whoever prefers less
  // motion sees the first sight still.
  async live() {
    if (lives) parent.postMessage("ready", "*");
    get("speed").selectedIndex = lives ? 3 : 1;
    if (calm.matches && !lives) return;
    for (;;) {
      await this.motion.run();
      if (!this.page.frame.ended) return;
      await pause(3000);
      if (lives) await this.motion.once("goto 0");
      else if (greets()) await this.motion.once(`goto ${busiest}`);
      else return;
    }
  }
}
