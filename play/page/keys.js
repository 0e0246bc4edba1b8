// The keys of the page. They work wherever no text is typed.
import {el, get} from "./util.js";

const typing = e => e.target.closest("input:not([type=range]), select, textarea, #editor, dialog[open]");

// keys are what they do, in words and as a function of the page's acts.
const keys = act => [
  [["s", " "], "one clock on", () => act.once("step")],
  [["b", "Backspace"], "one clock back", () => act.once("back")],
  [["S"], "ten clocks on", () => act.once("step 10")],
  [["B"], "ten clocks back", () => act.back(10)],
  [["r"], "run or pause", act.run],
  [["Home"], "to the beginning", () => act.once("goto +0")],
  [["End"], "to the end, or to the next stop", () => act.once("continue")],
  [["g"], "to a clock, a label, a packet or a fault", () => get("goal-what").focus()],
  [["x"], "mark this clock, or take the mark away", act.mark],
  [[","], "to the mark before", () => act.toMark(-1)],
  [["."], "to the next mark", () => act.toMark(1)],
  [["a"], "assemble", act.assemble],
  [["m"], "to the machine", () => act.show("machine")],
  [["v"], "to the blocks of a program in Go", () => act.show("blocks")],
  [["e"], "to the program", act.program],
  [["o"], "to the opened PE", () => get("right").focus()],
  [["c"], "to the console", () => { act.tab("console"); get("line").focus(); }],
  [["k"], "parameters and knobs", act.form],
  [["l"], "lessons", () => get("lesson").focus()],
  [["1", "2", "3", "4"], "console, calls, packet, result", key => act.tab(["console", "calls", "packet", "result"][key - 1])],
  [["t"], "dark or light", () => get("theme").click()],
  [["?"], "this list", () => get("help").showModal()],
];

// bind connects keys with what they do.
export function bind(act) {
  const list = keys(act);
  for (const d of document.querySelectorAll("dialog")) {
    // Otherwise the focus may stay in the closed dialog, where keys are text.
    d.addEventListener("close", () => { if (d.contains(document.activeElement) || document.activeElement === document.body) act.focus(); });
  }
  get("help-body").replaceChildren(
    ...list.flatMap(([keys, words]) => [el("span", {}, ...keys.map(k => el("kbd", {}, k === " " ? "Space" : k)).flatMap((k, i) => (i ? [" ", k] : [k]))), el("span", {}, words)]),
    el("kbd", {}, "← ↑ → ↓"), el("span", {}, "in the machine: another PE; + and − zoom, 0 shows all, a drag moves the picture"),
    el("kbd", {}, "← ↑ → ↓"), el("span", {}, "in the blocks: another block; Enter goes to its line, p opens a PE that executes it; + and − zoom, 0 as at first"),
    el("kbd", {}, "Ctrl+Enter"), el("span", {}, "everywhere: assemble"),
    el("kbd", {}, "Esc"), el("span", {}, "out of the program or the console, to the machine or the blocks"),
  );
  addEventListener("keydown", e => {
    if ((e.ctrlKey || e.metaKey) && e.key === "Enter") {
      e.preventDefault();
      return list.find(([keys]) => keys.includes("a"))[2]();
    }
    if (e.key === "Escape" && typing(e) && !e.target.closest("dialog")) return act.focus();
    if (e.ctrlKey || e.metaKey || e.altKey || typing(e)) return;
    if (e.key === " " && e.target.closest("button, summary, a")) return; // it presses
    if (e.target.id === "slider" && ["Home", "End"].includes(e.key)) return;
    const found = list.find(([keys]) => keys.includes(e.key));
    if (!found) return;
    e.preventDefault();
    found[2](e.key);
  });
}

// splits lets the bars between the columns be moved, with the pointer or with keys.
export function splits() {
  for (const bar of document.querySelectorAll(".split")) {
    const name = bar.dataset.for, sign = name === "left" ? 1 : -1;
    const set = w => document.documentElement.style.setProperty("--" + name, `${Math.max(120, Math.min(innerWidth * 0.6, w))}px`);
    bar.onpointerdown = e => {
      bar.setPointerCapture(e.pointerId);
      const from = e.clientX, width = get(name).offsetWidth;
      bar.onpointermove = m => set(width + sign * (m.clientX - from));
    };
    bar.onpointerup = () => { bar.onpointermove = null; };
    bar.onkeydown = e => {
      const by = {ArrowLeft: -24, ArrowRight: 24}[e.key];
      if (by) { e.preventDefault(); e.stopPropagation(); set(get(name).offsetWidth + sign * by); }
    };
  }
}
