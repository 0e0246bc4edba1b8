//go:build !js

package run

import (
	"context"
	"errors"
	"maps"

	"emsim/asm"
	"emsim/em4"
	"emsim/emcr"
	"emsim/internal/compile"
	"emsim/internal/compile/cut"
	"emsim/programs"
)

// Placement is the choice that --placement auto or measured has made for a program in Go, after trials on the run's
// machine.
type Placement struct {
	compile.Options
	Policy, MLPE string
	Args         []int64 // arguments of the trials
	Smaller      bool    // the arguments are smaller than the run's, which take too long or fail in trials
	Tried        []Trial // trials of policies and MLPE, the default first
	Cuts         []Trial // trials of other blocks and guards, with the chosen policy and MLPE
	Fault        string  // why only the default was tried

	pes       int
	ranges    []asm.Arg
	functions []cut.Function
	placer    *placer // for further trials; nil if the program cannot be tried
}

// Trial is a run with one choice, and its result.
type Trial struct {
	Policy, MLPE string
	Blocks       compile.Blocks
	Guards       compile.Guards
	Fault        string // why there is no result
	em4.Totals
	quiet uint64 // clocks until the machine was quiet
}

// Bounds of the trials of placement auto. They count clocks and instructions, not time, so that the choice is the same
// on every computer.
const (
	mostInit   = 1_000_000 // clocks of the init blocks [chosen]
	mostWork   = 1_000_000 // instructions of a trial [chosen: up to a second]
	countEvery = 1024      // clocks between two counts of the instructions [chosen]

	// margin is how much faster than the default, in per cent, a choice must be in trials with smaller arguments, which
	// say less about the run [chosen].
	margin = 4
)

// errWork is the error of a trial with too many instructions.
var errWork = errors.New("a trial takes too long, even with the smallest arguments")

// placer chooses a placement by trials.
type placer struct {
	*Placement
	spec   *Spec
	src    []byte
	config em4.Config
	params map[string]string // of the text, as given
}

// place chooses policy, MLPE, blocks and guards for the run, unless its parameters fix them. It chooses the values with
// which the run takes the fewest clocks. If the run has no arguments, the trials use the largest ones. The errors are
// for the user.
func (s *Spec) place(src []byte) (*Placement, error) {
	opt, params, err := compile.TakeOptions(s.Params)
	if err != nil {
		return nil, err
	}
	graph, err := compile.NewGraph(s.Program, src, opt)
	if err != nil {
		return nil, err
	}
	p := &placer{
		Placement: &Placement{Options: opt, Policy: programs.Policies()[0], MLPE: "off", functions: graph.Functions},
		spec:      s, src: src, config: em4.Prototype80(), params: params,
	}
	if s.Machine.Name != "" { // otherwise the run has no machine yet
		if p.config, err = s.Config(); err != nil {
			return nil, err
		}
	}
	p.pes, p.Blocks, p.Guards = p.config.PEs, compile.Blocks(graph.Blocks), compile.Guards(graph.Guards)
	p.Policy, p.MLPE = p.openValues("policy", p.Policy)[0], p.openValues("mlpe", p.MLPE)[0]
	if err := p.arguments(); err != nil {
		return nil, err
	}
	for again := true; again; again = p.fastest(p.Tried).Fault != "" && p.shrink() {
		if !p.first() {
			p.Fault = p.Tried[0].Fault
			return p.Placement, nil
		}
		p.policies()
	}
	p.tryCuts()
	p.placer = p
	return p.Placement, nil
}

// tryFewer tries the choice on machines with fewer PEs. It returns the fastest trial and its number of PEs. pes is 0 if
// no smaller machine is faster than the run's.
func (p *placer) tryFewer() (pes int, best Trial) {
	whole := p.config
	defer func() { p.config = whole }()
	best = *p.fastest(p.Cuts)
	for k := 1; ; k++ {
		p.config.PEs = (k + 1) << k
		if p.config.PEs >= whole.PEs {
			return pes, best
		}
		x := Trial{Policy: p.Policy, MLPE: p.MLPE, Blocks: p.Blocks, Guards: p.Guards}
		if x, err := p.tryChoice(x, best.quiet); err == nil && x.Clocks < best.Clocks {
			pes, best = p.config.PEs, x
		}
	}
}

// bounded reports whether the length of trials is limited.
func (p *placer) bounded() bool { return p.Options.Placement == compile.Auto }

// openValues returns the values to choose from: the given one, or else all values.
func (p *placer) openValues(name string, values ...string) []string {
	if v, ok := p.spec.Params[name]; ok {
		return []string{v}
	}
	return values
}

// arguments sets the arguments of the trials.
func (p *placer) arguments() error {
	t, err := p.target(&Trial{Policy: p.Policy, MLPE: p.MLPE, Blocks: p.Blocks, Guards: p.Guards})
	if err != nil {
		return err
	}
	p.ranges = t.Object.Args
	if len(p.spec.Args) > 0 {
		err := t.readArgs(p.pes, p.spec.Args)
		p.Args = t.Args
		return err
	}
	for _, a := range p.ranges {
		p.Args = append(p.Args, a.Max)
	}
	return nil
}

// first tries the default, with smaller arguments if it takes too long, and reports whether other choices may be
// better.
func (p *placer) first() bool {
	for {
		x, err := p.tryChoice(Trial{Policy: p.Policy, MLPE: p.MLPE, Blocks: p.Blocks, Guards: p.Guards},
			p.spec.MaxClocks)
		if errors.Is(err, errWork) && p.shrink() {
			continue
		}
		p.Tried = []Trial{x}
		var fault *emcr.Fault
		var limit *em4.ClockLimit
		return err == nil ||
			errors.As(err, &fault) && (fault.Kind() == emcr.SegmentOverflow || fault.Kind() == emcr.MIBOverflow) ||
			errors.As(err, &limit) && limit.What == "run"
	}
}

// shrink reduces the arguments towards the smallest ones, and reports whether it reduced any.
func (p *placer) shrink() (smaller bool) {
	for i, a := range p.ranges {
		if p.Args[i] > a.Min && p.bounded() {
			p.Args[i] -= max(1, (p.Args[i]-a.Min)/8)
			smaller = true
		}
	}
	p.Smaller = p.Smaller || smaller
	return smaller
}

// policies tries all open policies, with and without MLPE, and chooses the fastest.
func (p *placer) policies() {
	for _, mlpe := range p.openValues("mlpe", "off", "on") {
		for _, policy := range p.openValues("policy", programs.Policies()...) {
			if policy != p.Policy || mlpe != p.MLPE { // the default has been tried
				p.Tried = append(p.Tried,
					p.tryNext(p.Tried, Trial{Policy: policy, MLPE: mlpe, Blocks: p.Blocks, Guards: p.Guards}))
			}
		}
	}
	best := p.fastest(p.Tried)
	p.Policy, p.MLPE = best.Policy, best.MLPE
}

// tryCuts tries other block lengths and positions of guards.
func (p *placer) tryCuts() {
	values := map[string][]string{}
	for _, o := range compile.OptionList() {
		values[o.Name] = p.openValues(o.Name, o.Values...)
	}
	p.Cuts = []Trial{*p.fastest(p.Tried)}
	for _, guards := range values["guards"] {
		for _, blocks := range values["blocks"] {
			x := Trial{Policy: p.Policy, MLPE: p.MLPE, Blocks: compile.Blocks(blocks), Guards: compile.Guards(guards)}
			if x.Blocks != p.Blocks || x.Guards != p.Guards {
				p.Cuts = append(p.Cuts, p.tryNext(p.Cuts, x))
			}
		}
	}
	best := p.fastest(p.Cuts)
	p.Blocks, p.Guards = best.Blocks, best.Guards
}

// fastest returns the fastest trial. With smaller arguments it prefers the first trial, unless that is slower by more
// than the margin.
func (p *Placement) fastest(list []Trial) *Trial {
	first, least := &list[0], fewest(list)
	if p.Smaller && first.Fault == "" && 100*first.Clocks <= (100+margin)*least.Clocks {
		return first
	}
	return least
}

// fewest returns the trial with the fewest clocks.
func fewest(list []Trial) *Trial {
	least := &list[0]
	for i := range list {
		if x := &list[i]; x.Fault == "" && (least.Fault != "" || x.Clocks < least.Clocks) {
			least = x
		}
	}
	return least
}

// tryNext tries another choice, for at most as long as the best choice so far took.
func (p *placer) tryNext(before []Trial, x Trial) Trial {
	limit := p.spec.MaxClocks
	if least := fewest(before); least.Fault == "" {
		limit = least.quiet
	}
	x, _ = p.tryChoice(x, limit)
	return x
}

// tryChoice runs the program with a choice and returns the trial with its result.
func (p *placer) tryChoice(x Trial, limit uint64) (Trial, error) {
	err := p.runTrial(&x, limit)
	if err != nil {
		x.Fault = faultText(err)
	}
	return x, err
}

func (p *placer) runTrial(x *Trial, limit uint64) error {
	t, err := p.target(x)
	if err != nil {
		return err
	}
	if err := t.build(p.config); err != nil {
		return err
	}
	if err := t.SetArgs(p.Args); err != nil {
		return err
	}
	t.Share(p.spec.Threads)
	ctx := context.Background()
	if err := t.Boot(ctx, mostInit); err != nil {
		return err
	}
	b := New(t, Plan{Runs: 1, MaxClocks: limit})
	err = b.Begin()
	for err == nil && !b.Current.Ended() {
		err = b.Advance(ctx, b.Current.Clock()+countEvery)
		if err == nil && p.bounded() && b.Current.Result().Instructions > mostWork {
			err = errWork
		}
	}
	one, _ := b.EndRun(err)
	x.Totals, x.quiet = one.Totals, one.Stepped
	return err
}

// target compiles and assembles the program with a choice.
func (p *placer) target(x *Trial) (*Target, error) {
	text, err := compile.Compile(p.spec.Program, p.src, compile.Options{Blocks: x.Blocks, Guards: x.Guards})
	if err != nil {
		return nil, err
	}
	params := map[string]string{"policy": x.Policy, "mlpe": x.MLPE}
	maps.Copy(params, p.params)
	o, err := (&GoProgram{Name: p.spec.Program, Text: text, Params: params}).Assemble()
	return &Target{Name: p.spec.Program, Object: o, Seed: p.spec.Seed}, err
}
