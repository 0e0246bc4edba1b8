// What is looked at more closely: the opened PE, a packet that is followed, the result.
import {mode, page, pane, still} from "../state/page.js";
import {clockOf, el, fill, get} from "../util.js";
import {flow} from "./lesson.js";

const panes = /** @type {const} */ (["right", "packet", "result", "compared"]);

export class Inspect {
  constructor() {
    const none = "No packet is followed: choose one in the machine or in the opened PE.";
    pane({leave: () => this.none(none)});
  }

  // look brings up to date what is asked for separately.
  async look() {
    if (page.run.stale) return;
    if (mode() === "program") page.run.opened ??= 0;
    if (page.run.opened !== null) await this.open(page.run.opened);
    await flow();
    if (page.tab === "result") await this.ask("result");
    if (page.tab === "packet" && page.run.packet) await this.follow(page.run.packet, true);
    await page.versus.look();
    page.controls();
  }

  // choose opens a PE that the user has chosen; beside a program this shows its variables.
  async choose(/** @type {number} */ pe) {
    await page.watch.leave();
    await this.open(pe);
    get("companion").scrollTop = 0;
    if (mode() !== "program") this.show("right");
  }

  /** open brings a PE to the place where the opened one is shown. @param {number} pe */
  async open(pe) {
    const {editor, stage, run: {machine}} = page;
    if (page.run.stale || pe === null) return;
    if (pe >= page.run.net.next.length) pe = 0;
    const here = still(), x = await page.ask("pe", pe);
    if (!x || !here()) return;
    page.run.opened = pe;
    page.shown(pe);
    machine.pe = machine.near = pe;
    machine.draw();
    const {scrollTop} = get("companion");
    fill(get("right"), x.html);
    get("companion").scrollTop = scrollTop;
    get("here").hidden = false;
    get("here").firstElementChild.textContent = x.pe;
    get("here").querySelector("span").textContent = x.why;
    editor.here(x.code.when === "last" ? "" : x.code.file, x.code.line);
    get("told").textContent = `PE ${x.pe}, clock ${clockOf(page.run.frame)}: ${x.why}`;
    page.stops.look(x.locals);
    if (mode() === "program") await this.ask("calls", pe);
    await stage.called();
    await stage.look(x.code);
  }

  /** follow tells the way of a packet; again, if the pane still shows it. @param {string} id */
  async follow(id, again = false) {
    const {run} = page, here = still(), way = await page.ask("follow", id);
    if (!here()) return;
    if (again && !way && !run.stale) this.none(get("message").textContent); // not made yet
    if (!way || run.stale || again && (page.tab !== "packet" || run.packet !== id)) return;
    run.packet = id;
    run.machine.draw();
    if (page.tab !== "packet") this.show("packet");
    fill(get("packet"), way.html);
    return way;
  }

  /** none says why there is no packet. @param {string} why */
  none(why) { get("packet").replaceChildren(el("p", {className: "none"}, why)); }

  /** ask fills a pane with what the engine has laid out. @template {"calls" | "result"} K
   * @param {K} id @param {Emsim.Questions[K][0]} argument */
  async ask(id, argument = null) {
    const here = still(), html = await page.ask(id, argument);
    if (here() && html !== undefined) fill(get(id), html);
  }

  /** show chooses what the companion of the machine shows; "": nothing. @param {string} name */
  show(name) {
    page.tab = name;
    get("companion").hidden = !name;
    for (const id of panes) get(id).hidden = id !== name;
    return name === "result" && !page.run.stale ? this.ask("result") : undefined;
  }

  // close closes what was opened: beside a program and two runs a PE stays chosen.
  close() {
    this.show(mode() === "compare" && page.tab !== "compared" ? "compared" : "");
    if (mode() === "watch") {
      page.run.opened = null;
      page.run.machine.draw();
    }
    page.stage.focus();
  }
}
