// The debugger's console, with history and completion.
import {listen} from "../state/keys.js";
import {el, get} from "../util.js";

export class Console {
  /** @param {import("../engine.js").Engine} engine @param {(line: string) => void} execute */
  constructor(engine, execute) {
    this.engine = engine;
    /** @type {string[]} */
    this.past = [];
    this.at = 0;
    get("ask").onsubmit = e => {
      e.preventDefault();
      const line = get("line").value.trim();
      get("line").value = "";
      if (line) this.past.push(line);
      this.at = this.past.length;
      execute(line);
    };
    listen(get("line"), "console", {
      past: key => this.recall(key === "ArrowUp" ? -1 : 1),
      complete: (_, e) => get("line").value !== "" && !e.shiftKey && this.complete(),
    });
  }

  /** say adds what a command printed. @param {string} line @param {string} [text] @param {string} [error] */
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
    const input = get("line"), list = await this.engine.call("complete", input.value);
    if (list.length === 0) return;
    let common = list[0];
    for (const x of list) while (!x.startsWith(common)) common = common.slice(0, -1);
    if (common.length > input.value.length) input.value = common + (list.length === 1 ? " " : "");
    else if (list.length > 1) this.say("", list.slice(0, 60).map(x => x.slice(x.lastIndexOf(" ") + 1)).join("  ") + (list.length > 60 ? "  …" : "") + "\n");
  }
}
