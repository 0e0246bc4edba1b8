// Exercises, at the end of a lesson: what is to be done, fields for answers, and what the
// engine says of the program, the parameters or the answers.
import {now, versions} from "../state/keep.js";
import {page} from "../state/page.js";
import {el, get} from "../util.js";

/** paragraphs of a task; code stands in backquotes. @param {string} task */
const paragraphs = task => task.trim().split("\n\n").map(p => el("p", {},
  ...p.split("`").map((words, i) => (i % 2 ? el("code", {}, words) : words))));

/** verdict is what the engine says. @param {Emsim.Verdict} v @returns {(Node | string)[]} */
const verdict = v => (v ? [
  el("b", {}, v.passed ? "Right." : "Not yet."),
  v.checks.length === 0 ? el("pre", {}, v.reason) : "",
  el("ul", {}, ...v.checks.map(c => el("li", {className: c.ok ? "right" : "wrong"},
    `${c.ok ? "✓" : "✗"} ${c.what}`, !c.ok && el("pre", {}, c.message)))),
] : ["It was not checked."]);

/** exercises are those of a lesson. One that asks for a program comes along to the editor.
 * @param {Emsim.Exercise[]} list */
export const exercises = list => list.map(x => {
  const says = el("div", {className: "verdict", role: "status"}), questions = x.question ?? [];
  const main = x.text ? x.program : `${x.program}.s`, args = (x.case[0].args ?? []).map(String);
  /** @type {Emsim.Setup} */
  const setup = {main, args, pes: x.pes, params: x.params ?? {}, sets: x.set ?? {}};
  if (x.text) setup.files = {[main]: x.text};
  const fields = questions.map(q => el("input", {"data-key": q.key, autocomplete: "off", size: 8}));
  const begin = el("button", {"data-begin": "", onclick: async () => {
    const mine = now().main !== main && versions(main)[0]; // of the same program: anew
    await page.assemble(mine ? {...setup, files: mine.setup.files} : setup);
    if (x.kind !== "program") return;
    get("task").replaceChildren(task);
    await page.go("program");
  }}, "Begin");
  const check = el("button", {"data-check": "", className: "main", onclick: async () => {
    const given = now();
    if (x.kind !== "prediction" && given.main !== main) {
      return says.replaceChildren(`Press Begin first: the exercise is about ${main}.`);
    }
    check.disabled = true;
    says.replaceChildren("Checking …");
    if (page.editor.building) await page.editor.build(); // it would end the check
    const answers = Object.fromEntries(fields.map(f => [f.dataset.key, f.value]));
    const v = await page.ask("check", {name: x.name, setup: given, answers});
    check.disabled = false;
    says.replaceChildren(...verdict(v));
  }}, "Check");
  const task = el("section", {className: "task exercise", "aria-label": `exercise: ${x.title}`},
    el("h3", {}, `Exercise: ${x.title}`), ...paragraphs(x.task), ...questions.map((q, i) =>
      el("p", {}, el("label", {}, ...paragraphs(q.text)[0].childNodes, " ", fields[i]))),
    el("p", {}, begin, " ", check), says);
  return task;
});
