// What is to run, behind the chip of the header: program, arguments, size of the machine,
// parameters and knobs. Programs can be files of the user's computer, too; they stay there.
import {key, listen} from "../state/keys.js";
import {page} from "../state/page.js";
import {all, el, get, say} from "../util.js";

const most = 1 << 20; // bytes of a file, as for the command

export class SetupForm {
  /** @type {Emsim.Setup} */ chosen = {main: ""}; // without texts
  /** @type {Emsim.Setup} */ before = null; // what ran when the dialog opened
  changed = false; // whether another program was chosen since

  constructor(/** @type {Emsim.Catalogue} */ {programs, sizes}) {
    get("program").append(...programs.map(p => el("option", {value: p.name, title: p.does},
      p.own ? `${p.name} (to begin with)` : p.name)));
    get("pes").append(...sizes.map(n => el("option", {value: n}, `${n}`)));
    get("program").onchange = () => {
      const p = programs.find(one => one.name === get("program").value);
      if (p) this.changed = true;
      if (p) page.assemble({...this.machine, main: p.main, args: p.args});
    };
    listen(get("args"), "arguments", "In the arguments", [
      key("assemble", "Enter", "runs with them", () => this.apply())]);
    get("knobs").onclose = () => {
      if (get("knobs").returnValue === "apply") this.apply();
      else if (this.changed) page.assemble(this.before);
      else this.put(this.chosen); // nothing else was chosen
      get("knobs").returnValue = "";
    };
    get("knobs-reset").onclick = () => { for (const i of this.inputs) i.value = i.dataset.usual; };
  }

  /** @returns {(HTMLInputElement | HTMLSelectElement)[]} the fields of the dialog */
  get inputs() { return /** @type {any} */ (all("[data-key]", get("knobs-body"))); }

  // machine is what is chosen beside the program.
  get machine() { return {pes: this.chosen.pes, sets: this.chosen.sets, seed: this.chosen.seed}; }

  get fields() {
    const args = get("args").value.split(/[\s,]+/).filter(Boolean);
    return {pes: Number(get("pes").value), args};
  }

  // apply builds what the fields say.
  apply() {
    this.changed = false;
    /** @type {Record<string, Record<string, string>>} */
    const given = {param: {}, set: {}, seed: {}};
    for (const {value, dataset: {key: name, kind, usual}} of this.inputs) {
      if (value.trim() !== usual) given[kind][name] = value.trim();
    }
    this.chosen = {main: this.chosen.main, ...this.fields, params: given.param, sets: given.set,
      seed: Number(given.seed.seed) || undefined};
    get("knobs").close();
    return page.assemble();
  }

  /** put shows a setup in the fields. @param {Emsim.Setup} setup */
  put({main, args = [], pes = 80, params, sets, seed}) {
    this.chosen = {main, args, pes, params, sets, seed};
    const program = page.catalogue.programs.find(p => p.main === main);
    const select = get("program"), sizes = get("pes");
    select.querySelector("[data-own]")?.remove();
    if (!program) select.prepend(el("option", {value: "", "data-own": ""}, main));
    select.value = program?.name ?? "";
    get("args").value = args.join(" ");
    sizes.value = String(pes);
    if (!sizes.value) sizes.append(el("option", {value: pes, selected: true}, `${pes}`));
  }

  /** learn takes the arguments of a program that was built. @param {Emsim.Arg[]} args */
  learn(args) {
    get("args").placeholder = args.map(a => a.name).join(" ");
    get("args").title = args.map(a => `${a.name}: ${a.min} to ${a.max}`).join(", ");
    if (get("knobs").open) this.fill();
  }

  // fill shows the parameters and knobs as they were built.
  fill() { get("knobs-body").innerHTML = page.run.answer?.form ?? ""; }

  open() {
    Object.assign(this, {before: page.run.setup, changed: false});
    get("knobs-title").textContent = `What runs${page.versus.on ? ` as ${page.run.name}` : ""}`;
    this.fill();
    get("knobs").showModal();
  }
}

/** read returns the texts of files by name. @param {Iterable<File>} list */
async function read(list) {
  /** @type {Record<string, string>} */
  const files = {};
  for (const f of list) {
    const {name, size} = f, long = size > most;
    if (long) throw new Error(`${name} has ${size} bytes; a program's text has at most ${most}`);
    files[name] = await f.text();
    if (!files[name].includes("\0")) continue;
    throw new Error(`${name} is no text: open a program in assembly (.s) or Go (.go)`);
  }
  return files;
}

// build builds the file that says where the program begins, with the others.
async function build(/** @type {FileList} */ list) {
  if (list.length === 0 || !page.form) return;
  try {
    const files = await read(list), names = Object.keys(files), begins = /^\s*\.(arg|start)\b/m;
    const main = names.find(n => n.endsWith(".go")) ?? names.find(n => begins.test(files[n]))
      ?? names[0];
    const done = await page.assemble({...page.form.machine, main, files});
    await page.go("program");
    if (done || page.run.answer.args.length === 0) return;
  } catch (e) { return say(e.message, true); }
  page.form.open();
  get("args").focus();
}

/** opens lets files be chosen, or dropped on a place. @param {HTMLElement} place */
export function opens(place) {
  const input = get("file-input");
  get("file-open").onclick = () => input.click();
  input.onchange = async () => { await build(input.files); input.value = ""; };
  place.addEventListener("dragover", e => {
    if (e.dataTransfer.types.includes("Files")) e.preventDefault();
  }, true);
  place.addEventListener("drop", e => {
    if (e.dataTransfer.files.length === 0) return;
    e.preventDefault();
    e.stopPropagation();
    build(e.dataTransfer.files);
  }, true);
}
