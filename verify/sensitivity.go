package verify

import (
	"context"
	"fmt"
	"maps"
	"strconv"
	"strings"
	"sync"

	"emsim/em4"
	"emsim/programs"
)

// UncertainKnob is a parameter that the paper does not fix, with the values
// tried [docs/CALIBRATION.md].
type UncertainKnob struct {
	Key    string   // a knob of the machine, or "fib." and a parameter of the program
	Values []string // the range
	Why    string   // why it is uncertain
}

// UncertainKnobs003 lists them for paper 003.
func UncertainKnobs003() []UncertainKnob {
	return []UncertainKnob{
		{"hop_clocks", []string{"1", "2", "3", "4", "5", "6"}, "the paper gives no switch timing"},
		{"bank_clocks", []string{"2", "4", "6", "7", "8", "9", "10", "12"}, "nor how long a bank stays taken"},
		{"inject_clocks", []string{"1", "2", "3"}, "nor when the PE's switch looks at a packet"},
		{"burst_refill", []string{"false", "true"}, "the FIFO is refilled when it has emptied: by how much?"},
		{"refill_blocks_intake", []string{"false", "true"}, "a spill and a refill due at once: which first?"},
		{"spill_interrupts", []string{"false", "true"}, "does a spill take the memory from a running block?"},
		{"fib.choice", []string{"late", "early"}, "is the PE chosen after or in parallel with the test for n <= 2?"},
		{"fib.grain", []string{"medium", "chain", "fine"}, "how the argument's subtraction is cut into blocks"},
		{"fib.ring_first", []string{"in", "out"}, "which child goes to the PE in the same group?"},
		{"fib.ring_table", []string{"next", "circuits"}, "which PEs are in the tables of the circuit policies?"},
		{"fib.line_path", []string{"hamilton", "numbered"}, "the path of the line"},
		{"fib.mlpe_call", []string{"second", "first"}, "which of the two calls uses MLPE?"},
		{"fib.mlpe_start", []string{"filled", "empty"}, "is the prefetch register full at the start?"},
		{"seed", []string{"1", "2", "3", "4", "5", "6", "7", "8"}, "the random sequence"},
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
	for _, k := range em4.Knobs() {
		if k.Key == key {
			switch v := k.Ref(&s.Config).(type) {
			case *int:
				return strconv.Itoa(*v)
			case *bool:
				return strconv.FormatBool(*v)
			case *string:
				return *v
			}
		}
	}
	return ""
}

// defaultOf returns the default of one of fib's parameters.
func defaultOf(name string) string {
	o, err := programs.Assemble("fib", nil)
	if err != nil {
		return ""
	}
	for _, p := range o.Params {
		if p.Name == name {
			return p.Chosen()
		}
	}
	return ""
}

// With returns the setup with one knob set to another value.
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

// Sensed is every row of paper 003 with one knob at one value.
type Sensed struct {
	Knob   string `json:"knob"`
	Value  string `json:"value"`
	Chosen bool   `json:"chosen"` // the value that emsim publishes
	Rows   []Row  `json:"rows"`
}

// Sensitivity003 measures the numeric rows and outcomes of paper 003 with each
// knob at each of its values, all others as published. workers setups are
// measured at a time; progress, if not nil, is called after each one. If ctx
// ends, the completed settings are returned with the error.
func Sensitivity003(ctx context.Context, base Setup003, knobs []UncertainKnob, workers int, progress func(done, of int)) ([]Sensed, error) {
	claims, err := Claims("003")
	if err != nil {
		return nil, err
	}
	var list []Sensed
	for _, k := range knobs {
		for _, v := range k.Values {
			list = append(list, Sensed{Knob: k.Key, Value: v, Chosen: v == base.Value(k.Key)})
		}
	}
	errs := make([]error, len(list))
	jobs := make(chan int)
	var wg sync.WaitGroup
	var mu sync.Mutex
	done := 0
	for range max(1, workers) {
		wg.Go(func() {
			for i := range jobs {
				list[i].Rows, errs[i] = sense(ctx, base, list[i].Knob, list[i].Value, claims)
				if errs[i] != nil {
					continue
				}
				mu.Lock()
				done++
				if progress != nil {
					progress(done, len(list))
				}
				mu.Unlock()
			}
		})
	}
	for i := range list {
		jobs <- i
	}
	close(jobs)
	wg.Wait()
	if ctx.Err() != nil {
		var whole []Sensed
		for i, err := range errs {
			if err == nil {
				whole = append(whole, list[i])
			}
		}
		return whole, ctx.Err()
	}
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return list, nil
}

func sense(ctx context.Context, base Setup003, key, value string, claims []Claim) ([]Row, error) {
	s, err := base.With(key, value)
	if err != nil {
		return nil, err
	}
	b := newBench003(s)
	var rows []Row
	for _, c := range claims {
		if c.Quantity == "relation" {
			continue
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		v, err := b.measure(ctx, c)
		if err != nil {
			// A setting with which the machine stops is a result too.
			word, odd := outcome003(err)
			if odd != nil {
				return nil, fmt.Errorf("%s = %s: %s: %w", key, value, c.ID, err)
			}
			v = Text(word)
		}
		rows = append(rows, Compare(c, v))
	}
	return rows, nil
}
