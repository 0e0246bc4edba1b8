// What stands in the middle of the page: the machine, or the blocks of the program, as the
// compiler has cut it or, in assembly, as the run so far shows.
import {legend} from "../draw/appearance.js";
import {Blocks} from "./blocks.js";
import {tabs} from "./tabs.js";
import {get} from "../util.js";

export class Stage {
  name = "machine";
  /** @type {Emsim.Setup} */ drawn = null; // whose blocks are shown
  shown = ""; // as what
  /** @type {Emsim.Code} */ code = null;
  /** @type {[string, number]} */ cursor = ["", 0];

  /**
   * ask asks the engine; open opens a PE; line shows a line of a file.
   * @param {Emsim.Page} page
   * @param {import("./machine.js").Machine} machine
   * @param {{ask: Emsim.Ask, open: (pe: number) => Promise<void>, line: (file: string, n: number, go?: boolean) => void}} acts
   */
  constructor(page, machine, {ask, open, line}) {
    this.page = page;
    this.machine = machine;
    this.ask = ask;
    this.blocks = new Blocks({open, line: (n, go) => line(page.setup.main, n, go)});
    this.choose = tabs(get("stage"), name => this.show(name));
  }

  /** show shows the machine or the blocks. @param {string} [name] */
  show(name) {
    const can = name === "blocks" || name === "ends" && !get("ends-tab").hidden;
    const from = document.activeElement === get("machine") || document.activeElement === get("ends");
    this.name = can ? name : "machine";
    this.choose(this.name);
    if (from) this.focus();
    get("blocks-legend").hidden = this.name !== "blocks";
    for (const e of [get("colours"), get("legend")]) e.hidden = this.name !== "machine";
    return this.look();
  }

  /** end shows the ends of two runs, or goes back from there. @param {boolean} over */
  end(over) {
    if (over) this.show("ends");
    else if (this.name === "ends") this.show("machine");
  }

  focus() {
    if (this.name === "blocks") this.blocks.focus();
    else get(this.name === "ends" ? "ends" : "machine").focus();
  }

  // look brings the blocks up to date, if they are shown. code is what the opened PE is at.
  async look(code = this.code) {
    this.code = code;
    const {page, blocks} = this;
    if (this.name !== "blocks" || page.stale) return;
    const {setup} = page, {main} = setup, go = main.endsWith(".go");
    if (!go || this.drawn !== setup) {
      const picture = go ? await this.ask("graph", setup) : await this.ask("observed");
      if (!picture) return;
      const shown = JSON.stringify(picture);
      if (picture.panels[0].boxes.length === 0) blocks.none("No block has begun yet: step, or run.");
      else if (this.drawn !== setup || this.shown !== shown) blocks.draw(picture, main, this.drawn === setup);
      Object.assign(this, {drawn: setup, shown});
      this.at(...this.cursor);
    }
    const pe = page.opened ?? 0, answer = await this.ask("blocks", pe);
    if (answer) blocks.mark(answer, {pe, line: this.code?.file === main ? this.code.line : 0, name: i => this.machine.address(i)});
  }

  // recolour gives the machine the colours that are chosen.
  recolour() {
    this.machine.mode = get("colour").value;
    this.machine.draw();
    legend(this.machine.mode);
    return this.called();
  }

  // called learns where the calls of the opened PE went, if that is what colours mean.
  async called() {
    const {page, machine} = this;
    if (machine.mode !== "policy" || page.stale || page.opened === null) return;
    machine.called = await this.ask("called", page.opened) ?? machine.called;
    machine.draw();
  }

  /** at marks the line of the editor's cursor. @param {string} file @param {number} line */
  at(file, line) {
    this.cursor = [file, line];
    this.blocks.cursor(file === this.page.setup?.main ? line : 0);
  }
}
