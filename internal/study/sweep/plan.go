package sweep

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"emsim/em4"
	"emsim/internal/base/input"
	"emsim/internal/base/lists"
	"emsim/internal/base/tomlfile"
	"emsim/internal/machine/machines"
	"emsim/internal/machine/run"
	"emsim/programs"
)

// Plan is a parsed sweep file: the points to run, in the order of the rows.
type Plan struct {
	File   string // as given
	SHA256 string // of its text
	Title  string
	Kind   string   // kind of all machines, as in machines.Kinds
	Params []string // the parameters that the file names, in its order; Knobs likewise
	Knobs  []string
	Files  []string // users' own files, by flag, except flags that are knobs
	Points []Point
	Seeds  int    // runs per cell; 0 if the file has no key seeds
	Cells  []Cell // the rows

	Reference string // the argument of Refer; "" means the variant base

	contends []string // the columns of the reference
}

// Point is one run, or one series of runs on one machine.
type Point struct {
	Kind    string // of the machine, as in machines.Kinds
	Program string // as in the file, without its arguments; only for the EM-4
	Machine string // as in the file
	Variant string
	Spec    run.Spec // for another machine, only Machine.Name and Sets
	Files   []machines.File
	Runs    int
	Delay   uint64 // clocks that the machine steps before the run
	Each    bool   // the result keeps the numbers of every run, not only of the fastest
	Config  em4.Config
	Chosen  map[string]string // every parameter of the program
	ID      string            // of the result; equal points share it

	definition json.RawMessage
}

// Definition holds everything that determines a point's result, except emsim itself. The point's ID is a hash of its
// JSON text.
type Definition struct {
	Program   string                     `json:"program"` // built-in name, or the file's name
	SHA256    string                     `json:"program_sha256"`
	Args      []int64                    `json:"args"`
	Params    map[string]string          `json:"params"`
	Knobs     map[string]json.RawMessage `json:"knobs"`
	Seed      uint64                     `json:"seed"`
	Runs      int                        `json:"runs"`
	Each      bool                       `json:"each,omitempty"`
	MaxClocks uint64                     `json:"max_clocks"`
	Delay     uint64                     `json:"start_delay,omitempty"`
}

// sweepFile describes the file of a sweep.
var sweepFile = input.Want{
	What: "a sweep file", Kinds: []input.Kind{input.Sweep, input.TOML},
	Most: 1 << 17, Why: "lists that give a million points are shorter",
}

// Load reads a sweep file. Its grids also run with the given policy files. The error is srcerr.Errors in a
// *simerr.Usage, with places, or a file system error.
func Load(file string, policies ...string) (*Plan, error) {
	text, err := sweepFile.Read(file)
	if err != nil {
		return nil, fmt.Errorf("cannot read the sweep: %w", err)
	}
	return Read(file, text, policies...)
}

// Read makes a plan from the text of a file. The paths of programs and machines are relative to the file.
func Read(file string, text []byte, policies ...string) (*Plan, error) {
	r := &reader{File: tomlfile.File{Name: file, Text: text}, added: policies, policies: map[string]string{}}
	r.words, r.objects, r.texts = map[string][]string{}, map[string]*program{}, map[string][]byte{}
	r.readFile()
	sum := sha256.Sum256(text)
	x := expansion{reader: r, seen: map[string]bool{}, plan: &Plan{
		File: file, SHA256: hex.EncodeToString(sum[:]), Title: r.title, Seeds: r.seeds, contends: []string{"variant"},
	}}
	x.plan.Kind = r.kind.Name
	for i := 0; i < len(r.grids) && !r.Failed(); i++ {
		x.expandGrid(&r.grids[i])
	}
	if err := r.Err(); err != nil {
		return nil, err
	}
	at := x.plan.ofVariant(base)
	for i, c := range x.plan.Cells {
		x.plan.Cells[i].Base = at[c.key] - 1
	}
	return x.plan, nil
}

// Reads returns the files that the points read: programs, machines and others. The list also has names that are built
// into emsim.
func (plan *Plan) Reads() []string {
	seen := map[string]bool{}
	for i := range plan.Points {
		p := &plan.Points[i]
		seen[p.Spec.Program], seen[p.Spec.Machine.Name] = true, true
		if policy := p.Spec.Params[policyKey]; programs.IsPolicyFile(policy) {
			seen[policy] = true
		}
		for _, f := range p.Files {
			seen[f.Path] = true
		}
	}
	return slices.Sorted(maps.Keys(seen))
}

// expansion expands grids into points.
type expansion struct {
	*reader
	plan *Plan
	seen map[string]bool // rows already added
}

// product calls f with every combination of settings; the last list varies fastest.
func product(lists [][]setting, f func(chosen []setting)) {
	chosen := make([]setting, len(lists))
	var pick func(i int)
	pick = func(i int) {
		if i == len(lists) {
			f(chosen)
			return
		}
		for _, s := range lists[i] {
			chosen[i] = s
			pick(i + 1)
		}
	}
	pick(0)
}

// count returns the number of combinations, or some number above most if there are more than most.
func count(lists [][]setting, most int) int {
	n := 1
	for _, l := range lists {
		if n *= len(l); n > most {
			break
		}
	}
	return n
}

// expandGrid adds the points of a grid.
func (x *expansion) expandGrid(g *grid) {
	x.noteColumns(g)
	lists := [][]setting{g.programs, g.machines, g.pes}
	for _, a := range slices.Concat(g.axes[:]...) {
		lists = append(lists, a.values)
	}
	lists = append(lists, g.variants, g.seeds, g.runs)
	if count(lists, maxPoints)*max(1, x.seeds) > maxPoints-len(x.plan.Points) {
		x.Failf(g.at, "the grid has more than %d points", maxPoints)
		return
	}
	product(lists, func(c []setting) {
		last := c[len(c)-3:]
		p := pick{program: c[0], machine: c[1], pes: c[2], variant: last[0], seed: last[1], runs: last[2]}
		for kind, at := 0, 3; kind < kinds; kind++ {
			n := len(g.axes[kind])
			p.changes[kind] = c[at : at+n]
			at += n
		}
		x.point(g, p)
	})
}

// noteColumns records columns for the settings that a grid and its variants change.
func (x *expansion) noteColumns(g *grid) {
	add := func(list *[]string, name string) {
		if !slices.Contains(*list, name) {
			*list = append(*list, name)
		}
	}
	for kind, axes := range g.axes {
		if kind == ofUser && !x.kind.Programs && x.seeded() && (x.seeds > 0 || g.seeds[0].name != "") {
			add(&x.plan.Knobs, "seed")
		}
		for _, a := range axes {
			add(x.columns(kind, a.name), a.name)
		}
	}
	for _, s := range g.variants {
		if v := x.findVariant(s.name); v != nil {
			for kind, list := range v.changes {
				for _, c := range list {
					add(x.columns(kind, c.name), c.name)
				}
			}
		}
	}
}

// pick is one combination of the choices in a grid.
type pick struct {
	program, machine, pes, variant, seed, runs setting

	changes changes
}

// identity returns a key for all of a pick except the variant.
func (c *pick) identity() string {
	parts := []string{c.program.name, c.machine.name, c.pes.name, c.seed.name, c.runs.name}
	parts = append(parts,
		lists.Of(slices.Concat(c.changes[:]...), func(s setting) string { return s.name + "=" + s.value })...)
	slices.Sort(parts[5:])
	return strings.Join(parts, "\x00")
}

// chosen returns all changes of a point: its own and its variant's.
func (x *expansion) chosen(c pick) changes {
	all := c.changes
	if v := x.findVariant(c.variant.name); v != nil {
		for kind := range all {
			all[kind] = slices.Concat(all[kind], v.changes[kind])
		}
	}
	if !x.kind.Programs && c.seed.name != "" {
		all[ofMachine] = append(slices.Clip(all[ofMachine]), setting{"seed", c.seed.name, c.seed.at})
	}
	return all
}

// point adds one row, unless it exists.
func (x *expansion) point(g *grid, c pick) {
	key := c.identity()
	row := key + "\x00" + c.variant.name
	if x.seen[row] || x.Failed() {
		return
	}
	x.seen[row] = true
	p := Point{Kind: x.plan.Kind, Machine: c.machine.name, Variant: c.variant.name}
	p.Spec.Machine.Name = x.resolvePath(c.machine.name)
	all := x.chosen(c)
	for _, s := range all[ofMachine] {
		p.Spec.Sets = append(p.Spec.Sets, s.name+"="+s.value)
	}
	if x.kind.Programs && !x.program(&p, c, all[ofProgram]) {
		return
	}
	for _, s := range all[ofUser] {
		path := x.resolvePath(s.value)
		p.Files = append(p.Files, machines.File{Flag: s.name, Name: s.value, Path: path, Text: x.texts[path]})
	}
	x.addCell(p, key, func(p *Point) bool {
		at, err := p.subject().define(x, p, c)
		if err == nil {
			return true
		}
		if at == (tomlfile.Range{}) {
			at = culprit(g, all, strings.TrimPrefix(err.Error(), p.Kind+": "))
		}
		x.Failf(at, "%v%s", err, x.where(p))
		return false
	})
}

// setID sets the ID of a point, which is a hash of its definition.
func (p *Point) setID(prefix string, definition any) {
	var err error
	if p.definition, err = json.Marshal(definition); err != nil {
		panic(err) // cannot happen: all values can be written as JSON
	}
	sum := sha256.Sum256(p.definition)
	p.ID = prefix + "-" + hex.EncodeToString(sum[:8])
}

// culprit returns the place of the setting that made a machine invalid, if the error begins with its knob or its file.
// Otherwise it returns the place of the grid.
func culprit(g *grid, all changes, err string) tomlfile.Range {
	if i := slices.IndexFunc(all[ofUser], func(s setting) bool { return strings.HasPrefix(err, s.value+":") }); i >= 0 {
		return all[ofUser][i].at
	}
	key := strings.ToLower(err[:strings.IndexAny(err+" ", " :")])
	if i := slices.IndexFunc(all[ofMachine], func(s setting) bool { return s.name == key }); i >= 0 {
		return all[ofMachine][i].at
	}
	return g.at
}

// where describes the point of an error whose place does not identify it.
func (x *expansion) where(p *Point) string {
	var parts []string
	if p.Spec.PEs != nil {
		parts = append(parts, fmt.Sprintf("pes = %d", *p.Spec.PEs))
	}
	parts = append(parts, p.Spec.Sets...)
	if len(p.Spec.Params) > 0 {
		parts = append(parts, joined(p.Spec.Params))
	}
	if p.Variant != base {
		parts = append(parts, fmt.Sprintf("variant %q", p.Variant))
	}
	if len(parts) == 0 {
		return ""
	}
	return " (with " + strings.Join(parts, ", ") + ")"
}

// joined returns the parameters as text, sorted by name.
func joined(params map[string]string) string {
	parts := lists.Of(slices.Sorted(maps.Keys(params)), func(name string) string { return name + "=" + params[name] })
	return strings.Join(parts, " ")
}
