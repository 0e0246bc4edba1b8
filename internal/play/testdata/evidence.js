// What of the evidence for the statement e, whose link was clicked, cannot be seen.
(() => {
  const problems = [];
  // sees says whether a rectangle of an element is in the window, and nothing covers it.
  const sees = (what, at, left, top, width, height) => {
    const right = left + width, bottom = top + height;
    if (left < -1 || top < -1 || right > innerWidth + 1 || bottom > innerHeight + 1) return problems.push(`${what}: ${[left, top, right, bottom].map(Math.round)} is outside of the window`);
    for (const [x, y] of [[left + width / 2, top + 2], [left + width / 2, bottom - 2]]) {
      const over = document.elementFromPoint(x, y);
      if (!over || !(at.contains(over) || over.contains(at) && over !== document.body && over !== document.documentElement)) return problems.push(`${what}: ${over?.id || over?.localName} covers ${Math.round(x)},${Math.round(y)}; the text's box is ${JSON.stringify(document.getElementById("lesson-text").getBoundingClientRect())}`);
    }
  };
  const whole = (what, e, most = Infinity) => {
    const r = e.getClientRects()[0];
    sees(what, e, r.left, r.top, r.width, Math.min(r.height, most));
  };
  const found = document.querySelectorAll(".evidence");
  if (found.length !== 1) return [`${found.length} things are marked`];
  whole("the words", found[0], 60); // of a long message the beginning
  if (parseFloat(getComputedStyle(found[0]).outlineWidth) < 2) problems.push("the mark is nothing but a colour");
  whole("the statement", e);
  const graph = document.querySelector("#lesson-text .flow svg");
  if (graph && getComputedStyle(graph.parentElement).position === "sticky") whole("the graph", graph);
  const {machine} = emsim.run, canvas = document.getElementById("machine-A"), place = canvas.getBoundingClientRect();
  const drawn = (what, x, y, w, h) => sees(what, canvas, place.left + machine.x + x * machine.zoom, place.top + machine.y + y * machine.zoom, w * machine.zoom, h * machine.zoom);
  drawn("the PE", ...machine.corner(emsim.run.opened), machine.g.box, machine.g.tall);
  const spot = e.dataset.packet && machine.spots.find(s => s[2].id === emsim.run.packet);
  if (spot) drawn("the packet", spot[0] - 3, spot[1] - 3, 6, 6);
  // In the canvas the PE and the packet stand in rose.
  const [r0, g0, b0] = getComputedStyle(document.documentElement).getPropertyValue("--here").match(/[\da-f]{2}/g).map(x => parseInt(x, 16));
  const rose = (what, x, y, w, h, least) => {
    const place = [machine.x + x * machine.zoom, machine.y + y * machine.zoom, w * machine.zoom, h * machine.zoom].map(Math.round), size = [0, 0, ...place.slice(2)];
    const copy = new OffscreenCanvas(size[2], size[3]).getContext("2d", {willReadFrequently: true}), {data} = (copy.drawImage(canvas, ...place, ...size), copy.getImageData(...size));
    let n = 0;
    for (let i = 0; i < data.length; i += 4) if (Math.abs(data[i] - r0) + Math.abs(data[i + 1] - g0) + Math.abs(data[i + 2] - b0) < 60) n++;
    if (n < least) problems.push(`${what} has ${n} pixels in rose`);
  };
  const [x, y] = machine.corner(emsim.run.opened), {box, tall} = machine.g;
  rose("the PE", x - 8, y - 8, box + 16, tall + 16, 60);
  if (spot) rose("the packet", spot[0] - 24, spot[1] - 24, 48, 48, 20);
  if (e.dataset.packet && emsim.run.packet !== e.dataset.packet) problems.push("the packet has no ring");
  if (e.dataset.run !== undefined && innerWidth > 900) whole("the time line", document.getElementById("series-A"));
  return problems;
})()
