// The first sight of the page: the machine alone, at work, and two doors. Other pages show the
// machine alone, too, and so does a lecture.
import {Callouts} from "../draw/callouts.js";
import {pause} from "../state/motion.js";
import {page} from "../state/page.js";
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
  // welcome shows the first run at work.
  async welcome() {
    await page.assemble(first());
    if (lives) return;
    await page.motion.once(`goto ${busiest}`);
    await page.go("watch");
    get("doors").hidden = false;
    classList.add("first");
    page.run.machine.callouts = new Callouts();
    page.run.machine.draw();
  }

  // leave ends the first sight, and whatever is under way.
  async leave() {
    if (greets()) get("speed").selectedIndex = 2;
    get("doors").hidden = true;
    classList.remove("first");
    page.run.machine.callouts = null;
    await page.motion.stop();
  }

  // lecture shows the machine and the time line alone, with larger words; or all again.
  lecture() {
    classList.toggle("lecture");
    page.pictures();
  }

  // live runs the program again and again, until somebody pauses it; whoever prefers less
  // motion sees the first sight still.
  async live() {
    if (lives) parent.postMessage("ready", "*");
    get("speed").selectedIndex = lives ? 3 : 1;
    if (calm.matches && !lives) return;
    for (;;) {
      await page.motion.run();
      if (!page.run.frame.ended) return;
      await pause(3000);
      if (lives) await page.motion.once("goto 0");
      else if (greets()) await page.motion.once(`goto ${busiest}`);
      else return;
    }
  }
}
