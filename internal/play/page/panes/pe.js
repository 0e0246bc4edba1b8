// One PE, opened: why it waits, its units, instruction, registers, input buffer,
// switch and matching memory.
import {count, el, percent} from "../util.js";

/** @typedef {(id: string) => Promise<any>} Follow of a packet */

/** @type {Record<string, string>} */
const when = {now: "executes", next: "will begin", last: "executed last"};

// Steps by line of a program in Go: commands of the console.
const lines = [["Line", "to the next line of this instance"], ["Over", "the same, but not into calls that run in place"], ["Out", "to the caller's line where the result arrives"]];

/** @param {string} title @param {string} note @param {(Node | null)[]} children */
const section = (title, note, ...children) => el("section", {}, el("h3", {}, title, note ? el("small", {}, ` ${note}`) : null), ...children);

/** packet is a line about a packet, with a button that follows it.
 * @param {Emsim.Packet} p @param {Follow} follow @param {Node} [note] */
const packet = (p, follow, note = null) => el("li", {}, el("button", {className: "link", title: "follow this packet", onclick: () => follow(p.id)}, p.id), " " + p.about, note);

/** @param {Emsim.Packet[]} list @param {Follow} follow */
const packets = (list, follow) => el("ul", {className: "packets"}, ...list.map(p => packet(p, follow)));

/** @param {Emsim.Slot[]} list @param {Follow} follow */
const slots = (list, follow) => el("ul", {className: "packets"}, ...list.map(s => packet(s.packet, follow, s.why ? el("small", {}, `${s.place}, by ${s.by}: ${s.why}`) : null)));

/**
 * drawPE fills a place with a PE.
 * @param {HTMLElement} place
 * @param {Emsim.Inside} x
 * @param {{states: Emsim.State[], fifo: number, mib: number, goLine: (file: string, line: number) => void, follow: Follow, step: (command: string) => void}} page
 */
export function drawPE(place, x, {states, fifo, mib, goLine, follow, step}) {
  const state = states.find(s => s.letter === x.state), sum = x.counts.states.reduce((a, b) => a + b, 0) || 1;
  const registers = x.registers.filter(r => r.value !== 0);
  place.replaceChildren(...[
    el("h2", {}, `PE ${x.pe}`, el("small", {}, ` load ${x.load}`)),
    el("p", {className: "state"}, el("i", {className: "swatch st-" + (state?.letter ?? "")}), state?.doc ?? ""),
    el("p", {className: "why"}, x.why),
    x.code.when ? section("Instruction", when[x.code.when], el("p", {className: "code"}, el("code", {}, x.code.text), el("br"),
      el("button", {className: "link", onclick: () => goLine(x.code.file, x.code.line)}, `${x.code.file}:${x.code.line}`), ` ${x.code.label}`),
      x.code.file.endsWith(".go") ? el("p", {className: "lines"}, ...lines.flatMap(([name, title]) => [el("button", {id: "go-" + name, title, onclick: () => step(name)}, name), " "])) : null) : null,
    section("Units", "", el("dl", {}, ...x.units.flatMap(u => [el("dt", {}, u.name), el("dd", {}, u.does, u.waits ? el("em", {}, ` — waits for ${u.waits}`) : null)]))),
    x.locals.length > 0 ? section("Variables", "before the next instruction", el("dl", {className: "variables"}, ...x.locals.flatMap(v => [el("dt", {}, v.name), el("dd", {}, v.text)]))) : null,
    section("Registers", x.left ? "left by the last block" : "", registers.length === 0 ? el("p", {className: "none"}, "all are 0") :
      el("dl", {}, ...registers.flatMap(r => [el("dt", {}, r.name), el("dd", {}, r.text)]))),
    section("Input buffer", `FIFO ${x.fifo_words} of ${fifo} words, MIB ${x.mib_words} of ${count(mib)}`,
      el("div", {className: "meter", "aria-hidden": "true"}, meter(x.fifo_words / fifo, "fifo"), meter(x.mib_words > 0 ? Math.max(0.03, x.mib_words / mib) : 0, "mib")),
      x.queues.intake ? el("p", {}, x.queues.coming ? "coming: " : "in the intake: ", packets([x.queues.intake], follow)) : null,
      x.queues.urgent.length > 0 ? el("div", {}, el("h4", {}, "urgent"), packets(x.queues.urgent, follow)) : null,
      packets(x.queues.fifo, follow),
      x.queues.mib.length > 0 ? el("div", {}, el("h4", {}, "in memory (MIB)"), packets(x.queues.mib, follow), x.cut ? el("p", {}, `and ${x.cut} more`) : null) : null),
    section("Switch", x.slots.length === 0 ? "empty" : "", slots(x.slots, follow)),
    section("Matching memory", `${x.in_use} segments, ${x.operands} operands wait`, ...x.segments.map(s => el("div", {className: "segment"},
      el("b", {}, s.template), ` 0x${s.base.toString(16)}`, s.live ? null : el("small", {}, " taken, no operand has come yet"),
      el("ul", {}, ...s.operands.map(o => el("li", {}, el("b", {}, o.node), ` has the ${o.have} operand ${o.value}, waits for the ${o.wants} one`))))),
      x.more_segments ? el("p", {}, "and more: see 'segments' in the console") : null),
    section("So far", "", el("p", {}, `${count(x.counts.instructions)} instructions, ${count(x.counts.calls)} calls, ${count(x.counts.sent)} packets sent, ${count(x.counts.spilled)} spilled; `,
      ...["at work", "only the IBU", "waiting for the network", "idle"].map((name, i) => `${name} ${percent(x.counts.states[i] / sum)}${i < 3 ? ", " : ""}`))),
    el("details", {}, el("summary", {}, "Special registers"), el("p", {}, `The machine's own counter, which begins before the run, is at ${count(x.clock)}.`), el("dl", {}, ...x.specials.flatMap(r => [el("dt", {}, r.name), el("dd", {}, r.text)]))),
  ].filter(Boolean));
}

/** @param {number} part @param {string} name */
function meter(part, name) {
  const bar = el("i", {className: name});
  bar.style.width = `${Math.min(100, 100 * part)}%`;
  return el("span", {}, bar);
}
