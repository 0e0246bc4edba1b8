// What is looked at more closely: the opened PE, a packet that is followed, the result.
import {mode, page} from "../state/page.js";
import {still} from "../state/store.js";
import {clockOf, get} from "../util.js";
import {showCalls} from "./calls.js";
import {drawPE} from "./pe.js";
import {noPacket, showPacket, showResult} from "./result.js";

const panes = /** @type {const} */ (["right", "packet", "result", "compared"]);

export class Inspect {
  constructor() {
    get("companion-close").onclick = () => this.close();
    get("closer").onclick = () => this.show("right");
  }

  // look brings up to date what is asked for separately.
  async look() {
    if (page.stale) return;
    await this.series();
    if (mode() === "program") page.opened ??= 0;
    if (page.opened !== null) await this.open(page.opened);
    await page.flow.look();
    if (page.tab === "result") showResult();
    if (page.tab === "packet" && page.packet) await this.follow(page.packet, true);
    await page.versus.look();
    page.controls();
  }

  // series brings the utilisation over time up to date.
  async series() {
    const {timeline} = page, {furthest} = page.frame;
    if (furthest === page.seriesAt || furthest <= timeline.reach) return;
    page.seriesAt = furthest;
    timeline.series = await page.ask("series");
    timeline.draw();
  }

  /** choose opens a PE that the user has chosen; beside a program this shows its variables.
   * @param {number} pe */
  async choose(pe) {
    await page.enter();
    await this.open(pe);
    get("companion").scrollTop = 0;
    if (mode() !== "program") this.show("right");
  }

  /** open brings a PE to the place where the opened one is shown. @param {number} pe */
  async open(pe) {
    const {machine, editor, stage} = page;
    if (page.stale || pe === null) return;
    if (pe >= page.net.next.length) pe = 0;
    const here = still(), x = await page.ask("pe", pe);
    if (!x || !here()) return;
    page.opened = pe;
    machine.opened = true;
    page.shown(pe);
    machine.pe = machine.near = pe;
    machine.draw();
    const {scrollTop} = get("companion");
    drawPE(get("right"), x);
    get("companion").scrollTop = scrollTop;
    get("here").hidden = false;
    get("here").firstElementChild.textContent = x.pe;
    get("here").querySelector("span").textContent = x.why;
    editor.here(x.code.when === "last" ? "" : x.code.file, x.code.line);
    get("told").textContent = `PE ${x.pe}, clock ${clockOf(page.frame)}: ${x.why}`;
    page.stops.look(x.locals);
    await showCalls(x);
    await stage.called();
    await stage.look(x.code);
  }

  /** follow tells the way of a packet; again, if the pane still shows it. @param {string} id */
  async follow(id, again = false) {
    const {machine} = page, here = still(), way = await page.ask("follow", id);
    if (!here()) return;
    if (again && !way && !page.stale) noPacket(get("message").textContent); // not made yet
    if (!way || page.stale || again && (page.tab !== "packet" || page.packet !== id)) return;
    page.packet = machine.followed = id;
    machine.draw();
    if (page.tab !== "packet") this.show("packet");
    showPacket(way);
    return way;
  }

  /** show chooses what the companion of the machine shows; "": nothing. @param {string} name */
  show(name) {
    page.tab = name;
    get("companion").hidden = !name;
    for (const id of panes) get(id).hidden = id !== name;
    if (name === "result" && !page.stale) showResult();
  }

  // close closes what was opened: beside a program and two runs a PE stays chosen.
  close() {
    this.show(mode() === "compare" && page.tab !== "compared" ? "compared" : "");
    if (mode() === "watch") {
      page.opened = null;
      page.machine.opened = false;
      page.machine.draw();
    }
    page.stage.focus();
  }
}
