package sweep

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"emsim/asm"
	"emsim/em4"
	"emsim/emcr"
	"emsim/internal/base/gotype"
	"emsim/internal/base/knob"
	"emsim/internal/base/memlimit"
	"emsim/internal/base/simerr"
	"emsim/internal/base/tomlfile"
	"emsim/internal/machine/run"
	"emsim/isa"
	"emsim/omega"
	"emsim/packet"
	"emsim/programs"
)

// programsOnEM4 is the subject of sweeps of programs on the EM-4.
type programsOnEM4 struct{}

// program completes a point of the EM-4. It returns false if the number of PEs does not fit an int.
func (x *expansion) program(p *Point, c pick, params []setting) bool {
	f := x.words[c.program.name]
	p.Program, p.Spec.Program, p.Spec.Args = f[0], x.resolvePath(f[0]), f[1:]
	p.Spec.Params, p.Spec.MaxClocks, p.Spec.Threads = map[string]string{}, x.maxClocks, 1
	p.Spec.Seed, _ = strconv.ParseUint(c.seed.name, 10, 64)
	p.Runs, _ = strconv.Atoi(c.runs.name)
	if c.pes.name != "" {
		n, err := strconv.Atoi(c.pes.name)
		if err != nil {
			x.Failf(c.pes.at, "no machine has %s PEs", c.pes.name)
			return false
		}
		p.Spec.PEs = &n
	}
	for _, s := range params {
		p.Spec.Params[s.name] = s.value
	}
	return true
}

// define combines the machine and the program of a point and sets its ID. If they do not fit together, define returns
// an error and, in at, the place of the program or the size if one of these is wrong.
func (programsOnEM4) define(x *expansion, p *Point, c pick) (at tomlfile.Range, err error) {
	if p.Config, err = p.Spec.Config(); err != nil {
		if strings.HasPrefix(err.Error(), "no circular omega network") {
			at = c.pes.at
		}
		return at, err
	}
	where := ""
	if _, ok := p.Spec.Params["placement"]; ok {
		where = fmt.Sprint(p.Spec.Args, p.Config, p.Spec.Seed)
	}
	o, err := x.objectFor(&p.Spec, where)
	if err != nil {
		return c.program.at, err
	}
	args, err := run.ReadArgs(p.Spec.Program, o.Object, p.Config.PEs, p.Spec.Args)
	if err != nil {
		return c.program.at, err
	}
	p.Chosen = o.Chosen()
	d := Definition{
		Program: p.Spec.Program, SHA256: o.digest, Args: args, Params: p.Chosen, Knobs: knobs(p.Config),
		Seed: p.Spec.Seed, Runs: p.Runs, Each: p.Each, MaxClocks: p.Spec.MaxClocks, Delay: p.Delay,
	}
	if !programs.Known(d.Program) {
		d.Program = filepath.Base(d.Program)
	}
	name := strings.TrimSuffix(d.Program, filepath.Ext(d.Program))
	p.setID(fmt.Sprintf("%s-%dpes", strings.Join(append([]string{name}, p.Spec.Args...), "-"), p.Config.PEs), d)
	return at, nil
}

// knobs returns the knobs of a machine as JSON.
func knobs(c em4.Config) map[string]json.RawMessage {
	all := map[string]json.RawMessage{}
	for _, r := range knob.Bind(em4.Knobs(), &c) {
		v := json.RawMessage(r.TOML()) // TOML writes numbers, true, false and strings as JSON does
		if !json.Valid(v) {
			v, _ = json.Marshal(r.TOML())
		}
		all[r.Key] = v
	}
	return all
}

// repeated returns a point for each seed if the program draws random numbers, or else one point with several runs.
func (programsOnEM4) repeated(x *expansion, p Point) ([]Point, string) {
	o, err := x.object(p.Spec.Program, p.Spec.Params)
	if err != nil || !draws(o.Object) { // the error will be reported later
		p.Runs, p.Each = x.seeds, true
		return []Point{p}, byRun
	}
	list := make([]Point, x.seeds)
	for i := range list {
		list[i] = p
		list[i].Spec.Seed += uint64(i)
	}
	return list, bySeed
}

// draws reports whether a run of the program can depend on the seed. It can if the program reads the seed, unless the
// constant uses_random = 0 declares that it never uses it.
func draws(o *asm.Object) bool {
	for _, s := range o.Symbols {
		if s.Kind == asm.Constant && s.Name == "uses_random" && s.Value == 0 {
			return false
		}
	}
	for _, s := range o.Sections {
		if s.Kind == asm.Code && slices.ContainsFunc(s.Words, func(w uint64) bool {
			in, err := isa.Decode(w)
			return err == nil && in.Op == isa.RDS && isa.Special(in.Imm) == isa.SpecialSeed
		}) {
			return true
		}
	}
	return false
}

// run does the runs of a point on one machine.
func (programsOnEM4) run(ctx context.Context, p *Point, r *Result, progress func(clock uint64)) error {
	t, err := p.Spec.Build(ctx)
	if err != nil {
		return err
	}
	s := run.New(t, run.Plan{Runs: p.Runs, StartDelay: p.Delay, MaxClocks: p.Spec.MaxClocks})
	s.Progress = func(clock uint64, _ func() int) { progress(clock) }
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
		return wrong // a number that JSON cannot represent
	}
	if r.Answer = text; p.Each {
		r.keepEach(s)
	}
	return err
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

// keepEach stores the measured numbers of every complete run.
func (r *Result) keepEach(s *run.Batch) {
	r.Each = map[string][]float64{}
	for i := range s.Done {
		t := &s.Done[i]
		for key, v := range numbersOfTotals(t, s.Config()) {
			r.Each[key] = append(r.Each[key], v)
		}
	}
}

// ends returns the kinds of errors that count as results.
func (programsOnEM4) ends() []string {
	return []string{
		emcr.SegmentOverflow, emcr.StructureOverflow, emcr.MIBOverflow, emcr.ProgramError, simerr.KindDeadlock,
		"no_result", simerr.KindMaxClocks,
	}
}

func (programsOnEM4) bytes(p *Point) uint64 { return memlimit.EM4Bytes(p.Config.PEs) }

// values copies the result, the time and the statistics.
func (programsOnEM4) values(p *Point, all, values map[string]json.RawMessage) bool {
	text, whole := answerText(all, p.Config.PEs)
	values[resultKey], _ = json.Marshal(text)
	keep := func(column string, value json.RawMessage) {
		_, ok := numberOf(value)
		values[column], whole = value, whole && ok
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

// mostValues is the largest number of values of an answer that a table shows.
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

// command returns the words of the command line that runs only this point.
func (programsOnEM4) command(p *Point) []string {
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

// label returns the program with its arguments and the number of PEs.
func (programsOnEM4) label(p *Point) string {
	return fmt.Sprintf("%s on %d PEs", strings.Join(append([]string{p.Program}, p.Spec.Args...), " "), p.Config.PEs)
}

// The columns with the time of a run on the EM-4.
const (
	clocksKey       = "clocks"
	millisecondsKey = "time_ms"
)

// numbersOfTotals returns the measured numbers of a run on the EM-4, by column.
func numbersOfTotals(t *em4.Totals, c em4.Config) map[string]float64 {
	n := map[string]float64{clocksKey: float64(t.Clocks), millisecondsKey: float64(t.Clocks) * c.ClockNS / 1e6}
	for _, s := range em4.StatisticsIn(em4.InSweep) {
		n[s.Key] = s.Number(t)
	}
	return n
}

// resultKey is the column of a program's result words, the only measured column without numbers.
const resultKey = "result"

// realKeys returns the EM-4's columns of real numbers.
var realKeys = sync.OnceValue(func() map[string]bool {
	real := map[string]bool{millisecondsKey: true}
	for _, s := range em4.StatisticsIn(em4.InSweep) {
		real[s.Key] = s.Share || s.Ratio
	}
	return real
})

// cell returns a result's cell in a column of the table. Real numbers have six decimals.
func (programsOnEM4) cell(r *Result, column string) string {
	if realKeys()[column] {
		return strconv.FormatFloat(r.number(column), 'f', 6, 64)
	}
	return cellText(r.values[column])
}

func (programsOnEM4) time() string { return clocksKey }

func (programsOnEM4) knobColumn(name string) Column { return Column{name, "", "the machine's knob"} }

func (programsOnEM4) defining() []Column {
	return []Column{
		{"program", "", "its name or file"},
		{"args", "", "its arguments"},
		{"machine", "", "preset or file that the machine was made from"},
		{"pes", "PEs", "its processing elements"},
	}
}

func (programsOnEM4) identity(p *Point) []string {
	return []string{p.Program, strings.Join(p.Spec.Args, " "), p.Machine, strconv.Itoa(p.Config.PEs)}
}

func (programsOnEM4) rowColumns() []Column {
	return []Column{
		{"variant", "", "the named change of machine and program"},
		{"seed", "", "of random choices"},
		{"runs", "", "consecutive runs on one machine, of which the fastest counts"},
	}
}

func (programsOnEM4) cellColumns() []Column {
	return []Column{
		{"variant", "", "the named change"},
		{"seed", "", "of the first run; the others have the next ones, if they differ by their seed"},
	}
}

func (programsOnEM4) labels(p *Point, seeds bool) []string {
	seed := strconv.FormatUint(p.Spec.Seed, 10)
	if seeds {
		return []string{seed}
	}
	return []string{seed, strconv.Itoa(p.Runs)}
}

// measured returns the columns of measured values: the model's keys in 'emsim run --json'.
func (programsOnEM4) measured([]string) []Column {
	list := []Column{
		{resultKey, "", "what the program sent to the host, as Go prints values of its type; of more than four the " +
			"first ones and the number of words"},
		{clocksKey, "clocks", "from the entry of the start packet to the last word to the host"},
		{millisecondsKey, "ms", "the same at the machine's clock"},
	}
	for _, s := range em4.StatisticsIn(em4.InSweep) {
		list = append(list, Column{s.Key, s.MachineUnit(), s.MachineDoc()})
	}
	return list
}
