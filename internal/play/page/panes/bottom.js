// The panes below the machine: function calls, a packet's way, the result.
import {empties, pane, still} from "../state/store.js";
import {clockOf, count, el, get, percent} from "../util.js";

/**
 * showCalls shows the tree of function instances.
 * @param {Emsim.Ask} ask
 * @param {{openPE: (pe: number) => void}} acts
 */
export async function showCalls(ask, {openPE}) {
  const place = get("calls"), all = el("input", {type: "checkbox", id: "calls-all", checked: place.dataset.all === "1"});
  all.onchange = () => { place.dataset.all = all.checked ? "1" : ""; showCalls(ask, {openPE}); };
  /** @param {string} words */
  const head = words => el("p", {}, words, " ", el("button", {onclick: () => showCalls(ask, {openPE})}, "Again at this clock"), " ", el("label", {}, all, " ended ones too"));
  place.replaceChildren(head("Looking for who called whom …"));
  const here = still(), t = await ask("tree", all.checked);
  if (!here()) return;
  if (!t) return place.replaceChildren(head("The tree was not finished."));
  if (t.live === 0 && t.total > 0 && place.dataset.all === undefined) {
    place.dataset.all = "1"; // at the end all have ended
    return showCalls(ask, {openPE});
  }
  place.replaceChildren(head(`${count(t.total)} function instances so far, ${count(t.live)} of them live.`), ...t.instances.map(x => {
    const line = el("div", {className: `instance${x.ended ? " ended" : ""}${x.runs ? " runs" : ""}`}, el("button", {className: "link", onclick: () => openPE(x.pe)}, x.text));
    line.style.paddingLeft = `${Math.min(x.level - 1, 30) * 1.2}em`;
    return line;
  }), t.cut ? el("p", {}, `and ${count(t.cut)} more: 'tree' in the console chooses`) : "");
}

/** noPacket says why the pane shows none. */
export const noPacket = (why = "No packet is followed: choose one in the machine or in the opened PE.") => get("packet").replaceChildren(el("p", {className: "none"}, why));

for (const id of /** @type {const} */ (["calls", "result"])) empties(get(id));
pane(() => noPacket());

/**
 * showPacket shows the way of a packet.
 * @param {Emsim.Way} way
 * @param {Emsim.Frame} frame
 * @param {boolean} running the next clocks may be over already
 * @param {{go: (clock: number) => Promise<void>, openPE: (pe: number) => Promise<void>}} acts
 */
export function showPacket(way, frame, running, {go, openPE}) {
  get("packet").replaceChildren(el("p", {}, el("b", {}, way.packet.id), " " + way.packet.about),
    el("ol", {className: "way"}, ...way.stations.map(s => el("li", {},
      el("button", {className: "link clock", onclick: async () => { await go(s.clock); await openPE(s.pe); }}, `clock ${s.clock}`), el("span", {}, s.text)))),
    way.done ? "" : el("p", {className: "none"}, running ? "The run goes on …" : `Up to clock ${clockOf(frame)} no further.`));
}

const states = ["FMU or EXU at work", "only the IBU at work", "waiting for the network", "idle"];

/** showResult shows how the run ended, or that it has not. @param {Emsim.Frame} f @param {Emsim.Network} net */
export function showResult(f, net) {
  const place = get("result");
  if (!f.ended) return place.replaceChildren(el("p", {className: "none"}, `The run goes on. The host has got ${f.all_words === 0 ? "no word" : f.answer}.`));
  const r = f.result, row = (/** @type {string} */ name, /** @type {string} */ value, note = "") => el("tr", {}, el("td", {}, name), el("td", {}, value), el("td", {}, note));
  place.replaceChildren(
    f.failure ? el("pre", {}, f.failure) : "",
    el("div", {className: "two"},
      el("table", {className: "sum"}, row("result", f.answer), row("clocks", count(r.clocks), "to the last word to the host"), row("time", `${r.time_ms.toFixed(3)} ms`, "of the real machine"),
        row("PE utilisation", percent(r.pe_utilisation)), ...states.map((s, i) => row("  " + s, percent(r.states[i])))),
      el("table", {className: "sum"}, row("PEs", count(net.next.length)), row("instructions", count(r.instructions)), row("calls", count(r.calls)), row("packets", count(r.packets)), row("spilled", count(r.spilled), "written to memory, as the FIFO was full"))));
}
