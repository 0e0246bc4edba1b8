package sweep

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
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

// answerKeys are the keys of an answer of another machine than the EM-4.
func (r *Result) answerKeys() map[string]json.RawMessage {
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
	all, kept := r.answerKeys(), map[string]json.RawMessage{}
	for _, n := range append(machines.Numbers(p.Kind), machines.Number{Key: "wall_seconds"}) {
		if v, ok := all[n.Key]; ok {
			kept[n.Key] = v
		}
	}
	r.Text, _ = json.Marshal(kept) // these are parts of JSON
}

// duration is how long a point ran on its machine, 0 if it has no answer.
func (p *Point) duration(r *Result) float64 {
	switch {
	case r == nil || r.Outcome != OK:
		return 0
	case p.Kind == "":
		return float64(r.Answer.Clocks)
	}
	t, _ := strconv.ParseFloat(string(r.answerKeys()[machines.ModelOf(p.Kind).Time]), 64)
	return t
}

// wallSeconds is the wall time of a point in seconds, 0 if it has no answer.
func (r *Result) wallSeconds() float64 {
	if r.Answer != nil {
		return r.Answer.WallSeconds
	}
	t, _ := strconv.ParseFloat(string(r.answerKeys()["wall_seconds"]), 64)
	return t
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
