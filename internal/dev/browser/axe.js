// What axe-core finds wrong with the page as it is shown now, a line each.
axe.run(document, {resultTypes: ["violations"]}).then(r => r.violations.flatMap(v => v.nodes.map(n => `${v.id}: ${n.target.join(" ")}: ${n.failureSummary.replace(/\s+/g, " ")}`)))
