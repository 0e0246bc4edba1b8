// Exercises, at the end of a lesson: what their two buttons do. The engine has laid them out.
import {now, versions} from "../state/keep.js";
import {page} from "../state/page.js";
import {all, get, near} from "../util.js";

/** task is that of a name. @param {string} name */
const task = name => page.catalogue.exercises.find(x => x.name === name);

/** begin brings the setup of an exercise, with what somebody has written for it. One that asks for
 * a program comes along to the editor. @param {string} name @param {Event} e */
export async function begin(name, e) {
  const {kind, setup} = task(name), place = near(e, ".task");
  const mine = now().main !== setup.main && versions(setup.main)[0]; // of the same program: anew
  await page.assemble(mine ? {...setup, files: mine.setup.files} : setup);
  if (kind !== "program") return;
  get("task").replaceChildren(place);
  await page.go("program");
}

/** check says what the engine says of the program, the parameters or the answers.
 * @param {string} name @param {Event} e */
export async function check(name, e) {
  const {kind, setup: {main}} = task(name), given = now(), place = near(e, ".task");
  const says = all(".verdict", place)[0], fields = /** @type {any[]} */ (all("input", place));
  const button = /** @type {HTMLButtonElement} */ (all("[data-check]", place)[0]);
  if (kind !== "prediction" && given.main !== main) {
    return says.replaceChildren(`Press Begin first: the exercise is about ${main}.`);
  }
  button.disabled = true;
  says.replaceChildren("Checking …");
  if (page.editor.building) await page.editor.build(); // it would end the check
  const answers = Object.fromEntries(fields.map(f => [f.dataset.key, f.value]));
  const verdict = await page.ask("check", {name, setup: given, answers});
  button.disabled = false;
  says.innerHTML = verdict ?? "It was not checked.";
}
