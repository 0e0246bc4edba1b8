// Exercises, at the end of a lesson: what is to be done, fields for answers, and what the
// engine says of the program, the parameters or the answers.
import {versions} from "../state/keep.js";
import {el} from "../util.js";

/** paragraphs of a task; code stands in backquotes. @param {string} task */
const paragraphs = task => task.trim().split("\n\n").map(p => el("p", {}, ...p.split("`").map((words, i) => (i % 2 ? el("code", {}, words) : words))));

/**
 * exercises are those of a lesson. acts.open assembles a setup, acts.now is what is to be seen now.
 * @param {Emsim.Exercise[]} list
 * @param {{ask: Emsim.Ask, open: (setup: Emsim.Setup) => Promise<any>, now: () => Emsim.Setup}} acts
 */
export const exercises = (list, {ask, open, now}) => list.map(x => {
  const verdict = el("div", {className: "verdict", role: "status"});
  const main = x.text ? x.program : `${x.program}.s`, questions = x.question ?? [];
  /** @type {Emsim.Setup} */
  const setup = {main, args: (x.case[0].args ?? []).map(String), pes: x.pes, params: x.params ?? {}, sets: x.set ?? {}};
  if (x.text) setup.files = {[main]: x.text};
  const fields = questions.map(q => el("input", {"data-key": q.key, autocomplete: "off", size: 8}));
  const begin = el("button", {"data-begin": "", onclick: async () => {
    const mine = now().main !== main && versions(main)[0]; // of the same program: anew
    await open(mine ? {...setup, files: mine.setup.files} : setup);
  }}, "Begin");
  const check = el("button", {"data-check": "", className: "main", onclick: async () => {
    const given = now();
    if (x.kind !== "prediction" && given.main !== main) return verdict.replaceChildren(`Press Begin first: the exercise is about ${main}.`);
    check.disabled = true;
    verdict.replaceChildren("Checking …");
    const v = await ask("check", {name: x.name, setup: given, answers: Object.fromEntries(fields.map(f => [f.dataset.key, f.value]))});
    check.disabled = false;
    verdict.replaceChildren(...v ? [el("b", {}, v.passed ? "Right." : "Not yet."), v.checks.length === 0 && el("pre", {}, v.reason), el("ul", {}, ...v.checks.map(c =>
      el("li", {className: c.ok ? "right" : "wrong"}, `${c.ok ? "✓" : "✗"} ${c.what}`, !c.ok && el("pre", {}, c.message))))].filter(Boolean) : ["It was not checked."]);
  }}, "Check");
  return el("section", {className: "task exercise", "aria-label": `exercise: ${x.title}`}, el("h3", {}, `Exercise: ${x.title}`), ...paragraphs(x.task),
    ...questions.map((q, i) => el("p", {}, el("label", {}, ...paragraphs(q.text)[0].childNodes, " ", fields[i]))), el("p", {}, begin, " ", check), verdict);
});
