package verify

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"emsim/docs"
	"emsim/em4"
	"emsim/internal/base/knob"
	"emsim/internal/study/ensemble"
	"emsim/programs"
)

// UncertainKnob is a parameter that the paper does not give, with the values that are tried [docs/CALIBRATION.md].
type UncertainKnob struct {
	Key    string   // a knob of the machine, or "fib." and a parameter of the program
	Values []string // the values to try
	Why    string   // why it is uncertain
}

// UncertainKnobs003 lists the uncertain knobs for paper 003.
func UncertainKnobs003() []UncertainKnob {
	return []UncertainKnob{
		{"hop_clocks", []string{"1", "2", "3", "4", "5"}, "the paper gives no switch timing"},
		{"bank_clocks", []string{"2", "3", "4", "8"}, "nor how long a bank stays taken; 2 is one word a clock"},
		{"inject_clocks", []string{"1", "2", "3"}, "nor when a PE's own switch looks at a packet"},
		{"burst_refill", []string{"false", "true"}, "the FIFO is refilled when it has emptied: by how much?"},
		{
			"refill_blocks_intake",
			[]string{"false", "true"},
			"a packet arrives while the FIFO is refilled: does it wait?",
		},
		{"spill_interrupts", []string{"false", "true"}, "does a spill take the memory from a running block?"},
		{
			"match_clocks",
			[]string{"2", "3"},
			"one access reads or writes the partner; does reading the template's address take another?",
		},
		{"getseg_clocks", []string{"2", "3", "4"}, "how the free list of operand segments is kept"},
		{
			"mlpe_tie",
			[]string{"inclusive", "strict"},
			"the paper says smaller; equal loads decide where all PEs are idle",
		},
		{
			"load_counts_execution",
			[]string{"false", "true"},
			"figure 3 lists the buffers only: does the packet in execution count?",
		},
		{"fib.ring_first", []string{"out", "in"}, "which child goes to the PE in the same group?"},
		{"fib.ring_table", []string{"circuits", "next"}, "which PEs stand in the tables of the circuit policies?"},
		{"fib.line_first", []string{"near", "far"}, "which child goes to the next PE of the line?"},
		{"fib.line_path", []string{"hamilton", "numbered"}, "the path of the line"},
		{
			"fib.pe_number",
			[]string{"constant", "variable"},
			"the PE number is just read as a constant: from the code, or from memory?",
		},
		{
			"fib.table_order",
			[]string{"round", "numbered"},
			"increasing the member number, then the group number: first round within its own group?",
		},
		{"fib.mlpe_call", []string{"first", "second"}, "which of the two calls uses MLPE?"},
		{"fib.mlpe_for", []string{"all", "callers"}, "do children that call nothing use a prefetched segment?"},
		{
			"fib.mlpe_fill",
			[]string{"block", "register"},
			"does the segment that a search has found queue before it is in the prefetch register?",
		},
		{"fib.mlpe_start", []string{"filled", "empty"}, "is the prefetch register full at the start?"},
	}
}

// Value returns the value of a knob in a setup.
func (s Setup003) Value(key string) string {
	if name, ok := strings.CutPrefix(key, "fib."); ok {
		if v, ok := s.Params[name]; ok {
			return v
		}
		return defaultOf(name)
	}
	if key == "seed" {
		return strconv.FormatUint(s.Seed, 10)
	}
	row, ok := knob.Find(knob.Bind(em4.Knobs(), &s.Config), key)
	if !ok {
		return ""
	}
	return row.Text()
}

// defaultOf returns the default value of a parameter of fib.
func defaultOf(name string) string {
	o, err := programs.Assemble("fib", nil)
	if err != nil {
		return ""
	}
	return o.Chosen()[name]
}

// With returns a copy of the setup with one knob set to another value.
func (s Setup003) With(key, value string) (Setup003, error) {
	if name, ok := strings.CutPrefix(key, "fib."); ok {
		params := maps.Clone(s.Params)
		if params == nil {
			params = map[string]string{}
		}
		params[name] = value
		s.Params = params
		return s, nil
	}
	if key == "seed" {
		n, err := strconv.ParseUint(value, 10, 64)
		s.Seed = n
		return s, err
	}
	err := s.Config.Set(key, value)
	return s, err
}

// Sensed holds the rows of paper 003 with one knob at one value.
type Sensed struct {
	Knob   string `json:"knob"`
	Value  string `json:"value"`
	Chosen bool   `json:"chosen"` // the value that emsim publishes
	Rows   []Row  `json:"rows"`
}

// Sensitivity003 measures the rows that sensedClaims selects, as Run does. Each knob takes each of its values, with all
// others as published. Up to workers machines of all settings run at a time. Equal machines run only once; there are
// many, because most parameters of fib change only some of the policies. progress, if not nil, is called after each
// setting. If ctx ends, Sensitivity003 returns the complete settings and ctx's error.
func Sensitivity003(ctx context.Context, base Setup003, knobs []UncertainKnob, workers int,
	progress func(done, of int),
) ([]Sensed, error) {
	claims, err := sensedClaims()
	if err != nil {
		return nil, err
	}
	list, todo, equal := settings(base, knobs)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	lab := newLab003(ensemble.New(max(1, workers)), window003)
	benches := make([]*Bench003, len(list))
	errs := make([]error, len(list))
	var need []machine003
	for _, i := range todo {
		s, err := base.With(list[i].Knob, list[i].Value)
		if err != nil {
			return nil, err
		}
		s.Runs, s.Seeds = Runs003, seeds003
		benches[i] = &Bench003{s, lab}
		need = append(need, benches[i].machinesFor(claims)...)
	}
	lab.begin(ctx, need)
	done := 0
	for _, i := range todo {
		if list[i].Rows, errs[i] = benches[i].sense(ctx, claims); errs[i] != nil {
			errs[i] = fmt.Errorf("%s = %s: %w", list[i].Knob, list[i].Value, errs[i])
			continue
		}
		if done++; progress != nil {
			progress(done, len(todo))
		}
	}
	first := slices.IndexFunc(list, func(s Sensed) bool { return s.Chosen })
	for _, i := range equal {
		list[i].Rows, errs[i] = list[first].Rows, errs[first]
	}
	if ctx.Err() != nil {
		var whole []Sensed
		for i, err := range errs {
			if err == nil {
				whole = append(whole, list[i])
			}
		}
		return whole, ctx.Err()
	}
	return list, errors.Join(errs...)
}

// neverOut returns the rows that are inside their rule under every setting of docs/sensitivity.csv: their agreement
// could not fail.
var neverOut = sync.OnceValue(func() map[string]bool {
	lines, _ := Table(docs.Sensitivity) // a test checks that the file can be parsed
	all := map[string]bool{}
	for _, l := range lines[1:] {
		id, ok := l[3], l[7] == "true"
		before, seen := all[id]
		all[id] = ok && (before || !seen)
	}
	return all
})

// settings returns the list of all settings of the knobs. todo holds the indexes of the settings to measure, and equal
// the indexes of repetitions of the published setting.
func settings(base Setup003, knobs []UncertainKnob) (list []Sensed, todo, equal []int) {
	published := false
	for _, k := range knobs {
		for _, v := range k.Values {
			s := Sensed{Knob: k.Key, Value: v, Chosen: v == base.Value(k.Key)}
			if s.Chosen && published {
				equal = append(equal, len(list))
			} else {
				todo = append(todo, len(list))
			}
			published = published || s.Chosen
			list = append(list, s)
		}
	}
	return list, todo, equal
}

// sensedClaims returns the claims of the sensitivity table: numbers and outcomes of fib, and claims about a single run.
func sensedClaims() ([]Claim, error) {
	claims, err := Claims("003")
	return slices.DeleteFunc(claims, func(c Claim) bool {
		return c.Quantity == "relation" && len(runsOf(c)) > 1 || c.Quantity == "mips" ||
			strings.HasPrefix(c.Cond["source"], derived)
	}), err
}

// sense returns the rows of one setting.
func (b *Bench003) sense(ctx context.Context, claims []Claim) ([]Row, error) {
	var rows []Row
	for _, c := range claims {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		v, err := b.measure(ctx, c)
		if err != nil {
			// A setting under which the machine stops is also a result.
			word, odd := outcome003(nil, err)
			if odd != nil {
				return nil, fmt.Errorf("%s: %w", c.ID, err)
			}
			v = word
		}
		rows = append(rows, Compare(c, v))
	}
	return rows, nil
}
