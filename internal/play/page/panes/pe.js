// One PE, opened: why it waits, and its four units in the order in which a packet passes them, with
// the memory port that three of them share.
import {states, swatch} from "../draw/appearance.js";
import {page} from "../state/page.js";
import {count, el, many, percent} from "../util.js";

/** @type {Record<string, string>} */
const when = {now: "executes", next: "will begin", last: "executed last"};

/** packet is a line about a packet, with a button that follows it. @param {Emsim.Packet} p
 * @param {Node} [note] */
const packet = (p, note = null) => el("li", {}, el("button", {
  className: "link", title: "follow this packet", onclick: () => page.follow(p.id),
}, p.id), " " + p.about, note);

const first = 4; // packets of a queue that are seen at once [chosen: the units stay in sight]

/** packets are those of a queue; after the first ones the others are folded.
 * @param {string} title @param {Emsim.Packet[]} list */
function packets(title, list) {
  const rows = (/** @type {Emsim.Packet[]} */ some) => el("ul", {className: "packets"},
    ...some.map(p => packet(p)));
  const more = list.slice(first);
  return list.length > 0 && el("div", {}, title && el("h4", {}, title), rows(list.slice(0, first)),
    more.length > 0 && el("details", {className: "more", open: unfolded},
      el("summary", {}, `and ${more.length} more`), rows(more)));
}

let unfolded = false; // what was folded, when the PE was drawn before

/** unit is a box of the picture. @param {Emsim.Inside} x @param {string} name @param {string} note
 * @param {(Node | string | false)[]} children */
function unit(x, name, note, ...children) {
  const u = x.units.find(one => one.name === name);
  return el("section", {className: "unit", "data-unit": name, "data-waits": u?.waits ?? ""},
    el("h3", {}, name, el("small", {}, ` ${note}`)),
    u && el("p", {}, u.does, u.waits && el("em", {}, ` — waits for ${u.waits}`)), ...children);
}

/** port says who has the memory port while others wait for it. @param {Emsim.Inside} x */
function port({units}) {
  const wait = units.filter(u => u.waits?.includes("memory port"));
  const has = wait.map(u => u.waits.match(/which the (\w+) has/)?.[1]).find(Boolean);
  return has && el("p", {className: "held"}, `memory port: the ${has} has it, `
    + `${wait.map(u => u.name).join(" and ")} wait${wait.length > 1 ? "" : "s"}`);
}

/** meter shows how full a queue is. @param {string} name @param {number} share */
function meter(name, share) {
  const bar = el("i", {className: name});
  bar.style.width = `${Math.min(100, 100 * share)}%`;
  return el("span", {}, bar);
}

/** input is what the IBU holds. @param {Emsim.Inside} x */
function input({queues: q, fifo_words: fifo, mib_words: mib, cut}) {
  const {net} = page, spilled = mib > 0 ? Math.max(0.03, mib / net.mib_words) : 0;
  return [
    el("div", {className: "meter", "aria-hidden": "true"},
      meter("fifo", fifo / net.fifo_words), meter("mib", spilled)),
    q.intake && packets(q.coming ? "coming" : "in the intake", [q.intake]),
    packets("urgent", q.urgent), packets("", q.fifo), packets("in memory (MIB)", q.mib),
    cut > 0 && el("p", {}, `and ${cut} more`),
  ];
}

/** segment is one of the matching memory. @param {Emsim.Segment} s */
const segment = s => el("div", {className: "segment"}, el("b", {}, s.template),
  ` 0x${s.base.toString(16)}`, !s.live && el("small", {}, " taken, no operand has come yet"),
  el("ul", {}, ...s.operands.map(o => el("li", {}, el("b", {}, o.node),
    ` has the ${o.have} operand ${o.value}, waits for the ${o.wants} one`))));

/** code is what the EXU is at. @param {Emsim.Code} c */
const code = c => el("p", {className: "code"}, el("code", {}, c.text), el("br"),
  el("button", {className: "link", async onclick() {
    await page.go("program");
    page.editor.here(c.file, c.line);
    page.editor.view.focus();
  }}, `${c.file}:${c.line}`), ` ${c.label}`);

/** @param {Emsim.DebugWord[]} list */
const words = list => el("dl", {},
  ...list.flatMap(r => [el("dt", {}, r.name), el("dd", {}, r.text)]));

/** beside is a button to another PE. @param {number} pe @param {number} by */
function beside(pe, by) {
  const n = page.net.next.length, to = (pe + by + n) % n, address = page.machine.address(to);
  return el("button", {"data-beside": by, "aria-label": `to ${address}`, className: "link",
    onclick: () => page.inspect.choose(to)}, by < 0 ? `‹ ${address}` : `${address} ›`);
}

const busy = ["at work", "only the IBU", "waiting for the network", "idle"];

/** drawPE fills a place with a PE. @param {HTMLElement} place @param {Emsim.Inside} x */
export function drawPE(place, x) {
  const state = page.catalogue.states.find(s => s.letter === x.state), {counts: c} = x;
  unfolded = Boolean(place.querySelector(".more[open]"));
  const sum = c.states.reduce((a, b) => a + b, 0) || 1;
  const folded = Boolean(place.querySelector("details[open]:not(.more)"));
  const registers = x.registers.filter(r => r.value !== 0);
  const slots = x.slots.map(s => packet(s.packet,
    s.why ? el("small", {}, ` ${s.place}, by ${s.by}: ${s.why}`) : null));
  place.replaceChildren(
    el("h2", {}, `PE ${x.pe}`, el("small", {}, ` load ${x.load} `), beside(x.number, -1), " ",
      beside(x.number, 1)),
    el("p", {className: "state"}, swatch(states[x.state]?.ink ?? ""),
      state?.doc ?? ""),
    el("p", {className: "why"}, x.why),
    el("div", {className: "port"}, port(x),
      unit(x, "IBU", "input buffer", ...input(x)),
      unit(x, "FMU", `${many(x.in_use, "segment")}, ${many(x.operands, "operand")} waiting`,
        ...x.segments.map(segment),
        x.more_segments && el("p", {}, "and more: see 'segments' in the console")),
      unit(x, "EXU", when[x.code.when] ?? "", x.code.when ? code(x.code) : "")),
    unit(x, "SU", x.slots.length === 0 ? "the switch is empty" : "",
      el("ul", {className: "packets"}, ...slots)),
    el("details", {open: folded}, el("summary", {}, "Registers"),
      x.left && el("p", {}, "left by the last block"),
      registers.length === 0 ? el("p", {className: "none"}, "all are 0") : words(registers),
      el("p", {}, "The machine's own counter, which begins before the run, is at "
        + `${count(x.clock)}.`),
      words(x.specials)),
    el("p", {}, `So far ${many(c.instructions, "instruction")}, ${many(c.calls, "call")}, `
      + `${many(c.sent, "packet")} sent, ${count(c.spilled)} spilled; `,
    busy.map((name, i) => `${name} ${percent(c.states[i] / sum)}`).join(", ")));
}
