// What is looked at more closely: the opened PE, a packet that is followed, and what stands below.
import {still} from "../state/store.js";
import {clockOf, get} from "../util.js";
import {noPacket, showCalls, showPacket, showResult} from "./bottom.js";
import {drawPE} from "./pe.js";
import {tabs} from "./tabs.js";

export class Inspect {
  /**
   * shown lets the panes show the frame again, with the PE that the console speaks of.
   * @param {Emsim.Page} page
   * @param {{machine: import("./machine.js").Machine, editor: import("./editor.js").Editor,
   *   stage: import("./stage.js").Stage, flow: import("./flow.js").Flow,
   *   timeline: import("../draw/timeline.js").Timeline,
   *   versus: import("./versus.js").Versus}} parts
   * @param {{ask: Emsim.Ask, controls: () => void, shown: (pe: number) => void,
   *   travel: (clock: number) => Promise<void>,
   *   once: (line: string, quiet: boolean) => Promise<any>}} acts
   */
  constructor(page, parts, acts) {
    this.page = page;
    this.parts = parts;
    this.acts = acts;
    this.choose = tabs(get("bottom-tabs"), name => this.tab(name));
  }

  // look brings up to date what is asked for separately.
  async look() {
    const {page, parts: {flow, versus}} = this;
    if (page.stale) return;
    await this.series();
    if (page.opened !== null) await this.open(page.opened);
    await flow.look(page);
    if (page.tab === "result") showResult(page.frame, page.net);
    if (page.tab === "packet" && page.packet) await this.follow(page.packet, true);
    await versus.look();
    this.acts.controls();
  }

  // series brings the utilisation over time up to date.
  async series() {
    const {page, parts: {timeline}} = this, {furthest} = page.frame;
    if (furthest === page.seriesAt || furthest <= timeline.reach) return;
    page.seriesAt = furthest;
    timeline.series = await this.acts.ask("series");
    timeline.draw();
  }

  /** open shows a PE. @param {number} pe */
  async open(pe) {
    const {page, parts: {machine, editor, stage}, acts} = this;
    if (page.stale || pe === null) return;
    if (pe >= page.net.next.length) pe = 0;
    const here = still(), x = await acts.ask("pe", pe);
    if (!x || !here()) return;
    page.opened = pe;
    acts.shown(pe);
    if (machine.pe !== pe) {
      machine.pe = pe;
      machine.draw();
    }
    const right = get("right"), top = right.scrollTop;
    drawPE(right, x, {
      states: page.catalogue.states, fifo: page.net.fifo_words, mib: page.net.mib_words,
      follow: id => this.follow(id),
      async step(name) {
        await acts.once(name.toLowerCase(), false);
        document.getElementById("go-" + name)?.focus();
      },
      goLine(file, line) {
        editor.here(file, line);
        editor.view.focus();
      },
    });
    right.scrollTop = top;
    editor.here(x.code.when === "last" ? "" : x.code.file, x.code.line);
    get("told").textContent = `PE ${x.pe}, clock ${clockOf(page.frame)}: ${x.why}`;
    await stage.called();
    await stage.look(x.code);
  }

  /** follow tells the way of a packet; again, if the pane still shows it. @param {string} id */
  async follow(id, again = false) {
    const {page, parts: {machine}, acts} = this;
    const here = still(), way = await acts.ask("follow", id);
    if (!here()) return;
    if (again && !way && !page.stale) noPacket(get("message").textContent); // not made yet
    if (!way || page.stale || again && (page.tab !== "packet" || page.packet !== id)) return;
    page.packet = machine.followed = id;
    machine.draw();
    if (page.tab !== "packet") this.tab("packet");
    showPacket(way, page.frame, page.running, {go: acts.travel, openPE: pe => this.open(pe)});
    return way;
  }

  /** tab chooses what stands below. @param {string} name */
  tab(name) {
    const {page, acts} = this;
    page.tab = name;
    this.choose(name);
    if (page.stale) return;
    if (name === "calls") showCalls(acts.ask, {openPE: pe => this.open(pe)});
    if (name === "result") showResult(page.frame, page.net);
    if (name === "packet" && page.packet) this.follow(page.packet);
  }
}
