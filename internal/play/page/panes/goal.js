// The form that says where to run to.
import {el, get} from "../util.js";

/** @type {Record<string, {hint?: string, command: (what: string) => string, list: (labels: string[]) => string[]}>} */
const kinds = {
  clock: {hint: "500", command: what => `goto ${what}`, list: () => []},
  label: {hint: "got1", command: what => `until label ${what}`, list: labels => labels},
  packet: {hint: "mlpe or [1,2].3", command: what => `until packet ${what}`, list: () => ["data", "mlpe", "host", "mlpe consumed", "host consumed"]},
  fault: {command: () => "continue", list: () => []},
};

/**
 * goal connects the form: labels gives the program's labels, go executes a command.
 * @param {() => string[]} labels
 * @param {(command: string) => void} go
 * @param {(words: string, bad: boolean) => void} say
 */
export function goal(labels, go, say) {
  const kind = get("goal-kind"), what = get("goal-what");
  kind.onchange = () => {
    const {hint, list} = kinds[kind.value];
    get("goal-list").replaceChildren(...list(labels()).map(x => el("option", {value: x})));
    what.hidden = !hint;
    what.placeholder = hint ?? "";
  };
  get("goal").onsubmit = e => {
    e.preventDefault();
    const k = kinds[kind.value], text = what.value.trim();
    if (k.hint && !text) return say(`Which ${kind.value}?`, true);
    go(k.command(text));
  };
}
