// The keys of the page. They work wherever no text is typed.
import {el, get} from "./util.js";

const typing = e => e.target.closest("input:not([type=range]), select, textarea, #editor, dialog[open]");

// bind connects keys with what they do: a list of [keys, words, function].
export function bind(list) {
  get("help-body").replaceChildren(
    ...list.flatMap(([keys, words]) => [el("span", {}, ...keys.map(k => el("kbd", {}, k === " " ? "Space" : k)).flatMap((k, i) => (i ? [" ", k] : [k]))), el("span", {}, words)]),
    el("kbd", {}, "← ↑ → ↓"), el("span", {}, "in the machine: another PE; + and − zoom, 0 shows all, a drag moves the picture"),
    el("kbd", {}, "Ctrl+Enter"), el("span", {}, "everywhere: assemble"),
    el("kbd", {}, "Esc"), el("span", {}, "out of the program or the console, to the machine"),
  );
  addEventListener("keydown", e => {
    if ((e.ctrlKey || e.metaKey) && e.key === "Enter") {
      e.preventDefault();
      return list.find(([keys]) => keys.includes("a"))[2]();
    }
    if (e.key === "Escape" && typing(e) && !e.target.closest("dialog")) return get("machine").focus();
    if (e.ctrlKey || e.metaKey || e.altKey || typing(e)) return;
    if (e.key === " " && e.target.closest("button, summary, a")) return; // it presses
    if (e.target.id === "slider" && ["Home", "End"].includes(e.key)) return;
    const found = list.find(([keys]) => keys.includes(e.key));
    if (!found) return;
    e.preventDefault();
    found[2]();
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
