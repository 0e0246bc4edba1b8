package mnc

import (
	"slices"
	"strconv"
	"strings"

	"emsim/internal/base/knob"
)

// Setup is a machine as flags and files describe it: a Config whose wiring has
// a name and a size, and whose speeds and events are written as text.
type Setup struct {
	Config            // Slow, Events and, if it has no PEs, Wiring are derived from the fields below
	PEs      int      // 1 to MaxPEs
	Topology string   // "mnc" or "net16"
	Speeds   []string // PE=PERCENT, FROM-TO=PERCENT, odd=PERCENT or even=PERCENT
	SlowAt   []string // CLOCK:PE:PERCENT
	DeadAt   []string // CLOCK:PE
}

// DefaultSetup returns the machine of Default with 16 PEs.
func DefaultSetup() Setup { return Setup{Config: Default(Incidence{}), PEs: 16, Topology: "mnc"} }

// Build returns the checked configuration, with its own wiring or else the named topology. The error says which text
// is wrong, or comes from Topology or Config.Validate.
func (s *Setup) Build() (Config, error) {
	c := s.Config
	var err error
	if c.Wiring.PEs == 0 {
		if c.Wiring, err = Topology(s.Topology, s.PEs); err != nil {
			return Config{}, err
		}
	}
	if c.Slow, err = s.speeds(c.Wiring.PEs); err != nil {
		return c, err
	}
	if c.Events, err = s.events(); err != nil {
		return c, err
	}
	return c, c.Validate()
}

// Knob documents one parameter of a Setup.
type Knob = knob.Knob[Setup]

// abilities is the range of a limit of PA.
var abilities = knob.Interval{Low: 1. / One, High: maxAbility / One}

// Knobs lists the parameters: machine, work, balancing, times.
func Knobs() []Knob {
	return []Knob{
		{
			Key: "pes", Flag: "pes", Unit: "PEs", Min: 1, Max: MaxPEs, Source: "[000 §5]",
			Doc: "number of PEs", Ref: func(s *Setup) any { return &s.PEs },
		},
		{
			Key: "topology", Flag: "topology", Values: []string{"mnc", "net16"}, Source: "[000]",
			Doc: "wiring: mnc, or net16 with source QPR26 and sink QPR38",
			Ref: func(s *Setup) any { return &s.Topology },
		},
		{
			Key: "items", Flag: "items", Unit: "data", Max: maxItems, Source: "[000 §5]",
			Doc: "number of data X to process", Ref: func(s *Setup) any { return &s.Items },
		},
		{
			Key: "loops", Flag: "loops", Unit: "iterations", Max: maxLoops, Source: "[000 §5]: 100 and 1000",
			Doc: "iterations of f() for each datum", Ref: func(s *Setup) any { return &s.Loops },
		},
		{
			Key: "policy", Flag: "policy", Values: knob.Words(Auto, Naive, None),
			Source: "[000]; naive and none chosen",
			Doc:    "auto: each PE gets a load in proportion to its ability; naive: equal shares; none: no XPUT",
			Ref:    func(s *Setup) any { return (*string)(&s.Policy) },
		},
		{
			Key: "form", Flag: "form", Values: knob.Words(FormL, FormS, FormW, FormN),
			Source: "chosen, see 'emsim docs MNC'",
			Doc:    "which reading of equation (2) is used", Ref: func(s *Setup) any { return (*string)(&s.Form) },
		},
		{
			Key: "slow", Flag: "slow", Source: "[000 §5]", Zero: "every PE takes the nominal time",
			Doc: "time of f() in per cent of the nominal time, as `PE=PERCENT`, FROM-TO=PERCENT, " +
				"odd=PERCENT or even=PERCENT; repeatable",
			Ref: func(s *Setup) any { return &s.Speeds },
		},
		{
			Key: "slow_at", Flag: "slow-at", Source: "[000 §5]", Zero: "none",
			Doc: "`CLOCK:PE:PERCENT`: a PE changes speed at that clock; repeatable",
			Ref: func(s *Setup) any { return &s.SlowAt },
		},
		{
			Key: "dead_at", Flag: "dead-at", Source: "[000 §5]", Zero: "none",
			Doc: "`CLOCK:PE`: a PE dies at that clock; repeatable", Ref: func(s *Setup) any { return &s.DeadAt },
		},

		{
			Key: "slots", Flag: "slots", Unit: "data", Min: 1, Max: MaxSlots, Source: "chosen",
			Doc: "number of data a ring can hold", Ref: func(s *Setup) any { return &s.Slots },
		},
		{
			Key: "batch", Flag: "batch", Unit: "data", Min: 1, Max: maxBatch, Source: "chosen: one full ring",
			Doc: "largest number of data one action moves", Ref: func(s *Setup) any { return &s.Batch },
		},
		{
			Key: "xcap", Flag: "xcap", Unit: "data", Min: 1, Max: maxStore, Source: "chosen",
			Doc: "number of X a PE can hold", Ref: func(s *Setup) any { return &s.XCap },
		},
		{
			Key: "ycap", Flag: "ycap", Unit: "data", Min: 1, Max: maxStore, Source: "chosen",
			Doc: "number of Y a PE can hold", Ref: func(s *Setup) any { return &s.YCap },
		},
		{
			Key: "slice", Flag: "slice", Unit: "clocks", Min: 1, Max: maxSpan, Source: "chosen: 4 light data",
			Doc: "clocks of f() that one PROC aims for", Ref: func(s *Setup) any { return &s.Slice },
		},
		{
			Key: "keep_clk", Flag: "keep-clk", Unit: "clocks", Max: maxSpan, Source: "chosen: one slice",
			Doc: "clocks of work that XPUT leaves to its own PE", Ref: func(s *Setup) any { return &s.KeepClk },
		},
		{
			Key: "restraint", Flag: "restraint", Values: knob.Words(ByPolicy, Restrains, Unbound),
			Source: "[000 §5]; how: chosen",
			Doc: "whether a PE keeps work back, which restrains transfers of light data: " +
				"as the policy says (auto: yes, naive: no), on or off",
			Ref: func(s *Setup) any { return (*string)(&s.Restraint) },
		},
		{
			Key: "t_pa", Flag: "t-pa", Unit: "clocks", Min: 1, Max: maxSpan, Source: "chosen",
			Doc: "t_pa of equation (3)", Ref: func(s *Setup) any { return &s.AbilityInterval },
		},
		{
			Key: "g_pa", Flag: "g-pa", Real: knob.Interval{High: maxAbility / One}, Source: "chosen",
			Doc: "G_pa of equation (3), in steps of 1/65536",
			Ref: func(s *Setup) any { return knob.Fixed{P: &s.AbilityGain, One: One} },
		},
		{
			Key: "guard", Flag: "guard", Unit: "actions", Max: maxGuard, Zero: "off", Source: "chosen",
			Doc: "a PE that could process does so after this number of other actions in a row; ends livelocks",
			Ref: func(s *Setup) any { return &s.Guard },
		},
		{
			Key: "pa_min", Flag: "pa-min", Real: abilities, Source: "chosen",
			Doc: "smallest PA, in steps of 1/65536",
			Ref: func(s *Setup) any { return knob.Fixed{P: &s.AbilityMin, One: One} },
		},
		{
			Key: "pa_max", Flag: "pa-max", Real: abilities, Source: "chosen",
			Doc: "largest PA, in steps of 1/65536",
			Ref: func(s *Setup) any { return knob.Fixed{P: &s.AbilityMax, One: One} },
		},
		{
			Key: "stall", Flag: "stall", Unit: "clocks", Max: maxClocks,
			Zero: "4000000, or 100 of the longest actions if that is more", Source: "chosen",
			Doc: "the run ends after this many clocks without a Y", Ref: func(s *Setup) any { return &s.Stall },
		},

		{
			Key: "cost_loop", Flag: "cost-loop", Unit: "clocks", Max: maxLoopCost, Source: "chosen",
			Doc: "one iteration of f(): add, compare, taken branch", Ref: func(s *Setup) any { return &s.Cost.Loop },
		},
		{
			Key: "cost_qpr_word", Flag: "cost-qpr-word", Unit: "clocks", Min: 1, Max: maxCost, Source: "chosen",
			Doc: "one word to or from a QPR, or one retry after BUSY",
			Ref: func(s *Setup) any { return &s.Cost.QPRWord },
		},
		{
			Key: "cost_local_word", Flag: "cost-local-word", Unit: "clocks", Max: maxCost, Source: "chosen",
			Doc: "one word to or from local memory", Ref: func(s *Setup) any { return &s.Cost.LocalWord },
		},
		{
			Key: "cost_datum", Flag: "cost-datum", Unit: "clocks", Max: maxCost, Source: "chosen",
			Doc: "each datum copied, in addition to its words", Ref: func(s *Setup) any { return &s.Cost.Datum },
		},
		{
			Key: "cost_ring", Flag: "cost-ring", Unit: "clocks", Max: maxCost, Source: "chosen",
			Doc: "each ring touched", Ref: func(s *Setup) any { return &s.Cost.Ring },
		},
		{
			Key: "cost_iteration", Flag: "cost-iteration", Unit: "clocks", Max: maxCost, Source: "chosen",
			Doc: "each sense-plan-act iteration", Ref: func(s *Setup) any { return &s.Cost.Iteration },
		},
		{
			Key: "cost_neighbour", Flag: "cost-neighbour", Unit: "clocks", Max: maxCost, Source: "chosen",
			Doc: "planning, for each neighbour", Ref: func(s *Setup) any { return &s.Cost.Neighbour },
		},
		{
			Key: "cost_pa", Flag: "cost-pa", Unit: "clocks", Max: maxCost, Source: "chosen",
			Doc: "updating PA, for each neighbour", Ref: func(s *Setup) any { return &s.Cost.AbilityEntry },
		},
		{
			Key: "idle", Flag: "idle", Unit: "clocks", Max: maxCost, Source: "chosen",
			Doc: "first wait when there is nothing to do; each further wait is twice as long, up to idle_max",
			Ref: func(s *Setup) any { return &s.Cost.Idle },
		},
		{
			Key: "idle_max", Flag: "idle-max", Unit: "clocks", Max: maxCost, Source: "chosen",
			Doc: "longest wait when there is nothing to do", Ref: func(s *Setup) any { return &s.Cost.IdleMax },
		},
	}
}

// speeds parses Speeds; a later entry overrides an earlier one.
func (s *Setup) speeds(pes int) ([]int64, error) {
	if len(s.Speeds) == 0 {
		return nil, nil
	}
	list := slices.Repeat([]int64{100}, pes)
	for _, entry := range s.Speeds {
		who, value, ok := strings.Cut(entry, "=")
		percent, err := strconv.ParseInt(value, 10, 64)
		if !ok || err != nil {
			return nil, knob.Errorf("slow",
				"%q: expected PE=PERCENT, FROM-TO=PERCENT, odd=PERCENT or even=PERCENT, as in 5=400", entry)
		}
		from, to, step := 0, pes-1, 2
		switch who {
		case "even":
		case "odd":
			from = 1
		default:
			step = 1
			if from, to, err = peRange(who); err != nil || from < 0 || to >= pes || from > to {
				return nil, knob.Errorf("slow", "%q: expected PEs from 0 to %d", entry, pes-1)
			}
		}
		for i := from; i <= to; i += step {
			list[i] = percent
		}
	}
	return list, nil
}

func peRange(s string) (from, to int, err error) {
	first, last, isRange := strings.Cut(s, "-")
	if from, err = strconv.Atoi(first); err != nil || !isRange {
		return from, from, err
	}
	to, err = strconv.Atoi(last)
	return from, to, err
}

// events parses SlowAt and DeadAt.
func (s *Setup) events() ([]Event, error) {
	var list []Event
	for _, text := range s.SlowAt {
		v, ok := colonNumbers(text, 3)
		if !ok {
			return nil, knob.Errorf("slow_at", "%q: expected CLOCK:PE:PERCENT, as in 5000000:5:1000", text)
		}
		list = append(list, SlowAt(v[0], int(v[1]), v[2]))
	}
	for _, text := range s.DeadAt {
		v, ok := colonNumbers(text, 2)
		if !ok {
			return nil, knob.Errorf("dead_at", "%q: expected CLOCK:PE, as in 5000000:5", text)
		}
		list = append(list, DeadAt(v[0], int(v[1])))
	}
	return list, nil
}

func colonNumbers(s string, n int) ([]int64, bool) {
	parts := strings.Split(s, ":")
	v := make([]int64, len(parts))
	for i, p := range parts {
		var err error
		if v[i], err = strconv.ParseInt(p, 10, 64); err != nil {
			return nil, false
		}
	}
	return v, len(parts) == n
}
