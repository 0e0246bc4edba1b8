// The debugger's console, with history and completion. It is one line, until it is used.
import {key, listen} from "../state/keys.js";
import {page} from "../state/page.js";
import {all, el, get, say} from "../util.js";

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
    listen(get("line"), "console", "In the console", [
      key("past", "ArrowUp ArrowDown", "an earlier line, a later one",
        name => this.recall(name === "ArrowUp" ? -1 : 1)),
      key("complete", "Tab", "completes the line",
        () => get("line").value !== "" && this.complete()),
    ]);
  }

  execute(/** @type {string} */ line) {
    if (page.run.stale) say("The program has errors: there is nothing to ask.", true);
    else page.motion.once(line, false);
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

  recall(/** @type {number} */ by) {
    this.at = Math.max(0, Math.min(this.past.length, this.at + by));
    get("line").value = this.past[this.at] ?? "";
  }

  async complete() {
    const input = get("line"), {line, words} = await page.ask("complete", input.value);
    input.value = line;
    if (words) this.say("", `${words}\n`);
  }
}
