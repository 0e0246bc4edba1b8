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

// A part is found if it has all words; words in titles count more than in the text. Pages and
// commands come before symbols of Go packages, of which there are most.
const page = at => !at.startsWith("api/");
async function search(query) {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean), all = await index();
  const score = ({low: [page, head, text]}) => words.reduce((sum, w) => {
    const s = 30 * head.includes(w) + 10 * page.includes(w) + Math.min(5, text.split(w).length - 1);
    return s && sum && sum + s;
  }, 1);
  return words.length === 0 ? [] : all.map(p => [score(p), p]).filter(([s]) => s > 0).sort(([a, p], [b, q]) => page(q.at) - page(p.at) || b - a).slice(0, 12).map(([, p]) => [p, excerpt(p, words[0])]);
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
