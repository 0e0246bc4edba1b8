// What is to run: choosers of program, arguments and machine size, and the dialog
// of parameters and knobs.
import {listen} from "../state/keys.js";
import {el, get} from "../util.js";

export class SetupForm {
  /** @type {Record<string, string>} */ params = {}; // of the program, that are not as usual
  /** @type {Record<string, string>} */ sets = {}; // knobs that are not as usual
  /** @type {Emsim.Param[]} */ known = [];
  /** @type {Record<string, string>} */ usual = {}; // by main file and parameter
  seed = 1;
  main = "";

  /**
   * assemble is called when something was chosen that needs a new machine.
   * @param {Emsim.Catalogue} catalogue
   * @param {() => any} assemble
   * @param {(program: Emsim.Catalogue["programs"][0]) => void} chooseProgram
   */
  constructor(catalogue, assemble, chooseProgram) {
    this.catalogue = catalogue;
    get("program").append(...catalogue.programs.map(p => el("option", {value: p.name, title: p.does}, p.text ? `${p.name} (to begin with)` : p.name)));
    get("pes").append(...catalogue.sizes.map(n => el("option", {value: n}, n)));
    get("program").onchange = () => {
      const program = catalogue.programs.find(p => p.name === get("program").value);
      if (program) chooseProgram(program);
    };
    get("pes").onchange = () => assemble();
    listen(get("args"), "arguments", {assemble: () => assemble()});
    get("knobs-open").onclick = () => this.open();
    get("knobs").onclose = () => {
      const apply = get("knobs").returnValue === "apply";
      get("knobs").returnValue = "";
      if (apply) { this.read(); assemble(); }
    };
    get("knobs-reset").onclick = () => {
      for (const i of this.inputs) i.value = i.dataset.usual;
    };
  }

  /** @returns {NodeListOf<HTMLInputElement | HTMLSelectElement>} the fields of the dialog */
  get inputs() { return get("knobs-body").querySelectorAll("[data-key]"); }

  /** put shows a setup in the choosers. @param {Emsim.Setup} setup */
  put(setup) {
    const program = this.catalogue.programs.find(p => p.main === setup.main);
    const select = get("program");
    select.querySelector("[data-own]")?.remove();
    if (!program) select.prepend(el("option", {value: "", "data-own": ""}, setup.main));
    select.value = program?.name ?? "";
    get("args").value = (setup.args ?? []).join(" ");
    const pes = String(setup.pes || this.catalogue.default_pes);
    if (![...get("pes").options].some(o => o.value === pes)) get("pes").append(el("option", {value: pes}, pes));
    get("pes").value = pes;
    this.params = {...setup.params};
    this.sets = {...setup.sets};
    this.seed = setup.seed || 1;
    this.main = setup.main;
    this.count();
  }

  /** machine is what is chosen beside the program. */
  get machine() {
    /** @type {{pes: number, sets?: Record<string, string>, seed?: number}} */
    const m = {pes: Number(get("pes").value)};
    if (Object.keys(this.sets).length) m.sets = this.sets;
    if (this.seed !== 1) m.seed = this.seed;
    return m;
  }

  /** take returns what is chosen, without files. @returns {Emsim.Setup} */
  take() {
    /** @type {Emsim.Setup} */
    const setup = {...this.machine, main: this.main, args: get("args").value.split(/[\s,]+/).filter(Boolean)};
    if (Object.keys(this.params).length) setup.params = this.params;
    return setup;
  }

  count() {
    const n = Object.keys(this.params).length + Object.keys(this.sets).length + (this.seed !== 1 ? 1 : 0);
    get("changed").textContent = String(n);
    get("changed").hidden = n === 0;
  }

  /** learn remembers arguments and parameters of the program that was assembled. @param {Emsim.Opened} answer */
  learn({args, params, error}) {
    get("args").placeholder = args.map(a => a.name).join(" ");
    get("args").title = args.map(a => `${a.name}: ${a.min} to ${a.max}`).join(", ");
    if (error && params.length === 0) return; // they are not known then
    this.known = params;
    for (const p of params) if (!(p.name in this.params)) this.usual[`${this.main} ${p.name}`] = p.chosen;
    for (const name of Object.keys(this.params)) if (this.params[name] === this.usual[`${this.main} ${name}`]) delete this.params[name];
    this.count();
  }

  open() {
    /** @param {string} kind @param {string} key @param {string} usual @param {string} value @param {string[]} values @param {string} about */
    const row = (kind, key, usual, value, values, about) => {
      const id = `knob-${kind}-${key}`, data = {id, "data-key": key, "data-kind": kind, "data-usual": usual};
      const input = values?.length ? el("select", data, ...values.map(v => el("option", {value: v}, v))) : el("input", {...data, autocomplete: "off"});
      input.value = value;
      return el("div", {className: "knob" + (value === usual ? "" : " other")}, el("label", {htmlFor: id}, key), input, el("small", {}, about));
    };
    const told = (/** @type {string} */ doc, /** @type {string} */ range, /** @type {string} */ usual) =>
      [doc && `${doc[0].toUpperCase()}${doc.slice(1)}.`, range && `${range};`, `usually ${usual}`].filter(Boolean).join(" ");
    const named = (/** @type {Emsim.Knob} */ s) => s.values?.length ? s.values : s.default === "true" || s.default === "false" ? ["true", "false"] : null;
    get("knobs-body").replaceChildren(
      el("h3", {}, "Program"),
      ...this.known.map(p => {
        const usual = this.usual[`${this.main} ${p.name}`] ?? p.chosen;
        return row("param", p.name, usual, this.params[p.name] ?? usual, p.values, told(p.doc, p.values.length ? "" : `${p.min} to ${p.max}`, usual));
      }),
      row("seed", "seed", "1", String(this.seed), null, "of the random choices"),
      el("h3", {}, "Machine"),
      ...this.catalogue.knobs.map(k => row("set", k.key, k.default, this.sets[k.key] ?? k.default, named(k),
        `${told(k.doc, [k.range, k.unit].filter(Boolean).join(" "), k.default)}. ${k.source}`)),
    );
    get("knobs").showModal();
  }

  read() {
    this.params = {};
    this.sets = {};
    for (const i of this.inputs) {
      const {key, kind, usual} = i.dataset;
      if (kind === "seed") this.seed = Number(i.value) || 1;
      else if (i.value.trim() !== usual) this[kind === "param" ? "params" : "sets"][key] = i.value.trim();
    }
    this.count();
  }
}
