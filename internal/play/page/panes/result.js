// A packet's way, and the result of a run.
import {page} from "../state/page.js";
import {pane} from "../state/store.js";
import {clockOf, count, el, get, percent} from "../util.js";

const none = "No packet is followed: choose one in the machine or in the opened PE.";

/** noPacket says why the pane shows none. */
export const noPacket = (why = none) =>
  get("packet").replaceChildren(el("p", {className: "none"}, why));

pane({leave: () => noPacket()});

/** showPacket shows the way of a packet; while a run goes on the next clocks may be over already.
 * @param {Emsim.Way} way */
export function showPacket(way) {
  const stations = way.stations.map(s => el("li", {}, el("button", {
    className: "link clock", async onclick() { await page.travel(s.clock); await page.open(s.pe); },
  }, `clock ${s.clock}`), el("span", {}, s.text)));
  get("packet").replaceChildren(el("p", {}, el("b", {}, way.packet.id), " " + way.packet.about),
    el("ol", {className: "way"}, ...stations), way.done ? "" : el("p", {className: "none"},
      page.running ? "The run goes on …" : `Up to clock ${clockOf(page.frame)} no further.`));
}

const states = ["FMU or EXU at work", "only the IBU at work", "waiting for the network", "idle"];

/** @param {[string, string, string?][]} rows */
const table = rows => el("table", {className: "sum"}, ...rows.map(row => el("tr", {},
  ...[0, 1, 2].map(i => el("td", {}, row[i] ?? "")))));

// showResult shows how the run ended, or that it has not.
export function showResult() {
  const f = page.frame, r = f.result, got = f.all_words === 0 ? "no word" : f.answer;
  if (!f.ended) {
    const words = `The run goes on. The host has got ${got}.`;
    return get("result").replaceChildren(el("p", {className: "none"}, words));
  }
  get("result").replaceChildren(f.failure ? el("pre", {}, f.failure) : "",
    el("div", {className: "two"},
    table([["result", f.answer], ["clocks", count(r.clocks), "to the last word to the host"],
      ["time", `${r.time_ms.toFixed(3)} ms`, "of the real machine"],
      ["PE utilisation", percent(r.pe_utilisation)],
      ...states.map((s, i) => /** @type {[string, string]} */ (["  " + s, percent(r.states[i])]))]),
    table([["PEs", count(page.net.next.length)], ["instructions", count(r.instructions)],
      ["calls", count(r.calls)], ["packets", count(r.packets)],
      ["spilled", count(r.spilled), "written to memory, as the FIFO was full"]])));
}
