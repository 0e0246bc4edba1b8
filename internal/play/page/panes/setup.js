// What is to run, behind the chip of the header: program, arguments, size of the machine,
// parameters and knobs.
import {key, listen} from "../state/keys.js";
import {page} from "../state/page.js";
import {all, el, get} from "../util.js";

export class SetupForm {
  /** @type {Emsim.Setup} */ setup = {main: ""}; // that is to run; arguments and size are in fields

  /** @param {Emsim.Catalogue} catalogue */
  constructor({programs, sizes}) {
    get("program").append(...programs.map(p => el("option", {value: p.name, title: p.does},
      p.own ? `${p.name} (to begin with)` : p.name)));
    get("pes").append(...sizes.map(n => el("option", {value: n}, `${n}`)));
    get("program").onchange = () => {
      const p = programs.find(one => one.name === get("program").value);
      if (p) page.assemble({...this.machine, main: p.main, args: p.args});
    };
    get("pes").onchange = () => page.assemble();
    listen(get("args"), "arguments", "In the arguments", [
      key("assemble", "Enter", "runs with them", () => this.apply())]);
    get("knobs").onclose = () => {
      const apply = get("knobs").returnValue === "apply";
      get("knobs").returnValue = "";
      if (apply) this.apply();
    };
    get("knobs-reset").onclick = () => { for (const i of this.inputs) i.value = i.dataset.usual; };
  }

  /** @returns {(HTMLInputElement | HTMLSelectElement)[]} the fields of the dialog */
  get inputs() { return /** @type {any} */ (all("[data-key]", get("knobs-body"))); }

  // apply builds what is chosen.
  apply() {
    /** @type {Record<string, Record<string, string>>} */
    const given = {param: {}, set: {}, seed: {}};
    for (const i of this.inputs) {
      const {key: name, kind, usual} = i.dataset, value = i.value.trim();
      if (value !== usual) given[kind][name] = value;
    }
    const {main} = this.setup, {param: params, set: sets, seed: {seed}} = given;
    this.setup = {main, params, sets, seed: Number(seed) || undefined};
    get("knobs").close();
    return page.assemble();
  }

  /** put shows a setup in the choosers. @param {Emsim.Setup} setup */
  put(setup) {
    const {main, args, pes} = this.setup = setup;
    const program = page.catalogue.programs.find(p => p.main === main);
    const select = get("program"), sizes = get("pes"), size = String(pes || 80);
    select.querySelector("[data-own]")?.remove();
    if (!program) select.prepend(el("option", {value: "", "data-own": ""}, main));
    select.value = program?.name ?? "";
    get("args").value = (args ?? []).join(" ");
    if (![...sizes.options].some(o => o.value === size))
      sizes.append(el("option", {value: size}, size));
    sizes.value = size;
  }

  /** machine is what is chosen beside the program. */
  get machine() {
    const {sets, seed} = this.setup;
    return {pes: Number(get("pes").value), sets, seed};
  }

  /** take returns what is chosen, without files. @returns {Emsim.Setup} */
  take() {
    const args = get("args").value.split(/[\s,]+/).filter(Boolean);
    const {main, params} = this.setup;
    return {...this.machine, main, args, params};
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
    this.fill();
    get("knobs").showModal();
  }
}
