// What stands in the middle of the page: the machine, its circuits, the blocks into which the
// compiler has cut the program, or the ends of two runs. Below it stands what its colours mean.
import {most} from "../draw/geometry.js";
import {many} from "../draw/large.js";
import {count, states} from "../draw/pen.js";
import {arrows, key, listen, sides} from "../state/keys.js";
import {page} from "../state/page.js";
import {all, el, get} from "../util.js";
import {Blocks} from "./blocks.js";

/** legend explains the colours of the machine. @param {string} mode */
function legend(mode) {
  const list = mode === "state"
    ? Object.entries(states).map(([letter, {ink, all: words}]) => {
      const swatch = el("i", {className: "swatch"});
      swatch.style.cssText = `background: var(--${ink}); color: var(--on-${ink})`;
      return el("span", {"data-state": letter}, swatch, words);
    })
    : [el("span", {}, "0", el("i", {className: "swatch ramp"}), el("b", {"data-most": ""}),
      mode === "load" ? "" : " on the PE that has the most")];
  get("legend-colours").replaceChildren(...list);
}

// tally writes into the legend how many PEs are in each state, or the largest amount.
export function tally() {
  const {run: {machine, name, frame: {state, packets}}, versus} = page, run = get("legend-run");
  for (const e of all("[data-most]")) e.textContent = count(machine.measure().most);
  Object.assign(run, {hidden: !versus.on, textContent: name, className: runClass(name)});
  get("searches").hidden = !packets.some(p => p.kind === "mlpe");
  for (const e of all("[data-state]", get("legend-colours"))) {
    const n = [...state].filter(x => x === e.dataset.state).length;
    e.firstElementChild.textContent = String(n);
    e.hidden = n === 0 && e.dataset.state === "!";
  }
}

/** runClass is the class of a run's letter. @param {string} name */
export const runClass = name => `run-${name.toLowerCase()}`;

export class Stage {
  name = "machine";
  /** @type {Emsim.Setup} */ drawn = null; // whose blocks are shown
  /** @type {Emsim.Code} */ code = null;
  /** @type {[string, number]} */ cursor = ["", 0];
  tabs = all("[role=tab]", get("stage"));
  blocks = new Blocks();

  constructor() {
    for (const b of this.tabs) b.onclick = () => this.show(b.dataset.tab);
    listen(get("stage"), "tabs", "On tabs", [key("beside", sides, "the tab beside it", name => {
      const list = this.tabs.filter(x => !x.hidden);
      const at = list.findIndex(x => x.dataset.tab === this.name) + arrows[name][0];
      const tab = list.at(at % list.length);
      tab.focus();
      this.show(tab.dataset.tab);
    })]);
  }

  /** show shows what a tab has, if it can be chosen. @param {string} [name] */
  show(name) {
    const from = document.activeElement?.matches("#machines canvas, #ends");
    const tab = this.tabs.find(b => b.dataset.tab === name && !b.hidden) ?? this.tabs[0];
    this.name = tab.dataset.tab;
    for (const b of this.tabs) {
      b.ariaSelected = String(b === tab);
      b.tabIndex = b === tab ? 0 : -1;
    }
    const pictured = ["machine", "circuits"].includes(this.name);
    for (const e of [get("machines"), get("colours"), get("legend")]) e.hidden = !pictured;
    for (const e of [get("blocks"), get("blocks-legend")]) e.hidden = this.name !== "blocks";
    get("ends").hidden = this.name !== "ends";
    for (const {machine} of pictured ? page.pair : []) {
      machine.woven = this.name === "circuits";
      machine.draw();
    }
    if (from) this.focus();
    return this.look();
  }

  // fit leaves the circuits of a machine that is too large for them, and gives a map more room.
  fit() {
    const {length} = page.run.net.next, large = length > most;
    document.body.classList.toggle("map", length >= many);
    this.tabs.find(b => b.dataset.tab === "circuits").hidden = large;
    if (large && this.name === "circuits") this.show("machine");
  }

  focus() {
    if (this.name === "blocks") this.blocks.focus();
    else (this.name === "ends" ? get("ends") : page.run.machine.canvas).focus();
  }

  // look brings the blocks up to date, if they are shown. code is what the opened PE is at.
  async look(code = this.code) {
    this.code = code;
    const {setup, machine, stale, opened} = page.run, {blocks} = this;
    if (this.name !== "blocks" || stale) return;
    const {main} = setup;
    get("blocks-legend").hidden = !main.endsWith(".go");
    if (!main.endsWith(".go")) return blocks.none(`${main} is written in assembly: its author`
      + " has cut it into blocks. Only those of a program in Go are drawn.");
    if (this.drawn !== setup) {
      const picture = await page.ask("graph", setup);
      if (!picture) return;
      blocks.draw(picture);
      this.drawn = setup;
      this.at(...this.cursor);
    }
    const pe = opened ?? 0, answer = await page.ask("blocks", pe);
    const line = this.code?.file === main ? this.code.line : 0;
    if (answer) blocks.mark(answer, {pe, line, name: i => machine.address(i)});
  }

  // recolour gives the machines the colours that are chosen.
  recolour() {
    const {value} = get("colour");
    for (const {machine} of page.pair) machine.mode = value;
    legend(value);
    page.draw();
    return this.called();
  }

  // called learns where the calls of the opened PE went, if that is what colours mean.
  async called() {
    const {opened, stale} = page.run;
    if (get("colour").value !== "policy" || stale || opened === null) return;
    for (const run of page.versus.runs) if (opened < run.net.next.length) {
      run.machine.called = await run.ask("called", opened) ?? run.machine.called;
    }
    page.draw();
  }

  /** at marks the line of the editor's cursor. @param {string} file @param {number} line */
  at(file, line) {
    this.cursor = [file, line];
    this.blocks.cursor(file === page.run.setup?.main ? line : 0);
  }
}
