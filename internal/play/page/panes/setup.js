// What is to run, behind the chip of the header: program, arguments, size of the machine,
// parameters and knobs.
import {listen} from "../state/keys.js";
import {page} from "../state/page.js";
import {all, el, get} from "../util.js";

/** any is a list of values, if there are any. @param {Record<string, string>} values */
const any = values => (Object.keys(values).length ? values : undefined);

export class SetupForm {
  /** @type {Record<string, string>} */ params = {}; // of the program, that were chosen
  /** @type {Record<string, string>} */ sets = {}; // knobs that were chosen
  seed = 1;
  main = "";

  /** @param {Emsim.Catalogue} catalogue */
  constructor({programs, sizes}) {
    get("program").append(...programs.map(p => el("option", {value: p.name, title: p.does},
      p.own ? `${p.name} (to begin with)` : p.name)));
    get("pes").append(...sizes.map(n => el("option", {value: n}, n)));
    get("program").onchange = () => {
      const p = programs.find(one => one.name === get("program").value);
      if (p) page.assemble({...this.machine, main: p.main, args: p.args});
    };
    get("pes").onchange = () => page.assemble();
    listen(get("args"), "arguments", {assemble: () => this.apply()});
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
    Object.assign(this, {params: {}, sets: {}});
    for (const i of this.inputs) {
      const {key, kind, usual} = i.dataset, value = i.value.trim();
      if (kind === "seed") this.seed = Number(value) || 1;
      else if (value !== usual) this[kind === "param" ? "params" : "sets"][key] = value;
    }
    get("knobs").close();
    return page.assemble();
  }

  /** put shows a setup in the choosers. @param {Emsim.Setup} setup */
  put({main, args, pes, params, sets, seed}) {
    const program = page.catalogue.programs.find(p => p.main === main);
    const select = get("program"), sizes = get("pes"), size = String(pes || 80);
    select.querySelector("[data-own]")?.remove();
    if (!program) select.prepend(el("option", {value: "", "data-own": ""}, main));
    select.value = program?.name ?? "";
    get("args").value = (args ?? []).join(" ");
    if (![...sizes.options].some(o => o.value === size))
      sizes.append(el("option", {value: size}, size));
    sizes.value = size;
    Object.assign(this, {main, params: {...params}, sets: {...sets}, seed: seed || 1});
  }

  /** machine is what is chosen beside the program. */
  get machine() {
    const seed = this.seed === 1 ? undefined : this.seed;
    return {pes: Number(get("pes").value), sets: any(this.sets), seed};
  }

  /** take returns what is chosen, without files. @returns {Emsim.Setup} */
  take() {
    const args = get("args").value.split(/[\s,]+/).filter(Boolean);
    return {...this.machine, main: this.main, args, params: any(this.params)};
  }

  /** learn takes the arguments and fields of a program that was built.
   * @param {Emsim.Opened} answer */
  learn({args, form}) {
    get("args").placeholder = args.map(a => a.name).join(" ");
    get("args").title = args.map(a => `${a.name}: ${a.min} to ${a.max}`).join(", ");
    this.fields = form;
    if (get("knobs").open) this.fill();
  }

  // fill shows the parameters and knobs as they were built.
  fill() { get("knobs-body").innerHTML = this.fields; }

  open() {
    this.fill();
    get("knobs").showModal();
  }
}
