package sweep

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"

	"emsim/em4"
	"emsim/emcr"
	"emsim/internal/base/gotype"
	"emsim/internal/base/knob"
	"emsim/internal/base/memlimit"
	"emsim/internal/base/simerr"
	"emsim/internal/base/tomlfile"
	"emsim/internal/machine/machinefile"
	"emsim/internal/machine/machines"
	"emsim/internal/machine/recipe"
	"emsim/internal/machine/run"
	"emsim/omega"
	"emsim/packet"
	"emsim/programs"
)

// OK is the outcome of a point that ended with an answer. The other outcomes are the error kinds of 'emsim run', and
// misfit: the machine cannot hold the program.
const (
	OK     = "ok"
	misfit = "misfit"
)

// outcomes lists the error kinds that count as results of an EM-4 point.
var outcomes = []string{
	emcr.SegmentOverflow, emcr.StructureOverflow, emcr.MIBOverflow, emcr.ProgramError, simerr.KindDeadlock,
	"no_result", simerr.KindMaxClocks,
}

// WrongPoint is the error of a point without a result, because its answer is wrong or the model panicked.
type WrongPoint struct {
	Point *Point
	Err   error
}

func (e *WrongPoint) Error() string {
	return fmt.Sprintf("%v\n    %s", e.Err, e.Point.Command())
}

func (e *WrongPoint) Unwrap() error { return e.Err }

// runPoint runs a point. It returns an error if there is no result: the context's or a *WrongPoint. The function
// progress receives the clocks of the run in progress.
func (p *Point) runPoint(ctx context.Context, progress func(clock uint64)) (r *Result, err error) {
	defer func() {
		if x := recover(); x != nil {
			r, err = nil, &WrongPoint{p, fmt.Errorf("the model stopped itself: %v\n%s", x, debug.Stack())}
		}
	}()
	r = &Result{Definition: p.definition}
	if p.Kind != "" {
		return r, p.runMachine(ctx, r)
	}
	t, err := p.Spec.Build(ctx)
	if err != nil {
		return r, p.outcome(ctx, r, err)
	}
	s := run.New(t, run.Plan{Runs: p.Runs, StartDelay: p.Delay, MaxClocks: p.Spec.MaxClocks})
	s.Progress = func(clock uint64, _ int) { progress(clock) }
	var one run.OneRun
	for len(s.Done) < p.Runs && err == nil {
		if err = s.Begin(); err != nil {
			break
		}
		err = s.Advance(ctx, em4.ToEnd)
		one, _ = s.EndRun(err)
		if err == nil {
			err = p.right(t, one.Words)
		}
	}
	if err == nil {
		one = s.Best
	}
	text, wrong := json.Marshal(s.Answer(one))
	if wrong != nil {
		return r, &WrongPoint{p, wrong} // a number that JSON cannot represent
	}
	if r.Answer = text; p.Each {
		r.keepEach(s)
	}
	return r, p.outcome(ctx, r, err)
}

// bytes returns the estimated memory of the running point.
func (p *Point) bytes() uint64 {
	if p.Kind != "" {
		return memlimit.Small
	}
	return memlimit.EM4Bytes(p.Config.PEs)
}

// outcome sets the outcome of a result. It returns errors that are not outcomes.
func (p *Point) outcome(ctx context.Context, r *Result, err error) error {
	ends := outcomes
	if p.Kind != "" {
		ends = machines.ModelOf(p.Kind).Ends
	}
	var unfit *em4.Misfit
	var fault *emcr.Fault
	switch {
	case err == nil:
		r.Outcome = OK
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &unfit):
		r.Outcome = misfit
	case errors.As(err, &fault): // also in the init blocks
		r.Outcome = fault.Kind()
	case slices.Contains(ends, simerr.Kind(err)):
		r.Outcome = simerr.Kind(err)
	default:
		return &WrongPoint{p, err}
	}
	r.Message = err.Error()
	return nil
}

// right returns an error if the answer of a built-in program is wrong.
func (p *Point) right(t *run.Target, words []uint64) error {
	if !programs.Known(p.Spec.Program) {
		return nil
	}
	want, err := programs.Answer(p.Spec.Program, t.Object, t.Words, p.Config.PEs)
	if err == nil && !slices.Equal(words, want) {
		err = fmt.Errorf("the answer is wrong: %s, expected %s", t.ResultText(words, mostValues),
			t.ResultText(want, mostValues))
	}
	return err
}

// mostValues is the number of values of an answer in a table.
const mostValues = 4

// answerText formats the words of an answer as values of the program's type, for a machine of pes PEs.
func answerText(all map[string]json.RawMessage, pes int) (text string, ok bool) {
	var words []uint64
	var kind string
	topo, err := omega.ForPEs(pes)
	if err != nil || json.Unmarshal(all[resultKey], &words) != nil || all["type"] != nil &&
		json.Unmarshal(all["type"], &kind) != nil {
		return "", false
	}
	return gotype.Text(kind, words, mostValues, packet.FormatFor(topo.K).DataBits), true
}

// Command returns the command line that runs only this point.
func (p *Point) Command() string {
	parts := p.programCommand
	if p.Kind != "" {
		parts = p.machineCommand
	}
	line := ""
	for _, word := range parts() {
		line += " " + recipe.Quoted(word)
	}
	return line[1:]
}

// programCommand returns the words of Command for a point of the EM-4.
func (p *Point) programCommand() []string {
	parts := []string{"emsim", "run", p.Spec.Program}
	negative := slices.ContainsFunc(p.Spec.Args, func(a string) bool { return strings.HasPrefix(a, "-") })
	if !negative {
		parts = append(parts, p.Spec.Args...)
	}
	if p.Spec.Machine.Name != "emc-r" {
		parts = append(parts, "--machine", p.Spec.Machine.Name)
	}
	if p.Spec.PEs != nil {
		parts = append(parts, "--pes", strconv.Itoa(*p.Spec.PEs))
	}
	for _, name := range slices.Sorted(maps.Keys(p.Spec.Params)) {
		parts = append(parts, "--param", name+"="+p.Spec.Params[name])
	}
	for _, s := range p.Spec.Sets {
		parts = append(parts, "--set", s)
	}
	if p.Spec.Seed != 1 {
		parts = append(parts, "--seed", strconv.FormatUint(p.Spec.Seed, 10))
	}
	if p.Runs != 1 {
		parts = append(parts, "--runs", strconv.Itoa(p.Runs))
	}
	if p.Delay > 0 {
		parts = append(parts, "--start-delay", strconv.FormatUint(p.Delay, 10))
	}
	if p.Spec.MaxClocks > 0 {
		parts = append(parts, "--max-clocks", strconv.FormatUint(p.Spec.MaxClocks, 10))
	}
	if negative {
		parts = append(append(parts, "--"), p.Spec.Args...)
	}
	return parts
}

// Label returns a short description of the point.
func (p *Point) Label() string {
	text := fmt.Sprintf("%s on %d PEs", strings.Join(append([]string{p.Program}, p.Spec.Args...), " "), p.Config.PEs)
	if p.Kind != "" {
		text = strings.Join(append([]string{p.Machine}, p.Spec.Sets...), " ")
	}
	if p.Variant != base {
		text += ", " + p.Variant
	}
	return text
}

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

// defineMachine sets the ID of a point of a machine other than the EM-4. It returns an error if the knob values do not
// fit together.
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

// runMachine runs a point of a machine other than the EM-4.
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

// machineCommand returns the words of Command for a point of a machine other than the EM-4.
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

// lighten reduces an answer to the values, by column, that the table and the sidecar need, because a sweep holds all
// its results in memory. It reports whether the answer was complete.
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
	text, whole := answerText(all, p.Config.PEs)
	r.values[resultKey], _ = json.Marshal(text)
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
			_ = json.Unmarshal(all[in], &at) // on failure the number is missing
		}
		keep(s.Key, at[key])
	}
	return whole
}

// wallKey is the key of the time that a run took on this computer, in seconds.
const wallKey = "wall_seconds"

// number returns a result's value in a column, or 0 if it is not a number.
func (r *Result) number(column string) float64 {
	x, _ := numberOf(r.values[column])
	return x
}

// cellText returns a value as text for the table: strings without quotes, lists with commas as in --set, and "" for
// null.
func cellText(value json.RawMessage) string {
	var s string
	var list []string
	switch {
	case json.Unmarshal(value, &s) == nil: // also for null
		return s
	case json.Unmarshal(value, &list) == nil:
		return strings.Join(list, ",")
	}
	return string(value)
}
