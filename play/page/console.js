// The debugger's console, with history and completion.
import {el, get} from "./util.js";

export class Console {
  constructor(engine, execute) {
    Object.assign(this, {engine, past: [], at: 0});
    get("ask").onsubmit = e => {
      e.preventDefault();
      const line = get("line").value.trim();
      get("line").value = "";
      if (line) this.past.push(line);
      this.at = this.past.length;
      execute(line);
    };
    get("line").onkeydown = e => this.key(e);
  }

  // say adds what a command printed.
  say(line, text, error) {
    const log = get("log");
    if (line) log.append(el("b", {}, `> ${line}\n`));
    if (text) log.append(text);
    if (error) log.append(el("i", {}, error + "\n"));
    while (log.childNodes.length > 400) log.firstChild.remove();
    log.scrollTop = log.scrollHeight;
  }

  clear() { get("log").replaceChildren(); }

  async key(e) {
    const input = get("line");
    if (e.key === "ArrowUp" || e.key === "ArrowDown") {
      this.at = Math.max(0, Math.min(this.past.length, this.at + (e.key === "ArrowUp" ? -1 : 1)));
      input.value = this.past[this.at] ?? "";
      e.preventDefault();
    } else if (e.key === "Tab" && input.value && !e.shiftKey) {
      e.preventDefault();
      const list = await this.engine.call("complete", input.value);
      if (list.length === 0) return;
      let common = list[0];
      for (const x of list) while (!x.startsWith(common)) common = common.slice(0, -1);
      if (common.length > input.value.length) input.value = common + (list.length === 1 ? " " : "");
      else if (list.length > 1) this.say("", list.slice(0, 60).map(x => x.slice(x.lastIndexOf(" ") + 1)).join("  ") + (list.length > 60 ? "  …" : "") + "\n");
    }
  }
}
