package sweep

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"

	"emsim/em4"
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

// defineMachine names a point of another machine than the EM-4. An error means that
// its values do not fit together.
func (x *expansion) defineMachine(p *Point, _ pick) (at tomlfile.Range, err error) {
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

// machine puts the machine of a point together, checked.
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

// runMachine is run for a point of another machine than the EM-4.
func (p *Point) runMachine(ctx context.Context, r *Result) error {
	m, err := p.machine()
	if err != nil {
		return p.outcome(ctx, r, err)
	}
	answer, err := machines.Run(ctx, m, machines.Watch{})
	if err == nil {
		r.Answer, err = json.Marshal(answer)
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

// lighten leaves of an answer what the table and the sidecar need, by column, because
// a sweep holds all its results in memory. It reports whether there was a whole one.
func (r *Result) lighten(p *Point) bool {
	var all map[string]json.RawMessage
	if json.Unmarshal(r.Answer, &all) != nil || all == nil {
		return false
	}
	r.Answer, r.values = nil, map[string]json.RawMessage{wallKey: all[wallKey]}
	if p.Kind != "" {
		for _, n := range machines.Numbers(p.Kind) {
			r.values[n.Key] = all[n.Key]
		}
		return true
	}
	var words []uint64
	whole := json.Unmarshal(all[resultKey], &words) == nil
	r.values[resultKey], _ = json.Marshal(short(words)) // a text
	keep := func(column string, value json.RawMessage) {
		_, ok := numberOf(value)
		r.values[column], whole = value, whole && ok
	}
	keep(clocksKey, all[clocksKey])
	keep(millisecondsKey, all[millisecondsKey])
	for _, s := range em4.StatisticsIn(em4.InSweep) {
		in, key := s.Place()
		at := all
		if in != "" {
			at = nil
			_ = json.Unmarshal(all[in], &at) // without it the number is missing
		}
		keep(s.Key, at[key])
	}
	return whole
}

// wallKey is the key of the time that a run took on this computer, in seconds.
const wallKey = "wall_seconds"

// number is what a result has in a column, 0 if that is no number.
func (r *Result) number(column string) float64 {
	x, _ := numberOf(r.values[column])
	return x
}

// cellText is a value as it is in a table: strings without quotes, lists with
// commas as --set has them, and nothing for null.
func cellText(value json.RawMessage) string {
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
