// The debugger's console, with history and completion. It is one line, until it is used.
import {listen} from "../state/keys.js";
import {page} from "../state/page.js";
import {all, el, get} from "../util.js";
import {say} from "./tell.js";

export class Console {
  /** @type {string[]} */ past = [];
  at = 0;

  constructor() {
    get("ask").onsubmit = e => {
      e.preventDefault();
      const line = get("line").value.trim();
      get("line").value = "";
      if (line) this.past.push(line);
      this.at = this.past.length;
      this.execute(line);
    };
    for (const b of all("[data-step]", get("ask"))) b.onclick = () => this.execute(b.dataset.step);
    listen(get("line"), "console", {
      past: key => this.recall(key === "ArrowUp" ? -1 : 1),
      complete: () => get("line").value !== "" && this.complete(),
    });
  }

  /** @param {string} line */
  execute(line) {
    if (page.stale) say("The program has errors: there is nothing to ask.", true);
    else page.once(line, false);
  }

  /** say adds what a command printed. @param {string} line @param {string} [text]
   * @param {string} [error] */
  say(line, text, error) {
    const log = get("log");
    if (line) log.append(el("b", {}, `> ${line}\n`));
    if (text) log.append(text);
    if (error) log.append(el("i", {}, error + "\n"));
    while (log.childNodes.length > 400) log.firstChild.remove();
    log.scrollTop = log.scrollHeight;
  }

  clear() { get("log").replaceChildren(); }

  /** @param {number} by */
  recall(by) {
    this.at = Math.max(0, Math.min(this.past.length, this.at + by));
    get("line").value = this.past[this.at] ?? "";
  }

  async complete() {
    const input = get("line"), list = await page.engine.call("complete", input.value);
    if (list.length === 0) return;
    let common = list[0];
    for (const x of list) while (!x.startsWith(common)) common = common.slice(0, -1);
    if (common.length > input.value.length) input.value = common + (list.length === 1 ? " " : "");
    else if (list.length > 1) {
      const words = list.slice(0, 60).map(x => x.slice(x.lastIndexOf(" ") + 1)).join("  ");
      this.say("", `${words}${list.length > 60 ? "  …" : ""}\n`);
    }
  }
}
