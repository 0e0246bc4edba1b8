// What is to run: choosers of program, arguments and machine size, and the dialog
// of parameters and knobs.
import {el, get} from "./util.js";

export class SetupForm {
  // assemble is called when something was chosen that needs a new machine.
  constructor(catalogue, assemble, chooseProgram) {
    Object.assign(this, {catalogue, params: {}, sets: {}, known: [], seed: 1});
    get("program").append(...catalogue.programs.map(p => el("option", {value: p.name, title: p.does}, p.text ? `${p.name} (to begin with)` : p.name)));
    get("pes").append(...catalogue.sizes.map(n => el("option", {value: n}, n)));
    get("program").onchange = () => chooseProgram(get("program").value);
    get("pes").onchange = assemble;
    get("args").onkeydown = e => { if (e.key === "Enter") assemble(); };
    get("knobs-open").onclick = () => this.open();
    get("knobs").onclose = () => {
      const apply = get("knobs").returnValue === "apply";
      get("knobs").returnValue = "";
      if (apply) { this.read(); assemble(); }
    };
    get("knobs-reset").onclick = () => {
      for (const i of get("knobs-body").querySelectorAll("[data-key]")) i.value = i.dataset.usual;
    };
  }

  // put shows a setup in the choosers.
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

  // take returns what is chosen, without files.
  take() {
    const setup = {main: this.main, args: get("args").value.split(/[\s,]+/).filter(Boolean), pes: Number(get("pes").value)};
    if (Object.keys(this.params).length) setup.params = this.params;
    if (Object.keys(this.sets).length) setup.sets = this.sets;
    if (this.seed !== 1) setup.seed = this.seed;
    return setup;
  }

  count() {
    const n = Object.keys(this.params).length + Object.keys(this.sets).length + (this.seed !== 1 ? 1 : 0);
    get("changed").textContent = n;
    get("changed").hidden = n === 0;
  }

  // ask says which arguments the program takes.
  ask(args) {
    get("args").placeholder = args.map(a => a.name).join(" ");
    get("args").title = args.map(a => `${a.name}: ${a.min} to ${a.max}`).join(", ");
  }

  // learn remembers the parameters of the program that was assembled.
  learn(params) {
    this.known = params;
    this.usual ??= {};
    for (const p of params) if (!(p.name in this.params)) this.usual[`${this.main} ${p.name}`] = p.chosen;
    for (const name of Object.keys(this.params)) if (this.params[name] === this.usual[`${this.main} ${name}`]) delete this.params[name];
    this.count();
  }

  open() {
    const row = (kind, key, usual, value, values, about) => {
      const id = `knob-${kind}-${key}`, data = {id, "data-key": key, "data-kind": kind, "data-usual": usual};
      const input = values?.length ? el("select", data, ...values.map(v => el("option", {value: v}, v))) : el("input", {...data, autocomplete: "off"});
      input.value = value;
      return el("div", {className: "knob" + (value === usual ? "" : " other")}, el("label", {htmlFor: id}, key), input, el("small", {}, about));
    };
    const named = s => s.values?.length ? s.values : s.default === "true" || s.default === "false" ? ["true", "false"] : null;
    get("knobs-body").replaceChildren(
      el("h3", {}, "Program"),
      ...this.known.map(p => {
        const usual = this.usual[`${this.main} ${p.name}`] ?? p.chosen;
        return row("param", p.name, usual, this.params[p.name] ?? usual, p.values, p.values.length ? `usually ${usual}` : `${p.min} to ${p.max}; usually ${usual}`);
      }),
      row("seed", "seed", "1", String(this.seed), null, "of the random choices"),
      el("h3", {}, "Machine"),
      ...this.catalogue.knobs.map(k => row("set", k.key, k.default, this.sets[k.key] ?? k.default, named(k),
        `${k.doc[0].toUpperCase()}${k.doc.slice(1)}. ${[k.range, k.unit].filter(Boolean).join(" ")}; usually ${k.default}. ${k.source}`)),
    );
    get("knobs").showModal();
  }

  read() {
    this.params = {};
    this.sets = {};
    for (const i of get("knobs-body").querySelectorAll("[data-key]")) {
      const {key, kind, usual} = i.dataset;
      if (kind === "seed") this.seed = Number(i.value) || 1;
      else if (i.value.trim() !== usual) this[kind === "param" ? "params" : "sets"][key] = i.value.trim();
    }
    this.count();
  }
}
