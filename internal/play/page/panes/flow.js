// The dataflow graph of a lesson, and the tokens on its arrows: each arrow names the packet
// that goes along it (data-token), the links of the network that this packet crosses, and
// where it comes from and goes to; where the token is says the packet's way in the run.
import {page} from "../state/page.js";
import {all, calm, clockOf, get} from "../util.js";
import {svg} from "./svg.js";

/** token is where a packet is at a clock, in a part 0..1 of its arrow; null: not made yet, or no
 * more. @param {Emsim.Way} way @param {number} clock @param {number} links
 * @param {number} hop clocks of a link */
function token(way, clock, links, hop) {
  const past = way.stations.filter(s => s.clock <= clock), last = past.at(-1);
  if (!last || ["begin", "leave"].includes(last.what)) return null;
  const moves = past.filter(s => s.text.startsWith("leaves "));
  const there = past.some(s => s.what === "queue" || s.text.startsWith("arrives "));
  const part = moves.length && Math.min(1, (clock + 1 - moves.at(-1).clock) / hop);
  const at = there ? 1 : moves.length && (moves.length - 1 + part) / links;
  const value = way.packet.about.match(/-?\d+$/)?.[0] ?? "";
  return {at, waits: last.what === "store", value};
}

export class Flow {
  /** @type {Map<string, Emsim.Way>} */ ways = new Map(); // that are complete
  /** @type {Emsim.Setup} */ of = null; // whose they are

  /** @param {string} id @param {number} clock */
  async way(id, clock) {
    const known = this.ways.get(id);
    if (known) return known;
    const none = /** @type {Emsim.Way} */ (null); // it is not made yet
    const way = await page.engine.call("follow", id).catch(() => none);
    if (way?.done && clock >= way.stations.at(-1).clock) this.ways.set(id, way);
    return way;
  }

  // look shows the graph at the page's clock.
  async look() {
    const {setup, frame, net, running} = page, picture = all(".flow", get("lesson-text"))[0];
    if (!picture || picture.dataset.main !== setup?.main) return; // or nothing runs
    if (this.of !== setup) Object.assign(this, {of: setup, ways: new Map()});
    const said = [];
    for (const arrow of /** @type {any} */ (all("[data-token]", picture))) {
      const {token: id, to, links} = arrow.dataset, way = await this.way(id, frame.clock);
      const t = way && token(way, frame.clock, Number(links), net.hop_clocks);
      const g = picture.querySelector(`[data-of="${id}"]`) ?? arrow.parentNode.appendChild(
        svg("g", {class: "token", "data-of": id}, svg("circle", {r: 9}), svg("text", {y: 3.8})));
      g.toggleAttribute("hidden", !t);
      if (!t) continue;
      const {x, y} = arrow.getPointAtLength(arrow.getTotalLength() * (0.1 + 0.78 * t.at));
      g.style.transform = `translate(${x}px, ${y}px)`;
      g.style.transition = calm.matches ? "none" : "transform .15s linear";
      g.classList.toggle("waits", t.waits);
      g.classList.toggle("followed", id === page.packet);
      g.querySelector("text").textContent = t.value;
      said.push(`${t.value} ${t.waits ? "waits at" : t.at === 1 ? "is at" : "goes to"} ${to}`);
    }
    for (const n of all("[data-node]", picture)) {
      const [g, c] = JSON.parse(n.dataset.pe), runs = frame.state[g * net.members + c] === "R";
      n.classList.toggle("runs", runs);
      if (runs) said.push(`${n.dataset.node} runs`);
    }
    const got = frame.all_words === 0 ? "no word" : frame.answer;
    const words = said.length ? `${said.join(", ")}.`
      : frame.ended ? `The host has got ${got}.` : "Nothing moves yet.";
    const caption = picture.querySelector("figcaption");
    caption.ariaLive = running ? "off" : "polite";
    caption.textContent = `Clock ${clockOf(frame)}: ${words}`;
  }
}
