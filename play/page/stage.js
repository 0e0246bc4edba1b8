// What stands in the middle of the page: the machine, or the blocks of a program in Go.
import {legend} from "./appearance.js";
import {Blocks} from "./blocks.js";
import {el, get, tabs} from "./util.js";

export class Stage {
  // ask asks the engine; open opens a PE; line shows a line of a file; start begins with a
  // program of the catalogue.
  constructor(page, machine, {ask, open, line, start}) {
    Object.assign(this, {page, machine, ask, start, name: "machine", drawn: null, cursor: ["", 0]});
    this.blocks = new Blocks({open, line: (n, go) => line(page.setup.main, n, go)});
    this.choose = tabs(get("stage"), name => this.show(name));
  }

  // show shows the machine or the blocks.
  show(name) {
    this.name = name === "blocks" ? name : "machine";
    this.choose(this.name);
    const blocks = this.name === "blocks";
    get("blocks-legend").hidden = !blocks;
    for (const id of ["colours", "legend"]) get(id).hidden = blocks;
    return this.look();
  }

  focus() { this.name === "blocks" ? this.blocks.focus() : get("machine").focus(); }

  // look brings the blocks up to date, if they are shown. code is what the opened PE is at.
  async look(code = this.code) {
    this.code = code;
    const {page, blocks} = this;
    if (this.name !== "blocks" || page.stale) return;
    const {main} = page.setup;
    if (this.drawn !== page.setup) {
      if (!main.endsWith(".go")) {
        this.drawn = page.setup;
        return this.without(main);
      }
      const picture = await this.ask("graph", page.setup);
      if (!picture) return;
      this.drawn = page.setup;
      blocks.draw(picture, main);
      this.at(...this.cursor);
    }
    if (!main.endsWith(".go")) return;
    const pe = page.opened ?? 0, answer = await this.ask("blocks", pe);
    if (answer) blocks.mark(answer, {pe, line: this.code?.file === main ? this.code.line : 0, name: i => this.machine.address(i)});
  }

  // recolour gives the machine the colours that are chosen.
  recolour() {
    this.machine.mode = get("colour").value;
    this.machine.draw();
    legend(this.machine.mode, this.page.catalogue.states);
    return this.called();
  }

  // called learns where the calls of the opened PE went, if that is what colours mean.
  async called() {
    const {page, machine} = this;
    if (machine.mode !== "policy" || page.stale || page.opened === null) return;
    machine.called = await this.ask("called", page.opened) ?? machine.called;
    machine.draw();
  }

  // without says why a program in assembly has no picture.
  without(main) {
    const name = main.replace(/\.s$/, ".go"), go = this.page.catalogue.programs.find(p => p.name === name) ?? this.page.catalogue.programs.find(p => p.name === "fib.go");
    this.blocks.none(`${main} is written in assembly: its author has cut it into blocks, one behind every label that packets go to. This picture is of programs in Go: it shows how the compiler cuts them.`,
      el("button", {onclick: () => this.start(go.name)}, `Show ${go.name}`));
  }

  // at marks the line of the editor's cursor.
  at(file, line) {
    this.cursor = [file, line];
    this.blocks.cursor(file === this.page.setup?.main ? line : 0);
  }
}
