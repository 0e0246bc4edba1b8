package compile

import (
	"errors"
	"slices"

	"emsim/em4"
	"emsim/programs"
)

// Aim is the run that a program's placement is chosen for.
type Aim struct {
	Machine em4.Config        // PEs 0: the prototype
	Args    []int64           // nil: the largest that the program takes
	Given   map[string]string // parameters that are not to be chosen: policy, mlpe, and the options

	// Measure runs a text on the machine, for placement measured.
	Measure func(text string, params map[string]string, args []int64) (clocks uint64, err error)
}

// Plan is the choice of a placement, and its reasons.
type Plan struct {
	Options
	Policy string
	MLPE   string
	Args   []int64 // that the trials ran with
	Tried  []Tried // policies and MLPE, the default first
	Cuts   []Tried // with these, other blocks and guards
	Best   Tried   // what was chosen
	Fault  string  // why there were no trials
	aim    Aim     // what it is for
	code   *trialCode
}

// Tried is the result of a trial.
type Tried struct {
	Policy, MLPE string
	Blocks       Blocks
	Guards       Guards
	Fault        string // why there is no result
	trialCounts
}

// margin is how much faster a choice must seem than the default, and MLPE than the
// best policy without it, in per cent, because a trial is coarse [chosen].
const margin = 4

// Decide chooses policy, MLPE, blocks and guards for a run, as far as they are not
// given. It runs the program's blocks on a coarse model of the machine.
func Decide(name string, src []byte, aim Aim) (*Plan, error) {
	if aim.Machine.PEs == 0 {
		aim.Machine = em4.Prototype80()
	}
	opt, _, err := Take(aim.Given)
	if err != nil {
		return nil, err
	}
	given, _ := opt.withDefaults()
	p := &Plan{Options: given, Policy: "ring", MLPE: "off", aim: aim}
	p.set(&p.Policy, "policy")
	p.set(&p.MLPE, "mlpe")
	c, err := lowered(name, src, given)
	if err != nil {
		return nil, err
	}
	r, err := newRoutes(aim.Machine)
	if err != nil {
		return nil, err
	}
	if p.code, err = newTrialCode(c); err == nil {
		err = p.size(r)
	}
	if err != nil {
		p.Fault = err.Error()
		return p, nil
	}
	p.place(r)
	p.cut(name, src, opt, r)
	return p, nil
}

// set takes a given value.
func (p *Plan) set(to *string, name string) {
	if v, ok := p.aim.Given[name]; ok {
		*to = v
	}
}

// size finds arguments with which a trial ends soon.
func (p *Plan) size(r *routes) error {
	ranges := p.code.c.entry.args
	for i, a := range ranges {
		v := a.max
		if i < len(p.aim.Args) {
			v = min(max(p.aim.Args[i], a.min), a.max)
		}
		p.Args = append(p.Args, v)
	}
	for {
		x := p.try(r, p.code, Tried{Policy: p.Policy, MLPE: "off"})
		switch x.Fault {
		case "", noSegments: // the other policies are still to be tried
			return nil
		case errSize.Error():
		default:
			return errors.New(x.Fault)
		}
		smaller := false
		for i, a := range ranges {
			if p.Args[i] > a.min {
				p.Args[i] -= max(1, (p.Args[i]-a.min)/8)
				smaller = true
			}
		}
		if !smaller {
			return errSize
		}
	}
}

const noSegments = "a PE runs out of operand segments"

// shakes is how often a trial runs with packets of which some are a clock late. Where
// calls go depends on single clocks, so that one run says little about the next
// one, and the mean of a few says more [chosen].
const shakes = 2

// try runs a trial, and then shaken ones.
func (p *Plan) try(r *routes, code *trialCode, x Tried) Tried {
	measured := p.Placement == Measured && p.aim.Measure != nil && x.Blocks != ""
	clocks, runs := uint64(0), uint64(0)
	for shake := range uint32(shakes + 1) {
		t := newTrial(code, r, x.Policy, x.MLPE != "off")
		t.shake = shake
		err := t.run(p.Args)
		if shake == 0 {
			x.trialCounts = t.count
		}
		if err == nil && measured {
			x.Clocks, err = p.measure(code, x)
		}
		switch {
		case err != nil:
			x.Fault = err.Error()
		case t.count.Segments > p.aim.Machine.Segments:
			x.Fault = noSegments
		}
		if x.Fault != "" || measured {
			return x
		}
		clocks, runs = clocks+t.count.Clocks, runs+1
	}
	x.Clocks = clocks / runs
	return x
}

// measure runs the program on the machine.
func (p *Plan) measure(code *trialCode, x Tried) (uint64, error) {
	text, err := Compile(code.c.name, code.c.src, code.c.opt)
	if err != nil {
		return 0, err
	}
	_, params, _ := Take(p.aim.Given)
	if params == nil {
		params = map[string]string{}
	}
	params["policy"], params["mlpe"] = x.Policy, x.MLPE
	return p.aim.Measure(text, params, p.Args)
}

// place tries policies, with and without MLPE.
func (p *Plan) place(r *routes) {
	policies, searches := programs.Policies(), []string{"off", "on"}
	if v, ok := p.aim.Given["policy"]; ok {
		policies = []string{v}
	}
	if v, ok := p.aim.Given["mlpe"]; ok {
		searches = []string{v}
	}
	for _, m := range searches {
		for _, policy := range policies {
			p.Tried = append(p.Tried, p.try(r, p.code, Tried{Policy: policy, MLPE: m, Blocks: p.Blocks, Guards: p.Guards}))
		}
	}
	p.Best = p.best(p.Tried)
	if without := p.best(p.Tried[:len(policies)]); p.Best.MLPE == "on" && p.near(without, p.Best) {
		p.Best = without
	}
	p.Policy, p.MLPE = p.Best.Policy, p.Best.MLPE
}

// fastest is the one with the fewest clocks.
func (p *Plan) fastest(list []Tried) Tried {
	least := list[0]
	for _, x := range list {
		if x.Fault == "" && (least.Fault != "" || x.Clocks < least.Clocks) {
			least = x
		}
	}
	return least
}

// best is the fastest, or the first if that is hardly slower.
func (p *Plan) best(list []Tried) Tried {
	least := p.fastest(list)
	if p.near(list[0], least) {
		return list[0]
	}
	return least
}

// near reports that a choice is hardly slower than a better one.
func (p *Plan) near(x, better Tried) bool {
	return x.Fault == "" && p.Placement != Measured && 100*x.Clocks <= (100+margin)*better.Clocks
}

// cut tries other lengths of blocks and places of guards.
func (p *Plan) cut(name string, src []byte, given Options, r *routes) {
	blocks, guards := []Blocks{Largest, Medium, Finest}, []Guards{Caller, Callee}
	if given.Blocks != "" {
		blocks = []Blocks{given.Blocks}
	}
	if given.Guards != "" {
		guards = []Guards{given.Guards}
	}
	for _, g := range guards {
		for _, b := range blocks {
			x := Tried{Policy: p.Policy, MLPE: p.MLPE, Blocks: b, Guards: g}
			if i := slices.IndexFunc(p.Tried, func(t Tried) bool { return t.Policy == x.Policy && t.MLPE == x.MLPE && t.Blocks == b && t.Guards == g }); i >= 0 {
				p.Cuts = append(p.Cuts, p.Tried[i])
				continue
			}
			c, err := lowered(name, src, Options{Blocks: b, Guards: g})
			if err != nil { // a function does not fit its segment
				continue
			}
			code, err := newTrialCode(c)
			if err != nil {
				continue
			}
			p.Cuts = append(p.Cuts, p.try(r, code, x))
		}
	}
	if len(p.Cuts) > 0 {
		p.Best = p.best(p.Cuts)
		p.Blocks, p.Guards = p.Best.Blocks, p.Best.Guards
	}
}
