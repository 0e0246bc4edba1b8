package sweep

import (
	"encoding/csv"
	"maps"
	"slices"
	"strings"

	"emsim/internal/base/lists"
	"emsim/internal/base/simerr"
	"emsim/internal/base/tomlfile"
)

// Refer compares every row with a reference instead of the row of the variant base. The reference is the row that has
// the given values, column=value joined by commas as in a CSV file, and is otherwise equal. A row without a reference
// in the sweep has no ratio. The error is a *simerr.Usage.
func (plan *Plan) Refer(reference string) error {
	names, rows, values := plan.labelNames(), lists.Of(plan.Cells, plan.labels), map[int]string{}
	parts, err := csv.NewReader(strings.NewReader(reference)).Read()
	if err != nil {
		return simerr.Usagef("the reference is %q: expected column=value, several joined by commas", reference)
	}
	for _, part := range parts {
		name, value, _ := strings.Cut(part, "=")
		k := slices.Index(names, name)
		if _, twice := values[k]; k < 0 || twice {
			return simerr.Usagef("the reference has %q: expected column=value, "+
				"with a column that says what ran, once%s",
				part, tomlfile.OrList(name, names))
		}
		there := lists.Of(rows, func(row []string) string { return row[k] })
		if slices.Sort(there); !slices.Contains(there, value) {
			return simerr.Usagef("no row of the sweep has the reference's %s=%s%s", name, value,
				tomlfile.OrList(value, slices.Compact(there)))
		}
		values[k] = value
	}
	plan.Reference, plan.contends = reference, nil
	for _, k := range slices.Sorted(maps.Keys(values)) {
		plan.contends = append(plan.contends, names[k])
	}
	at := slices.Index(names, "variant")
	variant, named := values[at]
	ofVariant, found := plan.ofVariant(variant), map[string]int{}
	delete(values, at)
	key := func(row []string) string { // the changes of a variant have columns of their own
		row[at] = ""
		return strings.Join(row, "\x00")
	}
	for i, row := range slices.Backward(rows) {
		found[key(row)] = i + 1
	}
	for i, row := range rows {
		for k, v := range values {
			row[k] = v
		}
		to := i + 1
		if len(values) > 0 {
			to = found[key(row)]
		}
		if named && to > 0 {
			to = ofVariant[plan.Cells[to-1].key]
		}
		plan.Cells[i].Base = to - 1
	}
	return nil
}

// compares reports whether any row is compared with another one. It is true if a reference was given.
func (plan *Plan) compares() bool {
	if plan.Reference != "" {
		return true
	}
	for i, c := range plan.Cells {
		if c.Base >= 0 && c.Base != i {
			return true
		}
	}
	return false
}

// Against returns the name of the reference in words.
func (plan *Plan) Against() string {
	if plan.Reference == "" {
		return "the variant base"
	}
	return "the row with " + plan.Reference
}

// Varies returns the columns that distinguish the rows of the table: those that differ between rows of one variant, and
// the variant. A program's arguments count as the program.
func (plan *Plan) Varies() []string {
	names, first, varies := plan.labelNames(), map[string][]string{}, map[string]bool{}
	for _, c := range plan.Cells {
		labels, v := plan.labels(c), plan.first(c).Variant
		if first[v] == nil {
			first[v] = labels
		}
		for i, name := range names {
			varies[name] = varies[name] || labels[i] != first[v][i]
		}
	}
	varies["variant"] = len(first) > 1
	varies["program"] = varies["program"] || varies["args"]
	return slices.DeleteFunc(names, func(name string) bool { return name == "args" || !varies[name] })
}
