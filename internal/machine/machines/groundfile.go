package machines

import (
	"errors"
	"fmt"
	"strings"

	"emsim/balance"
	"emsim/internal/base/input"
	"emsim/internal/base/knob"
	"emsim/internal/base/simerr"
	"emsim/internal/base/tomlfile"
)

// flatFile is a parsed TOML file without tables.
type flatFile struct {
	tomlfile.File
	root *tomlfile.Node
}

// GroundFile describes the TOML files of policies, workloads and numbers.
var GroundFile = input.Want{
	What: "a TOML file", Kinds: []input.Kind{input.Text, input.TOML, input.Sweep},
	Most: 1 << 16, Why: "a few keys are shorter",
}

// readFlat sets the struct that v points to from a file. Its errors have places.
func readFlat(name string, text []byte, v any, keys ...string) (*flatFile, error) {
	f, err := openFlat(name, text, keys)
	if err == nil {
		f.Decode(v, f.root, keys...)
		err = f.Err()
	}
	return f, err
}

// openFlat parses a file, and rejects one without keys; the error lists keys as the expected ones.
func openFlat(name string, text []byte, keys []string) (*flatFile, error) {
	f := &flatFile{File: tomlfile.File{Name: name, Text: text}}
	if f.root = f.Tree(); f.root != nil && len(f.root.Keys) == 0 {
		return nil, simerr.Usagef("%s: no keys; expected some of %s, as 'emsim balance compare --help' shows", name,
			strings.Join(keys, ", "))
	}
	return f, f.Err()
}

// ReadConstants sets a plan's numbers for the network and the policies from a file.
func ReadConstants(name string, text []byte, p *balance.Plan) error {
	f, err := openFlat(name, text, knob.Keys(knob.Bind(balance.Knobs(), p)))
	if err != nil {
		return err
	}
	for _, e := range f.root.Keys {
		err := knob.Set(balance.Knobs(), p, e.Name, fmt.Sprint(f.root.Get(e.Name).Value))
		if row, ok := knob.Find(knob.Bind(balance.Knobs(), p), e.Name); err == nil && ok {
			err = row.Check()
		}
		if err != nil {
			f.Failf(tomlfile.Point(e.At), "%v", err)
		}
	}
	return f.Err()
}

// errorAt returns an error about the value of a key. The error has no place if the file lacks the key.
func (f *flatFile) errorAt(key string, err error) error {
	for _, e := range f.root.Keys {
		if e.Name == key {
			f.Failf(tomlfile.Point(e.At), "%s: %v", key, err)
			return f.Err()
		}
	}
	f.Failf(tomlfile.Range{}, "%s: %v", key, err)
	return f.Err()
}

// ReadPolicy reads a user's own policy.
func ReadPolicy(name string, text []byte) (balance.Rule, error) {
	r := balance.DefaultRule()
	f, err := readFlat(name, text, &r, "name", "information", "trigger", "amount", "range", "probes", "threshold",
		"interval", "group")
	if err != nil {
		return r, err
	}
	if err := checkName(r.Name); err != nil {
		return r, f.errorAt("name", err)
	}
	if key, err := r.Validate(); err != nil {
		return r, f.errorAt(key, err)
	}
	return r, nil
}

// ReadWorkload reads a user's own workload, which may use jobs. It does not check values that depend on the number of
// workers.
func ReadWorkload(name string, text []byte, jobs []balance.Job) (balance.Workload, error) {
	w := WorkloadOf("own", name, jobs)
	w.Arrivals, w.Law, w.Load = balance.AtStart, balance.Uniform, 80
	f, err := readFlat(name, text, &w, "name", "shape", "units", "spread", "one", "rest", "rounds", "slow", "of",
		"percent", "on", "off", "jitter",
		"arrivals", "load", "burst", "warmup", "law", "tail")
	if err != nil {
		return w, err
	}
	if err := checkName(w.Name); err != nil {
		return w, f.errorAt("name", err)
	}
	if f.root.Get("rounds") != nil && w.Shape != balance.Loop && w.Shape != balance.Mesh {
		return w, f.errorAt("rounds", fmt.Errorf("the shape %s has no rounds; expected shape = %q or %q, or no "+
			"such line",
			w.Shape, balance.Loop, balance.Mesh))
	}
	if w.Arrivals == balance.ByTrace && f.root.Get("load") == nil {
		w.Load = 0 // the trace says when jobs arrive
	}
	w.Work = 1 // the grain determines the work
	if err := w.Validate(1); err != nil {
		key, rest, _ := strings.Cut(err.Error(), ": ")
		key, _, _ = strings.Cut(key, ",")
		return w, f.errorAt(key, errors.New(rest))
	}
	return w, nil
}

// WorkloadOf returns the workload of a file of jobs: the jobs, and the default of every other key.
func WorkloadOf(name, file string, jobs []balance.Job) balance.Workload {
	return balance.Workload{
		Name: name, Title: "of " + file, Shape: balance.Bag, Units: 80, Spread: 25, Rounds: 20, Of: 1, Percent: 100,
		Arrivals: balance.ByTrace, Law: balance.TraceLaw, Trace: jobs, Burst: 10, Warmup: 20, Tail: 2.5,
	}
}

// checkName rejects names that would break the tables.
func checkName(name string) error {
	if name == "" || len(name) > 24 || strings.ContainsFunc(name,
		func(r rune) bool { return r < ' ' || r == ',' || r == '"' || r > '~' }) {
		return fmt.Errorf("%q; expected 1 to 24 printable ASCII characters without commas and quotes", name)
	}
	return nil
}
