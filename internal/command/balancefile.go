package command

import (
	"errors"
	"fmt"
	"strings"

	"emsim/balance"
	"emsim/internal/base/input"
	"emsim/internal/base/knob"
	"emsim/internal/base/tomlfile"
)

// flatFile is a TOML file without tables, whose values have been read.
type flatFile struct {
	tomlfile.File
	root *tomlfile.Node
}

// readFlat gives v, a pointer to a struct, the values of a file. Its errors have
// places.
func readFlat(flag, name string, v any, keys ...string) (*flatFile, error) {
	f, err := openFlat(flag, name, keys)
	if err == nil {
		f.Decode(v, f.root, keys...)
		err = f.Err()
	}
	return f, err
}

// openFlat reads a file.
func openFlat(flag, name string, keys []string) (*flatFile, error) {
	want := input.Want{What: "a TOML file", Kinds: []input.Kind{input.Text, input.TOML, input.Sweep}, Most: 1 << 16, Why: "a few keys are shorter"}
	text, err := want.Read(name)
	if err != nil {
		return nil, usagef("--%s: %w", flag, err)
	}
	f := &flatFile{File: tomlfile.File{Name: name, Text: text}}
	if f.root = f.Tree(); f.root != nil {
		if len(f.root.Keys) == 0 {
			return nil, usagef("%s: no keys; expected some of %s, as 'emsim balance compare --help' shows", name, strings.Join(keys, ", "))
		}
	}
	return f, f.Err()
}

// readConstants gives a comparison the numbers of a file.
func readConstants(name string, p *balance.Plan) error {
	f, err := openFlat("constants", name, knob.Keys(knob.Bind(balance.Knobs(), p)))
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

// settable says what --set changes.
func settable() string {
	d := balance.Default(false)
	text := "--set changes a number, as in --set interval=13.2 --set hold=20:\n"
	for _, r := range knob.Bind(balance.Knobs(), &d) {
		text += fmt.Sprintf("  %s=%s: %s\n    (%s)\n", r.Key, r.Text(), r.Doc, r.About())
	}
	return text
}

// errorAt returns an error about the value of a key; keys that the file leaves out
// have no place.
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

// readPolicy reads a scheme of one's own.
func readPolicy(name string) (balance.Rule, error) {
	r := balance.DefaultRule()
	f, err := readFlat("policy", name, &r, "name", "information", "trigger", "amount", "range", "probes", "threshold", "interval", "group")
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

// readWorkload reads a workload of one's own. What depends on the number of
// workers is checked later.
func readWorkload(name string, jobs []balance.Job) (balance.Workload, error) {
	w := ownWorkloadOf("own", name, jobs)
	w.Arrivals, w.Law, w.Load = balance.AtStart, balance.Uniform, 80
	f, err := readFlat("workload-file", name, &w, "name", "shape", "units", "spread", "one", "rest", "rounds", "slow", "of", "percent", "on", "off", "jitter",
		"arrivals", "load", "burst", "warmup", "law", "tail")
	if err != nil {
		return w, err
	}
	if err := checkName(w.Name); err != nil {
		return w, f.errorAt("name", err)
	}
	if f.root.Get("rounds") != nil && w.Shape != balance.Loop && w.Shape != balance.Mesh {
		return w, f.errorAt("rounds", fmt.Errorf("the shape %s has none; expected shape = %q or %q, or no such line", w.Shape, balance.Loop, balance.Mesh))
	}
	if w.Arrivals == balance.ByTrace && f.root.Get("load") == nil {
		w.Load = 0 // jobs come when the trace says
	}
	w.Work = 1 // the grain decides
	if err := w.Validate(1); err != nil {
		key, rest, _ := strings.Cut(err.Error(), ": ")
		key, _, _ = strings.Cut(key, ",")
		return w, f.errorAt(key, errors.New(rest))
	}
	return w, nil
}

// ownWorkloadOf returns a workload of one's own, with what a file leaves out.
func ownWorkloadOf(name, file string, jobs []balance.Job) balance.Workload {
	return balance.Workload{
		Name: name, Title: "of " + file, Shape: balance.Bag, Units: 80, Spread: 25, Rounds: 20, Of: 1, Percent: 100,
		Arrivals: balance.ByTrace, Law: balance.TraceLaw, Trace: jobs, Burst: 10, Warmup: 20, Tail: 2.5,
	}
}

// checkName refuses names that would disturb the tables.
func checkName(name string) error {
	if name == "" || len(name) > 24 || strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r == ',' || r == '"' || r > '~' }) {
		return fmt.Errorf("%q; expected 1 to 24 printable ASCII characters without commas and quotes", name)
	}
	return nil
}
