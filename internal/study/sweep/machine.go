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
	"emsim/internal/base/lists"
	"emsim/internal/base/memlimit"
	"emsim/internal/base/tomlfile"
	"emsim/internal/machine/machinefile"
	"emsim/internal/machine/machines"
)

// otherMachine is the kind of a machine other than the EM-4, as a sweep's subject.
type otherMachine string

// MachineDefinition holds everything that determines the result for a point of a machine other than the EM-4, except
// emsim itself.
type MachineDefinition struct {
	Machine string             `json:"machine"` // kind
	Knobs   map[string]any     `json:"knobs"`
	Files   map[string]OwnFile `json:"files,omitempty"` // by flag
}

// OwnFile identifies the contents of a user's file.
type OwnFile struct {
	Name   string `json:"name"`
	SHA256 string `json:"sha256"`
}

// define sets the ID of a point. It returns an error if the point's knobs and files do not fit together.
func (otherMachine) define(_ *expansion, p *Point, _ pick) (at tomlfile.Range, err error) {
	m, err := p.machine()
	if err != nil {
		return at, err
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
	p.setID(p.Kind, d)
	return at, nil
}

// machine builds and checks the machine of a point.
func (p *Point) machine() (*machinefile.Machine, error) {
	k, _ := machines.KindOf(p.Kind)
	m := k.NewMachine()
	err := m.Load(p.Spec.Machine.Name)
	if err == nil {
		err = m.Set(p.Spec.Sets)
	}
	if err == nil {
		err = machines.GiveFiles(m, p.Files)
	}
	return m, err
}

// repeated returns a point for each seed, or the point itself if the machine has no seed.
func (otherMachine) repeated(x *expansion, p Point) ([]Point, string) {
	m, err := p.machine()
	if err != nil {
		return []Point{p}, ""
	}
	row, ok := knob.Find(m.Rows, "seed")
	if !ok {
		return []Point{p}, byNothing
	}
	first, _ := strconv.ParseUint(row.Text(), 10, 64)
	list := make([]Point, x.seeds)
	for i := range list {
		list[i] = p
		list[i].Spec.Sets = withSeed(p.Spec.Sets, first+uint64(i))
	}
	return list, bySeed
}

// seedOf returns the setting of the knob seed, or "".
func seedOf(p *Point) string {
	seed, _ := lists.Find(p.Spec.Sets, func(s string) bool { return strings.HasPrefix(s, "seed=") })
	return seed
}

// withSeed returns the settings with the knob seed set.
func withSeed(sets []string, seed uint64) []string {
	others := slices.DeleteFunc(slices.Clone(sets), func(s string) bool { return s[:min(5, len(s))] == "seed=" })
	return append(others, "seed="+strconv.FormatUint(seed, 10))
}

// run runs the machine of a point, and stores its answer in r.
func (otherMachine) run(ctx context.Context, p *Point, r *Result, _ func(clock uint64)) error {
	m, err := p.machine()
	if err != nil {
		return err
	}
	answer, err := machines.Run(ctx, m, machines.Watch{})
	if err == nil {
		r.Answer, err = json.Marshal(answer)
	}
	return err
}

func (k otherMachine) ends() []string    { return machines.ModelOf(string(k)).Ends }
func (otherMachine) bytes(*Point) uint64 { return memlimit.Small }

// values copies the numbers of the answer.
func (k otherMachine) values(_ *Point, all, values map[string]json.RawMessage) bool {
	for _, n := range machines.Numbers(string(k)) {
		values[n.Key] = all[n.Key]
	}
	return true
}

// command returns the words of the command line that runs only this point.
func (otherMachine) command(p *Point) []string {
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

// netFlags returns flags of 'emsim net traffic' for settings of the network. Its --set has only the knobs of the
// switches.
func netFlags(sets []string) []string {
	rows := machines.NetKind().NewMachine().Rows
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

// label returns the machine with its settings.
func (otherMachine) label(p *Point) string {
	return strings.Join(append([]string{p.Machine}, p.Spec.Sets...), " ")
}

func (k otherMachine) time() string { return machines.ModelOf(string(k)).Time }

func (k otherMachine) knobColumn(name string) Column {
	kind, _ := machines.KindOf(string(k))
	row, _ := knob.Find(kind.NewMachine().Rows, name)
	return Column{name, row.Unit, row.Doc}
}

func (otherMachine) defining() []Column {
	return []Column{{"machine", "", "the kind of machine, or the file that it was made from"}}
}

func (otherMachine) identity(p *Point) []string { return []string{p.Machine} }

func (otherMachine) rowColumns() []Column {
	return []Column{{"variant", "", "the named change of the machine"}}
}

func (otherMachine) cellColumns() []Column        { return []Column{{"variant", "", "the named change"}} }
func (otherMachine) labels(*Point, bool) []string { return nil }

// measured returns the columns of the numbers in the machine's answer, except the knobs.
func (k otherMachine) measured(knobs []string) (list []Column) {
	for _, n := range machines.Numbers(string(k)) {
		if !slices.Contains(knobs, n.Key) {
			list = append(list, Column{n.Key, n.Unit, n.Doc})
		}
	}
	return list
}

// cell returns a result's cell in a column of the table.
func (otherMachine) cell(r *Result, column string) string { return cellText(r.values[column]) }
