// Beside a program: the variables of the opened PE, and who called what runs there.
import {mode, page} from "../state/page.js";
import {still} from "../state/store.js";
import {count, el, get} from "../util.js";

// An instance as the debugger tells of it: fib [0,0] 0x30000, clock 12: fib.start = 10, ...
const told = /^(\S+) (\[\d+,\d+\]) \S+ clock \d+: \S+ = ([^,]*).*$/;

/** chain are the instances from the first caller to the one that runs on a PE; without one, all
 * that are live. @param {Emsim.Instance[]} list @param {number} pe */
function chain(list, pe) {
  const at = list.findIndex(x => x.runs && x.pe === pe);
  if (at < 0) return list;
  const way = [list[at]];
  for (let i = at - 1; i >= 0; i--) if (list[i].level < way[0].level) way.unshift(list[i]);
  return way;
}

/** showCalls shows both. @param {Emsim.Inside} x */
export async function showCalls({number: pe, pe: address, locals}) {
  if (mode() !== "program") return;
  const here = still(), tree = await page.ask("tree", false);
  if (!here() || !tree) return;
  const variables = locals.length === 0 ? el("p", {className: "none"}, "no variables here")
    : el("dl", {className: "variables"},
      ...locals.flatMap(v => [el("dt", {}, v.name), el("dd", {}, v.text)]));
  const calls = chain(tree.instances, pe), least = Math.min(...calls.map(x => x.level));
  get("calls").replaceChildren(el("div", {},
    el("div", {}, el("h2", {}, `Variables on ${address}`), variables),
    el("div", {}, el("h2", {}, `Calls: ${count(tree.live)} live of ${count(tree.total)}`),
      ...calls.map(x => {
        const line = el("div", {className: `instance${x.runs && x.pe === pe ? " runs" : ""}`},
          el("button", {className: "link", title: x.text, onclick: () => page.open(x.pe)},
            x.text.replace(told, "$1($3) $2")));
        line.style.paddingLeft = `${Math.min(x.level - least, 16) * 0.7}em`;
        return line;
      }), tree.cut > 0 && el("p", {}, `and ${count(tree.cut)} more`))));
}
