// What is to run, behind the chip of the header: program, arguments, size of the machine,
// parameters and knobs.
import {listen} from "../state/keys.js";
import {page} from "../state/page.js";
import {all, el, get} from "../util.js";

/** @param {string} doc @param {string} range @param {string} usual */
const told = (doc, range, usual) => [
  doc && `${doc[0].toUpperCase()}${doc.slice(1)}.`, range && `${range};`, `usually ${usual}`,
].filter(Boolean).join(" ");

/** field is a row of the dialog. @param {Field} f */
function field({kind, key, usual, value, values, about}) {
  const id = `knob-${kind}-${key}`, other = value === usual ? "" : " other";
  const data = {id, "data-key": key, "data-kind": kind, "data-usual": usual};
  const input = values?.length ? el("select", data, ...values.map(v => el("option", {value: v}, v)))
    : el("input", {...data, autocomplete: "off"});
  input.value = value;
  return el("div", {className: "knob" + other}, el("label", {htmlFor: id}, key), input,
    el("small", {}, about));
}

/** any is a list of values, if there are any. @param {Record<string, string>} values */
const any = values => (Object.keys(values).length ? values : undefined);

/** few are the values of a knob that has but few. @param {Emsim.Knob} k */
const few = k => (k.values?.length ? k.values
  : k.default === "true" || k.default === "false" ? ["true", "false"] : null);

export class SetupForm {
  /** @type {Record<string, string>} */ params = {}; // of the program, that are not as usual
  /** @type {Record<string, string>} */ sets = {}; // knobs that are not as usual
  /** @type {Emsim.Param[]} */ known = [];
  /** @type {Record<string, string>} */ usual = {}; // by main file and parameter
  seed = 1;
  main = "";

  /** @param {Emsim.Catalogue} catalogue */
  constructor(catalogue) {
    const {programs, sizes} = catalogue;
    get("program").append(...programs.map(p => el("option", {value: p.name, title: p.does},
      p.text ? `${p.name} (to begin with)` : p.name)));
    get("pes").append(...sizes.map(n => el("option", {value: n}, n)));
    get("program").onchange = () => {
      const p = programs.find(one => one.name === get("program").value);
      if (p) page.assemble(page.fill({...this.machine, main: p.main, args: p.args}));
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
    this.read();
    get("knobs").close();
    return page.assemble();
  }

  /** put shows a setup in the choosers. @param {Emsim.Setup} setup */
  put(setup) {
    const program = page.catalogue.programs.find(p => p.main === setup.main);
    const select = get("program"), sizes = get("pes");
    select.querySelector("[data-own]")?.remove();
    if (!program) select.prepend(el("option", {value: "", "data-own": ""}, setup.main));
    select.value = program?.name ?? "";
    get("args").value = (setup.args ?? []).join(" ");
    const pes = String(setup.pes || page.catalogue.default_pes);
    if (![...sizes.options].some(o => o.value === pes))
      sizes.append(el("option", {value: pes}, pes));
    sizes.value = pes;
    this.params = {...setup.params};
    this.sets = {...setup.sets};
    this.seed = setup.seed || 1;
    this.main = setup.main;
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

  /** learn remembers arguments and parameters of the program that was built.
   * @param {Emsim.Opened} answer */
  learn({args, params, error}) {
    get("args").placeholder = args.map(a => a.name).join(" ");
    get("args").title = args.map(a => `${a.name}: ${a.min} to ${a.max}`).join(", ");
    if (error && params.length === 0) return; // they are not known then
    this.known = params;
    const name = (/** @type {string} */ p) => `${this.main} ${p}`;
    for (const p of params) if (!(p.name in this.params)) this.usual[name(p.name)] = p.chosen;
    for (const p in this.params) if (this.params[p] === this.usual[name(p)]) delete this.params[p];
    if (get("knobs").open) this.fill();
  }

  open() {
    this.fill();
    get("knobs").showModal();
  }

  // fill makes the fields of parameters and knobs.
  fill() {
    get("knobs-body").replaceChildren(
      el("h3", {}, "Program"),
      ...this.known.map(p => {
        const usual = this.usual[`${this.main} ${p.name}`] ?? p.chosen;
        return field({
          kind: "param", key: p.name, usual, value: this.params[p.name] ?? usual, values: p.values,
          about: told(p.doc, p.values.length ? "" : `${p.min} to ${p.max}`, usual),
        });
      }),
      field({kind: "seed", key: "seed", usual: "1", value: String(this.seed),
        about: "of the random choices"}),
      el("h3", {}, "Machine"),
      ...page.catalogue.knobs.map(k => field({
        kind: "set", key: k.key, usual: k.default, value: this.sets[k.key] ?? k.default,
        values: few(k),
        about: `${told(k.doc, `${k.range} ${k.unit}`.trim(), k.default)}. ${k.source}`,
      })));
  }

  read() {
    Object.assign(this, {params: {}, sets: {}});
    for (const i of this.inputs) {
      const {key, kind, usual} = i.dataset, value = i.value.trim();
      if (kind === "seed") this.seed = Number(value) || 1;
      else if (value !== usual) this[kind === "param" ? "params" : "sets"][key] = value;
    }
  }
}
