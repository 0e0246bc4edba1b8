package sweep

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"emsim/em4"
	"emsim/internal/base/input"
	"emsim/internal/base/tomlfile"
	"emsim/internal/machine/machinefile"
	"emsim/internal/machine/machines"
	"emsim/internal/machine/run"
	"emsim/programs"
)

// Plan is a parsed sweep file: the points to run, in the order of the rows.
type Plan struct {
	File   string // as given
	Text   []byte // what is in it
	SHA256 string // of the text
	Title  string
	Kind   string   // of all machines, as in machinefile.Kinds; "" for the EM-4
	Params []string // parameters and knobs that the file names, in its order
	Knobs  []string
	Files  []string // kinds of files of a user's own, by their flags, that are no knobs
	Points []Point
	Seeds  int    // runs of a cell; 0: every point is a row
	Cells  []Cell // the rows, with Seeds
}

// Point is one row of the table.
type Point struct {
	Kind    string // of the machine, as in machinefile.Kinds; "" for the EM-4
	Program string // with its arguments, as in the file; other machines have none
	Machine string // as in the file
	Variant string
	Spec    run.Spec // of another machine only Name and Sets
	Files   []machines.File
	Runs    int
	Each    bool // the result keeps what every run measured, not only the fastest
	Config  em4.Config
	Chosen  map[string]string // every parameter of the program
	ID      string            // of the result; points that are the same run share it
	Base    int               // index of the otherwise equal point of the variant "base", or -1

	definition json.RawMessage
	order      []string // of Chosen, as the program declares them
}

// Definition is everything that determines a point's result, except emsim
// itself. The point's name is a hash of its JSON text.
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
}

// sweepFile is what a sweep's file may be.
var sweepFile = input.Want{
	What: "a sweep file", Kinds: []input.Kind{input.Sweep, input.TOML},
	Most: 1 << 17, Why: "lists that give a million points are shorter",
}

// Load reads a sweep file. The error is srcerr.Errors in a *simerr.Usage, with places,
// or a file system error.
func Load(file string) (*Plan, error) {
	text, err := sweepFile.Read(file)
	if err != nil {
		return nil, fmt.Errorf("cannot read the sweep: %w", err)
	}
	return Read(file, text)
}

// Read makes a plan from a file's text. Programs and machines that are files
// are relative to it.
func Read(file string, text []byte) (*Plan, error) {
	r := &reader{File: tomlfile.File{Name: file, Text: text}, objects: map[string]*program{}, texts: map[string][]byte{}}
	r.read()
	sum := sha256.Sum256(text)
	x := expansion{reader: r, plan: &Plan{File: file, Text: text, SHA256: hex.EncodeToString(sum[:]), Title: r.title, Seeds: r.seeds}, seen: map[string]bool{}}
	if !r.isEM4() {
		x.plan.Kind = r.kind.Name
	}
	for i := 0; i < len(r.grids) && !r.Failed(); i++ {
		x.grid(&r.grids[i])
	}
	if err := r.Err(); err != nil {
		return nil, err
	}
	x.bases()
	x.cells()
	return x.plan, nil
}

// expansion turns grids into points.
type expansion struct {
	*reader
	plan *Plan
	seen map[string]bool // rows already added
	keys []string        // of the points: all but the variant
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

// count is the number of choices of a product; counting stops at the first
// list that takes it above most.
func count(lists [][]setting, most int) int {
	n := 1
	for _, l := range lists {
		if n *= len(l); n > most {
			break
		}
	}
	return n
}

// grid adds the points of a grid.
func (x *expansion) grid(g *grid) {
	x.columns(g)
	pes := g.pes
	if pes == nil {
		pes = []setting{{}}
	}
	lists := [][]setting{g.programs, g.machines, pes}
	for _, a := range slices.Concat(g.params, g.sets, g.files) {
		lists = append(lists, a.values)
	}
	lists = append(lists, g.variants, g.seeds, g.runs)
	if count(lists, maxPoints)*max(1, x.seeds) > maxPoints-len(x.plan.Points) {
		x.Failf(g.at, "the grid has more than %d points", maxPoints)
		return
	}
	product(lists, func(c []setting) {
		sets, files := 3+len(g.params), 3+len(g.params)+len(g.sets)
		x.point(g, pick{
			program: c[0], machine: c[1], pes: c[2], params: c[3:sets], sets: c[sets:files], files: c[files : len(c)-3],
			variant: c[len(c)-3], seed: c[len(c)-2], runs: c[len(c)-1],
		})
	})
}

// columns records the parameters and knobs that a grid and its variants name.
func (x *expansion) columns(g *grid) {
	note := func(list *[]string, name string) {
		if !slices.Contains(*list, name) {
			*list = append(*list, name)
		}
	}
	for _, a := range g.params {
		note(&x.plan.Params, a.name)
	}
	for _, a := range g.sets {
		note(&x.plan.Knobs, a.name)
	}
	if (x.seeds > 0 || len(g.seeds) > 0 && g.seeds[0].name != "") && !x.isEM4() && x.seeded() {
		note(&x.plan.Knobs, "seed")
	}
	for _, a := range g.files {
		note(x.fileColumns(a.name), a.name)
	}
	for _, s := range g.variants {
		if v := x.find(s.name); v != nil {
			for _, p := range v.params {
				note(&x.plan.Params, p.name)
			}
			for _, k := range v.sets {
				note(&x.plan.Knobs, k.name)
			}
			for _, f := range v.files {
				note(x.fileColumns(f.name), f.name)
			}
		}
	}
}

// pick is one combination of all choices.
type pick struct {
	program, machine, pes, variant, seed, runs setting
	params, sets, files                        []setting
}

// key names all of a pick but the variant.
func (c *pick) key() string {
	parts := []string{c.program.name, c.machine.name, c.pes.name, c.seed.name, c.runs.name}
	for _, s := range slices.Concat(c.params, c.sets, c.files) {
		parts = append(parts, s.name+"="+s.value)
	}
	slices.Sort(parts[5:])
	return strings.Join(parts, "\x00")
}

// point adds one point, unless it exists.
func (x *expansion) point(g *grid, c pick) {
	key := c.key()
	row := key + "\x00" + c.variant.name
	if x.seen[row] || x.Failed() {
		return
	}
	x.seen[row] = true
	if !x.isEM4() {
		x.cell(x.machinePoint(c), key, func(p *Point) bool { return x.defineMachine(p, g, c) })
		return
	}
	f := strings.Fields(c.program.name)
	p := Point{Program: c.program.name, Machine: c.machine.name, Variant: c.variant.name}
	p.Spec = run.Spec{Program: x.path(f[0]), Args: f[1:], Params: map[string]string{}, MaxClocks: x.maxClocks, Threads: 1}
	p.Spec.Machine.Name = x.path(c.machine.name)
	p.Spec.Seed, _ = strconv.ParseUint(c.seed.name, 10, 64)
	p.Runs, _ = strconv.Atoi(c.runs.name)
	if c.pes.name != "" {
		n, err := strconv.Atoi(c.pes.name)
		if err != nil {
			x.Failf(c.pes.at, "no machine has %s PEs", c.pes.name)
			return
		}
		p.Spec.PEs = &n
	}
	params, sets := c.params, c.sets
	if v := x.find(c.variant.name); v != nil {
		params, sets = slices.Concat(params, v.params), slices.Concat(sets, v.sets)
	}
	for _, s := range params {
		p.Spec.Params[s.name] = s.value
	}
	for _, s := range sets {
		p.Spec.Sets = append(p.Spec.Sets, s.name+"="+s.value)
	}
	x.cell(p, key, func(p *Point) bool { return x.define(p, g, c) })
}

// define combines machine and program of a point and names the point. It
// reports false if they do not fit together.
func (x *expansion) define(p *Point, g *grid, c pick) bool {
	var err error
	if p.Config, err = p.Spec.Config(); err != nil {
		x.Failf(x.blame(g, c, err), "%v%s", err, x.where(p))
		return false
	}
	where := ""
	if _, ok := p.Spec.Params["placement"]; ok {
		where = fmt.Sprint(p.Spec.Args, p.Config, p.Spec.Seed)
	}
	o, err := x.objectFor(&p.Spec, where)
	if err != nil {
		x.Failf(c.program.at, "%v%s", err, x.where(p))
		return false
	}
	args, err := run.Args(p.Spec.Program, o.Object, p.Config.PEs, p.Spec.Args)
	if err != nil {
		x.Failf(c.program.at, "%v%s", err, x.where(p))
		return false
	}
	p.Chosen = map[string]string{}
	for i := range o.Params {
		p.Chosen[o.Params[i].Name] = o.Params[i].Chosen()
		p.order = append(p.order, o.Params[i].Name)
	}
	d := Definition{
		Program: p.Spec.Program, SHA256: o.digest, Args: args, Params: p.Chosen, Knobs: knobs(p.Config),
		Seed: p.Spec.Seed, Runs: p.Runs, Each: p.Each, MaxClocks: p.Spec.MaxClocks,
	}
	if !programs.Known(d.Program) {
		d.Program = filepath.Base(d.Program)
	}
	if p.definition, err = json.Marshal(d); err != nil {
		panic(err) // all its values can be written as JSON
	}
	sum := sha256.Sum256(p.definition)
	name := strings.TrimSuffix(d.Program, filepath.Ext(d.Program))
	p.ID = fmt.Sprintf("%s-%dpes-%s", strings.Join(append([]string{name}, p.Spec.Args...), "-"), p.Config.PEs, hex.EncodeToString(sum[:8]))
	return true
}

// blame finds the value that made a machine impossible: the error begins with
// its knob. Otherwise it blames the grid.
func (x *expansion) blame(g *grid, c pick, err error) tomlfile.Range {
	if strings.HasPrefix(err.Error(), "no circular omega network") && c.pes.name != "" {
		return c.pes.at
	}
	sets := c.sets
	if v := x.find(c.variant.name); v != nil {
		sets = slices.Concat(sets, v.sets)
	}
	for _, s := range sets {
		if strings.HasPrefix(err.Error(), s.name+" ") {
			return s.at
		}
	}
	return g.at
}

// where names the point of an error if its place does not.
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

// joined lists parameters by name.
func joined(params map[string]string) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(params)) {
		parts = append(parts, name+"="+params[name])
	}
	return strings.Join(parts, " ")
}

// knobs returns the knobs of a machine as JSON.
func knobs(c em4.Config) map[string]json.RawMessage {
	all := map[string]json.RawMessage{}
	for _, k := range em4.Knobs() {
		v := json.RawMessage(machinefile.Value(k, c)) // TOML writes numbers, true, false and strings as JSON does
		if !json.Valid(v) {
			v, _ = json.Marshal(machinefile.Value(k, c))
		}
		all[k.Key] = v
	}
	return all
}

// bases finds for every point the point that its variant is compared with.
func (x *expansion) bases() {
	at := map[string]int{}
	for i := range x.plan.Points {
		if x.plan.Points[i].Variant == base {
			at[x.keys[i]] = i
		}
	}
	for i := range x.plan.Points {
		p := &x.plan.Points[i]
		p.Base = -1
		if b, ok := at[x.keys[i]]; ok {
			p.Base = b
		}
	}
}
