// The dataflow graph of a lesson, and the tokens on its arrows: each arrow names the packet
// that goes along it (data-token), the links of the network that this packet crosses, and
// where it comes from and goes to; where the token is says the packet's way in the run.
import {page} from "../state/page.js";
import {all, calm, clockOf, get} from "../util.js";

/** flow shows the graph at the page's clock. */
export async function flow() {
  const {running, run: {setup, frame, machine}} = page;
  const [picture] = all(".flow", get("lesson-text"));
  if (!picture || picture.dataset.main !== setup?.main) return; // or nothing runs
  const arrows = /** @type {any[]} */ (all("[data-token]", picture)), said = [];
  const list = await page.ask("tokens", arrows.map(({dataset: {token: packet, links}}) =>
    ({packet, links: Number(links)})));
  for (const [i, {seen, at, waits, value}] of (list ?? []).entries()) {
    const arrow = arrows[i], {token: id, to} = arrow.dataset, token = `[data-of="${id}"]`;
    if (!picture.querySelector(token)) arrow.parentNode.insertAdjacentHTML("beforeend",
      `<g class="token" data-of="${id}"><circle r="9"/><text y="3.8"/></g>`);
    const g = all(token, picture)[0];
    g.toggleAttribute("hidden", !seen);
    if (!seen) continue;
    const {x, y} = arrow.getPointAtLength(arrow.getTotalLength() * (0.1 + 0.78 * at));
    g.style.transform = `translate(${x}px, ${y}px)`;
    g.style.transition = calm.matches ? "none" : "transform .15s linear";
    g.classList.toggle("waits", waits);
    g.classList.toggle("followed", id === page.run.packet);
    g.querySelector("text").textContent = value;
    said.push(`${value} ${waits ? "waits at" : at === 1 ? "is at" : "goes to"} ${to}`);
  }
  for (const n of all("[data-node]", picture)) {
    const runs = frame.state[machine.number(n.dataset.pe)] === "R";
    n.classList.toggle("runs", runs);
    if (runs) said.push(`${n.dataset.node} runs`);
  }
  const got = frame.all_words === 0 ? "no word" : frame.answer;
  const words = said.length ? `${said.join(", ")}.`
    : frame.ended ? `The host has received ${got}.` : "Nothing moves yet.";
  const caption = picture.querySelector("figcaption");
  caption.ariaLive = running ? "off" : "polite";
  caption.textContent = `Clock ${clockOf(frame)}: ${words}`;
}
