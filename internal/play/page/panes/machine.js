// The machine as an element of the page: packets glide from clock to clock, and the pointer,
// fingers and keys choose and open a PE or a packet, zoom and move the picture.
import {within} from "../draw/large.js";
import {onLink} from "../draw/geometry.js";
import {glowing, Picture} from "../draw/machine.js";
import {states} from "../draw/pen.js";
import {arrows, everyArrow, key, listen} from "../state/keys.js";
import {page} from "../state/page.js";
import {brush, calm, get, some} from "../util.js";

export class Machine extends Picture {
  /** @type {PointerEvent} */ pointer = null; // where it rests on the picture
  /** @type {Map<number, Point>} */ held = new Map(); // where fingers or a pressed button are
  way = 0; // how far they have moved it, in pixels
  clock = 0; // of the frame that was shown last
  hold = 0; // a finger that stays tells what is under it
  rests = 0; // a pointer that rests on the map moves the lens
  begun = 0; // when the frame was shown
  dims = 0; // its links after a while

  /** @param {HTMLCanvasElement} canvas @param {Run} run
   * @param {{opened: (pe: number) => any, packet: (p: Emsim.Moving) => Promise<any>}} tell what the
   *   user chose */
  constructor(canvas, run, tell) {
    super(run);
    this.canvas = canvas;
    this.tell = tell;
    canvas.addEventListener("click", e => this.click(e));
    listen(canvas, "machine", "In the machine", [
      key("go", everyArrow, "another PE", name => this.go(name)),
      key("open", "Enter", "opens it", () => this.act(() => this.choose(this.pe))),
      key("zoom", "+ - 0", "nearer, farther, all; a drag moves the picture",
        name => this.act(() => this.scale({"+": 1.3, "-": 1 / 1.3}[name] ?? 0))),
    ]);
    canvas.addEventListener("wheel", e => {
      e.preventDefault();
      this.scale(e.deltaY < 0 ? 1.15 : 1 / 1.15, e.offsetX, e.offsetY);
    }, {passive: false});
    canvas.addEventListener("pointerdown", e => {
      this.held.set(e.pointerId, [e.offsetX, e.offsetY]);
      this.way = 0;
      if (e.pointerType === "touch") this.hold = setTimeout(() => this.tip(e), 500);
    });
    for (const end of ["pointerup", "pointercancel"]) addEventListener(end, e => {
      clearTimeout(this.hold);
      this.held.delete(/** @type {PointerEvent} */ (e).pointerId);
    });
    canvas.addEventListener("pointermove", e => { this.drag(e); this.hover(e); });
    canvas.addEventListener("pointerleave", () => this.hover(null));
    new ResizeObserver(() => this.draw()).observe(canvas);
  }

  draw() { this.paint(brush(this.canvas)); }

  // Two runs have one scale.
  get scaled() { return page.pair.filter(r => r.frame).map(r => r.machine); }

  /** reset begins with another machine. @param {Emsim.Network} net */
  reset(net) {
    Object.assign(this, {zoom: 1, x: 0, y: 0, called: null, spots: [], glow: new Map()});
    if (this.pe >= net.groups * net.members) this.pe = 0;
    this.near = this.pe;
    this.connect(net);
  }

  // show draws the run's frame. At the next clock packets glide along their links, if the picture
  // is fine enough to see it and no more than 12 clocks come in a second; the links that they
  // leave glow.
  show() {
    const {clock, packets} = this.frame, begin = performance.now(), since = begin - this.begun;
    if (clock === this.clock) return this.draw();
    const moves = clock === this.clock + 1 && this.fine && !calm.matches && packets.length <= 400;
    const length = moves && since > 1000 / 12 ? Math.min(160, since) : 0;
    if (!moves) this.glow.clear();
    else for (const [,, p] of this.spots) {
      if (onLink(p)) this.glow.set(this.from[p.pe][p.in] * 2 + p.in, begin);
    }
    Object.assign(this, {clock, begun: begin});
    cancelAnimationFrame(this.tick);
    clearTimeout(this.dims);
    if (moves) this.dims = setTimeout(() => this.draw(), glowing);
    const move = (/** @type {number} */ now) => {
      this.part = length ? Math.min(1, Math.max(0, now - begin) / length) : 1;
      this.draw();
      if (this.part < 1) this.tick = requestAnimationFrame(move);
      else if (this.pointer) this.tip(this.pointer);
    };
    move(begin);
  }

  click(/** @type {MouseEvent} */ e) {
    if (this.way > 3) return; // it was moved
    const {packet, pe} = this.under(e);
    if (packet) this.tell.packet(packet);
    else if (pe !== undefined) this.choose(pe);
  }

  /** hover tells what is under the pointer. @param {PointerEvent} e null: it has gone */
  hover(e) {
    // A finger covers it.
    this.pointer = e && e.pointerType !== "touch" && e.buttons === 0 ? e : null;
    this.tip(this.pointer);
    clearTimeout(this.rests);
    if (this.lens && this.pointer) this.rests = setTimeout(() => this.look(e), 150);
  }

  /** words says what is under the pointer. @param {Over} over */
  words({packet: p, pe}) {
    const {frame: f, net} = this;
    if (p) {
      const to = p.kind === "host" ? "the host" : this.address(p.to);
      const held = p.wait ? "; it cannot go on" : "";
      if (p.kind !== "mlpe") return `packet ${p.id} to ${to}${held}`;
      const load = p.load.toString(16).toUpperCase();
      return `search ${p.id}: least load so far ${load}, of ${this.address(p.best)}${held}`;
    }
    return [`${this.address(pe)} ${states[f.state[pe]].does}`,
      f.fifo[pe] > 0 && `${some(f.fifo[pe] / 2, "packet")} of ${net.fifo_words / 2} in its buffer`,
      f.mib[pe] > 0 && `${some(f.mib[pe] / 2, "packet")} in its memory`,
      f.operands[pe] > 0 && `${some(f.operands[pe], "operand")} for a partner`,
    ].filter(Boolean).join("; ");
  }

  /** tip shows these words, or nothing. @param {MouseEvent} e where it points; null: nowhere */
  tip(e) {
    const place = get("tip"), over = e ? this.under(e) : {};
    place.hidden = !over.packet && over.pe === undefined;
    if (place.hidden) return;
    place.textContent = this.words(over);
    const {clientWidth: w} = place.parentElement, {offsetWidth: wide, offsetHeight: high} = place;
    const x = this.canvas.offsetLeft + e.offsetX, y = this.canvas.offsetTop + e.offsetY;
    place.style.left = `${Math.max(4, Math.min(w - wide - 4, x + 12))}px`;
    place.style.top = `${y + (y > high + 24 ? -high - 12 : 18)}px`;
  }

  /** look moves the lens to the PE of the map at a place. @param {MouseEvent} e */
  look(e) {
    if (!this.lens || within(this, e.offsetX, e.offsetY) !== undefined) return;
    this.near = this.under(e).pe ?? this.near;
    this.draw();
  }

  /** under is the packet or the PE at a place.
   * @param {MouseEvent} e @returns {Over} */
  under(e) {
    if (!this.frame) return {};
    const inLens = this.lens ? within(this, e.offsetX, e.offsetY) : undefined;
    if (inLens !== undefined) return inLens < 0 ? {} : {pe: inLens};
    const x = (e.offsetX - this.x) / this.zoom, y = (e.offsetY - this.y) / this.zoom;
    const finger = /** @type {PointerEvent} */ (e).pointerType === "touch";
    const reach = Math.max(finger ? 14 : 6, this.dot + 3) / this.zoom;
    const spot = this.spots.find(([a, b]) => Math.hypot(a - x, b - y) < reach);
    if (spot) return {packet: spot[2]};
    const {box, tall} = this.g, pe = [...this.frame.state].findIndex((_, i) => {
      const [a, b] = this.corner(i);
      return x >= a && x <= a + box && y >= b - 1 && y <= b + tall + 1;
    });
    return pe < 0 ? {} : {pe};
  }

  choose(/** @type {number} */ i) {
    this.pe = this.near = i;
    this.draw();
    this.tell.opened(i);
  }

  /** act does what a key says, if there is a machine. @param {() => void} does */
  act(does) {
    if (!this.frame) return false;
    does();
    this.reveal();
  }

  go(/** @type {string} */ arrow) {
    return this.act(() => {
      const {groups, members} = this.net, [right, down] = arrows[arrow];
      const g = Math.floor(this.pe / members) + down, c = this.pe % members + right;
      this.choose((g + groups) % groups * members + (c + members) % members);
    });
  }

  /** scale zooms around a point; 0 shows all. @param {number} by */
  scale(by, x = this.pen.w / 2, y = this.pen.h / 2) {
    const zoom = by ? Math.min(24, Math.max(1, this.zoom * by)) : 1, f = zoom / this.zoom;
    this.x = zoom === 1 ? 0 : x - (x - this.x) * f;
    this.y = zoom === 1 ? 0 : y - (y - this.y) * f;
    this.zoom = zoom;
    // A finger moves the picture, or the page.
    this.canvas.style.touchAction = zoom > 1 ? "none" : "";
    this.draw();
  }

  // drag moves and zooms the picture as fingers do, or the pointer with its button pressed.
  drag(/** @type {PointerEvent} */ e) {
    if (!this.held.has(e.pointerId)) return;
    const at = () => {
      const [[a, b], [c, d] = [a, b]] = this.held.values();
      return {far: Math.hypot(a - c, b - d) || 1, x: (a + c) / 2, y: (b + d) / 2};
    };
    const from = at();
    this.held.set(e.pointerId, [e.offsetX, e.offsetY]);
    const to = at();
    if (this.zoom === 1 && this.held.size === 1) return this.look(e);
    this.way += Math.hypot(to.x - from.x, to.y - from.y) + Math.abs(to.far - from.far);
    this.x += to.x - from.x;
    this.y += to.y - from.y;
    this.scale(to.far / from.far, to.x, to.y);
  }

  // reveal moves the picture so that the chosen PE can be seen.
  reveal() {
    const {zoom, pen} = this, {x, y, w, h} = this.spot(this.pe);
    /** @param {number} from @param {number} long @param {number} room */
    const by = (from, long, room) =>
      (from < 0 ? 10 - from : from + long > room ? room - 10 - from - long : 0);
    this.x += by(x * zoom + this.x, w * zoom, pen.w);
    this.y += by(y * zoom + this.y, h * zoom, pen.h);
    this.draw();
  }
}
