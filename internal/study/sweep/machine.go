package sweep

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"emsim/internal/base/knob"
	"emsim/internal/base/tomlfile"
	"emsim/internal/machine/machinefile"
	"emsim/internal/machine/machines"
)

// MachineDefinition is everything that determines the result of a point of
// another machine than the EM-4, except emsim itself.
type MachineDefinition struct {
	Machine string             `json:"machine"` // kind
	Knobs   map[string]any     `json:"knobs"`
	Files   map[string]OwnFile `json:"files,omitempty"` // by flag
}

// OwnFile says what was in a file of a user's own.
type OwnFile struct {
	Name   string `json:"name"`
	SHA256 string `json:"sha256"`
}

// machinePoint makes a point of another machine than the EM-4.
func (x *expansion) machinePoint(c pick) Point {
	p := Point{Kind: x.kind.Name, Machine: c.machine.name, Variant: c.variant.name}
	p.Spec.Machine.Name = x.path(c.machine.name)
	for _, s := range x.machineSets(c) {
		p.Spec.Sets = append(p.Spec.Sets, s.name+"="+s.value)
	}
	for _, s := range x.machineFiles(c) {
		path := x.path(s.value)
		p.Files = append(p.Files, machines.File{Flag: s.name, Name: s.value, Path: path, Text: x.texts[path]})
	}
	return p
}

// machineFiles are the files of such a point.
func (x *expansion) machineFiles(c pick) []setting {
	if v := x.find(c.variant.name); v != nil {
		return slices.Concat(c.files, v.files)
	}
	return c.files
}

// machineSets are the settings of such a point.
func (x *expansion) machineSets(c pick) []setting {
	sets := c.sets
	if v := x.find(c.variant.name); v != nil {
		sets = slices.Concat(sets, v.sets)
	}
	if c.seed.name != "" {
		sets = append(slices.Clone(sets), setting{"seed", c.seed.name, c.seed.at})
	}
	return sets
}

// defineMachine names such a point. It reports false if its values do not fit
// together.
func (x *expansion) defineMachine(p *Point, g *grid, c pick) bool {
	m, err := p.machine()
	if err != nil {
		x.Failf(culprit(g, x.machineSets(c), x.machineFiles(c), strings.TrimPrefix(err.Error(), p.Kind+": ")), "%v%s", err, x.where(p))
		return false
	}
	d := MachineDefinition{Machine: p.Kind, Knobs: map[string]any{}}
	for _, r := range m.Rows {
		d.Knobs[r.Key] = r.JSON()
	}
	for _, f := range p.Files {
		if d.Files == nil {
			d.Files = map[string]OwnFile{}
		}
		sum := sha256.Sum256(f.Text)
		d.Files[f.Flag] = OwnFile{f.Name, hex.EncodeToString(sum[:])}
	}
	if p.definition, err = json.Marshal(d); err != nil {
		panic(err) // all its values can be written as JSON
	}
	sum := sha256.Sum256(p.definition)
	p.ID = p.Kind + "-" + hex.EncodeToString(sum[:8])
	return true
}

// culprit finds the value that made a machine impossible, if the error begins
// with its knob or its file. Otherwise it blames the grid.
func culprit(g *grid, sets, files []setting, err string) tomlfile.Range {
	if i := slices.IndexFunc(files, func(s setting) bool { return strings.HasPrefix(err, s.value+":") }); i >= 0 {
		return files[i].at
	}
	key := strings.ToLower(err[:strings.IndexAny(err+" ", " :")])
	if i := slices.IndexFunc(sets, func(s setting) bool { return s.name == key }); i >= 0 {
		return sets[i].at
	}
	return g.at
}

// machine puts the machine of a point together, checked.
func (p *Point) machine() (*machinefile.Machine, error) {
	k, _ := machines.KindOf(p.Kind)
	m := k.Make()
	err := m.Load(p.Spec.Machine.Name)
	if err == nil {
		err = m.Set(p.Spec.Sets)
	}
	if err == nil {
		err = machines.Use(m, p.Files)
	}
	return m, err
}

// runMachine is run for a point of another machine than the EM-4.
func (p *Point) runMachine(ctx context.Context, r *Result) error {
	m, err := p.machine()
	if err != nil {
		return p.outcome(ctx, r, err)
	}
	answer, err := machines.Run(ctx, m, machines.Watch{})
	if err == nil {
		r.Text, err = json.Marshal(answer)
	}
	return p.outcome(ctx, r, err)
}

// machineCommand is Command for a point of another machine than the EM-4.
func (p *Point) machineCommand() []string {
	if k := machines.NetKind(); p.Kind == k.Name {
		return append(strings.Fields(k.Command), netFlags(p.Spec.Sets)...)
	}
	parts := []string{"emsim", p.Kind, "run"}
	if p.Spec.Machine.Name != p.Kind {
		parts = append(parts, "--machine", p.Spec.Machine.Name)
	}
	for _, s := range p.Spec.Sets {
		parts = append(parts, "--set", s)
	}
	for _, f := range p.Files {
		parts = append(parts, "--"+f.Flag, f.Path)
	}
	return parts
}

// netFlags writes settings of the network for 'emsim net traffic', whose --set
// has only the knobs of the switches.
func netFlags(sets []string) []string {
	rows := machines.NetKind().Make().Rows
	var parts []string
	for _, s := range sets {
		key, value, _ := strings.Cut(s, "=")
		if row, ok := knob.Find(rows, key); ok && row.Flag != "" {
			parts = append(parts, "--"+row.Flag, value)
		} else {
			parts = append(parts, "--set", s)
		}
	}
	return parts
}

// keys are the keys of an answer of another machine than the EM-4.
func (r *Result) keys() map[string]json.RawMessage {
	var keys map[string]json.RawMessage
	_ = json.Unmarshal(r.Text, &keys) // without an answer there are none
	return keys
}

// lighten leaves of an answer that is in its file what the table and the
// sidecar need, because a sweep holds all its results in memory.
func (r *Result) lighten(p *Point) {
	if p.Kind == "" || r.Text == nil {
		return
	}
	all, kept := r.keys(), map[string]json.RawMessage{}
	for _, n := range append(machines.Numbers(p.Kind), machines.Number{Key: "wall_seconds"}) {
		if v, ok := all[n.Key]; ok {
			kept[n.Key] = v
		}
	}
	r.Text, _ = json.Marshal(kept) // these are parts of JSON
}

// took is how long a point ran on its machine, 0 if it has no answer.
func (p *Point) took(r *Result) float64 {
	switch {
	case r == nil || r.Outcome != OK:
		return 0
	case p.Kind == "":
		return float64(r.Answer.Clocks)
	}
	t, _ := strconv.ParseFloat(string(r.keys()[machines.ModelOf(p.Kind).Time]), 64)
	return t
}

// wall is the wall time of a point in seconds, 0 if it has no answer.
func (r *Result) wall() float64 {
	if r.Answer != nil {
		return r.Answer.WallSeconds
	}
	t, _ := strconv.ParseFloat(string(r.keys()["wall_seconds"]), 64)
	return t
}

// numbers are the columns of measured values: the numbers of the answer that
// are no knobs in the table already.
func (plan *Plan) numbers() []machines.Number {
	return slices.DeleteFunc(machines.Numbers(plan.Kind), func(n machines.Number) bool { return slices.Contains(plan.Knobs, n.Key) })
}

// machineColumns is Columns for another machine than the EM-4.
func (plan *Plan) machineColumns() []Column {
	k, _ := machines.KindOf(plan.Kind)
	rows, ran := k.Make().Rows, machines.ModelOf(plan.Kind).Time
	list := []Column{{"machine", "", "the kind of machine, or the file that it was made from"}}
	for _, name := range plan.Knobs {
		row, _ := knob.Find(rows, name)
		list = append(list, Column{name, row.Unit, row.Doc})
	}
	for _, name := range plan.Files {
		list = append(list, Column{name, "", "the file of --" + name})
	}
	list = append(list, Column{"variant", "", "the named change of the machine"},
		Column{"outcome", "", "ok, or the kind of error that stopped the run; then what was measured is left out"},
		Column{ran + "_ratio", "", ran + " divided by those of the variant base with all else equal"})
	for _, n := range plan.numbers() {
		list = append(list, Column{n.Key, n.Unit, n.Doc})
	}
	return list
}

// machineRow is row for another machine than the EM-4.
func (plan *Plan) machineRow(p *Point, r *Result, results map[string]*Result) []string {
	row := append(plan.named(p), p.Variant, r.Outcome, plan.ratio(p, r, results))
	answer := r.keys()
	for _, n := range plan.numbers() {
		row = append(row, cell(answer[n.Key]))
	}
	return row
}

// machineNamed is named for another machine than the EM-4.
func (plan *Plan) machineNamed(p *Point) []string {
	var d struct {
		Knobs map[string]json.RawMessage `json:"knobs"`
		Files map[string]OwnFile         `json:"files"`
	}
	_ = json.Unmarshal(p.definition, &d) // defineMachine wrote it
	row := []string{p.Machine}
	for _, name := range plan.Knobs {
		row = append(row, cell(d.Knobs[name]))
	}
	for _, name := range plan.Files {
		row = append(row, d.Files[name].Name)
	}
	return row
}

// cell is a value as it is in a table: strings without quotes, lists with
// commas as --set has them, and nothing for null.
func cell(value json.RawMessage) string {
	var s string
	var list []string
	switch {
	case json.Unmarshal(value, &s) == nil: // null, too
		return s
	case json.Unmarshal(value, &list) == nil:
		return strings.Join(list, ",")
	}
	return string(value)
}
