// The site's search, and the machine at work on its front page.
"use strict";
const $ = id => document.getElementById(id), {root} = document.body.dataset;

if (innerWidth < 1000) document.querySelector(".heads details")?.removeAttribute("open");

// The parts of all pages come when somebody begins to search.
let coming;
const index = () => coming ??= new Promise((yes, no) => {
  const script = Object.assign(document.createElement("script"), {src: root + "search.js", onload: () => yes(parts.map(p => ({...p, low: [p.page, p.head, p.text].map(t => t.toLowerCase())}))), onerror: no});
  document.head.append(script);
});

// A part is found if it has all words; whole words and words in titles count more than others. The
// title itself, as the name of a command, comes first; symbols of Go packages and licences come last.
const late = at => /^api\//.test(at) + 2 * at.startsWith("THIRD_PARTY");
async function search(query) {
  const all = await index();
  const words = query.toLowerCase().split(/\s+/).filter(Boolean).map(w => [w, new RegExp(`(?<![\\w-])${w.replace(/\W/g, "\\$&")}(?![\\w-])`)]);
  const score = ({low: [page, head, text]}) => words.reduce((sum, [w, whole]) => {
    const s = 90 * [w, `emsim ${w}`].includes(head) + 30 * whole.test(head) + 10 * whole.test(page) + Math.min(5, text.split(whole).length - 1)
      + [head, page, text].some(t => t.includes(w));
    return s && sum && sum + s;
  }, 1);
  return words.length === 0 ? [] : all.map(p => [score(p), p]).filter(([s]) => s > 0).sort(([a, p], [b, q]) => late(p.at) - late(q.at) || b - a).slice(0, 12).map(([, p]) => [p, excerpt(p, words[0][0])]);
}

const excerpt = (p, word) => {
  const at = Math.max(0, p.low[2].indexOf(word) - 40);
  return (at > 0 ? "…" : "") + p.text.slice(at, at + 120);
};

const el = (name, properties, ...children) => { const e = Object.assign(document.createElement(name), properties); e.append(...children); return e; };
async function show() {
  const query = $("query").value, found = await search(query);
  if ($("query").value !== query) return;
  $("hits").replaceChildren(...found.map(([p, text]) => el("li", {}, el("a", {href: root + p.at}, p.page === p.head ? p.page : `${p.page}: ${p.head}`), el("p", {}, text))));
  if (found.length === 0) $("hits").append(el("li", {}, "Nothing is found."));
  $("hits").hidden = query.trim() === "";
}
$("query").onfocus = index;
$("query").oninput = show;
$("query").onkeydown = e => { if (e.key === "Enter") $("hits").querySelector("a")?.click(); };
document.onkeydown = e => { if (e.key === "Escape") { $("query").value = ""; $("hits").hidden = true; } };

// The picture gives place to the machine when that is ready; it stays for whoever wants
// no motion.
if ($("live") && !matchMedia("(prefers-reduced-motion: reduce)").matches) {
  const live = el("iframe", {src: "live.html?live", title: "The machine runs fib(10) on twelve PEs", className: "coming"});
  addEventListener("message", e => { if (e.source === live.contentWindow && e.data === "ready") { live.className = ""; $("live").querySelector("a").remove(); } });
  $("live").append(live);
}
