package command

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"emsim/balance"
	"emsim/internal/base/input"
	"emsim/internal/base/simerr"
	"emsim/internal/base/srcerr"
	"emsim/internal/base/suggest"
)

// flatFile is a TOML file without tables, with the places of its keys.
type flatFile struct {
	name   string
	text   []byte
	places map[string][2]int // line, column
}

// readFlat reads a file whose keys are all known. Its errors have places.
func readFlat(flag, name string, known []string) (*flatFile, error) {
	want := input.Want{What: "a TOML file", Kinds: []input.Kind{input.Text, input.TOML, input.Sweep}, Most: 1 << 16, Why: "a few keys are shorter"}
	text, err := want.Read(name)
	if err != nil {
		return nil, usagef("--%s: %w", flag, err)
	}
	f := &flatFile{name: name, text: text, places: map[string][2]int{}}
	// For a struct without fields every key is unknown, and the decoder reports
	// its place.
	err = toml.NewDecoder(bytes.NewReader(text)).DisallowUnknownFields().Decode(&struct{}{})
	var all *toml.StrictMissingError
	if err != nil && !errors.As(err, &all) {
		return nil, f.wrong(err)
	}
	var errs srcerr.Errors
	if all != nil {
		for i := range all.Errors {
			e := &all.Errors[i]
			key := strings.Join(e.Key(), ".")
			line, column := e.Position()
			f.places[key] = [2]int{line, column}
			if !slices.Contains(known, key) && len(errs) < srcerr.Most {
				errs = append(errs, srcerr.AtLine(name, text, line, column, fmt.Sprintf("there is no key %q; expected %s%s", key, strings.Join(known, ", "), suggest.DidYouMean(key, known))))
			}
		}
	}
	switch {
	case errs != nil:
		return nil, &simerr.Usage{Err: errs.First()}
	case len(f.places) == 0:
		return nil, usagef("%s: no keys; expected some of %s, as 'emsim balance compare --help' shows", name, strings.Join(known, ", "))
	}
	return f, nil
}

// wrongType finds a value of a wrong type in the decoder's error.
var wrongType = regexp.MustCompile(`cannot decode TOML (\w+) into .*of type (\S+)$`)

// typeWords say what a key of a Go type expects.
var typeWords = map[string]string{
	"int": "a whole number", "int64": "a whole number", "float64": "a number", "string": "a text in quotes",
	"bool": "true or false", "[]int": "a list of whole numbers",
}

// wrong is the error for a text that is not TOML, or a value of a wrong type.
func (f *flatFile) wrong(err error) error {
	line, column := 0, 0
	var d *toml.DecodeError
	if errors.As(err, &d) {
		line, column = d.Position()
	}
	message := strings.TrimPrefix(err.Error(), "toml: ")
	if m := wrongType.FindStringSubmatch(message); m != nil && typeWords[m[2]] != "" {
		message = fmt.Sprintf("expected %s, not a TOML %s", typeWords[m[2]], m[1])
	}
	return &simerr.Usage{Err: srcerr.Errors{srcerr.AtLine(f.name, f.text, line, column, message)}}
}

// at is an error about the value of a key; keys that the file leaves out have
// no place.
func (f *flatFile) at(key string, err error) error {
	p := f.places[key]
	return &simerr.Usage{Err: srcerr.Errors{srcerr.AtLine(f.name, f.text, p[0], p[1], key+": "+err.Error())}}
}

// decode reads the values.
func (f *flatFile) decode(v any) error {
	if err := toml.Unmarshal(f.text, v); err != nil {
		return f.wrong(err)
	}
	return nil
}

// readPolicy reads a scheme of one's own.
func readPolicy(name string) (balance.Rule, error) {
	r := balance.DefaultRule()
	f, err := readFlat("policy", name, []string{"name", "information", "trigger", "amount", "range", "probes", "threshold", "interval", "group"})
	if err != nil {
		return r, err
	}
	if err := f.decode(&r); err != nil {
		return r, err
	}
	if err := checkName(r.Name); err != nil {
		return r, f.at("name", err)
	}
	if key, err := r.Validate(); err != nil {
		return r, f.at(key, err)
	}
	return r, nil
}

// readWorkload reads a workload of one's own. What depends on the number of
// workers is checked later.
func readWorkload(name string) (balance.Workload, error) {
	w := balance.Workload{Name: "own", Title: "of " + name, Shape: balance.Bag, Units: 80, Spread: 25, Rounds: 20, Of: 1, Percent: 100}
	f, err := readFlat("workload-file", name, []string{"name", "shape", "units", "spread", "one", "rest", "rounds", "slow", "of", "percent", "on", "off", "jitter"})
	if err != nil {
		return w, err
	}
	if err := f.decode(&w); err != nil {
		return w, err
	}
	if err := checkName(w.Name); err != nil {
		return w, f.at("name", err)
	}
	if p := f.places["rounds"]; p[0] > 0 && w.Shape != balance.Loop && w.Shape != balance.Mesh {
		return w, f.at("rounds", fmt.Errorf("the shape %s has none; expected shape = %q or %q, or no such line", w.Shape, balance.Loop, balance.Mesh))
	}
	w.Work = 1 // the grain decides
	if err := w.Validate(1); err != nil {
		key, rest, _ := strings.Cut(err.Error(), ": ")
		key, _, _ = strings.Cut(key, ",")
		return w, f.at(key, errors.New(rest))
	}
	return w, nil
}

// checkName refuses names that would disturb the tables.
func checkName(name string) error {
	if name == "" || len(name) > 24 || strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r == ',' || r == '"' || r > '~' }) {
		return fmt.Errorf("%q; expected 1 to 24 printable ASCII characters without commas and quotes", name)
	}
	return nil
}
