package machines

import (
	"emsim/balance"
	"emsim/internal/base/knob"
	"emsim/internal/base/lists"
	"emsim/internal/base/suggest"
)

// GroundSetup describes one run, as the flags of 'emsim balance run' do.
type GroundSetup struct {
	Policy   string            // name of a policy, used if Own is nil
	Own      *balance.Policy   // a user's own policy, or nil
	Workload string            // name of a workload, used if OwnWork is nil
	OwnWork  *balance.Workload // a user's own workload, or nil
	Workers  int
	Grain    int     // work of a unit over the CPU time of moving it
	Load     float64 // load of an open workload, as a share of the workers' capacity; 0 means the workload's own
	Seed     uint64
	Parallel balance.Parallel // treatment of jobs that need several processors in a file of arrivals
	Jobs     []balance.Job    // the jobs of that file
	LeftOut  []balance.Omission

	plan balance.Plan // only its numbers for the network and the policies are used
}

// DefaultGround returns a setup with random stealing at workers of unequal speed, on the smallest machine of the
// comparison.
func DefaultGround() GroundSetup {
	return GroundSetup{
		plan: balance.Default(false), Policy: "stealing", Workload: balance.Workloads()[0].Name,
		Workers: 16, Grain: 30, Seed: 1,
	}
}

// allWorkloads returns the workloads of the comparison and the open workloads.
func allWorkloads() []balance.Workload {
	return append(balance.Workloads(), balance.OpenWorkloads()...)
}

// groundKnobs returns the knobs of a run, then the knobs of the network and the policies.
func groundKnobs() []knob.Knob[GroundSetup] {
	list := []knob.Knob[GroundSetup]{
		{
			Key: "policy", Flag: "policy", Values: lists.Of(balance.Policies(),
				func(s balance.Policy) string { return s.Name }), Source: "chosen", Doc: "the balancing policy",
			Ref: func(s *GroundSetup) any { return &s.Policy },
		},
		{
			Key: "workload", Flag: "workload",
			Values: lists.Of(allWorkloads(), func(l balance.Workload) string { return l.Name }), Source: "chosen",
			Doc: "the work that there is to do", Ref: func(s *GroundSetup) any { return &s.Workload },
		},
		{
			Key: "workers", Flag: "workers", Unit: "workers", Min: 1, Max: balance.MaxWorkers, Source: "chosen",
			Doc: "number of workers", Ref: func(s *GroundSetup) any { return &s.Workers },
		},
		{
			Key: "grain", Flag: "grain", Min: 1, Max: mostGrain, Source: "chosen",
			Doc: "work of a unit over the CPU time of moving it", Ref: func(s *GroundSetup) any { return &s.Grain },
		},
		{
			Key: "load", Flag: "load", Real: knob.Interval{High: 100}, Zero: "as the workload says, 0.8",
			Source: "chosen",
			Doc:    "open workloads: the arriving work over the workers' capacity",
			Ref:    func(s *GroundSetup) any { return &s.Load },
		},
		{
			Key: "seed", Flag: "seed", Source: "chosen", Doc: "seed of work, arrivals and policies",
			Ref: func(s *GroundSetup) any { return &s.Seed },
		},
		{
			Key: "parallel", Flag: "parallel", Values: []string{"refuse", string(balance.Split), string(balance.First)},
			Source: "chosen", Doc: "what becomes of jobs of several processors in --arrivals: they are refused, " +
				"split into units that arrive together, or left out", Ref: func(s *GroundSetup) any {
				return knob.Word{Is: func() string {
					if s.Parallel == balance.Refused {
						return "refuse"
					}
					return string(s.Parallel)
				}, Parse: func(name string) error {
					if s.Parallel = balance.Parallel(name); name == "refuse" {
						s.Parallel = balance.Refused
					}
					return nil
				}}
			},
		},
	}
	for _, k := range balance.Knobs() {
		list = append(list, knob.Knob[GroundSetup]{
			Key: k.Key, Unit: k.Unit, Min: k.Min, Max: k.Max, Real: k.Real,
			Source: k.Source, Doc: k.Doc, Ref: func(s *GroundSetup) any { return k.Ref(&s.plan) },
		})
	}
	return list
}

// mostGrain is the largest grain [chosen].
const mostGrain = 1_000_000

// policy returns the policy of the run.
func (s *GroundSetup) policy() (balance.Policy, error) {
	if s.Own != nil {
		return *s.Own, nil
	}
	found, ok := balance.FindPolicy(s.Policy)
	if !ok {
		return found, knob.Errorf("policy", "there is no policy %q%s", s.Policy,
			suggest.DidYouMean(s.Policy, lists.Of(balance.Policies(), func(s balance.Policy) string { return s.Name })))
	}
	return found, nil
}

// work returns the workload of the run.
func (s *GroundSetup) work() (balance.Workload, error) {
	if s.OwnWork != nil {
		return *s.OwnWork, nil
	}
	found, ok := lists.Find(allWorkloads(), func(l balance.Workload) bool { return l.Name == s.Workload })
	if !ok {
		return found, knob.Errorf("workload", "there is no workload %q%s", s.Workload,
			suggest.DidYouMean(s.Workload, lists.Of(allWorkloads(), func(l balance.Workload) string { return l.Name })))
	}
	return found, nil
}

// Build returns the setup of the model. Its error says which value is wrong.
func (s *GroundSetup) Build() (balance.Setup, error) {
	policy, err := s.policy()
	if err != nil {
		return balance.Setup{}, err
	}
	l, err := s.work()
	if err != nil {
		return balance.Setup{}, err
	}
	if s.Load > 0 {
		if l.Arrivals == "" || l.Arrivals == balance.AtStart {
			return balance.Setup{}, knob.Errorf("load",
				"%s is not an open workload, so it has no load; expected one that is, such as poisson", l.Name)
		}
		l.Load = float64(100 * s.Load)
	}
	if s.Parallel != balance.Refused && s.Jobs == nil {
		return balance.Setup{}, knob.Errorf("parallel",
			"it has no effect without --arrivals FILE: it chooses what becomes of the jobs in that file")
	}
	l.Work = int64(s.Grain) * max(1, s.plan.Fabric.Move())
	if err := l.Validate(s.Workers); err != nil {
		return balance.Setup{}, err
	}
	if policy.Only != "" && policy.Only != string(l.Shape) {
		return balance.Setup{}, knob.Errorf("policy", "%s is defined for workloads of the shape %s only", policy.Name,
			policy.Only)
	}
	return balance.Setup{
		Policy: policy, Workload: l, Fabric: s.plan.Fabric, Workers: s.Workers, Seed: s.Seed,
		Numbers: s.plan.Numbers,
	}, nil
}
