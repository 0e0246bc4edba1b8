// The controls that can be used now: whatever takes the focus or a click, each with a
// name that those with the same purpose share: emsim.found and emsim.names. A dialog hides
// the others.
(() => {
  const able = "button, select, input, textarea, a[href], summary, canvas, [tabindex=\"0\"], [contenteditable=true], [role=button], [role=tab], [role=separator], [role=slider]";
  const acts = ["onclick", "onchange", "oninput", "onkeydown", "onpointerdown", "onsubmit"];
  const modal = document.querySelector("dialog[open]"), within = modal ?? document.body;
  const all = [...within.querySelectorAll("*"), ...[...within.querySelectorAll("*")].flatMap(e => [...(e.shadowRoot?.querySelectorAll("*") ?? [])])];
  const owner = e => e && (e.closest("[id]") ?? owner(e.getRootNode().host));
  const name = e => {
    if (e.closest("#knobs-body")) return "#knobs-body field";
    if (e.id) return "#" + e.id;
    const kind = [e.localName, ...[...e.classList].filter(c => ["box", "clock", "flag", "link", "pes"].includes(c))].join(".");
    const data = Object.keys(e.dataset ?? {}).filter(k => !["act", "shows", "holds", "source", "room"].includes(k)).map(k => `[${k}${["tab", "to", "step"].includes(k) ? "=" + e.dataset[k] : ""}]`).join("");
    return `${e.matches(".cm-content") ? "#editor" : `#${owner(e)?.id ?? "page"} ${kind}${data}${e.value ? "=" + e.value : ""}`}${e.closest("#right") && e.title ? `: ${e.title}` : ""}`;
  };
  emsim.found = all.filter(e => (e.matches(able) || acts.some(a => e[a])) && e.checkVisibility({visibilityProperty: true}) && !e.matches(":disabled, form, dialog, .cm-scroller") && e.getClientRects().length > 0);
  return emsim.names = emsim.found.map(name);
})()
